"""Agents by name: presets that come with paidia, and a user's own TOML files."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec

from paidia.core.budget import Budget
from paidia.core.errors import BadInput, RuleError, UnknownName, unknown_key
from paidia.core.loading.plugins import absolute, is_place
from paidia.core.loading.registry import Registry
from paidia.core.model import Rules
from paidia.players.agent_player import AgentPlayer
from paidia.players.definition import AgentDefinition, SearchDefinition, Value, change
from paidia.players.external import external_agent

__all__ = ["KINDS", "agent_ids", "cannot_play", "load_agent", "make_player", "parse_settings", "player_of", "whole_places"]

#: kind of player -> its class, made from (name, definition)
KINDS: Registry[type[AgentPlayer]] = Registry("kind of player", package="paidia.players", announced="paidia.players")

_KEYS = {"$": AgentDefinition.__struct_fields__, "search": SearchDefinition.__struct_fields__}

_PRESETS = resources.files("paidia.players") / "presets"


def agent_ids() -> list[str]:
    """The ids of all presets."""
    return list(_preset_ids())


@cache
def _preset_ids() -> tuple[str, ...]:
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in _PRESETS.iterdir() if entry.name.endswith(".toml")))


def load_agent(id: str) -> AgentDefinition:
    """The definition of a preset, or of the TOML file at the path `id`."""
    return _load(id, ())


def _load(id: str, above: tuple[Path, ...]) -> AgentDefinition:
    """`above` are the files that led here by their `base`, so that a circle is found."""
    if (elsewhere := external_agent(id)) is not None:
        return elsewhere
    if ".py:" in id:
        return _python_agent(id)
    if is_place(id):  # a kind of player of an installed package: an agent without further settings
        return AgentDefinition(summary=f"the player {id}", world="any", kind=absolute(id, Path()))
    if id.endswith(".toml"):
        path = Path(id)
        if path.resolve() in above:
            raise RuleError("agent files name each other as base in a circle", file=id)
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput(f"cannot read the agent file {id}: {error}") from None
        return _parse(text, id, (*above, path.resolve()))
    if id not in agent_ids():
        raise UnknownName("agent", id, agent_ids(), remedy="`paidia agents` lists them all")
    return _parse((_PRESETS / f"{id}.toml").read_text(encoding="utf-8"), f"{id}.toml", above)


def _python_agent(id: str) -> AgentDefinition:
    """A class in a Python file of a user; it is somebody's code, so it gets a process of its own."""
    path, _, name = id.rpartition(":")
    try:
        text = Path(path).read_bytes()
    except OSError as error:
        raise BadInput(f"cannot read the player file {path}: {error}") from None
    if not name.isidentifier():
        raise BadInput(f"{id}: after the colon stands the name of a class, not {name!r}")
    source = f"{Path(path).resolve()}:{name}"
    digest = hashlib.sha256(text).hexdigest()
    return AgentDefinition(
        summary=f"class {name} of {path}", world="any", kind="python", source=source, digest=digest, isolated=True
    )


def _parse(text: str, file: str, above: tuple[Path, ...]) -> AgentDefinition:
    try:
        plain = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RuleError(f"not valid TOML: {error}", file=file) from None
    if Path(file).is_file():
        plain = whole_places(plain, Path(file).parent)
    base = plain.pop("base", None)
    if base is not None:
        base = str(base)
        if base.endswith(".toml"):  # a path is meant from where the file is
            base = str(Path(file).parent / base)
        plain = _merge(msgspec.to_builtins(_load(base, above)), plain)
    try:
        return msgspec.convert(plain, AgentDefinition)
    except msgspec.ValidationError as error:
        message = unknown_key(str(error), _KEYS, whole="an agent") or f"not an agent: {error}"
        raise RuleError(message, file=file) from None
    except BadInput as error:
        raise RuleError(f"not an agent: {error}", file=file) from None


def whole_places(value: Any, folder: Path) -> Any:
    """Settings in which each place (`my_file.py:Forward`) has its whole path: a worker may start elsewhere."""
    if isinstance(value, dict):
        return {key: whole_places(entry, folder) for key, entry in value.items()}
    if isinstance(value, list):
        return [whole_places(entry, folder) for entry in value]
    return absolute(value, folder) if isinstance(value, str) else value


def _merge(base: dict[str, object], over: dict[str, object]) -> dict[str, object]:
    """`base` with the entries of `over`, table by table."""
    merged = dict(base)
    for key, value in over.items():
        below = merged.get(key)
        merged[key] = _merge(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return merged


def parse_settings(settings: Iterable[str]) -> dict[str, Value]:
    """`["C=0.4", "reuse=false"]` as names and values; numbers, true/false, inf and plain words are understood."""
    parsed: dict[str, Value] = {}
    for text in settings:
        key, equals, value = text.partition("=")
        if not equals or not key.strip() or not value.strip():
            raise BadInput(f"a setting is written KEY=VALUE, not {text!r}")
        parsed[key.strip()] = _value(value.strip())
    return parsed


def _value(text: str) -> Value:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def make_player(id: str, *, settings: dict[str, Value] | None = None, name: str | None = None) -> AgentPlayer:
    """A player from an agent's id, with some settings changed."""
    return player_of(_changed(id, settings), name or id)


def player_of(definition: AgentDefinition, name: str) -> AgentPlayer:
    """A fresh player that a definition describes, in a process of its own if it says so."""
    if definition.isolated:
        from paidia.players.isolated import IsolatedPlayer

        return IsolatedPlayer(name, definition)
    kind = KINDS[definition.kind]
    if not (isinstance(kind, type) and issubclass(kind, AgentPlayer)):
        raise BadInput(f"{definition.kind} is no kind of player: it has to be a subclass of AgentPlayer")
    return kind(name, definition)


def cannot_play(definition: AgentDefinition, game: Rules, budget: Budget | None) -> str | None:
    """Why an agent cannot play a game with such a budget for a move; None if it can."""
    return player_of(definition, "").cannot_play(game, budget)


def _changed(id: str, settings: dict[str, Value] | None) -> AgentDefinition:
    agent = load_agent(id)
    for key, value in (settings or {}).items():
        agent = change(agent, key, value)
    return agent
