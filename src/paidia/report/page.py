"""The report of a store: one page that needs no other file, and its tables as CSV and LaTeX."""

from __future__ import annotations

import html
from collections.abc import Collection, Sequence
from pathlib import Path

import numpy as np

from paidia.core.errors import BadInput, PaidiaError
from paidia.core.files import write_text
from paidia.experiment.signature.behaviour import differ
from paidia.experiment.store import Store
from paidia.report.arcade import arcade_tables
from paidia.report.differences import difference_tables
from paidia.report.drawing.pictures import pictures
from paidia.report.drawing.plots import plots_available
from paidia.report.drawing.positions import first_positions
from paidia.report.estimates import MINIMUM, share
from paidia.report.losses import loss_table
from paidia.report.measures import measures_table
from paidia.report.papers.compare import Comparison, compare_table
from paidia.report.papers.printed import Table, papers_folder, tables
from paidia.report.ranking import ranking_tables
from paidia.report.ratings import bradley_terry
from paidia.report.summary import Group, group_cells, summarise
from paidia.report.tables import Cell, Estimate, Number, TextTable
from paidia.report.text import comparison_rows, percent, summary_rows
from paidia.report.usage import Usage, usage_of
from paidia.search.nodes.shape import load_tree, top_of, tree_shape

__all__ = ["write_report"]

INTERVALS = (
    f"Points with 95 % intervals by Wilson, from {MINIMUM} matches on. By pairs: matches with the same seed and changed seats"
    " count as one observation."
)

#: Combinations of an agent in a game.
MOST_COMBINATIONS = 5

_STYLE = """
body { font: 15px/1.4 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
body { color: #111; }
th { vertical-align: bottom; } td { vertical-align: top; } td:not(.n) { min-width: 6rem; }
table { border-collapse: collapse; margin: 0.5rem 0 1.5rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.15rem 0.6rem; text-align: left; border-bottom: 1px solid #ddd; }
thead th { border-bottom: 2px solid #111; position: sticky; top: 0; background: #fff; }
.n { text-align: right; white-space: nowrap; }
td.agree { background: #d6e9f5; } td.agree::before { content: "= "; }
td.disagree { background: #fbdcc4; font-weight: 600; } td.disagree::before { content: "\\2260 "; }
td.undecided { background: #eee; } td.undecided::before { content: "? "; }
svg { max-width: 100%; height: auto; }
.positions { display: flex; flex-wrap: wrap; gap: 1rem; } .position { margin: 0; width: 11rem; } .position svg { width: 100%; }
@media print {
  body { margin: 0; max-width: none; font-size: 10pt; }
  h2 { break-after: avoid; } tr { break-inside: avoid; }
}
"""


def write_report(
    store: Store,
    folder: Path,
    *,
    cells: list[Group] | None = None,
    papers: Path | None = None,
    trees: Sequence[Path] = (),
) -> list[TextTable]:
    """Write report.html and every table as CSV and LaTeX; returns the tables.

    Args:
        store: What to report.
        folder: Where to; made if it is not there.
        cells: The store's summary, if it has been made.
        papers: Folder with the papers' plans.
        trees: Saved search trees to measure and draw.
    """
    cells = summarise(store) if cells is None else cells
    groups = group_cells(cells)
    if not groups:
        raise BadInput(f"{store.path} has no matches yet")
    compared = compared_tables(store, cells, papers)
    usage = list(usage_of(store, groups).values())
    found = [
        TextTable("results", "Results", *summary_rows(groups), note=INTERVALS),
        *(_comparison_table(table, rows) for table, rows in compared),
        *_averages(groups),
        *_ratings(groups),
        *arcade_tables(groups),
        *difference_tables(store, groups),
        *ranking_tables(groups),
        *loss_table(groups),
        *_combinations(usage),
        *_tree_shapes(trees),
        measures_table(groups),
        *_endings(store),
        _builds(store),
    ]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for table in found:
            table.write_csv(folder)
            table.write_latex(folder)
        write_text(folder / "report.html", _page(store, groups, found, compared, usage, trees))
    except OSError as error:
        raise BadInput(f"cannot write the report: {error}") from None
    return found


def compared_tables(store: Store, cells: list[Group], papers: Path | None) -> list[tuple[Table, list[Comparison]]]:
    """The papers' tables that this store has cells of."""
    plans: dict[str, set[str]] = {}
    for name, key in store.db.execute("SELECT plan, key FROM cell"):
        plans.setdefault(name, set()).add(key)
    try:
        known = [table for table in tables(papers_folder(papers)) if table.plan.name in plans]
    except PaidiaError:
        if papers is not None:
            raise
        return []  # paidia without its papers: a report all the same
    found = []
    for table in known:
        own = [group for group in cells if group.cells[0] in plans[table.plan.name]]
        usage = usage_of(store, own) if table.paper.metric == "most_used" else None
        found.append((table, compare_table(table, own, usage=usage)))
    return found


def _comparison_table(table: Table, rows: list[Comparison]) -> TextTable:
    columns, cells = comparison_rows([row for row in rows if row.ours is not None])
    note = f"{table.paper.paper}. In the paper: {table.paper.settings}."
    return TextTable(table.id, f"{table.id}: {table.paper.title}", columns, cells, note=note)


