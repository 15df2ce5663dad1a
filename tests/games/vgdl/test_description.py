"""Reading descriptions: what they mean, and every mistake with its line and column."""

from __future__ import annotations

import pytest

from paidia.core.errors import RuleError
from paidia.games.vgdl.compile.loading import game_from_text
from paidia.games.vgdl.language.description import convert, parse
from paidia.games.vgdl.language.level import parse_level
from paidia.games.vgdl.language.ontology import Dir

GOOD = """BasicGame square_size=10
  SpriteSet
    floor > Immovable hidden=True
    animal > speed=0.5   # a group
      cat > RandomNPC cooldown=2
      dog > Missile orientation=LEFT speed=1
    avatar > ShootAvatar stype=dog
  InteractionSet
    animal wall EOS > stepBack
    cat dog > transformTo stype=dog scoreChange=3
  LevelMapping
    c > floor cat
  TerminationSet
    SpriteCounter stype=cat limit=0 win=True
"""


def errors(text: str) -> list[str]:
    return [str(error) for error in parse(text, file="g.txt").errors]


def test_a_good_description_is_read() -> None:
    found = parse(GOOD)
    assert not found.errors and not found.tolerated
    assert [type_.name for type_ in found.types] == ["wall", "avatar", "floor", "animal", "cat", "dog"]
    cat = found.by_name["cat"]
    assert (cat.cls, cat.parameters["speed"][0], cat.parameters["cooldown"][0]) == ("RandomNPC", "0.5", "2")
    assert found.by_name["dog"].parameters["speed"][0] == "1"  # its own value covers the group's
    assert found.by_name["animal"].family() == [3, 4, 5]
    assert cat.family() == [3, 4]  # ancestors come along
    assert found.order == [0, 2, 4, 5, 1]  # leaves in file order, the avatar last
    assert [i.others for i in found.interactions] == [["wall", "EOS"], ["dog"]]
    assert found.mapping["c"][1][0] == "cat" and found.mapping["w"][0][0] == "wall"


def test_the_class_of_an_ancestor_comes_first() -> None:
    found = parse(GOOD.replace("animal > speed=0.5", "animal > Immovable"))
    assert [found.by_name[name].cls for name in ("animal", "cat", "dog")] == ["Immovable"] * 3


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("RandomNPC", "RandmNPC", "g.txt:5:13: unknown sprite class 'RandmNPC'; did you mean 'RandomNPC'"),
        ("> stepBack", "> stepback1", "g.txt:9:23: unknown effect 'stepback1'; did you mean 'stepBack'"),
        ("cat dog >", "cat dgo >", "g.txt:10:9: unknown sprite 'dgo'; did you mean 'dog'"),
        ("stype=dog score", "stype=dgo score", "g.txt:10:33: unknown sprite 'dgo'; did you mean 'dog'"),
        ("SpriteCounter", "SpritCounter", "g.txt:14:5: unknown termination 'SpritCounter'; did you mean"),
        ("stype=cat limit", "stype=cta limit", "g.txt:14:25: unknown sprite 'cta'; did you mean 'cat'"),
        ("InteractionSet", "InteractionSets", "g.txt:8:3: unknown section 'InteractionSets'; did you mean"),
        ("ShootAvatar stype=dog", "ShootAvatar stype=dgo", "g.txt:7:32: unknown sprite 'dgo'"),
        ("    cat dog > transformTo", "    cat dog transformTo", "g.txt:10:5: an interaction is written"),
        (
            "    cat dog > transformTo",
            "    cat > transformTo",
            "g.txt:10:5: an interaction needs two sprites",
        ),
        ("> transformTo stype=dog", ">", "g.txt:10:13: an interaction needs an effect"),
        (" stype=dog scoreChange=3", "", "g.txt:10:15: the parameter stype= is missing"),
        ("    c > floor cat", "    c floor cat", "g.txt:12:5: a mapping is written"),
        ("    floor > Imm", "    floor Imm", "g.txt:3:5: expected '>' after the sprite name 'floor'"),
        ("RandomNPC cooldown=2", "cooldown=2", "g.txt:5:7: sprite 'cat' has no class"),
        ("    floor >", "    EOS >", "g.txt:3:5: EOS is a reserved word"),
        ("cat dog >", "EOS TIME >", "g.txt:10:5: EOS and TIME need a sprite beside them"),
        ("scoreChange=3", "repeat=1000000", "g.txt:10:44: repeat must be between 0 and 50"),
    ],
)
def test_mistakes_have_their_place(old: str, new: str, message: str) -> None:
    assert GOOD.count(old) == 1
    found = errors(GOOD.replace(old, new))
    assert any(error.startswith(message) for error in found), found


def test_several_mistakes_are_all_found() -> None:
    found = parse(GOOD.replace("RandomNPC", "Nonsense").replace("stepBack", "stepForth"), file="g.txt").errors
    assert {(error.line, error.column) for error in found} == {(5, 13), (9, 23)}


def test_an_empty_description_and_one_without_an_end() -> None:
    with pytest.raises(RuleError, match="is empty"):
        parse("  # nothing\n\n")
    assert any("no TerminationSet" in error for error in errors("BasicGame\n  SpriteSet\n    cat > Passive\n"))


