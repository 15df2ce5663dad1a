"""How commands speak: one JSON document on stdout with `--json`, else tables; progress always goes to stderr."""

from __future__ import annotations

from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table

__all__ = ["console", "matches", "print_json", "progress_console", "table"]

console = Console()
progress_console = Console(stderr=True)


def matches(wanted: str, *texts: str) -> bool:
    """Whether one of some texts has the wanted one in it, in capitals or not."""
    return any(wanted.lower() in text.lower() for text in texts)


def print_json(document: Any) -> None:
    """Print one JSON document and nothing else."""
    print(msgspec.json.format(msgspec.json.encode(document), indent=2).decode())


def table(title: str, columns: list[str], rows: list[list[str]]) -> None:
    """Print a table; columns whose name starts with `>` hold numbers."""
    out = Table(title=title or None, title_justify="left")
    for name in columns:
        out.add_column(name.lstrip(">"), justify="right" if name.startswith(">") else "left", overflow="fold")
    for row in rows:
        out.add_row(*row)
    console.print(out)
