"""The video games that come with paidia: every level can be won, and together they use the language well."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paidia.core.arcade import ACTIONS
from paidia.games import load
from paidia.games.vgdl import WORLD
from paidia.games.vgdl.language.description import parse
from paidia.games.vgdl.language.ontology import EFFECTS, SPRITE_CLASSES, is_a
from paidia.games.vgdl.library import LIBRARY, levels_of

SOLUTIONS = Path(__file__).parent / "solutions"
LETTERS = dict(zip(".ULDR*", ACTIONS, strict=True))
GAMES = sorted(WORLD.ids())
LEVELS = [(name, level) for name in GAMES for level in range(len(levels_of(LIBRARY / name / f"{name}.txt")))]


def test_there_are_enough_games_and_levels() -> None:
    assert len(GAMES) >= 26
    assert {name: len(levels_of(LIBRARY / name / f"{name}.txt")) for name in GAMES} == dict.fromkeys(GAMES, 5)
    kinds = {load(f"vgdl:{name}").stochastic for name in GAMES}
    assert kinds == {True, False}


@pytest.mark.parametrize(("name", "level"), LEVELS)
def test_every_level_can_be_won(name: str, level: int) -> None:
    solution = json.loads((SOLUTIONS / f"{name}.json").read_text())[str(level)]
    state = load(f"vgdl:{name}", level=str(level)).initial_state(solution["seed"])
    for letter in solution["actions"]:
        assert not state.terminal
        state.play(LETTERS[letter])
    assert state.terminal and state.winner == 1


@pytest.mark.parametrize(("name", "level"), LEVELS)
def test_no_level_is_won_by_doing_nothing_at_once(name: str, level: int) -> None:
    state = load(f"vgdl:{name}", level=str(level)).initial_state(1)
    for _ in range(3):
        state.play("NIL")
    assert state.winner != 1


def test_the_games_use_the_language() -> None:
    classes: set[str] = set()
    effects: set[str] = set()
    for name in GAMES:
        description = parse((LIBRARY / name / f"{name}.txt").read_text())
        classes |= {type_.cls for type_ in description.types if type_.line}
        effects |= {line.effect for line in description.interactions}
    avatars = {name for name in SPRITE_CLASSES if is_a(name, "MovingAvatar")}
    assert avatars <= classes
    assert len(effects & set(EFFECTS)) >= 0.8 * len(EFFECTS), sorted(set(EFFECTS) - effects)
