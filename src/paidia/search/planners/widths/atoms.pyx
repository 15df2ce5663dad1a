"""The atoms of a situation: avatar(cell, orientation, type) and at(cell, type).

Geffner and Geffner 2015 (Width-based planning for general video-game playing), as told in Soemers 2016, section
3.3.2: neither resources nor how many equal sprites share a cell. A sprite between cells belongs to that of its top
left corner; a facing that is not along an axis counts as the nearest one along an axis (a diagonal as horizontal).
"""

from libc.math cimport fabs
from libc.stdint cimport int32_t
from libc.stdlib cimport free

from paidia.core.arcade cimport ALL_CATEGORIES, AVATAR, CHANGING_ONLY, ArcadeState, Avatar
from paidia.core.machine.memory cimport malloc
from paidia.core.model cimport Rules, Situation

from paidia.core.arcade import ArcadeGame
from paidia.core.errors import BadInput

FACINGS = (None, "UP", "LEFT", "DOWN", "RIGHT")


cdef int facing_of(const Avatar* avatar) noexcept nogil:
    if avatar.facing_x == 0 and avatar.facing_y == 0:
        return 0
    if fabs(avatar.facing_x) >= fabs(avatar.facing_y):
        return 4 if avatar.facing_x > 0 else 2
    return 3 if avatar.facing_y > 0 else 1


cdef class Atoms:
    """Reads the atoms of situations of one game (see atoms.pxd)."""

    def __cinit__(self, Rules game not None):
        reason = Atoms.cannot_read(game)
        if reason:
            raise BadInput(reason)
        self.game = game
        self.sprites = isinstance(game, ArcadeGame)
        self.room = MAX_SEEN + 1 if self.sprites else game.n_atoms
        self.n_codes = self.first_avatar = game.n_atoms
        if self.sprites:
            self.width, self.height, self.block, self.n_types = game.width, game.height, game.block, len(game.types)
            self.first_avatar = game.width * game.height * self.n_types
            self.n_codes = self.first_avatar * (1 + N_FACINGS)
            self.seen = <Seen*>malloc(MAX_SEEN * sizeof(Seen))
        self.atoms = <int32_t*>malloc((self.room + 1) * sizeof(int32_t))
        if self.atoms == NULL or (self.sprites and self.seen == NULL):
            raise MemoryError

    @staticmethod
    def cannot_read(Rules game not None):
        """Why the situations of a game have no atoms to look at, "" if they have."""
        if not isinstance(game, ArcadeGame):
            return "" if game.n_atoms else f"novelty looks at the facts of a situation, and {game.id} does not tell any"
        if game.width * game.height * len(game.types) * (1 + N_FACINGS) >= 1 << 26:
            return f"{game.id} has too many cells and sprite types for a search by novelty"
        return ""

    def __dealloc__(self):
        free(self.seen)
        free(self.atoms)

    def of(self, Situation state not None, *, bint changing=False):
        """The atoms of a state as a set of tuples: ("avatar", column, row, facing, type) and ("at", column, row, type)."""
        cdef int i
        self.read(state, changing)
        return {self.decode(self.atoms[i]) for i in range(self.n)}

    def decode(self, int32_t code):
        """An atom's number as a tuple."""
        if not self.sprites:
            return ("fact", code)
        types = self.game.types
        if code < self.first_avatar:
            cell, type = divmod(code, self.n_types)
            return ("at", cell % self.width, cell // self.width, types[type])
        place, type = divmod(code - self.first_avatar, self.n_types)
        cell, facing = divmod(place, N_FACINGS)
        return ("avatar", cell % self.width, cell // self.width, FACINGS[facing], types[type])

    cdef void read(self, Situation state, bint changing) noexcept nogil:
        cdef Avatar avatar
        cdef unsigned int wanted = (ALL_CATEGORIES & ~(1 << AVATAR)) | (CHANGING_ONLY if changing else 0)
        cdef int32_t block = self.block, x, y, n = 0
        cdef int i, n_seen
        self.has_avatar = False
        if not self.sprites:
            self.n = state.c_atoms(self.atoms)
            return
        (<ArcadeState>state).c_avatar(&avatar)
        if avatar.type >= 0:
            x, y = avatar.x // block, avatar.y // block     # in C this rounds towards 0, as the game's own grid does
            if 0 <= x < self.width and 0 <= y < self.height:
                self.atoms[0] = self.first_avatar + (
                    (y * self.width + x) * N_FACINGS + facing_of(&avatar)) * self.n_types + avatar.type
                self.has_avatar = True
                n = 1
        n_seen = (<ArcadeState>state).c_seen(wanted, self.seen, MAX_SEEN)
        for i in range(min(n_seen, MAX_SEEN)):
            x, y = self.seen[i].x // block, self.seen[i].y // block
            if 0 <= x < self.width and 0 <= y < self.height:
                self.atoms[n] = (y * self.width + x) * self.n_types + self.seen[i].type
                n += 1
        self.n = n
