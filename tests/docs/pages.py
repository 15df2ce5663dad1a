"""What the pages show: their blocks by language, and the command lines in them."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
#: Set in the continuous integration: what takes minutes is run as well.
COMPLETE = bool(os.environ.get("PAIDIA_COMPLETE"))


def blocks(page: Path, language: str) -> list[str]:
    """The blocks of a language."""
    found = re.findall(r"^```(\w*)\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)
    return [text for kind, text in found if kind == language]


def all_blocks(language: str) -> list[tuple[str, int, str]]:
    """Page, number on the page and text of every block of a language."""
    return [(page.name, number, text) for page in PAGES for number, text in enumerate(blocks(page, language), 1)]


def command_lines(page: Path) -> list[list[str]]:
    """The words of all command lines of paidia in blocks without a language, comments left out."""
    lines = [line for text in blocks(page, "") + blocks(page, "console") for line in text.splitlines()]
    words = [shlex.split(line.removeprefix("$ "), comments=True) for line in lines if re.match(r"(\$ )?paidia ", line)]
    return [line[1:] for line in words]


def languages() -> set[str]:
    """Of all blocks."""
    return {kind for page in PAGES for kind in re.findall(r"^```(\w*)\n.*?^```", page.read_text(encoding="utf-8"), re.M | re.S)}
