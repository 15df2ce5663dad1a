"""One thread against several in one search: simulations a second, and strength at equal time.

    python benchmarks/threads.py speed [--threads 2] [--agents uct,grave] [--games connect4,gdl:checkers] [--rounds 7]
    python benchmarks/threads.py strength [--threads 2] [--agents uct] [--games connect4] [--time 0.05] [--matches 200]

`speed` lets one thread, threads in one tree and threads in trees of their own take turns of `--time` seconds from the same
position and prints medians and their ratios. Beside them stand as many processes as threads, each with one thread of its own:
what the machine can give. `strength` plays matches of several threads against one at the same time per move, seats changing.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator

import paidia
from paidia.core.budget import Budget
from paidia.core.model import Rules
from paidia.players.build import build_search
from paidia.search.mcts import Mcts


def search_for(agent: str, game: Rules, threads: int, parallel: str) -> Mcts:
    search = build_search(paidia.agent(agent, threads=threads, parallel=parallel).definition, game)
    assert isinstance(search, Mcts)
    return search


def rate(search: Mcts, seconds: float, seed: int) -> float:
    """Simulations a second from the initial position."""
    search.begin_game(seed)
    result = search.search(search.game.initial_state(), Budget(seconds=seconds))
    return result.simulations / result.seconds


def rates_of_processes(game: str, agent: str, n: int, seconds: float) -> float:
    """All of them together, at the same time."""
    command = [sys.executable, __file__, "alone", "--games", game, "--agents", agent, "--time", str(seconds)]
    children = [subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True) for _ in range(n)]
    for child in children:
        assert child.stdout is not None
        child.stdout.readline()  # loaded
    for child in children:
        assert child.stdin is not None
        child.stdin.write("\n")
        child.stdin.flush()
    return sum(float(child.communicate()[0]) for child in children)


def speed(arguments: argparse.Namespace) -> None:
    n, seconds = arguments.threads, arguments.time
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; {n} threads, {arguments.rounds} rounds of {seconds:g} s")
    print(f"{'game':24} {'agent':14} {'one thread':>12} {'one tree':>20} {'own trees':>20} {'processes':>20}")
    for name, agent in pairs(arguments):
        game = paidia.load(name)
        searches = [search_for(agent, game, 1, "")] + [search_for(agent, game, n, parallel) for parallel in ("", "root")]
        found: list[list[float]] = [[] for _ in range(4)]
        for seed in range(arguments.rounds):
            for own, search in zip(found, searches, strict=False):
                own.append(rate(search, seconds, seed))
            found[3].append(rates_of_processes(name, agent, n, seconds))
        one, *others = (statistics.median(own) for own in found)
        cells = "".join(f" {other:12,.0f} ({other / one:.2f})" for other in others)
        print(f"{name:24} {agent:14} {one:12,.0f}{cells}", flush=True)


def alone(arguments: argparse.Namespace) -> None:
    (name, agent), *_ = pairs(arguments)
    search = search_for(agent, paidia.load(name), 1, "")
    rate(search, 0.01, 0)
    print("ready", flush=True)
    sys.stdin.readline()
    print(rate(search, arguments.time, 1))


def strength(arguments: argparse.Namespace) -> None:
    for name, agent in pairs(arguments):
        game = paidia.load(name)
        many = paidia.agent(agent, threads=arguments.threads, parallel=arguments.parallel)
        one = paidia.agent(agent)
        points = 0.0
        for match in range(arguments.first, arguments.first + arguments.matches):
            seat = match % 2
            seats = [many, one] if seat == 0 else [one, many]
            result = paidia.play(game, seats, time=arguments.time, seed=match // 2)
            points += result.record.goals[seat]
        mean = points / arguments.matches
        interval = 1.96 * (mean * (1 - mean) / arguments.matches) ** 0.5
        print(f"{name:24} {agent:14} {arguments.threads} threads against one, {arguments.time:g} s a move, "
              f"{arguments.matches} matches: {100 * mean:.1f} % (± {100 * interval:.1f})", flush=True)  # fmt: skip


def pairs(arguments: argparse.Namespace) -> Iterator[tuple[str, str]]:
    for name in arguments.games.split(","):
        for agent in arguments.agents.split(","):
            yield name, agent


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", choices=("speed", "strength", "alone"))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--agents", default="uct")
    parser.add_argument("--games", default="connect4,breakthrough,gdl:checkers")
    parser.add_argument("--parallel", default="")
    parser.add_argument("--time", type=float, default=0.5)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="number of the first match, to divide them among processes")
    arguments = parser.parse_args()
    {"speed": speed, "strength": strength, "alone": alone}[arguments.what](arguments)


if __name__ == "__main__":
    main()
