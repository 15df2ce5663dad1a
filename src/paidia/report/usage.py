"""What adaptive agents did with their search parameters, all matches of a game together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from paidia.experiment.store import Store
from paidia.experiment.trajectories import Condensed, add_up
from paidia.report.summary import Group

__all__ = ["Usage", "usage_of"]


class Usage(msgspec.Struct, frozen=True):
    """One agent in one game.

    Attributes:
        game: The game.
        agent: The agent.
        runs: Matches that told.
        whole: All of them added up.
    """

    game: str
    agent: str
    runs: int
    whole: Condensed

    def most_used(self) -> dict[str, str]:
        """The values of the combination that was used most; empty if combinations are not counted."""
        if not self.whole.combinations:
            return {}
        return dict(zip(self.whole.parameters, self.whole.combinations[0][0], strict=False))

    @property
    def share(self) -> float:
        """Share of all simulations that used that combination."""
        return self.whole.combinations[0][1] / max(1, self.whole.simulations) if self.whole.combinations else 0.0


def usage_of(store: Store, groups: Iterable[Group]) -> dict[tuple[str, str], Usage]:
    """By game and agent, whichever side it played; agents that leave their parameters alone are not in it."""
    sides: dict[tuple[str, str], list[tuple[str, int]]] = {}
    for group in groups:
        for side, agent in enumerate((group.agent, group.opponent)):
            if agent is not None:
                sides.setdefault((group.game, agent), []).extend((key, side) for key in group.cells)
    found = {}
    for (game, agent), cells in sides.items():
        counter = _Counter(trajectory for key, side in cells for trajectory in store.trajectories(key, side))
        whole = add_up(counter)
        if whole is not None:
            found[game, agent] = Usage(game, agent, counter.number, whole)
    return found


class _Counter:
    """Counts what passes."""

    def __init__(self, items: Iterable[Condensed]) -> None:
        self._items = items
        self.number = 0

    def __iter__(self) -> Iterator[Condensed]:
        for item in self._items:
            self.number += 1
            yield item
