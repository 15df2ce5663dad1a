"""OpenSpiel as a peer in our benchmarks: its C++ games and C++ MCTS on the same game, measured in the same run.

Its loops run on the C++ side: `MCTSBot` with a random-rollout evaluator that makes many rollouts per simulation is a playout
benchmark, and with one rollout per simulation it is plain UCT with random playouts. Needs the extra `openspiel`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib.metadata import version

import msgspec

__all__ = ["GAMES", "PeerRates", "measure"]

#: our board -> OpenSpiel's game string, where the rules are the same
GAMES = {
    "tic-tac-toe": "tic_tac_toe",
    "connect4": "connect_four",
    "breakthrough": "breakthrough",
    "reversi": "othello",
    "hex": "hex(board_size=11)",
    "go": "go(board_size=9)",
}


class PeerRates(msgspec.Struct, frozen=True):
    """What a peer does per second of processor time."""

    name: str
    playouts_per_s: float
    sims_per_s: float


def measure(game: str, *, seconds: float, search: int, exploration: float) -> PeerRates | None:
    """OpenSpiel's rates on the game with our id, None if it does not have that game or is not installed.

    Args:
        game: Our id.
        seconds: Time for each rate.
        search: Simulations of one search.
        exploration: UCT's constant on results in [0, 1]; OpenSpiel's results are in [-1, 1], so it gets twice that.
    """
    try:
        import pyspiel
    except ImportError:
        return None
    if game not in GAMES:
        return None
    rules = pyspiel.load_game(GAMES[game])
    state = rules.new_initial_state()

    def run(rollouts: int, simulations: int) -> float:
        evaluator = pyspiel.RandomRolloutEvaluator(rollouts, 1)
        bot = pyspiel.MCTSBot(rules, evaluator, 2 * exploration, simulations, 4000, False, 1, False)
        began = time.process_time()
        bot.mcts_search(state)
        return rollouts * simulations / max(time.process_time() - began, 1e-9)

    return PeerRates(
        name=f"open_spiel {version('open_spiel')}",
        playouts_per_s=_best(lambda: run(2000, 1), seconds),
        sims_per_s=_best(lambda: run(1, search), seconds),
    )


def _best(rate: Callable[[], float], seconds: float) -> float:
    """The best of the runs that fit into the time, three at least."""
    end = time.process_time() + seconds
    rates = [rate() for _ in range(3)]
    while time.process_time() < end:
        rates.append(rate())
    return max(rates)
