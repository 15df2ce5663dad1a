"""Pictures of search trees: one tree in a whole match, and how trees change over the turns of a game (Sironi and Winands, the
study on randomization, figures 6 to 11).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from paidia.core.errors import BadInput
from paidia.core.files import replacing
from paidia.experiment.studies.trees import AverageShape, Growth
from paidia.report.drawing.plots import PALETTE, drawing_style, short, title_lines

__all__ = ["draw_growth", "draw_turns", "layout"]


def layout(growth: Growth) -> dict[tuple[int, int], float]:
    """Where each node stands from left to right: leaves side by side, others over the middle of their children."""
    children: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for key, above in growth.parent.items():
        children.setdefault(above, []).append(key)
    place: dict[tuple[int, int], float] = {}
    free = 0.0
    for top in [key for key in growth.turn if key not in growth.parent]:
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


def draw_growth(growth: Growth, file: Path, *, title: str) -> None:
    """Write the picture of a tree; an edge has the shade of the turn that added it."""
    figure_class = _figure_class()
    with drawing_style():
        _save(_growth_figure(growth, figure_class, title), file)


def _growth_figure(growth: Growth, figure_class: Any, title: str) -> Any:
    from matplotlib.collections import LineCollection

    place = layout(growth)
    turns = sorted(set(growth.turn.values()))
    shade = {turn: 0.8 - 0.75 * i / max(1, len(turns) - 1) for i, turn in enumerate(turns)}
    lines = [((place[above], growth.depth[above]), (place[key], growth.depth[key])) for key, above in growth.parent.items()]
    figure = figure_class(figsize=(8, 6), layout="constrained")
    axes = figure.subplots()
    colours = [str(shade[growth.turn[key]]) for key in growth.parent]
    axes.add_collection(LineCollection(lines, colors=colours, linewidths=0.4, rasterized=True))
    axes.autoscale()
    axes.invert_yaxis()
    axes.set_xticks([])
    when = f"; darker: added later, up to turn {turns[-1]}" if len(turns) > 1 else ""
    axes.set_xlabel(f"{len(growth.turn):,} positions side by side{when}")
    axes.set_ylabel("game turn")
    figure.suptitle(title_lines(title, 8.0), x=0.01, ha="left", fontsize=11)
    return figure


def draw_turns(agents: Mapping[str, Sequence[AverageShape]], name: str, file: Path, *, title: str) -> None:
    """Write the picture of one number ("depth", "branching", ...) over the turns, a line for each agent."""
    figure_class = _figure_class()
    with drawing_style():
        _save(_turns_figure(agents, name, figure_class, title), file)


def _turns_figure(agents: Mapping[str, Sequence[AverageShape]], name: str, figure_class: Any, title: str) -> Any:
    figure = figure_class(figsize=(6, 4), layout="constrained")
    axes = figure.subplots()
    for i, (agent, averages) in enumerate(agents.items()):
        values = [getattr(average, name) for average in averages]
        style = ("-", "--", ":", "-.")[i // len(PALETTE) % 4]
        axes.plot([average.turn for average in averages], values, style, color=PALETTE[i % len(PALETTE)], label=short(agent))
    axes.set_xlabel("game turn")
    axes.set_ylabel({"depth": "maximum depth", "branching": "effective branching factor"}.get(name, name))
    figure.suptitle(title_lines(title, 6.0), x=0.01, ha="left", fontsize=11)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(loc="best", frameon=False)
    return figure


def _figure_class() -> Any:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise BadInput("drawing needs matplotlib: pip install 'paidia[report]'") from None
    return Figure


def _save(figure: Any, file: Path) -> None:
    try:
        with replacing(file) as fresh:
            figure.savefig(fresh, dpi=200, metadata={"Date": None} if file.suffix == ".svg" else None)
    except (OSError, ValueError) as error:
        raise BadInput(f"cannot write the picture {file}: {error}") from None
