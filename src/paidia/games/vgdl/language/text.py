"""The outer form of a VGDL description: an indentation tree of lines, each split into words that know their
column.

Indentation is the number of leading white-space characters (a tab counts as one); a line belongs to the
nearest earlier line with a smaller indentation. `#` starts a comment. See `description.py` for what the lines
mean.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from paidia.core.errors import BadInput, RuleError

__all__ = ["MAX_BYTES", "Line", "Word", "parse_tree", "read_text"]

MAX_BYTES = 1_000_000  # a description or level larger than this is not a game
MAX_LINES = 20_000
MAX_DEPTH = 60


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a line and its column (1 = first character)."""

    text: str
    column: int


@dataclass(slots=True)
class Line:
    """One line that is not blank, with the lines that belong to it."""

    number: int
    indent: int
    words: list[Word]
    children: list[Line] = field(default_factory=list)

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)


def read_text(path: str | Path) -> str:
    """The text of a rule or level file; a `BadInput` says what is wrong with the file."""
    path = Path(path)
    try:
        if path.stat().st_size > MAX_BYTES:
            raise BadInput(f"{path}: larger than {MAX_BYTES:,} bytes; this is not a VGDL file")
        return path.read_bytes().decode("utf-8", errors="replace")
    except FileNotFoundError:
        raise BadInput(f"{path}: no such file") from None
    except (OSError, ValueError) as error:
        raise BadInput(f"{path}: cannot be read ({error})") from None


def parse_tree(text: str, *, file: str = "") -> list[Line]:
    """The lines of a description as a forest, in file order."""
    if len(text) > MAX_BYTES:
        raise RuleError(f"the description has more than {MAX_BYTES:,} characters", file=file)
    roots: list[Line] = []
    stack: list[Line] = []
    for number, raw in enumerate(text.split("\n"), 1):
        if number > MAX_LINES:
            raise RuleError(f"the description has more than {MAX_LINES:,} lines", file=file, line=number)
        line = _split(raw.partition("#")[0], number)
        if line is None:
            continue
        while stack and stack[-1].indent >= line.indent:
            stack.pop()
        if len(stack) >= MAX_DEPTH:
            raise RuleError(f"lines are nested more than {MAX_DEPTH} deep", file=file, line=number, column=line.indent + 1)
        (stack[-1].children if stack else roots).append(line)
        stack.append(line)
    return roots


def _split(raw: str, number: int) -> Line | None:
    words = []
    start = None
    for column, character in enumerate(raw + " ", 1):
        if character.isspace():
            if start is not None:
                words.append(Word(raw[start - 1 : column - 1], start))
                start = None
        elif start is None:
            start = column
    return Line(number, words[0].column - 1, words) if words else None
