# distutils: extra_compile_args = -O1
"""Video games in plain Python against the same contract: slow, correct, and at home in every search.

Subclass `PythonArcadeGame` (rules and level) and `PythonArcadeState` (one situation) and override the methods below. What a
method raises inside a search stops that search and is raised to its caller.
"""

import pickle

from libc.stdint cimport uint64_t

from paidia.core.arcade cimport N_ACTIONS, NIL, ArcadeGame, ArcadeState, Avatar, Seen
from paidia.core.model cimport LOST, OPEN, WON, Situation, move_t

from paidia.core.arcade import ACTIONS, action_id
from paidia.core.python.attributes import (
    attributes_of, pickle_of_game, pickle_of_state, read_attributes, same_game, with_attributes, write_attributes,
)

include "guards.pxi"


cdef class PythonArcadeGame(ArcadeGame):
    """Rules and level written in Python.

    Args:
        id: Name of the game.
        types: Names of the sprite types.
        width: Of the level, in cells.
        height: Of the level, in cells.
        level: Name of the level.
        block: Pixels of a cell's side.
        max_ticks: When the game ends at the latest.
        stochastic: Whether chance plays a part.
    """

    def __init__(
        self, str id, types, int width, int height, *, str level="0", int block=10, int max_ticks=2000, bint stochastic=False
    ):
        self.declare(id, level, tuple(types), width, height, block, max_ticks, stochastic)

    def from_text(self, str text):
        """The situation whose attributes a text gives; override it together with `PythonArcadeState.to_text`."""
        return read_attributes(self.initial_state(), text)

    def found_as(self, str id):
        """Take over the id by which a user gets this game again: the path of its file, or the name that a package announces."""
        self.id = id

    def declared(self):
        """What `__init__` was given."""
        return {
            "id": self.id, "types": self.types, "width": self.width, "height": self.height, "level": self.level,
            "block": self.block, "max_ticks": self.max_ticks, "stochastic": self.stochastic,
        }

    def declare_again(self, **declared):
        PythonArcadeGame.__init__(self, **declared)

    def like(self, other):
        return same_game(self, other)

    def __reduce__(self):
        return pickle_of_game(self)


cdef class PythonArcadeState(ArcadeState):
    """One situation written in Python. Override the methods of the first group; the second has defaults."""

    cdef move_t buffer[N_ACTIONS]

    def __cinit__(self, ArcadeGame game not None, *args, **kwargs):
        self.game = game

    def __init__(self, ArcadeGame game not None):
        pass

    def action_names(self):
        """What the avatar can do here, without NIL: names of `core.arcade.ACTIONS`; nothing once the game is over."""
        raise NotImplementedError

    def tick_on(self, action):
        """Play one tick with the name of an action, NIL included."""
        raise NotImplementedError

    def outcome(self):
        """True won, False lost, None: the game goes on."""
        raise NotImplementedError

    def points(self):
        """The score."""
        raise NotImplementedError

    def ticks(self):
        """Completed ticks."""
        raise NotImplementedError

    def assign(self, other):
        """Become a copy of `other`, its generator included, sharing nothing that changes."""
        raise NotImplementedError

    def hash_key(self):
        """Something hashable that is equal for situations that look and behave the same."""
        raise NotImplementedError

    def avatar_at(self):
        """The avatar's column, row and type, None once it is gone."""
        raise NotImplementedError

    def sprites_at(self):
        """The other visible sprites: tuples (category, type, id, column, row), by type and then age."""
        return []

    def reseed(self, seed):
        """Start the generator anew."""

    def image(self):
        """The attributes of the situation, pickled."""
        return pickle.dumps(attributes_of(self))

    def take_image(self, data):
        """Take the attributes over; images come from our own side only, for unpickling runs code."""
        with_attributes(self, pickle.loads(data))

    def to_text(self):
        """The attributes as Python writes them; override it, and `PythonArcadeGame.from_text`, for a better text."""
        return write_attributes(self)

    def __reduce__(self):
        return pickle_of_state(self)

    def _same(self, other):
        return self.hash_key() == other.hash_key() and self.ticks() == other.ticks()

    # ---------------------------------------------------------------- the kernel side

    cdef int c_legal(self, int role, const move_t** moves) noexcept nogil:
        cdef int n = 0
        moves[0] = self.buffer
        with gil:
            try:
                for name in self.action_names():
                    if n == N_ACTIONS:
                        raise ValueError(f"action_names() gave more than the {N_ACTIONS} actions there are")
                    self.buffer[n] = action_id(name)
                    n += 1
            except BaseException as error:
                self.fail(error)
                n = 0
        return n

    cdef void c_play(self, const move_t* joint) noexcept nogil:
        if self.c_terminal():
            return
        with gil:
            try:
                check_time()
                self.tick_on(ACTIONS[joint[0] if joint[0] >= 0 else NIL])
            except BaseException as error:
                self.fail(error)

    cdef bint c_terminal(self) noexcept nogil:
        return self.failed or self.c_winner(0) != OPEN

    cdef int c_winner(self, int role) noexcept nogil:
        cdef int winner = OPEN
        with gil:
            try:
                won = self.outcome()
                winner = OPEN if won is None else WON if won else LOST
            except BaseException as error:
                self.fail(error)
        return winner

    cdef double c_score(self) noexcept nogil:
        cdef double score = 0.0
        with gil:
            try:
                score = self.points()
            except BaseException as error:
                self.fail(error)
        return score

    cdef int c_tick(self) noexcept nogil:
        cdef int tick = 0
        with gil:
            try:
                tick = self.ticks()
            except BaseException as error:
                self.fail(error)
        return tick

    cdef bint c_alive(self, int role) noexcept nogil:
        cdef Avatar avatar
        self.c_avatar(&avatar)
        return avatar.type >= 0

    cdef void c_avatar(self, Avatar* out) noexcept nogil:
        out.type = -1
        with gil:
            try:
                place = self.avatar_at()
                if place is not None:
                    column, row, type = place
                    out.x, out.y = column * (<ArcadeGame>self.game).block, row * (<ArcadeGame>self.game).block
                    out.facing_x = out.facing_y = 0.0
                    out.speed, out.health, out.max_health, out.limit_health = 1.0, 1, 1, 1
                    out.type = type
            except BaseException as error:
                self.fail(error)

    cdef int c_count(self, int type) noexcept nogil:
        cdef int n = 0
        with gil:
            try:
                n = sum(sprite[1] == type for sprite in self.sprites_at())
            except BaseException as error:
                self.fail(error)
        return n

    cdef int c_seen(self, unsigned int categories, Seen* out, int limit) noexcept nogil:
        cdef int n = 0
        with gil:
            try:
                for category, type, id, column, row in self._all_sprites():
                    if (categories >> <int>category) & 1:
                        if n < limit:
                            out[n].category, out[n].type, out[n].id = category, type, id
                            out[n].x = column * (<ArcadeGame>self.game).block
                            out[n].y = row * (<ArcadeGame>self.game).block
                        n += 1
            except BaseException as error:
                self.fail(error)
                n = 0
        return n

    def _all_sprites(self):
        place = self.avatar_at()
        own = [] if place is None else [(0, place[2], 0, place[0], place[1])]
        return [*own, *self.sprites_at()]

    cdef void c_copy(self, Situation other) noexcept nogil:
        guarded_assign(self, other)

    cdef void c_seed(self, uint64_t seed) noexcept nogil:
        guarded_reseed(self, seed)

    cdef uint64_t c_key(self) noexcept nogil:
        return guarded_key(self)
