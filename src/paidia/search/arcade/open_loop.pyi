from paidia.search.arcade.base import ArcadeSearch
from paidia.search.arcade.open_tree import OpenTree

class OpenLoop(ArcadeSearch):
    tree: OpenTree
    def tree_nodes(self) -> dict[tuple[int, ...], tuple[float, float, float, float, int]]: ...
    @property
    def extremes(self) -> tuple[float, float]: ...
