"""Small experiments, and a way to compare stores match for match."""

from collections.abc import Callable
from pathlib import Path

import pytest

from paidia.experiment.store import Store

#: Everything about a match that does not depend on the clock.
PLAYED = """key, pair, seat, match.seed, goals, points, moves, simulations, opponent_simulations,
    ending, fault, message"""


@pytest.fixture
def played() -> Callable[[Path], list[tuple[object, ...]]]:
    """All matches of a store, in order."""

    def read(path: Path) -> list[tuple[object, ...]]:
        with Store(path) as store:
            query = f"SELECT {PLAYED} FROM match JOIN cell ON cell.id = match.cell ORDER BY key, pair, seat"
            return list(store.db.execute(query))

    return read
