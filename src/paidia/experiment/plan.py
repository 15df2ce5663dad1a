"""What an experiment is, as a TOML file says it: games x agents x opponents x budgets. An unknown key is an
error.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from paidia.core.errors import RuleError, unknown_key
from paidia.players.definition import Value

__all__ = [
    "MOST_SIMULATIONS", "AgentEntry", "BudgetTable", "GameEntry", "PaperTable", "Plan", "Stop", "convert_plan", "load_plan",
    "parse_plan", "plan_text",
]  # fmt: skip

#: A plan is written by hand; whatever is larger than this is not one.
LARGEST_FILE = 1_000_000

#: More than any search will ever do; keeps numbers inside 64 bits.
MOST_SIMULATIONS = 10**12


class GameEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game of the plan that needs more than its id.

    Attributes:
        id: Id of the game, or the path of its rules (relative to the plan).
        levels: Levels of a video game; each is a cell of its own.
        name: How tables call it; the id if left out.
    """

    id: str
    levels: list[str | int] = []
    name: str = ""


class AgentEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An agent of the plan that needs more than its id.

    Attributes:
        id: Id of a preset, or the path of an agent file (relative to the plan).
        name: How tables call it; the id if left out. Two entries in one game need two names.
        settings: Settings that differ from the preset, as `--set` takes them.
        sims: Simulations per move, instead of the plan's budget.
        time: Seconds per move, instead of the plan's budget.
        start_time: Seconds before the first move, instead of the plan's.
        games: Only in these games of the plan; everywhere if left out.
        scale: Its share of the budget, where simulations of different agents do not cost the same.
        budget_of: The agent whose row of the budget table it gets, where the table has none for it; its own if left out.
        available: false for a program that is not part of paidia: it is named, and left out.
    """

    id: str
    name: str = ""
    settings: dict[str, Value | dict[str, Value]] = {}
    sims: int = 0
    time: float = 0.0
    start_time: float | None = None
    games: list[str] = []
    scale: float = 1.0
    budget_of: str = ""
    available: bool = True


class BudgetTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Simulations per move for each game from a CSV file, e.g. the iterations per second that a paper prints.

    Attributes:
        file: CSV file in the folder of the plan, with a header line.
        game: Column with the game's id.
        value: Column with the number of simulations.
        agent: Column with the agent's name, where agents have budgets of their own.
        where: Only rows with these values in these columns.
        scale: The number in the file is multiplied by this.
    """

    file: str
    game: str = "game"
    value: str = "value"
    agent: str = ""
    where: dict[str, str] = {}
    scale: float = 1.0


