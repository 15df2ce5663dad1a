"""Train a small policy on a rule sheet by self-play, in thousands of matches at once.

    python examples/train_policy.py [GAME] [--seconds 90] [--lanes 4096]

A network of one hidden layer sees the fluents and gives every move a preference; policy gradients (REINFORCE) make moves of
the winner likelier. With torch the network is torch's, without it numpy does the same. At the end it plays random players.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

import paidia

HIDDEN = 128


class NumpyPolicy:
    """One hidden layer, its gradient by hand, Adam."""

    def __init__(self, n_inputs: int, n_moves: int, rate: float) -> None:
        chance = np.random.default_rng(0)
        self.weights = [
            (chance.normal(0, 1 / np.sqrt(n_inputs), (n_inputs, HIDDEN))).astype(np.float32),
            np.zeros(HIDDEN, np.float32),
            np.zeros((HIDDEN, n_moves), np.float32),
            np.zeros(n_moves, np.float32),
        ]
        self.moments = [(np.zeros_like(weight), np.zeros_like(weight)) for weight in self.weights]
        self.rate, self.steps = rate, 0

    def probabilities(self, seen: np.ndarray, mask: np.ndarray) -> np.ndarray:
        first, bias, second, offset = self.weights
        self.hidden = np.maximum(seen @ first + bias, 0)
        logits = np.where(mask, self.hidden @ second + offset, -1e9)
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        return odds / odds.sum(axis=1, keepdims=True)

    def learn(self, seen: np.ndarray, mask: np.ndarray, played: np.ndarray, worth: np.ndarray, entropy: float) -> None:
        chances = self.probabilities(seen, mask)
        surprise = np.log(np.maximum(chances, 1e-9))
        slope = chances * worth[:, None]
        slope[np.arange(len(played)), played] -= worth
        slope += entropy * chances * (surprise - (chances * surprise).sum(axis=1, keepdims=True))
        slope /= len(played)
        back = (slope @ self.weights[2].T) * (self.hidden > 0)
        self._descend([seen.T @ back, back.sum(axis=0), self.hidden.T @ slope, slope.sum(axis=0)])

    def _descend(self, slopes: list[np.ndarray]) -> None:
        self.steps += 1
        for weight, slope, (mean, square) in zip(self.weights, slopes, self.moments, strict=True):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            weight -= self.rate * (mean / (1 - 0.9**self.steps)) / (np.sqrt(square / (1 - 0.999**self.steps)) + 1e-8)


class TorchPolicy:
    """The same in torch."""

    def __init__(self, n_inputs: int, n_moves: int, rate: float) -> None:
        import torch

        self.torch = torch
        torch.manual_seed(0)
        self.net = torch.nn.Sequential(torch.nn.Linear(n_inputs, HIDDEN), torch.nn.ReLU(), torch.nn.Linear(HIDDEN, n_moves))
        self.optimiser = torch.optim.Adam(self.net.parameters(), lr=rate)

    def _logits(self, seen: np.ndarray, mask: np.ndarray) -> Any:
        torch = self.torch
        return self.net(torch.from_dlpack(seen)).masked_fill(~torch.from_dlpack(mask), -1e9)

    def probabilities(self, seen: np.ndarray, mask: np.ndarray) -> np.ndarray:
        with self.torch.no_grad():
            found: np.ndarray = self._logits(seen, mask).softmax(1).numpy()
        return found

    def learn(self, seen: np.ndarray, mask: np.ndarray, played: np.ndarray, worth: np.ndarray, entropy: float) -> None:
        torch = self.torch
        logs = self._logits(seen, mask).log_softmax(1)
        chosen = logs.gather(1, torch.from_numpy(played.astype(np.int64))[:, None])[:, 0]
        loss = -(chosen * torch.from_numpy(worth)).mean() + entropy * (logs.exp() * logs).sum(1).mean()
        self.optimiser.zero_grad()
        loss.backward()
        self.optimiser.step()


def drawn(chances: np.ndarray, chance: np.random.Generator) -> np.ndarray:
    """A move for each row, by its probabilities."""
    sums = chances.cumsum(axis=1)
    return np.minimum((sums < chance.random((len(chances), 1)) * sums[:, -1:]).sum(axis=1), chances.shape[1] - 1)


def outcomes(rewards: np.ndarray, over: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """By step and lane: what the match came to for each role, and whether its end was seen."""
    worth, known = np.zeros_like(rewards), np.zeros_like(over)
    now, seen_end = np.zeros_like(rewards[0]), np.zeros_like(over[0])
    for step in reversed(range(len(over))):
        now[over[step]] = rewards[step][over[step]]
        seen_end |= over[step]
        worth[step], known[step] = now, seen_end
    return worth, known


def share(policy: Any, env: paidia.Vector, role: int, chance: np.random.Generator) -> float:
    """The policy's mean goal in a role against random players: the first matches of all lanes."""
    env.reset(1)
    total, first = 0.0, np.ones(env.lanes, bool)
    while first.any():
        mine = env.current_role == role
        moves = env.sample()[:, 0]
        own = drawn(policy.probabilities(env.observation("float"), env.legal_mask), chance)
        rewards, over = env.step(np.where(mine, own, moves))
        total += float(rewards[over & first, role].sum())
        first &= ~over
    return total / env.lanes


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game", nargs="?", default="gdl:connect4")
    parser.add_argument("--seconds", type=float, default=90.0)
    parser.add_argument("--lanes", type=int, default=4096)
    parser.add_argument("--steps", type=int, default=48, help="of all lanes between two lessons")
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--numpy", action="store_true", help="even where torch is installed")
    arguments = parser.parse_args()
    env = paidia.vector(arguments.game, arguments.lanes)
    if len(env.actions) != 1:
        raise SystemExit(f"{arguments.game}: this example is for games in which roles take turns")
    sizes = (env.observation_shape[0], env.actions[0], arguments.rate)
    try:
        policy: Any = NumpyPolicy(*sizes) if arguments.numpy else TorchPolicy(*sizes)
    except ImportError:
        policy = NumpyPolicy(*sizes)
    chance = np.random.default_rng(0)
    env.reset(0)
    began, played, rounds = time.perf_counter(), 0, 0
    print(f"{type(policy).__name__}; before: {share(policy, env, 0, chance):.3f} of the goal against random players")
    env.reset(0)
    while time.perf_counter() - began < arguments.seconds:
        steps: list[tuple[Any, ...]] = []
        for _ in range(arguments.steps):
            seen, mask, role = env.observation("float"), env.legal_mask.copy(), env.current_role
            moves = drawn(policy.probabilities(seen, mask), chance)
            rewards, over = env.step(moves)
            steps.append((seen, mask, role, moves, rewards.copy(), over.copy()))
        seen, mask, role, moves, rewards, over = (np.stack(column) for column in zip(*steps, strict=True))
        goals, known = outcomes(rewards, over)
        worth = np.take_along_axis(goals, role[:, :, None], axis=2)[:, :, 0]
        for number in range(len(env.roles)):
            worth[role == number] -= worth[known & (role == number)].mean()
        rows = chance.permutation(np.flatnonzero(known))
        width = seen.shape[2]
        for some in np.array_split(rows, max(1, len(rows) // 8192)):
            batch = seen.reshape(-1, width)[some], mask.reshape(-1, mask.shape[2])[some]
            policy.learn(*batch, moves.reshape(-1)[some], worth.reshape(-1)[some].astype(np.float32), 0.01)
        played, rounds = played + int(over.sum()), rounds + 1
        if rounds % 10 == 0:
            print(f"{time.perf_counter() - began:5.0f} s  {played:9,} matches", flush=True)
    for number, name in enumerate(env.roles):
        print(f"as {name}: {share(policy, env, number, chance):.3f} of the goal against random players")


if __name__ == "__main__":
    main()
