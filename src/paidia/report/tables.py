"""A table of text, and its forms: CSV, LaTeX, HTML."""

from __future__ import annotations

import csv
import html
from pathlib import Path

import msgspec

__all__ = ["TextTable"]

_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "±": r"$\pm$",
        **{sign: f"\\{sign}" for sign in "%&_#${}"},
    }
)


class TextTable(msgspec.Struct, frozen=True):
    """A table; columns whose name starts with `>` hold numbers.

    Attributes:
        name: File name without ending.
        title: What it shows.
        columns: Names of the columns.
        rows: Cells as text.
        note: A sentence below it.
    """

    name: str
    title: str
    columns: list[str]
    rows: list[list[str]]
    note: str = ""

    def write_csv(self, folder: Path) -> None:
        """Write NAME.csv."""
        with (folder / f"{self.name}.csv").open("w", newline="", encoding="utf-8") as out:
            writer = csv.writer(out, lineterminator="\n")
            writer.writerow(name.lstrip(">") for name in self.columns)
            writer.writerows(self.rows)

    def write_latex(self, folder: Path) -> None:
        """Write NAME.tex: a longtable with booktabs rules."""
        shape = "".join("r" if name.startswith(">") else "l" for name in self.columns)
        lines = [
            f"% needs \\usepackage{{booktabs,longtable}}\n\\begin{{longtable}}{{{shape}}}",
            f"\\caption{{{self.title.translate(_LATEX)}}}\\\\\n\\toprule",
            _latex_row([name.lstrip(">") for name in self.columns]) + "\n\\midrule\\endhead",
            *map(_latex_row, self.rows),
            "\\bottomrule\n\\end{longtable}",
        ]
        (folder / f"{self.name}.tex").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def html(self) -> str:
        """A section of a page; cells that are verdicts get their colour."""
        head = "".join(f"<th{_right(name)}>{html.escape(name.lstrip('>'))}</th>" for name in self.columns)
        body = "\n".join(
            "<tr>" + "".join(_cell(name, text) for name, text in zip(self.columns, row, strict=True)) + "</tr>"
            for row in self.rows
        )
        note = f"<p>{html.escape(self.note)}</p>" if self.note else ""
        title = html.escape(self.title)
        return f"<h2>{title}</h2>{note}<table><thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table>"


def _latex_row(cells: list[str]) -> str:
    return " & ".join(cell.translate(_LATEX) for cell in cells) + r" \\"


def _right(name: str) -> str:
    return ' class="n"' if name.startswith(">") else ""


def _cell(name: str, text: str) -> str:
    if name == "verdict" and text in ("agree", "disagree", "undecided"):
        return f'<td class="{text}">{text}</td>'
    return f"<td{_right(name)}>{html.escape(text)}</td>"
