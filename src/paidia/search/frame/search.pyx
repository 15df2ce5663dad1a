# distutils: extra_compile_args = -O1
"""`Search`: the frame of every search (see search.pxd).

    search = SEARCHES["iterated-width"](game, settings)
    search.begin_game(1)
    search.think_ahead(state, Budget(seconds=1.0))
    result = search.search(state, Budget(seconds=0.04), role=0, step=0)
"""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdlib cimport free

from paidia.core.machine.memory cimport calloc
from paidia.core.machine.now cimport now
from paidia.core.model cimport NO_MOVE
from paidia.core.machine.rng cimport rng_next
from paidia.search.frame.clock cimport clock_go_on, clock_start

import msgspec

from paidia.core.errors import BadInput, OutOfTime
from paidia.core.seeds import spawn
from paidia.search.frame.result import SearchResult


class NoSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A search without any."""


cdef class Search:
    """The base of all searches. One object searches one game, match after match.

    Args:
        game: What is played.
        settings: An instance of the class's `Settings`; the defaults if left out.
        controller: Who changes the parameters between simulations; nobody if left out.
    """

    Settings = NoSettings       # a msgspec structure: what `[search]` of an agent may say
    PARAMETERS = ()             # settings that a controller may change between simulations

    def __init__(self, Rules game not None, settings=None, *, Controller controller=None):
        reason = self.cannot_play(game)
        if reason:
            raise BadInput(reason)
        self.game = game
        self.states = []
        self.step = -1          # no match has begun
        self.settings = self.Settings() if settings is None else settings
        self.controller = controller if controller is not None else Controller()
        self.width = len(self.PARAMETERS)
        self.vector = <double*>calloc(max(1, self.width * game.n_roles), sizeof(double))
        if self.vector == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.vector)

    @classmethod
    def cannot_play(cls, Rules game not None):
        """Why this search cannot play a game, "" if it can."""
        return "" if game.n_roles == 1 else f"it plays games of one role, and {game.id} has {game.n_roles}"

    def begin_game(self, seed):
        """A new match: forget everything; `seed` decides all that is random from now on."""
        if self.busy:
            raise BadInput("this search is busy: a match cannot begin before its search has ended")
        self.rng.state = spawn(seed, 0)
        self.controller.begin_game(self.game.n_roles, list(self.PARAMETERS), spawn(seed, 1))
        self.step = 0
        self.started = False
        self.set_parameters()
        self.reset()

    def set_parameters(self):
        """Write the parameters that a game starts with into the vector."""
        cdef int i
        for i, name in enumerate(self.PARAMETERS):
            self.vector[i] = getattr(self.settings, name)

    def reset(self):
        """A new game starts: allocate what its size asks for, forget what was learned in another."""

    def think_ahead(self, Situation state not None, budget, *, int role=0):
        """Use the time before the first move, if the search does; what it has done is reported, no move."""
        self._enter(state, budget, role, 0)
        try:
            self._think_ahead()
            return self.so_far()
        finally:
            self.busy = False

    def search(self, Situation state not None, budget, *, int role=0, int step=0):
        """Search from `state` until the budget is used, and choose a move for `role`.

        Args:
            state: The present situation; it is not changed.
            budget: A `Budget`.
            role: Whose move is wanted.
            step: Number of joint moves played in the game so far. It must not fall within a game.
        """
        self._enter(state, budget, role, step)
        try:
            result = self._search(step)
            self.step, self.started = step, True
            return result
        finally:
            self.busy = False

    def _think_ahead(self):
        with nogil:
            self.prepare()
        self._check_in_time()

    def _search(self, int step):
        """The result of a search for `role` from `root`, at this step of the game."""
        cdef move_t move
        with nogil:
            move = self.decide()
        self._check_in_time()
        return msgspec.structs.replace(
            self.so_far(), move=None if move == NO_MOVE else move, moves=self.root_moves(self.role), notes=self.notes())

    def so_far(self):
        """What the present search has done, without a choice."""
        return SearchResult(
            move=None, moves=[], simulations=self.clock.done, seconds=now() - self.clock.began, steps=self.steps)

    def _check_call(self, Situation state, int role, int step):
        """Refuse what cannot be searched."""
        if self.step < 0:
            raise BadInput("begin_game comes before the first search")
        if state.game is not self.game:
            raise BadInput("the state belongs to another game than the search")
        if state.terminal:
            raise BadInput("the game is over: there is nothing to search for")
        if not 0 <= role < self.game.n_roles:
            raise BadInput(f"{self.game.id} has roles 0 to {self.game.n_roles - 1}, not {role}")
        if step < self.step:
            raise BadInput(f"step {step} lies before step {self.step}; call begin_game first")

    def _enter(self, Situation state, budget, int role, int step):
        """A search begins; until it has ended no other thread gets in."""
        if self.busy:
            raise BadInput("this search is busy: another thread searches with it; make one search for each thread")
        self._check_call(state, role, step)
        self.busy, self.stopping = True, False
        try:
            self._begin(state, budget, role, step)
        except BaseException:
            self.busy = False
            raise

    def stop(self):
        """Ask a search that runs in another thread to end now, with what it has."""
        self.stopping = True

    def _begin(self, Situation state, budget, int role, int step):
        # In real time an eighth is kept back, at most 5 ms: for what happens outside the search, and because the system may
        # give the core to something else for one slice of 4 ms. Measured: with 2 ms 0.4 % of the ticks took over 40 ms.
        # Where a move takes its time a hundredth is, 2 to 10 ms: a simulation that has begun is played to its end.
        kept_back = min(budget.seconds / 8, max(0.002, min(budget.seconds / 100, 0.01)) if self.game.bounded else 0.005)
        clock_start(&self.clock, budget.simulations, budget.seconds, kept_back, not self.game.bounded)
        self.root, self.budget = state, budget
        self.role = role
        self.steps = 0
        self.most_steps = budget.calls
        self.controller.begin_turn(step)

    def new_state(self):
        """A state of the game for the search's own use; what it raises is raised by the search."""
        state = self.game.initial_state()
        self.states.append(state)
        return state

    def check(self):
        """Raise what rules written in Python have raised, or Ctrl-C; all are asked, so that none comes up again later."""
        first, self.error = self.error, None
        for state in (self.root, *self.states):
            try:
                state.check()
            except BaseException as error:
                first = first or error
        if first is not None:
            raise first

    def _check_in_time(self):
        """As `check`, but in the middle of a simulation of a slow game the time may be up: what was found before it counts."""
        try:
            self.check()
        except OutOfTime:
            pass

    def root_moves(self, int role=0):
        """What is known of each move at the root, a list of `RootMove`."""
        return []

    def notes(self):
        """What else a person may want to see: plain data."""
        return {}

    def move_name(self, int move):
        """The name of a move of the role that was searched for."""
        return self.game.move_name(self.role, move)

    cdef void prepare(self) noexcept nogil:
        pass

    cdef move_t decide(self) noexcept nogil:
        return NO_MOVE

    cdef bint next_simulation(self) noexcept nogil:
        if self.stopping or (self.steps >= self.most_steps > 0 and self.clock.done > 0) or not clock_go_on(&self.clock):
            return False
        if self.clock.looked and not self.helping and (
                self.clock.stride == 1 or (self.clock.done & 1023) < self.clock.stride):
            with gil:
                if not self.undisturbed():
                    return False
        self.controller.begin_simulation(self.vector, self.width)
        return True

    cdef bint undisturbed(self) noexcept:
        """Lets Ctrl-C through: it is raised once the search has stopped."""
        try:
            PyErr_CheckSignals()
        except BaseException as error:
            self.error = error
        return self.error is None

    cdef void end_simulation(self, double reward) noexcept nogil:
        self.controller.end_simulation(&reward)

    cdef void branch(self, Situation state, Situation origin) noexcept nogil:
        state.c_copy(origin)
        if self.game.chance:
            state.c_seed(rng_next(&self.rng))
