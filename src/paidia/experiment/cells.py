"""From a plan to its cells: one cell is one game (and level), one pairing and one budget, played over all
assignments of roles.

Every match of a cell has a place (pair, seat): the seats of a pair are all the assignments of the two
agents to the roles, played with the same seed. A cell's key is a digest of everything that its results
depend on, so it is the same in every plan and store.
"""

from __future__ import annotations

import csv
import hashlib
from functools import cached_property
from itertools import combinations, product
from pathlib import Path
from typing import Any

import msgspec

from paidia.core.budget import Budget
from paidia.core.errors import BadInput, PaidiaError, RuleError
from paidia.core.seeds import spawn
from paidia.experiment.plan import AgentEntry, BudgetTable, GameEntry, Plan
from paidia.games import load
from paidia.players.definition import AgentDefinition, Value, change
from paidia.players.registry import load_agent

__all__ = ["Cell", "Contender", "assignments", "expand", "without_defaults"]

MOST_CELLS = 100_000


class Contender(msgspec.Struct, frozen=True):
    """One side of a cell: an agent with all its settings, and how long it may think."""

    name: str
    definition: AgentDefinition
    budget: Budget | None
    start_time: float


class Cell(msgspec.Struct, frozen=True, dict=True):
    """One cell; `contenders` are one (games of one role) or two."""

    game: str
    level: str | None
    label: str
    n_roles: int
    contenders: tuple[Contender, ...]
    seed: int
    max_steps: int
    rules: str = ""  # digest of the rule file, where the game is one

    @cached_property
    def key(self) -> str:
        """Digest of everything that the results depend on."""
        identity = {
            "game": self.game if not self.rules else self.rules,
            "level": self.level,
            "seed": self.seed,
            "max_steps": self.max_steps,
            "contenders": [
                [
                    c.name,
                    definition_json(c.definition),
                    without_defaults(c.budget) if c.budget else None,
                    c.start_time,
                ]
                for c in self.contenders
            ],
        }
        return hashlib.sha256(msgspec.json.encode(identity, order="sorted")).hexdigest()[:32]

    @cached_property
    def seats(self) -> list[tuple[int, ...]]:
        """For every seat of a pair, which contender plays each role."""
        return assignments(self.n_roles) if len(self.contenders) == 2 else [(0,) * self.n_roles]

    def match_seed(self, pair: int) -> int:
        """The seed of all matches of a pair (63 bits: it has to fit into a database)."""
        digest = bytes.fromhex(self.key)
        words = [int.from_bytes(digest[i : i + 4], "little") for i in range(0, 16, 4)]
        return spawn(self.seed, *words, pair) >> 1

    @property
    def title(self) -> str:
        """The cell in words."""
        level = f" level {self.level}" if self.level is not None else ""
        return f"{self.label}{level}: {' - '.join(c.name for c in self.contenders)}"


def assignments(n_roles: int) -> list[tuple[int, ...]]:
    """All assignments of two agent types to roles in which both occur, mirrored ones side by side."""
    found = []
    for first in product((0, 1), repeat=n_roles):
        if first[0] == 0 and any(first):
            found += [first, tuple(1 - type for type in first)]
    return found


def without_defaults(value: Any) -> Any:
    """A structure as plain data without what equals its default, so that a new setting does not change old
    digests.
    """
    if isinstance(value, msgspec.Struct):
        plain = {}
        for field in msgspec.structs.fields(value):
            own = getattr(value, field.name)
            if field.default_factory is not msgspec.NODEFAULT:
                default: Any = field.default_factory()
            else:
                default = field.default
            if own != default:
                plain[field.name] = without_defaults(own)
        return plain
    return msgspec.to_builtins(value)


def definition_json(definition: AgentDefinition) -> str:
    """What an agent does, as JSON: its definition without prose and defaults."""
    plain = without_defaults(definition)
    for prose in ("summary", "paper"):
        plain.pop(prose, None)
    return msgspec.json.encode(plain, order="sorted").decode()


def expand(plan: Plan, *, folder: Path = Path()) -> list[Cell]:
    """All cells of a plan; `folder` is where its relative paths start. Everything that can be wrong is
    found here, before a match is played.
    """
    file = f"plan {plan.name}"
    agents = _contenders(plan.agents, folder, file)
    opponents = _contenders(plan.opponents, folder, file)
    _distinct([*agents, *opponents], file)
    table = _read_budgets(plan.budget_table, folder, file) if plan.budget_table else {}
    cells: list[Cell] = []
    for entry in plan.games:
        game = GameEntry(id=entry) if isinstance(entry, str) else entry
        spec, rules = _rules(game.id, folder)
        levels: list[str | None] = [*game.levels] or [None]
        for level in levels:
            n_roles = _roles(spec, level, file)
            for budget in _budgets(plan, game, table, file):
                for pairing in _pairings(agents, opponents, n_roles, game.id, file):
                    cells.append(
                        Cell(
                            game=spec,
                            level=level,
                            label=game.name or game.id,
                            n_roles=n_roles,
                            contenders=tuple(
                                _seated(agent, definition, plan, budget, file)
                                for agent, definition in pairing
                            ),
                            seed=plan.seed,
                            max_steps=plan.max_steps,
                            rules=rules,
                        )
                    )
                    if len(cells) > MOST_CELLS:
                        raise RuleError(f"more than {MOST_CELLS:,} cells", file=file)
    doubled = len(cells) - len({cell.key for cell in cells})
    if doubled:
        raise RuleError(
            f"{doubled} cells occur twice: the same game, agents and budget are named more than once",
            file=file,
        )
    return cells


