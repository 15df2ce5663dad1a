"""Writes docs/results.md from what `paidia reproduce --save` kept beside the papers' plans.

python tools/write_results.py
"""

from __future__ import annotations

from pathlib import Path

from paidia.report.measured import results_page
from paidia.report.papers import tables

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    """Write the page."""
    page = ROOT / "docs" / "results.md"
    page.write_text(results_page(tables(ROOT / "papers")), encoding="utf-8")
    print(f"written: {page.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
