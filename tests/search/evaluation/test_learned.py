"""What is learned of facts, against plain logistic regression, and what a search makes of it."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles.trees import tree_of
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.core.game import Game, State
from paidia.games import load
from paidia.search.backup.monte_carlo import MonteCarlo
from paidia.search.evaluation.learned import Learned
from paidia.search.final_move.most_visits import MostVisits
from paidia.search.frame.parameters import Parameters
from paidia.search.mcts import Mcts
from paidia.search.playout.uniform import Uniform
from paidia.search.selection.ucb1 import Ucb1


class Regression:
    """Logistic regression with AdaGrad steps: a weight for each fact and one that always counts."""

    def __init__(self, rate: float) -> None:
        self.rate = rate
        self.weights: dict[int, float] = {}
        self.squares: dict[int, float] = {}

    def predict(self, facts: list[int]) -> float:
        return 1 / (1 + math.exp(-sum(self.weights.get(each, 0.0) for each in [-1, *facts])))

    def teach(self, facts: list[int], result: float) -> None:
        error = result - self.predict(facts)
        for each in [-1, *facts]:
            self.squares[each] = self.squares.get(each, 0.0) + error**2
            step = self.rate * error / (math.sqrt(len(facts) + 1) * math.sqrt(1 + self.squares[each]))
            self.weights[each] = self.weights.get(each, 0.0) + step


def walk(game: Game, steps: int, draw: random.Random) -> State:
    """A state some random moves from the start, before the end of the game."""
    state = game.initial_state()
    for _ in range(steps):
        after = state.clone()
        after.play([draw.choice(own) if (own := state.legal(role)) else None for role in range(game.n_roles)])
        if after.terminal:
            break
        state = after
    return state


def search_of(game: Game, evaluation: Learned | None, *, D: int) -> Mcts:
    return Mcts(
        game,
        selection=Ucb1(),
        playout=Uniform(),
        backup=MonteCarlo(),
        final_move=MostVisits(),
        evaluation=evaluation,
        parameters=Parameters(C=0.4, D=D),
    )


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(["gdl:tic-tac-toe", "gdl:battle", "gdl:eight-puzzle"]), st.integers(0, 10**6), st.floats(0.01, 5.0))
def test_it_is_logistic_regression(id: str, seed: int, rate: float) -> None:
    game, draw = load(id), random.Random(seed)
    learned, slow = Learned(rate=rate), [Regression(rate) for _ in range(game.n_roles)]
    learned.begin_game(game)
    for _ in range(30):
        state = walk(game, draw.randrange(8), draw)
        for role in range(game.n_roles):
            assert learned.worth(state, role) == pytest.approx(slow[role].predict(state.atoms()), abs=1e-9)
        results = [draw.choice([0.0, 0.5, 1.0]) for _ in range(game.n_roles)]
        learned.teach(state, results)
        for role in range(game.n_roles):
            slow[role].teach(state.atoms(), results[role])
    learned.begin_game(game)
    assert learned.worth(state, 0) == 0.5  # forgotten


def test_a_playout_that_is_never_cut_is_as_ever() -> None:
    game = load("gdl:tic-tac-toe")
    trees = []
    for evaluation in (None, Learned()):
        search = search_of(game, evaluation, D=9)
        search.begin_game(5)
        search.search(game.initial_state(), Budget(simulations=500), role=0, step=0)
        trees.append(tree_of(search))
    assert trees[0] == trees[1]


def test_a_search_cuts_its_playouts_and_learns_from_those_that_go_on() -> None:
    game = load("gdl:connect4")
    start = game.initial_state()
    steps, found = {}, {}
    for first in (100, 10**6):
        search = search_of(game, Learned(first=first, whole=10), D=2)
        search.begin_game(1)
        result = search.search(start, Budget(simulations=2000), role=0, step=0)
        steps[first], found[first] = result.steps, result.notes
        assert all(0 <= row.mean <= 1 for row in result.moves)
    assert steps[100] < 0.7 * steps[10**6]
    # each simulation that goes on teaches one position at least, and the first 100 and every tenth later one do
    assert found[10**6]["learned"] > found[100]["learned"] > 100 + 150


def test_what_it_learns_is_true() -> None:
    """Positions late in random games tell something of how they end."""
    game, draw = load("gdl:connect4"), random.Random(3)
    learned = Learned(rate=0.3)
    learned.begin_game(game)
    wrong = usual = 0.0
    for number in range(3000):
        state = walk(game, draw.randrange(12, 30), draw)
        end = state.clone()
        while not end.terminal:
            end.play([draw.choice(own) if (own := end.legal(role)) else None for role in range(game.n_roles)])
        if number >= 2000:
            wrong += (end.goals[0] - learned.worth(state, 0)) ** 2
            usual += (end.goals[0] - 0.5) ** 2
        learned.teach(state, list(end.goals))
    assert wrong < 0.97 * usual


def test_a_game_that_is_not_over_in_time_teaches_nothing() -> None:
    game = load("gdl:connect4")
    search = Mcts(
        game, selection=Ucb1(), playout=Uniform(), backup=MonteCarlo(), final_move=MostVisits(), evaluation=Learned(),
        parameters=Parameters(C=0.4, D=2), max_depth=5,
    )  # fmt: skip
    search.begin_game(1)
    assert search.search(game.initial_state(), Budget(simulations=300), role=0, step=0).notes["learned"] == 0


def test_it_needs_facts_and_goals() -> None:
    for id in ("vgdl:vault", "connect4"):
        with pytest.raises(BadInput, match=r"facts|scores"):
            search_of(load(id), Learned(), D=4)  # type: ignore[arg-type]
    for options in ({"first": 0}, {"whole": 0}, {"rate": 0.0}):
        with pytest.raises(ValueError, match="first"):
            Learned(**options)  # type: ignore[arg-type]
    fresh = Learned()
    with pytest.raises(ValueError, match="game"):
        fresh.worth(load("gdl:tic-tac-toe").initial_state(), 0)
    fresh.begin_game(load("gdl:tic-tac-toe"))
    with pytest.raises(ValueError, match="role"):
        fresh.worth(load("gdl:tic-tac-toe").initial_state(), 2)
    with pytest.raises(ValueError, match="result"):
        fresh.teach(load("gdl:tic-tac-toe").initial_state(), [1.0])
    with pytest.raises(ValueError, match="game"):
        fresh.teach(load("gdl:connect4").initial_state(), [1.0, 0.0])
