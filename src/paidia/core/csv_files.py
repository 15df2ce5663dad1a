"""Small tables of ours as CSV files: whole or not there at all, and what is none of them is an error with its place."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TextIO

from paidia.core.errors import BadInput, RuleError
from paidia.core.files import replacing

__all__ = ["numbered_rows", "read_rows", "write_rows"]

#: No line of such a file is longer, in characters.
LONGEST = 1_000_000


def read_rows(file: Path, columns: Sequence[str]) -> list[dict[str, str]]:
    """The lines of a file of ours, none if it is not there; columns that are not asked for are there, too."""
    return [row for _, row in numbered_rows(file, columns, others=True)]


def numbered_rows(file: Path, columns: Sequence[str], *, others: bool = False) -> Iterator[tuple[int, dict[str, str]]]:
    """The lines of a file of ours with their numbers, none if it is not there.

    Args:
        file: The file.
        columns: The columns that it has to have.
        others: Whether it may have others, and lines that are shorter or longer than the first.
    """
    if not file.exists():
        return
    number = 0
    try:
        with file.open(newline="", encoding="utf-8") as lines:
            reader = csv.DictReader(_short_lines(lines, file))
            names = list(reader.fieldnames or [])
            number = 1
            if lacking := [name for name in columns if name not in names]:
                raise RuleError(f"no column {lacking[0]!r}: another version of paidia wrote it, remove the file", file=str(file))
            if not others and (strange := [name for name in names if name not in columns] or names[len(columns) :]):
                raise RuleError(f"unknown column {strange[0]!r}, or one twice", file=str(file), line=1)
            for row in reader:
                number = reader.line_num
                if not others and (None in row or None in row.values()):
                    raise RuleError(f"a line has {len(columns)} columns", file=str(file), line=number)
                yield number, {name: value or "" for name, value in row.items() if name}
    except csv.Error as error:
        raise RuleError(f"cannot read what was measured: {error}", file=str(file), line=number + 1) from None
    except (OSError, UnicodeDecodeError) as error:
        raise RuleError(f"cannot read what was measured: {error}", file=str(file)) from None


def _short_lines(lines: TextIO, file: Path) -> Iterator[str]:
    number = 0
    while text := lines.readline(LONGEST):
        number += 1
        if len(text) == LONGEST:
            raise RuleError(f"a line of {LONGEST:,} characters or more", file=str(file), line=number)
        yield text


def write_rows(file: Path, columns: Sequence[str], rows: Iterable[dict[str, str]]) -> None:
    """Write such a file."""
    try:
        with replacing(file) as fresh, fresh.open("w", newline="", encoding="utf-8") as out:
            writer = csv.DictWriter(out, columns, lineterminator="\n", restval="", extrasaction="ignore")
            writer.writeheader()
            writer.writerows(rows)
    except OSError as error:
        raise BadInput(f"cannot write what was measured: {error}") from None
