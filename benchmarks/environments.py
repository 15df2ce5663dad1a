"""Steps per second of video games as environments, with observations: alone, in lanes, with a random policy in the kernel."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from paidia.connect.gymnasium import ArcadeEnv, ArcadeVectorEnv

LANES = 256


def best(steps: Callable[[], int]) -> int:
    """The best of five runs, in steps per second of processor time."""
    rates = []
    for _ in range(5):
        began = time.process_time()
        n = steps()
        rates.append(n / (time.process_time() - began))
    return int(max(rates))


def measure(game: str) -> None:
    """Print the three rates of a game."""
    env = ArcadeEnv(game)
    env.reset(seed=1)
    actions = [int(action) for action in np.random.default_rng(1).integers(len(env.actions), size=20_000)]

    def alone() -> int:
        for action in actions:
            if env.step(action)[2]:
                env.reset()
        return len(actions)

    lanes = ArcadeVectorEnv(LANES, game, copy=False)
    lanes.reset(seed=1)
    joint = np.random.default_rng(1).integers(len(env.actions), size=(100, LANES))

    def together() -> int:
        for row in joint:
            lanes.step(row)
        return joint.size

    inside = best(lambda: lanes.lanes.random_steps(1000))
    print(f"{game}: {best(alone):,} alone, {best(together):,} in {LANES} lanes, {inside:,} inside")


if __name__ == "__main__":
    for game in ("vgdl:boilers", "vgdl:vine"):
        measure(game)
