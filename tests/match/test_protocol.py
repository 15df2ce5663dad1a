"""Who searches in which step: equal simulations for all, or each as it is made where clocks run."""

from __future__ import annotations

import pytest

from paidia.core.budget import Budget
from paidia.games import load
from paidia.match.clocks import clocks_for
from paidia.match.referee import play_match
from paidia.players.registry import make_player


def simulations(game: str, *agents: str, budget: Budget, start: float | None = None) -> list[list[int]]:
    """Of every step and seat, the time before the first move not included."""
    rules = load(game)
    clocks = clocks_for(rules, budget, start=None if start is None else [start])
    result = play_match(rules, [make_player(agent) for agent in agents], seed=1, clocks=clocks)
    assert result.record.ending == "terminal"
    return result.record.simulations


def test_with_simulations_players_that_do_not_ponder_search_where_they_choose() -> None:
    steps = simulations("connect4@4x4", "uct", "grave", budget=Budget(simulations=30))
    assert all(step in ([30, 0], [0, 30]) for step in steps[:-4])


@pytest.mark.parametrize("agents", [("p-base", "uct"), ("uct", "p-base"), ("p-base", "p-base")])
def test_with_simulations_all_ponder_if_one_does(agents: tuple[str, str]) -> None:
    steps = simulations("connect4@4x4", *agents, budget=Budget(simulations=30))
    assert all(step == [30, 30] for step in steps)


def test_with_clocks_each_does_as_it_is_made() -> None:
    steps = simulations("connect4@4x4", "p-base", "uct", budget=Budget(seconds=0.005))
    assert all(step[0] > 0 for step in steps)
    assert any(step[1] == 0 for step in steps) and any(step[1] > 0 for step in steps)


def begun(*agents: str, budget: Budget) -> list[int]:
    """Nodes in each player's tree before the first move."""
    rules = load("connect4@4x4")
    players = [make_player(agent) for agent in agents]
    clocks = clocks_for(rules, budget).seated([player.ponders for player in players])
    nodes = []
    for role, player in enumerate(players):
        player.begin(rules, role, state=rules.initial_state(), seed=1, budget=clocks.start_budget(role))
        nodes.append(player.search.tree.n_nodes)  # type: ignore[attr-defined]
    return nodes


def test_the_start_is_worth_one_move_for_all_where_one_ponders() -> None:
    assert begun("uct", "grave", budget=Budget(simulations=50)) == [0, 0]
    assert begun("uct", "p-base", budget=Budget(simulations=50)) == [50, 50]


def test_a_video_game_is_searched_in_every_tick() -> None:
    steps = simulations("vgdl:vault", "uct", budget=Budget(simulations=20))
    assert all(step == [20] for step in steps)
