"""When a game ends, and who wins."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from paidia.games.vgdl.engine.game import VgdlState

Build = Callable[..., VgdlState]

SPRITES = "avatar > MovingAvatar\ng >\n  b > Immovable\n  c > Immovable\nd > Immovable"
MAPPING = "b > b\nc > c\nd > d"


def outcomes(build: Build, ends: str, level: str, actions: str) -> list[int]:
    """The winner after each tick (-1 open); what the avatar meets is killed."""
    rules = "b avatar > killSprite scoreChange=1\nc avatar > killSprite\nd avatar > cloneSprite"
    state = build(SPRITES, rules, level, MAPPING, ends)
    found = []
    for action in actions.split():
        state.play(action)
        found.append(state.winner)
    return found


@pytest.mark.parametrize(
    ("ends", "level", "found"),
    [
        ("SpriteCounter stype=g limit=0 win=True", "Abc ", [-1, 1, 1]),
        ("SpriteCounter stype=g limit=1", "Abc ", [0, 0, 0]),  # without win= it is lost
        ("SpriteCounter stype=g win=TRUE,False", "Abc ", [-1, 1, 1]),
        ("SpriteCounterMore stype=d limit=2 win=True", "Ad  ", [1, 1, 1]),
        ("MultiSpriteCounter stype1=b stype2=c limit=1 win=True", "Abbc", [-1, 1, 1]),
        ("MultiSpriteCounter stype1=d limit=1 win=True min=True", "A dd", [1, 1, 1]),
        ("MultiSpriteCounter stype1=d limit=1 win=True", "A dd", [-1, -1, -1]),
        ("MultiSpriteCounterSubTypes stype1=g limit=2 subTypesNum=2 win=True", "Abbc", [1, 1, 1]),
        ("MultiSpriteCounterSubTypes stype1=g limit=2 subTypesNum=1 win=True", "Abbc", [-1, -1, -1]),
        ("Timeout limit=1 win=True", "A   ", [-1, 1, 1]),
        ("Timeout limit=1 count_score=True", "A   ", [-1, 0, 0]),
        ("Timeout limit=1 count_score=True", "Ab  ", [-1, 1, 1]),
        ("SpriteCounter stype=b win=False\nSpriteCounter stype=c win=True", "Abc ", [0, 0, 0]),
        ("SpriteCounter stype=b win=True\nStopCounter stype1=c limit=1", "Abc ", [1, 1, 1]),
        ("StopCounter stype1=c limit=1\nSpriteCounter stype=b win=True", "Abc ", [-1, 1, 1]),
    ],
)
def test_terminations(build: Build, ends: str, level: str, found: list[int]) -> None:
    assert outcomes(build, ends, level, "RIGHT RIGHT RIGHT") == found


def test_a_stop_counter_releases_those_before_it(build: Build) -> None:
    ends = "StopCounter stype1=c limit=1\nSpriteCounter stype=b win=True\nStopCounter stype1=c limit=1"
    assert outcomes(build, ends, "Abc ", "RIGHT NIL RIGHT") == [-1, -1, 1]


def test_after_2000_ticks_a_game_is_lost(build: Build) -> None:
    state = build(SPRITES, "", "A", MAPPING, "SpriteCounter stype=avatar win=True")
    assert state.random_run(1, 5000) == 2001
    assert (state.terminal, state.winner, state.tick) == (True, 0, 2001)
    state = build(SPRITES, "", "A", MAPPING, "Timeout limit=2000 win=True")
    assert state.random_run(1, 5000) == 2001 and state.winner == 1


def test_nothing_happens_after_the_end(build: Build) -> None:
    state = build(SPRITES, "", "A ", MAPPING, "Timeout limit=0 win=True")
    state.play("RIGHT")
    before = (state.sprites(), state.tick, state.score, state.last_action)
    state.advance("LEFT")
    assert (state.sprites(), state.tick, state.score, state.last_action) == before
    assert state.terminal and state.actions == []
