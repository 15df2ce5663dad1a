"""The agent in the style of YBCriber against a slow one, and each of its heuristics in a level of its own."""

from __future__ import annotations

import pytest

from oracles.slow_width import SlowYbcriber
from paidia.core.arcade import ACTIONS, ArcadeGame
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.games import load, load_as
from paidia.games.vgdl.compile.loading import game_from_text
from paidia.games.vgdl.engine.game import VgdlGame
from paidia.players.registry import make_player
from paidia.search.planners.widths.ybcriber import Ybcriber, YbcriberSettings

RULES = """BasicGame square_size=10
  SpriteSet
    floor > Immovable hidden=True
    key > Resource limit=9
    goal > Door
    pit > Immovable
    avatar > MovingAvatar
    wall > Immovable
  InteractionSet
    avatar wall > stepBack
    key avatar > collectResource
    avatar pit > killSprite
    goal avatar > killSprite scoreChange=1
  LevelMapping
    . > floor
    k > key
    G > goal
    x > pit
  TerminationSet
    SpriteCounter stype=goal limit=0 win=True
    SpriteCounter stype=avatar limit=0 win=False
    Timeout limit=400 win=False
"""


def small(level: str) -> VgdlGame:
    return game_from_text(RULES, "\n".join(level.split()), rules_file="game.txt")


@pytest.mark.parametrize(
    "name", ["vgdl:fireflies", "vgdl:archipelago", "vgdl:vault", "vgdl:ashfall", "vgdl:boilers", "vgdl:museum"]
)
@pytest.mark.parametrize("weights", [{}, {"pull": 0.1, "resources": 0.6, "danger": 0.05}, {"pull": 0.0, "danger": 1.0}], ids=str)
def test_every_decision_is_that_of_the_slow_one(name: str, weights: dict[str, float]) -> None:
    game = load_as(ArcadeGame, name)
    assert isinstance(game, VgdlGame)
    settings = YbcriberSettings(**weights)
    fast = Ybcriber(game, settings)
    slow = SlowYbcriber(game, pull=settings.pull, resources=settings.resources, danger=settings.danger, seed=4)
    fast.begin_game(4)
    state = game.initial_state(2)
    for step in range(5):
        expected = slow.choose(state, 220)
        result = fast.search(state, Budget(simulations=220), step=step)
        assert fast.kept() == slow.kept()
        assert result.move == expected
        state.play(ACTIONS[expected])
        if state.terminal:
            break


def play(game: VgdlGame, ticks: int, **weights: float) -> tuple[int, float, int]:
    search = Ybcriber(game, YbcriberSettings(**weights))
    search.begin_game(1)
    state = game.initial_state(1)
    for step in range(ticks):
        if state.terminal:
            break
        state.play(ACTIONS[search.search(state, Budget(simulations=150), step=step).move or 0])
    return state.winner, state.score, state.resource(game.types.index("key"))


def test_resources_are_picked_up_for_their_own_sake() -> None:
    keys = small("wwwwwwwwwwwwwwwww wA..k..........Gw w........w......w wwwwwwwwwwwwwwwww")
    assert play(keys, 12, pull=0.0, resources=0.3)[2] == 1


def test_the_map_leads_to_a_goal_beyond_the_search() -> None:
    corridor = small("w" * 40 + " wA" + "." * 36 + "Gw " + "w" * 40)
    assert play(corridor, 60)[0] == 1


def test_it_plays_as_an_agent_and_refuses_what_it_cannot() -> None:
    player = make_player("ybcriber-style")
    assert player.cannot_play(load("vgdl:museum"), Budget(simulations=1)) is None
    for game in ("gdl:eight-puzzle", "vgdl2:furrows", "connect4"):
        assert player.cannot_play(load(game), Budget(simulations=1)) is not None
    for weights, told in (({"pull": 0.7, "resources": 0.4}, "less than 1"), ({"danger": 2.0}, "share from 0 to 1")):
        with pytest.raises(BadInput, match=told):
            Ybcriber(load_as(ArcadeGame, "vgdl:museum"), YbcriberSettings(**weights))
