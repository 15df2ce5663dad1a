"""Selection `bounded` against the slow search, decision for decision."""

from __future__ import annotations

from typing import Any

import pytest
from paidia.search.selection.bounded import Bounded

from oracles.slow_bounded import SlowBounded
from oracles.small_games import CountdownGame, DuelGame
from oracles.trees import shape, tree_of
from paidia.core.budget import Budget
from paidia.core.game import Game
from paidia.games import load
from paidia.search.backup.cadia import CadiaBackup
from paidia.search.final_move.proven_mean import ProvenMean
from paidia.search.frame.parameters import Parameters
from paidia.search.mcts import Mcts
from paidia.search.playout.mast import Mast
from paidia.testing import check_strategy


def compare(game: Game, *, prior: int, seed: int, simulations: int, solver: bool = True, **change: float) -> None:
    parameters = Parameters(C=0.4, K=0.0, tau=0.1).replace(**change)
    fast = Mcts(
        game,
        selection=Bounded(prior=prior),
        playout=Mast(gibbs=True, decay=1.0),
        backup=CadiaBackup(solver=solver),
        final_move=ProvenMean(),
        parameters=parameters,
    )
    fast.begin_game(seed)
    slow = SlowBounded(game, parameters, seed=seed, prior=prior, solver=solver)
    state = game.initial_state()
    fast.search(state, Budget(simulations=simulations), role=0)
    slow.search(state, simulations)
    assert tree_of(fast) == {key: shape(node) for key, node in slow.nodes.items()}


@pytest.mark.parametrize("prior", [0, 1, 5])
@pytest.mark.parametrize("game", ["tic-tac-toe", "breakthrough@5x4", "connect4@4x4", "atarigo@4x4", "reversi@4x4"])
def test_the_search_equals_the_oracle(game: str, prior: int) -> None:
    compare(load(game), prior=prior, seed=3, simulations=700)


@pytest.mark.parametrize("game", [DuelGame(), CountdownGame(1), CountdownGame(2), CountdownGame(3)], ids=lambda g: g.id)
@pytest.mark.parametrize("prior", [0, 3])
def test_any_number_of_roles_equals_the_oracle(game: Game, prior: int) -> None:
    compare(game, prior=prior, seed=4, simulations=300)


@pytest.mark.parametrize("change", [{"C": 0.0}, {"C": 2.0}, {"VO": 0.1}], ids=str)
def test_parameters_equal_the_oracle(change: dict[str, float]) -> None:
    compare(load("connect4@4x4"), prior=2, seed=7, simulations=500, **change)


def test_without_proofs_it_equals_the_oracle() -> None:
    compare(load("tic-tac-toe"), prior=0, seed=8, simulations=500, solver=False)


@pytest.mark.parametrize("make", [Bounded, lambda: Bounded(prior=4)])
def test_it_keeps_the_contract_of_strategies(make: Any) -> None:
    check_strategy(make)


def test_nonsense_is_refused() -> None:
    with pytest.raises(ValueError, match="prior"):
        Bounded(prior=-1)
