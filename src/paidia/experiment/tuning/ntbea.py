"""NTBEA off-line: a combination is judged by matches, the landscape learns, and the search moves to the most promising
neighbour.

    value(x) = mean(x) + k * explore(x) + noise below 1e-6      (`landscape`)

Neighbours are drawn by mutation: one parameter takes another value, every other one does so with probability 2 / d; a
parameter that a switch makes illegal (GRAVE's `ref` while K is 0) is drawn anew. They are different from each other and
from the present combination, at most a quarter of the space. Lucas, Liu and Perez-Liebana 2018. With a batch of several
combinations the best neighbours are judged together, and the search goes on from the one that seems best.
"""

from __future__ import annotations

import random

from paidia.control.combinations import Combinations
from paidia.experiment.tuning.landscape import Genes, Landscape
from paidia.experiment.tuning.plan import NtbeaSettings

__all__ = ["Ntbea"]

NOISE = 1e-6
TRIES = 20  # mutations per neighbour that is wanted, before a small space counts as used up


class Ntbea:
    """The search; `ask` and `tell` are called in turns."""

    def __init__(self, combinations: Combinations, landscape: Landscape, settings: NtbeaSettings, *, seed: int) -> None:
        self._combinations, self._landscape, self._settings = combinations, landscape, settings
        self._random = random.Random(seed)
        self._sizes = combinations.sizes()
        space = combinations.space
        self._partner: dict[int, int] = {}
        for switch in space.active_switches:
            i, j = space.names.index(switch.parameter), space.names.index(switch.silences)
            self._partner |= {i: j, j: i}
        self._last: list[Genes] = []

    def ask(self, number: int) -> list[Genes]:
        """The next combinations to be judged."""
        if not self._last:
            self._last = [self._any() for _ in range(number)]
        else:
            here = max(self._last, key=self._landscape.mean)
            values = {genes: self._value(genes) for genes in self._neighbours(here, number)}
            self._last = sorted(values, key=lambda genes: -values[genes])[:number]
        return self._last

    def _value(self, genes: Genes) -> float:
        noise = NOISE * self._random.random()
        return self._landscape.mean(genes) + self._settings.k * self._landscape.explore(genes) + noise

    def _any(self) -> Genes:
        return tuple(self._combinations.genes(self._random.randrange(len(self._combinations))))

    def _neighbours(self, here: Genes, least: int) -> list[Genes]:
        most = max(least, 1, min(self._settings.neighbours, len(self._combinations) // 4))
        found: dict[Genes, None] = {}
        for _ in range(TRIES * most):
            genes = self._mutate(here)
            if genes != here:
                found[genes] = None
            if len(found) == most:
                break
        return list(found) or [here]

    def _mutate(self, here: Genes) -> Genes:
        genes = list(here)
        d = len(genes)
        sure = self._random.randrange(d)
        for i in range(d):
            if (i == sure or self._random.random() < 2 / d) and self._sizes[i] > 1:
                other = self._random.randrange(self._sizes[i] - 1)
                self._set(genes, i, other + (other >= genes[i]))
        return tuple(genes)

    def _set(self, genes: list[int], i: int, gene: int) -> None:
        """Both ends of a switch are off (gene 0) together or on together."""
        genes[i] = gene
        j = self._partner.get(i)
        if j is not None and (gene == 0) != (genes[j] == 0):
            genes[j] = 0 if gene == 0 else 1 + self._random.randrange(self._sizes[j] - 1)

    def tell(self, genes: Genes, value: float) -> None:
        """A result; the landscape has it already."""
