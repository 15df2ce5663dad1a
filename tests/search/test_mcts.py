"""The search as its users see it: results, budgets, refusals, parameters from outside, simultaneous moves."""

from __future__ import annotations

import math
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from oracles.small_games import ArmsGame, CountdownGame, DuelGame, MatrixGame
from paidia.core.budget import Budget
from paidia.core.control import Controller
from paidia.core.errors import BadInput
from paidia.core.game import Game, State
from paidia.games import load
from paidia.search.backup.monte_carlo import MonteCarlo
from paidia.search.final_move.highest_mean import HighestMean
from paidia.search.final_move.most_visits import MostVisits
from paidia.search.frame.parameters import NAMES, Parameters
from paidia.search.mcts import Mcts
from paidia.search.playout.base import PythonPlayout
from paidia.search.playout.mast import Mast
from paidia.search.playout.uniform import Uniform
from paidia.search.selection.base import PythonSelection
from paidia.search.selection.grave import Grave
from paidia.search.selection.ucb1 import Ucb1
from paidia.testing.stopwatch import Stopwatch
from paidia.testing.strategies import snapshot


def build(game: Game, **settings: Any) -> Mcts:
    parts: dict[str, Any] = {"selection": Ucb1(), "playout": Uniform(), "final_move": MostVisits()}
    parts.update(settings)
    return Mcts(game, backup=MonteCarlo(), **parts)


def visits(search: Mcts, role: int = 0) -> list[int]:
    return [row.visits for row in search.root_moves(role)]


# ---------------------------------------------------------------- results


@pytest.mark.parametrize("id", ["tic-tac-toe", "breakthrough", "go@5x5", "hex@4x4"])
def test_one_simulation_still_gives_a_legal_move(id: str) -> None:
    game = load(id)
    search, state = build(game), game.initial_state()
    moves = set()
    for seed in range(40):
        search.begin_game(seed)
        result = search.search(state, Budget(simulations=1), role=0)
        assert result.move in state.legal(0)
        assert (result.simulations, result.nodes, result.depth) == (1, 1, 0)
        assert [row.move for row in result.moves] == state.legal(0)
        moves.add(result.move)
    assert len(moves) > 1  # any of them, not always the same


def test_the_result_of_a_forced_win() -> None:
    """X has two in a row and it is X's turn: all but the first simulations go there, and one ply deep."""
    game = load("tic-tac-toe")
    state = game.initial_state()
    for name in ("a1", "a2", "b1", "b2"):
        state.play(game.move_id(state.mover or 0, name))
    search = build(game)
    search.begin_game(0)
    result = search.search(state, Budget(simulations=1000), role=0)
    assert game.move_name(0, result.move or 0) == "c1"
    best = next(row for row in result.moves if row.move == result.move)
    assert best.mean == 1.0
    assert best.visits > 800
    assert result.nodes == search.tree.n_nodes


def test_steps_depth_and_nodes_of_a_game_that_is_one_move_long() -> None:
    search = build(ArmsGame(0.1, 0.9, 0.5))
    search.begin_game(0)
    result = search.search(search.game.initial_state(), Budget(simulations=50), role=0)
    assert (result.move, result.simulations, result.steps, result.depth, result.nodes) == (1, 50, 50, 1, 4)
    assert sum(row.visits for row in result.moves) == 49  # the first simulation made the root
    assert [round(row.mean, 9) for row in result.moves] == [0.1, 0.9, 0.5]


def test_transpositions_share_a_node() -> None:
    """A heap of 11 for one role: positions differ by the heap alone, so there are 12 of them at most."""
    game = CountdownGame(1)
    search = build(game)
    search.begin_game(0)
    search.search(game.initial_state(), Budget(simulations=2000), role=0)
    arrays = search.tree.arrays()
    assert search.tree.n_nodes == 12
    by_parents = np.bincount(arrays["edges"]["child"][arrays["edges"]["child"] >= 0], minlength=12)
    assert by_parents.max() == 3  # three ways to one heap: taking 1, 2 or 3
    # Only the path that was taken is updated: the root was left once per simulation, but for the first.
    assert arrays["nodes"]["visits"][search.tree.root(game.initial_state())] == 1999


