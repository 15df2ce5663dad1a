"""Writes the pages about the papers (docs/results.md, docs/results/*.md and their figures), and the counts in README.md, from
what `paidia reproduce --save` kept beside the papers' plans.

python tools/write_results.py
"""

from __future__ import annotations

import re
from pathlib import Path

from paidia.report.papers.pages import Paper, summary_lines, write_pages
from paidia.report.papers.printed import tables

ROOT = Path(__file__).resolve().parent.parent

#: What stands between these lines of README.md is written by this program.
BEGIN, END = "<!-- results: make docs writes this -->", "<!-- end of results -->"


def with_counts(readme: str, papers: list[Paper]) -> str:
    """README.md with the counts of today."""
    pattern = re.compile(f"{re.escape(BEGIN)}.*?{re.escape(END)}", re.DOTALL)
    if not pattern.search(readme):
        raise SystemExit(f"README.md lacks the lines {BEGIN} and {END}")
    return pattern.sub(f"{BEGIN}\n{summary_lines(papers)}\n{END}", readme)


def main() -> None:
    """Write the pages; intervals and verdicts are made anew from the numbers that were measured."""
    papers = write_pages(tables(ROOT / "papers"), ROOT / "docs")
    readme = ROOT / "README.md"
    readme.write_text(with_counts(readme.read_text(encoding="utf-8"), papers), encoding="utf-8")
    print("written: docs/results.md, docs/results/*.md, docs/images/results/*.svg, the counts in README.md")


if __name__ == "__main__":
    main()
