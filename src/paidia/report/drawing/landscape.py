"""What a tuning run found: the recommended combination with its interval, the best ones, and a picture of the landscape.

The mean that a combination reached while it was tuned is too good on average, because the best of many noisy means was
taken (the winner's curse). What counts are the validation matches, played with seeds that no evaluation has used. Their
interval is Wilson's at 95 %; a draw counts as half a win. The picture needs the extra `report`.
"""

from __future__ import annotations

import math
from itertools import combinations
from pathlib import Path
from typing import Any

from paidia.core.errors import BadInput
from paidia.core.files import replacing
from paidia.core.machine.sums import Sums
from paidia.experiment.tuning.landscape import Genes
from paidia.experiment.tuning.tune import TuneResult
from paidia.report.drawing.plots import drawing_style, title_lines
from paidia.report.statistics import Interval, sample, wilson

__all__ = ["draw_landscape", "marginals", "tuning_document", "validated"]

BEST = 10
PICTURES = (".svg", ".png", ".pdf")


def validated(result: TuneResult) -> Interval | None:
    """The points of the recommended combination over all games, None without validation."""
    n = sum(game.matches for game in result.validation)
    return wilson(n, sum(game.total for game in result.validation)) if n else None


def tuning_document(result: TuneResult) -> dict[str, Any]:
    """All results as plain data."""
    landscape = result.landscape
    interval = validated(result)
    tried = landscape.points[result.recommended]
    return {
        "name": result.plan.name,
        "method": result.plan.method,
        "evaluations": landscape.results,
        "matches": result.matches,
        "played": result.played,
        "recommended": result.values(result.recommended),
        "tuning": {"evaluations": tried.n, "mean": tried.mean, "landscape": landscape.mean(result.recommended)},
        "validation": None if interval is None else {
            "matches": sum(game.matches for game in result.validation),
            **_plain(interval),
            "games": [
                {"game": game.game, "matches": game.matches, **_plain(wilson(game.matches, game.total))}
                for game in result.validation
            ],
        },
        "best": [
            {
                "values": result.values(genes),
                "evaluations": landscape.points[genes].n,
                "mean": landscape.points[genes].mean,
                "landscape": landscape.mean(genes),
            }
            for genes in landscape.best(BEST)
        ],
        "marginals": [
            {"parameter": name, "values": [
                {"value": label, "evaluations": entry.n, **(_plain(_interval(entry)) if entry.n else {})}
                for label, entry in zip(labels, entries, strict=True)
            ]}
            for name, labels, entries in zip(result.space.names, result.space.labels(), marginals(result), strict=True)
        ],
    }  # fmt: skip


def _plain(interval: Interval) -> dict[str, float]:
    return {"points": interval.mean, "low": interval.low, "high": interval.high}


def _interval(entry: Sums) -> Interval:
    """The mean of evaluations with its interval, which cannot leave the range of points."""
    found = sample(entry.n, entry.total, entry.squares)
    return Interval(found.mean, max(0.0, found.low), min(1.0, found.high), found.n)


def marginals(result: TuneResult) -> list[list[Sums]]:
    """For every value of every parameter, all evaluations that had it."""
    return [[_pooled(result, {i: gene}) for gene in range(len(labels))] for i, labels in enumerate(result.space.labels())]


def _pooled(result: TuneResult, fixed: dict[int, int]) -> Sums:
    total = Sums()
    for genes, entry in result.landscape.points.items():
        if all(genes[i] == gene for i, gene in fixed.items()):
            total.n += entry.n
            total.total += entry.total
            total.squares += entry.squares
    return total


def draw_landscape(result: TuneResult, path: Path) -> None:
    """Write a picture: on the diagonal the mean of each value with its interval, below it the means of pairs of values."""
    if path.suffix not in PICTURES:
        raise BadInput(f"the landscape is drawn as {', '.join(PICTURES)}, not as {path.name!r}")
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise BadInput("drawing needs matplotlib: pip install 'paidia[report]'") from None
    with drawing_style():
        _draw_grid(result, path, Figure, FigureCanvasAgg)


def _draw_grid(result: TuneResult, path: Path, Figure: Any, FigureCanvasAgg: Any) -> None:
    names, labels = result.space.names, result.space.labels()
    d = len(names)
    figure = Figure(figsize=(2.8 * d + 1.5, 2.5 * d + 0.8), layout="constrained")
    FigureCanvasAgg(figure)
    grid = figure.subplots(d, d, squeeze=False)
    means = [entry.mean for entry in result.landscape.points.values()]
    low, high = min(means), max(means)
    image = None
    for i, entries in enumerate(marginals(result)):
        _draw_marginal(grid[i][i], names[i], labels[i], entries, result.recommended[i])
        for j in range(i + 1, d):
            grid[i][j].axis("off")
    for i, j in combinations(range(d), 2):
        image = _draw_pair(grid[j][i], result, (i, j), labels, (low, high))
        grid[j][i].set_xlabel(names[i])
        grid[j][i].set_ylabel(names[j])
    if image is not None:
        figure.colorbar(image, ax=grid, label="mean points", shrink=0.6)
    number = result.landscape.results
    title = f"{result.plan.name}: {number:,} evaluations by {result.plan.method}; marked: the recommended values"
    figure.suptitle(title_lines(title, 2.8 * d + 1.5))
    try:
        with replacing(path) as fresh:
            figure.savefig(fresh, metadata={"Date": None} if path.suffix == ".svg" else None)
    except (OSError, ValueError) as error:
        raise BadInput(f"cannot write the picture {path}: {error}") from None


def _draw_marginal(axes: Any, name: str, labels: list[str], entries: list[Sums], chosen: int) -> None:
    tried = [(x, _interval(entry)) for x, entry in enumerate(entries) if entry.n]
    axes.axvline(chosen, color="tab:orange", linewidth=1)
    axes.errorbar(
        [x for x, _ in tried], [m.mean for _, m in tried],
        yerr=[[m.mean - m.low for _, m in tried], [m.high - m.mean for _, m in tried]],
        fmt="o", markersize=3, linewidth=1, capsize=2,
    )  # fmt: skip
    axes.set_xticks(range(len(labels)), labels, rotation=90, fontsize=6)
    ends = [end for _, m in tried for end in (m.low, m.high, m.mean) if math.isfinite(end)] or [0.0, 1.0]
    room = 0.05 * (max(ends) - min(ends)) or 0.05
    axes.set_ylim(max(0.0, min(ends) - room), min(1.0, max(ends) + room))
    axes.set_title(name, fontsize=9)


def _draw_pair(axes: Any, result: TuneResult, pair: tuple[int, int], labels: list[list[str]], limits: tuple[float, float]) -> Any:
    i, j = pair
    columns, rows = len(labels[i]), len(labels[j])
    table: list[list[float]] = [[float("nan")] * columns for _ in range(rows)]
    for column in range(columns):
        for row in range(rows):
            entry = _pooled(result, {i: column, j: row})
            if entry.n:
                table[row][column] = entry.mean
    image = axes.imshow(table, origin="lower", aspect="auto", cmap="viridis", vmin=limits[0], vmax=limits[1])
    chosen: Genes = result.recommended
    axes.plot([chosen[i]], [chosen[j]], marker="s", markersize=6, fillstyle="none", color="tab:orange")
    axes.set_xticks(range(columns), labels[i], rotation=90, fontsize=6)
    axes.set_yticks(range(rows), labels[j], fontsize=6)
    return image
