"""Tables about video games: how runs ended, scores, speed."""

from __future__ import annotations

import msgspec

from paidia.report.estimates import share
from paidia.report.statistics import Interval
from paidia.report.summary import Group, group_cells
from paidia.report.tables import Cell, Estimate, Number, TextTable, cell_text

__all__ = ["all_games", "arcade_tables", "loss_kinds", "short_arcade"]


def loss_kinds(group: Group) -> dict[str, Interval]:
    """Shares of the runs that were won, lost before and lost because time was up."""
    kinds = {"won": group.wins, "lost early": group.losses - group.late, "lost on time": group.late}
    return {kind: share(group.n, float(number)) for kind, number in kinds.items()}


def arcade_tables(groups: list[Group]) -> list[TextTable]:
    """Results of the video games in a store, none if it has none."""
    video = [group for group in groups if group.video and group.n]
    if not video:
        return []
    columns = [
        "game", "agent", "budget", ">runs", ">won %", ">lost early %", ">lost on time %", ">score", ">ticks",
        ">sims/tick, median", ">mean", ">slowest ms", ">late", ">overruns", ">ended early",
    ]  # fmt: skip
    note = (
        "Levels together. Shares and scores with 95 % intervals from 10 runs on; lost on time: at 2,000 ticks or the plan's"
        " max_steps. Simulations per tick: of each run the median (or mean) over its ticks, then the mean over runs."
        " Late: ticks longer than the clock; overruns: longer by a quarter (50 ms of 40)."
    )
    found = [TextTable("video-games", "Video games", columns, [_row(group) for group in video], note=note)]
    together = all_games(video)
    if together:
        endings = [_row(group) for group in together]
        kept = [1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13]
        title = "Video games, all games together"
        found.append(TextTable("video-games-all", title, [columns[i] for i in kept], [[row[i] for i in kept] for row in endings]))
    return found


def all_games(groups: list[Group]) -> list[Group]:
    """All games of each agent together, where it played several; budgets may differ from game to game."""
    agents: dict[str, list[Group]] = {}
    for group in groups:
        if group.video and group.n:
            agents.setdefault(group.agent, []).append(group)
    found = []
    for own in agents.values():
        games = {group.game for group in own}
        if len(games) > 1 and len(games) == len(own):  # else it played a game with several budgets
            budgets = {group.budget for group in own}
            same = {"game": "all games", "budget": budgets.pop() if len(budgets) == 1 else "of each game"}
            found.append(group_cells([msgspec.structs.replace(group, **same) for group in own])[0])
    return found


def short_arcade(groups: list[Group]) -> tuple[list[str], list[list[str]]]:
    """What fits on a terminal: without the budget if all have the same, and without overruns if there are none."""
    columns = ["game", "agent", "budget", ">runs", ">won %", ">score", ">ticks", ">sims/tick", ">overruns"]
    rows = [[cell_text(cell) for cell in (*row[:5], row[7], row[8], row[9], row[13])] for row in map(_row, groups)]
    dull = {2} if len({group.budget for group in groups}) == 1 else set[int]()
    dull |= {8} if not any(group.sum("overruns") for group in groups) else set()
    kept = [i for i in range(len(columns)) if i not in dull]
    return [columns[i] for i in kept], [[row[i] for i in kept] for row in rows]


def _row(group: Group) -> list[Cell]:
    shares = [Estimate(share.scaled(100.0)) for share in loss_kinds(group).values()]
    return [
        group.game, group.agent, group.budget, Number(group.n), *shares,
        Estimate(group.score, decimals=2), Number(group.mean("moves")),
        *(Number(group.mean(name), ",.1f") if group.having(name) else "" for name in ("median_simulations", "mean_simulations")),
        Number(1000 * group.sum("slowest_seconds"), ".1f") if group.having("slowest_seconds") else "",
        *(Number(group.sum(name)) if group.having(name) else "" for name in ("late_moves", "overruns")),
        Number(group.early),
    ]  # fmt: skip
