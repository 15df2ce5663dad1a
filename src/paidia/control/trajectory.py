"""What a controller did during a game, as plain data: the values it used in each turn, what it thought best.

Values are given as text ("0.4", "inf", "unset"), because JSON knows no infinity.
"""

from __future__ import annotations

from typing import Any

import msgspec

from paidia.core.errors import BadInput

__all__ = ["CombinationCount", "ParameterValues", "RoleTrajectory", "Trajectory", "TurnRecord", "read_trajectory"]


class ParameterValues(msgspec.Struct, frozen=True):
    """A parameter and the values it can take; of a real parameter, intervals named by their middle."""

    name: str
    values: list[str]


class TurnRecord(msgspec.Struct, frozen=True):
    """The search of one turn.

    Attributes:
        turn: Joint moves played before it; the start clock is part of turn 0.
        simulations: How many were run.
        samples: For each parameter, how often each of its values was used.
        best: The values of the best combination at the end of the turn; empty if nothing is learned.
    """

    turn: int
    simulations: int
    samples: list[list[int]]
    best: list[str]

    def shares(self) -> list[list[float]]:
        """`samples` as shares of 1 for each parameter (all 0 if nothing was drawn)."""
        return [[n / (sum(counts) or 1) for n in counts] for counts in self.samples]


class CombinationCount(msgspec.Struct, frozen=True):
    """A combination and the number of simulations that used it."""

    values: list[str]
    samples: int


class RoleTrajectory(msgspec.Struct, frozen=True):
    """One role: its turns, and the combinations used most over the whole game."""

    role: int
    turns: list[TurnRecord]
    most_used: list[CombinationCount]


class Trajectory(msgspec.Struct, frozen=True):
    """The whole game."""

    controller: str
    parameters: list[ParameterValues]
    roles: list[RoleTrajectory]


def read_trajectory(plain: Any) -> Trajectory:
    """A trajectory from plain data, such as a record holds; one that contradicts itself is an error."""
    try:
        trajectory = msgspec.convert(plain, Trajectory)
    except msgspec.ValidationError as error:
        raise BadInput(f"not a trajectory of search parameters: {error}") from None
    sizes = [len(parameter.values) for parameter in trajectory.parameters]
    for role in trajectory.roles:
        for turn in role.turns:
            known = zip(turn.best, trajectory.parameters, strict=False)
            if [len(counts) for counts in turn.samples] != sizes or (
                turn.best and (len(turn.best) != len(sizes) or any(v not in p.values for v, p in known))
            ):
                where = f"turn {turn.turn} of role {role.role}"
                raise BadInput(f"not a trajectory of search parameters: {where} does not fit the values")
    return trajectory
