"""From a plan to its cells. What is wrong with a plan is found here, before a match is played."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product
from pathlib import Path

import msgspec

from paidia.core.budget import Budget
from paidia.core.errors import PaidiaError, RuleError
from paidia.core.loading.plugins import absolute
from paidia.experiment.budgets import agent_budget, plan_budgets, read_table
from paidia.experiment.cells import Cell, Contender
from paidia.experiment.plan import AgentEntry, GameEntry, Plan
from paidia.games import FoundGame, find
from paidia.players.definition import AgentDefinition, Value, change
from paidia.players.registry import load_agent, whole_places

__all__ = ["expand", "find_agent"]

MOST_CELLS = 100_000

#: An agent of the plan with all its settings.
Agent = tuple[AgentEntry, AgentDefinition]


def expand(plan: Plan, *, folder: Path = Path(), file: str = "", alone: bool = False) -> list[Cell]:
    """All cells of a plan; `folder` is where its relative paths start, `file` its name for errors.

    With `alone` every agent plays all roles of a game itself: what is studied then is what it does, not who wins.
    """
    file = file or f"plan {plan.name}"
    agents = _contenders(plan.agents, "agents", folder, file)
    opponents = _contenders(plan.opponents, "opponents", folder, file)
    if alone and plan.opponents:
        raise RuleError("here agents play all roles themselves: leave opponents out", file=file)
    table = read_table(plan.budget_table, folder, file) if plan.budget_table else None
    cells: list[Cell] = []
    for entry in plan.games:
        game = GameEntry(id=entry) if isinstance(entry, str) else entry
        here = _in_game(agents, game, file)
        there = _in_game(opponents, game, file)
        _in_game([*here, *there], game, file)
        try:
            rules = find(game.id, folder=folder)
            places = [_place(rules, level) for level in _levels(rules, game.levels or plan.levels, folder)]
        except PaidiaError as error:
            raise RuleError(f"games: {game.id}: {error}", file=file) from None
        for (level, n_roles, digest), budget in product(places, plan_budgets(plan, file)):
            met = _pairings(here, there, 1 if alone else n_roles, plan.pairing, game.id, file)
            for pairing in met:
                contenders = [_contender(agent, game.id, budget, table, plan, file) for agent in pairing]
                cells.append(
                    Cell(
                        game=rules.spec,
                        level=level,
                        label=game.name or game.id,
                        n_roles=n_roles,
                        contenders=tuple(contenders),
                        seed=plan.seed,
                        max_steps=plan.max_steps,
                        rules=digest,
                        disqualify=plan.disqualify and rules.world.startswith("vgdl"),
                        start_moves=plan.start_moves,
                        common=plan.common_seeds and len(pairing) == 1,
                    )
                )
                if len(cells) > MOST_CELLS:
                    raise RuleError(f"more than {MOST_CELLS:,} cells", file=file)
    doubled = len(cells) - len({cell.key for cell in cells})
    if doubled:
        raise RuleError(f"{doubled} cells occur twice: a game, an agent or a budget is named again", file=file)
    return cells


def _contenders(entries: list[str | AgentEntry], key: str, folder: Path, file: str) -> list[Agent]:
    found = []
    for entry in entries:
        agent = AgentEntry(id=entry) if isinstance(entry, str) else entry
        if not agent.available:
            continue
        try:
            definition = find_agent(agent, folder)
        except PaidiaError as error:
            raise RuleError(f"{key}: agent {agent.name or agent.id}: {error}", file=file) from None
        found.append((agent if agent.name else msgspec.structs.replace(agent, name=agent.id), definition))
    return found


def find_agent(agent: AgentEntry, folder: Path) -> AgentDefinition:
    """The definition of an agent of a plan, with its settings."""
    own = folder / agent.id
    definition = load_agent(str(own) if agent.id.endswith(".toml") and own.exists() else absolute(agent.id, folder))
    for key, value in whole_places(_flat(agent.settings), folder).items():
        definition = change(definition, key, value)
    return definition


def _flat(settings: dict[str, Value | dict[str, Value]]) -> dict[str, Value]:
    """`playout.decay = 1` in TOML is a table in a table, `"playout.decay" = 1` a key with a dot: both mean
    the same.
    """
    flat: dict[str, Value] = {}
    for key, value in settings.items():
        if isinstance(value, dict):
            flat.update({f"{key}.{option}": inner for option, inner in value.items()})
        else:
            flat[key] = value
    return flat


def _in_game(agents: list[Agent], game: GameEntry, file: str) -> list[Agent]:
    """The agents that play a game; each has a name of its own there."""
    playing = [agent for agent in agents if not agent[0].games or {game.id, game.name} & set(agent[0].games)]
    known: dict[str, Agent] = {}
    for agent in playing:
        if known.setdefault(agent[0].name, agent) != agent:
            name = agent[0].name
            raise RuleError(f"agents: two different agents are called {name!r}: give one of them another name", file=file)
    return playing


def _levels(rules: FoundGame, wanted: Sequence[str | int], folder: Path) -> list[str | None]:
    """The levels of a video game that a plan means: those it names (numbers, or files beside it), or all."""
    texts = [str(level) for level in wanted]
    named = [level if level.isdecimal() or not (folder / level).is_file() else str(folder / level) for level in texts]
    return [*(named or rules.levels())] or [None]


def _place(rules: FoundGame, level: str | None) -> tuple[str | None, int, str]:
    """Where a cell is played: its level, number of roles, and digest of its rules. It is loaded to see that it can be."""
    return level, rules.load(level).n_roles, rules.digest(level)


def _pairings(
    agents: list[Agent], opponents: list[Agent], n_roles: int, pairing: str, game: str, file: str
) -> list[tuple[Agent, ...]]:
    if n_roles == 1:
        return [(agent,) for agent in agents]
    if not opponents:
        met = list(combinations(agents, 2))
    elif pairing == "zip":
        met = list(zip(agents, opponents, strict=False))
    else:
        met = list(product(agents, opponents))
    pairs: list[tuple[Agent, ...]] = [pair for pair in met if pair[0][0].name != pair[1][0].name]
    if not pairs:
        raise RuleError(f"games: {game} has {n_roles} roles: name opponents, or a second agent", file=file)
    return pairs


def _contender(
    agent: Agent,
    game: str,
    budget: Budget | None,
    table: dict[tuple[str, str], int] | None,
    plan: Plan,
    file: str,
) -> Contender:
    """An agent with its budget in one game."""
    entry, definition = agent
    budget = agent_budget(entry, game, budget, table, file)
    start = plan.start_time if entry.start_time is None else entry.start_time
    return Contender(name=entry.name, definition=definition, budget=budget, start_time=start)
