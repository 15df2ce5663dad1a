"""Rolling-horizon evolution, generation by generation against plain Python."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles.slow_arcade import SlowRhea
from paidia.core.arcade import ArcadeGame
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.games import load_as
from paidia.games.vgdl import WORLD
from paidia.match.referee import play_match
from paidia.players.registry import make_player
from paidia.search.planners.rhea import Rhea, RheaSettings

GAMES = sorted(WORLD.ids())


def compare(game: str, choice: RheaSettings, *, seed: int, simulations: int, ticks: int) -> None:
    state = load_as(ArcadeGame, f"vgdl:{game}").initial_state(seed)
    fast = Rhea(state.game, choice)
    table: dict[str, Any] = {name: getattr(choice, name) for name in choice.__struct_fields__}
    slow = SlowRhea(seed=seed, **{**table, "length": int(choice.length)})
    fast.begin_game(seed)
    for step in range(ticks):
        if state.terminal:
            break
        action = slow.choose(state, simulations)
        result = fast.search(state, Budget(simulations=simulations), step=step)
        assert fast.population() == slow.population()
        assert (result.move or 0, result.simulations) == (action, simulations)
        state.play(action)


@pytest.mark.parametrize("shift", [False, True])
@pytest.mark.parametrize("game", GAMES)
def test_every_generation_equals_the_oracle(game: str, shift: bool) -> None:
    for simulations in (10, 19, 28):  # the first population, and one and two generations of nine children
        compare(game, RheaSettings(shift_buffer=shift), seed=4, simulations=simulations, ticks=3)


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from(GAMES),
    st.integers(0, 1000),
    st.integers(1, 50),
    st.integers(1, 6),
    st.integers(1, 20),
    st.sampled_from(["none", "uniform", "one-point"]),
    st.floats(0, 4),
    st.integers(1, 3),
    st.booleans(),
)
def test_any_settings_equal_the_oracle(
    game: str,
    seed: int,
    simulations: int,
    population: int,
    length: int,
    crossover: str,
    mutations: float,
    tournament: int,
    shift: bool,
) -> None:
    choice = RheaSettings(
        population=population,
        length=float(length),
        elites=min(1, population - 1),
        crossover=crossover,
        mutations=mutations,
        tournament=tournament,
        shift_buffer=shift,
    )
    compare(game, choice, seed=seed, simulations=simulations, ticks=4)


def test_the_elite_is_never_lost() -> None:
    state = load_as(ArcadeGame, "vgdl:vault").initial_state(0)
    search = Rhea(state.game, RheaSettings(population=4))
    best = []
    for simulations in (4, 7, 10, 31, 61):
        search.begin_game(3)  # the same evolution, looked at later and later
        search.search(state, Budget(simulations=simulations))
        best.append(max(fitness for fitness, _ in search.population()))
    assert best == sorted(best) and best[-1] > best[0]


@pytest.mark.parametrize("agent", ["rhea", "rhea-shift"])
@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_played(game: str, agent: str) -> None:
    def play() -> list[str]:
        rules, budget = load_as(ArcadeGame, f"vgdl:{game}"), Budget(simulations=15)
        record = play_match(rules, [make_player(agent)], seed=1, budget=budget, max_steps=15).record
        assert record.ending in ("terminal", "tick limit") and {n for (n,) in record.simulations} <= {0, 15}
        return [action for (action,) in record.moves]

    assert play() == play()


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"population": 0}, "population must lie between 1 and 100, not 0"),
        ({"length": 101.0}, "length must lie between 1 and 100, not 101"),
        ({"elites": 10}, "elites must lie between 0 and 9, not 10"),
        ({"mutations": -1.0}, "mutations 0 or more"),
        ({"crossover": "two-point"}, "crossover must be one of none, uniform, one-point, not 'two-point'"),
    ],
)
def test_wrong_settings_are_named(table: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        Rhea(load_as(ArcadeGame, "vgdl:vault"), RheaSettings(**table))
