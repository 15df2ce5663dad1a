"""What is known of a space of combinations: the mean result of every tuple of values that was tried.

    mean(x)    = average over the tuples with data of the mean results of x's values in them; 0 without any
    explore(x) = average over all tuples of sqrt( ln(1 + N) / (n(x) + e) )    N: results in the tuple's table, n(x): of x's entry

Lucas, Liu and Perez-Liebana, "The N-tuple bandit evolutionary algorithm for game agent optimisation" (2018), as in the
authors' program. A combination is given by its genes: the place of each parameter's value in its list.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

from paidia.core.machine.sums import Sums

__all__ = ["Landscape"]

Genes = tuple[int, ...]


class Landscape:
    """The tables of all tuples.

    Args:
        d: Number of parameters.
        lengths: Lengths of the tuples; those above d are left out.
        e: Keeps the exploration of an unseen tuple finite.
    """

    def __init__(self, d: int, lengths: Sequence[int], *, e: float = 0.5) -> None:
        self.tuples = [members for n in sorted(set(lengths)) for members in combinations(range(d), n)]
        self._tables: list[dict[Genes, Sums]] = [{} for _ in self.tuples]
        self._e = e
        self.points: dict[Genes, Sums] = {}
        self.results = 0

    def add(self, genes: Genes, value: float) -> None:
        """One result of a combination."""
        self.results += 1
        self.points.setdefault(genes, Sums()).add(value)
        for members, table in zip(self.tuples, self._tables, strict=True):
            table.setdefault(tuple(genes[i] for i in members), Sums()).add(value)

    def entry(self, members: Genes, values: Genes) -> Sums:
        """What is known of some parameters' values; an empty entry if nothing is."""
        return self._tables[self.tuples.index(members)].get(values, Sums())

    def mean(self, genes: Genes) -> float:
        """How good a combination seems to be."""
        known = [entry.mean for entry in self._entries(genes) if entry is not None]
        return sum(known) / len(known) if known else 0.0

    def explore(self, genes: Genes) -> float:
        """How little is known of it."""
        log = math.log(1 + self.results)
        return sum(math.sqrt(log / ((entry.n if entry else 0) + self._e)) for entry in self._entries(genes)) / len(self.tuples)

    def _entries(self, genes: Genes) -> list[Sums | None]:
        return [table.get(tuple(genes[i] for i in members)) for members, table in zip(self.tuples, self._tables, strict=True)]

    def best(self, most: int = 1) -> list[Genes]:
        """The tried combinations with the highest mean, best first; of equal ones the more often, then the earlier tried."""
        order = sorted(self.points, key=lambda genes: (-self.mean(genes), -self.points[genes].n))
        return order[:most]
