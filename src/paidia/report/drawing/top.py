"""The top of a search tree as a diagram: the moves that were thought about most, with their visits and values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy.typing as npt

from paidia.core.errors import BadInput
from paidia.core.files import replacing
from paidia.report.drawing.plots import drawing_style, short, title_lines

__all__ = ["TopNode", "draw_top", "top_nodes"]

#: Moves of a position, and levels, that are drawn; and the share of all visits that a move needs for it.
WIDEST, DEEPEST, LEAST = 5, 3, 0.01

Arrays = Mapping[str, npt.NDArray[Any]]


class TopNode(msgspec.Struct, frozen=True):
    """A move of the diagram.

    Attributes:
        label: The move in words.
        visits: How often it was tried.
        value: Its mean for the role that moves.
        children: The moves after it, the most visited first.
        others: Moves after it that are not drawn.
    """

    label: str
    visits: float
    value: float
    children: list[TopNode]
    others: int = 0


def top_nodes(
    arrays: Arrays, root: int, name: Callable[[int, int], str], *, widest: int = WIDEST, deepest: int = DEEPEST
) -> TopNode:
    """The top of a tree.

    Args:
        arrays: Of a tree, live or loaded.
        root: Number of the position on top.
        name: Says what a move is called, from the role that moves and the move's number.
        widest: Moves of a position.
        deepest: Moves one after the other.
    """
    nodes, edges = arrays["nodes"], arrays["edges"]
    if not 0 <= root < len(nodes):
        raise BadInput("the position is not in the tree")

    def below(node: int, depth: int, path: frozenset[int]) -> tuple[list[TopNode], int]:
        first, count = int(nodes["first"][node]), int(nodes["n_edges"][node])
        if first < 0 or depth == 0:
            return [], 0
        tried = [edge for edge in range(first, first + count) if edges["visits"][edge] > 0]
        own = [edge for edge in tried if edges["visits"][edge] >= LEAST * nodes["visits"][root]]
        own.sort(key=lambda edge: -float(edges["visits"][edge]))
        found = []
        for edge in own[:widest]:
            child = int(edges["child"][edge])
            deeper, others = below(child, depth - 1, path | {child}) if 0 <= child < len(nodes) and child not in path else ([], 0)
            visits = float(edges["visits"][edge])
            label = name(int(edges["role"][edge]), int(edges["move"][edge]))
            found.append(TopNode(label, visits, float(edges["sum"][edge]) / visits, deeper, others))
        return found, len(tried) - len(found)

    children, others = below(root, deepest, frozenset({root}))
    return TopNode("", float(nodes["visits"][root]), float("nan"), children, others)


def draw_top(top: TopNode, file: Path, *, title: str) -> None:
    """Write the diagram: boxes from left to right, wider lines where more was searched."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise BadInput("drawing needs matplotlib: pip install 'paidia[report]'") from None
    places: list[tuple[float, float, TopNode, tuple[float, float] | None]] = []
    free = 0.0

    def place(node: TopNode, depth: int) -> float:
        nonlocal free
        rows = [place(child, depth + 1) for child in node.children]
        if not rows:
            free += 1.0
        y = sum(rows) / len(rows) if rows else free
        for child, row in zip(node.children, rows, strict=True):
            places.append((depth + 1, row, child, (depth, y)))
        return y

    y = place(top, 0)
    places.append((0, y, top, None))
    depth = max(x for x, *_ in places)
    with drawing_style():
        figure = Figure(figsize=(2.6 * (depth + 1), max(2.5, 0.5 * free + 1.0)), layout="constrained")
        axes = figure.subplots()
        most = max(top.visits, 1.0)
        for x, row, node, above in places:
            if above is not None:
                axes.plot([above[0], x], [above[1], row], color="#0072B2", alpha=0.6,
                          linewidth=0.5 + 5.0 * node.visits / most, zorder=1)  # fmt: skip
            axes.text(x, row, _words(node), ha="center", va="center", fontsize=8, zorder=2,
                      bbox={"boxstyle": "round,pad=0.3", "facecolor": "white", "edgecolor": "#555555"})  # fmt: skip
        axes.set_xlim(-0.5, depth + 0.5)
        axes.set_ylim(free + 0.7, 0.3)
        axes.axis("off")
        figure.suptitle(title_lines(title, 2.6 * (depth + 1)), x=0.01, ha="left", fontsize=11)
        try:
            with replacing(file) as fresh:
                figure.savefig(fresh, dpi=150, metadata={"Date": None} if file.suffix == ".svg" else None)
        except (OSError, ValueError) as error:
            raise BadInput(f"cannot write the picture {file}: {error}") from None


def _words(node: TopNode) -> str:
    more = f"\n+ {node.others} more" if node.others else ""
    if not node.label:
        return f"now\n{node.visits:,.0f} visits{more}"
    return f"{short(node.label, 24)}\n{node.visits:,.0f}  ·  {node.value:.2f}{more}"
