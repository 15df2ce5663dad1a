"""No memory: whichever allocation of a kernel fails, the process lives, says MemoryError, and goes on afterwards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.core.machine.memory import failing
from paidia.games import load
from paidia.games.perft import perft
from paidia.players.registry import make_player

GAMES = ["go@5x5", "hex@5x5", "connect4", "gdl:tic-tac-toe", "gdl:connect4", "gdl:checkers", "vgdl:vine", "vgdl:museum"]


def each(work: Callable[[], Any], *, most: int = 200, few: int = 200) -> int:
    """Do something with the first allocation failing, the second, ... until it gets through; how many there are.

    From the allocation number `few` on, not every one of them fails.
    """
    n = 0
    while (n := n + 1 + n // few) < most:
        try:
            with failing(n) as calls:
                work()
        except (MemoryError, BadInput):  # perft says how much it would need
            assert calls.made >= n
            continue
        if calls.made < n:
            return n - 1
    return most


@pytest.mark.parametrize("spec", GAMES)
def test_a_state_that_cannot_be_made_or_played_says_so(spec: str) -> None:
    game = load(spec)

    def play() -> None:
        state = game.initial_state()
        copy = state.clone()
        for _ in range(8):
            if state.terminal:
                break
            state.play([legal[0] if (legal := state.legal(role)) else None for role in range(game.n_roles)])
        _ = state.values
        copy.random_playout(3, 200)
        copy.copy_from(state)

    play()
    needed = each(play)
    if spec.startswith(("gdl:", "go", "vgdl:")):
        assert needed > 0
    play()


def test_a_net_without_scratch_ends_the_game_there() -> None:
    state = load("gdl:connect4").initial_state()
    with failing(1), pytest.raises(MemoryError, match="no memory to play gdl:connect4"):
        state.play(0)
    fresh = load("gdl:connect4").initial_state()
    fresh.play(0)
    assert not fresh.terminal


@pytest.mark.parametrize("agent", ["p-ea", "p-he", "p-lsi", "p-mab", "p-nmc", "ntbea-2", "cma-es-4", "sim-rnd-2", "state-rnd-2"])
def test_an_agent_that_tunes_itself(agent: str) -> None:
    game = load("tic-tac-toe")

    def tune() -> None:
        player = make_player(agent)
        player.begin(game, 0, state=game.initial_state(), seed=1, budget=None)
        player.act(game.initial_state(), step=0, budget=Budget(simulations=30))

    tune()
    assert each(tune) > 0
    tune()


SEARCHES = [
    ("uct", "connect4"), ("grave", "connect4"), ("cadia-style", "connect4"), ("uct-solver", "connect4"), ("ppaf", "connect4"),
    ("nst", "connect4"), ("fast", "gdl:tic-tac-toe"), ("champion", "connect4"), ("mcts-thesis", "vgdl:vine"),
    ("maastcts2", "vgdl:vine"), ("olets", "vgdl:vine"), ("rhea", "vgdl:museum"), ("iw-1", "vgdl:museum"),
    ("2bfs", "vgdl:museum"), ("hybrid", "vgdl:museum"), ("one-step", "vgdl:vine"),
]  # fmt: skip


@pytest.mark.parametrize(("agent", "spec"), SEARCHES)
def test_a_search_says_so_and_can_be_made_again(agent: str, spec: str) -> None:
    game = load(spec)

    def search() -> int | None:
        player = make_player(agent)
        player.begin(game, 0, state=game.initial_state(), seed=1, budget=None)
        return player.act(game.initial_state(), step=0, budget=Budget(simulations=8)).move

    move = search()
    assert each(search, few=6, most=500) > 0
    assert search() == move


def test_perft_without_memory() -> None:
    game = load("tic-tac-toe")
    assert each(lambda: perft(game, 3)) > 0
    assert perft(game, 2) is not None


def test_allocations_are_counted_from_one() -> None:
    with pytest.raises(ValueError, match="from 1"):
        failing(0)
