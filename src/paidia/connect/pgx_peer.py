"""pgx as a peer in benchmarks of lanes: its games in JAX, wherever JAX runs them. Needs `pgx`, and nothing else of paidia."""

from __future__ import annotations

import statistics
import time
from typing import Any

__all__ = ["GAMES", "measure"]

#: our id -> pgx's game, where the rules are the same
GAMES = {"tic-tac-toe": "tic_tac_toe", "connect4": "connect_four", "reversi": "othello"}


def measure(game: str, *, batch: int = 524_288, length: int = 64, repeats: int = 5) -> tuple[float, float] | None:
    """Games and steps per second of random legal moves in steady play, all inside one scan; None where pgx is not installed.

    Args:
        game: pgx's name of it.
        batch: Games side by side.
        length: Steps of a scan.
        repeats: The median of so many scans is taken.
    """
    try:
        import jax
        import pgx
        from pgx.experimental import auto_reset
    except ImportError:
        return None
    env = pgx.make(game)
    step = jax.vmap(auto_reset(env.step, env.init))

    def one(state: Any, key: Any) -> Any:
        for_action, for_reset = jax.random.split(key)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -1e9)
        action = jax.random.categorical(for_action, logits, axis=-1)
        state = step(state, action, jax.random.split(for_reset, batch))
        return state, state.terminated.sum()

    play = jax.jit(lambda state, key: jax.lax.scan(one, state, jax.random.split(key, length)))
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), batch))
    for warm in range(4):  # compiled, and lanes are no longer all at the same move of their games
        state, ended = play(state, jax.random.PRNGKey(100 + warm))
    jax.block_until_ready(ended)
    times, games = [], []
    for repeat in range(repeats):
        began = time.perf_counter()
        state, ended = play(state, jax.random.PRNGKey(repeat))
        jax.block_until_ready(ended)
        times.append(time.perf_counter() - began)
        games.append(float(ended.sum()))
    took = statistics.median(times)
    return statistics.mean(games) / took, batch * length / took
