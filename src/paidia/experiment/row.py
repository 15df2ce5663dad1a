"""What is kept of a match."""

from __future__ import annotations

import msgspec

from paidia.experiment.metrics import PlayedMatch, Value, metrics
from paidia.experiment.trajectories import Condensed

__all__ = ["Row"]


class Row(msgspec.Struct, frozen=True, array_like=True):
    """What is kept of a match: the values of all measures (`experiment/metrics.py`) by name.

    Attributes:
        seed: Seed of the match.
        match: What the match as a whole has.
        sides: What each contender has: the agent, then its opponent.
        trajectories: What each contender did with its search parameters, None where it left them alone; empty if all did.
    """

    seed: int
    match: dict[str, Value]
    sides: list[dict[str, Value]]
    trajectories: list[Condensed | None] = []

    @staticmethod
    def of(seed: int, played: PlayedMatch, told: list[Condensed | None]) -> Row:
        """The row of a match that was played."""
        sides = range(1 + max(played.assignment))
        return Row(
            seed=seed,
            match={metric.name: metric.read(played, 0) for metric in metrics("match")},
            sides=[{metric.name: metric.read(played, side) for metric in metrics("side")} for side in sides],
            trajectories=told if any(told) else [],
        )

    @staticmethod
    def failed(seed: int, sides: int, reason: str) -> Row:
        """The row of a match that could not be played."""
        match: dict[str, Value] = {"moves": 0, "goals": "[]", "seconds": 0.0, "ending": "failed", "message": reason[:500]}
        return Row(seed=seed, match=match, sides=[{} for _ in range(sides)])

    @property
    def points(self) -> float | None:
        """Points of the agent; None for a match that failed."""
        points = self.sides[0].get("points")
        return None if points is None else float(points)

    @property
    def seconds(self) -> float:
        """How long the match took."""
        return float(self.match["seconds"] or 0.0)

    def values(self, name: str) -> list[Value]:
        """A measure of all sides."""
        return [side.get(name) for side in self.sides]
