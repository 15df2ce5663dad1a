"""The parts of `cadia-style` against the slow search, decision for decision, and its proofs against minimax."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles.slow_cadia import SlowCadia
from oracles.small_games import CountdownGame, DuelGame
from oracles.trees import shape, tree_of
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.core.game import Game, State
from paidia.games import load
from paidia.players.build import build_search
from paidia.players.registry import load_agent
from paidia.search.backup.cadia import CadiaBackup
from paidia.search.backup.monte_carlo import MonteCarlo
from paidia.search.final_move.base import RootTable
from paidia.search.final_move.mixed_mean import MixedMean
from paidia.search.final_move.proven_mean import ProvenMean
from paidia.search.frame.parameters import Parameters
from paidia.search.mcts import Mcts
from paidia.search.playout.mast import Mast
from paidia.search.selection.cadia import Cadia
from paidia.testing import check_strategy

STYLE = Parameters(C=0.4, K=500, tau=0.1)


def cadia(game: Game, parameters: Parameters = STYLE, *, max_depth: int = 500, **options: Any) -> Mcts:
    return Mcts(
        game,
        selection=Cadia(),
        playout=Mast(gibbs=True, decay=1.0),
        backup=CadiaBackup(**options),
        final_move=MixedMean(),
        parameters=parameters,
        max_depth=max_depth,
    )


def compare(
    game: Game, parameters: Parameters = STYLE, *, seed: int, simulations: int, max_depth: int = 500, **options: Any
) -> None:
    fast = cadia(game, parameters, max_depth=max_depth, **options)
    state = game.initial_state()
    for _ in range(2):
        fast.begin_game(seed)
        slow = SlowCadia(game, parameters, seed=seed, max_depth=max_depth, **options)
        fast.search(state, Budget(simulations=simulations), role=0)
        slow.search(state, simulations)
        assert tree_of(fast) == {key: shape(node) for key, node in slow.nodes.items()}
        if options.get("solver", True):
            arrays = fast.tree.arrays()
            for node, bounds in zip(arrays["nodes"], arrays["bounds"], strict=True):
                assert bounds.tolist() == [list(map(float, b)) for b in slow.bounds_of(slow.nodes[int(node["key"])])]
        state.play([legal[0] if (legal := state.legal(role)) else None for role in range(game.n_roles)])


GAMES = ["tic-tac-toe", "breakthrough@5x4", "connect4@4x4", "atarigo@4x4", "domineering@4x4", "reversi@4x4"]


@pytest.mark.parametrize("game", GAMES)
def test_the_search_equals_the_oracle(game: str) -> None:
    compare(load(game), seed=3, simulations=600)


@pytest.mark.parametrize("game", [DuelGame(), CountdownGame(1), CountdownGame(2), CountdownGame(3)], ids=lambda g: g.id)
def test_any_number_of_roles_and_simultaneous_moves_equal_the_oracle(game: Game) -> None:
    compare(game, seed=4, simulations=300)


@pytest.mark.parametrize(
    "change",
    [{"K": 0.0}, {"K": math.inf}, {"K": 0.01}, {"C": 0.0}, {"tau": 5.0}, {"tau": 0.01}, {"VO": 0.1}],
    ids=str,
)
def test_the_edges_of_every_parameter_equal_the_oracle(change: dict[str, float]) -> None:
    compare(load("connect4@4x4"), STYLE.replace(**change), seed=7, simulations=400)


@pytest.mark.parametrize("options", [{"solver": False}, {"discount": 1.0}, {"discount": 0.5}, {"relative": False}], ids=str)
def test_every_option_equals_the_oracle(options: dict[str, Any]) -> None:
    compare(load("tic-tac-toe"), seed=8, simulations=500, **options)
    compare(CountdownGame(3), seed=8, simulations=200, **options)


@pytest.mark.parametrize("depth", [1, 2, 5])
def test_the_depth_limit_equals_the_oracle(depth: int) -> None:
    compare(load("tic-tac-toe"), seed=6, simulations=300, max_depth=depth)


@pytest.mark.parametrize("make", [Cadia, CadiaBackup, MixedMean, lambda: CadiaBackup(solver=False)])
def test_the_parts_keep_the_contract_of_strategies(make: Any) -> None:
    check_strategy(make)


# ---------------------------------------------------------------- proofs


def minimax(game: Game) -> Any:
    """The value of a position of a game of two for role 0."""
    known: dict[int, float] = {}

    def value(state: State) -> float:
        if state.key not in known:
            if state.terminal:
                known[state.key] = state.goals[0]
            else:
                below = []
                for move in state.legal(state.mover):
                    after = state.clone()
                    after.play([move if role == state.mover else None for role in range(2)])
                    below.append(value(after))
                known[state.key] = max(below) if state.mover == 0 else min(below)
        return known[state.key]

    value(game.initial_state())
    return known


@cache
def solved(game: str) -> Any:
    return minimax(load(game))


@pytest.mark.parametrize("game", ["tic-tac-toe", "connect4@4x4"])
@pytest.mark.parametrize("seed", range(3))
def test_what_is_proven_is_true(game: str, seed: int) -> None:
    state = load(game).initial_state()
    search = cadia(state.game)
    search.begin_game(seed)
    search.search(state, Budget(simulations=3000), role=0)
    arrays = search.tree.arrays()
    closed = 0
    for node, ((low0, high0), (low1, high1)) in zip(arrays["nodes"], arrays["bounds"], strict=True):
        true = solved(game)[int(node["key"])]
        assert low0 <= true <= high0 and low1 <= 1 - true <= high1
        closed += not node["terminal"] and low0 == high0
    assert closed > 40, "the solver proves something"


def test_a_won_position_is_proven_and_won() -> None:
    """x has two in a row: the search proves the win and plays it, whatever its statistics say."""
    game = load("tic-tac-toe")
    for seed in range(20):
        search = cadia(game)
        search.begin_game(seed)
        state = game.initial_state()
        for move in (0, 3, 1, 4):  # x on the first two cells, o on the middle row
            mover = state.mover
            state.play([move if role == mover else None for role in range(2)])
        result = search.search(state, Budget(simulations=60), role=0)
        assert result.move == 2
        root = search.tree.arrays()["bounds"][search.tree.root(state)]
        assert root.tolist() == [[1, 1], [0, 0]]


def test_a_proven_loss_is_avoided_and_proofs_survive_between_moves() -> None:
    game = load("tic-tac-toe")
    search = cadia(game)
    search.begin_game(5)
    state = game.initial_state()
    for step, move in enumerate((0, 4, 1)):  # o must answer in cell 2
        if step == 2:
            search.search(state, Budget(simulations=500), role=state.mover, step=step)
        mover = state.mover
        state.play([move if role == mover else None for role in range(2)])
    before = {
        int(n["key"]): b.tolist() for n, b in zip(search.tree.arrays()["nodes"], search.tree.arrays()["bounds"], strict=True)
    }
    result = search.search(state, Budget(simulations=200), role=1, step=3)
    assert result.move == 2
    arrays = search.tree.arrays()
    for node, bounds in zip(arrays["nodes"], arrays["bounds"], strict=True):
        for (low, high), (old_low, old_high) in zip(bounds, before.get(int(node["key"]), []), strict=False):
            assert low >= old_low and high <= old_high, "facts stay facts"


def test_without_a_solver_nothing_is_kept() -> None:
    search = cadia(load("tic-tac-toe"), solver=False)
    assert not search.tree.keep_bounds and "bounds" not in search.tree.arrays()


# ---------------------------------------------------------------- the final move


class Fixed:
    """Always draws the same number."""

    def __init__(self, number: float = 0.0) -> None:
        self.number = number

    def random(self) -> float:
        return self.number

    def below(self, n: int) -> int:
        return int(self.number * n)


def choose(table: RootTable, number: float = 0.0) -> int | None:
    return MixedMean().choose_at(table, Fixed(number))


def root(**columns: Any) -> RootTable:
    n = len(columns["visits"])
    filled: dict[str, Any] = {
        "means": np.zeros(n),
        "node_visits": 100,
        "K": 0.0,
        "amaf": np.full(n, np.nan),
        "low": np.zeros(n),
        "high": np.ones(n),
        "open": np.ones(n, dtype=bool),
        "moves": np.arange(n, dtype=np.int32),
        "known": np.ones(n, dtype=bool),
        "unsafe": np.zeros(n, dtype=bool),
        "stale": np.zeros(n, dtype=bool),
        "pruning": False,
        "qualities": np.array(columns.get("means", np.zeros(n))),
        "estimates": np.zeros(n),
        **columns,
    }
    return RootTable(**{key: np.array(v) if isinstance(v, list) else v for key, v in filled.items()})


def test_the_final_move_is_the_highest_mixed_mean() -> None:
    assert choose(root(visits=[5, 5, 5], means=[0.2, 0.6, 0.4]), 0.0) == 1
    assert choose(root(visits=[5, 0, 5], means=[0.2, 0.0, 0.1]), 0.0) == 0
    # beta = sqrt(300 / (300 + 300)) = 0.707: 0.293 * 0.6 + 0.707 * 0.1 = 0.246 < 0.293 * 0.2 + 0.707 * 0.5 = 0.412
    mixed = {"visits": [5, 5], "means": [0.6, 0.2], "amaf": [0.1, 0.5]}
    assert choose(root(**mixed, K=300.0), 0.0) == 1
    assert choose(root(**mixed, K=0.0), 0.0) == 0
    assert choose(root(**mixed, K=0.02), 0.0) == 0, "beta below 0.01"
    assert choose(root(**mixed, K=math.inf), 0.0) == 1
    assert {choose(root(visits=[1, 1, 1], means=[0.5, 0.5, 0.1]), r) for r in (0.0, 0.4, 0.5, 0.99)} == {0, 1}


def test_the_final_move_stays_within_what_is_proven() -> None:
    assert choose(root(visits=[9, 9], means=[0.9, 0.3], high=[0.0, 1.0], open=[False, True]), 0.0) == 1
    assert choose(root(visits=[9, 9], means=[0.4, 0.3], low=[0.0, 0.5]), 0.0) == 1, "a sure half beats a mean of 0.4"
    assert choose(root(visits=[9, 9], means=[0.4, 0.3], low=[0.0, 1.0], open=[False, True]), 0.0) == 1
    assert choose(root(visits=[9, 9], means=[0.8, 0.9], low=[1.0, 1.0]), 0.0) == 1, "of two wins the quicker"


@given(st.data(), st.sampled_from([0.0, 0.3, 0.5, 1.0]))
def test_a_mean_counts_from_a_share_of_the_visits(data: st.DataObject, trusted: float) -> None:
    """Whatever the numbers: never a move that is not trusted, unless it is proven to bring the most."""
    n = data.draw(st.integers(1, 6))
    visits = np.array(data.draw(st.lists(st.integers(0, 20), min_size=n, max_size=n)))
    means = np.array(data.draw(st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), min_size=n, max_size=n)))
    low = np.array(data.draw(st.lists(st.sampled_from([0.0, 0.0, 0.5, 1.0]), min_size=n, max_size=n)))
    still = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    still[data.draw(st.integers(0, n - 1))] = True
    table = root(visits=visits, means=means, low=low, open=still)
    chosen = ProvenMean(trusted=trusted).choose_at(table, Fixed())
    most = max(visits[i] for i in range(n) if still[i])
    allowed = [i for i in range(n) if still[i] and (visits[i] >= trusted * most or low[i] == max(low) > 0)]
    assert chosen in allowed
    # What is compared is the mean inside what is proven; a move without visits comes last.
    worth = [max(low[i], means[i]) if visits[i] else -1.0 for i in allowed]
    assert worth[allowed.index(chosen)] == max(worth)
    assert trusted or chosen == choose(table)


def test_a_share_of_visits_is_a_share() -> None:
    with pytest.raises(ValueError, match=r"0 to 1, not 1\.5"):
        ProvenMean(trusted=1.5)


# ---------------------------------------------------------------- the agent


def test_the_preset_is_what_is_said_of_it() -> None:
    agent = load_agent("cadia-style")
    search = build_search(agent, load("tic-tac-toe"))
    assert (search.parameters.C, search.parameters.K, search.parameters.tau) == (0.4, 500, 0.1)
    assert isinstance(search.selection, Cadia) and isinstance(search.backup, CadiaBackup)
    assert isinstance(search.final_move, MixedMean) and search.tree.keep_bounds
    assert "FAST and PAST" in agent.summary


def test_amaf_is_counted_in_one_way_only() -> None:
    class Counting(Cadia):
        needs = ("amaf", "actions", "amaf-once")

    with pytest.raises(BadInput, match="do not go together"):
        Mcts(load("tic-tac-toe"), selection=Counting(), playout=Mast(), backup=MonteCarlo(), final_move=MixedMean())
