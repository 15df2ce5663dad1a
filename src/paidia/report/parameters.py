"""Draws what a controller did with the search parameters in a game: the share of each value, turn by turn.

Takes a trajectory as plain data (what `Tuner.trajectory()` gives, turned into dictionaries and lists, or its
JSON), so that a saved record can be drawn anywhere. Needs the extra `report`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from paidia.core.errors import BadInput

__all__ = ["draw_parameters"]


def draw_parameters(
    trajectory: Mapping[str, Any], path: str | Path, *, role: int = 0, role_name: str = ""
) -> None:
    """Write a picture of one role's parameters over the game.

    Args:
        trajectory: The record: `controller`, `parameters` and `roles` as in control/trajectory.py.
        path: Where to write it; its suffix (.png, .svg, .pdf) sets the format.
        role: Which role.
        role_name: What to call the role in the title.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise BadInput("drawing needs matplotlib: pip install 'paidia[report]'") from None
    if not 0 <= role < len(trajectory["roles"]):
        raise BadInput(f"the record has {len(trajectory['roles'])} roles; there is no role {role}")
    turns = trajectory["roles"][role]["turns"]
    parameters = trajectory["parameters"]
    if not turns:
        raise BadInput("the record has no turns: nothing was searched yet")
    size = max(6.0, 2 + 0.15 * len(turns)), 0.9 + 1.9 * len(parameters)
    figure = Figure(figsize=size, layout="constrained")
    FigureCanvasAgg(figure)
    numbers = [turn["turn"] for turn in turns]
    image = None
    for row, parameter in enumerate(parameters):
        axes = figure.add_subplot(len(parameters), 1, row + 1)
        shares = [_shares(turn["samples"][row]) for turn in turns]
        image = axes.imshow(
            list(zip(*shares, strict=True)), origin="lower", aspect="auto", cmap="viridis", vmin=0, vmax=1,
            extent=(-0.5, len(turns) - 0.5, -0.5, len(parameter["values"]) - 0.5), interpolation="nearest")
        best = [(x, parameter["values"].index(turn["best"][row]))
                for x, turn in enumerate(turns) if turn["best"]]
        if best:
            axes.plot([x for x, _ in best], [y for _, y in best], "w.", markersize=4, label="best so far")
        axes.set_ylabel(parameter["name"])
        axes.set_yticks(range(len(parameter["values"])), parameter["values"], fontsize=6)
        step = max(1, len(turns) // 20)
        axes.set_xticks(range(0, len(turns), step), [str(n) for n in numbers[::step]])
    figure.axes[-1].set_xlabel("turn (0: start clock)")
    name = role_name or f"role {role}"
    figure.suptitle(f"{trajectory['controller']}: values used by {name}; white: best so far")
    if image is not None:
        figure.colorbar(image, ax=figure.axes, label="share of the turn's simulations")
    try:
        figure.savefig(path)
    except (OSError, ValueError) as error:
        raise BadInput(f"cannot write the picture {path}: {error}") from None


def _shares(counts: list[int]) -> list[float]:
    total = sum(counts) or 1
    return [n / total for n in counts]
