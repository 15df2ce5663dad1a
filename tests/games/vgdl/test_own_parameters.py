"""Parameters that only one effect has need no field in the engine's layout."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from paidia.games.vgdl.engine.game import VgdlState
from paidia.games.vgdl.engine.kernel import own_parameters
from paidia.games.vgdl.language.words import EFFECTS, EffectClass

Build = Callable[..., VgdlState]
Where = Callable[[VgdlState, str], list[tuple[int, int]]]


def test_they_are_numbered_as_they_are_declared() -> None:
    assert own_parameters(EFFECTS["bounceDirection"]) == ["maxBounceAngleDeg"]
    assert own_parameters(EFFECTS["killSprite"]) == []
    word = EffectClass("new", "", parameters={"b": ("real", 1.0), "stype": ("type", ""), "a": ("int", 2), "t": ("text", "")})
    assert own_parameters(word) == ["b", "a"]


@pytest.mark.parametrize(("given", "moved"), [("0", (0, 1)), ("90", (-1, 0)), ("", (-1, 1))])
def test_the_effect_reads_what_the_rules_say(build: Build, where: Where, given: str, moved: tuple[int, int]) -> None:
    """A ball that meets the left end of a paddle leaves it straight, to the side, or at the 60 degrees that are the default."""
    rule = f"b c > bounceDirection maxBounceAngleDeg={given}" if given else "b c > bounceDirection"
    sprites = "avatar > MovingAvatar\nb > Missile orientation=RIGHT speed=0.5\nc > Immovable"
    state = build(sprites, rule, "..b.c\n.....\nA....")
    while where(state, "b")[0][0] < 30:
        state.play("NIL")
    state.play("NIL")  # it meets the paddle, and stands where it was
    ((x, y),) = where(state, "b")
    state.play("NIL")
    ((then_x, then_y),) = where(state, "b")
    assert (sign(then_x - x), sign(then_y - y)) == moved


def sign(n: int) -> int:
    return (n > 0) - (n < 0)
