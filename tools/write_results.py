"""Writes docs/results.md and the pages of the papers from what `paidia reproduce --save` kept beside the papers' plans.

python tools/write_results.py
"""

from __future__ import annotations

from pathlib import Path

from paidia.report.papers.measured import refresh, results_page
from paidia.report.papers.printed import tables

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    """Write the pages; intervals and verdicts are made anew from the numbers that were measured."""
    found = tables(ROOT / "papers")
    for folder in dict.fromkeys(table.file.parent for table in found):
        refresh([table for table in found if table.file.parent == folder])
    page = ROOT / "docs" / "results.md"
    page.write_text(results_page(found), encoding="utf-8")
    print(f"written: {page.relative_to(ROOT)} and papers/*/README.md")


if __name__ == "__main__":
    main()
