"""The messages of the GGP protocol, as values and as text.

    (INFO)                                      (PLAY id NIL)  (PLAY id (move ...))
    (START id role (rule ...) start play)       (STOP id NIL)  (STOP id (move ...))
    (PREVIEW (rule ...) clock)                  (ABORT id)

The first word may be in upper or lower case, arguments after the last known one are ignored, clocks are seconds.
"""

from __future__ import annotations

from dataclasses import dataclass

from paidia.core.errors import BadInput, PaidiaError
from paidia.games.gdl.language.kif import Expr, Sexpr, Word, parse, write
from paidia.games.gdl.language.rules import build_term

__all__ = [
    "LONGEST_CLOCK",
    "Abort",
    "Info",
    "Message",
    "MessageError",
    "Play",
    "Preview",
    "Start",
    "Stop",
    "move_text",
    "read_message",
]

LONGEST_CLOCK = 3_600.0  # an hour; nobody waits longer, and what is longer is a mistake or an attack


class MessageError(BadInput):
    """What arrived is no message of the protocol, or does not fit the match."""


@dataclass(frozen=True, slots=True)
class Info:
    """Who are you, and are you free?"""

    def __str__(self) -> str:
        return "(INFO)"


@dataclass(frozen=True, slots=True)
class Start:
    """A match begins."""

    match: str
    role: str
    rules: tuple[Sexpr, ...]
    start_clock: float
    play_clock: float

    def __str__(self) -> str:
        rules = " ".join(write(rule) for rule in self.rules)
        return f"(START {self.match} {self.role} ({rules}) {self.start_clock:g} {self.play_clock:g})"


@dataclass(frozen=True, slots=True)
class Play:
    """The joint move that was played (none at first); what do you do?"""

    match: str
    moves: tuple[str, ...] | None

    def __str__(self) -> str:
        return f"(PLAY {self.match} {_moves_text(self.moves)})"


@dataclass(frozen=True, slots=True)
class Stop:
    """The joint move that ended the match."""

    match: str
    moves: tuple[str, ...] | None

    def __str__(self) -> str:
        return f"(STOP {self.match} {_moves_text(self.moves)})"


@dataclass(frozen=True, slots=True)
class Abort:
    """The match is off."""

    match: str

    def __str__(self) -> str:
        return f"(ABORT {self.match})"


@dataclass(frozen=True, slots=True)
class Preview:
    """Rules that may be played soon."""

    rules: tuple[Sexpr, ...]
    clock: float

    def __str__(self) -> str:
        return f"(PREVIEW ({' '.join(write(rule) for rule in self.rules)}) {self.clock:g})"


Message = Info | Start | Play | Stop | Abort | Preview


def read_message(text: str) -> Message:
    """The message that a text holds.

    Raises:
        MessageError: it holds none.
    """
    try:
        sexprs = parse(text)
    except PaidiaError as error:
        raise MessageError(f"not a message: {error}") from None
    if len(sexprs) != 1 or not isinstance(sexprs[0], Expr) or not sexprs[0].items:
        raise MessageError("a message is one list, such as (INFO)")
    head, *rest = sexprs[0].items
    word = head.name if isinstance(head, Word) else ""
    if word == "info":
        return Info()
    if word == "start":
        _at_least(word, rest, 5)
        return Start(_name(rest[0]), _name(rest[1]), _rules(rest[2]), _clock(rest[3]), _clock(rest[4]))
    if word == "preview":
        _at_least(word, rest, 2)
        return Preview(_rules(rest[0]), _clock(rest[1]))
    if word in ("play", "stop"):
        _at_least(word, rest, 2)
        return (Play if word == "play" else Stop)(_name(rest[0]), _moves(rest[1]))
    if word == "abort":
        _at_least(word, rest, 1)
        return Abort(_name(rest[0]))
    raise MessageError("a message starts with INFO, START, PLAY, STOP, ABORT or PREVIEW")


def move_text(sexpr: Sexpr) -> str:
    """A move in one spelling: lower case, single spaces, no parentheses around a single word."""
    try:
        return str(build_term(sexpr))
    except PaidiaError as error:
        raise MessageError(f"not a move: {error}") from None


def _at_least(word: str, rest: list[Sexpr], n: int) -> None:
    if len(rest) < n:
        raise MessageError(f"{word.upper()} takes {n} arguments, not {len(rest)}")


def _name(sexpr: Sexpr) -> str:
    if not isinstance(sexpr, Word) or len(sexpr.text) > 200:
        raise MessageError("a match or a role is named by one word")
    return sexpr.text


def _rules(sexpr: Sexpr) -> tuple[Sexpr, ...]:
    if not isinstance(sexpr, Expr):
        raise MessageError("rules are a list")
    return sexpr.items


def _clock(sexpr: Sexpr) -> float:
    try:
        seconds = float(_name(sexpr))
    except ValueError:
        raise MessageError("a clock is a number of seconds") from None
    if not 0 <= seconds <= LONGEST_CLOCK:
        raise MessageError(f"a clock is between 0 and {LONGEST_CLOCK:g} seconds")
    return seconds


def _moves(sexpr: Sexpr) -> tuple[str, ...] | None:
    if isinstance(sexpr, Word):
        if sexpr.name != "nil":
            raise MessageError("moves are a list, or NIL")
        return None
    return tuple(move_text(item) for item in sexpr) if sexpr.items else None


def _moves_text(moves: tuple[str, ...] | None) -> str:
    return "NIL" if moves is None else f"({' '.join(moves)})"
