# distutils: extra_compile_args = -O1
"""Tree reuse (TR): what the last search learned below the move that was played is kept, and fades.

    visits and sums below the new root  *=  fade

Soemers 2016, section 4.2.3: fade = 0.6, and nothing fades in a deterministic game. The tree is kept from one step of the
game to the next only.
"""

from paidia.core.model cimport Rules
from paidia.search.root.base cimport RootStrategy
from paidia.search.nodes.tree cimport NONE

from paidia.search.registry import ROOTS


cdef class TreeReuse(RootStrategy):
    """Keeps a part of the last tree.

    Options:
        fade: What is left of the statistics.
    """

    needs = ("sequences", "weights")
    options = ("fade",)

    cdef double fade

    def __init__(self, *, double fade=0.6):
        if not 0.0 <= fade <= 1.0:
            raise ValueError(f"fade is a factor from 0 to 1, not {fade}")
        self.fade = fade

    def cannot_play(self, Rules game not None):
        """The move that was played is the whole joint move."""
        return "" if game.n_roles == 1 else f"tree reuse is for games of one role, and {game.id} has {game.n_roles}"

    def keep(self, int step, previous):
        """Keep what is below the move that was played."""
        if previous is None or previous[0] + 1 != step or previous[1] is None or self.search.root_node == NONE:
            return None
        child = self.search.known_child(self.search.root_node, previous[1])
        return None if child == NONE else (child, 1.0 if self.search.deterministic else self.fade)


ROOTS.add("tree-reuse", TreeReuse)
