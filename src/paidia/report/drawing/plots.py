"""Plots as SVG text: intervals, and heat maps of games against agents. Colours are safe for colour-blind
readers, and every cell carries its number, so that a grey print says the same.
"""

from __future__ import annotations

import io
import math
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from paidia.report.estimates import MINIMUM
from paidia.report.statistics import Interval

__all__ = [
    "PALETTE", "Bar", "drawing_style", "heat_map", "interval_plot", "plots_available", "scatter_plot", "short", "title_lines",
]  # fmt: skip

#: Okabe and Ito's palette; ours, the paper's, and the three verdicts of it.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
OURS, PAPER = "#0072B2", "#555555"
VERDICTS = {"agree": "#0072B2", "disagree": "#D55E00", "undecided": "#999999"}
SHAPES = {"agree": "o", "disagree": "D", "undecided": "x"}
#: Text stays text, `$` is a dollar and no formula, and ids are the same in every run.
_STYLE: Any = {"svg.fonttype": "none", "svg.hashsalt": "paidia", "text.parse_math": False, "font.size": 9}
MARKS = {"agree": "=", "disagree": "≠", "undecided": "?"}
WORDS = {"agree": "ours, agrees", "disagree": "ours, disagrees", "undecided": "ours, undecided"}

#: Characters of a label; a longer name is cut in the middle.
LONGEST = 48


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
def drawing_style() -> Iterator[None]:
    """The style of all our pictures."""
    import matplotlib

    with matplotlib.rc_context(_STYLE):
        yield


def short(name: str, most: int = LONGEST) -> str:
    """A name that fits: cut in the middle, where names of a series are alike; control characters are no part of it."""
    name = "".join(sign if sign.isprintable() else " " for sign in name)
    return name if len(name) <= most else f"{name[: most // 2]}…{name[len(name) - most // 2 + 1 :]}"


def title_lines(text: str, inches: float) -> str:
    """A title over as many lines as the width of a picture needs."""
    return "\n".join(textwrap.wrap(short(text, 300), max(24, int(inches * 9.5))))


def _svg(figure: Any) -> str:
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None})
    text = out.getvalue()
    return text[text.index("<svg") :]


def interval_plot(bars: list[Bar], *, title: str, middle: float | None = 50.0, unit: str = "points in %") -> str:
    """Every estimate with its interval, one line each, the paper's below ours."""
    from matplotlib.figure import Figure

    labels = [short(bar.label) for bar in bars]
    width = 6.0 + 0.065 * max(map(len, labels), default=0)
    with drawing_style():
        figure = Figure(figsize=(width, 1.5 + 0.24 * len(bars)), layout="constrained")
        axes = figure.subplots()
        for row, bar in enumerate(bars):
            _interval(axes, bar.ours, row - 0.12, VERDICTS.get(bar.verdict, OURS), SHAPES.get(bar.verdict, "o"))
            if bar.paper is not None:
                _interval(axes, bar.paper, row + 0.16, PAPER, "|", few=False)
        low, high = _limits(bars, middle, percent="%" in unit)
        axes.set_xlim(low, high)
        if middle is not None and low <= middle <= high:
            axes.axvline(middle, color="#BBBBBB", linewidth=0.8, zorder=0)
        axes.set_yticks(range(len(bars)), labels)
        axes.set_ylim(len(bars) - 0.5, -0.5)
        axes.set_xlabel(unit)
        figure.suptitle(title_lines(title, width), x=0.01, ha="left", fontsize=11)
        if any(bar.paper for bar in bars):
            _legend(figure, bars)
        axes.spines[["top", "right"]].set_visible(False)
        return _svg(figure)


def _legend(figure: Any, bars: list[Bar]) -> None:
    """What the marks mean, those that are there and no others, below the picture where they hide nothing."""
    from matplotlib.lines import Line2D

    handles = [
        Line2D([], [], color=VERDICTS.get(verdict, OURS), marker=SHAPES.get(verdict, "o"), linewidth=1.4, markersize=4,
               label=WORDS.get(verdict, f"ours, {verdict}" if verdict else "ours"))
        for verdict in dict.fromkeys(bar.verdict for bar in bars)
    ]  # fmt: skip
    handles.append(Line2D([], [], color=PAPER, marker="|", linewidth=1.4, label="paper, with its own interval"))
    figure.legend(handles=handles, loc="outside lower center", frameon=False, ncols=len(handles))


