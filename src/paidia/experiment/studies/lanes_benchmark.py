"""How fast lanes are on one core, beside the scalar kernel of the same rule sheet."""

from __future__ import annotations

import msgspec

from paidia.core.errors import BadInput
from paidia.core.game import Game
from paidia.experiment.studies.benchmark import best_rate
from paidia.games import load_as
from paidia.games.gdl.lanes.compile.build import build_program
from paidia.games.gdl.lanes.playouts import play_games
from paidia.games.gdl.lanes.processor.engine import Engine
from paidia.games.gdl.lanes.processor.native import compile_program

__all__ = ["LaneRates", "measure_lanes"]

#: Games of every lane in one measured run: the share of lanes that wait for the last one is then small.
QUOTA = 64


class LaneRates(msgspec.Struct, frozen=True):
    """Uniformly random games to the end, per second of processor time on one core.

    Attributes:
        operations: Of one step.
        scalar_per_s: By the scalar kernel.
        lanes_per_s: In lanes whose program is interpreted; 0 where the game has no lane program.
        compiled_per_s: In lanes as compiled code; 0 without a compiler, or where the program is too large.
    """

    game: str
    operations: int
    scalar_per_s: float
    lanes_per_s: float
    compiled_per_s: float


def measure_lanes(spec: str, *, seconds: float) -> LaneRates:
    """Measure one rule sheet; each rate takes about `seconds`."""
    game = load_as(Game, spec)
    state = game.initial_state()
    seed = 0

    def scalar(n: int) -> None:
        nonlocal seed
        seed += 1
        state.random_playouts(seed, n)

    _, scalar_rate = best_rate(scalar, seconds)
    try:
        program = build_program(game)
    except BadInput:
        return LaneRates(game.id, 0, scalar_rate, 0.0, 0.0)
    native = compile_program(program)
    rates = [
        0.0 if engine is None else _rate(engine, seconds)
        for engine in (Engine(program), None if native is None else Engine(program, native=native))
    ]
    return LaneRates(game.id, program.step.size, scalar_rate, rates[0], rates[1])


def _rate(engine: Engine, seconds: float) -> float:
    games = QUOTA * engine.lanes

    def play(blocks: int) -> None:
        play_games(engine, blocks * games, seed=1, threads=1, lanes=blocks * engine.lanes, branching=False)

    return best_rate(play, seconds)[1] * games
