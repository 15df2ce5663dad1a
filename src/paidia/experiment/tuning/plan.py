"""What is to be tuned, as a TOML file says it. An unknown key is an error.

agent = "p-base"
games = ["connect4", { id = "gdl:breakthrough", sims = 500 }]
sims = 1000
evaluations = 200

[space]
parameters = ["K", "ref", "C", "epsilon"]
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import msgspec

from paidia.control.settings import ControlSettings
from paidia.control.space import Space
from paidia.core.errors import PaidiaError, RuleError
from paidia.experiment.plan import MOST_SIMULATIONS, AgentEntry, convert_plan, plan_text
from paidia.players.definition import change
from paidia.players.registry import load_agent

__all__ = ["NtbeaSettings", "OptunaSettings", "RaceSettings", "SpaceTable", "TuneGame", "TunePlan", "load_plan", "parse_plan"]


class TuneGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game that needs more than its id.

    Attributes:
        id: Id of the game, or the path of its rules (relative to the plan).
        levels: Levels of a video game.
        sims: Simulations per move in this game, instead of the plan's budget.
        time: Seconds per move in this game, instead of the plan's budget.
    """

    id: str
    levels: list[str | int] = []
    sims: int = 0
    time: float = 0.0


class SpaceTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The parameters and their values, as in the `[control]` table of an agent (`control.settings`)."""

    parameters: tuple[str, ...] = ()
    set: str = "original"
    values: dict[str, tuple[float, ...]] = {}


class NtbeaSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Constants of NTBEA (`ntbea`).

    Attributes:
        k: Weight of exploration, on the scale of points in [0, 1].
        neighbours: Candidates for the next combination; at most a quarter of the space.
        tuples: Lengths of the tuples in the model.
        full_tuple: Whether the tuple of all parameters is in the model too.
        e: Keeps the exploration of an unseen tuple finite.
    """

    k: float = 0.7
    neighbours: int = 50
    tuples: tuple[int, ...] = (1, 2)
    full_tuple: bool = True
    e: float = 0.5


class OptunaSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of Optuna's tree-structured Parzen estimator.

    Attributes:
        startup: Random evaluations before the estimator takes over.
    """

    startup: int = 10


class RaceSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of iterated racing (`race`).

    Attributes:
        runners: Combinations of a race.
        first: Rounds before anybody can drop out.
        rounds: Rounds of a race at most.
        elites: How many are left at its end.
        z: Standard errors that a runner may be behind the leader.
    """

    runners: int = 20
    first: int = 5
    rounds: int = 20
    elites: int = 3
    z: float = 1.96


class TunePlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A search for good parameters.

    Attributes:
        agent: Whose parameters are tuned: id, path or table (`AgentEntry`).
        games: Ids of games, paths of rules, or tables (`TuneGame`).
        space: The parameters and their values.
        opponent: Whom the agent meets; itself with the values it has, if left out.
        method: "ntbea", "race" (in the manner of irace) or "optuna" (needs the extra `tune`).
        evaluations: Combinations to be judged, repetitions included.
        matches: Matches of an evaluation in each game; rounded up so that every assignment of roles is played equally often.
        batch: Combinations that are proposed at a time; more than one keeps many workers busy.
        validation: Matches of the recommended combination in each game, with seeds that no evaluation has used.
        sims: Simulations per move.
        time: Seconds per move; results are then not reproducible.
        seed: Root of everything random.
        name: Name of the plan; its file name if left out.
        max_steps: A match that lasts longer is stopped, with the goals of its last state.
        adjudicate: A match that has lasted so many joint moves is stopped and judged by random games from there (`adjudicate`);
            0: matches are played to their end.
        playouts: Random games of a judge.
        ntbea: Constants of NTBEA.
        optuna: Settings of Optuna.
        race: Settings of iterated racing.
    """

    agent: str | AgentEntry
    games: list[str | TuneGame]
    space: SpaceTable
    opponent: str | AgentEntry | None = None
    method: Literal["ntbea", "race", "optuna"] = "ntbea"
    evaluations: int = 100
    matches: int = 2
    batch: int = 1
    validation: int = 100
    sims: int = 0
    time: float = 0.0
    seed: int = 0
    name: str = ""
    max_steps: int = 100_000
    adjudicate: int = 0
    playouts: int = 1024
    ntbea: NtbeaSettings = NtbeaSettings()
    optuna: OptunaSettings = OptunaSettings()
    race: RaceSettings = RaceSettings()

    def make_space(self) -> Space:
        """The space that the plan describes."""
        table = self.space
        return ControlSettings(parameters=table.parameters, set=table.set, values=table.values).space()


_TABLES: dict[str, type[msgspec.Struct]] = {
    "$": TunePlan, "games": TuneGame, "agent": AgentEntry, "opponent": AgentEntry, "space": SpaceTable,
    "ntbea": NtbeaSettings, "optuna": OptunaSettings, "race": RaceSettings,
}  # fmt: skip


def load_plan(path: Path) -> TunePlan:
    """Read and check a plan."""
    return parse_plan(plan_text(path), file=str(path), name=path.stem, folder=path.parent)


def parse_plan(text: str, *, file: str = "plan", name: str = "plan", folder: Path = Path()) -> TunePlan:
    """The plan in a TOML text; `folder` is where its relative paths start."""
    plan = convert_plan(text, TunePlan, _TABLES, file=file, whole="a tuning plan")
    _check(plan, file, folder)
    return plan if plan.name else msgspec.structs.replace(plan, name=name)


def _check(plan: TunePlan, file: str, folder: Path) -> None:
    def wrong(message: str) -> Any:
        raise RuleError(message, file=file)

    if not plan.games:
        wrong("games is empty: name at least one")
    for key, low, high in (
        ("evaluations", 1, 1_000_000), ("matches", 1, 100_000), ("batch", 1, 10_000), ("validation", 0, 1_000_000),
        ("seed", 0, 2**63 - 1), ("max_steps", 1, MOST_SIMULATIONS), ("sims", 0, MOST_SIMULATIONS),
        ("adjudicate", 0, MOST_SIMULATIONS), ("playouts", 1, 1_000_000),
    ):  # fmt: skip
        if not low <= getattr(plan, key) <= high:
            wrong(f"{key} must be from {low:,} to {high:,}, not {getattr(plan, key):,}")
    own = [(game.sims, game.time) for game in plan.games if isinstance(game, TuneGame)]
    for sims, time in [(plan.sims, plan.time), *own]:
        if sims and time:
            wrong("give one budget, not two: sims or time")
        if not 0 <= sims <= MOST_SIMULATIONS or not 0 <= time < 86400:
            wrong("a budget is a number of simulations, or of seconds up to a day")
    if not (0 <= plan.ntbea.k < float("inf") and 0 < plan.ntbea.e < float("inf")):
        wrong("k of [ntbea] must be 0 or larger, and e above 0")
    if not 1 <= plan.ntbea.neighbours <= 10_000:
        wrong(f"neighbours of [ntbea] must be from 1 to 10,000, not {plan.ntbea.neighbours}")
    if not 1 <= plan.optuna.startup <= 1_000_000:
        wrong(f"startup of [optuna] must be from 1 to 1,000,000, not {plan.optuna.startup}")
    race = plan.race
    if not 1 <= race.elites < race.runners <= 10_000:
        wrong(f"elites of [race] must be from 1 to runners - 1, and runners up to 10,000: {race.elites} of {race.runners}")
    if not 2 <= race.first <= race.rounds or not 0 < race.z < float("inf"):
        wrong("[race]: first is 2 or more, rounds not less, and z above 0")
    try:
        space = plan.make_space()
    except PaidiaError as error:
        wrong(f"[space]: {error}")
    if not space.discrete:
        wrong("[space]: a range of values cannot be tuned off-line; give lists of values")
    tuples = {*plan.ntbea.tuples, *([len(space.names)] if plan.ntbea.full_tuple else [])}
    if not tuples or min(plan.ntbea.tuples, default=1) < 1:
        wrong("tuples of [ntbea] are lengths of 1 and more, and without full_tuple at least one is needed")
    agent = plan.agent if isinstance(plan.agent, str) else plan.agent.id
    near = folder / agent
    try:
        definition = load_agent(str(near) if agent.endswith(".toml") and near.exists() else agent)
        for parameter in space.parameters:
            change(definition, parameter.name, parameter.values[-1])
    except PaidiaError as error:
        wrong(f"agent {agent}: {error}")
    if definition.control:
        wrong(f"agent {agent} sets its parameters while it plays ([control]); tune one that leaves them alone")
