"""What every search for video games shares: clock, settings, the player around it."""

from __future__ import annotations

import time

import pytest
from paidia.search.arcade.one_step import OneStep

from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.games import load
from paidia.match.referee import play_match
from paidia.players.registry import make_player

GAME = load("vgdl:fireflies")


def test_a_budget_of_simulations_is_used_exactly() -> None:
    search = OneStep()
    search.begin_game(GAME, GAME.initial_state(), seed=1)
    result = search.choose(GAME.initial_state(), Budget(simulations=13))
    assert result.simulations == result.advances == 13
    tries = [row.visits for row in result.actions]
    assert sum(tries) == 13 and max(tries) - min(tries) <= 1  # in turn


def test_a_budget_of_time_is_kept() -> None:
    search = OneStep()
    search.begin_game(GAME, GAME.initial_state(), seed=1)
    state = GAME.initial_state()
    took = []
    for _ in range(5):  # the quickest of several: the machine may be busy
        began = time.perf_counter()
        assert search.choose(state, Budget(seconds=0.02)).simulations > 10
        took.append(time.perf_counter() - began)
    assert 0.01 < min(took) < 0.02


def test_the_same_seed_gives_the_same_game() -> None:
    def actions(seed: int) -> list[str]:
        player, budget = make_player("one-step"), Budget(simulations=10)
        record = play_match(GAME, [player], seed=seed, budget=budget, max_steps=60).record
        return [action for (action,) in record.moves]

    assert actions(3) == actions(3)
    assert actions(3) != actions(4)


def test_another_game_than_begun_is_refused() -> None:
    search = OneStep()
    with pytest.raises(BadInput, match="begin_game comes before"):
        search.choose(GAME.initial_state(), Budget(simulations=1))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"depht": 3}, "search = 'one-step' has no setting 'depht'"),
        ({"search": "two-step"}, "unknown search for video games 'two-step'"),
        ({"playout.decay": 1}, "a player of video games has no setting 'playout.decay'"),
    ],
)
def test_a_wrong_setting_is_named(settings: dict[str, int | str], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        make_player("one-step", settings=settings)


def test_a_search_without_budget_is_refused() -> None:
    with pytest.raises(BadInput, match="needs a budget"):
        play_match(GAME, [make_player("one-step")])
