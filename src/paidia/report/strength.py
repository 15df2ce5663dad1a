"""How strong an agent is, by a trial of the gauntlet: tables with intervals, ratings, and the page of history.

Shares are those of the house (`report/estimates.py`), with a pair of matches as one observation; where agents play alone an
agent's own points stand beside the other's, and the difference is taken run by run. Ratings are those of Bradley and Terry, from
pairs; alone, a run counts as a match that the better one has won.
"""

from __future__ import annotations

import csv
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
import numpy as np

from paidia.core.errors import BadInput
from paidia.core.files import replacing, write_text
from paidia.experiment.gauntlet.trial import Pairing, Trial
from paidia.report.estimates import MINIMUM, from_to, share_of_pairs
from paidia.report.ratings import bradley_terry
from paidia.report.statistics import Interval
from paidia.report.tables import Cell, Estimate, Number, TextTable

__all__ = ["Entry", "commit_of", "entries_of", "rating_rows", "save_entries", "strength_tables"]

#: Where the generated part of the page begins and ends.
BEGIN, END = "<!-- history: written by `paidia gauntlet --save` -->", "<!-- end of history -->"

ALL = "all games"


class Entry(msgspec.Struct, frozen=True):
    """A line of the history: a game of a suite, or all of them.

    Attributes:
        date: Day of the entry.
        commit: What was checked out; with `+` where the working tree had changes.
        suite: The suite and its part.
        game: The game; "all games" for the whole.
        agent: Whose points these are.
        opponent: The other one.
        budget: Budget of a move in words.
        matches: Matches (or runs) of the agent.
        points: Its mean points in percent, from 0 to 100,
        low: with the interval from here
        high: to here.
        other: Mean points of the opponent in percent.
        rating: Elo above the opponent's, where it is known (all games).
        verdict: What the test says: better, worse, equal or open.
        command: What was typed.
    """

    date: str
    commit: str
    suite: str
    game: str
    agent: str
    opponent: str
    budget: str
    matches: int
    points: float
    low: float
    high: float
    other: float
    rating: str
    verdict: str
    command: str


def _paired(values: Sequence[float]) -> Interval:
    return share_of_pairs(len(values), sum(values), sum(x * x for x in values))


def _together(found: Sequence[Pairing]) -> Pairing:
    first = found[0]
    return Pairing(
        ALL,
        first.agent,
        first.opponent,
        [x for each in found for x in each.pairs],
        [x for each in found for x in each.own],
        [x for each in found for x in each.other],
        sum(each.matches for each in found),
        alone=first.alone,
    )


def _by_opponent(found: Iterable[Pairing]) -> dict[tuple[str, str], list[Pairing]]:
    groups: dict[tuple[str, str], list[Pairing]] = {}
    for each in found:
        groups.setdefault((each.agent, each.opponent), []).append(each)
    return groups


def _chosen(trial: Trial, agents: Sequence[str]) -> list[Pairing]:
    """The pairings of the agents that the trial is about, not those of their opponents with each other."""
    return [each for each in trial.pairings if each.agent in agents and each.opponent not in agents[: agents.index(each.agent)]]


def strength_tables(trial: Trial, agents: Sequence[str]) -> list[TextTable]:
    """A table for each agent and opponent, games below each other and all of them last; and the ratings."""
    tables = []
    for (agent, opponent), found in _by_opponent(_chosen(trial, agents)).items():
        rows: list[list[Cell]] = []
        for each in [*found, _together(found)] if len(found) > 1 else found:
            rows.append(_row(each))
        alone = found[0].alone
        columns = (
            ["game", ">runs", f">{agent} %", f">{opponent} %", ">difference %"] if alone else ["game", ">matches", ">points %"]
        )
        title = f"{trial.suite}: {agent} {'beside' if alone else 'against'} {opponent}"
        tables.append(TextTable(f"{agent}-{opponent}", title, columns, rows))
    rows = rating_rows(trial.pairings)
    if rows:
        note = "Elo, the mean of all is 0."
        tables.append(TextTable("ratings", f"{trial.suite}: ratings", ["agent", ">rating", ">points"], rows, note=note))
    return tables


def _row(each: Pairing) -> list[Cell]:
    if not each.alone:
        return [each.game, Number(each.matches), Estimate(_paired(each.pairs).scaled(100.0))]
    gap = _paired(each.pairs)
    difference = Interval(2 * gap.mean - 1, 2 * gap.low - 1, 2 * gap.high - 1, gap.n).scaled(100.0)
    own, other = (Estimate(_paired(values).scaled(100.0)) for values in (each.own, each.other))
    return [each.game, Number(each.matches), own, other, Estimate(difference, sign=True)]


def rating_rows(found: Sequence[Pairing]) -> list[list[Cell]]:
    """Every agent with its rating, the strongest first; nothing where nobody has played, or they did not all meet."""
    if not found:
        return []
    names = list(dict.fromkeys(name for each in found for name in (each.agent, each.opponent)))
    wins = np.zeros((len(names), len(names)))
    met = {(each.agent, each.opponent) for each in found}
    for each in found:
        i, j = names.index(each.agent), names.index(each.opponent)
        points = sum(float(x > 0.5) + 0.5 * (x == 0.5) for x in each.pairs) if each.alone else sum(each.pairs)
        wins[i, j] += points
        if (each.opponent, each.agent) not in met:
            wins[j, i] += len(each.pairs) - points
    try:
        ratings = bradley_terry(wins)
    except BadInput:
        return []
    order = sorted(range(len(names)), key=lambda i: -ratings[i].mean)
    return [[names[i], Estimate(ratings[i], decimals=0, sign=True), Number(float(wins[i].sum()), ",.1f")] for i in order]


