"""What of an agent is code of others: commands, Python files, things in packages, addresses, files that may name them.

Records and the page are data. What they name is run only where the user has said so.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from paidia.core.loading.plugins import is_place
from paidia.players.definition import AgentDefinition
from paidia.players.external import SCHEMES

__all__ = ["foreign_code"]

#: Kinds of players whose settings are harmless.
_OURS = {SCHEMES["bot"][0]}
_WORDS = ("summary", "paper", "world", "digest", "switches")


def foreign_code(definition: AgentDefinition) -> list[str]:
    """The parts of a definition that are, or lead to, code of others."""
    plain: dict[str, Any] = msgspec.to_builtins(definition)
    kind = plain.pop("kind")
    found = [str(plain["planner"].get(key, "")) for scheme, (own, key) in SCHEMES.items() if kind == own and scheme != "bot"]
    if not found and is_place(kind) and kind not in _OURS:
        found.append(kind)
    parts = [value for name, value in plain.items() if name not in _WORDS]
    return found + [text for text in _texts(parts) if text not in found and _leads_away(text)]


def _leads_away(text: str) -> bool:
    return is_place(text) or ".py:" in text or text.endswith(".toml") or text.partition(":")[0] in ("engine", "ggp")


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, entry in value.items():
            yield from _texts(key)
            yield from _texts(entry)
    elif isinstance(value, list | tuple):
        for entry in value:
            yield from _texts(entry)
