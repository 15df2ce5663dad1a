"""Records of all kinds as a time line: those of `play` and of the page, and those of GGP hosts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from paidia.core.errors import BadInput
from paidia.match.record import MatchRecord
from paidia.web.desk.catalogue import inside

__all__ = ["Opened", "open_record"]

LARGEST = 50_000_000


class Opened(msgspec.Struct, frozen=True):
    """A match that was played.

    Attributes:
        game: What loads its rules.
        level: Of a video game.
        seed: Of the match.
        moves: Joint moves by name.
        agents: Who played.
        about: What else the record says, for the page.
    """

    game: str
    level: str | None
    seed: int
    moves: list[list[str | None]]
    agents: list[str]
    about: dict[str, Any]


def open_record(letter: dict[str, Any], folders: list[Path], home: Path) -> Opened:
    """The record that the page sent as text, or names as a file of the user's folders."""
    if "file" in letter:
        path = inside(str(letter["file"]), folders)
        if path.stat().st_size > LARGEST:
            raise BadInput(f"{path.name} is larger than {LARGEST:,} bytes")
        data, name = path.read_bytes(), path.name
    else:
        data, name = str(letter["record"]).encode(), "the record"
    try:
        plain = msgspec.json.decode(data, type=dict[str, Any])
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadInput(f"{name} is not a record: {error}") from None
    if "matchId" in plain:
        return _of_host(plain, letter, name)
    return _of_play(plain, data, name, letter)


def _of_play(plain: dict[str, Any], data: bytes, name: str, letter: dict[str, Any]) -> Opened:
    record = MatchRecord.from_json(data, file=name)
    extra = {key: plain[key] for key in ("definitions", "settings", "signature", "statistics", "comments") if key in plain}
    about = {
        "goals": record.goals, "ending": record.ending, "message": record.message, "budget": record.budget,
        "version": record.version, "score": record.score, "overruns": record.overruns, "trajectories": record.trajectories,
        "simulations": record.simulations, **extra,
    }  # fmt: skip
    return Opened(_game(record.game, letter), record.level, record.seed, record.moves, record.agents, about)


def _of_host(plain: dict[str, Any], letter: dict[str, Any], name: str) -> Opened:
    """A GGP match record does not hold its rules: the page says which game it is."""
    game = letter.get("game") or plain.get("gameMetaURL") or ""
    if not letter.get("game"):
        raise BadInput(f"{name} is a record of a GGP host, which does not hold its rules: choose the game first")
    steps = [[_unspaced(move) for move in _joint(joint)] for joint in plain.get("moves", [])]
    about = {
        "goals": [value / 100 for value in plain.get("goalValues", [])], "ending": "terminal", "host": True,
        "message": "" if plain.get("isCompleted") else "not completed", "errors": plain.get("errors", []),
    }  # fmt: skip
    names = plain.get("playerNamesFromHost", [])
    return Opened(str(game), None, 0, [list(step) for step in steps], [str(one) for one in names], about)


def _joint(moves: Any) -> list[str]:
    if isinstance(moves, list):
        return [str(move) for move in moves]
    from paidia.games.gdl.language.kif import Expr, parse, write

    found = parse(str(moves))
    inside_ = found[0].items if len(found) == 1 and isinstance(found[0], Expr) else tuple(found)
    return [write(move) for move in inside_]


def _unspaced(move: str) -> str:
    from paidia.games.gdl.language.kif import parse, write

    found = parse(move)
    return write(found[0]) if len(found) == 1 else move


def _game(spec: str, letter: dict[str, Any]) -> str:
    """The game of a record; where that was a file, the page must say which game it is."""
    if "/" in spec or spec.endswith((".kif", ".gdl", ".txt")):
        if letter.get("game"):
            return str(letter["game"])
        raise BadInput(f"the record is of {Path(spec).name}, a file: choose the game that it is in the list of games first")
    return spec
