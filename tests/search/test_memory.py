"""Memory of a search: views that outlive it, a limit at which the tree stops growing, and one thread at a time."""

from __future__ import annotations

import gc
import threading
import time

import numpy as np
import pytest

from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.core.machine.memory import failing
from paidia.games import load
from paidia.players.build import build_search
from paidia.players.definition import change
from paidia.players.registry import load_agent
from paidia.search.frame.search import Search
from paidia.search.mcts import Mcts
from paidia.search.nodes.memory import share_of_machine


def searching(agent: str = "grave", game: str = "breakthrough", **settings: object) -> Mcts:
    definition = load_agent(agent)
    for name, value in settings.items():
        definition = change(definition, name, value)
    search = build_search(definition, load(game))
    assert isinstance(search, Mcts)
    search.begin_game(1)
    return search


def think(search: Search, simulations: int, step: int = 0) -> None:
    search.search(search.game.initial_state(), Budget(simulations=simulations), step=step)


@pytest.mark.parametrize("agent", ["grave", "ucb1-tuned", "cadia-style", "sample-mcts"])
def test_arrays_stay_as_they_are_whatever_the_search_does(agent: str) -> None:
    game = "vgdl:vault" if agent == "sample-mcts" else "breakthrough"
    search = searching(agent, game)
    think(search, 500)
    arrays = search.tree.arrays()
    copies = {name: array.copy() for name, array in arrays.items()}
    think(search, 20_000, step=1)  # grows, compacts
    search.begin_game(2)
    think(search, 5_000)
    del search
    gc.collect()
    garbage = [np.full(200_000, 7.0) for _ in range(20)]  # what was freed is written over
    for name, array in arrays.items():
        assert array.tobytes() == copies[name].tobytes(), name
        assert not array.flags.writeable
    del garbage


def test_arrays_of_the_same_tree_share_its_memory() -> None:
    search = searching()
    think(search, 100)
    first, second = search.tree.arrays()["nodes"], search.tree.arrays()["nodes"]
    assert np.shares_memory(first, second)


def test_parameter_vectors_keep_their_search_alive() -> None:
    search = searching()
    vectors = search.vectors
    before = vectors.copy()
    del search
    gc.collect()
    garbage = [np.full(64, 7.0) for _ in range(1000)]
    assert np.array_equal(vectors, before)
    del garbage


@pytest.mark.parametrize("agent", ["uct", "grave", "nst", "cadia-style", "mast"])
def test_a_full_tree_stops_growing_and_the_search_goes_on(agent: str) -> None:
    small = searching(agent, memory=1)
    result = small.search(small.game.initial_state(), Budget(simulations=30_000))
    used, limit = small.tree.memory
    assert used <= limit <= 2**20
    assert result.simulations == 30_000 and result.move is not None
    assert "stopped growing" in result.notes["full"]
    assert sum(row.visits for row in result.moves) >= 29_000
    roomy = searching(agent)
    think(roomy, 30_000)
    assert roomy.tree.n_nodes > small.tree.n_nodes
    assert "full" not in roomy.notes()


LARGE = 50_000  # simulations after which nodes and edges of connect4 lie on large pages, where there are such


def test_large_arrays_that_cannot_be_had_leave_the_tree_as_it_is() -> None:
    search = searching("uct", "connect4")
    with failing(10**6) as calls:
        think(search, LARGE)
    whole = search.tree.arrays()
    assert search.tree.memory[0] > 1 << 22
    for n in (calls.made - 1, calls.made):
        search = searching("uct", "connect4")
        with failing(n):
            think(search, LARGE)
        assert search.tree.full and search.tree.n_nodes < len(whole["nodes"])
        kept = search.tree.n_nodes // 2  # what was there when it could not grow is what was moved
        assert (search.tree.arrays()["nodes"]["key"][:kept] == whole["nodes"]["key"][:kept]).all()


def test_a_limit_without_room_for_both_lets_arrays_grow_where_they_are() -> None:
    whole = searching("uct", "connect4")
    think(whole, LARGE)
    megabytes = whole.tree.memory[0] // 2**20 + 1
    search = searching("uct", "connect4", memory=megabytes)
    think(search, LARGE)
    assert search.tree.memory[0] <= search.tree.memory[1] <= whole.tree.memory[0] + 2**20
    assert not search.tree.full and search.tree.n_nodes == whole.tree.n_nodes


def test_a_search_with_room_again_grows_again() -> None:
    search = searching("uct", memory=1)
    think(search, 20_000)
    assert search.tree.full
    search.begin_game(3)
    think(search, 100)
    assert not search.tree.full and search.tree.n_nodes > 50


@pytest.mark.parametrize("memory", [-1, 1_000_001])
def test_memory_out_of_range_is_refused(memory: int) -> None:
    with pytest.raises(BadInput, match="megabytes"):
        searching(memory=memory)


def test_the_default_is_a_share_of_the_machine() -> None:
    assert share_of_machine() >= 256 * 2**20
    assert searching("uct").tree.memory[1] == share_of_machine()


def test_a_second_thread_is_told_that_the_search_is_busy() -> None:
    search = searching("uct")
    state = search.game.initial_state()
    results = []
    thread = threading.Thread(target=lambda: results.append(search.search(state, Budget(seconds=30.0))))
    thread.start()
    while not search.steps:
        time.sleep(0.001)
    for call in (
        lambda: search.search(state, Budget(simulations=1)),
        lambda: search.think_ahead(state, Budget(simulations=1)),
        lambda: search.begin_game(1),
    ):
        with pytest.raises(BadInput, match="busy"):
            call()
    search.stop()
    thread.join(timeout=10)
    assert not thread.is_alive() and results[0].move is not None
    think(search, 10)  # and is free again


def test_a_tree_that_another_thread_searches_is_busy() -> None:
    """Its memory moves when it grows: who looks would read what is freed."""
    search = searching("uct")
    state = search.game.initial_state()
    thread = threading.Thread(target=lambda: search.search(state, Budget(seconds=30.0)))
    thread.start()
    while not search.steps:
        time.sleep(0.001)
    for look in (search.tree.arrays, search.root_moves):
        with pytest.raises(BadInput, match="this tree is busy"):
            look()
    search.stop()
    thread.join(timeout=10)
    assert search.tree.arrays()["nodes"].shape and search.root_moves()
    with pytest.raises(TypeError):
        search.tree.root(None)  # type: ignore[arg-type]


def test_a_search_that_failed_is_free_again() -> None:
    search = searching("uct")
    over = search.game.initial_state()
    while not over.terminal:
        over.play([over.legal(role)[0] if over.legal(role) else None for role in range(2)])
    with pytest.raises(BadInput, match="over"):
        search.search(over, Budget(simulations=1))
    think(search, 10)


def test_more_simulations_than_anybody_can_count_end_when_they_are_stopped() -> None:
    search = searching("uct", memory=1)
    threading.Timer(0.3, search.stop).start()
    result = search.search(search.game.initial_state(), Budget(simulations=10**18))
    assert 0 < result.simulations < 10**18 and result.move is not None
