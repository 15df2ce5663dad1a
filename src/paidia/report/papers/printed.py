"""The papers' tables: a folder for each paper with plans (`[paper]` names the table), printed numbers and
what we measured.

What a table still needs is found by asking the registries of games and agents, so a new game or agent opens
its tables by itself.
"""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from paidia.core.errors import BadInput, PaidiaError, RuleError, UnknownName
from paidia.experiment.budgets import PaperBudgets, inside, paper_budgets
from paidia.experiment.expand import find_agent
from paidia.experiment.plan import AgentEntry, GameEntry, PaperTable, Plan, load_plan
from paidia.games import find

__all__ = ["Printed", "Table", "find_table", "papers_folder", "table_order", "tables"]


class Printed(msgspec.Struct, frozen=True):
    """One printed number; `half` is the half width of its interval, None where the paper prints none."""

    table: str
    metric: str
    game: str
    agent: str
    opponent: str
    value: float
    half: float | None
    runs: int


class Table(msgspec.Struct, frozen=True):
    """A table of a paper.

    Attributes:
        paper: What the plan says about it.
        plan: How to reproduce it.
        file: Where the plan is.
        missing: Games and agents that paidia does not have (yet).
        unavailable: Agents of the table that are programs of others, which paidia will not have.
    """

    paper: PaperTable
    plan: Plan
    file: Path
    missing: list[str]
    unavailable: list[str] = []

    @property
    def id(self) -> str:
        """E.g. "s002-t1"."""
        return self.paper.table

    def runnable(self) -> Plan | None:
        """The plan without what is missing, None if nothing is left."""
        folder = self.file.parent
        games = [entry for entry in self.plan.games if not _missing_game(entry, folder)]
        agents = [entry for entry in self.plan.agents if not _missing_agent(entry, folder)]
        opponents = [entry for entry in self.plan.opponents if not _missing_agent(entry, folder)]
        if self.plan.pairing == "zip":
            agents, opponents = _both_there(self.plan, folder)
        alone = not self.plan.opponents
        if self.paper.metric == "facts" or not games or not agents or (not alone and not opponents):
            return None
        return msgspec.structs.replace(self.plan, games=games, agents=agents, opponents=opponents)

    def games(self) -> list[str]:
        """The names of all its games, those that are missing too."""
        return [entry if isinstance(entry, str) else entry.name or entry.id for entry in self.plan.games]

    def agents(self) -> list[str]:
        """The names of all its agents but opponents."""
        entries = [AgentEntry(id=entry) if isinstance(entry, str) else entry for entry in self.plan.agents]
        return [entry.name or entry.id for entry in entries if entry.available]

    def budgets(self) -> PaperBudgets:
        """The budgets under which our cells may be compared with the paper's."""
        return paper_budgets(self.plan, self.file.parent, str(self.file))

    def printed(self) -> list[Printed]:
        """The numbers of the paper."""
        return [row for row in read_printed(inside(self.file.parent, self.paper.printed, str(self.file))) if row.table == self.id]


def papers_folder(given: Path | None = None) -> Path:
    """Where the papers are: as told, or in the installed package, or beside the source tree, or in the present folder."""
    if given is not None:
        if not given.is_dir():
            raise BadInput(f"there is no folder {given}")
        return given
    here = Path(__file__).resolve()
    candidates = [here.parents[2] / "papers", here.parents[4] / "papers", Path("papers")]
    if "PAIDIA_PAPERS" in os.environ:
        candidates.insert(0, Path(os.environ["PAIDIA_PAPERS"]))
    for folder in candidates:
        if folder.is_dir():
            return folder
    raise BadInput("the papers' tables are not where paidia is installed: give the path of their folder, --papers DIR")


def tables(folder: Path) -> list[Table]:
    """All tables, in the order of their papers and numbers."""
    found = [_table(paper, plan, file) for paper, plan, file in _plans(folder)]
    return sorted(found, key=lambda table: table_order(table.id))


def _plans(folder: Path) -> Iterator[tuple[PaperTable, Plan, Path]]:
    for file in sorted(folder.glob("*/[tf]*.toml")):
        plan = load_plan(file)
        if plan.paper is not None:
            yield plan.paper, plan, file


def _table(paper: PaperTable, plan: Plan, file: Path) -> Table:
    """A table, with a look for its games and agents."""
    unavailable = [e.name or e.id for e in _entries(plan) if not e.available]
    return Table(paper=paper, plan=plan, file=file, missing=_missing(plan, file.parent), unavailable=unavailable)


def table_order(id: str) -> tuple[tuple[int, int, str], ...]:
    """Numbers inside an id count as numbers: t2a comes before t10."""
    words = re.findall(r"[0-9]+|[^0-9.-]+", id)
    return tuple((0, int(word), "") if word.isdecimal() else (1, 0, word) for word in words)


def find_table(folder: Path, id: str) -> Table:
    """One table by its id."""
    found = {paper.table: (paper, plan, file) for paper, plan, file in _plans(folder)}
    if id not in found:
        raise UnknownName("table", id, sorted(found, key=table_order), remedy="`paidia reproduce` lists them all")
    return _table(*found[id])


def _entries(plan: Plan) -> list[AgentEntry]:
    return [AgentEntry(id=entry) if isinstance(entry, str) else entry for entry in [*plan.agents, *plan.opponents]]


def _missing(plan: Plan, folder: Path) -> list[str]:
    games = [missing for entry in plan.games if (missing := _missing_game(entry, folder))]
    agents = [missing for entry in _entries(plan) if entry.available and (missing := _missing_agent(entry, folder))]
    return list(dict.fromkeys([*games, *agents]))


def _missing_game(entry: str | GameEntry, folder: Path) -> str:
    spec = entry if isinstance(entry, str) else entry.id
    try:
        find(spec, folder=folder)
    except PaidiaError:
        return f"game {spec}"
    return ""


def _missing_agent(entry: str | AgentEntry, folder: Path) -> str:
    agent = AgentEntry(id=entry) if isinstance(entry, str) else entry
    if not agent.available:
        return f"agent {agent.name or agent.id}"
    try:
        find_agent(agent, folder)
    except UnknownName:
        return f"agent {agent.id}"
    except PaidiaError as error:
        return f"agent {agent.name or agent.id} ({error})"
    return ""


def _both_there(plan: Plan, folder: Path) -> tuple[list[str | AgentEntry], list[str | AgentEntry]]:
    """The agents and opponents of a plan that pairs them by place, where both exist."""
    pairs = [
        (agent, opponent)
        for agent, opponent in zip(plan.agents, plan.opponents, strict=True)
        if not _missing_agent(agent, folder) and not _missing_agent(opponent, folder)
    ]
    return [agent for agent, _ in pairs], [opponent for _, opponent in pairs]


def read_printed(path: Path) -> list[Printed]:
    """The printed numbers of a paper."""
    rows = []
    try:
        with path.open(newline="", encoding="utf-8") as lines:
            for number, row in enumerate(csv.DictReader(lines), start=2):
                try:
                    rows.append(
                        Printed(
                            table=row["table"],
                            metric=row["metric"],
                            game=row["game"],
                            agent=row["agent"],
                            opponent=row["opponent"],
                            value=float(row["value"]),
                            half=float(row["interval"]) if row["interval"] else None,
                            runs=int(row["runs"] or 0),
                        )
                    )
                except (KeyError, ValueError, TypeError) as error:
                    raise RuleError(f"not a printed number: {error}", file=str(path), line=number) from None
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise RuleError(f"cannot read the printed numbers: {error}", file=str(path)) from None
    return rows
