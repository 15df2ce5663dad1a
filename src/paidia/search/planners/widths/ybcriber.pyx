"""An agent in the style of YBCriber: IW(1) that predicts danger and follows a learned map.

What is public of YBCriber (winner at CEEC 2015, the strongest competitor that Soemers 2016 prints): it is based on Iterated Width
with heuristics for video games, gives a small reward for picking up resources, and keeps track of places that look dangerous and
go with losses (Soemers 2016, sections 5.2.1 and 6.3). All numbers and the way the parts are put together are ours
(docs/readings.md#ybcriber).

    value = X                                                       where X differs from the root's
    value = X + pull * (map(cell) - map(cell in the root)) + resources * min(1, units gained)       where it does not

with the map of `interest`: near what raised the score or is unknown, around what blocks the way, less where simulations died. A
situation in a cell in which more than the share `danger` of the simulated steps were lost is looked at and not searched further.
Novelty, safety prepruning and the choice of the action are those of `iterated_width`.

Not handled: games without sprites, or with more than one avatar.
"""

from paidia.core.arcade cimport ArcadeState, Avatar
from paidia.core.model cimport move_t
from paidia.search.planners.widths.breadth_first cimport Node
from paidia.search.planners.foraging.interest cimport Interest, units_held
from paidia.search.planners.widths.iterated_width cimport IteratedWidth

from paidia.core.arcade import ArcadeGame
from paidia.core.errors import BadInput
from paidia.search.planners.widths.iterated_width import WidthSettings
from paidia.search.registry import SEARCHES


class YbcriberSettings(WidthSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Those of iterated width, and how much each heuristic counts; real points always count for more."""

    pull: float = 0.4
    resources: float = 0.1
    danger: float = 0.3


cdef class Ybcriber(IteratedWidth):
    """IW(1) with danger prediction and learned heuristics."""

    Settings = YbcriberSettings

    cdef Interest interest
    cdef double pull, resources, most_danger, home      # home: the map's value in the root
    cdef int held

    def __init__(self, game, settings=None, *, controller=None):
        super().__init__(game, settings, controller=controller)
        self.pull, self.resources, self.most_danger = self.settings.pull, self.settings.resources, self.settings.danger
        if not (0.0 <= self.pull and 0.0 <= self.resources and self.pull + self.resources < 1.0):
            raise BadInput(f"pull and resources are 0 or more and less than 1 together, not {self.pull:g} and {self.resources:g}")
        if not 0.0 <= self.most_danger <= 1.0:
            raise BadInput(f"danger is a share from 0 to 1, not {self.most_danger:g}")

    @classmethod
    def cannot_play(cls, game):
        """Its heuristics are about sprites."""
        reason = f"it learns what sprites are worth going to, and {game.id} has none"
        return IteratedWidth.cannot_play(game) or ("" if isinstance(game, ArcadeGame) else reason)

    def reset(self):
        """Nothing is known of a new game."""
        IteratedWidth.reset(self)
        self.interest = Interest(self.game)

    cdef move_t decide(self) noexcept nogil:
        self.interest.draw(<ArcadeState>self.root)
        self.home = self.interest.at(<ArcadeState>self.root)
        self.held = units_held(<ArcadeState>self.root, self.interest.n_types)
        return IteratedWidth.decide(self)

    cdef bint admit(self, Node* node) noexcept nogil:
        cdef Avatar avatar
        cdef int place, gained
        (<ArcadeState>self.parent).c_avatar(&avatar)
        self.interest.learn(
            <ArcadeState>self.state, &avatar, (<ArcadeState>self.parent).c_score(), (<ArcadeState>self.parent).c_n_collisions())
        if not IteratedWidth.admit(self, node):
            return False
        if self.state.c_terminal():
            return True
        (<ArcadeState>self.state).c_avatar(&avatar)
        place = self.interest.cell(avatar.x, avatar.y) if avatar.type >= 0 else -1
        if node.value == self.root_value:
            node.value += self.pull * (self.interest.at(<ArcadeState>self.state) - self.home)
            gained = units_held(<ArcadeState>self.state, self.interest.n_types) - self.held
            node.value += self.resources * max(0, min(1, gained))
        return place < 0 or self.interest.danger(place) <= self.most_danger


SEARCHES.add("ybcriber-style", Ybcriber)
