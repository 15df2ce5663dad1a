"""What searches remember of moves: tables that fade (MAST, NST) and policies that adapt (PPA)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from oracles.small_games import ArmsGame, CountdownGame
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.core.game import Game
from paidia.games import load
from paidia.search.backup.monte_carlo import MonteCarlo
from paidia.search.final_move.most_visits import MostVisits
from paidia.search.frame.parameters import Parameters
from paidia.search.mcts import Mcts
from paidia.search.playout.mast import Mast
from paidia.search.playout.nst import Nst
from paidia.search.playout.ppa import Ppa
from paidia.search.selection.ucb1 import Ucb1
from paidia.search.statistics.actions import ActionTable
from paidia.search.statistics.ngrams import NgramTable
from paidia.testing.strategies import snapshot


def build(game: Game, **settings: Any) -> Mcts:
    parts: dict[str, Any] = {"selection": Ucb1(), "playout": Mast()}
    parts.update(settings)
    return Mcts(game, backup=MonteCarlo(), final_move=MostVisits(), **parts)


# ---------------------------------------------------------------- tables


def test_a_move_that_was_never_played_has_the_highest_value() -> None:
    visits, means = ActionTable(2, 3).table()
    assert visits.tolist() == [[0, 0, 0]] * 2
    assert means.tolist() == [[1, 1, 1]] * 2


@pytest.mark.parametrize("factor", [0.0, 0.2, 1.0])
def test_empty_tables_fade_to_nothing(factor: float) -> None:
    actions, ngrams = ActionTable(1, 2), NgramTable(3)
    actions.decay(factor)
    ngrams.decay(factor)
    assert actions.table()[1].tolist() == [[1, 1]]
    assert len(ngrams) == 0


@pytest.mark.parametrize("longest", [0, 5, -1])
def test_ngrams_have_a_length_of_1_to_4(longest: int) -> None:
    with pytest.raises(ValueError, match="1 to 4"):
        NgramTable(longest)


def counted(playout: Any, *, simulations: int = 300) -> Mcts:
    """A search after its first step, so that its tables are full."""
    game = load("breakthrough@5x4")
    search = build(game, playout=playout)
    search.begin_game(2)
    search.search(game.initial_state(), Budget(simulations=simulations), role=0)
    return search


@pytest.mark.parametrize("factor", [0.0, 0.2, 0.37, 0.5, 0.9, 1.0])
def test_the_action_table_fades_by_rounded_visits_and_keeps_its_means(factor: float) -> None:
    table = counted(Mast(), simulations=20).actions
    assert table is not None
    visits, means = table.table()
    assert 0 < visits[visits > 0].min() < 10 < visits.max()
    table.decay(factor)
    left, new_means = table.table()
    assert np.array_equal(left, np.rint(factor * visits))
    assert np.array_equal(new_means, np.where(left > 0, means, 1.0))


@pytest.mark.parametrize("kind", [Mast, Nst])
def test_tables_fade_once_for_each_later_search_and_not_within_a_step(kind: Any) -> None:
    search = counted(kind(decay=0.0))
    state = search.game.initial_state()
    table = search.actions if kind is Mast else search.ngrams
    assert table is not None

    def size() -> int:
        return len(table) if isinstance(table, NgramTable) else int((table.table()[0] > 0).sum())

    full = size()
    search.search(state, Budget(simulations=1), role=0, step=0)
    assert size() >= full
    state.play(state.legal(0)[0])
    search.search(state, Budget(simulations=1), role=1, step=1)
    assert size() < full / 2  # what one simulation leaves


def test_every_move_of_a_simulation_is_counted_for_its_role() -> None:
    """One simulation, one playout: as many visits as joint moves, each with its role's goal."""
    for seed in range(10):
        game = load("tic-tac-toe")
        search = build(game)
        search.begin_game(seed)
        result = search.search(game.initial_state(), Budget(simulations=1), role=0)
        assert search.actions is not None
        visits, means = search.actions.table()
        assert visits.sum() == result.steps
        assert visits.sum(axis=1).tolist() == [(result.steps + 1) // 2, result.steps // 2]
        goals = [set(means[role][visits[role] > 0].tolist()) for role in (0, 1)]
        assert all(len(goal) == 1 for goal in goals)
        assert sum(goals[0]) + sum(goals[1]) == 1


@pytest.mark.parametrize(("n", "least"), [(1, 9), (2, 17), (3, 24)])
def test_longer_ngrams_are_kept_only_where_they_are_asked_for(n: int, least: int) -> None:
    """A game of 9 moves has 9 different 1-grams, 8 of length 2 and 7 of length 3."""
    search = build(load("tic-tac-toe"), playout=Nst(), parameters=Parameters(n=n))
    for seed in range(20):
        search.begin_game(seed)
        result = search.search(search.game.initial_state(), Budget(simulations=1), role=0)
        if result.steps == 9:
            assert search.ngrams is not None and len(search.ngrams) == least
            return
    pytest.fail("no seed gave a full board")


@pytest.mark.parametrize("decay", [-0.1, 1.1, math.nan])
@pytest.mark.parametrize("kind", [Mast, Nst])
def test_a_decay_is_a_factor(kind: Any, decay: float) -> None:
    with pytest.raises(ValueError, match="factor from 0 to 1"):
        kind(decay=decay)


# ---------------------------------------------------------------- PPA


def weights_after(*, steps: int = 1, simulations: int = 50, game: Game | None = None, **options: Any) -> Any:
    rules = game or load("breakthrough@5x4")
    playout = Ppa(**options)
    search = build(rules, playout=playout)
    search.begin_game(1)
    state = rules.initial_state()
    for step in range(steps):
        search.search(state, Budget(simulations=simulations), role=step % 2, step=step)
        if step + 1 < steps:
            state.play(state.legal(step % 2)[0])
    return playout.get_weights()


def test_weights_start_at_zero_and_adapt() -> None:
    playout = Ppa()
    build(load("breakthrough@5x4"), playout=playout)
    assert not playout.get_weights().any()
    learned = weights_after()
    assert learned.any()
    # What is added to the move played is taken from all legal ones: the sum stays 0.
    assert abs(learned.sum()) < 1e-9


def test_one_adaptation_by_hand() -> None:
    """One role, two arms; the winner's arm gets alpha, both lose alpha times their probability."""
    game = ArmsGame(0.0, 1.0)
    playout = Ppa(features=False)
    search = build(game, selection=Ucb1(ties="first"), playout=playout, parameters=Parameters(alpha=0.32))
    search.begin_game(0)
    search.search(game.initial_state(), Budget(simulations=1), role=0)  # makes the root
    for pulled in (0, 1, 1, 1):  # each arm once, then the one that wins
        before = playout.get_weights()[0]
        tried = [row.visits for row in search.root_moves(0)] or [0, 0]
        search.search(game.initial_state(), Budget(simulations=1), role=0)
        now = [row.visits for row in search.root_moves(0)]
        assert np.subtract(now, tried).tolist() == [pulled == 0, pulled == 1]
        expected = before.copy()
        if pulled == 1:
            expected -= 0.32 * np.exp(before) / np.exp(before).sum()
            expected[1] += 0.32
        assert playout.get_weights()[0] == pytest.approx(expected, abs=1e-12)
    assert playout.get_weights()[0][1] > 0.3


def test_ppaf_forgets_at_every_move_and_ppafm_does_not() -> None:
    once = weights_after(steps=1)
    forgets, keeps = weights_after(steps=2), weights_after(steps=2, memory=True)
    assert np.abs(keeps).sum() > np.abs(forgets).sum()
    assert np.abs(keeps).sum() > np.abs(once).sum()


def test_reset_and_set_weights() -> None:
    game = load("breakthrough@5x4")
    playout = Ppa()
    search = build(game, playout=playout)
    given_weights = np.random.default_rng(0).normal(size=(2, game.n_codes))
    playout.set_weights(given_weights)
    assert np.array_equal(playout.get_weights(), given_weights)
    playout.get_weights()[:] = 5  # a copy
    assert np.array_equal(playout.get_weights(), given_weights)
    playout.reset()
    assert not playout.get_weights().any()
    for shape in ((1, game.n_codes), (2, game.n_codes + 1)):
        with pytest.raises(BadInput, match="weights of shape"):
            playout.set_weights(np.zeros(shape))
    playout.set_weights(given_weights)
    search.begin_game(0)
    assert not playout.get_weights().any()


def test_the_weights_decide_the_playout() -> None:
    """A weight of 30 on one arm: the playout of the first simulation pulls it, whatever the seed."""
    game = ArmsGame(0.2, 0.3, 0.4)
    for arm in range(3):
        playout = Ppa(features=False)
        search = build(game, playout=playout, parameters=Parameters(T=math.inf, alpha=0.0), reuse=False)
        for seed in range(20):
            search.begin_game(seed)
            playout.set_weights(np.eye(3)[arm : arm + 1] * 30)
            search.search(game.initial_state(), Budget(simulations=30), role=0)
            assert [row.visits for row in search.root_moves(0)] == [29 * (i == arm) for i in range(3)]


def test_learned_weights_change_what_is_searched() -> None:
    game = load("breakthrough@5x4")
    trees = []
    for weights in (None, weights_after(simulations=500)):
        playout = Ppa()
        search = build(game, playout=playout)
        search.begin_game(1)
        if weights is not None:
            playout.set_weights(weights)
        search.search(game.initial_state(), Budget(simulations=100), role=0)
        trees.append(snapshot(search))
    assert trees[0] != trees[1]


def test_codes_of_ppaf_carry_features_and_those_of_ppa_do_not() -> None:
    game = load("breakthrough@5x4")
    assert weights_after(features=False).shape == (2, game.n_moves)
    assert weights_after(features=True).shape == (2, game.n_codes)
    assert game.n_codes > game.n_moves
    # A move means two things here, a step and a capture; PPAF tells them apart in the same place.
    state = game.initial_state()
    codes: dict[tuple[int, int], set[int]] = {}
    for seed in range(50):
        state = game.initial_state()
        for _ in range(30):
            if state.terminal:
                break
            for role in (0, 1):
                for move, code in zip(state.legal(role), state.codes(role), strict=True):
                    codes.setdefault((role, move), set()).add(code)
            state.random_playout(seed, 1)
            seed += 1000
    assert max(len(found) for found in codes.values()) == 2


def test_a_draw_teaches_nobody() -> None:
    class Drawn(CountdownGame):
        def initial_state(self) -> Any:
            state = super().initial_state()
            return type("DrawnState", (type(state),), {"goal_values": lambda self: [0.5, 0.5]})(self)

    assert not weights_after(game=Drawn(2)).any()


def test_learning_from_the_playout_alone_is_another_thing() -> None:
    assert not np.array_equal(weights_after(), weights_after(adapt_tree=False))
    # Where all of a simulation lies in the tree there is nothing to learn then.
    game = ArmsGame(0.0, 1.0)
    playout = Ppa(features=False, adapt_tree=False)
    search = build(game, playout=playout)
    search.begin_game(0)
    search.search(game.initial_state(), Budget(simulations=1), role=0)
    first = playout.get_weights()
    search.search(game.initial_state(), Budget(simulations=50), role=0)
    assert np.array_equal(playout.get_weights(), first)
