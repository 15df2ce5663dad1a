"""The papers' figures that show data, drawn from our own runs.

`figures.csv` beside a paper's plans has for each table that a figure is made from what its cells came to, `trees.csv` what
`paidia tree` says about search trees, turn by turn (its file `turns.csv`).
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec

from paidia.core.csv_files import read_rows, write_rows
from paidia.core.errors import RuleError
from paidia.core.files import write_file, write_text
from paidia.experiment.studies.trees import AverageShape
from paidia.report.arcade import all_games, loss_kinds
from paidia.report.drawing.plots import Bar, interval_plot, plots_available, scatter_plot
from paidia.report.drawing.trees import draw_turns
from paidia.report.estimates import share
from paidia.report.losses import correlation, loss_points
from paidia.report.papers.printed import table_order
from paidia.report.summary import Group, group_cells, without_level

__all__ = ["FIGURES", "Drawn", "Figure", "draw_figures", "figure_groups", "is_drawn", "read_shapes", "save_groups"]

COLUMNS = ["table", "game", "agent", "opponent", "matches", "points", "won", "late", "simulations", "lost"]
TREES = "trees.csv"


class Figure(msgspec.Struct, frozen=True):
    """A figure of a paper.

    Attributes:
        id: E.g. "s001-fig5-1"; begins with the name of the paper's folder.
        title: What it shows.
        source: Table whose cells it is made from; "" if it is made from search trees.
        draw: Makes files in a folder from the cells (or, of trees, from the paper's folder), and returns their names and a note.
        command: What measures it.
    """

    id: str
    title: str
    source: str
    draw: Callable[[Figure, Sequence[Group], Path, Path], tuple[list[str], str]]
    command: str


class Drawn(msgspec.Struct, frozen=True):
    """A figure that was drawn, or could not be: no files."""

    title: str
    files: list[str]
    note: str
    command: str


def is_drawn(table: str) -> bool:
    """Whether some figure is made from the cells of a table."""
    return any(figure.source == table for figure in FIGURES)


def save_groups(folder: Path, table: str, groups: Iterable[Group]) -> None:
    """Keep what figures need of a table's cells."""
    rows = [row for row in read_rows(folder / "figures.csv", COLUMNS) if row["table"] != table]
    cells = [each for each in groups if each.n]
    for group in group_cells(cells):
        own = [each for each in cells if without_level(each) == without_level(group)]
        numbers = (group.n, *(_evenly(own, of) for of in _MEASURES))
        named = zip(COLUMNS, (table, group.game, group.agent, group.opponent or "", *(f"{n:.10g}" for n in numbers)), strict=True)
        rows.append(dict(named))
    write_rows(folder / "figures.csv", COLUMNS, sorted(rows, key=lambda row: table_order(row["table"])))


def _evenly(levels: Sequence[Group], of: Callable[[Group], float]) -> float:
    """A sum over all matches of a game, as it would be had every level been played equally often; whole where they were."""
    if len({level.n for level in levels}) < 2:
        return sum(map(of, levels))
    return sum(level.n for level in levels) * sum(of(level) / level.n for level in levels) / len(levels)


#: What figures need of a cell.
_MEASURES: tuple[Callable[[Group], float], ...] = (
    lambda group: group.total,
    lambda group: group.wins,
    lambda group: group.late,
    lambda group: group.sum("simulations"),
    lambda group: group.sum("lost_playouts"),
)


def figure_groups(folder: Path) -> dict[str, list[Group]]:
    """By table, the cells that were kept."""
    found: dict[str, list[Group]] = {}
    for line, row in enumerate(read_rows(folder / "figures.csv", COLUMNS), start=2):
        try:
            numbers = {name: float(row[name]) for name in COLUMNS[4:]}
        except ValueError as error:
            raise RuleError(f"not a measured cell: {error}", file=str(folder / "figures.csv"), line=line) from None
        found.setdefault(row["table"], []).append(_group(row, numbers))
    return found


def _group(row: dict[str, str], numbers: dict[str, float]) -> Group:
    n, won = int(numbers["matches"]), round(numbers["won"])
    draws = 0 if not row["opponent"] else round(2 * (numbers["points"] - won))
    return Group(
        game=row["game"], agent=row["agent"], opponent=row["opponent"] or None, budget="", cells=(), n=n, total=numbers["points"],
        squares=won + draws / 4, wins=won, draws=draws, losses=n - won - draws, early=0, failed=0,
        scores=(0, 0.0, 0.0) if row["opponent"] else (n, 0.0, 0.0), pairs=(0, 0.0, 0.0), seats=(), late=round(numbers["late"]),
        sides=({"simulations": numbers["simulations"], "lost_playouts": numbers["lost"]},),
    )  # fmt: skip


def draw_figures(folder: Path, out: Path) -> list[Drawn]:
    """Draw the figures of a paper into a folder; those whose cells have not been played, or without matplotlib, have no files."""
    cells = figure_groups(folder)
    found = []
    for figure in (each for each in FIGURES if each.id.startswith(f"{folder.name}-")):
        own = cells.get(figure.source, [])
        ready = bool(own) or (not figure.source and (folder / TREES).exists())
        files: list[str] = []
        note = ""
        if ready and plots_available():
            out.mkdir(parents=True, exist_ok=True)
            files, note = figure.draw(figure, own, folder, out)
        found.append(Drawn(figure.title, files, note, figure.command))
    return found


def _bars(figure: Figure, bars: list[Bar], out: Path, *, middle: float | None, unit: str) -> list[str]:
    text = interval_plot(bars, title=figure.title, middle=middle, unit=unit)
    write_text(out / f"{figure.id}.svg", text)
    return [f"{figure.id}.svg"]


def _matches(groups: Sequence[Group]) -> str:
    return f"{len({group.game for group in groups})} games, {sum(group.n for group in groups):,} matches; intervals are 95 %."


def _ends(figure: Figure, groups: Sequence[Group], folder: Path, out: Path) -> tuple[list[str], str]:
    """Shares of runs that were won, lost early and lost on time."""
    bars = [
        Bar(f"{g.agent}: {kind}", each.scaled(100.0)) for g in all_games(list(groups)) for kind, each in loss_kinds(g).items()
    ]
    return _bars(figure, bars, out, middle=None, unit="runs in %"), _matches(groups)


def _losses(figure: Figure, groups: Sequence[Group], folder: Path, out: Path) -> tuple[list[str], str]:
    """Lost simulations against the change of wins, a point for each game."""
    points = loss_points(list(groups))
    if not points:
        return [], ""
    r, p = correlation(points)
    named = [(point.game.removeprefix("vgdl:"), point.lost, point.change) for point in points]
    text = scatter_plot(named, title=figure.title, x="simulations with a lost play-out in %", y="change of wins in points of %")
    write_text(out / f"{figure.id}.svg", text)
    return [f"{figure.id}.svg"], f"Pearson's r = {r:.2f}, p = {p:.3f} (the paper: 0.31, 0.016). {_matches(groups)}"


def _averages(figure: Figure, groups: Sequence[Group], folder: Path, out: Path) -> tuple[list[str], str]:
    """Wins of each agent, all games together."""
    bars = [Bar(group.agent, group.points.scaled(100.0)) for group in all_games(list(groups))]
    return _bars(figure, bars, out, middle=None, unit="runs won in %"), _matches(groups)


def _round_robin(figure: Figure, groups: Sequence[Group], folder: Path, out: Path) -> tuple[list[str], str]:
    """Points of each agent against all others, all games together."""
    sums: dict[str, list[float]] = {}
    for group in groups:
        for name, total in ((group.agent, group.total), (group.opponent or "", group.n - group.total)):
            own = sums.setdefault(name, [0.0, 0.0])
            own[0] += group.n
            own[1] += total
    bars = [Bar(name, share(int(n), total).scaled(100.0)) for name, (n, total) in sums.items()]
    return _bars(figure, bars, out, middle=50.0, unit="points in %"), _matches(groups)


def _turns(name: str) -> Callable[[Figure, Sequence[Group], Path, Path], tuple[list[str], str]]:
    """Depth or branching over turns, a picture for each game."""

    def draw(figure: Figure, groups: Sequence[Group], folder: Path, out: Path) -> tuple[list[str], str]:
        shapes = read_shapes(folder / TREES)
        files = []
        for game in dict.fromkeys(there for there, _ in shapes):
            agents = {agent: own for (there, agent), own in shapes.items() if there == game}
            files.append(f"{figure.id}-{game.removeprefix('gdl:')}.svg")
            draw_turns(agents, name, out / files[-1], title=f"{figure.title} {game}")
        return files, f"{max(each.matches for own in shapes.values() for each in own)} matches of each agent in each game."

    return draw


def _pictures(name: str) -> Callable[[Figure, Sequence[Group], Path, Path], tuple[list[str], str]]:
    """Trees as `paidia tree` drew them: too large to keep in another form than as pictures."""

    def draw(figure: Figure, groups: Sequence[Group], folder: Path, out: Path) -> tuple[list[str], str]:
        if not (folder / name).exists():
            return [], ""
        file = f"{folder.name}-{name}"
        write_file(out / file, (folder / name).read_bytes())
        return [file], "OFFLINE, SIM-RND and NTBEA, the first match, the tree of the first player."

    return draw


def read_shapes(file: Path) -> dict[tuple[str, str], list[AverageShape]]:
    """By game and agent, the trees turn by turn, as `paidia tree PLAN` writes them."""
    found: dict[tuple[str, str], list[AverageShape]] = {}
    try:
        with file.open(newline="", encoding="utf-8") as lines:
            for row in csv.DictReader(lines):
                turn, matches, trees = (int(float(row[name])) for name in ("turn", "matches", "trees"))
                names = ("positions", "maximum depth", "tried moves", "legal moves")
                positions, depth, branching, legal = (float(row[name]) for name in names)
                shape = AverageShape(turn, matches, trees, positions, depth, branching, legal)
                found.setdefault((row["game"], row["agent"]), []).append(shape)
    except (OSError, UnicodeDecodeError, csv.Error, KeyError, ValueError, TypeError) as error:
        raise RuleError(f"not a table of trees: {error}", file=str(file)) from None
    return found


def _figure(id: str, title: str, source: str, draw: Callable[[Figure, Sequence[Group], Path, Path], tuple[list[str], str]],
            command: str = "") -> Figure:  # fmt: skip
    return Figure(id, title, source, draw, command or f"paidia reproduce {source} --save")


_STUDY = "paidia tree papers/s004/search-trees.toml -o trees && python tools/keep_trees.py trees"

#: All of them, in the order of the papers.
FIGURES = [
    _figure("s001-fig5-1", "Figure 5.1: how the runs of BFTI and MCTS end, all games together.", "s001-fig5-1", _ends),
    _figure("s001-fig5-2", "Figure 5.2: loss avoidance, by how often it has to act.", "s001-t5.4", _losses),
    _figure("s001-fig5-4", "Figure 5.4: tree reuse with six decay factors, beside BFTI.", "s001-fig5-4", _averages),
    _figure("s003-fig-own", "Table 5 with our own most visited values in place of the paper's.", "s003-fig-own", _averages),
    *(
        _figure(f"s004-fig5-{n}", f"Figure 5: strategies against each other, {n} parameters.", f"s004-fig5-{n}", _round_robin)
        for n in (2, 4, 6)
    ),
    _figure("s004-fig6", "Figure 6: maximum depth of the tree over the turns of a game.", "", _turns("depth"), _STUDY),
    _figure("s004-fig7", "Figure 7: effective branching factor over the turns of a game.", "", _turns("branching"), _STUDY),
    *(
        _figure(f"s004-fig{n}", f"Figure {n}: trees built for {game}.", "", _pictures(f"fig{n}-{game}.png"), _STUDY)
        for n, game in ((8, "breakthrough"), (9, "knightthrough"), (10, "quad"), (11, "connect4"))
    ),
    _figure("s004-fig12", "Figure 12: fixed, random and tuned parameters in 20 video games, 40 ms.", "s004-fig12", _averages),
    _figure("s004-fig12-100ms", "The same with 100 ms, which the paper tells in words.", "s004-fig12-100ms", _averages),
]
