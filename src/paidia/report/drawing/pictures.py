"""The pictures of a report, as SVG text: intervals, heat maps, how video games ended, parameters over a match, search trees."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from paidia.experiment.studies.trees import Growth
from paidia.report.arcade import all_games, loss_kinds
from paidia.report.drawing.parameters import draw_parameters
from paidia.report.drawing.plots import Bar, drawing_style, heat_map, interval_plot, scatter_plot
from paidia.report.drawing.top import draw_top, top_nodes
from paidia.report.drawing.trees import draw_growth
from paidia.report.losses import correlation, loss_points
from paidia.report.papers.compare import MOST_USED, RATES, Comparison
from paidia.report.papers.printed import Table
from paidia.report.summary import Group
from paidia.report.usage import Usage
from paidia.search.nodes.shape import load_tree, top_of

__all__ = ["pictures"]

#: Lines of one interval plot; more are split.
MOST_BARS = 60

#: Pictures of parameters on one page.
MOST_TRAJECTORIES = 100


def pictures(
    groups: list[Group], compared: list[tuple[Table, list[Comparison]]], usage: list[Usage], trees: Sequence[Path]
) -> list[str]:
    """All pictures of a report, in its order."""
    return [*_comparisons(groups, compared), *_ends(groups), *_losses(groups), *_parameters(usage), *_trees(trees)]


def _losses(groups: list[Group]) -> list[str]:
    """Figure 5.2 of 001, where a store has an agent with loss avoidance and one without."""
    found = loss_points(groups)
    if not found:
        return []
    r, p = correlation(found)
    title = f"Loss avoidance: r = {r:.2f}, p = {p:.3f}, {len(found)} games"
    points = [(point.game.removeprefix("vgdl:"), point.lost, point.change) for point in found]
    return [scatter_plot(points, title=title, x="simulations with a lost play-out in %", y="change of wins in points of %")]


def _comparisons(groups: list[Group], compared: list[tuple[Table, list[Comparison]]]) -> list[str]:
    plots = []
    for table, rows in compared:
        bars = [
            Bar(f"{row.printed.game}  {row.printed.agent}", row.ours, row.paper, row.verdict)
            for row in rows
            if row.ours is not None and row.printed.metric not in RATES and not row.printed.metric.startswith(MOST_USED)
        ]
        plots += _in_parts(bars, f"{table.id}: ours and the paper's", middle=50.0 if table.plan.opponents else None)
        marked = {(r.printed.game, r.printed.agent): r for r in rows if r.ours is not None and r.printed.metric == "win_pct"}
        if len({agent for _, agent in marked}) > 1:
            plots.append(
                _map(
                    {key: r.ours.mean for key, r in marked.items() if r.ours},
                    f"{table.id}: our points in %",
                    {key: r.verdict for key, r in marked.items()},
                )
            )
    if not compared:
        bars = [Bar(_label(group), group.points.scaled(100.0)) for group in groups if group.n]
        plots += _in_parts(bars, "Points with 95 % intervals", middle=50.0)
    for opponent in dict.fromkeys(group.opponent for group in groups):
        values = {(g.game, g.agent): 100.0 * g.total / g.n for g in groups if g.opponent == opponent and g.n}
        if len(values) > 1 and not compared:
            plots.append(_map(values, f"Points in % against {opponent}" if opponent else "Points in %", None))
    return plots + _matrices(groups)


def _ends(groups: list[Group]) -> list[str]:
    """How the runs of video games ended, all games together, as figure 5.1 of the thesis shows it."""
    found = all_games(groups)
    bars = [Bar(f"{group.agent}: {kind}", share.scaled(100.0)) for group in found for kind, share in loss_kinds(group).items()]
    parts = range(0, len(bars), MOST_BARS)
    title = "How runs of video games ended, all games together"
    return [interval_plot(bars[i : i + MOST_BARS], title=title, middle=None, unit="runs in %") for i in parts]


def _trees(trees: Sequence[Path]) -> list[str]:
    pictures = []
    for file in trees:
        growth = Growth()
        arrays = load_tree(file)
        growth.add(arrays, top_of(arrays), step=0)
        pictures.append(_drawn(partial(draw_growth, growth, title=f"{file.stem}: the whole tree")))
        top = top_nodes(arrays, top_of(arrays), lambda role, move: f"role {role}, move {move}")
        pictures.append(_drawn(partial(draw_top, top, title=f"{file.stem}: its top, with visits and values")))
    return pictures


def _drawn(draw: Callable[[Path], None]) -> str:
    """The SVG text of what writes a picture to a file, without the date."""
    with TemporaryDirectory() as folder, drawing_style():
        file = Path(folder) / "picture.svg"
        draw(file)
        text = file.read_text(encoding="utf-8")
    return re.sub(r"<metadata>.*?</metadata>", "", text[text.index("<svg") :], flags=re.DOTALL)


def _parameters(usage: list[Usage]) -> list[str]:
    """What adaptive agents did with each parameter over the course of a match, all matches of a game together."""
    plots = []
    for each in usage[:MOST_TRAJECTORIES]:
        text = f"{each.game}, {each.agent}: share of each parameter value over the match, {each.runs:,} matches"
        caption = f"<figcaption>{html.escape(text)}</figcaption>"
        plots.append(_drawn(partial(draw_parameters, each.whole.plain())) + caption)
    return plots


def _matrices(groups: list[Group]) -> list[str]:
    """Round robins: every agent against every other, a map for each game."""
    games: dict[str, dict[tuple[str, str], float]] = {}
    for group in groups:
        if group.opponent and group.n:
            mean = 100.0 * group.total / group.n
            games.setdefault(group.game, {}).update(
                {(group.agent, group.opponent): mean, (group.opponent, group.agent): 100.0 - mean}
            )
    plots = []
    for game, values in games.items():
        names = list(dict.fromkeys(name for name, _ in values))
        if len(names) > 2 and len(values) == len(names) * (len(names) - 1):
            plots.append(heat_map(names, names, values, title=f"{game}: points in % of the row against the column"))
    return plots


def _label(group: Group) -> str:
    against = f" - {group.opponent}" if group.opponent else ""
    budget = "" if group.budget == "-" else f" ({group.budget})"
    return f"{group.game}  {group.agent}{against}{budget}"


def _in_parts(bars: list[Bar], title: str, *, middle: float | None) -> list[str]:
    return [
        interval_plot(bars[first : first + MOST_BARS], title=title, middle=middle) for first in range(0, len(bars), MOST_BARS)
    ]


def _map(values: dict[tuple[str, str], float], title: str, verdicts: dict[tuple[str, str], str] | None) -> str:
    rows = list(dict.fromkeys(game for game, _ in values))
    columns = list(dict.fromkeys(agent for _, agent in values))
    return heat_map(rows, columns, values, title=title, verdicts=verdicts)
