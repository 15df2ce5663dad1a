"""Small experiments, and a way to compare stores match for match."""

from collections.abc import Callable
from pathlib import Path

import pytest

from paidia.experiment.store import Store

#: Everything about a match that does not depend on the clock.
PLAYED = """key, match.pair, match.seat, match.seed, goals, mine.points, moves, mine.simulations, other.simulations,
    ending, fault, message, mine.goal, other.goal, other.points"""

SIDES = """match JOIN cell ON cell.id = match.cell
    JOIN side AS mine ON mine.cell = match.cell AND mine.pair = match.pair AND mine.seat = match.seat AND mine.side = 0
    LEFT JOIN side AS other
        ON other.cell = match.cell AND other.pair = match.pair AND other.seat = match.seat AND other.side = 1"""


@pytest.fixture
def played() -> Callable[[Path], list[tuple[object, ...]]]:
    """All matches of a store, in order."""

    def read(path: Path) -> list[tuple[object, ...]]:
        with Store(path) as store:
            query = f"SELECT {PLAYED} FROM {SIDES} ORDER BY key, match.pair, match.seat"
            return list(store.db.execute(query))

    return read
