"""The tree between the moves of a game: kept, thinned out or forgotten, with all that hangs on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles.slow_mcts import SlowMcts
from oracles.small_games import CountdownGame, DuelGame
from oracles.trees import shape, tree_of
from paidia.core.budget import Budget
from paidia.core.game import Game, State
from paidia.games import load
from paidia.search.backup.monte_carlo import MonteCarlo
from paidia.search.final_move.most_visits import MostVisits
from paidia.search.frame.parameters import Parameters
from paidia.search.mcts import Mcts
from paidia.search.nodes.reuse import keep_since
from paidia.search.playout.mast import Mast
from paidia.search.playout.nst import Nst
from paidia.search.playout.ppa import Ppa
from paidia.search.playout.uniform import Uniform
from paidia.search.registry import SELECTIONS
from paidia.search.selection.ucb1 import Ucb1
from paidia.search.selection.ucb1_tuned import Ucb1Tuned
from paidia.search.statistics.actions import ActionTable
from paidia.testing.strategies import snapshot


def uct(game: Game, **settings: Any) -> Mcts:
    parts: dict[str, Any] = {"selection": Ucb1(), "playout": Uniform()}
    parts.update(settings)
    return Mcts(game, **parts, backup=MonteCarlo(), final_move=MostVisits())


def play_first(state: State) -> None:
    state.play([legal[0] if (legal := state.legal(role)) else None for role in range(state.game.n_roles)])


# ---------------------------------------------------------------- dropping nodes


def brute_force(arrays: dict[str, Any], step: int) -> dict[int, Any]:
    """What must be left of a tree, position by position."""
    nodes, edges = arrays["nodes"], arrays["edges"]
    kept = {}
    for node in nodes[nodes["stamp"] >= step]:
        rows = []
        if node["first"] >= 0:
            for at in range(node["first"], node["first"] + node["n_edges"]):
                edge = edges[at]
                child = nodes[edge["child"]] if edge["child"] >= 0 else None
                alive = child is not None and child["stamp"] >= step
                rows.append((
                    int(edge["role"]), int(edge["move"]), int(edge["visits"]), float(edge["sum"]),
                    float(arrays["squares"][at]), int(child["key"]) if alive else None,
                ))  # fmt: skip
        kept[int(node["key"])] = (
            int(node["visits"]), int(node["stamp"]), int(node["mover"]), int(node["terminal"]), rows,
            node["first"] >= 0,
        )  # fmt: skip
    return kept


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["tic-tac-toe", "connect4@4x4", "breakthrough@4x4"]),
    st.integers(1, 400),
    st.integers(0, 2**32),
    st.lists(st.integers(-1, 11), min_size=1, max_size=4).map(sorted),
)
def test_what_is_left_equals_a_filtered_copy(game: str, simulations: int, seed: int, keeps: list[int]) -> None:
    search = uct(load(game), selection=Ucb1Tuned(), keep_steps=100)
    search.begin_game(seed)
    state = load(game).initial_state()
    random = np.random.default_rng(seed)
    step = 0
    while not state.terminal and step < 10:  # stamps of many steps, from searches along a random game
        role = state.mover or 0
        search.search(state, Budget(simulations=simulations), role=role, step=step)
        last = state.clone()
        state.play([int(random.choice(state.legal(role))) if seat == role else None for seat in range(2)])
        step += int(random.integers(1, 3))
    state = last
    for step in keeps:
        left = brute_force(search.tree.arrays(), step)
        assert keep_since(search.tree, step, None) is None
        assert brute_force(search.tree.arrays(), -1) == left
        assert search.tree.n_nodes == len(left)
        assert search.tree.n_edges == sum(len(node[4]) for node in left.values())
        root = search.tree.root(state)
        assert (root >= 0) == (state.key in left)
        assert root < 0 or int(search.tree.arrays()["nodes"]["key"][root]) == state.key


def test_an_empty_tree_stays_empty() -> None:
    search = uct(load("tic-tac-toe"))
    assert keep_since(search.tree, 5, None) is None
    assert (search.tree.n_nodes, search.tree.n_edges) == (0, 0)


# ---------------------------------------------------------------- a whole game against the oracle

GAMES = [load("tic-tac-toe"), CountdownGame(3), DuelGame()]
PLAYOUTS: dict[str, tuple[str, Callable[[], Any], dict[str, Any]]] = {
    "uniform": ("uniform", Uniform, {}),
    "mast": ("mast", Mast, {"decay": 0.2}),
    "mast-keeps": ("mast", lambda: Mast(decay=1.0), {"decay": 1.0}),
    "mast-forgets": ("mast", lambda: Mast(decay=0.0), {"decay": 0.0}),
    "nst": ("nst", Nst, {"decay": 0.2}),
    "nst-halves": ("nst", lambda: Nst(decay=0.5), {"decay": 0.5}),
    "ppaf": ("ppa", Ppa, {}),
    "ppafm": ("ppa", lambda: Ppa(memory=True), {"memory": True}),
}


def table_of(actions: ActionTable) -> dict[tuple[int, int], tuple[float, float]]:
    visits, means = actions.table()
    return {(int(r), int(m)): (visits[r, m], means[r, m]) for r, m in zip(*visits.nonzero(), strict=True)}


@pytest.mark.parametrize("keep_steps", [0, 1, 2, None], ids=lambda keep: f"keep {keep}")
@pytest.mark.parametrize("selection", ["grave", "progressive-history"])
@pytest.mark.parametrize("playout", PLAYOUTS)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_every_search_of_a_game_equals_the_oracle(game: Game, selection: str, playout: str, keep_steps: int | None) -> None:
    """With keep_steps None the tree is forgotten after each move. AMAF tables go with their nodes (GRAVE)."""
    name, make, fading = PLAYOUTS[playout]
    parameters = Parameters(K=100, ref=5, epsilon=0.3, nmin=2, VO=0.01)
    keeping = {"reuse": False} if keep_steps is None else {"keep_steps": keep_steps}
    fast = uct(game, selection=SELECTIONS[selection](), playout=make(), parameters=parameters, **keeping)
    slow = SlowMcts(game, selection=selection, playout=name, parameters=parameters, seed=5)
    fast.begin_game(5)
    state = game.initial_state()
    step = searched = 0
    while not state.terminal:
        role = next(role for role in range(game.n_roles) if state.legal(role))
        for passed in range(searched + 1, step + 1):  # statistics fade with each move of the game, whoever searched
            slow.begin_step(passed, keep_steps=-1 if keep_steps is None else keep_steps, **fading)
        searched = step
        result = fast.search(state, Budget(simulations=60), role=role, step=step)
        slow.search(state, 60)
        slow.rng.double()  # the final move's
        assert tree_of(fast) == {key: shape(node) for key, node in slow.nodes.items()}
        if fast.actions is not None:
            assert table_of(fast.actions) == {key: (n, mean) for key, (n, _, mean) in slow.actions.items()}
        if fast.ngrams is not None:
            assert len(fast.ngrams) == len(slow.ngrams)
        assert (result.nodes, result.steps, result.depth) == (len(slow.nodes), slow.played, slow.deepest)
        for _ in range(1 + step % 2):  # the next search comes one or two steps later
            if not state.terminal:
                play_first(state)
                step += 1


# ---------------------------------------------------------------- what a player sees


def test_with_reuse_the_next_search_starts_with_the_visits_it_had() -> None:
    game = load("connect4@5x5")
    search = uct(game)
    search.begin_game(1)
    state = game.initial_state()
    first = search.search(state, Budget(simulations=2000), role=0)
    assert first.move is not None
    state.play(first.move)
    key, arrays = state.key, search.tree.arrays()["nodes"]
    kept = int(arrays["visits"][arrays["key"] == key][0])
    assert kept > 100
    second = search.search(state, Budget(simulations=100), role=1, step=1)
    assert sum(row.visits for row in second.moves) == kept + 100
    assert second.nodes > 1000


def test_without_reuse_every_search_starts_empty() -> None:
    game = load("connect4@5x5")
    search = uct(game, reuse=False)
    search.begin_game(1)
    state = game.initial_state()
    search.search(state, Budget(simulations=2000), role=0)
    state.play(state.legal(0)[0])
    second = search.search(state, Budget(simulations=100), role=1, step=1)
    assert sum(row.visits for row in second.moves) == 99  # the first simulation makes the root
    assert second.nodes <= 100


def test_nodes_age_out_after_keep_steps() -> None:
    """Visited at step 0 only: with keep_steps 2 they are there at step 2 and gone at step 3."""
    game = load("tic-tac-toe")
    for step, there in ((1, True), (2, True), (3, False)):
        search = uct(game, keep_steps=2)
        search.begin_game(1)
        start = game.initial_state()
        search.search(start, Budget(simulations=50), role=0)
        later = start.clone()
        play_first(later)
        search.search(later, Budget(simulations=1), role=1, step=step)
        assert (search.tree.root(start) >= 0) == there


def test_two_searches_of_one_step_share_the_tree_and_nothing_fades() -> None:
    """As when the start clock is searched before the first move."""
    game = load("tic-tac-toe")
    one, two = (uct(game, playout=Mast(), keep_steps=0) for _ in range(2))
    for search in (one, two):
        search.begin_game(3)
    start = game.initial_state()
    one.search(start, Budget(simulations=100), role=0)
    two.search(start, Budget(simulations=60), role=0)
    result = two.search(start, Budget(simulations=40), role=0)
    assert sum(row.visits for row in result.moves) == 99
    assert one.tree.n_nodes > 50 and two.tree.n_nodes > 50


def test_a_new_game_forgets_the_old_one() -> None:
    game = load("tic-tac-toe")
    search = uct(game, playout=Nst())
    trees = []
    for _ in range(2):
        search.begin_game(9)
        state = game.initial_state()
        search.search(state, Budget(simulations=200), role=0)
        play_first(state)
        search.search(state, Budget(simulations=200), role=1, step=1)
        trees.append(snapshot(search))
    assert trees[0] == trees[1]