def _contenders(
    entries: list[str | AgentEntry], folder: Path, file: str
) -> list[tuple[AgentEntry, AgentDefinition]]:
    found = []
    for entry in entries:
        agent = AgentEntry(id=entry) if isinstance(entry, str) else entry
        own = folder / agent.id
        definition = load_agent(str(own) if agent.id.endswith(".toml") and own.exists() else agent.id)
        try:
            for key, value in _flat(agent.settings).items():
                definition = change(definition, key, value)
        except PaidiaError as error:
            raise RuleError(f"agent {agent.name or agent.id}: {error}", file=file) from None
        found.append((agent if agent.name else msgspec.structs.replace(agent, name=agent.id), definition))
    return found


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


def _distinct(agents: list[tuple[AgentEntry, AgentDefinition]], file: str) -> None:
    known: dict[str, tuple[AgentEntry, AgentDefinition]] = {}
    for agent, definition in agents:
        if known.setdefault(agent.name, (agent, definition)) != (agent, definition):
            raise RuleError(
                f"two different agents are called {agent.name!r}: give one of them another name", file=file
            )


def _rules(id: str, folder: Path) -> tuple[str, str]:
    """The spec to load a game by, and the digest of its rules where it is a file."""
    own = folder / id
    for path in (own, Path(id)):
        if ("/" in id or "." in id) and path.is_file():
            return str(path), hashlib.sha256(path.read_bytes()).hexdigest()
    return id, ""


def _roles(spec: str, level: str | None, file: str) -> int:
    try:
        return load(spec, level=level).n_roles
    except PaidiaError as error:
        raise RuleError(str(error), file=file) from None


def _pairings(
    agents: list[tuple[AgentEntry, AgentDefinition]],
    opponents: list[tuple[AgentEntry, AgentDefinition]],
    n_roles: int,
    game: str,
    file: str,
) -> list[tuple[tuple[AgentEntry, AgentDefinition], ...]]:
    if n_roles == 1:
        return [(agent,) for agent in agents]
    if opponents:
        pairs = [pair for pair in product(agents, opponents) if pair[0][0].name != pair[1][0].name]
    else:
        pairs = list(combinations(agents, 2))
    if not pairs:
        raise RuleError(f"{game} has {n_roles} roles: name opponents, or a second agent", file=file)
    return list(pairs)


def _seated(
    agent: AgentEntry, definition: AgentDefinition, plan: Plan, budget: Budget | None, file: str
) -> Contender:
    try:
        if agent.sims or agent.time:
            budget = Budget(simulations=agent.sims, seconds=agent.time)
    except BadInput as error:
        raise RuleError(f"agent {agent.name}: {error}", file=file) from None
    start = plan.start_time if agent.start_time is None else agent.start_time
    return Contender(name=agent.name, definition=definition, budget=budget, start_time=start)


def _budgets(plan: Plan, game: GameEntry, table: dict[str, int], file: str) -> list[Budget | None]:
    try:
        if plan.budget_table is not None:
            if game.id not in table:
                raise RuleError(f"{plan.budget_table.file} has no row for the game {game.id!r}", file=file)
            return [Budget(simulations=table[game.id])]
        if plan.sims:
            return [
                Budget(simulations=sims)
                for sims in ([plan.sims] if isinstance(plan.sims, int) else plan.sims)
            ]
        if plan.time:
            seconds = plan.time if isinstance(plan.time, list) else [plan.time]
            return [Budget(seconds=each) for each in seconds]
    except BadInput as error:
        raise RuleError(str(error), file=file) from None
    return [None]


def _read_budgets(table: BudgetTable, folder: Path, file: str) -> dict[str, int]:
    path = inside(folder, table.file, file)
    budgets: dict[str, int] = {}
    try:
        with path.open(newline="", encoding="utf-8") as lines:
            rows = csv.DictReader(lines)
            missing = {table.game, table.value, *table.where} - set(rows.fieldnames or [])
            if missing:
                raise RuleError(f"no column {', '.join(sorted(missing))}", file=str(path), line=1)
            for number, row in enumerate(rows, start=2):
                if all(row[column] == wanted for column, wanted in table.where.items()):
                    try:
                        budgets[row[table.game]] = max(1, round(float(row[table.value]) * table.scale))
                    except (ValueError, OverflowError):
                        raise RuleError(
                            f"{table.value} is not a number: {row[table.value]!r}",
                            file=str(path),
                            line=number,
                        ) from None
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise RuleError(f"cannot read the budgets: {error}", file=str(path)) from None
    return budgets


def inside(folder: Path, name: str, file: str) -> Path:
    """A file that a plan names, which has to lie in the plan's own folder."""
    path = (folder / name).resolve()
    if not path.is_relative_to(folder.resolve()):
        raise RuleError(f"{name!r} is outside the folder of the plan", file=file)
    return path