class Stop(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When a cell may stop before all its matches are played (`experiment.run.sequential`).

    Attributes:
        alpha: Probability to call two equal agents different.
        beta: Probability to miss a difference of `effect`.
        effect: Distance from 0.5 mean points that matters.
        least: Matches played in any case.
    """

    alpha: float = 0.05
    beta: float = 0.05
    effect: float = 0.05
    least: int = 20


class PaperTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The printed table that a plan reproduces.

    Attributes:
        table: Our id of the table, e.g. "s002-t1".
        title: What it shows.
        paper: Where it was printed.
        settings: Clock or simulations, budget and number of runs of the paper, in words.
        printed: CSV file with the printed numbers, in the folder of the plan.
        metric: What its cells are: "win_pct", "sims_per_second", "sims_per_tick", "score", "most_used" (the combination of
            search parameters that was used most) or "facts" (nothing to run).
        interval: How the paper computes its intervals: "sample" (from the standard deviation of the points) or "binomial".
        sims: The simulations per tick of a run in the paper: "median" or "mean" over its ticks.
        clock: Seconds per move in the paper, where it gives time and the plan a number of simulations.
        start_clock: Seconds before the first move in the paper; those of the plan if left out.
        best: Columns that are the highest of some others in each game: name of the column, agents to choose from.
    """

    table: str
    title: str
    paper: str
    settings: str
    printed: str = "printed.csv"
    metric: str = "win_pct"
    interval: Literal["sample", "binomial"] = "sample"
    sims: Literal["median", "mean"] = "median"
    clock: float = 0.0
    start_clock: float | None = None
    best: dict[str, list[str]] = {}


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An experiment.

    Attributes:
        games: Ids of games, paths of rules, or tables (`GameEntry`).
        agents: Ids of agents or tables (`AgentEntry`).
        opponents: Whom each agent meets; without opponents the agents play a round robin (or alone, where a
            game has one role).
        pairing: "product" (every agent meets every opponent) or "zip" (the opponent in the same place of
            the list).
        levels: Levels of the video games that name none themselves: numbers, or files; all of a game if left out.
        name: Name of the experiment; the plan's file name if left out.
        seed: Root of everything random.
        sims: Simulations per move, or per tick of a video game; a list makes a cell for each.
        time: Seconds per move or tick; a list makes a cell for each.
        start_time: Seconds before the first move.
        budget_table: Simulations per move for each game, from a CSV file.
        matches: Matches of a cell; rounded up so that every assignment of roles is played equally often.
        stop: Stop a cell as soon as its result is clear.
        match_limit: A match that takes longer (in seconds) is stopped and repeated, see `retries`.
        retries: How often a match whose process crashed or hung is repeated before it is recorded as failed.
        max_steps: A match that lasts longer is stopped, with the goals of its last state; a video game is lost then.
        disqualify: Video games with a time budget: an answer that comes too late is not played, and one that comes a quarter
            too late loses the match, as in the competition. Otherwise overruns are only counted.
        start_moves: With simulations: what the time before the first move is worth in moves; as usual for the game if 0.
        common_seeds: Where agents play alone, all of them meet the same chance in the same run of a game.
        paper: The printed table that this plan reproduces.
    """

    games: list[str | GameEntry] = []
    agents: list[str | AgentEntry] = []
    opponents: list[str | AgentEntry] = []
    pairing: Literal["product", "zip"] = "product"
    levels: list[str | int] = []
    name: str = ""
    seed: int = 0
    sims: int | list[int] = []
    time: float | list[float] = []
    start_time: float = 0.0
    budget_table: BudgetTable | None = None
    matches: int = 100
    stop: Stop | None = None
    match_limit: float = 3600.0
    retries: int = 2
    max_steps: int = 100_000
    disqualify: bool = False
    start_moves: int = 0
    common_seeds: bool = False
    paper: PaperTable | None = None


_TABLES: dict[str, type[msgspec.Struct]] = {
    "$": Plan,
    "games": GameEntry,
    "agents": AgentEntry,
    "opponents": AgentEntry,
    "budget_table": BudgetTable,
    "stop": Stop,
    "paper": PaperTable,
}


def load_plan(path: Path) -> Plan:
    """Read and check a plan."""
    return parse_plan(plan_text(path), file=str(path), name=path.stem)


def plan_text(path: Path) -> str:
    """The text of a plan file, if it is one of a sensible size."""
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise RuleError(f"larger than {LARGEST_FILE:,} bytes: that is no plan", file=str(path))
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RuleError(f"cannot read the plan: {error}", file=str(path)) from None


def parse_plan(text: str, *, file: str = "plan", name: str = "plan") -> Plan:
    """The plan in a TOML text."""
    plan = convert_plan(text, Plan, _TABLES, file=file, whole="a plan")
    _check(plan, file)
    return plan if plan.name else msgspec.structs.replace(plan, name=name)


S = TypeVar("S", bound=msgspec.Struct)


def convert_plan(text: str, kind: type[S], tables: Mapping[str, type[msgspec.Struct]], *, file: str, whole: str) -> S:
    """A TOML text as a structure; an unknown key is an error that names the nearest one of its table."""
    try:
        plain = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise RuleError(f"not valid TOML: {error}", file=file) from None
    try:
        return msgspec.convert(plain, kind)
    except msgspec.ValidationError as error:
        keys = {name: table.__struct_fields__ for name, table in tables.items()}
        raise RuleError(unknown_key(str(error), keys, whole=whole) or f"not {whole}: {error}", file=file) from None


def _check(plan: Plan, file: str) -> None:
    def wrong(message: str) -> Any:
        raise RuleError(message, file=file)

    if plan.paper is not None and plan.paper.metric == "facts":
        return
    if not plan.games:
        wrong("games is empty: name at least one")
    if not plan.agents:
        wrong("agents is empty: name at least one")
    if plan.pairing == "zip" and len(plan.agents) != len(plan.opponents):
        wrong(f"with zip there are as many opponents as agents: {len(plan.agents)}")
    kinds = [key for key in ("sims", "time", "budget_table") if getattr(plan, key)]
    if len(kinds) > 1:
        wrong(f"give one budget, not several: {' and '.join(kinds)}")
    if 0 in (plan.sims, plan.time):
        wrong("a budget of 0 leaves no time to search: give sims or time above 0")
    if not 1 <= plan.matches <= 10_000_000:
        wrong(f"matches must be from 1 to 10,000,000, not {plan.matches}")
    if not 0 <= plan.seed < 2**63:
        wrong(f"seed must be from 0 to 2^63 - 1, not {plan.seed}")
    if not 0 < plan.match_limit < float("inf"):
        wrong(f"match_limit must be a number of seconds above 0, not {plan.match_limit}")
    if not 0 <= plan.start_time < 86400:
        wrong(f"start_time must be from 0 to a day in seconds, not {plan.start_time}")
    if not 0 <= plan.start_moves <= 100_000:
        wrong(f"start_moves must be from 0 to 100,000, not {plan.start_moves}")
    if not 0 <= plan.retries <= 100:
        wrong(f"retries must be from 0 to 100, not {plan.retries}")
    if not 1 <= plan.max_steps <= MOST_SIMULATIONS:
        wrong(f"max_steps must be 1 or larger, not {plan.max_steps}")
    entries = [entry for entry in [*plan.agents, *plan.opponents] if isinstance(entry, AgentEntry)]
    sims = [plan.sims] if isinstance(plan.sims, int) else plan.sims
    if any(number > MOST_SIMULATIONS for number in [*sims, *(entry.sims for entry in entries)]):
        wrong(f"sims can be {MOST_SIMULATIONS:,} at most")
    if not all(0 <= (entry.start_time or 0.0) < 86400 for entry in entries):
        wrong("start_time of an agent must be from 0 to a day in seconds")
    if not all(1e-6 <= entry.scale <= 1e6 for entry in entries):
        wrong("scale of an agent must be above 0 and a million at most")
    if plan.disqualify and not plan.time:
        wrong("disqualify needs a clock: give time, e.g. 0.04")
    if (stop := plan.stop) is not None:
        if not (0 < stop.alpha < 0.5 and 0 < stop.beta < 0.5):
            wrong("alpha and beta of [stop] are error rates above 0 and below 0.5")
        if not 0 < stop.effect < 0.5:
            wrong("effect of [stop] is a distance from 0.5 points, above 0 and below 0.5")
