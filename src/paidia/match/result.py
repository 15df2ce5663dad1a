"""A match that is over: its record, and how fast it went."""

from __future__ import annotations

from html import escape

import msgspec

from paidia.match.record import MatchRecord

__all__ = ["Asked", "MatchResult"]


class Asked(msgspec.Struct, frozen=True):
    """One move that a player was asked for.

    Attributes:
        step: Joint moves before it.
        simulations: Simulations that the choice rests on.
        seconds: How long it took, as the referee's clock says.
        lost_playouts: Of these simulations those whose playout ran into a loss, of a player that counts them.
    """

    step: int
    simulations: int
    seconds: float
    lost_playouts: int | None = None


class MatchResult(msgspec.Struct, frozen=True):
    """The record of a match, and for each role what it was asked; the start of the match is not among it."""

    record: MatchRecord
    asked: list[list[Asked]]

    @property
    def goals(self) -> list[float]:
        """Final goal of each role in [0, 1]."""
        return list(self.record.goals)

    def _repr_html_(self) -> str:
        """The table that a notebook shows."""
        record = self.record
        rows = "".join(
            f"<tr><td>{escape(role)}</td><td>{escape(agent)}</td><td>{goal:g}</td><td>{rate:,.0f}</td></tr>"
            for role, agent, goal, rate in zip(record.roles, record.agents, record.goals, self.sims_per_second, strict=True)
        )
        head = "<tr><th>role</th><th>agent</th><th>goal</th><th>simulations/s</th></tr>"
        return f"<p>{escape(record.game)}, {len(record.moves)} moves: {escape(record.ending)}</p><table>{head}{rows}</table>"

    @property
    def simulations(self) -> list[int]:
        """Simulations of each role."""
        return [sum(move.simulations for move in own) for own in self.asked]

    @property
    def seconds(self) -> list[float]:
        """Thinking time of each role."""
        return [sum(move.seconds for move in own) for own in self.asked]

    @property
    def slowest(self) -> list[float]:
        """The longest move of each role in seconds."""
        return [max((move.seconds for move in own), default=0.0) for own in self.asked]

    @property
    def sims_per_second(self) -> list[float]:
        """Simulations per second of thinking time, 0 for a role that does not simulate."""
        return [n / s if n and s > 0 else 0.0 for n, s in zip(self.simulations, self.seconds, strict=True)]
