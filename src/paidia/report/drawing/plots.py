"""Plots as SVG text: intervals, and heat maps of games against agents. Colours are safe for colour-blind
readers, and every cell carries its number, so that a grey print says the same.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from paidia.report.statistics import Interval

__all__ = ["PALETTE", "Bar", "fixed_svg", "heat_map", "interval_plot", "plots_available", "scatter_plot"]

#: Okabe and Ito's palette; ours, the paper's, and the three verdicts of it.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
OURS, PAPER = "#0072B2", "#555555"
VERDICTS = {"agree": "#0072B2", "disagree": "#D55E00", "undecided": "#999999"}
SHAPES = {"agree": "o", "disagree": "D", "undecided": "x"}
_SVG: Any = {"svg.fonttype": "none", "svg.hashsalt": "paidia"}
MARKS = {"agree": "=", "disagree": "≠", "undecided": "?"}


class Bar(msgspec.Struct, frozen=True):
    """One line of an interval plot: our estimate, and the paper's if there is one."""

    label: str
    ours: Interval
    paper: Interval | None = None
    verdict: str = ""


def plots_available() -> bool:
    """Whether matplotlib is installed."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        return False
    return True


@contextmanager
def fixed_svg() -> Iterator[None]:
    """SVG with text as text and the same ids in every run."""
    import matplotlib

    with matplotlib.rc_context(_SVG):
        yield


def _figure(width: float, height: float) -> Any:
    """A figure without any window system, with text as text and the same ids in every run."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({**_SVG, "font.size": 9})
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def _svg(figure: Any) -> str:
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None})
    text = out.getvalue()
    return text[text.index("<svg") :]


def interval_plot(bars: list[Bar], *, title: str, middle: float | None = 50.0, unit: str = "points in %") -> str:
    """Every estimate with its interval, one line each, the paper's below ours."""
    figure = _figure(7.5, 1.0 + 0.24 * len(bars))
    axes = figure.subplots()
    for row, bar in enumerate(bars):
        colour = VERDICTS.get(bar.verdict, OURS)
        _interval(axes, bar.ours, row - 0.12, colour, SHAPES.get(bar.verdict, "o"))
        if bar.paper is not None:
            _interval(axes, bar.paper, row + 0.16, PAPER, "|")
    if middle is not None:
        axes.axvline(middle, color="#BBBBBB", linewidth=0.8, zorder=0)
    axes.set_yticks(range(len(bars)), [bar.label for bar in bars])
    axes.set_ylim(len(bars) - 0.5, -0.5)
    axes.set_xlabel(unit)
    axes.set_title(title, loc="left")
    if any(bar.paper for bar in bars):
        for verdict in dict.fromkeys(bar.verdict for bar in bars):
            label = f"ours: {verdict}" if verdict else "ours"
            axes.plot([], [], SHAPES.get(verdict, "o"), color=VERDICTS.get(verdict, OURS), label=label)
        axes.plot([], [], "|", color=PAPER, label="paper")
        axes.legend(loc="best", frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    return _svg(figure)


def _interval(axes: Any, interval: Interval, row: float, colour: str, marker: str) -> None:
    if not math.isfinite(interval.mean):
        return
    if math.isfinite(interval.half):
        axes.plot([interval.low, interval.high], [row, row], color=colour, linewidth=1.4)
    axes.plot([interval.mean], [row], marker, color=colour, markersize=4)


def scatter_plot(points: list[tuple[str, float, float]], *, title: str, x: str, y: str) -> str:
    """Named points, and the line of least squares through them."""
    figure = _figure(7.0, 4.6)
    axes = figure.subplots()
    xs, ys = [point[1] for point in points], [point[2] for point in points]
    axes.axhline(0.0, color=PAPER, linewidth=0.8)
    axes.plot(xs, ys, "o", color=OURS, markersize=4)
    for name, across, up in points:
        axes.annotate(name, (across, up), xytext=(3, 3), textcoords="offset points", fontsize=6)
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((value - mean_x) ** 2 for value in xs)
    if spread > 0:
        slope = sum((a - mean_x) * (b - mean_y) for a, b in zip(xs, ys, strict=True)) / spread
        ends = [min(xs), max(xs)]
        axes.plot(ends, [mean_y + slope * (end - mean_x) for end in ends], color=VERDICTS["disagree"], linewidth=1.2)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.set_title(title, loc="left")
    return _svg(figure)


def heat_map(
    rows: list[str],
    columns: list[str],
    values: dict[tuple[str, str], float],
    *,
    title: str,
    verdicts: dict[tuple[str, str], str] | None = None,
) -> str:
    """Mean points in percent for each game and agent, from brown (0) over white (50) to blue-green (100).

    A verdict is a sign beside the number and the colour of the cell's frame: blue agrees, orange disagrees, grey is undecided.
    """
    from matplotlib.patches import Rectangle

    figure = _figure(2.4 + 0.62 * len(columns), 1.1 + 0.26 * len(rows))
    axes = figure.subplots()
    grid = [[values.get((row, column), math.nan) for column in columns] for row in rows]
    axes.imshow(grid, cmap="BrBG", vmin=0.0, vmax=100.0, aspect="auto")
    for y, row in enumerate(rows):
        for x, column in enumerate(columns):
            value = values.get((row, column))
            if value is None or not math.isfinite(value):
                continue
            verdict = (verdicts or {}).get((row, column), "")
            if verdict in VERDICTS:
                frame = Rectangle((x - 0.46, y - 0.44), 0.92, 0.88, fill=False, edgecolor=VERDICTS[verdict], linewidth=1.6)
                axes.add_patch(frame)
            mark = f" {MARKS[verdict]}" if verdict in MARKS else ""
            dark = abs(value - 50.0) > 35.0
            axes.text(
                x,
                y,
                f"{value:.0f}{mark}",
                ha="center",
                va="center",
                fontsize=8,
                color="white" if dark else "black",
            )
    axes.set_xticks(range(len(columns)), columns, rotation=45, ha="right")
    axes.set_yticks(range(len(rows)), rows)
    axes.set_title(title, loc="left")
    if verdicts:
        axes.set_xlabel("= agrees with the paper    ≠ disagrees    ? undecided")
    return _svg(figure)
