"""The one door for all that commands say: results on stdout, everything else on stderr, one JSON document with `--json`.

Names of games, roles, moves, agents and files are text and nothing else: no markup, no emoji codes, no control characters that
a terminal would obey. What is bold or coloured is a `rich.text.Text`. Numbers are never broken over two lines: a table that does
not fit is written row by row. In a pipe or a file nothing is cut to a width. On a terminal without Unicode what it cannot show
is written as an escape, and lines are drawn with `-` and `|`.
"""

from __future__ import annotations

import io
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TextIO, TypeVar

import msgspec
from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleDimensions
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from paidia.report.tables import Cell, cell_text

__all__ = [
    "Steps",
    "as_text",
    "can_show",
    "console",
    "matches",
    "note",
    "print_json",
    "progress_console",
    "say",
    "shy_streams",
    "status",
    "table",
    "tracked",
]

T = TypeVar("T")

#: Characters that are more than text although they are not control characters: they change the direction of what follows.
_DIRECTIONS = {*"\u200e\u200f\u061c", *map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A))}

#: A column of words is not made narrower than this; if a table needs more room, it is written row by row.
NARROWEST = 12


def as_text(text: str) -> str:
    """Text as it may go to a terminal: what would be obeyed, and not shown, is written as an escape (`\\x1b`)."""
    if text.isprintable():  # which is nearly always so
        return text
    return "".join(_shown(sign) for sign in text)


def _shown(sign: str) -> str:
    if sign in "\n\t" or not (unicodedata.category(sign) in ("Cc", "Cs") or sign in _DIRECTIONS):
        return sign
    return sign.encode("unicode_escape").decode("ascii") if sign.isascii() or ord(sign) > 0xFF else f"\\x{ord(sign):02x}"


class _Door(Console):
    """A console to which a string is text. It looks for its stream at every use, so that tests and redirections are seen."""

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, markup=False, emoji=False, highlight=False)
        self.room = 0  # columns that a table takes where there is no terminal

    @property
    def size(self) -> ConsoleDimensions:
        """Columns and lines; where there is no terminal, as many as are needed."""
        return super().size if self.is_terminal else ConsoleDimensions(max(80, self.room), 25)

    @size.setter
    def size(self, size: tuple[int, int]) -> None:
        self._width, self._height = size

    def print(self, *objects: Any, **options: Any) -> None:
        """See `rich.console.Console`; a line that shows how far something is makes room first."""
        _clear_status()
        options.setdefault("soft_wrap", not self.is_terminal)
        super().print(*(as_text(thing) if isinstance(thing, str) else thing for thing in objects), **options)


console = _Door()
progress_console = _Door(stderr=True)

_status_shown = False


def say(text: str, *, style: str = "") -> None:
    """A line of the result."""
    console.print(Text(as_text(text), style=style))


def note(text: str) -> None:
    """A line beside the result, on stderr."""
    progress_console.print(Text(as_text(text)))


def status(text: str) -> None:
    """How far something is: on a terminal a line that the next one replaces, elsewhere a line like any other."""
    global _status_shown
    if not progress_console.is_terminal:
        note(text)
        return
    room = progress_console.width - 1
    line = as_text(text).replace("\n", " ")
    progress_console.file.write(f"\r{_cut(line, room)}\x1b[K")
    progress_console.file.flush()
    _status_shown = True


def _clear_status() -> None:
    global _status_shown
    if _status_shown:
        progress_console.file.write("\r\x1b[K")
        progress_console.file.flush()
        _status_shown = False


def _cut(text: str, room: int) -> str:
    if cell_len(text) <= room:
        return text
    while text and cell_len(text) > room - 3:
        text = text[:-1]
    return text + "..."


def can_show(text: str, stream: TextIO | None = None) -> bool:
    """Whether the terminal's encoding has all of these characters."""
    try:
        text.encode(getattr(stream or sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def shy_streams() -> None:
    """Let stdout and stderr write what their encoding lacks as an escape, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def matches(wanted: str, *texts: str) -> bool:
    """Whether one of some texts has the wanted one in it, in capitals or not."""
    return any(wanted.lower() in text.lower() for text in texts)


def print_json(document: Any) -> None:
    """Print one JSON document and nothing else."""
    _clear_status()
    print(msgspec.json.format(msgspec.json.encode(document), indent=2).decode())


def table(title: str, columns: list[str], rows: Sequence[Sequence[Cell]], *, emphasis: int | None = None) -> None:
    """Print a table; columns whose name starts with `>` hold numbers.

    Args:
        title: A line above it.
        columns: Names of the columns.
        rows: The cells.
        emphasis: A row that is printed bold.
    """
    texts = [[as_text(cell_text(cell)) for cell in row] for row in rows]
    names = [as_text(name.lstrip(">")) for name in columns]
    numeric = [name.startswith(">") for name in columns]
    widths = [max((cell_len(line) for text in (name, *(row[i] for row in texts)) for line in text.split("\n")), default=0)
              for i, name in enumerate(names)]  # fmt: skip
    needed = sum(widths) + 3 * len(widths) + 1
    least = needed - sum(max(0, width - NARROWEST) for width, number in zip(widths, numeric, strict=True) if not number)
    if title:
        say(title, style="italic")
    if console.is_terminal and least > console.width:
        _print_rows(names, texts)
        return
    frame = box.HEAVY_HEAD if can_show("┏━┃", console.file if isinstance(console.file, io.TextIOWrapper) else None) else box.ASCII
    out = Table(box=frame)
    for name, number, width in zip(names, numeric, widths, strict=True):
        narrowest = width if number else min(width, NARROWEST)
        out.add_column(Text(name), justify="right" if number else "left", no_wrap=number, overflow="fold", min_width=narrowest)
    for place, row in enumerate(texts):
        out.add_row(*map(Text, row), style="bold" if place == emphasis else "")
    console.room = needed
    console.print(out, soft_wrap=False)
    console.room = 0


def _print_rows(names: list[str], rows: list[list[str]]) -> None:
    """Each row as lines of a name and a value, for terminals that are too narrow for the table."""
    room = max((cell_len(name) for name in names), default=0)
    for row in rows:
        for name, text in zip(names, row, strict=True):
            if text:
                console.print(Text(f"{name:<{room}}  ", style="dim").append(Text(text, style="not dim")))
        console.print("")


def tracked(things: Iterable[T], what: str, *, total: int) -> Iterator[T]:
    """Go through things with a bar on stderr, on a terminal only."""
    if not progress_console.is_terminal:
        yield from things
        return
    with steps(what) as bar:
        for number, thing in enumerate(things):
            bar.show(number, total)
            yield thing


class Steps:
    """A bar that shows how much of something is done."""

    def __init__(self, bar: Progress, task: Any) -> None:
        self._bar, self._task = bar, task

    def show(self, done: int, total: int | None) -> None:
        """Some of it is done."""
        self._bar.update(self._task, completed=done, total=total)


@contextmanager
def steps(what: str, *, unit: str = "") -> Iterator[Steps]:
    """A bar on stderr that goes away when it is done; `what` is shown before it, as text."""
    _clear_status()
    columns = (
        TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(),
        TextColumn(unit, markup=False), TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=progress_console, transient=True) as bar:
        yield Steps(bar, bar.add_task(as_text(what), total=None))
