"""KIF text -> s-expressions, each with the place it was written at.

The same reader serves rule sheets and the messages of the GGP protocol. Text from outside is hostile: its
size and the depth of its parentheses are bounded, so whoever walks the result may recurse. A comment runs
from `;` to the end of its line. Upper and lower case mean the same word, but the spelling is kept: hosts
compare the moves we send letter by letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from paidia.core.errors import BadInput, RuleError
from paidia.core.machine.alarm import check

__all__ = [
    "MAX_DEPTH",
    "MAX_LENGTH",
    "NOWHERE",
    "TOKEN",
    "Expr",
    "Place",
    "Sexpr",
    "Word",
    "parse",
    "read_text",
    "write",
]

MAX_LENGTH = 2_000_000  # characters; the largest known rule sheets have some hundred thousand
MAX_DEPTH = 100  # nested parentheses; the deepest known rule sheets use about ten

TOKEN = re.compile(r"[()]|[^\s();]+|;[^\n]*|\n")


class Place(NamedTuple):
    """Where something stands: file (or "" where there is none), line and column counted from 1."""

    file: str
    line: int
    column: int

    def error(self, message: str) -> RuleError:
        """An error that names this place."""
        return RuleError(message, file=self.file, line=self.line, column=self.column)


NOWHERE = Place("", 0, 0)


@dataclass(frozen=True, slots=True)
class Word:
    """A symbol or a variable; `name` is what counts, `text` how it was spelt."""

    text: str
    place: Place = field(default=NOWHERE, compare=False)

    @property
    def name(self) -> str:
        """The word in lower case."""
        return self.text.lower()


@dataclass(frozen=True, slots=True)
class Expr:
    """A parenthesised list."""

    items: tuple[Sexpr, ...]
    place: Place = field(default=NOWHERE, compare=False)

    def __iter__(self) -> Iterator[Sexpr]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


Sexpr = Word | Expr


def parse(text: str, *, file: str = "") -> list[Sexpr]:
    """All s-expressions of a text.

    Raises:
        RuleError: a parenthesis is missing or too many, the text is too long or nested too deeply.
    """
    if len(text) > MAX_LENGTH:
        raise RuleError(f"the text has {len(text)} characters; at most {MAX_LENGTH} are read", file=file)
    line, line_start = 1, -1
    done: list[Sexpr] = []
    open_lists: list[tuple[list[Sexpr], Place]] = []
    current = done
    for match in TOKEN.finditer(text):
        token = match[0]
        if token == "\n":
            check()
            line += 1
            line_start = match.start()
            continue
        if token[0] == ";":
            continue
        place = Place(file, line, match.start() - line_start)
        if token == "(":
            if len(open_lists) == MAX_DEPTH:
                raise place.error(f"parentheses are nested more than {MAX_DEPTH} deep")
            items: list[Sexpr] = []
            open_lists.append((items, place))
            current = items
        elif token == ")":
            check()
            if not open_lists:
                raise place.error("this closing parenthesis has no opening one")
            items, start = open_lists.pop()
            current = open_lists[-1][0] if open_lists else done
            current.append(Expr(tuple(items), start))
        else:
            current.append(Word(token, place))
    if open_lists:
        raise open_lists[-1][1].error("this parenthesis is never closed")
    return done


def read_text(path: str | Path) -> str:
    """The text of a rule file, or an error that says why it cannot be read."""
    path = Path(path)
    try:
        if path.stat().st_size > 4 * MAX_LENGTH:
            raise BadInput(f"{path}: a rule file of {path.stat().st_size} bytes is too large")
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}: not UTF-8 text (see byte {error.start})") from None
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror or error}") from None


def write(sexpr: Sexpr | Sequence[Sexpr]) -> str:
    """The text of an s-expression with single spaces: `(f a b)`."""
    if isinstance(sexpr, Word):
        return sexpr.text
    return "(" + " ".join(write(item) for item in sexpr) + ")"
