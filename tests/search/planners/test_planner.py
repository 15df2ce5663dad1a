"""The planner: its search node for node, its plans followed to the end."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles.slow_planner import plan_search
from paidia.core.arcade import ArcadeGame
from paidia.core.budget import Budget
from paidia.games import load_as
from paidia.search.planners.widths.planner import Planner, PlannerSettings

DETERMINISTIC = [
    "archipelago",
    "boilers",
    "chimney",
    "ferry",
    "gokart",
    "hummingbird",
    "joust",
    "moonshot",
    "parade",
    "rockets",
    "salvo",
    "skater",
    "snailrace",
    "vault",
    "vine",
]


@pytest.mark.parametrize("hold", [1, 3])
@pytest.mark.parametrize("game", DETERMINISTIC)
def test_the_search_equals_the_oracle(game: str, hold: int) -> None:
    state = load_as(ArcadeGame, f"vgdl:{game}", level="1").initial_state(0)
    fast = Planner(state.game, PlannerSettings(hold=hold))
    fast.begin_game(1)
    fast.think_ahead(state, Budget(simulations=400))
    kept, won = plan_search(state, 400, hold)
    assert fast.kept() == kept
    assert fast.to_the_end == won


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(DETERMINISTIC), st.integers(0, 100), st.integers(0, 15), st.integers(1, 250), st.integers(1, 4))
def test_the_search_equals_the_oracle_anywhere(game: str, seed: int, ticks: int, budget: int, hold: int) -> None:
    state = load_as(ArcadeGame, f"vgdl:{game}").initial_state(0)
    state.random_run(seed, ticks)
    if state.terminal:
        return
    fast = Planner(state.game, PlannerSettings(hold=hold))
    fast.begin_game(seed)
    fast.think_ahead(state, Budget(simulations=budget))
    assert fast.kept() == plan_search(state, budget, hold)[0]


@pytest.mark.parametrize("game", ["vault", "boilers", "skater", "salvo"])
def test_a_world_that_stands_still_is_searched_on_while_waiting(game: str) -> None:
    """A budget cut in pieces, also in the middle of an expansion, finds what the whole finds."""
    state = load_as(ArcadeGame, f"vgdl:{game}", level="4").initial_state(0)
    whole = Planner(state.game, PlannerSettings(hold=1))
    pieces = Planner(state.game, PlannerSettings(hold=1, patience=10**6))
    whole.begin_game(1)
    whole.think_ahead(state, Budget(simulations=21 + 7 * 13))
    pieces.begin_game(1)
    pieces.think_ahead(state, Budget(simulations=21))
    for step in range(7):
        result = pieces.search(state.copy(), Budget(simulations=13), step=step)
        assert (result.move or 0) == 0 and result.simulations == 13
        state.play("NIL")
    assert pieces.failures == 0
    assert pieces.kept() == whole.kept()


@pytest.mark.parametrize("game", ["vault", "rockets", "moonshot", "parade"])
def test_situations_without_room_are_replayed(game: str) -> None:
    state = load_as(ArcadeGame, f"vgdl:{game}").initial_state(0)
    found = []
    for size in (4, 16384):
        search = Planner(state.game, PlannerSettings(hold=2, max_states=size))
        search.begin_game(1)
        search.think_ahead(state, Budget(simulations=600))
        found.append((search.kept(), search.steps))
    assert found[0][0] == found[1][0]
    assert found[0][1] > found[1][1] + 100


@pytest.mark.parametrize("game", DETERMINISTIC)
def test_a_plan_that_wins_wins(game: str) -> None:
    """Once a win is announced it comes after exactly the rest of the plan, and no plan ever fails."""
    state = load_as(ArcadeGame, f"vgdl:{game}").initial_state(9)
    search = Planner(state.game)
    search.begin_game(2)
    search.think_ahead(state, Budget(simulations=25 * 500))
    announced = None
    while not state.terminal and state.tick < 300:
        result = search.search(state.copy(), Budget(simulations=500), step=state.tick)
        if result.notes["wins"] and announced is None:
            announced = state.tick + 1 + len(result.notes["plan"])
        state.play(result.move or 0)
    assert search.failures == 0
    if announced is not None:
        assert (state.winner, state.tick) == (1, announced)
    assert announced is not None or game in ("hummingbird", "salvo", "moonshot")  # the hard ones


def test_when_the_world_does_otherwise_a_new_plan_is_made() -> None:
    state = load_as(ArcadeGame, "vgdl:vault").initial_state(0)
    search = Planner(state.game)
    search.begin_game(2)
    search.think_ahead(state, Budget(simulations=10_000))
    for tick in range(120):
        action = search.search(state.copy(), Budget(simulations=500), step=tick).move or 0
        state.play(action if tick != 5 else "NIL")
        if state.terminal:
            break
    assert search.failures == 1
    assert state.winner == 1
