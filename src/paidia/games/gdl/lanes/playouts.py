"""Random games in lanes, on all cores, and what they say about a game.

Every lane plays a number of games that was fixed before, whatever they turn out to be like: counting games as they end, up to
some time, would favour short ones. Lanes of a block that are done wait for the last.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import msgspec
import numpy as np

from paidia.core.errors import BadInput
from paidia.core.lanes.leaves import LONGEST
from paidia.games.gdl.lanes.processor.engine import Engine, Tally
from paidia.games.gdl.lanes.program import LaneProgram

__all__ = ["RandomPlay", "RoleGoals", "play_games", "random_play"]

#: Lanes that share the games, if there are enough: the result depends on it, so it depends on no machine.
LANES = 4096
#: A game that lasts longer is stopped.
LIMIT = LONGEST


class RoleGoals(msgspec.Struct, frozen=True):
    """What the games brought a role.

    Attributes:
        mean: Its mean goal, in 0 .. 1.
        error: Standard error of the mean.
        values: How often it had which goal, as pairs; where several held at once, their mean is only in `mean`.
    """

    role: str
    mean: float
    error: float
    values: list[tuple[float, int]]


class RandomPlay(msgspec.Struct, frozen=True):
    """Uniformly random games.

    Attributes:
        games: How many came to an end.
        stopped: How many were too long; they count nowhere else.
        steps: Joint moves in all games.
        length: Mean number of joint moves, with its standard deviation and extremes.
        branching: Mean number of legal moves in a choice: of the role to move, or of each role where all move at once.
        goals: By role.
    """

    games: int
    stopped: int
    steps: int
    length: float
    length_deviation: float
    shortest: int
    longest: int
    branching: float
    goals: list[RoleGoals]


def play_games(
    engine: Engine,
    games: int,
    *,
    seed: int,
    threads: int | None = None,
    lanes: int = LANES,
    limit: int = LIMIT,
    branching: bool = True,
) -> Tally:
    """Play random games in lanes.

    Args:
        engine: The game.
        games: How many; lanes get an equal share, the first ones one more where that does not come out even.
        seed: Same seed, games and lanes, same games.
        threads: All cores if not given.
        lanes: How many lanes share the games.
        limit: See `LIMIT`.
        branching: Whether legal moves are counted too.
    """
    if games < 1 or lanes < 1:
        raise BadInput(f"at least one game and one lane, not {games} and {lanes}")
    share, more = divmod(games, lanes)
    quota = np.full(-(-lanes // engine.lanes) * engine.lanes, 0, np.int32)
    quota[:lanes] = share
    quota[:more] += 1
    blocks = [block for block in range(len(quota) // engine.lanes) if quota[block * engine.lanes]]

    def play(block: int) -> Tally:
        return engine.play_block(seed, block, quota[block * engine.lanes : (block + 1) * engine.lanes], limit, branching)

    total = engine.tally()
    n = min(threads or os.cpu_count() or 1, len(blocks))
    if n == 1:
        found: Sequence[Tally] = [play(block) for block in blocks]
    else:
        with ThreadPoolExecutor(n) as pool:
            found = list(pool.map(play, blocks))
    for tally in found:
        total.add(tally)
    return total


def random_play(program: LaneProgram, tally: Tally) -> RandomPlay:
    """What a tally says, in plain numbers."""
    n = tally.games
    if n == 0:
        raise BadInput(f"{program.name}: no game came to an end within {LIMIT:,} joint moves")
    mean = tally.steps / n
    goals = []
    for number, role in enumerate(program.roles):
        mine = [goal for goal, owner in enumerate(program.goal_role) if owner == number]
        total = float(tally.goal_sum[number]) + sum(program.goal_value[goal] * int(tally.goal_count[goal]) for goal in mine)
        square = float(tally.goal_square[number]) + sum(
            program.goal_value[goal] ** 2 * int(tally.goal_count[goal]) for goal in mine
        )
        values: dict[float, int] = {}
        for goal in mine:
            values[program.goal_value[goal]] = values.get(program.goal_value[goal], 0) + int(tally.goal_count[goal])
        goals.append(
            RoleGoals(
                role=role,
                mean=total / n,
                error=math.sqrt(max(0.0, square / n - (total / n) ** 2) / n),
                values=sorted((value, count) for value, count in values.items() if count),
            )
        )
    return RandomPlay(
        games=n,
        stopped=tally.cut,
        steps=tally.steps,
        length=mean,
        length_deviation=math.sqrt(max(0.0, tally.square / n - mean**2)),
        shortest=tally.shortest,
        longest=tally.longest,
        branching=tally.legal / max(1, tally.decisions) / len(program.counts),
        goals=goals,
    )
