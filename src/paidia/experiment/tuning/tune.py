"""Runs a tuning plan, or the part of it that its log does not yet have.

A method's questions follow from its seed and the answers, so a run that goes on asks all its questions again and takes the
answers from the log as far as it reaches: however often it was killed, and however many workers played, the result is that
of one uninterrupted run (with a budget in simulations).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import msgspec

from paidia.control.combinations import Combinations
from paidia.control.space import Space
from paidia.core.machine.sums import Sums
from paidia.core.seeds import spawn
from paidia.experiment.cells import Cell, definition_json
from paidia.experiment.tuning.adjudicate import check_adjudication, score_of
from paidia.experiment.tuning.evaluate import (
    VALIDATION,
    Players,
    Score,
    base_cells,
    cell_of,
    labels_of,
    match_points,
    places,
    with_values,
)
from paidia.experiment.tuning.landscape import Genes, Landscape
from paidia.experiment.tuning.log import Log, Place
from paidia.experiment.tuning.ntbea import Ntbea
from paidia.experiment.tuning.optuna_method import Optuna
from paidia.experiment.tuning.plan import TunePlan
from paidia.experiment.tuning.race import Race

__all__ = ["GameResult", "TuneResult", "run_tuning"]

METHOD, EVALUATIONS = 0, 1  # branches of the plan's seed

#: Called after every match with the number of matches done and planned.
Watch = Callable[[int, int], None]


class Method(Protocol):
    """Proposes combinations and learns what they were worth."""

    def ask(self, number: int) -> list[Genes]: ...

    def tell(self, genes: Genes, value: float) -> None: ...


class GameResult(msgspec.Struct, frozen=True):
    """Validation in one game: matches, sum of the points and of their squares."""

    game: str
    matches: int
    total: float
    squares: float


class TuneResult(msgspec.Struct, frozen=True):
    """What a finished run found.

    Attributes:
        plan: The plan.
        space: What was searched.
        landscape: All that was learned.
        recommended: The tried combination with the highest mean in the landscape.
        validation: How it did in matches with fresh seeds, game by game.
        matches: Matches in all.
        played: How many of them in this run.
    """

    plan: TunePlan
    space: Space
    landscape: Landscape
    recommended: Genes
    validation: list[GameResult]
    matches: int
    played: int

    def values(self, genes: Genes) -> dict[str, str]:
        """A combination in words."""
        return dict(zip(self.space.names, labels_of(self.space, genes), strict=True))


def run_tuning(
    plan: TunePlan,
    store: Path,
    *,
    folder: Path = Path(),
    file: str = "",
    workers: int = 1,
    score: Score | None = None,
    watch: Watch | None = None,
) -> TuneResult:
    """Tune, validate, and say what was found.

    Args:
        plan: The plan.
        store: The log of its results.
        folder: Where relative paths of the plan start.
        file: Name of the plan's file, for errors.
        workers: Matches at a time.
        score: What a match is worth; by default the agent's points, where the plan says so before the match is over.
        watch: Told about progress.
    """
    cells = base_cells(plan, folder, file or f"plan {plan.name}")
    check_adjudication(plan, cells, file or f"plan {plan.name}")
    score = score or score_of(plan, match_points)
    with Log(store, plan=plan.name, digest=_digest(plan, cells)) as log, Players(workers, score=score) as players:
        return _Run(plan, cells, log, players, watch).run()


def _digest(plan: TunePlan, cells: list[Cell]) -> str:
    """Of everything that the results depend on; more validation matches are more of the same."""
    plain = msgspec.to_builtins(msgspec.structs.replace(plan, name="", validation=0))
    if not plan.adjudicate:  # as it was before there were judges
        del plain["adjudicate"], plain["playouts"]
    agents = [[definition_json(c.definition) for c in cell.contenders] for cell in cells]
    return hashlib.sha256(msgspec.json.encode([plain, agents, [cell.key for cell in cells]], order="sorted")).hexdigest()[:32]


class _Run:
    def __init__(self, plan: TunePlan, cells: list[Cell], log: Log, players: Players, watch: Watch | None) -> None:
        self.plan, self.cells, self.log, self.players, self.watch = plan, cells, log, players, watch
        self.space = plan.make_space()
        combinations = Combinations(self.space)
        d = len(self.space.names)
        settings = plan.ntbea
        lengths = {n for n in settings.tuples if n <= d} | ({d} if settings.full_tuple else set())
        self.landscape = Landscape(d, sorted(lengths), e=settings.e)
        seed = spawn(plan.seed, METHOD)
        self.method: Method
        if plan.method == "ntbea":
            self.method = Ntbea(combinations, self.landscape, settings, seed=seed)
        elif plan.method == "race":
            self.method = Race(combinations, plan.race, seed=seed)
        else:
            self.method = Optuna(combinations, plan.optuna, seed=seed)
        self.seed = spawn(plan.seed, EVALUATIONS)
        self.played = self.done = 0
        self.planned = plan.evaluations * len(list(places(cells, 0, plan.matches)))
        self.planned += len(list(places(cells, VALIDATION, plan.validation)))

    def run(self) -> TuneResult:
        asked = 0
        while asked < self.plan.evaluations:
            batch = self.method.ask(min(self.plan.batch, self.plan.evaluations - asked))
            results = self.judge([(asked + k, genes) for k, genes in enumerate(batch)], self.plan.matches)
            for k, genes in enumerate(batch):
                own = [results[place] for place in places(self.cells, asked + k, self.plan.matches)]
                value = sum(own) / len(own)
                self.landscape.add(genes, value)
                self.method.tell(genes, value)
            asked += len(batch)
        best = self.landscape.best()[0]
        results = self.judge([(VALIDATION, best)], self.plan.validation)
        validation = []
        for number, cell in enumerate(self.cells):
            entry = Sums()
            for place in places(self.cells, VALIDATION, self.plan.validation):
                if place.cell == number:
                    entry.add(results[place])
            level = f" level {cell.level}" if cell.level is not None else ""
            validation.append(GameResult(cell.label + level, entry.n, entry.total, entry.squares))
        return TuneResult(self.plan, self.space, self.landscape, best, validation, self.done, self.played)

    def judge(self, evaluations: list[tuple[int, Genes]], matches: int) -> dict[Place, float]:
        """The points of all matches of some evaluations: from the log, or played now."""
        jobs = []
        wanted = []
        for number, genes in evaluations:
            labels = labels_of(self.space, genes)
            own = [
                cell_of(cell, with_values(cell.contenders[0].definition, self.space, labels), self.seed, number)
                for cell in self.cells
            ]
            for place in places(self.cells, number, matches):
                wanted.append(place)
                if place not in self.log.points:
                    jobs.append((place, own[place.cell]))
        self._show(len(wanted) - len(jobs))
        for results in self.players.play(jobs):
            self.log.add(results)
            self.played += len(results)
            self._show(len(results))
        return {place: self.log.points[place] for place in wanted}

    def _show(self, more: int) -> None:
        self.done += more
        if self.watch is not None:
            self.watch(self.done, self.planned)
