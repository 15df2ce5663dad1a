"""Records of all kinds as a time line: those of `play` and of the page, and those of GGP hosts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from paidia.core.errors import BadInput
from paidia.core.loading.plugins import is_place
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
        roots: For every step and role what its search knew of each move, where the record tells.
        record: The record itself, if it is one of ours,
        path: and its file, where it is one of the user's folders.
    """

    game: str
    level: str | None
    seed: int
    moves: list[list[str | None]]
    agents: list[str]
    about: dict[str, Any]
    roots: list[Any] = []
    record: MatchRecord | None = None
    path: Path | None = None


def open_record(letter: dict[str, Any], folders: list[Path], home: Path) -> Opened:
    """The record that the page sent as text, or names as a file of the user's folders."""
    if "file" in letter:
        path = inside(str(letter["file"]), folders)
        if path.stat().st_size > LARGEST:
            raise BadInput(f"{path.name} is larger than {LARGEST:,} bytes")
        data, name = path.read_bytes(), path.name
    else:
        path, data, name = None, str(letter["record"]).encode(), "the record"
    try:
        plain = msgspec.json.decode(data, type=dict[str, Any])
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadInput(f"{name} is not a record: {error}") from None
    if "matchId" in plain:
        return _of_host(plain, letter, name)
    return _of_play(plain, data, name, letter, path)


def _of_play(plain: dict[str, Any], data: bytes, name: str, letter: dict[str, Any], path: Path | None) -> Opened:
    record = MatchRecord.from_json(data, file=name)
    details = plain.get("details") or {}  # records that can be repeated have them
    about = {
        "goals": record.goals, "ending": record.ending, "message": record.message, "budget": record.budget,
        "version": record.version, "score": record.score, "overruns": record.overruns, "trajectories": record.trajectories,
        "signature": {part: str(number) for part, number in (details.get("signature") or {}).items()},  # too long for a double
        "settings": details.get("settings"), "repeat": _seats(record, details),
        "values": _values(details.get("roots") or []), "comments": record.comments, "file": path.name if path else None,
    }  # fmt: skip
    game = _game(record.game, letter)
    return Opened(game, record.level, record.seed, record.moves, record.agents, about, details.get("roots") or [], record, path)


def _seats(record: MatchRecord, details: dict[str, Any]) -> list[dict[str, Any]] | None:
    """The seats that play the match once more, if the record holds its agents whole."""
    definitions, budgets = details.get("definitions") or [], details.get("moves") or []
    if len(definitions) != len(record.roles) or not all(definitions) or not budgets:
        return None
    seats = []
    for role, definition in enumerate(definitions):
        budget = (budgets[role] if len(budgets) > 1 else budgets[0]) or {}
        time, sims = budget.get("seconds") or 0, int(budget.get("simulations") or 0)
        seats.append({"agent": record.agents[role], "definition": definition, "sims": sims, "time": time})
    return seats


def _values(roots: list[Any]) -> list[dict[str, Any]]:
    """What each side thought of its chances: the mean of its most visited move."""
    found = []
    for step, sides in enumerate(roots):
        for role, rows in enumerate(sides or []):
            best = max(rows or [], key=lambda row: row.get("visits", 0.0), default=None)
            if best is not None and isinstance(best.get("mean"), float) and 0 <= best["mean"] <= 1:
                found.append({"step": step, "role": role, "value": best["mean"]})
    return found


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
    if "/" in spec or spec.endswith((".kif", ".gdl", ".txt")) or is_place(spec):
        if letter.get("game"):
            return str(letter["game"])
        raise BadInput(f"the record is of {Path(spec).name}, a file: choose the game that it is in the list of games first")
    return spec
