"""Every strategy against the slow search, decision for decision: equal visit counts everywhere in the tree."""

from __future__ import annotations

import math

import pytest

from oracles.slow_mcts import SlowMcts
from oracles.small_games import CountdownGame, DuelGame
from oracles.trees import shape, tree_of
from paidia.core.budget import Budget
from paidia.core.game import Game
from paidia.games import load
from paidia.search.backup.monte_carlo import MonteCarlo
from paidia.search.final_move.most_visits import MostVisits
from paidia.search.frame.parameters import Parameters
from paidia.search.mcts import Mcts
from paidia.search.playout.mast import Mast
from paidia.search.playout.nst import Nst
from paidia.search.playout.ppa import Ppa
from paidia.search.playout.uniform import Uniform
from paidia.search.registry import SELECTIONS

PLAYOUTS = {
    "uniform": Uniform,
    "mast": Mast,
    "gibbs": lambda: Mast(gibbs=True),
    "nst": Nst,
    "ppa": Ppa,
}


def compare(
    game: Game,
    selection: str,
    playout: str,
    parameters: Parameters,
    *,
    seed: int,
    simulations: int,
    ties: str = "random",
    max_depth: int = 500,
    generic_playout: bool = False,
    decisive: bool = False,
) -> None:
    fast = Mcts(
        game,
        selection=SELECTIONS[selection](ties=ties),
        playout=PLAYOUTS[playout](),
        backup=MonteCarlo(),
        final_move=MostVisits(),
        parameters=parameters,
        max_depth=max_depth,
        decisive=decisive,
    )
    state = game.initial_state()
    for _ in range(2):  # also from a later position
        fast.begin_game(seed)
        slow = SlowMcts(
            game,
            selection=selection,
            playout=playout,
            parameters=parameters,
            seed=seed,
            ties=ties,
            max_depth=max_depth,
            generic_playout=generic_playout,
            decisive=decisive,
        )
        fast.search(state, Budget(simulations=simulations), role=0)
        slow.search(state, simulations)
        assert tree_of(fast) == {key: shape(node) for key, node in slow.nodes.items()}
        for role in range(game.n_roles):
            if state.legal(role):
                move = state.legal(role)[0]
                break
        joint: list[int | None] = [None] * game.n_roles
        for r in range(game.n_roles):
            if state.legal(r):
                joint[r] = move if r == role else state.legal(r)[0]
        state.play(joint)


GAMES = ["tic-tac-toe", "breakthrough@5x4", "connect4@4x4", "atarigo@4x4", "domineering@4x4"]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("selection", ["ucb1", "ucb1-tuned", "grave", "progressive-history"])
def test_selection_equals_the_oracle(game: str, selection: str) -> None:
    parameters = Parameters(C=0.4, K=50, ref=5, VO=0.01, epsilon=0.3)
    compare(load(game), selection, "mast", parameters, seed=3, simulations=400)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("playout", ["mast", "gibbs", "nst", "ppa"])
def test_playout_equals_the_oracle(game: str, playout: str) -> None:
    parameters = Parameters(C=0.4, epsilon=0.2, nmin=3, n=3, tau=0.2)
    compare(load(game), "ucb1", playout, parameters, seed=5, simulations=300)


@pytest.mark.parametrize(
    "change",
    [
        {"K": 0.0},
        {"K": math.inf},
        {"ref": 0.0},
        {"ref": math.inf},
        {"T": 8.0},
        {"T": math.inf},
        {"fpu": 1.0},
        {"fpu": 0.6, "fpu_amaf": 0.3},
        {"VO": 0.2},
        {"C": 0.0},
        {"epsilon": 0.0},
        {"epsilon": 1.0},
    ],
    ids=str,
)
def test_grave_and_mast_equal_the_oracle_at_the_edges_of_every_parameter(change: dict[str, float]) -> None:
    parameters = Parameters(C=0.3, K=50, ref=5, epsilon=0.3).replace(**change)
    compare(load("tic-tac-toe"), "grave", "mast", parameters, seed=7, simulations=500)
    compare(load("connect4@4x4"), "grave", "mast", parameters, seed=8, simulations=300)


@pytest.mark.parametrize("change", [{"alpha": 0.0}, {"alpha": 1.0}, {"kappa": 0.5}, {"kappa": 2.0}], ids=str)
def test_ppa_equals_the_oracle_for_other_rates_and_factors(change: dict[str, float]) -> None:
    compare(load("breakthrough@5x4"), "ucb1", "ppa", Parameters().replace(**change), seed=9, simulations=300)


@pytest.mark.parametrize("game", [*GAMES, "misere-breakthrough@5x4", "connect5@6x6"])
@pytest.mark.parametrize("selection, playout", [("grave", "uniform"), ("ucb1", "ppa"), ("grave", "mast"), ("ucb1-tuned", "nst")])
def test_decisive_moves_equal_the_oracle(game: str, selection: str, playout: str) -> None:
    """In tree and playout alike, and where the playout chooses in the tree (T)."""
    parameters = Parameters(C=0.4, K=50, ref=5, epsilon=0.3, nmin=3, n=3, T=3.0)
    compare(load(game), selection, playout, parameters, seed=6, simulations=250, decisive=True)


@pytest.mark.parametrize("game", ["connect4@4x4", "domineering@4x4"])
def test_decisive_playouts_that_nobody_records_equal_the_oracle(game: str) -> None:
    """Where the game has none of its own; those that have are compared by the odds (`check_game`)."""
    rules = load(game)
    compare(
        rules, "ucb1", "uniform", Parameters(C=0.4), seed=6, simulations=250, generic_playout=not rules.decisive, decisive=True
    )


@pytest.mark.parametrize("n", [1, 2, 4])
def test_nst_equals_the_oracle_for_other_lengths(n: int) -> None:
    compare(load("tic-tac-toe"), "ucb1", "nst", Parameters(n=n, nmin=2, epsilon=0.1), seed=2, simulations=400)


@pytest.mark.parametrize("game", [DuelGame(), CountdownGame(1), CountdownGame(2), CountdownGame(3)], ids=lambda g: g.id)
@pytest.mark.parametrize("playout", ["uniform", "mast", "nst", "ppa"])
@pytest.mark.parametrize("selection", ["ucb1", "grave"])
def test_simultaneous_moves_and_any_number_of_roles_equal_the_oracle(game: Game, playout: str, selection: str) -> None:
    unrecorded = playout == "uniform" and selection == "ucb1"
    parameters = Parameters(K=20, ref=3, epsilon=0.3, nmin=2)
    compare(game, selection, playout, parameters, seed=4, simulations=200, generic_playout=unrecorded)


def test_ties_in_generation_order_equal_the_oracle() -> None:
    compare(load("tic-tac-toe"), "ucb1", "mast", Parameters(), seed=1, simulations=500, ties="first")


@pytest.mark.parametrize("depth", [1, 2, 5])
def test_the_depth_limit_equals_the_oracle(depth: int) -> None:
    compare(load("tic-tac-toe"), "grave", "mast", Parameters(), seed=6, simulations=300, max_depth=depth)
