"""Errors a person can act on: what is wrong, where, and what to do about it.

Everything a user can cause is a `PaidiaError`; the command line prints its text and exits with code 2. Any
other exception is a defect of ours and keeps its traceback.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping

__all__ = [
    "BadInput",
    "IllegalMove",
    "OutOfTime",
    "PaidiaError",
    "RuleError",
    "UnknownName",
    "did_you_mean",
    "nearest",
    "unknown_key",
]

MAX_LENGTH, MAX_NAMES = 100, 1000  # of a name, and of names, among which a near one is sought


class PaidiaError(Exception):
    """Base of all errors that a user's input can cause."""


class BadInput(PaidiaError):
    """A value, option or file that cannot be used; the text says why and what would work."""


class IllegalMove(PaidiaError):
    """A move that the rules do not allow in the present state."""


class OutOfTime(PaidiaError):
    """Something was not finished within its limit on time (`core/machine/alarm`), or was called off."""

    def __init__(self, called_off: bool = False) -> None:
        super().__init__("it was called off" if called_off else "it took too long")
        self.called_off = called_off


class UnknownName(PaidiaError):
    """A name that nobody registered, with the nearest ones that exist."""

    def __init__(self, kind: str, name: str, known: Iterable[str], *, remedy: str = "") -> None:
        self.name = name
        self.near = nearest(name, known)
        hint = _question(self.near)
        super().__init__(f"unknown {kind} {name!r}{'; ' + hint if hint else ''}{' ' + remedy if remedy else ''}")


class RuleError(PaidiaError):
    """A mistake in a rule or plan file, with its place: `file:line:column: message`."""

    def __init__(self, message: str, *, file: str = "", line: int = 0, column: int = 0) -> None:
        place = ":".join(str(part) for part in (file, line, column) if part)
        super().__init__(f"{place}: {message}" if place else message)
        self.message = message
        self.file = file
        self.line = line
        self.column = column


def nearest(name: str, known: Iterable[str], *, most: int = 3) -> list[str]:
    """The known names that look most like `name`, best first; upper and lower case count as the same.

    Nothing looks like a very long name, and among very many it would take too long to find what does.
    """
    folded = {k.lower(): k for k in known}
    if len(name) > MAX_LENGTH or len(folded) > MAX_NAMES:
        return []
    return [folded[k] for k in difflib.get_close_matches(name.lower(), folded, n=most, cutoff=0.6)]


def did_you_mean(name: str, known: Iterable[str], *, otherwise: str = "", most: int = 3) -> str:
    """The question after a wrong name: "did you mean 'a' or 'b'?", or something else where no known name is near."""
    return _question(nearest(name, known, most=most)) or otherwise


def _question(near: list[str]) -> str:
    return f"did you mean {' or '.join(repr(n) for n in near)}?" if near else ""


def unknown_key(message: str, tables: Mapping[str, Iterable[str]], *, whole: str) -> str | None:
    """Msgspec's message about an unknown field, with the nearest valid key; None for any other message.

    Args:
        message: What msgspec says.
        tables: The valid keys of each table by its name, "$" for the document itself.
        whole: What to call the document.
    """
    unknown = re.fullmatch(r"Object contains unknown field `(.*?)`(?: - at `(.*)`)?", message, re.DOTALL)
    if unknown is None:
        return None
    place = (unknown[2] or "$").split(".")[-1].partition("[")[0]
    fields = list(tables.get(place, tables["$"]))
    hint = did_you_mean(unknown[1], fields, otherwise=f"known: {', '.join(fields)}")
    return f"{whole if place == '$' else f'[{place}]'} has no key {unknown[1]!r}; {hint}"
