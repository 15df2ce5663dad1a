"""Why numbers of ours differ from a paper's, as far as an experiment says so: `explained.toml` beside the paper's plans.

    [[explained]]
    tables = ["s001-t5.12", "s001-t5.14"]   # where the numbers are
    games = ["vgdl:chopper"]                # every one of the table if left out; so are
    agents = ["NoDGD"]                      # agents
    metrics = ["win_pct"]                   # and metrics
    why = "Ours needs detection less: its initialization wins the game by itself"
    experiment = "benchmarks/disagreements/no-detection.toml"      # or the id of a table that was measured

An entry speaks of those numbers alone that disagree today. What no experiment explains is told, too, number by number.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from paidia.core.errors import RuleError
from paidia.experiment.budgets import inside
from paidia.report.papers.beside import read_lists
from paidia.report.papers.compare import Comparison

__all__ = ["Explained", "Told", "load_explained", "told_of"]


class Explained(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One explanation; see the head of this file."""

    tables: list[str]
    why: str
    experiment: str
    games: list[str] = []
    agents: list[str] = []
    metrics: list[str] = []

    def covers(self, each: Comparison) -> bool:
        """Whether it speaks of a number."""
        printed = each.printed
        return printed.table in self.tables and all(
            not own or name in own
            for own, name in ((self.games, printed.game), (self.agents, printed.agent), (self.metrics, printed.metric))
        )


class _File(msgspec.Struct, forbid_unknown_fields=True):
    explained: list[Explained] = []


class Told(msgspec.Struct, frozen=True):
    """Numbers that differ: those that each explanation speaks of (a number counts for the first), and the others."""

    by: list[tuple[Explained, list[Comparison]]]
    others: list[Comparison]

    @property
    def explained(self) -> int:
        """How many numbers an experiment explains."""
        return sum(len(own) for _, own in self.by)


def load_explained(folder: Path, tables: Sequence[str]) -> list[Explained]:
    """The explanations of a paper; none if its folder has no such file.

    Args:
        folder: The paper's.
        tables: The ids of its tables, which an experiment may be, too.
    """
    file = folder / "explained.toml"
    found = read_lists(file, _File, "a list of [[explained]]").explained
    for entry in found:
        strange = [table for table in entry.tables if table not in tables]
        if strange:
            raise RuleError(
                f"explained: there is no table {strange[0]!r}; tables of this paper: {', '.join(tables)}", file=str(file)
            )
        if entry.experiment not in tables and not inside(folder.parent.parent, entry.experiment, str(file)).is_file():
            raise RuleError(
                f"explained: {entry.experiment!r} is neither a table of this paper nor a plan of this project", file=str(file)
            )
    return found


def told_of(entries: Sequence[Explained], differing: Sequence[Comparison]) -> Told:
    """Which explanation speaks of which of these numbers."""
    by: list[tuple[Explained, list[Comparison]]] = [(entry, []) for entry in entries]
    others: list[Comparison] = []
    for each in differing:
        own = next((numbers for entry, numbers in by if entry.covers(each)), others)
        own.append(each)
    return Told([(entry, numbers) for entry, numbers in by if numbers], others)
