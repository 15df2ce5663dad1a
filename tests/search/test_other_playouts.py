"""Last good reply, Pool RAVE, PAST and FAST against their slow versions, decision for decision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from oracles.slow_mcts import SlowMcts
from oracles.slow_playouts import SlowFast, SlowLastGoodReply, SlowPast, SlowPoolRave
from oracles.small_games import CountdownGame, DuelGame
from oracles.trees import shape, tree_of
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.core.game import Game
from paidia.games import load
from paidia.search.backup.monte_carlo import MonteCarlo
from paidia.search.final_move.most_visits import MostVisits
from paidia.search.frame.parameters import Parameters
from paidia.search.mcts import Mcts
from paidia.search.playout.base import Playout
from paidia.search.playout.fast import Fast
from paidia.search.playout.last_good_reply import LastGoodReply
from paidia.search.playout.past import Past
from paidia.search.playout.pool_rave import PoolRave
from paidia.search.selection.ucb1 import Ucb1

BOARDS = ["tic-tac-toe", "breakthrough@5x4", "connect4@4x4", "domineering@4x4"]
SHEETS = ["gdl:tic-tac-toe", "gdl:connect4", "gdl:eight-puzzle", "gdl:battle"]


def compare(
    game: Game, make: Callable[..., Playout], slow: type[SlowMcts], options: dict[str, Any], *, simulations: int, **changes: float
) -> None:
    parameters = Parameters(C=0.4, tau=0.2).replace(**changes)
    fast = Mcts(
        game,
        selection=Ucb1(),
        playout=make(**options),
        backup=MonteCarlo(),
        final_move=MostVisits(),
        parameters=parameters,
        max_depth=60,
    )
    state = game.initial_state()
    fast.begin_game(3)
    oracle = slow(game, selection="ucb1", playout="own", parameters=parameters, seed=3, max_depth=60, **options)
    for step in range(2):  # what was learned goes on into the next step
        mover = next(role for role in range(game.n_roles) if state.legal(role))
        if step:
            oracle.begin_step(step, keep_steps=2)
            oracle.rng.double()  # the final move of the step before
        fast.search(state, Budget(simulations=simulations), role=mover, step=step)
        oracle.search(state, simulations)
        assert tree_of(fast) == {key: shape(node) for key, node in oracle.nodes.items()}
        state.play([state.legal(role)[0] if state.legal(role) else None for role in range(game.n_roles)])


@pytest.mark.parametrize("game", [*BOARDS, "gdl:connect4"])
@pytest.mark.parametrize("length", [1, 2])
@pytest.mark.parametrize("forgetting", [False, True])
def test_last_good_reply(game: str, length: int, forgetting: bool) -> None:
    compare(load(game), LastGoodReply, SlowLastGoodReply, {"length": length, "forgetting": forgetting}, simulations=250)


@pytest.mark.parametrize("game", [DuelGame(), CountdownGame(2), CountdownGame(3)], ids=lambda g: g.id)
def test_any_number_of_roles(game: Game) -> None:
    compare(game, LastGoodReply, SlowLastGoodReply, {"length": 2, "forgetting": True}, simulations=120)
    compare(game, PoolRave, SlowPoolRave, {"least": 5, "size": 2, "share": 0.8}, simulations=120)


@pytest.mark.parametrize("game", BOARDS)
@pytest.mark.parametrize(
    "options", [{}, {"least": 5.0, "size": 3, "share": 0.75}, {"least": 0.0, "size": 1, "share": 1.0}, {"share": 0.0}], ids=str
)
def test_pool_rave(game: str, options: dict[str, Any]) -> None:
    compare(load(game), PoolRave, SlowPoolRave, options, simulations=250)


@pytest.mark.parametrize("game", SHEETS)
@pytest.mark.parametrize("least", [1.0, 3.0])
def test_past(game: str, least: float) -> None:
    compare(load(game), Past, SlowPast, {"least": least}, simulations=60)


@pytest.mark.parametrize("game", SHEETS)
@pytest.mark.parametrize("options", [{}, {"rate": 1.0, "trace": 0.0}, {"trace": 1.0}], ids=str)
def test_fast(game: str, options: dict[str, float]) -> None:
    compare(load(game), Fast, SlowFast, options, simulations=50)


def test_the_playout_strategy_in_the_tree_too() -> None:
    for make, slow, game in (
        (LastGoodReply, SlowLastGoodReply, "tic-tac-toe"),
        (PoolRave, SlowPoolRave, "tic-tac-toe"),
        (Past, SlowPast, "gdl:tic-tac-toe"),
        (Fast, SlowFast, "gdl:tic-tac-toe"),
    ):
        compare(load(game), make, slow, {}, simulations=80, T=5.0)


@pytest.mark.parametrize("make", [Past, Fast])
def test_what_has_no_facts_is_refused(make: type[Playout]) -> None:
    with pytest.raises(BadInput, match="needs facts"):
        compare(load("tic-tac-toe"), make, SlowPast, {}, simulations=1)
    assert "chance" in make().cannot_play(load("vgdl:museum"))


@pytest.mark.parametrize(
    ("make", "options"),
    [
        (LastGoodReply, {"length": 3}), (LastGoodReply, {"length": True}), (LastGoodReply, {"forgetting": 1}),
        (PoolRave, {"size": 0}), (PoolRave, {"share": 1.5}), (PoolRave, {"least": -1.0}),
        (Past, {"least": 0.5}), (Fast, {"rate": 2.0}), (Fast, {"trace": -0.1}),
    ],
)  # fmt: skip
def test_wrong_options_are_refused(make: type[Playout], options: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        make(**options)
