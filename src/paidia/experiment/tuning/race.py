"""Iterated racing off-line, in the manner of irace: combinations race against each other, and those that fall behind drop out.

A race starts with `runners` combinations: the elites of the race before, and others drawn around them. In every round each runner
is judged once more; from `first` rounds on, who is clearly worse than the leader leaves: by more than `z` standard errors of the
difference. A race ends when `elites` runners are left, or after `rounds` rounds; the best `elites` are those of the next one.

New runners: each parameter takes the value of a random elite with probability `keep`, else any; keep grows with the number of
the race, 1 - 1 / (1 + race), so that later races look closer. In the first race all are drawn at random.

Lopez-Ibanez, Dubois-Lacoste, Perez Caceres, Birattari and Stuetzle 2016 (The irace package); Birattari 2002 (F-race, with ranks
instead of means). Evaluations have seeds of their own, so results of two runners are not paired. No dependency on anything.
"""

from __future__ import annotations

import math
import random

from paidia.control.combinations import Combinations
from paidia.experiment.tuning.landscape import Genes
from paidia.experiment.tuning.plan import RaceSettings

__all__ = ["Race"]

TRIES = 50  # draws of a new runner before a small space counts as used up


class Race:
    """The races; `ask` and `tell` are called in turns."""

    def __init__(self, combinations: Combinations, settings: RaceSettings, *, seed: int) -> None:
        self._combinations, self._settings = combinations, settings
        self._random = random.Random(seed)
        self._partner: dict[int, int] = {}
        space = combinations.space
        for switch in space.active_switches:
            i, j = space.names.index(switch.parameter), space.names.index(switch.silences)
            self._partner |= {i: j, j: i}
        self.results: dict[Genes, list[float]] = {}  # of the present race
        self.elites: list[Genes] = []
        self.race = 0
        self._waiting: list[Genes] = []  # still to be judged in this round
        self._open: list[Genes] = []  # asked for, not told yet
        self._start()

    def ask(self, number: int) -> list[Genes]:
        """The next combinations to be judged; not more than the present round has left."""
        if not self._waiting:
            self._end_round()
        self._open, self._waiting = self._waiting[:number], self._waiting[number:]
        return self._open

    def tell(self, genes: Genes, value: float) -> None:
        """A result."""
        self.results[genes].append(value)

    def _start(self) -> None:
        runners = list(self.elites)
        for _ in range(TRIES * self._settings.runners):
            if len(runners) == self._settings.runners:
                break
            genes = self._draw()
            if genes not in runners:
                runners.append(genes)
        self.results = {genes: [] for genes in runners}
        self._waiting = list(runners)

    def _draw(self) -> Genes:
        fresh = self._combinations.genes(self._random.randrange(len(self._combinations)))
        if not self.elites:
            return tuple(fresh)
        keep = 1.0 - 1.0 / (1 + self.race)
        parent = self.elites[self._random.randrange(len(self.elites))]
        genes = list(fresh)
        for i in range(len(genes)):
            j = self._partner.get(i)
            if (j is None or i < j) and self._random.random() < keep:  # both ends of a switch come from one parent
                genes[i] = parent[i]
                if j is not None:
                    genes[j] = parent[j]
        return tuple(genes)

    def _end_round(self) -> None:
        rounds = len(next(iter(self.results.values())))
        if rounds >= self._settings.first:
            leader = max(self.results, key=lambda genes: mean(self.results[genes]))
            kept = {g: own for g, own in self.results.items() if not worse(own, self.results[leader], self._settings.z)}
            if len(kept) < self._settings.elites:  # the best of those that would leave stay
                order = sorted(self.results, key=lambda genes: -mean(self.results[genes]))[: self._settings.elites]
                kept = {genes: self.results[genes] for genes in self.results if genes in order}
            self.results = kept
        if rounds >= self._settings.rounds or len(self.results) <= self._settings.elites:
            order = sorted(self.results, key=lambda genes: -mean(self.results[genes]))
            self.elites = order[: self._settings.elites]
            self.race += 1
            self._start()
        else:
            self._waiting = list(self.results)


def mean(values: list[float]) -> float:
    """The mean of some results."""
    return sum(values) / len(values)


def worse(values: list[float], leader: list[float], z: float) -> bool:
    """Whether some results are clearly below those of the leader."""
    error = math.sqrt(_variance(values) / len(values) + _variance(leader) / len(leader))
    return mean(leader) - mean(values) > z * error


def _variance(values: list[float]) -> float:
    """With one result more of 1/2 than there are: a few equal results do not mean that there is no spread."""
    middle = (sum(values) + 0.5) / (len(values) + 1)
    return (sum((value - middle) ** 2 for value in values) + (0.5 - middle) ** 2) / len(values)
