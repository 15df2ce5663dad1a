"""What a position is worth when everybody plays on at random: the goals of many games from there, in lanes where possible."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from paidia.core.errors import BadInput
from paidia.core.game import Game, State
from paidia.games.gdl.lanes.compile.build import build_program
from paidia.games.gdl.lanes.playouts import LIMIT
from paidia.games.gdl.lanes.portable import random_state
from paidia.games.gdl.lanes.processor.engine import Engine
from paidia.games.gdl.lanes.processor.native import compile_program
from paidia.games.gdl.lanes.trace import dealt, goal_values, unpacked
from paidia.games.gdl.net.kernel import NetGame

__all__ = ["Judge", "LaneJudge", "StateJudge", "judge_of"]

ALL = np.uint64(2**64 - 1)


class Judge(Protocol):
    """Plays random games from a position."""

    def goals(self, state: State, games: int, seed: int) -> NDArray[np.float64]:
        """The goals (games, roles) of random games; the same for the same position, number and seed, wherever it runs."""


def judge_of(game: Game) -> Judge:
    """Lanes for a rule sheet that has a lane program, else one state after the other."""
    if isinstance(game, NetGame):
        try:
            return LaneJudge(game)
        except BadInput:  # too large for lanes
            pass
    return StateJudge(game)


class LaneJudge:
    """Random games of a rule sheet, a block of lanes at a time."""

    def __init__(self, game: NetGame, *, compiled: bool = False, words: str | None = None) -> None:
        """
        Args:
            game: The rules; `BadInput` if it has no lane program.
            compiled: Compile the code where there is a compiler; else it is only taken where it is kept.
            words: Name of the machine words, of `engine.widths`; the widest if not given, or those of compiled code.
        """
        self.program = build_program(game)
        native = None
        if words is None:
            native = compile_program(self.program, routines=("leaf", "goals"), only_kept=not compiled)
        self.engine = Engine(self.program, native=native, words=words)
        names = list(game.fluent_names)
        self._order = np.array([names.index(fluent) for fluent in self.program.fluents])
        self._seen = np.zeros(len(names), np.uint8)

    def goals(self, state: State, games: int, seed: int) -> NDArray[np.float64]:
        state.observe(self._seen)
        start = np.where(self._seen[self._order] != 0, ALL, np.uint64(0))[:, None]
        blocks = -(-games // self.engine.lanes)
        return np.concatenate([self._block(start, seed, block) for block in range(blocks)])[:games]

    def _block(self, start: NDArray[np.uint64], seed: int, block: int) -> NDArray[np.float64]:
        program, engine, n = self.program, self.engine, self.program.n_fluents
        words = engine.lanes // 32
        random = dealt(random_state(seed, words, block * words), engine)
        planes = engine.block("leaf")
        planes[:n] = start
        for _ in range(LIMIT):
            engine.draw(random, planes, n, program.n_random)
            engine.run("leaf_0", planes)
            if planes[program.over_plane].min() == ALL:
                break
            engine.run("leaf_1", planes)
        else:
            raise _too_long(program.name)
        ends = engine.block("goals")
        ends[:n] = planes[:n]
        engine.run("goals", ends)
        return goal_values(program, unpacked(ends[n : program.goals.n_planes]))


class StateJudge:
    """Random games of any game with goals, one after the other."""

    def __init__(self, game: Game) -> None:
        self._name = game.id

    def goals(self, state: State, games: int, seed: int) -> NDArray[np.float64]:
        seeds = np.random.default_rng(seed).integers(2**64, size=games, dtype=np.uint64)
        found = np.empty((games, state.game.n_roles))
        copy = state.clone()
        for row, own in zip(found, seeds.tolist(), strict=True):
            copy.copy_from(state)
            copy.seed(own)  # of chance in the rules, where there is any
            copy.random_playout(own, LIMIT)
            if not copy.terminal:
                raise _too_long(self._name)
            row[:] = copy.goals
        return found


def _too_long(name: str) -> BadInput:
    return BadInput(f"{name}: a random game lasts longer than {LIMIT:,} joint moves")