def _limits(bars: list[Bar], middle: float | None, *, percent: bool) -> tuple[float, float]:
    """From the lowest to the highest end of all intervals, with a little room; a share never leaves 0 to 100."""
    ends = [x for bar in bars for each in (bar.ours, bar.paper) if each is not None for x in _ends(each)]
    ends += [middle] if middle is not None else []
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    room = 0.05 * (high - low) or 1.0
    if percent:
        return max(-1.0, low - room), min(101.0, high + room)
    return low - room, high + room


def _ends(interval: Interval) -> list[float]:
    return [x for x in (interval.low, interval.mean, interval.high) if math.isfinite(x)]


def _interval(axes: Any, interval: Interval, row: float, colour: str, marker: str, *, few: bool = True) -> None:
    if not math.isfinite(interval.mean):
        return
    if math.isfinite(interval.half) and (not few or interval.n >= MINIMUM):
        axes.plot([interval.low, interval.high], [row, row], color=colour, linewidth=1.4)
    axes.plot([interval.mean], [row], marker, color=colour, markersize=4)


def scatter_plot(points: list[tuple[str, float, float]], *, title: str, x: str, y: str) -> str:
    """Named points, and the line of least squares through them."""
    from matplotlib.figure import Figure

    with drawing_style():
        figure = Figure(figsize=(7.0, 4.6), layout="constrained")
        _draw_points(figure.subplots(), points)
        axes = figure.axes[0]
        axes.set_xlabel(x)
        axes.set_ylabel(y)
        axes.spines[["top", "right"]].set_visible(False)
        figure.suptitle(title_lines(title, 7.0), x=0.01, ha="left", fontsize=11)
        return _svg(figure)


def _draw_points(axes: Any, points: list[tuple[str, float, float]]) -> None:
    """The points of a scatter plot with their names, and the line."""
    xs, ys = [point[1] for point in points], [point[2] for point in points]
    axes.axhline(0.0, color=PAPER, linewidth=0.8)
    axes.plot(xs, ys, "o", color=OURS, markersize=4)
    for name, across, up in points:
        axes.annotate(short(name), (across, up), xytext=(3, 3), textcoords="offset points", fontsize=6)
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((value - mean_x) ** 2 for value in xs)
    if spread > 0:
        slope = sum((a - mean_x) * (b - mean_y) for a, b in zip(xs, ys, strict=True)) / spread
        ends = [min(xs), max(xs)]
        axes.plot(ends, [mean_y + slope * (end - mean_x) for end in ends], color=VERDICTS["disagree"], linewidth=1.2)


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
    from matplotlib.figure import Figure
    from matplotlib.patches import Rectangle

    names, heads = [short(row) for row in rows], [short(column, 32) for column in columns]
    width = max(4.5, 1.2 + 0.62 * len(columns) + 0.07 * max(map(len, names), default=0) + 0.04 * max(map(len, heads), default=0))
    height = 1.4 + 0.26 * len(rows) + 0.05 * max(map(len, heads), default=0)
    with drawing_style():
        figure = Figure(figsize=(width, height), layout="constrained")
        _draw_map(figure.subplots(), rows, columns, values, verdicts, Rectangle)
        axes = figure.axes[0]
        axes.set_xticks(range(len(columns)), heads, rotation=45, ha="right", rotation_mode="anchor")
        axes.set_yticks(range(len(rows)), names)
        figure.suptitle(title_lines(title, width), x=0.01, ha="left", fontsize=11)
        if verdicts:
            axes.set_xlabel("frame and sign:  = agrees with the paper   ≠ disagrees   ? undecided")
        return _svg(figure)


def _draw_map(
    axes: Any, rows: list[str], columns: list[str], values: dict[tuple[str, str], float],
    verdicts: dict[tuple[str, str], str] | None, rectangle: Any,
) -> None:  # fmt: skip
    """The cells of a map."""
    grid = [[values.get((row, column), math.nan) for column in columns] for row in rows]
    axes.imshow(grid, cmap="BrBG", vmin=0.0, vmax=100.0, aspect="auto")
    for y, row in enumerate(rows):
        for x, column in enumerate(columns):
            value = values.get((row, column))
            if value is None or not math.isfinite(value):
                continue
            verdict = (verdicts or {}).get((row, column), "")
            if verdict in VERDICTS:
                frame = rectangle((x - 0.46, y - 0.44), 0.92, 0.88, fill=False, edgecolor=VERDICTS[verdict], linewidth=1.6)
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
