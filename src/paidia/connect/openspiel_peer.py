"""OpenSpiel as a peer in our benchmarks: its C++ games and C++ MCTS on the same game, measured in the same run.

Its loops run on the C++ side: `MCTSBot` with a random-rollout evaluator that makes many rollouts per simulation is a playout benchmark, and
with one rollout per simulation it is plain UCT with random playouts. Needs the extra `openspiel`.
"""

from __future__ import annotations

import time
from typing import Any

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


def measure(game: str, *, seconds: float) -> PeerRates | None:
    """OpenSpiel's rates on the game with our id, None if it does not have that game or is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    if game not in GAMES:
        return None
    rules = pyspiel.load_game(GAMES[game])
    return PeerRates(
        name=f"open_spiel {_version()}",
        playouts_per_s=_rate(pyspiel, rules, seconds, rollouts_per_simulation=1000, simulations=1),
        sims_per_s=_rate(pyspiel, rules, seconds, rollouts_per_simulation=1, simulations=2000),
    )


def _rate(pyspiel: Any, rules: Any, seconds: float, *, rollouts_per_simulation: int, simulations: int) -> float:
    """Playouts per second: calls grow until one lasts long enough, the best of three counts."""
    state = rules.new_initial_state()
    best = 0.0
    while True:
        evaluator = pyspiel.RandomRolloutEvaluator(rollouts_per_simulation, 1)
        bot = pyspiel.MCTSBot(rules, evaluator, 1.4, simulations, 4000, False, 1, False)
        began = time.process_time()
        bot.mcts_search(state)
        took = time.process_time() - began
        if took > 0:
            best = max(best, rollouts_per_simulation * simulations / took)
        if took >= seconds / 3:
            return best
        if rollouts_per_simulation > 1:
            rollouts_per_simulation *= 2
        else:
            simulations *= 2


def _version() -> str:
    from importlib.metadata import version

    return version("open_spiel")
