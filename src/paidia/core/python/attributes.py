"""The attributes of games and states written in Python: what a pickle keeps of them, and their text."""

from __future__ import annotations

import ast
import random
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from paidia.core.errors import BadInput

__all__ = [
    "attributes_of",
    "game_of_pickle",
    "observe_text",
    "pickle_of_game",
    "pickle_of_state",
    "read_attributes",
    "same_game",
    "with_attributes",
    "write_attributes",
]

T = TypeVar("T")

#: A text with more than this is no position.
LONGEST_TEXT = 1_000_000


def attributes_of(thing: object) -> dict[str, Any]:
    """All attributes that an object's own class has given it, in `__dict__` or in slots."""
    slots: list[str] = []
    for kind in type(thing).__mro__:
        own = kind.__dict__.get("__slots__", ())
        slots.extend([own] if isinstance(own, str) else own)
    found = {name: getattr(thing, name) for name in slots if name != "__dict__" and hasattr(thing, name)}
    return found | getattr(thing, "__dict__", {})


def with_attributes(thing: T, attributes: dict[str, Any]) -> T:
    """The object itself, with these attributes."""
    for name, value in attributes.items():
        setattr(thing, name, value)
    return thing


def same_game(game: Any, other: Any) -> bool:
    """Whether two games written in Python have declared and hold the same."""
    if game is other:
        return True
    return type(game) is type(other) and game.declared() == other.declared() and attributes_of(game) == attributes_of(other)


def pickle_of_game(game: Any) -> tuple[Any, ...]:
    """What `__reduce__` of a game gives: where it has come from (a file, a package), or what it declared and holds."""
    again: tuple[Any, ...] | None = getattr(game, "got_by", None)
    return again if again is not None else (game_of_pickle, (type(game), game.declared(), attributes_of(game)))


def game_of_pickle(kind: Any, declared: dict[str, Any], attributes: dict[str, Any]) -> Any:
    """The game that a pickle was made of; its class may have an `__init__` of its own, which is not called."""
    game = kind.__new__(kind)
    kind.declare_again(game, **declared)
    return with_attributes(game, attributes)


def pickle_of_state(state: Any) -> tuple[Any, ...]:
    """What `__reduce__` of a state gives."""
    return _state_again, (state.game, attributes_of(state))


def _state_again(game: Any, attributes: dict[str, Any]) -> Any:
    return with_attributes(game.initial_state(), attributes)


def write_attributes(state: Any) -> str:
    """The attributes of a state in one line, sorted; generators of `random` are left out: a position has none."""
    plain = {name: value for name, value in sorted(attributes_of(state).items()) if not isinstance(value, random.Random)}
    text = repr(plain)
    try:
        if ast.literal_eval(text) == plain:
            return text
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        pass
    raise BadInput(
        f"{state.game.id}: its states have attributes that Python cannot read back from their text; "
        "override to_text of the state and from_text of the game"
    )


def read_attributes(state: T, text: str) -> T:
    """The state with the attributes that a text gives; all that a state has have to be there."""
    now = attributes_of(state)
    try:
        if len(text) > LONGEST_TEXT:
            raise ValueError("it is too long")
        plain = ast.literal_eval(text)
        if not isinstance(plain, dict):
            raise ValueError("it is no dictionary")
        if missing := {name for name in now if not isinstance(now[name], random.Random)} ^ plain.keys():
            raise ValueError(f"it has other attributes: {', '.join(sorted(map(str, missing)))}")
    except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
        raise BadInput(f"not a position of this game: {error}") from None
    return with_attributes(state, plain)


def observe_text(state: Any, out: NDArray[np.uint8]) -> None:
    """Fill an array with the bytes of a position's text."""
    text = state.to_text().encode()
    if out.ndim != 1 or len(text) > len(out):
        raise BadInput(f"{state.game.id}: this text does not fit into {out.shape}; override observe of its states")
    out[: len(text)] = np.frombuffer(text, np.uint8)
    out[len(text) :] = 0
