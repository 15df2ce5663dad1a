"""The words of VGDL: declared once, beside what carries them out."""

from __future__ import annotations

from pathlib import Path

import pytest

from paidia.core.arcade import ACTIONS
from paidia.games.vgdl.compile.loading import game_from_text
from paidia.games.vgdl.engine.kernel import EFFECT_CODE, behaves, effect_row, given_row, own_parameters
from paidia.games.vgdl.language import ontology
from paidia.games.vgdl.language.description import _FITS, _WANTED
from paidia.games.vgdl.language.word_list import TAKES, page

ENGINE = Path(__file__).parents[3] / "src" / "paidia" / "games" / "vgdl" / "engine"
WORDS = {**ontology.EFFECTS, **ontology.SPRITE_CLASSES, **ontology.TERMINATIONS}


def test_the_page_of_words_is_current() -> None:
    """If this fails: python tools/write_vgdl_words.py"""
    assert (Path(__file__).parents[3] / "docs" / "vgdl_words.md").read_text(encoding="utf-8") == page()


def test_every_file_of_units_is_in_the_engine() -> None:
    units = [unit for folder in ("avatars", "behaviours", "effects", "terminations") for unit in (ENGINE / folder).glob("*.pxi")]
    text = "".join(unit.read_text(encoding="utf-8") for unit in units)
    for name in WORDS:
        assert text.count(f'Class("{name}"') + text.count(f'Class(\n    "{name}"') == 1, name
    assert sum(text.count(f"{kind}(") for kind in ("EffectClass", "SpriteClass", "TerminationClass")) == len(WORDS)


@pytest.mark.parametrize("name", sorted(WORDS))
def test_a_word_says_what_it_does_and_takes(name: str) -> None:
    word = WORDS[name]
    assert word.name == name and word.summary
    for key, (kind, default) in word.parameters.items():
        assert kind in _FITS and kind in _WANTED, key
        assert kind in TAKES or default not in ("", None), key


def test_effects_have_numbers_of_their_own_and_fields_for_their_parameters() -> None:
    assert sorted(EFFECT_CODE.values()) == list(range(len(ontology.EFFECTS)))
    for name, word in ontology.EFFECTS.items():
        row = effect_row(name)
        assert row["code"] == EFFECT_CODE[name]
        own = own_parameters(word)  # those of one effect alone have no field of their own name
        assert set(word.parameters) - set(own) <= set(row) and len(own) <= len(row["own"])
        assert set(word.needs) <= set(word.parameters)
        assert set(word.writes) <= {"1", "2"} and set(word.sprites) <= {"1", "2"}


def test_classes_have_parents_and_known_actions() -> None:
    for name, word in ontology.SPRITE_CLASSES.items():
        assert ontology.lineage(name)[-1] == name
        assert set(word.actions) <= set(ACTIONS)
        assert bool(ontology.actions_of(name)) == ontology.is_a(name, "MovingAvatar")
    assert behaves("Chaser") and behaves("Fleeing") and not behaves("Missile") and not behaves("ResourcePack")


def test_parameters_reach_the_engine_under_their_own_names() -> None:
    rules = """BasicGame square_size=10
  SpriteSet
    bush > SpawnPoint stype=frog prob=0.25 total=3 spawnorientation=LEFT
    frog > Missile
  InteractionSet
    frog avatar > undoAll notStype=bush,frog
    frog avatar > subtractHealthPoints value=2 scoreChange=-5 scoreChangeIfKilled=9
    frog avatar > addTimer timer=4 ftype=killAll stype=frog
  LevelMapping
    b > bush
  TerminationSet
    MultiSpriteCounter stype1=frog stype2=bush limit=7 win=True
"""
    tables = game_from_text(rules, "A b").tables
    bush = tables.types[tables.names.index("bush")]["given"]
    assert set(bush) == set(given_row())
    assert (bush["prob"], bush["total"], bush["spawnorientation"]) == (0.25, 3, {"x": -1, "y": 0})
    undo, hurt, timer, later = tables.effects
    place = undo["notStype"]
    assert tables.lists[place : place + 3] == [2, tables.names.index("bush"), tables.names.index("frog")]
    assert (hurt["value"], hurt["scoreChange"], hurt["scoreChangeIfKilled"], hurt["stype"]) == (2, -5, 9, -1)
    assert timer["delegate"] == 3 and later["code"] == EFFECT_CODE["killAll"] and later["stype"] == tables.names.index("frog")
    (end,) = tables.ends
    assert end["limit"] == 7 and end["win"] and tables.lists[end["counted"]] == 2
