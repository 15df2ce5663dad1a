# distutils: extra_compile_args = -O1
"""Hybrid: plans where the game looks deterministic, forages where it does not.

Before the game random sequences of actions are played several times (`determinism`). If they always end in equal
situations, the `planner` thinks through the start clock and plays; once the game has left its plan more than
`failures` times the test was wrong, and the `forager` (an open-loop tree search that learns what to go to and what to
avoid) takes over, as it does from the start in games with chance.

A design of this project; the switch follows the deterministic game detection of Soemers 2016, section 4.2.5, and the
agents named there that chose between several searches. Settings are those of the two. A simulation is a descent of the
forager's tree, some four calls of the forward model; the planner generates `calls` situations for it.
"""

from libc.stdint cimport int64_t

from paidia.core.machine.now cimport now
from paidia.core.model cimport Situation
from paidia.search.frame.clock cimport clock_start
from paidia.search.root.determinism cimport looks_deterministic
from paidia.search.frame.search cimport Search

import msgspec

from paidia.core.arcade import ArcadeGame
from paidia.core.errors import BadInput
from paidia.core.seeds import spawn
from paidia.search.planners.foraging.forager import Forager, ForagerSettings
from paidia.search.planners.foraging.olets import Olets, OletsSettings
from paidia.search.planners.widths.planner import Planner, PlannerSettings
from paidia.search.planners.foraging.ranger import Ranger, RangerSettings
from paidia.search.registry import SEARCHES


class HybridSettings(RangerSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of the forager and of the planner; those of the `ranger` are its own, and off unless they are set."""

    provisions: float = 0.0
    care: float = 0.0
    far: float = 0.0
    scouts: int = 0
    flight: int = 0
    vanish: float = 0.0
    restless: int = 0
    breach: int = 0
    patience: int = PlannerSettings().patience
    max_states: int = PlannerSettings().max_states
    breadth: int = PlannerSettings().breadth
    failures: int = 2
    calls: int = 4


cdef class Hybrid(Search):
    """Chooses between two searches."""

    Settings = HybridSettings
    PARAMETERS = Forager.PARAMETERS

    cdef object planner, forager
    cdef object seed
    cdef bint looked            # whether chance plays a part is known
    cdef readonly bint planning

    def __init__(self, game, settings=None, *, controller=None):
        super().__init__(game, settings, controller=controller)
        s = self.settings
        if s.failures < 0 or s.calls < 1:
            raise BadInput("failures must be 0 or more, calls 1 or more")
        self.planner = Planner(game, PlannerSettings(patience=s.patience, max_states=s.max_states, breadth=s.breadth))
        # Where there are no sprites to go to, plain OLETS is what is left of foraging.
        kind, own = (Forager, ForagerSettings) if isinstance(game, ArcadeGame) else (Olets, OletsSettings)
        if kind is Forager and (s.provisions or s.care or s.far or s.scouts or s.flight or s.vanish or s.restless or s.breach):
            kind, own = Ranger, RangerSettings
        self.forager = kind(game, own(**{name: getattr(s, name) for name in own.__struct_fields__}), controller=controller)

    @classmethod
    def cannot_play(cls, game):
        """What the planner cannot play, it cannot."""
        return Planner.cannot_play(game)

    def begin_game(self, seed):
        """A new match: forget everything."""
        self.rng.state = spawn(seed, 0)
        self.seed = seed
        self.step = 0
        self.started = self.looked = False
        self.forager.begin_game(spawn(seed, 2))

    def look(self, Situation state not None, double seconds):
        """Find out what kind of game this is."""
        cdef int64_t steps = 0
        if self.looked:
            return
        self.looked = True
        clock_start(&self.clock, 0, seconds, 0.0, False)
        self.planning = looks_deterministic(state, self.game.initial_state(), &self.rng, &self.clock, &steps)
        if self.planning:
            self.planner.begin_game(spawn(self.seed, 3))

    def stop(self):
        """Both of them."""
        self.planner.stop()
        self.forager.stop()

    def _think_ahead(self):
        """Let the planner think, if it is a game for planning, else the forager."""
        cdef double began = now()
        self.look(self.root, self.budget.seconds)
        budget = self.budget
        if budget.seconds:      # what the look has left of it
            budget = msgspec.structs.replace(budget, seconds=max(0.001, budget.seconds - (now() - began)))
        if self.planning:
            self.planner.think_ahead(self.root, self.of_planner(budget))
        else:
            self.forager.think_ahead(self.root, budget)

    def of_planner(self, budget):
        """A budget in the planner's currency."""
        return msgspec.structs.replace(budget, simulations=self.settings.calls * budget.simulations)

    def _search(self, int step):
        """One move by the search in charge."""
        self.look(self.root, 0.0)
        self.planning = self.planning and self.planner.failures <= self.settings.failures
        if not self.planning:
            result = self.forager.search(self.root, self.budget, step=step)
            return msgspec.structs.replace(result, notes={"in charge": "forager", **result.notes})
        result = self.planner.search(self.root, self.of_planner(self.budget), step=step)
        return msgspec.structs.replace(
            result, simulations=-(-result.simulations // self.settings.calls), notes={"in charge": "planner", **result.notes}
        )


SEARCHES.add("hybrid", Hybrid)
