"""IW(i): breadth-first search that keeps only situations with a new tuple of at most i atoms.

Lipovetzky and Geffner 2012; for video games Geffner and Geffner 2015; Soemers 2016, section 3.3. One run with a single
i per tick, with the safety prepruning, the choice of the action and the memory of `breadth_first`. Generated
situations are tested in their order of generation, those kept are memorised; the root is the first.

    width = 1      single atoms
    width = 1.5    and pairs with the avatar's atom
    width = 2      and all pairs

A situation that is not novel counts for the choice of the action only where it is better than the root. The table of
pairs holds 1.5 million; once it is full no pair is new any more.
"""


from paidia.core.model cimport move_t
from paidia.search.planners.widths.atoms cimport Atoms
from paidia.search.planners.widths.breadth_first cimport BreadthFirst, Node
from paidia.search.planners.widths.novelty cimport NEW_ATOM, NEW_AVATAR_PAIR, NEW_PAIR, NOT_NOVEL, Novelty

import msgspec

from paidia.core.errors import BadInput
from paidia.search.registry import SEARCHES

LEVELS = {1.0: NEW_ATOM, 1.5: NEW_AVATAR_PAIR, 2.0: NEW_PAIR}


class WidthSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`width` is i; `samples` is M of safety prepruning."""

    width: float = 1.0
    samples: int = 10
    max_states: int = 16384


cdef class IteratedWidth(BreadthFirst):
    """One run of IW(i) per tick."""

    Settings = WidthSettings

    def __init__(self, game, settings=None, *, controller=None):
        super().__init__(game, settings, controller=controller)
        if self.settings.width not in LEVELS:
            raise BadInput(f"width must be 1, 1.5 or 2, not {self.settings.width:g}")
        self.level = LEVELS[self.settings.width]

    @classmethod
    def cannot_play(cls, game):
        """It needs facts to be novel."""
        return BreadthFirst.cannot_play(game) or Atoms.cannot_read(game)

    def reset(self):
        """Room for the atoms of this game."""
        BreadthFirst.reset(self)
        self.novelty = Novelty(Atoms(self.game), level=self.level)

    cdef void begin(self) noexcept nogil:
        self.novelty.forget()
        self.novelty.atoms.read(self.parent, False)
        self.novelty.memorize()

    cdef bint admit(self, Node* node) noexcept nogil:
        self.novelty.atoms.read(self.state, self.level == NEW_ATOM)
        node.novelty = <move_t>self.novelty.measure()
        if node.novelty == NOT_NOVEL:
            return False
        self.novelty.memorize()
        return True


SEARCHES.add("iterated-width", IteratedWidth)