def test_a_role_that_does_not_act_gets_no_move() -> None:
    game = load("tic-tac-toe")
    search = build(game)
    search.begin_game(0)
    for simulations in (1, 100):
        result = search.search(game.initial_state(), Budget(simulations=simulations), role=1)
        assert (result.move, result.moves) == (None, [])


def test_the_depth_limit_cuts_playouts() -> None:
    game = load("connect4")
    search = build(game, max_depth=3)
    search.begin_game(0)
    result = search.search(game.initial_state(), Budget(simulations=500), role=0)
    assert result.steps <= 1500 and result.depth <= 3


# ---------------------------------------------------------------- budgets


def test_a_budget_of_time_ends_in_time() -> None:
    game = load("breakthrough")
    search = build(game)
    took = []
    for seed in range(3):
        search.begin_game(seed)
        watch = Stopwatch()
        result = search.search(game.initial_state(), Budget(seconds=0.1), role=0)
        took.append(watch.seconds)
        assert result.seconds >= 0.0975  # two milliseconds are kept back
        assert result.simulations > 100
    assert min(took) < 0.25


def test_a_slow_game_ends_in_time_too() -> None:
    class Slow(PythonPlayout):
        """Waits."""

        def pick(self, state: State, role: int, moves: Sequence[int], random: float) -> int:
            time.sleep(0.005)
            return 0

    search = build(load("tic-tac-toe"), playout=Slow())
    watch = Stopwatch()
    search.search(search.game.initial_state(), Budget(seconds=0.1), role=0)
    assert watch.seconds < 0.4


@pytest.mark.parametrize(
    ("budget", "simulations"),
    [(Budget(simulations=7, seconds=60), 7), (Budget(simulations=10**9, seconds=0.05), None)],
    ids=str,
)
def test_of_two_limits_the_first_one_counts(budget: Budget, simulations: int | None) -> None:
    search = build(load("tic-tac-toe"))
    result = search.search(search.game.initial_state(), budget, role=0)
    assert simulations is None or result.simulations == simulations
    assert result.seconds < 30


# ---------------------------------------------------------------- refusals


def test_what_cannot_be_searched_is_refused() -> None:
    game = load("tic-tac-toe")
    search = build(game)
    search.begin_game(0)
    budget = Budget(simulations=10)
    state = game.initial_state()
    with pytest.raises(BadInput, match="another game"):
        search.search(load("connect4").initial_state(), budget, role=0)
    over = state.clone()
    over.random_playout(1)
    with pytest.raises(BadInput, match="game is over"):
        search.search(over, budget, role=0)
    for role in (-1, 2):
        with pytest.raises(BadInput, match="roles 0 to 1"):
            search.search(state, budget, role=role)
    search.search(state, budget, role=0, step=4)
    with pytest.raises(BadInput, match="step 3 lies before step 4; call begin_game"):
        search.search(state, budget, role=0, step=3)
    assert search.search(state, budget, role=0, step=4).move in state.legal(0)
    search.begin_game(0)
    assert search.search(state, budget, role=0, step=0).move in state.legal(0)


@pytest.mark.parametrize("settings", [{"max_depth": 0}, {"max_depth": -5}, {"keep_steps": -1}], ids=str)
def test_settings_out_of_range_are_refused(settings: dict[str, int]) -> None:
    with pytest.raises(BadInput, match=next(iter(settings))):
        build(load("tic-tac-toe"), **settings)


def test_a_strategy_object_serves_one_search() -> None:
    """Its buffers have the size of that game."""
    selection = Ucb1()
    build(load("breakthrough"), selection=selection)
    with pytest.raises(BadInput, match="one search only"):
        build(load("tic-tac-toe"), selection=selection)


def test_statistics_that_nobody_keeps_are_refused() -> None:
    class Wants(PythonPlayout):
        needs = ("moon",)

    with pytest.raises(BadInput, match="moon"):
        build(load("tic-tac-toe"), playout=Wants())


@pytest.mark.parametrize("phase", ["selection", "playout"])
def test_what_a_python_strategy_raises_stops_the_search_at_once(phase: str) -> None:
    calls = []

    class Raises(PythonSelection if phase == "selection" else PythonPlayout):  # type: ignore[misc]
        def choose(self, *arguments: Any) -> int:
            calls.append(1)
            raise KeyError("the dog ate it")

        pick = choose

    search = build(load("tic-tac-toe"), **{phase: Raises()})
    for times in (1, 2):  # and again: nothing is left of the first time
        with pytest.raises(KeyError, match="the dog ate it"):
            search.search(search.game.initial_state(), Budget(simulations=10**9), role=0)
        assert len(calls) <= 20 * times


