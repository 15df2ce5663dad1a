"""OLETS node for node against plain Python."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles.slow_arcade import SlowOlets
from paidia.core.arcade import ArcadeGame
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.games import load_as
from paidia.games.vgdl import WORLD
from paidia.games.vgdl.compile.loading import game_from_text
from paidia.match.referee import play_match
from paidia.players.registry import make_player
from paidia.search.planners.foraging.olets import Olets, OletsSettings

GAMES = sorted(WORLD.ids())


def compare(game: str, settings: OletsSettings, *, seed: int, simulations: int, ticks: int) -> None:
    state = load_as(ArcadeGame, f"vgdl:{game}").initial_state(seed)
    fast = Olets(state.game, settings)
    slow = SlowOlets(
        seed=seed,
        exploration=settings.exploration,
        taboo=settings.taboo,
        memory=settings.memory,
        terminal=settings.terminal,
    )
    fast.begin_game(seed)
    for step in range(ticks):
        if state.terminal:
            break
        action = slow.choose(state, simulations)
        result = fast.search(state, Budget(simulations=simulations), step=step)
        assert fast.tree() == slow.tree()
        assert (result.move or 0, result.simulations, result.steps) == (action, simulations, slow.advances)
        state.play(action)


@pytest.mark.parametrize("game", GAMES)
def test_every_node_equals_the_oracle(game: str) -> None:
    compare(game, OletsSettings(), seed=4, simulations=80, ticks=4)


@settings(max_examples=15, deadline=None)
@given(
    st.sampled_from(GAMES),
    st.integers(0, 1000),
    st.integers(1, 60),
    st.floats(0, 3),
    st.floats(0, 1),
    st.integers(1, 5),
)
def test_any_settings_equal_the_oracle(
    game: str,
    seed: int,
    simulations: int,
    exploration: float,
    taboo: float,
    memory: int,
) -> None:
    choice = OletsSettings(exploration=exploration, taboo=taboo, memory=memory, terminal=50.0)
    compare(game, choice, seed=seed, simulations=simulations, ticks=8)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_played(game: str) -> None:
    def play() -> list[str]:
        rules, budget = load_as(ArcadeGame, f"vgdl:{game}"), Budget(simulations=30)
        record = play_match(rules, [make_player("olets")], seed=1, budget=budget, max_steps=15).record
        assert record.ending in ("terminal", "tick limit") and {n for (n,) in record.simulations} <= {0, 30}
        return [action for (action,) in record.moves]

    assert play() == play()


CORRIDOR = """
BasicGame square_size=10
  SpriteSet
    floor > Immovable hidden=True
    avatar > MovingAvatar
    wall > Immovable
  InteractionSet
    avatar wall > stepBack
  LevelMapping
    . > floor
  TerminationSet
    Timeout limit=200 win=False
"""


def test_the_taboo_drives_the_avatar_on() -> None:
    """In an empty corridor the avatar meets more cells with the taboo than without."""
    game = game_from_text(CORRIDOR, "w" * 30 + "\nw" + "." * 14 + "A" + "." * 13 + "w\n" + "w" * 30, rules_file="c.txt")

    def cells(taboo: float) -> int:
        state = game.initial_state(0)
        search = Olets(game, OletsSettings(taboo=taboo))
        search.begin_game(2)
        met = set()
        for step in range(60):
            state.play(search.search(state, Budget(simulations=40), step=step).move or 0)
            met.add(state.avatar()[0])
        return len(met)

    assert cells(0.1) > 1.5 * cells(0.0)


def test_a_wrong_memory_is_named() -> None:
    with pytest.raises(BadInput, match="memory must lie between 0 and 64 ticks, not 65"):
        Olets(load_as(ArcadeGame, "vgdl:rockets"), OletsSettings(memory=65))
