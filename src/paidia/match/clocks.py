"""How long players may think before the first move and for each move, and what becomes of those who take longer.

Two policies, both for players in the same process, which cannot be interrupted:

    turns   a call may last 0.05 s or a tenth longer than its clock; what takes longer is counted as an overrun
    ticks   video games, as in the competition: a second to prepare, 40 ms for a tick, a quarter more before it is an overrun.
            With `disqualify` the clock is a law: an answer after it comes too late (NIL is played in its place), and an
            overrun ends the match, lost. Players are then told a little less than they have.

Who searches when (docs/readings.md#match-protocol):

    seconds       the clocks run for all in every step, as in a match over the network. A player that ponders searches in steps
                  without a choice too, one that does not answers at once; the time before the first move is what it is said to be
    simulations   nobody looks at a clock, and all search players of a match search in the same steps, so that they have the same
                  number of simulations: if one of them ponders all do, and the time before the first move is worth one move; else
                  a player searches where it has a choice, and nobody before the first move

Before a video game the second is worth 25 ticks, in simulations as well, and every tick is worth a search.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

import msgspec

from paidia.core.arcade import ArcadeGame
from paidia.core.budget import Budget
from paidia.core.model import Rules

__all__ = ["START", "START_TICKS", "TICK", "Clocks", "clocks_for", "tick_clocks", "turn_clocks"]

TICK = 0.04  # seconds of a tick in the competition
START = 1.0  # and before the first one
START_TICKS = 25  # what the time before a video game is worth in ticks, where they are counted in simulations
MARGIN = 0.05  # share of its clock that a player is not told of where being late costs the action


T = TypeVar("T")


class Clocks(msgspec.Struct, frozen=True, kw_only=True):
    """A policy with its numbers. One entry in a tuple counts for all seats.

    Attributes:
        moves: Budget of a move for each seat.
        starts: Seconds before the first move for each seat; 0 for none.
        start_moves: What the time before the first move is worth in moves whose budget is a number of simulations.
        grace: Seconds beyond a clock that are forgiven,
        share: or this share of the clock, if that is more.
        disqualify: A late answer is not played, and an overrun loses the match.
        together: All search before the first move and in every step, as those who ponder do.
    """

    moves: tuple[Budget | None, ...] = (None,)
    starts: tuple[float, ...] = (0.0,)
    start_moves: int = 0
    grace: float = 0.05
    share: float = 0.1
    disqualify: bool = False
    together: bool = False

    def seated(self, ponders: Iterable[bool]) -> Clocks:
        """The policy for players of whom it is known which of them ponder."""
        if not any(ponders) or not all(move is None or move.simulations for move in self.moves):
            return self
        return msgspec.structs.replace(self, together=True, start_moves=max(1, self.start_moves))

    def start_budget(self, seat: int) -> Budget | None:
        """What a player may use before the first move."""
        move = _of(self.moves, seat)
        if self.start_moves and move is not None and move.simulations:
            return Budget(simulations=self.start_moves * move.simulations)
        seconds = _of(self.starts, seat)
        return Budget(seconds=seconds) if seconds > 0 else None

    def move_budget(self, seat: int) -> Budget | None:
        """What a player is told that it may use for a move."""
        move = _of(self.moves, seat)
        return Budget(seconds=_clock(move) * (1 - MARGIN)) if self.disqualify and _clock(move) else move

    def ask_budget(self, seat: int, *, choice: bool, ponders: bool) -> Budget | None:
        """What a player may use now; None where it has nothing to choose and does not search for later."""
        return self.move_budget(seat) if choice or ponders or self.together else None

    @property
    def start_clock(self) -> float:
        """Seconds that the referee allows before the first move, the longest of all seats; 0: it does not look."""
        return max(self.starts)

    @property
    def move_clock(self) -> float:
        """Seconds that the referee allows for a move, the longest of all seats; 0: it does not look."""
        clocks = [_clock(move) for move in self.moves]
        return max(clocks) if all(clocks) else 0.0

    def most(self, clock: float) -> float:
        """Seconds after which a call against a clock is an overrun."""
        return clock + max(self.grace, self.share * clock)

    def words(self) -> str:
        """The budget of a move in words."""
        return " and ".join(dict.fromkeys(str(move or "no search") for move in self.moves))


def _clock(move: Budget | None) -> float:
    return move.seconds if move is not None and not move.simulations else 0.0


def _of(values: tuple[T, ...], seat: int) -> T:
    return values[seat] if len(values) > 1 else values[0]


def turn_clocks(*moves: Budget | None, start: float | Sequence[float] = 0.0) -> Clocks:
    """The policy of boards and GDL games; one budget for all seats, or one for each."""
    return Clocks(moves=moves or (None,), starts=(start,) if isinstance(start, (int, float)) else tuple(start))


def tick_clocks(*moves: Budget | None, start: float = START, disqualify: bool = False) -> Clocks:
    """The policy of video games; one budget for all seats, or one for each. The start clock belongs to a budget in seconds."""
    moves = moves or (None,)
    return Clocks(
        moves=moves,
        starts=tuple(start if _clock(move) else 0.0 for move in moves),
        start_moves=START_TICKS,
        grace=0.0,
        share=0.25,
        disqualify=disqualify and all(_clock(move) for move in moves),
    )


def clocks_for(game: Rules, *moves: Budget | None, start: Sequence[float] | None = None, disqualify: bool = False) -> Clocks:
    """The policy for a game.

    Args:
        game: Which decides.
        moves: Budget of a move, for all seats or for each.
        start: Seconds before the first move, for all seats or for each; as is usual for the game if left out.
        disqualify: In a video game the clock is a law.
    """
    if isinstance(game, ArcadeGame):
        return tick_clocks(*moves, start=START if start is None else max(start), disqualify=disqualify)
    return turn_clocks(*moves, start=0.0 if start is None else start)
