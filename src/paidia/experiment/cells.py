"""A cell is one game (and level), one pairing and one budget, played over all assignments of roles.

Every match of a cell has a place (pair, seat): the seats of a pair are all the assignments of the two
agents to the roles, played with the same seed. A cell's key is a digest of everything that its results
depend on, so it is the same in every plan and store.
"""

from __future__ import annotations

import hashlib
from functools import cache, cached_property
from itertools import product
from typing import Any

import msgspec

from paidia.core.budget import Budget
from paidia.core.loading.plugins import files_in
from paidia.core.seeds import spawn
from paidia.players.definition import AgentDefinition

__all__ = ["Cell", "Contender", "assignments", "definition_json", "without_defaults"]


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
    rules: str = ""  # digest of the rule file (and level), where the game is one
    disqualify: bool = False  # a video game in which an overrun loses
    start_moves: int = 0  # what the time before the first move is worth in moves whose budget is a number of simulations
    common: bool = False  # its seeds are those of the game: whoever plays alone meets the same chance

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
            **({"disqualify": True} if self.disqualify else {}),
            **({"start_moves": self.start_moves} if self.start_moves else {}),
            **({"common": True} if self.common else {}),
        }
        return hashlib.sha256(msgspec.json.encode(identity, order="sorted")).hexdigest()[:32]

    @property
    def _common_key(self) -> str:
        identity = {"game": self.rules or self.game, "level": self.level}
        return hashlib.sha256(msgspec.json.encode(identity, order="sorted")).hexdigest()[:32]

    @cached_property
    def seats(self) -> list[tuple[int, ...]]:
        """For every seat of a pair, which contender plays each role."""
        return assignments(self.n_roles) if len(self.contenders) == 2 else [(0,) * self.n_roles]

    def match_seed(self, pair: int) -> int:
        """The seed of all matches of a pair (63 bits: it has to fit into a database)."""
        digest = bytes.fromhex(self._common_key if self.common else self.key)
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


@cache
def _fields(kind: type[msgspec.Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    """The fields of a structure: to find them takes a hundred times as long as to go through them."""
    return msgspec.structs.fields(kind)


def without_defaults(value: Any) -> Any:
    """A structure as plain data without what equals its default, so that a new setting does not change old
    digests.
    """
    if isinstance(value, msgspec.Struct):
        plain = {}
        for field in _fields(type(value)):
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
    """What an agent does, as JSON: its definition without prose and defaults, and under `files` a digest of each Python file
    that it names: whoever changes a strategy has another agent. What such a file imports does not count, nor do names for
    settings (`switches`): those in use have been followed.
    """
    plain = without_defaults(definition)
    for name in ("summary", "paper", "switches"):
        plain.pop(name, None)
    if files := files_in(plain):
        plain["files"] = files
    return msgspec.json.encode(plain, order="sorted").decode()
