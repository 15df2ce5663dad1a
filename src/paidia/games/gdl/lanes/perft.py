"""Perft in lanes: all joint moves of thousands of positions in step, level by level.

A level is the distinct positions in which the game goes on, their fluents as packed rows, with the number of paths to each. Every
pair of a position and a joint move gets a lane; what is equal among the rows that come out becomes one position of the next
level. As in `games.perft` a position is told by a 64-bit key, and looked at once however many paths lead to it.

The code is interpreted: that is a twentieth (connect 4) to a third (reversi) of the time, and compiling would cost seconds. The
rest is rows to planes and back, and the table of keys.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from paidia.core.game import Game
from paidia.games.gdl.lanes.compile.build import build_moves
from paidia.games.gdl.lanes.processor.engine import Engine, aligned
from paidia.games.gdl.lanes.processor.positions import Positions, keys_of, list_bits
from paidia.games.gdl.lanes.processor.spread import gather, rewards, spread
from paidia.games.perft import PerftRow, check_bounds, row_of, too_large, too_many

__all__ = ["lane_perft"]

#: Lanes at a time: as many blocks as have about so many bytes of planes.
BYTES = 1 << 20


class Played(NamedTuple):
    """What some lanes have come to.

    Attributes:
        of: By lane: the position it came from.
        rows: By lane: fluents, packed.
        keys: By lane.
        over: By lane: whether the game is over.
        goals: By lane in which it is, and role; 0 to 100.
    """

    of: NDArray[np.int32]
    rows: NDArray[np.uint64]
    keys: NDArray[np.uint64]
    over: NDArray[np.uint8]
    goals: NDArray[np.float64]


def lane_perft(game: Game, depth: int, *, memory: float = 2e9, threads: int | None = None) -> list[PerftRow]:
    """`games.perft.perft` in lanes, with the same arguments and rows.

    Args:
        game: A rule sheet with a propositional net; other games are refused with `BadInput`.
        depth: Longest sequence.
        memory: Bytes that the positions of two levels may take, at most; more is an error.
        threads: All cores if not given; the rows do not depend on it.
    """
    check_bounds(depth, memory)
    lanes = MoveLanes(game)
    start = lanes.start()
    one, first = np.ones(1, np.uint64), np.zeros(1, np.int32)
    found = [row_of(0, 1, 1, int(start.over[0]), start.goals.sum(axis=0).tolist() if start.over[0] else [0.0] * game.n_roles)]
    n = threads or os.cpu_count() or 1
    pool = ThreadPoolExecutor(n) if n > 1 else None
    try:
        level = Positions(lanes.words, kept=True, allowed=int(memory))
        level.add(start.rows, start.keys, start.over, one, first)
        for at in range(1, depth + 1):
            below = Positions(lanes.words, kept=at < depth, allowed=max(0, int(memory) - level.size))
            paths = ending = 0
            goals = np.zeros(game.n_roles)
            for played in _in_threads(lanes, level, pool, n):
                more = below.add(played.rows, played.keys, played.over, level.paths, played.of)
                paths, ending = paths + more[0], ending + more[1]
                if paths >= 2**64:
                    raise OverflowError
                if more[1]:
                    goals += level.paths[played.of[played.over != 0]].astype(float) @ played.goals
            found.append(row_of(at, paths, below.n + below.n_ended, ending, goals.tolist()))
            level = below
    except MemoryError:
        raise too_large(game, depth, memory) from None
    except OverflowError:
        raise too_many(game, depth) from None
    finally:
        if pool is not None:
            pool.shutdown(cancel_futures=True)
    return found


def _in_threads(lanes: MoveLanes, level: Positions, pool: ThreadPoolExecutor | None, threads: int) -> Iterator[Played]:
    """All that follows on a level, in order; threads play, and who asked enters what they found."""
    waiting: list[tuple[NDArray[np.int32], NDArray[np.int32]]] = []
    for pairs in lanes.joint_moves(level.rows):
        if pool is None:
            yield lanes.play(level.rows, *pairs)
            continue
        waiting.append(pairs)
        if len(waiting) == threads:
            yield from pool.map(lambda each: lanes.play(level.rows, *each), waiting)
            waiting = []
    if pool is not None:
        yield from pool.map(lambda each: lanes.play(level.rows, *each), waiting)


class MoveLanes:
    """Plays given moves in given positions of one game."""

    def __init__(self, game: Game) -> None:
        self.program = build_moves(game)
        self.engine = Engine(self.program)
        self.n_fluents = self.program.n_fluents
        self.words = max(1, -(-self.n_fluents // 64))
        self._role = np.array(self.program.goal_role, np.int32)
        self._value = np.array(self.program.goal_value, np.float64)
        block = max(self.engine.planes.values()) * self.engine.lanes // 8
        self.lanes = self.engine.lanes * max(1, BYTES // block)

    def start(self) -> Played:
        """The position in which the game begins, in a lane of its own."""
        planes = self._blocks("look", 1)
        planes[0, : self.n_fluents] = np.where(np.array(self.program.initial, bool), np.uint64(1), np.uint64(0))[:, None]
        self.engine.run("look", planes[0])
        return self._read(planes, 0, self.n_fluents + sum(self.program.actions), np.zeros(1, np.int32))

    def joint_moves(self, rows: NDArray[np.uint64]) -> Iterator[tuple[NDArray[np.int32], NDArray[np.int32]]]:
        """All pairs of a position and a joint move: numbers of rows, and actions (pairs, actions), some lanes at a time."""
        for begin in range(0, len(rows), self.lanes):
            moves = self._legal(rows, np.arange(begin, min(begin + self.lanes, len(rows)), dtype=np.int32))
            counts = np.stack([count for _, count in moves])
            if np.prod(counts.astype(float), axis=0).sum() > 2**62:
                raise OverflowError
            ends = np.cumsum(np.prod(counts, axis=0))
            firsts = [np.cumsum(count) - count for count in counts]
            for low in range(0, int(ends[-1]), self.lanes):
                high = min(low + self.lanes, int(ends[-1]))
                here = np.diff(np.clip(ends, low, high), prepend=low)
                of = np.repeat(np.arange(len(here), dtype=np.int32), here)
                if len(moves) == 1:
                    yield of + np.int32(begin), moves[0][0][low:high, None]
                    continue
                rank = np.arange(low, high) - (ends - np.prod(counts, axis=0))[of]
                actions = np.empty((high - low, len(moves)), np.int32)
                for number in reversed(range(len(moves))):  # as an odometer counts
                    mine = counts[number][of]
                    actions[:, number] = moves[number][0][firsts[number][of] + rank % mine]
                    rank //= mine
                yield of + np.int32(begin), actions

    def _legal(self, rows: NDArray[np.uint64], of: NDArray[np.int32]) -> list[tuple[NDArray[np.int32], NDArray[np.int64]]]:
        """By action: legal moves of some positions, one after the other, and how many each has."""
        planes = self._blocks("look", len(of))
        gather(rows.view(np.uint8), of, planes, 0, self.n_fluents)
        for block in planes:
            self.engine.run("look", block)
        found, plane = [], self.n_fluents
        for n in self.program.actions:
            legal = np.zeros((len(of), -(-n // 64)), np.uint64)
            spread(planes, plane, n, legal.view(np.uint8), True, 0, len(planes))
            found.append(list_bits(legal))
            plane += n
        return found

    def _blocks(self, routine: str, lanes: int) -> NDArray[np.uint64]:
        """Planes of a routine for some lanes."""
        return aligned((-(-lanes // self.engine.lanes), self.engine.planes[routine], self.engine.lanes // 64))

    def play(self, rows: NDArray[np.uint64], of: NDArray[np.int32], actions: NDArray[np.int32]) -> Played:
        """Play in a lane for each pair."""
        planes = self._blocks("play", len(of))
        gather(rows.view(np.uint8), of, planes, 0, self.n_fluents)
        plane, each = self.n_fluents, np.arange(len(of), dtype=np.int32)
        for number, n in enumerate(self.program.action_bits):
            said = np.ascontiguousarray(actions[:, number : number + 1], "<i4")
            gather(said.view(np.uint8), each, planes, plane, n)
            plane += n
        for block in planes:
            self.engine.run("play", block)
        return self._read(planes, plane + 1 + len(self._role), plane, of)

    def _read(self, planes: NDArray[np.uint64], first: int, told: int, of: NDArray[np.int32]) -> Played:
        """What stands in the lanes of some blocks: fluents from plane `first` on, `over` and goals from `told` on."""
        n = len(of)
        rows, keys = np.zeros((n, self.words), np.uint64), np.empty(n, np.uint64)
        spread(planes, first, self.n_fluents, rows.view(np.uint8), True, 0, len(planes))
        keys_of(rows, keys)
        over = np.unpackbits(np.ascontiguousarray(planes[:, told]).view(np.uint8).ravel(), count=n, bitorder="little")
        goals = np.zeros((n, len(self.program.roles)), np.float32)
        if over.any():
            rewards(planes, told, self._role, self._value, goals, 0, len(planes))
        ended = np.rint(goals[over != 0].astype(float) * 1e6) / 1e4  # as in games.perft: sums stay whole
        return Played(of, rows, keys, over, ended)
