"""What a search tree looks like: how deep, how wide, and a picture of it (Sironi and Winands, the study on randomization,
section 5.7).

    maximum depth                 joint moves from the root to the farthest position of the tree
    effective branching factor    mean over inner positions of the number of moves that were really tried there

Positions are counted once: the tree shares those that can be reached in several ways, and a position's depth is its shortest
distance. Works on the arrays of `Tree.arrays()`, live or loaded from the file that `Tree.save` wrote. Games in which several
roles move at once keep no links between positions; their trees cannot be walked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from paidia.core.errors import BadInput
from paidia.report.drawing.plots import drawing_style, title_lines

__all__ = ["AverageShape", "Growth", "TreeShape", "average_shapes", "load_tree", "top_of", "tree_shape"]

Arrays = Mapping[str, npt.NDArray[Any]]


class TreeShape(msgspec.Struct, frozen=True):
    """Depth and width of the tree below one position.

    Attributes:
        positions: Positions in the tree.
        depth: Distance of the farthest one; the root has depth 0.
        branching: Mean number of tried moves where any was tried.
        legal: Mean number of legal moves in the same positions.
        by_depth: Number of positions at each depth.
    """

    positions: int
    depth: int
    branching: float
    legal: float
    by_depth: list[int]


class AverageShape(msgspec.Struct, frozen=True):
    """The trees of one turn, averaged over the matches that reached it."""

    turn: int
    matches: int
    positions: float
    depth: float
    branching: float
    legal: float


def average_shapes(matches: Sequence[Sequence[tuple[int, TreeShape]]]) -> list[AverageShape]:
    """Maximum depth and branching by turn, as figures 6 and 7 of the study show them."""
    turns: dict[int, list[TreeShape]] = {}
    for shapes in matches:
        for turn, shape in shapes:
            turns.setdefault(turn, []).append(shape)
    return [
        AverageShape(
            turn, len(own), *(fmean(getattr(s, name) for s in own) for name in ("positions", "depth", "branching", "legal"))
        )
        for turn, own in sorted(turns.items())
    ]


def load_tree(file: Path) -> dict[str, npt.NDArray[Any]]:
    """The arrays of a saved tree."""
    try:
        with np.load(file, allow_pickle=False) as saved:
            arrays = {name: saved[name] for name in ("nodes", "edges")}
    except (OSError, ValueError, KeyError, EOFError) as error:
        raise BadInput(f"{file} is not a saved tree: {error}") from None
    return arrays


def top_of(arrays: Arrays) -> int:
    """The position that a saved tree starts with: of those that no move leads to, the one visited most."""
    nodes, edges = arrays["nodes"], arrays["edges"]
    if not len(nodes):
        raise BadInput("the tree is empty")
    reached = np.zeros(len(nodes), dtype=bool)
    children = edges["child"]
    reached[children[(children >= 0) & (children < len(nodes))]] = True
    visits = np.where(reached, -1, nodes["visits"].astype(np.int64))
    return int(visits.argmax())


def tree_shape(arrays: Arrays, root: int) -> TreeShape:
    """Measure the part of a tree that can be reached from `root`."""
    nodes, edges = arrays["nodes"], arrays["edges"]
    if not 0 <= root < len(nodes):
        raise BadInput("the position is not in the tree")
    if len(edges) and not (edges["child"] >= 0).any() and (edges["visits"] > 0).any() and (nodes["mover"] < 0).all():
        raise BadInput("this game has simultaneous moves: its tree keeps no links between positions")
    levels = [np.array([root])]
    seen = np.zeros(len(nodes), dtype=bool)
    seen[root] = True
    while True:
        of, _ = _edges_of(nodes, levels[-1])
        children = edges["child"][of]
        fresh = np.unique(children[(children >= 0) & (edges["visits"][of] > 0)])
        fresh = fresh[~seen[fresh]]
        if not len(fresh):
            break
        seen[fresh] = True
        levels.append(fresh)
    reached = np.concatenate(levels)
    tried = _tried(nodes, edges)[reached]
    inner = tried > 0
    return TreeShape(
        positions=len(reached),
        depth=len(levels) - 1,
        branching=float(tried[inner].mean()) if inner.any() else 0.0,
        legal=float(nodes["n_edges"][reached][inner].mean()) if inner.any() else 0.0,
        by_depth=[len(level) for level in levels],
    )


def _edges_of(nodes: npt.NDArray[Any], which: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """The numbers of all edges of some nodes, and the node that each belongs to."""
    which = which[nodes["first"][which] >= 0]
    counts = nodes["n_edges"][which].astype(np.int64)
    owners = np.repeat(which, counts)
    starts = np.repeat(nodes["first"][which] - np.concatenate(([0], np.cumsum(counts)[:-1])), counts) if len(which) else counts
    return (starts + np.arange(len(owners))).astype(np.int64), owners


def _tried(nodes: npt.NDArray[Any], edges: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """For every node, how many of its edges were visited."""
    before = np.concatenate(([0], np.cumsum(edges["visits"] > 0)))
    first = np.maximum(nodes["first"], 0).astype(np.int64)
    count = before[np.minimum(first + nodes["n_edges"], len(edges))] - before[np.minimum(first, len(edges))]
    tried: npt.NDArray[Any] = np.where(nodes["first"] >= 0, count, 0)
    return tried


class Growth:
    """The tree of a whole match: every position with the turn in which it was added, as figures 8 to 11 show it."""

    def __init__(self, *, most: int = 20_000) -> None:
        self.most = most  # positions that are drawn for each turn: the most visited
        self.parent: dict[int, int] = {}  # key of a position -> key of the one before it
        self.depth: dict[int, int] = {}
        self.turn: dict[int, int] = {}
        self.shapes: list[tuple[int, TreeShape]] = []

    def add(self, arrays: Arrays, root: int, *, step: int) -> TreeShape:
        """The tree after the search of one turn."""
        shape = tree_shape(arrays, root)
        self.shapes.append((step, shape))
        nodes, edges = arrays["nodes"], arrays["edges"]
        keys = nodes["key"]
        self._enter(int(keys[root]), None, step, step)
        level = np.array([root])
        room = self.most
        while len(level) and room > 0:
            of, owners = _edges_of(nodes, level)
            visited = (edges["visits"][of] > 0) & (edges["child"][of] >= 0)
            of, owners = of[visited], owners[visited]
            order = np.argsort(-edges["visits"][of], kind="stable")[:room]
            fresh = []
            for edge, owner in zip(of[order].tolist(), owners[order].tolist(), strict=True):
                child = int(edges["child"][edge])
                if self._enter(int(keys[child]), int(keys[owner]), self.depth[int(keys[owner])] + 1, step):
                    room -= 1
                fresh.append(child)
            level = np.unique(np.array(fresh, dtype=np.int64))
            if len(self.depth) > 50 * self.most:
                raise BadInput("the trees of this match are too large to draw; search with fewer simulations")
        return shape

    def _enter(self, key: int, parent: int | None, depth: int, step: int) -> bool:
        if key in self.turn:
            return False
        if parent is not None:
            self.parent[key] = parent
        self.depth[key] = depth
        self.turn[key] = step
        return True

    def layout(self) -> dict[int, float]:
        """Where each position stands from left to right: leaves side by side, others over the middle of their children."""
        children: dict[int, list[int]] = {}
        for key, above in self.parent.items():
            children.setdefault(above, []).append(key)
        place: dict[int, float] = {}
        free = 0.0
        for top in [key for key in self.turn if key not in self.parent]:
            stack = [(top, False)]
            while stack:
                key, finished = stack.pop()
                below = children.get(key, [])
                if finished:
                    place[key] = (place[below[0]] + place[below[-1]]) / 2.0
                elif below:
                    stack.append((key, True))
                    stack.extend((child, False) for child in reversed(below))
                else:
                    place[key] = free
                    free += 1.0
        return place

    def draw(self, file: Path, *, title: str) -> None:
        """Write the picture; an edge has the shade of the turn that added it."""
        try:
            from matplotlib.collections import LineCollection
            from matplotlib.figure import Figure
        except ImportError:
            raise BadInput("drawing needs matplotlib: pip install 'paidia[report]'") from None
        with drawing_style():
            self._draw(file, title, Figure, LineCollection)

    def _draw(self, file: Path, title: str, figure_class: Any, collection: Any) -> None:
        place = self.layout()
        turns = sorted(set(self.turn.values()))
        shade = {turn: 0.8 - 0.75 * i / max(1, len(turns) - 1) for i, turn in enumerate(turns)}
        lines = [((place[above], self.depth[above]), (place[key], self.depth[key])) for key, above in self.parent.items()]
        figure = figure_class(figsize=(8, 6), layout="constrained")
        axes = figure.subplots()
        colours = [str(shade[self.turn[key]]) for key in self.parent]
        axes.add_collection(collection(lines, colors=colours, linewidths=0.4, rasterized=True))
        axes.autoscale()
        axes.invert_yaxis()
        axes.set_xticks([])
        when = f"; darker: added later, up to turn {turns[-1]}" if len(turns) > 1 else ""
        axes.set_xlabel(f"{len(self.turn):,} positions side by side{when}")
        axes.set_ylabel("game turn")
        figure.suptitle(title_lines(title, 8.0), x=0.01, ha="left", fontsize=11)
        try:
            figure.savefig(file, dpi=200, metadata={"Date": None} if file.suffix == ".svg" else None)
        except (OSError, ValueError) as error:
            raise BadInput(f"cannot write the picture {file}: {error}") from None