# ---------------------------------------------------------------- parameters


def test_vectors_hold_the_parameters_of_every_role() -> None:
    search = build(DuelGame(), parameters=Parameters(C=0.7, ref=math.inf))
    assert search.vectors.shape == (2, len(NAMES))
    for row in search.vectors:
        assert dict(zip(NAMES, row, strict=True))["C"] == 0.7
        assert dict(zip(NAMES, row, strict=True))["ref"] == math.inf


def test_vectors_can_be_changed_between_searches_and_come_back_with_a_new_game() -> None:
    game = load("tic-tac-toe")
    changed, fixed = build(game), build(game, parameters=Parameters(C=5.0))
    state = game.initial_state()
    for search in (changed, fixed):
        search.begin_game(1)
    changed.vectors[:, NAMES.index("C")] = 5.0
    for search in (changed, fixed):
        search.search(state, Budget(simulations=300), role=0)
    assert snapshot(changed) == snapshot(fixed)
    changed.begin_game(1)
    assert changed.vectors[0, NAMES.index("C")] == Parameters().C
    changed.search(state, Budget(simulations=300), role=0)
    assert snapshot(changed) != snapshot(fixed)


def test_roles_read_their_own_vector() -> None:
    """Where only the second role explores without end, the first still finds its dominant move."""
    search = build(MatrixGame([[(0.9, 0.5), (0.9, 0.5)], [(0.1, 0.5), (0.1, 0.5)]]))
    search.begin_game(0)
    search.vectors[:, NAMES.index("C")] = [0.1, 1000.0]
    search.search(search.game.initial_state(), Budget(simulations=400), role=0)
    assert visits(search, 0)[0] > 350
    assert abs(visits(search, 1)[0] - visits(search, 1)[1]) <= 1


class Log(Controller):
    """Writes down when it is called, and what it is told."""

    def __init__(self) -> None:
        self.calls: list[Any] = []
        self.search: Mcts | None = None

    def begin_game(self, n_roles: int, names: list[str], seed: int) -> None:
        self.calls.append(("game", n_roles, tuple(names), seed))

    def begin_turn(self, turn: int) -> None:
        self.calls.append(("turn", turn))
        if self.search is not None:
            self.search.vectors[:, NAMES.index("C")] = 5.0


def test_a_controller_is_told_of_games_and_turns() -> None:
    game = load("tic-tac-toe")
    log = Log()
    search = build(game, controller=log)
    assert log.calls[0][:3] == ("game", 2, NAMES)
    log.calls.clear()
    state = game.initial_state()
    seeds = []
    for seed in (3, 3, 4):
        search.begin_game(seed)
        seeds.append(log.calls[-1][3])
        search.search(state, Budget(simulations=5), role=0)
        search.search(state, Budget(simulations=5), role=0, step=2)
    assert [call[:2] for call in log.calls] == [("game", 2), ("turn", 0), ("turn", 2)] * 3
    assert seeds[0] == seeds[1] != seeds[2]


