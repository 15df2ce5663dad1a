"""What is kept of a match."""

from __future__ import annotations

import msgspec

from paidia.experiment.trajectories import Condensed

__all__ = ["Row"]


class Row(msgspec.Struct, frozen=True, array_like=True):
    """What is kept of a match. Lists are per contender: the agent, then its opponent. In a video game a move is a tick.

    Attributes:
        seed: Seed of the match.
        goals: Goal of each role; of a video game 1 (won) or 0.
        points: Points of the agent as the papers count them; None for a match that failed.
        moves: Number of joint moves.
        simulations: All simulations of each contender.
        median_simulations: Median over moves of the simulations of a move.
        median_rate: Median over moves of the simulations per second.
        seconds: How long the match took.
        ending: "terminal", "illegal move", "crash", "step limit", "failed"; of a video game also "illegal action", "tick limit"
            and "disqualified".
        fault: The contender who ended it early.
        message: Why.
        overruns: Moves over the clock and its grace, per contender.
        score: Score of a video game.
        mean_simulations: Mean over moves of the simulations of a move.
        slowest: The longest move in seconds.
        late_moves: Moves over the clock, be it by a microsecond; empty where nobody looks at a clock.
        trajectories: What each contender did with its search parameters, None where it left them alone; empty if all did.
    """

    seed: int
    goals: list[float]
    points: float | None
    moves: int
    simulations: list[int]
    median_simulations: list[float]
    median_rate: list[float]
    seconds: float
    ending: str
    fault: int | None = None
    message: str = ""
    overruns: list[int] = []
    score: float | None = None
    mean_simulations: list[float] = []
    slowest: list[float] = []
    trajectories: list[Condensed | None] = []
    late_moves: list[int] = []
