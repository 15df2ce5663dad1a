# distutils: extra_compile_args = -O1
"""GDL-II: games of chance and of hidden information, on top of a game in which everything is known.

The rules of GDL-II name a role `random`, which moves uniformly, and say with `sees` what each role learns of a step. They are
played by the net or interpreter of the same rules in plain GDL, where percepts are facts of the next state (`load.py`); here
`random` becomes chance inside the game, and a state tells the percepts of each role. Thielscher 2010 (A general game description
language for incomplete information games).
"""

from libc.stdint cimport uint64_t

from paidia.core.game cimport Game, State
from paidia.core.model cimport MAX_ROLES, NO_MOVE, Situation, move_t
from paidia.core.machine.rng cimport Rng, rng_below

from paidia.games.gdl.pictures import draw_fluents


cdef class HiddenGame(Game):
    """A game of which a role knows its own moves and what it sees.

    Args:
        inner: The same game with everything in sight, `random` one of its roles.
        chance: The number of the role `random`, -1 if there is none.
        percept: The name of the facts that are percepts: (NAME ROLE WHAT).
    """

    cdef readonly Game inner
    cdef readonly str percept
    cdef int chance_role
    cdef readonly bint hidden

    def __init__(self, Game inner not None, int chance, str percept):
        roles = tuple(role for number, role in enumerate(inner.roles) if number != chance)
        self.inner, self.chance_role, self.percept = inner, chance, percept
        self.declare(inner.id, roles, inner.n_moves, inner.max_legal, inner.n_codes)
        self.chance = self.stochastic = chance >= 0
        self.hidden = True

    cdef int seat(self, int role) noexcept nogil:
        """The number of a role in the inner game."""
        return role + 1 if 0 <= self.chance_role <= role else role

    def initial_state(self):
        return HiddenState(self)

    def move_name(self, int role, int move):
        self.check_role(role)
        return self.inner.move_name(self.seat(role), move)

    def move_id(self, int role, str name):
        self.check_role(role)
        return self.inner.move_id(self.seat(role), name)


cdef class HiddenState(State):
    """One position; the referee shows a role no more of it than its percepts."""

    cdef HiddenGame rules
    cdef State inner
    cdef Rng rng

    def __cinit__(self, HiddenGame game not None):
        self.game = self.rules = game
        self.inner = game.inner.initial_state()

    cdef int c_mover(self) noexcept nogil:
        cdef int mover = self.inner.c_mover()
        if mover < 0 or mover == self.rules.chance_role:
            return -1
        return mover - 1 if 0 <= self.rules.chance_role < mover else mover

    cdef int c_legal(self, int role, const move_t** moves) noexcept nogil:
        return self.inner.c_legal(self.rules.seat(role), moves)

    cdef void c_play(self, const move_t* joint) noexcept nogil:
        cdef move_t full[MAX_ROLES]
        cdef const move_t* moves = NULL
        cdef int role, n
        for role in range(self.rules.n_roles):
            full[self.rules.seat(role)] = joint[role]
        if self.rules.chance_role >= 0:
            n = self.inner.c_legal(self.rules.chance_role, &moves)
            full[self.rules.chance_role] = NO_MOVE if n == 0 else moves[rng_below(&self.rng, n)] if n > 1 else moves[0]
        self.inner.c_play(full)

    cdef bint c_terminal(self) noexcept nogil:
        return self.inner.c_terminal()

    cdef void c_goals(self, double* goals) noexcept nogil:
        cdef double all_goals[MAX_ROLES]
        cdef int role
        self.inner.c_goals(all_goals)
        for role in range(self.rules.n_roles):
            goals[role] = all_goals[self.rules.seat(role)]

    cdef void c_copy(self, Situation other) noexcept nogil:
        self.inner.c_copy((<HiddenState>other).inner)
        self.rng = (<HiddenState>other).rng

    cdef void c_seed(self, uint64_t seed) noexcept nogil:
        self.rng.state = seed

    cdef uint64_t c_key(self) noexcept nogil:
        return self.inner.c_key()

    def percepts(self, int role):
        """What a role sees of the step that led here, in alphabetical order."""
        self.rules.check_role(role)
        mark = f"({self.rules.percept} {self.rules.roles[role]} "
        return sorted(fact.removeprefix(mark).removesuffix(")") for fact in self.inner.fluents() if fact.startswith(mark))

    def fluents(self):
        """The facts that hold, without percepts."""
        return [fact for fact in self.inner.fluents() if not fact.startswith(f"({self.rules.percept} ")]

    def draw(self):
        return draw_fluents(self.fluents())
