"""`ArcadeSearch`: the frame of every search for video games (see base.pxd).

    search = ARCADE_SEARCHES["one-step"](settings)
    search.begin_game(game, state, seed=1, start=None)
    result = search.choose(state, Budget(seconds=0.04))
"""

from paidia.core.arcade cimport NIL
from paidia.core.rng cimport rng_next
from paidia.search.arcade.clock cimport clock_go_on, clock_start

import msgspec

from paidia.core.arcade import ACTIONS
from paidia.core.errors import BadInput
from paidia.core.seeds import spawn
from paidia.search.arcade.result import TickResult


class NoSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A search without any."""


cdef class ArcadeSearch:
    """The base of all searches for video games. One object plays one game after another."""

    Settings = NoSettings       # a msgspec structure: what `[arcade]` of an agent may say
    PARAMETERS = ()             # settings of type float that a controller may change between simulations

    def __init__(self, settings=None, *, Controller controller=None):
        self.settings = self.Settings() if settings is None else settings
        self.controller = controller if controller is not None else Controller()
        if len(self.PARAMETERS) > MAX_ARCADE_PARAMETERS:
            raise BadInput(f"a search has at most {MAX_ARCADE_PARAMETERS} parameters")
        self.width = len(self.PARAMETERS)

    def begin_game(self, ArcadeGame game, ArcadeState state, *, seed, start=None):
        """A game starts in `state`: forget everything, then think within the budget `start`, if there is one."""
        cdef int i
        self.game = game
        self.root = state
        self.rng.state = spawn(seed, 0)
        for i, name in enumerate(self.PARAMETERS):
            self.vector[i] = getattr(self.settings, name)
        self.controller.begin_game(1, list(self.PARAMETERS), spawn(seed, 1))
        self.reset()
        if start is not None:
            self.controller.begin_turn(0)
            self._start(state, start)
            with nogil:
                self.prepare()

    def reset(self):
        """A new game starts: allocate what its size asks for, forget what was learned in another."""

    def choose(self, ArcadeState state, budget):
        """Think about one tick and choose an action; the result's `notes` are for people."""
        cdef int action
        if self.game is None or state.game is not self.game:
            raise BadInput("begin_game comes before choose, with the same game")
        self.controller.begin_turn(state.tick)
        self._start(state, budget)
        with nogil:
            action = self.decide()
        return TickResult(action, self.clock.done, self.advances, self.rows(), self.notes())

    def _start(self, ArcadeState state, budget):
        self.root = state
        self.advances = 0
        clock_start(&self.clock, budget.simulations, budget.seconds)

    def rows(self):
        """What is known of each action at the root, a list of `ActionRow`."""
        return []

    def notes(self):
        """What else a person may want to see."""
        return {}

    def action_name(self, int action):
        """The name of an action."""
        return ACTIONS[action]

    cdef void prepare(self) noexcept nogil:
        pass

    cdef int decide(self) noexcept nogil:
        return NIL

    cdef bint next_simulation(self) noexcept nogil:
        if not clock_go_on(&self.clock):
            return False
        self.controller.begin_simulation(self.vector, self.width)
        return True

    cdef void end_simulation(self, double reward) noexcept nogil:
        self.controller.end_simulation(&reward)

    cdef void branch(self, ArcadeState state, ArcadeState origin) noexcept nogil:
        state.c_copy(origin)
        state.c_seed(rng_next(&self.rng))