def test_a_name_that_is_only_mapped_is_tolerated_until_a_level_uses_it() -> None:
    text = GOOD.replace("c > floor cat", "c > floor cta")
    found = parse(text, file="g.txt")
    assert not found.errors
    message = "g.txt:12:15: unknown sprite (mapped from 'c') 'cta'"
    assert [str(one).startswith(message) for one in found.tolerated] == [True]
    level = parse_level("Ac", found, file="l.txt")
    assert str(level.tolerated[0]) == "l.txt:1:2: 'c' is mapped to 'cta', which is not a sprite"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("cooldown=2", "coldown=2", "g.txt:5:23: unknown parameter 'coldown'; did you mean 'cooldown'"),
        (
            "cooldown=2",
            "cooldown=0.5",
            "g.txt:5:32: cooldown= takes a whole number, not '0.5', and is ignored",
        ),
        ("orientation=LEFT", "orientation=WEST", "g.txt:6:33: orientation= takes a direction such as UP"),
        ("scoreChange=3", "scorChange=3", "g.txt:10:37: unknown parameter 'scorChange'; did you mean"),
        ("limit=0 win", "limt=0 win", "g.txt:14:29: unknown parameter 'limt'; did you mean 'limit'"),
    ],
)
def test_what_the_language_drops_in_silence_is_told(old: str, new: str, message: str) -> None:
    found = parse(GOOD.replace(old, new), file="g.txt")
    assert not found.errors and [str(one).startswith(message) for one in found.tolerated] == [True]


def test_a_group_may_say_what_its_members_need() -> None:
    assert not parse(GOOD.replace("animal > speed=0.5", "animal > cons=3")).tolerated
    assert "'dgo'" in errors(GOOD.replace("animal > speed=0.5", "animal > stype=dgo").replace("RandomNPC", "Chaser"))[0]


def test_a_redefined_sprite_keeps_its_id() -> None:
    found = parse(GOOD.replace("    avatar >", "    floor > Passive\n    avatar >"))
    assert found.by_name["floor"].id == 2 and found.by_name["floor"].cls == "Passive"
    assert "defined twice" in str(found.tolerated[0])


def test_a_timer_cannot_set_a_timer() -> None:
    text = GOOD.replace("cat dog > transformTo", "cat dog > addTimer ftype=addTimer")
    assert errors(text) == ["g.txt:10:30: a timer cannot set another timer"]
    found = parse(text, as_reference=True)
    assert len(found.interactions) == 1 and not found.terminations


def test_the_reference_drops_what_follows_a_bad_line() -> None:
    text = GOOD.replace("animal wall EOS > stepBack", "animal wall > nonsense")
    found = parse(text, as_reference=True)
    assert not found.interactions and not found.terminations and "c" not in found.mapping


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("speed", "2", 2),
        ("speed", "0.5", 0.5),
        ("scoreChange", "2", "2"),
        ("flag", "TRUE", True),
        ("win", "True", "True"),
        ("orientation", "UP", Dir(0, -1)),
        ("physicstype", "CONT", 1),
        ("color", "RED", None),
        ("stype", "box", "box"),
        ("x", "1e999", None),
    ],
)
def test_values(key: str, text: str, value: object) -> None:
    assert convert(key, text) == value


def test_a_value_of_the_wrong_kind_leaves_the_default() -> None:
    text = GOOD.replace("cooldown=2", "cooldown=0.5 cons=true")
    row = game_from_text(text, "Ac").tables.types[4]
    assert (row["cooldown"], row["given"]["cons"]) == (1, 0)


@pytest.mark.parametrize(
    ("level", "message"),
    [
        ("", "l.txt:1:1: the first line of a level is empty"),
        ("www\nw.w", "l.txt:1: the level has no avatar"),
        ("A" * 500, "l.txt:1: a level may have at most 400 rows and columns"),
    ],
)
def test_bad_levels(level: str, message: str) -> None:
    with pytest.raises(RuleError) as caught:
        parse_level(level, parse(GOOD), file="l.txt")
    assert str(caught.value).startswith(message)


def test_a_level_is_cut_and_padded_to_its_first_line() -> None:
    level = parse_level("A..\nc\nwwwww\r\n", parse(GOOD), file="l.txt")
    assert (level.width, level.height, level.block) == (3, 3, 10)
    assert level.sprites == [(1, 0, 0), (2, 0, 1), (4, 0, 1), (0, 0, 2), (0, 1, 2), (0, 2, 2)]
    assert [str(one) for one in level.tolerated] == ["l.txt:1:2: the character '.' is in no LevelMapping line"]


def test_the_block_follows_from_the_level() -> None:
    found = parse(GOOD.replace(" square_size=10", ""))
    assert parse_level("A" + " " * 27, found).block == 800 // 28


def test_too_many_sprites_are_refused() -> None:
    stack = " ".join(["floor"] * 60)
    with pytest.raises(RuleError, match="more than 10,000 sprites"):
        parse_level("A\n" + "\n".join(["c"] * 300), parse(GOOD.replace("c > floor cat", f"c > {stack}")))
