"""Hybrid: plans where the game looks deterministic, forages where it does not.

Before the game random sequences of actions are played several times (`determinism`). If they always end in equal
situations, the `planner` thinks through the start clock and plays; once the game has left its plan more than
`failures` times the test was wrong, and the `forager` (an open-loop tree search that learns what to go to and what to
avoid) takes over, as it does from the start in games with chance.

A design of this project; the switch follows the deterministic game detection of Soemers 2016, section 4.2.5, and the
agents named there that chose between several searches. Settings are those of the two. A simulation is a descent of the
forager's tree, some four calls of the forward model; the planner generates `calls` situations for it.
"""

from paidia.core.arcade cimport ArcadeGame, ArcadeState
from paidia.search.arcade.base cimport ArcadeSearch
from paidia.search.arcade.clock cimport clock_start
from paidia.search.arcade.determinism cimport looks_deterministic

import msgspec

from paidia.core.errors import BadInput
from paidia.core.seeds import spawn
from paidia.search.arcade.forager import Forager, ForagerSettings
from paidia.search.arcade.registry import ARCADE_SEARCHES
from paidia.search.width.planner import Planner, PlannerSettings


class HybridSettings(ForagerSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of the forager and of the planner."""

    patience: int = PlannerSettings().patience
    max_states: int = PlannerSettings().max_states
    failures: int = 2
    calls: int = 4


cdef class Hybrid(ArcadeSearch):
    """Chooses between two searches."""

    Settings = HybridSettings
    PARAMETERS = Forager.PARAMETERS

    cdef object planner, forager
    cdef readonly bint planning

    def __init__(self, settings=None, *, controller=None):
        super().__init__(settings, controller=controller)
        s = self.settings
        if s.failures < 0 or s.calls < 1:
            raise BadInput("failures must be 0 or more, calls 1 or more")
        self.planner = Planner(PlannerSettings(patience=s.patience, max_states=s.max_states))
        self.forager = Forager(
            ForagerSettings(**{name: getattr(s, name) for name in ForagerSettings.__struct_fields__}), controller=controller
        )

    def begin_game(self, ArcadeGame game, ArcadeState state, *, seed, start=None):
        """Find out what kind of game this is, and let the planner think if it is one for planning."""
        self.game = game
        self.root = state
        self.rng.state = spawn(seed, 0)
        self.advances = 0
        clock_start(&self.clock, 0, start.seconds if start is not None else 0.0)
        self.planning = looks_deterministic(state, game.initial_state(), &self.rng, &self.clock, &self.advances)
        self.forager.begin_game(game, state, seed=spawn(seed, 2))
        if self.planning:
            self.planner.begin_game(
                game, state, seed=spawn(seed, 3), start=None if start is None else self.of_planner(start)
            )

    def of_planner(self, budget):
        """A budget in the planner's currency."""
        return msgspec.structs.replace(budget, simulations=self.settings.calls * budget.simulations)

    def choose(self, ArcadeState state, budget):
        """One tick by the search in charge."""
        if self.game is None or state.game is not self.game:
            raise BadInput("begin_game comes before choose, with the same game")
        self.planning = self.planning and self.planner.failures <= self.settings.failures
        if not self.planning:
            result = self.forager.choose(state, budget)
            return msgspec.structs.replace(result, notes={"in charge": "forager", **result.notes})
        result = self.planner.choose(state, self.of_planner(budget))
        return msgspec.structs.replace(
            result, simulations=-(-result.simulations // self.settings.calls), notes={"in charge": "planner", **result.notes}
        )


ARCADE_SEARCHES.add("hybrid", Hybrid)
