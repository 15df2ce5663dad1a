"""A worker process: plays the jobs it is sent, one after the other, until nobody sends any more."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection

from paidia.experiment.cells import Cell
from paidia.experiment.play import warm_up
from paidia.experiment.row import Row
from paidia.experiment.run.processes import begin_worker
from paidia.experiment.run.schedule import Job

__all__ = ["Answer", "Play", "attempt", "main"]

#: Plays the match at (cell, pair, seat).
Play = Callable[[Cell, int, int], Row]

#: The row, or why there is none.
Answer = tuple[Job, Row | None, str]

#: Answers of short matches are sent together, at most this many seconds late.
GATHER = 0.02


def attempt(play: Play, cell: Cell, job: Job) -> Answer:
    """Play one job; whatever goes wrong in our own code is an answer, too."""
    try:
        return job, play(cell, job.pair, job.seat), ""
    except Exception as error:
        return job, None, f"{type(error).__name__}: {error}"


def main(pipe: Connection, cells: list[Cell], play: Play, environment: Mapping[str, str]) -> None:
    """Answer lists of jobs with lists of answers."""
    begin_worker(environment)
    try:
        warm_up()
        pipe.send([])  # started: from here on its time counts
        while True:
            answers: list[Answer] = []
            sent = time.monotonic()
            for job in pipe.recv():
                answers.append(attempt(play, cells[job.cell], job))
                if time.monotonic() - sent > GATHER:
                    pipe.send(answers)
                    answers = []
                    sent = time.monotonic()
            if answers:
                pipe.send(answers)
    except (EOFError, OSError):  # the runner has gone
        return
