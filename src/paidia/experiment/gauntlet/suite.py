"""A suite: games, split into development and validation, opponents and a budget, in one TOML file.

    summary = "the native boards"
    opponents = ["uct", "grave"]
    sims = 1000                         # or time = 1.0, for everybody
    rounds = 10

    [games]
    development = ["connect4", "breakthrough"]
    validation = ["hex"]                # looked at once per decision

In a round every cell is played once: a pair of matches with the seats changed, or a run where agents play alone; there all
of them meet the same chance. A game that starts with `@` is a file below the folder that PAIDIA_REFERENCE names. Games that are
not there are left out, and named.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Literal

import msgspec

from paidia.core.errors import BadInput, PaidiaError, RuleError, UnknownName
from paidia.experiment.plan import AgentEntry, GameEntry, Plan, convert_plan, plan_text
from paidia.games import find

__all__ = ["PARTS", "Suite", "SuiteGames", "load_suite", "suite_ids", "suite_plan"]

Part = Literal["development", "validation"]
PARTS: tuple[Part, ...] = ("development", "validation")

_SUITES = resources.files("paidia.experiment.gauntlet") / "suites"


class SuiteGames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The games of a suite: those that decisions are made on, and those that are kept for judging them."""

    development: list[str | GameEntry] = []
    validation: list[str | GameEntry] = []


class Suite(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A suite.

    Attributes:
        summary: One line for the list of suites.
        games: Its games, in two parts.
        opponents: Whom an agent meets, or is compared with where it plays alone; the first is the baseline of the test.
        alone: All agents play alone (games of one role) and are compared run by run.
        sims: Simulations per move or tick.
        time: Seconds per move or tick.
        start_time: Seconds before the first move, with `time`.
        start_moves: What that time is worth in moves, with `sims`; as usual for the game if 0.
        levels: Levels of video games.
        rounds: Rounds at most.
        least: Rounds before the test may end the trial.
        effect: Difference in mean points that matters to the test.
        alpha: Probability to call two equal agents different.
        beta: Probability to miss a difference of `effect`.
        seed: Root of everything random.
        max_steps: A longer match is stopped.
        name: How it is called; the name of its file.
    """

    summary: str
    games: SuiteGames
    opponents: list[str]
    alone: bool = False
    sims: int = 0
    time: float = 0.0
    start_time: float = 0.0
    start_moves: int = 0
    levels: list[str | int] = []
    rounds: int = 10
    least: int = 2
    effect: float = 0.1
    alpha: float = 0.05
    beta: float = 0.05
    seed: int = 0
    max_steps: int = 100_000
    name: str = ""


def suite_ids() -> list[str]:
    """The suites that come with paidia."""
    return sorted(entry.name.removesuffix(".toml") for entry in _SUITES.iterdir() if entry.name.endswith(".toml"))


def load_suite(id: str) -> Suite:
    """A suite by its name, or by the path of its file."""
    if id.endswith(".toml"):
        text, file = plan_text(Path(id)), id
    elif id in suite_ids():
        text, file = (_SUITES / f"{id}.toml").read_text(encoding="utf-8"), f"{id}.toml"
    else:
        raise UnknownName("suite", id, suite_ids(), remedy="(or give the path of a .toml file)")
    suite = convert_plan(text, Suite, {"$": Suite, "games": SuiteGames, "development": GameEntry, "validation": GameEntry},
                         file=file, whole="a suite")  # fmt: skip
    _check(suite, file)
    return suite if suite.name else msgspec.structs.replace(suite, name=Path(file).stem)


def _check(suite: Suite, file: str) -> None:
    def wrong(message: str) -> None:
        raise RuleError(message, file=file)

    if bool(suite.sims) == bool(suite.time):
        wrong("a suite has one budget: give sims or time")
    if not suite.opponents:
        wrong("opponents is empty: name at least one")
    if not 1 <= suite.least <= suite.rounds <= 100_000:
        wrong(f"rounds must be from least to 100,000, least 1 or more: not {suite.rounds} and {suite.least}")
    if not 0 <= suite.start_moves <= 100_000:
        wrong(f"start_moves must be from 0 to 100,000, not {suite.start_moves}")
    if not (0 < suite.alpha < 0.5 and 0 < suite.beta < 0.5 and 0 < suite.effect < 0.5):
        wrong("alpha, beta and effect lie above 0 and below 0.5")
    for part in PARTS:
        for other in PARTS:
            games = {_id(game) for game in getattr(suite.games, part)} & {_id(game) for game in getattr(suite.games, other)}
            if part != other and games:
                wrong(f"a game is for development or for validation, not for both: {', '.join(sorted(games))}")


def _id(game: str | GameEntry) -> str:
    return game if isinstance(game, str) else game.id


def suite_plan(
    suite: Suite,
    agents: Sequence[AgentEntry],
    part: Part,
    *,
    opponents: Sequence[str] = (),
    games: Sequence[str] = (),
) -> tuple[Plan, list[str]]:
    """The plan that lets agents run a suite, without the number of its matches; and the games that are not there.

    Args:
        suite: The suite.
        agents: Who plays it.
        part: Development or validation.
        opponents: Instead of the suite's own.
        games: Only these of the part.
    """
    wanted = list(getattr(suite.games, part))
    if games:
        names = [_name(entry) for entry in wanted]
        for game in games:
            if game not in names:
                raise UnknownName(f"game in the {part} part of {suite.name}", game, names)
        wanted = [entry for entry, name in zip(wanted, names, strict=True) if name in games]
    found, missing = [], []
    for entry in wanted:
        place = _found(entry)
        if place is None:
            missing.append(_name(entry))
        else:
            found.append(place)
    if not found:
        why = f": not there are {', '.join(missing)}; PAIDIA_REFERENCE may name a folder that has them" if missing else ""
        raise BadInput(f"suite {suite.name} has no games for {part}{why}")
    met = [AgentEntry(id=opponent) for opponent in opponents or suite.opponents]
    own = {agent.name or agent.id for agent in agents}
    met = [entry for entry in met if entry.id not in own]  # an agent does not meet itself
    if not met:
        raise BadInput("there is nobody to meet: the only opponent is the agent itself")
    return Plan(
        games=found,
        agents=[*agents, *met] if suite.alone else list(agents),
        opponents=[] if suite.alone else list(met),
        levels=suite.levels,
        name=f"gauntlet-{suite.name}",
        seed=suite.seed,
        sims=suite.sims or [],
        time=suite.time or [],
        start_time=suite.start_time,
        start_moves=suite.start_moves if suite.sims else 0,
        max_steps=suite.max_steps,
        common_seeds=True,
    ), missing


def _name(entry: str | GameEntry) -> str:
    if isinstance(entry, str):
        return Path(entry).stem if entry.startswith("@") else entry
    return entry.name or entry.id


def _found(entry: str | GameEntry) -> str | GameEntry | None:
    """An entry whose game is there, with the whole path of its file; None if it is not."""
    id = _id(entry)
    if id.startswith("@"):
        folder = os.environ.get("PAIDIA_REFERENCE")
        if not folder or not (Path(folder) / id[1:]).is_file():
            return None
        path = str(Path(folder) / id[1:])
        whole = entry if isinstance(entry, GameEntry) else GameEntry(id=id)
        return msgspec.structs.replace(whole, id=path, name=_name(entry))
    try:
        find(id)
    except PaidiaError:
        return None
    return entry