def _averages(groups: list[Group]) -> list[TextTable]:
    """All games together, as the last row of the papers' tables."""
    parts: dict[tuple[str, str, str], list[Group]] = {}
    mixed = len({(g.game, g.agent, g.opponent) for g in groups}) == len(groups)  # one budget for each game, its own maybe
    for group in groups:
        parts.setdefault((group.agent, group.opponent or "", "" if mixed else group.budget), []).append(group)
    rows: list[list[Cell]] = []
    for (agent, opponent, budget), same in parts.items():
        if len(same) > 1:
            n, total = sum(g.n for g in same), sum(g.total for g in same)
            points = percent(share(n, total))
            rows.append([agent, opponent, budget or _budgets(same), Number(len(same)), Number(n), points])
    columns = ["agent", "opponent", "budget", ">games", ">matches", ">points %"]
    return [TextTable("averages", "All games together", columns, rows)] if rows else []


def _budgets(groups: list[Group]) -> str:
    """The budgets of several games in words."""
    found = list(dict.fromkeys(group.budget for group in groups))
    return found[0] if len(found) == 1 else "of each game"


def _ratings(groups: list[Group]) -> list[TextTable]:
    """Ratings of all agents that met, over all games."""
    names = list(dict.fromkeys(name for g in groups if g.opponent for name in (g.agent, g.opponent)))
    if len(names) < 3:
        return []
    wins = np.zeros((len(names), len(names)))
    for group in groups:
        if group.opponent:
            i, j = names.index(group.agent), names.index(group.opponent)
            wins[i, j] += group.total
            wins[j, i] += group.n - group.total
    try:
        ratings = bradley_terry(wins)
    except BadInput:
        return []  # two circles of agents that never met
    order = sorted(range(len(names)), key=lambda i: -ratings[i].mean)
    rows: list[list[Cell]] = [[names[i], Estimate(ratings[i], decimals=0, sign=True), Number(ratings[i].n)] for i in order]
    note = "Bradley-Terry on the Elo scale, mean 0, all games together; 95 % intervals."
    return [TextTable("ratings", "Ratings", ["agent", ">rating", ">matches"], rows, note=note)]


def _combinations(usage: Collection[Usage]) -> list[TextTable]:
    """The combinations of search parameters that adaptive agents used most."""
    rows: list[list[Cell]] = []
    for each in usage:
        total = max(1, each.whole.simulations)
        for place, (values, samples) in enumerate(each.whole.combinations[:MOST_COMBINATIONS], start=1):
            named = ", ".join(f"{name} = {value}" for name, value in zip(each.whole.parameters, values, strict=False))
            rows.append([each.game, each.agent, Number(place), named, Number(100 * samples / total, ".2f"), Number(each.runs)])
    columns = ["game", "agent", ">place", "combination", ">simulations %", ">runs"]
    title = "Combinations of search parameters used most"
    return [TextTable("combinations", title, columns, rows, note="All matches of a game together.")] if rows else []


def _endings(store: Store) -> list[TextTable]:
    """Matches that did not end by the rules of the game."""
    query = """
        SELECT cell.label, ending, message, count(*) FROM match JOIN cell ON cell.id = match.cell
        WHERE ending != 'terminal' GROUP BY cell.label, ending, message ORDER BY count(*) DESC LIMIT 100
    """
    rows: list[list[Cell]] = [[game, ending, message, Number(count)] for game, ending, message, count in store.db.execute(query)]
    title = "Matches that did not end by the rules"
    return [TextTable("endings", title, ["game", "ending", "message", ">matches"], rows)] if rows else []


def _builds(store: Store) -> TextTable:
    rows: list[list[Cell]] = [[version, signature or "-", Number(count)] for version, signature, count in store.builds()]
    mixed = differ(signature for _, signature, _ in store.builds())
    note = "Some of these versions play differently: a part of the signature has several values." if mixed else ""
    return TextTable("builds", "Versions of paidia", ["version", "signature", ">matches"], rows, note=note)


def _tree_shapes(trees: Sequence[Path]) -> list[TextTable]:
    rows: list[list[Cell]] = []
    for file in trees:
        arrays = load_tree(file)
        shape = tree_shape(arrays, top_of(arrays))
        widths = Number(shape.branching, ".2f"), Number(shape.legal, ".2f")
        rows.append([file.stem, Number(shape.positions), Number(shape.depth), *widths])
    columns = ["tree", ">positions", ">maximum depth", ">tried moves", ">legal moves"]
    return [TextTable("trees", "Search trees", columns, rows)] if rows else []


def _page(
    store: Store,
    groups: list[Group],
    found: list[TextTable],
    compared: list[tuple[Table, list[Comparison]]],
    usage: list[Usage],
    trees: Sequence[Path],
) -> str:
    title = html.escape(store.path.stem)
    plots = pictures(groups, compared, usage, trees) if plots_available() else []
    missing = "" if plots_available() else "<p>Plots need matplotlib: pip install 'paidia[report]'.</p>"
    n = sum(group.n for group in groups)
    figures = "\n".join(f"<figure>{plot}</figure>" for plot in plots)
    sections = "\n".join(table.html() for table in found)
    games = "\n".join(first_positions(store))
    shown = f'<h2>Games</h2>\n<div class="positions">{games}</div>\n' if games else ""
    return (
        f'<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head>\n<body>\n'
        f"<h1>{title}</h1>\n<p>{n:,} matches, {len(groups):,} cells.</p>\n{missing}{sections}\n"
        f"{shown}<h2>Plots</h2>\n{figures}\n</body>\n</html>\n"
    )
