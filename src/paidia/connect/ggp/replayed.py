"""A match that a GGP host wrote down (`paidia host --record`, or another host), as a record of ours, so that it can be shown."""

from __future__ import annotations

from typing import Any

import msgspec

from paidia.connect.ggp.messages import MessageError
from paidia.connect.ggp.position import Position
from paidia.core.errors import BadInput, PaidiaError
from paidia.core.game import Game
from paidia.games.gdl.language.kif import Sexpr, Word, parse
from paidia.match.record import MatchRecord

__all__ = ["is_ggp_record", "read_ggp_record"]


class _Match(msgspec.Struct):
    """The keys that are needed; hosts write more."""

    matchId: str
    moves: list[list[str]]
    goalValues: list[float] = []
    playerNamesFromHost: list[str | None] = []
    startClock: float = 0
    playClock: float = 0
    isCompleted: bool = False


class _Head(msgspec.Struct):
    matchId: Any = None


def is_ggp_record(data: bytes) -> bool:
    """Whether this is the JSON of a GGP host."""
    try:
        return msgspec.json.decode(data, type=_Head).matchId is not None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False


def read_ggp_record(data: bytes, game: Game, *, file: str = "record") -> MatchRecord:
    """The match as a record of ours: every move is tried on the rules."""
    try:
        match = msgspec.json.decode(data, type=_Match)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(f"{file} is not a match of a GGP host: {error}") from None
    if not hasattr(game.initial_state(), "fluents"):
        raise BadInput(f"{file} is a match of a GDL game, and {game.id} is none: name the rule sheet (gdl:NAME)")
    position, moves = Position(game), []
    for step, joint in enumerate(match.moves):
        texts = [_compact(move, file) for move in joint]
        mover, state = position.state.mover, position.state
        try:
            names = {role: {name.lower(): name for name in position.legal(role)} for role in range(game.n_roles)}
            acts = [mover in (None, role) and bool(state.legal(role)) for role in range(game.n_roles)]
            position.play(texts)
        except MessageError as error:
            raise BadInput(f"{file} does not fit the rules of {game.id} at step {step}: {error}") from None
        moves.append([names[role].get(text.lower()) if acts[role] else None for role, text in enumerate(texts)])
    ended = position.state.terminal
    if ended and match.goalValues and [goal / 100 for goal in match.goalValues] != position.state.goals:
        raise BadInput(f"{file} ends with goals {match.goalValues}, the rules say {[100 * g for g in position.state.goals]}")
    players = [name or "unknown" for name in match.playerNamesFromHost]
    return MatchRecord(
        game=game.id,
        roles=list(game.roles),
        agents=(players + ["unknown"] * game.n_roles)[: game.n_roles],
        seed=0,
        budget=f"{match.playClock:g} s",
        moves=moves,
        simulations=[[0] * game.n_roles for _ in moves],
        goals=position.state.goals,
        ending="terminal" if ended else "step limit",
        version=f"GGP match {match.matchId}",
    )


def _compact(text: str, file: str) -> str:
    """A move as our games spell it: hosts put spaces around every parenthesis."""
    try:
        found = parse(text)
    except PaidiaError as error:
        raise BadInput(f"{file} has a move that is not KIF: {text!r} ({error})") from None
    if len(found) != 1:
        raise BadInput(f"{file} has a move that is not one term: {text!r}")
    return _write(found[0])


def _write(sexpr: Sexpr) -> str:
    return sexpr.text if isinstance(sexpr, Word) else f"({' '.join(_write(item) for item in sexpr)})"