def test_what_a_controller_writes_is_read() -> None:
    game = load("tic-tac-toe")
    log = Log()
    controlled, fixed = build(game, controller=log), build(game, parameters=Parameters(C=5.0))
    log.search = controlled
    for search in (controlled, fixed):
        search.begin_game(2)
        search.search(game.initial_state(), Budget(simulations=300), role=0)
    assert snapshot(controlled) == snapshot(fixed)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"C": -0.1}, "C must be 0 or larger"),
        ({"K": math.nan}, "K must be 0 or larger"),
        ({"epsilon": 1.1}, "probability"),
        ({"tau": 0.0}, "temperature"),
        ({"n": 5.0}, "1 to 4"),
        ({"n": 0.0}, "1 to 4"),
        ({"n": 2.5}, "1 to 4"),
        ({"epsilonn": 0.1}, "did you mean 'epsilon"),
        ({"kapa": 0.1}, "did you mean 'kappa"),
        ({"C": "0.4"}, "takes a number"),
        ({"C": True}, "takes a number"),
        ({"C": None}, "takes a number"),
    ],
    ids=str,
)
def test_parameters_out_of_range_are_refused(changes: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        Parameters().replace(**changes)


# ---------------------------------------------------------------- T and VO


class Always(PythonPlayout):
    """The second move, always."""

    def pick(self, state: State, role: int, moves: Sequence[int], random: float) -> int:
        return 1


@pytest.mark.parametrize(("threshold", "by_playout"), [(0, 0), (1, 1), (30, 30), (math.inf, 99)], ids=lambda value: str(value))
def test_in_a_node_with_fewer_than_T_visits_the_playout_chooses(threshold: float, by_playout: int) -> None:
    """99 choices at the root: the first T by the playout (arm 1), the rest by UCB1 (soon arm 2, the best)."""
    search = build(ArmsGame(0.0, 0.2, 1.0), playout=Always(), parameters=Parameters(T=threshold, C=0.05))
    search.begin_game(0)
    search.search(search.game.initial_state(), Budget(simulations=100), role=0)
    arms = visits(search)
    assert by_playout <= arms[1] <= by_playout + 1
    if threshold == math.inf:
        assert arms == [0, 99, 0]
    else:
        assert arms[0] == 1 and arms[2] == 99 - arms[0] - arms[1]


def test_T_is_read_per_role() -> None:
    entries = [[(0.5, 0.5)] * 3] * 3
    search = build(MatrixGame(entries), playout=Always())
    search.begin_game(0)
    search.vectors[0, NAMES.index("T")] = math.inf
    search.search(search.game.initial_state(), Budget(simulations=100), role=0)
    assert visits(search, 0) == [0, 99, 0]
    assert visits(search, 1) == [33, 33, 33]


@pytest.mark.parametrize("selection", [Ucb1, Grave])
def test_all_moves_within_VO_of_the_best_are_drawn_alike(selection: Any) -> None:
    """Without exploration values are means: 0.3 is out, 0.86, 0.9 and 0.88 are within 0.05 of the best."""
    search = build(ArmsGame(0.3, 0.86, 0.9, 0.88), selection=selection(), parameters=Parameters(C=0.0, K=0.0, VO=0.05))
    search.begin_game(0)
    search.search(search.game.initial_state(), Budget(simulations=3002), role=0)
    arms = visits(search)
    assert arms[0] == 1
    assert all(900 < n < 1100 for n in arms[1:])


def test_without_VO_only_the_best_is_taken() -> None:
    search = build(ArmsGame(0.3, 0.86, 0.9, 0.88), parameters=Parameters(C=0.0))
    search.begin_game(0)
    search.search(search.game.initial_state(), Budget(simulations=3002), role=0)
    assert visits(search) == [1, 1, 2998, 1]


@pytest.mark.parametrize(("ties", "expected"), [("first", [98, 1, 1, 1]), ("random", None)])
def test_ties_in_selection(ties: str, expected: list[int] | None) -> None:
    search = build(ArmsGame(0.0, 0.0, 0.0, 0.0), selection=Ucb1(ties=ties), parameters=Parameters(C=0.0))
    search.begin_game(0)
    search.search(search.game.initial_state(), Budget(simulations=102), role=0)
    arms = visits(search)
    assert arms == expected if expected else all(n > 10 for n in arms)


# ---------------------------------------------------------------- simultaneous moves


def test_dominant_moves_are_found_by_both_roles() -> None:
    """Row 1 and column 1 are better whatever the other does, though (1, 0) is the row's best entry."""
    entries = [[(0.3, 0.2), (0.1, 0.6)], [(0.9, 0.3), (0.7, 0.8)]]
    search = build(MatrixGame(entries))
    search.begin_game(0)
    for role in (0, 1):
        result = search.search(search.game.initial_state(), Budget(simulations=2000), role=role)
        assert result.move == 1
        assert visits(search, role)[1] > 0.9 * sum(visits(search, role))


def test_what_is_left_after_repeated_elimination_is_found() -> None:
    """Only (0, 0) survives: row 0 beats row 1 once column 2 is gone, which column 0 beats."""
    entries = [
        [(0.7, 0.7), (0.7, 0.3), (0.2, 0.2)],
        [(0.4, 0.6), (0.5, 0.2), (0.9, 0.1)],
    ]
    search = build(MatrixGame(entries))
    search.begin_game(0)
    state = search.game.initial_state()
    moves = [search.search(state, Budget(simulations=3000), role=role).move for role in (0, 1)]
    assert moves == [0, 0]


def test_matching_pennies_are_mixed() -> None:
    """No pure answer is right: each role plays both sides about equally often.

    More cannot be asked: decoupled UCB1 need not come to an equilibrium (Shafiei and others 2009).
    """
    pennies = [[(1.0, 0.0), (0.0, 1.0)], [(0.0, 1.0), (1.0, 0.0)]]
    search = build(MatrixGame(pennies))
    search.begin_game(0)
    search.search(search.game.initial_state(), Budget(simulations=20_000), role=0)
    for role in (0, 1):
        rows = search.root_moves(role)
        total = sum(row.visits for row in rows)
        assert all(0.4 < row.visits / total < 0.6 for row in rows)


# ---------------------------------------------------------------- final moves


@pytest.mark.parametrize(
    ("kind", "counts", "means", "chance", "chosen"),
    [
        (MostVisits, [5, 9, 7], [0.9, 0.1, 0.2], 0.0, 1),
        (HighestMean, [5, 9, 7], [0.1, 0.2, 0.9], 0.0, 2),
        (HighestMean, [1, 0, 7], [0.0, 0.0, 0.0], 0.0, 0),  # unvisited is worse than a lost one
        (HighestMean, [1, 0, 7], [0.0, 0.0, 0.0], 0.99, 2),
        (MostVisits, [4, 9, 9, 9], [0, 0, 0, 0], 0.0, 1),
        (MostVisits, [4, 9, 9, 9], [0, 0, 0, 0], 0.34, 2),
        (MostVisits, [4, 9, 9, 9], [0, 0, 0, 0], 0.999, 3),
        (MostVisits, [0, 0], [0, 0], 0.5, 1),
        (HighestMean, [0, 0], [0, 0], 0.49, 0),
    ],
)
def test_final_moves(kind: Any, counts: list[int], means: list[float], chance: float, chosen: int) -> None:
    assert kind().choose(np.array(counts, dtype=np.int32), np.array(means, dtype=float), chance) == chosen


@pytest.mark.parametrize("kind", [MostVisits, HighestMean])
def test_the_first_of_equal_moves(kind: Any) -> None:
    choose = kind(ties="first").choose
    for chance in (0.0, 0.5, 0.999):
        assert choose(np.array([2, 5, 5], dtype=np.int32), np.array([0.1, 0.6, 0.6]), chance) == 1
    with pytest.raises(ValueError, match="'random' or 'first', not 'last'"):
        kind(ties="last")


def test_equal_moves_are_drawn_by_the_seed() -> None:
    search = build(ArmsGame(*[0.5] * 5), final_move=HighestMean(), playout=Mast())
    moves = []
    for seed in range(60):
        search.begin_game(seed)
        moves.append(search.search(search.game.initial_state(), Budget(simulations=6), role=0).move)
    assert {moves.count(move) > 2 for move in range(5)} == {True}


# ---------------------------------------------------------------- saving, memory


def test_a_saved_tree_is_the_same_tree(tmp_path: Path) -> None:
    game = load("tic-tac-toe")
    search = build(game)
    search.begin_game(0)
    search.search(game.initial_state(), Budget(simulations=300), role=0)
    file = tmp_path / "tree.npz"
    search.tree.save(file)
    with np.load(file) as saved:
        assert set(saved) == {"nodes", "edges"}
        for name, array in search.tree.arrays().items():
            assert saved[name].dtype == array.dtype
            assert np.array_equal(saved[name], array)


GROWTH = """
import resource
from paidia.core.budget import Budget
from paidia.games import load
from paidia.players.build import build_search
from paidia.players.registry import load_agent

game = load("breakthrough")
search = build_search(load_agent("uct"), game)
unit = 1 if __import__("sys").platform == "darwin" else 1024
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
result = search.search(game.initial_state(), Budget(simulations=200_000), role=0)
assert result.simulations == 200_000
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * unit / 1e6)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the resource module is not there on Windows")
def test_200_000_simulations_stay_below_150_megabytes() -> None:
    done = subprocess.run([sys.executable, "-c", GROWTH], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 150
