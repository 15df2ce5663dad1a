"""VGDL games by name and by path, and the check of their files."""

from __future__ import annotations

from pathlib import Path

import pytest

from paidia.core.arcade import ArcadeGame
from paidia.core.errors import BadInput, RuleError, UnknownName
from paidia.core.game import Game
from paidia.games import catalogue, load, load_as, world_of
from paidia.games.vgdl import WORLD
from paidia.games.vgdl.language.check import check_file
from paidia.games.vgdl.library import LIBRARY, levels_of

RULES = """BasicGame
  SpriteSet
    cat > RandomNPC
  LevelMapping
    c > cat
  TerminationSet
    SpriteCounter stype=cat win=True
"""


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "cats.txt").write_text(RULES)
    (tmp_path / "cats_lvl0.txt").write_text("A c\n")
    (tmp_path / "cats_lvl1.txt").write_text("A cc\n")
    return tmp_path / "cats.txt"


def test_the_library_is_listed_and_loads_without_a_mistake() -> None:
    names = list(WORLD.ids())
    assert "fireflies" in names
    listed = {info.id: info for info in catalogue() if info.world == "vgdl"}
    assert set(listed) == {f"vgdl:{name}" for name in names}
    for name in names:
        info = listed[f"vgdl:{name}"]
        assert info.levels == len(levels_of(LIBRARY / name / f"{name}.txt")) >= 1 and info.summary
        assert check_file(LIBRARY / name / f"{name}.txt") == []
        for level in range(info.levels):
            assert isinstance(load(f"vgdl:{name}", level=str(level)), ArcadeGame)


def test_names_paths_and_levels(files: Path) -> None:
    assert world_of("fireflies") == world_of("vgdl:fireflies") == world_of(str(files)) == "vgdl"
    assert load("fireflies").id == "vgdl:fireflies"
    assert load(str(files)).width == 3
    assert load(str(files), level="1").width == 4
    assert load(str(files), level=str(files.with_name("cats_lvl1.txt"))).width == 4
    files.write_text(RULES.replace("RandomNPC", "RandmNPC"))
    with pytest.raises(RuleError, match="unknown sprite class"):
        load(str(files))


def test_what_cannot_be_loaded_is_told(files: Path) -> None:
    with pytest.raises(BadInput, match="there is no level 7"):
        load(str(files), level="7")
    with pytest.raises(BadInput, match="no such file"):
        load("nowhere/none.txt")
    with pytest.raises(BadInput, match="no such file"):
        load(str(files), level="nowhere.txt")
    with pytest.raises(UnknownName, match="firefly"):
        load("vgdl:firefly")
    with pytest.raises(UnknownName):
        load("vgdl:../../../etc/passwd")
    with pytest.raises(BadInput, match="is a video game"):
        load_as(Game, "fireflies")
    with pytest.raises(BadInput, match="is not a video game"):
        load_as(ArcadeGame, "breakthrough")
    files.with_name("cats_lvl0.txt").unlink()
    files.with_name("cats_lvl1.txt").unlink()
    with pytest.raises(BadInput, match="no levels"):
        load(str(files))


def test_check_finds_everything(files: Path) -> None:
    assert check_file(files) == []
    files.write_text(RULES.replace("RandomNPC", "RandmNPC").replace("> cat", "> cta"))
    level = files.with_name("cats_lvl1.txt")
    level.write_text("Ac?\n")
    (files.with_name("cats_lvl0.txt")).write_text("c\n")
    found = [str(error).removeprefix(str(files.parent)) for error in check_file(files)]
    assert [one.partition(": ")[0] for one in found] == [
        "/cats.txt:3:11",
        "/cats.txt:5:9",
        "/cats_lvl0.txt:1",
        "/cats_lvl1.txt:1:2",
        "/cats_lvl1.txt:1:3",
    ]
    assert "no avatar" in found[2] and "'?' is in no LevelMapping" in found[4]
    assert len(check_file(files, level="1")) == 4 and len(check_file(level)) == 4


def test_the_public_games_have_only_their_known_mistakes(reference: Path) -> None:
    found = set()
    for rules in sorted((reference / "gvgai" / "games").glob("*.txt")):
        if "_lvl" not in rules.name:
            found |= {str(error).removeprefix(str(rules.parent) + "/").partition(" ")[0] for error in check_file(rules)}
    assert found == {
        "flower.txt:15:19:",
        "invest.txt:37:24:",
        "sistersavior.txt:4:21:",
        "themole.txt:34:13:",
        "vortex.txt:22:9:",
        "waferthinmints.txt:13:38:",
        "witnessprotected.txt:47:19:",
        "witnessprotection.txt:38:19:",
        "witnessprotection.txt:40:19:",
    }
