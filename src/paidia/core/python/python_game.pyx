# distutils: extra_compile_args = -O1
"""Games in plain Python against the same contract: slow, correct, and at home in every search.

Subclass `PythonGame` (rules) and `PythonState` (one position) and override the methods below; `examples/` has a complete
game. What a method raises inside a search stops that search and is raised to its caller.
"""

from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport free

from paidia.core.game cimport Game, State
from paidia.core.machine.memory cimport malloc
from paidia.core.model cimport NO_MOVE, Situation, move_t

from paidia.core.python.attributes import (
    observe_text, pickle_of_game, pickle_of_state, read_attributes, same_game, write_attributes,
)

include "guards.pxi"

cdef enum:
    TEXT_BYTES = 1024       # of the text that stands for an observation where a game has no better one


cdef class PythonGame(Game):
    """Rules written in Python.

    Args:
        id: Name of the game.
        roles: Names of the roles.
        n_moves: Move ids are 0 .. n_moves - 1.
        max_legal: The most legal moves one role can have; n_moves if left out.
        n_codes: Number of feature codes, if `PythonState.move_code` is overridden.
        chance: Whether chance plays a part: `PythonState.reseed` has to be overridden then.
    """

    def __init__(self, str id, roles, int n_moves, *, int max_legal=0, int n_codes=0, bint chance=False):
        self.declare(id, tuple(roles), n_moves, max_legal or n_moves, n_codes)
        self.chance = self.stochastic = chance

    def move_name(self, int role, int move):
        return str(move)

    def from_text(self, str text):
        """The position whose attributes a text gives; override it together with `PythonState.to_text`."""
        return read_attributes(self.initial_state(), text)

    @property
    def observation_shape(self):
        """Overridden together with `PythonState.observe`; otherwise what is seen is the text of the position as bytes."""
        return (TEXT_BYTES,)

    def found_as(self, str id):
        """Take over the id by which a user gets this game again: the path of its file, or the name that a package announces."""
        self.id = id

    def declared(self):
        """What `__init__` was given."""
        return {
            "id": self.id, "roles": self.roles, "n_moves": self.n_moves, "max_legal": self.max_legal, "n_codes": self.n_codes,
            "chance": self.chance,
        }

    def declare_again(self, **declared):
        PythonGame.__init__(self, **declared)

    def like(self, other):
        return same_game(self, other)

    def __reduce__(self):
        return pickle_of_game(self)


cdef class PythonState(State):
    """One position written in Python. Override the methods of the first group; the second has defaults."""

    cdef move_t* buffer     # one stretch of max_legal moves per role

    def __cinit__(self, Game game not None, *args, **kwargs):
        self.game = game
        self.buffer = <move_t*>malloc(sizeof(move_t) * (<size_t>game.max_legal) * game.n_roles)
        if self.buffer == NULL:
            raise MemoryError()

    def __init__(self, Game game not None):
        pass

    def __dealloc__(self):
        free(self.buffer)

    def legal_moves(self, role):
        """The legal moves of a role here, in a fixed order; empty where it does not act."""
        raise NotImplementedError

    def apply(self, joint):
        """Play a joint move: a tuple with one entry per role, None where a role does not act."""
        raise NotImplementedError

    def is_terminal(self):
        """Whether the game is over."""
        raise NotImplementedError

    def goal_values(self):
        """The goal of each role in [0, 1]; also for a position where the game is not over."""
        raise NotImplementedError

    def assign(self, other):
        """Become a copy of `other`, sharing nothing that changes."""
        raise NotImplementedError

    def hash_key(self):
        """Something hashable that is equal for equal positions only, the role to act included."""
        raise NotImplementedError

    def to_move(self):
        """The one role that acts here, or None where several may."""
        return None

    def move_code(self, role, move):
        """The feature code of a move here (for PPAF)."""
        return move

    def reseed(self, seed):
        """Start the generator anew, in a game of chance."""

    def to_text(self):
        """The attributes as Python writes them; override it, and `PythonGame.from_text`, for a better text."""
        return write_attributes(self)

    def observe(self, out):
        """What can be seen, as bytes; override it, and `PythonGame.observation_shape`, for a better view than the text."""
        observe_text(self, out)

    def __reduce__(self):
        return pickle_of_state(self)

    def _same(self, other):
        return self.hash_key() == other.hash_key()

    # ---------------------------------------------------------------- the kernel side

    cdef int c_mover(self) noexcept nogil:
        cdef int role = -1
        with gil:
            try:
                mover = self.to_move()
                role = mover if mover is not None else -1 if self.game.n_roles > 1 else 0
                if not -1 <= role < self.game.n_roles:
                    raise ValueError(f"to_move() returned {role}, which is not a role")
            except BaseException as error:
                self.fail(error)
                role = -1
        return role

    cdef int c_legal(self, int role, const move_t** moves) noexcept nogil:
        cdef int n = 0
        cdef move_t* own = self.buffer + role * self.game.max_legal
        moves[0] = own
        with gil:
            try:
                for move in self.legal_moves(role):
                    if n >= self.game.max_legal or not 0 <= move < self.game.n_moves:
                        raise ValueError(f"legal_moves({role}) gave {move!r}: an id out of range, or too many moves")
                    own[n] = move
                    n += 1
            except BaseException as error:
                self.fail(error)
                n = 0
        return n

    cdef void c_play(self, const move_t* joint) noexcept nogil:
        cdef int role
        with gil:
            try:
                check_time()
                self.apply(tuple([
                    None if joint[role] == NO_MOVE else joint[role] for role in range(self.game.n_roles)
                ]))
            except BaseException as error:
                self.fail(error)

    cdef bint c_terminal(self) noexcept nogil:
        cdef bint over = True
        if self.failed:
            return True
        with gil:
            try:
                over = self.is_terminal()
            except BaseException as error:
                self.fail(error)
        return over

    cdef void c_goals(self, double* goals) noexcept nogil:
        cdef int role
        with gil:
            try:
                values = self.goal_values()
                if len(values) != self.game.n_roles:
                    raise ValueError(f"goal_values() gave {len(values)} goals for {self.game.n_roles} roles")
                for role in range(self.game.n_roles):
                    goals[role] = values[role]
            except BaseException as error:
                self.fail(error)
                for role in range(self.game.n_roles):
                    goals[role] = 0.0

    cdef void c_copy(self, Situation other) noexcept nogil:
        guarded_assign(self, other)

    cdef void c_seed(self, uint64_t seed) noexcept nogil:
        guarded_reseed(self, seed)

    cdef uint64_t c_key(self) noexcept nogil:
        return guarded_key(self)

    cdef void c_codes(self, int role, const move_t* moves, int n, int32_t* codes) noexcept nogil:
        cdef int i
        with gil:
            for i in range(n):
                codes[i] = 0
                try:
                    code = self.move_code(role, moves[i])
                    if not 0 <= code < self.game.n_codes:
                        raise ValueError(f"move_code() gave {code!r}; n_codes is {self.game.n_codes}")
                    codes[i] = code
                except BaseException as error:
                    self.fail(error)
