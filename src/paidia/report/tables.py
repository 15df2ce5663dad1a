"""A table, and its forms: text for the terminal, CSV with numbers, LaTeX, HTML."""

from __future__ import annotations

import csv
import html
import math
from pathlib import Path

import msgspec

from paidia.core.files import replacing, write_text
from paidia.report.estimates import MINIMUM, from_to
from paidia.report.statistics import Interval

__all__ = ["Cell", "Estimate", "Number", "TextTable", "cell_text"]

_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "±": r"$\pm$",
        "=": "=",
        "≠": r"$\neq$",
        **{sign: f"\\{sign}" for sign in "%&_#${}"},
    }
)


class Number(msgspec.Struct, frozen=True):
    """A number in a table: as it is in CSV, in a form for people elsewhere."""

    value: float
    form: str = ",.0f"

    def __str__(self) -> str:
        return format(self.value, self.form) if math.isfinite(self.value) else ""


class Estimate(msgspec.Struct, frozen=True):
    """A number with its interval from-to: three columns in CSV."""

    interval: Interval
    decimals: int = 1
    sign: bool = False

    def __str__(self) -> str:
        return from_to(self.interval, decimals=self.decimals, sign=self.sign)

    def numbers(self) -> list[str]:
        """The estimate and both ends, which are empty where there is too little to go by."""
        told = self.interval.n >= MINIMUM
        return [_plain(self.interval.mean), *(_plain(x) if told else "" for x in (self.interval.low, self.interval.high))]


Cell = str | Number | Estimate


def cell_text(cell: Cell) -> str:
    """What people read."""
    return cell if isinstance(cell, str) else str(cell)


def _plain(value: float) -> str:
    return f"{value:.10g}" if math.isfinite(value) else ""


class TextTable(msgspec.Struct, frozen=True):
    """A table; columns whose name starts with `>` hold numbers.

    Attributes:
        name: File name without ending.
        title: What it shows.
        columns: Names of the columns.
        rows: Cells: text, or numbers that know how to be shown.
        note: A sentence below it.
    """

    name: str
    title: str
    columns: list[str]
    rows: list[list[Cell]]
    note: str = ""

    @property
    def texts(self) -> list[list[str]]:
        """The rows as people read them."""
        return [[cell_text(cell) for cell in row] for row in self.rows]

    def write_csv(self, folder: Path) -> None:
        """Write NAME.csv: numbers are numbers, and an estimate has the columns X, X low and X high."""
        wide = [any(isinstance(row[i], Estimate) for row in self.rows) for i in range(len(self.columns))]
        with replacing(folder / f"{self.name}.csv") as fresh, fresh.open("w", newline="", encoding="utf-8") as out:
            writer = csv.writer(out, lineterminator="\n")
            head: list[str] = []
            for name, three in zip(self.columns, wide, strict=True):
                head += [name.lstrip(">"), *((f"{name.lstrip('>')} low", f"{name.lstrip('>')} high") if three else ())]
            writer.writerow(head)
            for row in self.rows:
                line: list[str] = []
                for cell, three in zip(row, wide, strict=True):
                    line += _csv_cells(cell, three)
                writer.writerow(line)

    def write_latex(self, folder: Path) -> None:
        """Write NAME.tex: a longtable with booktabs rules."""
        shape = "".join("r" if name.startswith(">") else "l" for name in self.columns)
        lines = [
            f"% needs \\usepackage{{booktabs,longtable}}\n\\begin{{longtable}}{{{shape}}}",
            f"\\caption{{{self.title.translate(_LATEX)}}}\\\\\n\\toprule",
            _latex_row([name.lstrip(">") for name in self.columns]) + "\n\\midrule\\endhead",
            *map(_latex_row, self.texts),
            "\\bottomrule\n\\end{longtable}",
        ]
        write_text(folder / f"{self.name}.tex", "\n".join(lines) + "\n")

    def html(self) -> str:
        """A section of a page; cells that are verdicts get their colour."""
        head = "".join(f"<th{_right(name)}>{html.escape(name.lstrip('>'))}</th>" for name in self.columns)
        body = "\n".join(
            "<tr>" + "".join(_html_cell(name, text) for name, text in zip(self.columns, row, strict=True)) + "</tr>"
            for row in self.texts
        )
        note = f"<p>{html.escape(self.note)}</p>" if self.note else ""
        title = html.escape(self.title)
        return f"<h2>{title}</h2>{note}<table><thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table>"


def _csv_cells(cell: Cell, three: bool) -> list[str]:
    if isinstance(cell, Estimate):
        return cell.numbers()
    text = cell if isinstance(cell, str) else _plain(cell.value)
    return [text, "", ""] if three else [text]


def _latex_row(cells: list[str]) -> str:
    return " & ".join(cell.translate(_LATEX) for cell in cells) + r" \\"


def _right(name: str) -> str:
    return ' class="n"' if name.startswith(">") else ""


def _html_cell(name: str, text: str) -> str:
    word = {"holds": "agree", "does not hold": "disagree"}.get(text, text)
    if name == "verdict" and word in ("agree", "disagree", "undecided"):
        return f'<td class="{word}">{html.escape(text)}</td>'
    return f"<td{_right(name)}>{html.escape(text)}</td>"