def commit_of(folder: Path) -> str:
    """The commit that is checked out in a folder, with `+` where something was changed since; "unknown" without Git."""
    try:
        said = [
            subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=True, timeout=10).stdout.strip()
            for words in (("rev-parse", "--short=10", "HEAD"), ("status", "--porcelain", "--untracked-files=no", ":/src"))
        ]
    except (OSError, subprocess.SubprocessError):
        return "unknown"
    return said[0] + ("+" if said[1] else "")


def entries_of(
    trial: Trial, agents: Sequence[str], *, part: str, budget: str, date: str, commit: str, command: str
) -> list[Entry]:
    """A trial as lines of the history."""
    entries = []
    for (agent, opponent), found in _by_opponent(_chosen(trial, agents)).items():
        for each in [_together(found), *found]:
            points = _paired(each.own)
            known = points.n >= MINIMUM
            gap = ""
            if each.game == ALL:
                rows = {str(row[0]): row[1] for row in rating_rows(found)}
                if agent in rows and opponent in rows:
                    mine, theirs = rows[agent], rows[opponent]
                    assert isinstance(mine, Estimate) and isinstance(theirs, Estimate)
                    gap = f"{mine.interval.mean - theirs.interval.mean:+.0f}"
            entries.append(
                Entry(
                    date=date,
                    commit=commit,
                    suite=f"{trial.suite} ({part})",
                    game=each.game,
                    agent=agent,
                    opponent=opponent,
                    budget=budget,
                    matches=each.matches,
                    points=round(100 * points.mean, 2),
                    low=round(100 * points.low, 2) if known else 0.0,
                    high=round(100 * points.high, 2) if known else 100.0,
                    other=round(100 * sum(each.other) / len(each.other), 2),
                    rating=gap,
                    verdict=trial.verdicts.get(f"{agent} - {opponent}", "") if each.game == ALL else "",
                    command=command,
                )
            )
    return entries


def save_entries(page: Path, entries: Sequence[Entry]) -> None:
    """Add lines to the history beside a page (`PAGE.csv`) and write the generated part of the page anew.

    A line replaces an older one of the same commit, suite, game, agents and budget: then the trial has gone on.
    """
    file = page.with_suffix(".csv")
    kept = _read(file)
    names = ("commit", "suite", "game", "agent", "opponent", "budget")
    new = {tuple(getattr(each, name) for name in names) for each in entries}
    rows = [each for each in kept if tuple(getattr(each, name) for name in names) not in new] + list(entries)
    try:
        text = page.read_text(encoding="utf-8") if page.exists() else f"# Strength\n\n{BEGIN}\n{END}\n"
        filled = _filled(text, rows, page)
        with replacing(file) as fresh, fresh.open("w", newline="", encoding="utf-8") as out:
            writer = csv.writer(out, lineterminator="\n")
            writer.writerow(Entry.__struct_fields__)
            writer.writerows([getattr(each, name) for name in Entry.__struct_fields__] for each in rows)
        write_text(page, filled)
    except (OSError, UnicodeError) as error:
        raise BadInput(f"cannot write the history: {error}") from None


def _read(file: Path) -> list[Entry]:
    if not file.exists():
        return []
    try:
        with file.open(newline="", encoding="utf-8") as lines:
            return [msgspec.convert(row, Entry, strict=False) for row in csv.DictReader(lines)]
    except (OSError, UnicodeDecodeError, csv.Error, msgspec.ValidationError) as error:
        raise BadInput(f"{file} is no history of trials: {error}") from None


def _filled(text: str, rows: Sequence[Entry], page: Path) -> str:
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise BadInput(f"{page} has no place for the history: it needs the lines {BEGIN} and {END}")
    return f"{before}{BEGIN}\n\n{history(rows)}\n{END}{after}"


def history(rows: Sequence[Entry]) -> str:
    """The generated part of the page: totals in the order of time, then the games of the last trial of each kind."""
    lines = ["### History", "",
             "| day | commit | suite | agent | opponent | budget | matches | points % | opponent's | Elo | test |",
             "| --- | --- | --- | --- | --- | --- | ---: | ---: | ---: | ---: | --- |"]  # fmt: skip
    for each in rows:
        if each.game == ALL:
            cells = [each.date, each.commit, each.suite, each.agent, each.opponent, each.budget, f"{each.matches:,}",
                     _points(each), f"{each.other:.1f}", each.rating, each.verdict]  # fmt: skip
            lines.append(f"| {' | '.join(cells)} |")
    lines += ["", "### Last trials, game by game"]
    last: dict[tuple[str, str, str, str], Entry] = {}
    for each in rows:
        if each.game == ALL:
            last[each.suite, each.agent, each.opponent, each.budget] = each
    for whole in last.values():
        title = f"{whole.suite}, `{whole.agent}` and `{whole.opponent}`, {whole.budget} ({whole.commit}): `{whole.command}`"
        lines += ["", title, "",
                  "| game | matches | points % | opponent's |", "| --- | ---: | ---: | ---: |"]  # fmt: skip
        same = ("commit", "suite", "agent", "opponent", "budget")
        for each in rows:
            if each.game != ALL and all(getattr(each, name) == getattr(whole, name) for name in same):
                lines.append(f"| {each.game} | {each.matches:,} | {_points(each)} | {each.other:.1f} |")
    return "\n".join(lines) + "\n"


def _points(each: Entry) -> str:
    n = MINIMUM if (each.low, each.high) != (0.0, 100.0) else 0
    return from_to(Interval(each.points, each.low, each.high, n))
