"""Judges combinations by matches: the agent with the values of a combination against its opponent, all seats, paired seeds.

Matches are the cells of an experiment (`experiment.cells`), so whatever an experiment can play can be tuned; what a match
is worth is one number in [0, 1]. Seeds depend on the plan and the number of the evaluation, never on who plays when.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import msgspec

from paidia.control.space import Space
from paidia.core.errors import PaidiaError, RuleError
from paidia.core.seeds import spawn
from paidia.experiment.cells import Cell
from paidia.experiment.expand import expand
from paidia.experiment.plan import AgentEntry, GameEntry, Plan
from paidia.experiment.play import play
from paidia.experiment.run.agents import check_agents
from paidia.experiment.run.processes import worker_pool
from paidia.experiment.tuning.landscape import Genes
from paidia.experiment.tuning.log import Place
from paidia.experiment.tuning.plan import TuneGame, TunePlan
from paidia.players.definition import AgentDefinition, change

__all__ = [
    "VALIDATION",
    "Players",
    "Score",
    "base_cells",
    "cell_of",
    "labels_of",
    "match_points",
    "places",
    "refuse_faults",
    "with_values",
]

#: Plays the match at (cell, pair, seat) and says what it was worth to the agent, from 0 to 1.
Score = Callable[[Cell, int, int], float]

#: The number of the evaluation that is none: matches of the recommended combination.
VALIDATION = -1


def match_points(cell: Cell, pair: int, seat: int) -> float:
    """The points of the agent in one match (1 won, 0.5 drawn; its goal where it plays alone)."""
    row = play(cell, pair, seat)
    refuse_faults(cell, str(row.match["ending"]), str(row.match["message"]))
    assert row.points is not None
    return row.points


def refuse_faults(cell: Cell, ending: str, message: str) -> None:
    """A match that a fault has ended says nothing about the values."""
    if ending in ("crash", "illegal move", "failed"):
        raise PaidiaError(f"{cell.title}: the match ended with {ending}: {message}")


def base_cells(plan: TunePlan, folder: Path, file: str) -> list[Cell]:
    """A cell for each game (and level), in which the agent still has its own values."""
    agent = AgentEntry(id=plan.agent) if isinstance(plan.agent, str) else plan.agent
    opponent = plan.opponent if plan.opponent is not None else agent
    opponent = AgentEntry(id=opponent) if isinstance(opponent, str) else opponent
    agent = msgspec.structs.replace(agent, name="tuned")
    opponent = msgspec.structs.replace(opponent, name="opponent")
    cells: list[Cell] = []
    for entry in plan.games:
        game = TuneGame(id=entry) if isinstance(entry, str) else entry
        own = bool(game.sims or game.time)
        sims, time = (game.sims, game.time) if own else (plan.sims, plan.time)
        cells += _cells(plan, game, [agent, opponent], sims, time, folder, file)
    check_agents(cells, file)
    return cells


def _cells(
    plan: TunePlan, game: TuneGame, agents: list[AgentEntry], sims: int, time: float, folder: Path, file: str
) -> list[Cell]:
    games: list[str | GameEntry] = [GameEntry(id=game.id, levels=game.levels)]
    alone = Plan(
        games=games, agents=[agents[0]], seed=plan.seed, max_steps=plan.max_steps, sims=sims or [], time=time or [],
    )  # fmt: skip
    try:
        both = msgspec.structs.replace(alone, opponents=[agents[1]])
        return expand(both, folder=folder, file=file)
    except RuleError as error:
        try:  # a game of one role has no opponent
            return expand(alone, folder=folder, file=file)
        except PaidiaError:
            raise error from None


def with_values(definition: AgentDefinition, space: Space, labels: Sequence[str]) -> AgentDefinition:
    """An agent with the values of a combination, given as text; what is unset keeps the agent's own value."""
    for name, label in zip(space.names, labels, strict=True):
        if label != "unset":
            definition = change(definition, name, float(label))
    return definition


def places(cells: Sequence[Cell], evaluation: int, matches: int) -> Iterator[Place]:
    """All matches of an evaluation: in every cell as many pairs as `matches` need, in every pair all seats."""
    for number, cell in enumerate(cells):
        for pair in range(-(-matches // len(cell.seats))):
            for seat in range(len(cell.seats)):
                yield Place(evaluation, number, pair, seat)


class Players:
    """Processes that play matches; one worker plays in this process."""

    def __init__(self, workers: int, *, score: Score = match_points) -> None:
        self.workers, self._score = workers, score
        self._pool: ProcessPoolExecutor | None = None
        if workers > 1:
            self._pool = worker_pool(workers)

    def __enter__(self) -> Players:
        return self

    def __exit__(self, *error: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=error[0] is None, cancel_futures=True)

    def play(self, jobs: Sequence[tuple[Place, Cell]]) -> Iterator[list[tuple[Place, float]]]:
        """The results of matches as they come."""
        if self._pool is None:
            for place, cell in jobs:
                yield [(place, self._score(cell, place.pair, place.seat))]
            return
        try:
            open: dict[Future[float], Place] = {
                self._pool.submit(self._score, cell, place.pair, place.seat): place for place, cell in jobs
            }
            while open:
                done, _ = wait(open, return_when=FIRST_COMPLETED)
                yield [(open.pop(future), future.result()) for future in done]
        except BrokenProcessPool:
            raise PaidiaError("a process that played matches has died; the same command goes on where this one ended") from None


def cell_of(base: Cell, definition: AgentDefinition, seed: int, evaluation: int) -> Cell:
    """The cell in which an evaluation is played."""
    own = msgspec.structs.replace(base.contenders[0], definition=definition)
    branch = (0, evaluation) if evaluation != VALIDATION else (1,)
    return msgspec.structs.replace(base, contenders=(own, *base.contenders[1:]), seed=spawn(seed, *branch) >> 1)


def labels_of(space: Space, genes: Genes) -> list[str]:
    """The values of a combination as text that reads back to the same numbers."""
    silenced = {switch.silences for switch in space.active_switches}
    return [
        "unset" if p.name in silenced and gene == 0 else repr(p.values[gene - (p.name in silenced)])
        for p, gene in zip(space.parameters, genes, strict=True)
    ]
