"""Small video games for tests, written in a few lines."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from paidia.games.vgdl.compile.loading import game_from_text
from paidia.games.vgdl.engine.game import VgdlState

Build = Callable[..., VgdlState]


def description(sprites: str, rules: str, mapping: str, ends: str, settings: str) -> str:
    """A whole description from the lines of its sections, each indented relative to the others as written."""

    def section(name: str, text: str) -> list[str]:
        return [f"  {name}", *("    " + line for line in text.strip("\n").split("\n") if line.strip())]

    lines = [f"BasicGame square_size=10 {settings}", *section("SpriteSet", sprites)]
    lines += [
        *section("InteractionSet", rules),
        *section("LevelMapping", mapping),
        *section("TerminationSet", ends),
    ]
    return "\n".join(lines)


@pytest.fixture
def build() -> Build:
    """`build(sprites, rules, level)`: a state of the game with these lines; B is 10 pixels."""

    def make(
        sprites: str,
        rules: str = "",
        level: str = "A",
        mapping: str = "",
        ends: str = "Timeout limit=1000 win=True",
        settings: str = "",
        seed: int = 0,
    ) -> VgdlState:
        if not mapping:  # every sprite is mapped from the first letter of its name
            names = [line.split()[0] for line in sprites.strip().split("\n")]
            mapping = "\n".join(f"{name[0]} > {name}" for name in reversed(names) if name != "avatar")
        text = description(sprites, rules, mapping, ends, settings)
        return game_from_text(text, level.strip("\n"), rules_file="game.txt").initial_state(seed)

    return make


@pytest.fixture
def where() -> Callable[[VgdlState, str], list[tuple[int, int]]]:
    """`where(state, name)`: the places of all sprites of a type, oldest first, in pixels."""

    def places(state: VgdlState, name: str) -> list[tuple[int, int]]:
        return [(x, y) for _, x, y, _ in state.group(state.game.types.index(name))]

    return places
