"""What random play says about a game: how long it is, how much choice there is, who has the better of it."""

from __future__ import annotations

import math
import time

import msgspec
import numpy as np

from paidia.core.errors import BadInput
from paidia.core.game import Game
from paidia.core.lanes.state_lanes import StateLanes
from paidia.games.gdl.lanes.compile.build import build_program
from paidia.games.gdl.lanes.playouts import LIMIT, RandomPlay, RoleGoals, play_games, random_play
from paidia.games.gdl.lanes.processor.engine import Engine
from paidia.games.gdl.lanes.processor.native import compile_program
from paidia.games.gdl.lanes.processor.spread import pick
from paidia.games.gdl.net.kernel import NetGame

__all__ = ["Description", "describe"]

#: Playouts from which compiling a program pays, if it is not too large.
COMPILED = 2_000_000
#: Lanes where states are played side by side.
STATES = 256


class Description(msgspec.Struct, frozen=True):
    """A game in numbers.

    Attributes:
        by: What played: `lanes`, or `states` where the game has no lane program, with the reason.
        operations: Of one step of a lane program.
        play: Uniformly random games.
        advantage: Mean goal of the first role less the mean of the others', with its standard error; None with one role.
        seconds: How long the games took, and getting ready before.
    """

    game: str
    roles: list[str]
    by: str
    reason: str
    operations: int
    play: RandomPlay
    advantage: tuple[float, float] | None
    seconds: float
    preparation: float


def describe(game: Game, playouts: int, *, seed: int = 0, threads: int | None = None) -> Description:
    """Play uniformly random games.

    Args:
        game: The game.
        playouts: How many.
        seed: Same seed and number, same result.
        threads: All cores if not given; lanes only.
    """
    if not 1 <= playouts <= 10**12:
        raise BadInput(f"playouts are 1 to {10**12:,}, not {playouts:,}")
    began = time.perf_counter()
    reason, program = "it is no rule sheet with a propositional net", None
    if isinstance(game, NetGame):
        try:
            program = build_program(game)
        except BadInput as error:
            reason = str(error)
    if program is not None:
        engine = Engine(program, native=compile_program(program, only_kept=playouts < COMPILED))
        ready = time.perf_counter()
        play = random_play(program, play_games(engine, playouts, seed=seed, threads=threads))
    else:
        ready = time.perf_counter()
        play = play_states(game, playouts, seed)
    return Description(
        game=game.id,
        roles=list(game.roles),
        by="states" if program is None else "lanes",
        reason=reason if program is None else "",
        operations=0 if program is None else program.step.size,
        play=play,
        advantage=_advantage(play.goals),
        seconds=time.perf_counter() - ready,
        preparation=ready - began,
    )


def _advantage(goals: list[RoleGoals]) -> tuple[float, float] | None:
    if len(goals) < 2:
        return None
    first, others = goals[0], goals[1:]
    mean = first.mean - sum(role.mean for role in others) / len(others)
    # Goals of roles depend on each other; the sum of the errors is an upper bound whatever they do.
    return mean, first.error + sum(role.error for role in others) / len(others)


def play_states(game: Game, playouts: int, seed: int, limit: int = LIMIT) -> RandomPlay:
    """Random games in states side by side; every lane plays a number of games that was fixed before."""
    n = min(STATES, playouts)
    lanes = StateLanes(game, n)
    lanes.begin()
    left = np.full(n, playouts // n)
    left[: playouts % n] += 1
    chance = np.random.default_rng(seed)
    columns = 1 if lanes.in_turn else game.n_roles
    mask = np.empty((n, game.n_moves * columns), np.uint8)
    actions = np.zeros((n, columns), np.int32)
    length = np.zeros(n, np.int64)
    lengths: list[np.ndarray] = []
    goals: list[np.ndarray] = []
    legal = choices = 0
    while left.any():
        lanes.legal(mask)
        at_work = left > 0
        for column in range(columns):
            pick(mask, column * game.n_moves, game.n_moves, chance.integers(2**64, size=n, dtype=np.uint64), actions, column)
            counts = mask[at_work, column * game.n_moves : (column + 1) * game.n_moves].sum(axis=1, dtype=np.int64)
            legal, choices = legal + int(counts.sum()), choices + int((counts > 0).sum())
        lanes.play(actions)
        length += 1
        ended = lanes.over & at_work
        lengths.append(length[ended])
        goals.append(lanes.rewards[ended].astype(float))
        left[ended] -= 1
        length[lanes.over] = 0
        if length.max() > limit:
            raise BadInput(f"{game.id}: a random game lasts longer than {limit:,} joint moves")
    all_lengths, all_goals = np.concatenate(lengths), np.concatenate(goals)
    roles = []
    for number, role in enumerate(game.roles):
        mine = all_goals[:, number].round(6)
        values, counts = np.unique(mine, return_counts=True)
        error = float(mine.std()) / math.sqrt(playouts)
        pairs = [(float(value), int(count)) for value, count in zip(values, counts, strict=True)]
        roles.append(RoleGoals(role=role, mean=float(mine.mean()), error=error, values=pairs))
    return RandomPlay(
        games=playouts,
        stopped=0,
        steps=int(all_lengths.sum()),
        length=float(all_lengths.mean()),
        length_deviation=float(all_lengths.std()),
        shortest=int(all_lengths.min()),
        longest=int(all_lengths.max()),
        branching=legal / max(1, choices),
        goals=roles,
    )
