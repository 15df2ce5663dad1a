"""What every search shares: clock, settings, what it refuses, the player around it."""

from __future__ import annotations

from pathlib import Path

import pytest

from paidia.core.arcade import ArcadeGame
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.games import load, load_as
from paidia.match.referee import play_match
from paidia.players.registry import make_player
from paidia.search.planners.one_step import OneStep
from paidia.search.registry import SEARCHES
from paidia.testing.stopwatch import Stopwatch

GAME = load_as(ArcadeGame, "vgdl:fireflies")


def test_a_budget_of_simulations_is_used_exactly() -> None:
    search = OneStep(GAME)
    search.begin_game(1)
    result = search.search(GAME.initial_state(), Budget(simulations=13))
    assert result.simulations == result.steps == 13
    tries = [row.visits for row in result.moves]
    assert sum(tries) == 13 and max(tries) - min(tries) <= 1  # in turn


def test_a_budget_of_time_is_kept() -> None:
    search = OneStep(GAME)
    search.begin_game(1)
    state = GAME.initial_state()
    took, done = [], []
    while len(took) < 5 or (len(took) < 40 and max(done) <= 10):  # a busy machine may leave nothing of so short a time
        watch = Stopwatch()
        result = search.search(state, Budget(seconds=0.02))
        took.append(watch.seconds)
        done.append(result.simulations)
        assert result.seconds > 0.01
    assert min(took) < 0.021
    assert max(done) > 10


def test_the_same_seed_gives_the_same_game() -> None:
    def actions(seed: int) -> list[str]:
        player, budget = make_player("one-step"), Budget(simulations=10)
        record = play_match(GAME, [player], seed=seed, budget=budget, max_steps=60).record
        return [action for (action,) in record.moves]

    assert actions(3) == actions(3)
    assert actions(3) != actions(4)


@pytest.mark.parametrize("name", list(SEARCHES))
def test_what_cannot_be_searched_is_refused(name: str) -> None:
    able = [game for game in (GAME, load("gdl:eight-puzzle"), load("tic-tac-toe")) if not SEARCHES[name].cannot_play(game)]
    game = able[0]  # nested searches know no chance, proofs need an opponent
    search, budget = SEARCHES[name](game), Budget(simulations=1)
    state = game.initial_state()
    with pytest.raises(BadInput, match="begin_game comes before the first search"):
        search.search(state, budget)
    with pytest.raises(BadInput, match="begin_game comes before the first search"):
        search.think_ahead(state, budget)
    search.begin_game(1)
    other = load_as(ArcadeGame, "vgdl:museum").initial_state()
    with pytest.raises(BadInput, match="belongs to another game"):
        search.think_ahead(other, budget)
    with pytest.raises(BadInput, match="belongs to another game"):
        search.search(other, budget)
    with pytest.raises(BadInput, match=f"has roles 0 to {game.n_roles - 1}, not {game.n_roles}"):
        search.search(state, budget, role=game.n_roles)
    search.search(state, budget, step=4)
    with pytest.raises(BadInput, match="step 3 lies before step 4; call begin_game first"):
        search.search(state, budget, step=3)
    while not state.terminal:
        state.random_playout(1, 1000)
    with pytest.raises(BadInput, match="the game is over"):
        search.search(state, budget, step=4)
    search.begin_game(1)
    assert search.search(game.initial_state(), budget, step=0).simulations <= 1


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"depht": 3}, "searches by 'one-step' has no setting 'depht'"),
        ({"kind": "two-step"}, "searches by 'one-step' has no setting 'kind'"),
        ({"playout.decay": 1}, "searches by 'one-step' has no setting 'playout.decay'"),
    ],
)
def test_a_wrong_setting_is_named(settings: dict[str, int | str], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        make_player("one-step", settings=settings)


def test_an_unknown_search_is_named(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('summary = ""\n[planner]\nkind = "two-step"\n')
    with pytest.raises(BadInput, match="unknown search 'two-step'"):
        make_player(str(file))


def test_a_search_without_budget_is_refused() -> None:
    with pytest.raises(BadInput, match="needs a budget"):
        play_match(GAME, [make_player("one-step")])
