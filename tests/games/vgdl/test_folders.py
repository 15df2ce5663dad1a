"""Folders that a user registers: their games have ids, broken ones are told, nothing else is touched."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from paidia.core.errors import BadInput
from paidia.games import load, worlds
from paidia.games.vgdl.folders import add_folder, registered_games
from paidia.games.vgdl.library import LIBRARY


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PAIDIA_CONFIG", str(tmp_path / "config"))
    games = tmp_path / "games"
    games.mkdir()
    for path in (LIBRARY / "vine").iterdir():
        shutil.copy(path, games / path.name.replace("vine", "hedge"))
    (games / "notes.txt").write_text("not a game: it has no level")
    return games


def test_a_registered_folder_gives_its_games_ids(folder: Path) -> None:
    assert registered_games() == {}
    assert add_folder(folder) == 1
    assert add_folder(folder) == 1  # twice is the same as once
    assert registered_games() == {"hedge": folder / "hedge.txt"}
    assert load("vgdl:hedge", level="1").initial_state() is not None
    assert worlds()["vgdl"].info("hedge").levels == 5


def test_the_library_wins_over_a_folder_with_the_same_name(folder: Path) -> None:
    shutil.copy(folder / "hedge.txt", folder / "orchard.txt")
    shutil.copy(folder / "hedge_lvl0.txt", folder / "orchard_lvl0.txt")
    add_folder(folder)
    assert "apple" in worlds()["vgdl"].info("orchard").summary.lower()


def test_a_broken_game_is_listed_with_its_mistake(folder: Path) -> None:
    (folder / "broken.txt").write_text("BasicGame\n  SpriteSet\n    a > NoSuchClass\n")
    (folder / "broken_lvl0.txt").write_text("a\n")
    add_folder(folder)
    assert worlds()["vgdl"].info("broken").summary.startswith("does not load: ")


def test_a_folder_that_is_gone_is_passed_over(folder: Path) -> None:
    add_folder(folder)
    shutil.rmtree(folder)
    assert registered_games() == {}


@pytest.mark.parametrize("name", ["missing", "empty"])
def test_a_folder_without_games_is_refused(folder: Path, name: str) -> None:
    (folder / "empty").mkdir()
    with pytest.raises(BadInput):
        add_folder(folder / name)
    assert registered_games() == {}


def test_the_command_registers_and_lists(folder: Path) -> None:
    command = [sys.executable, "-m", "paidia", "games", "--json", "--add", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=dict(os.environ))
    assert "vgdl:hedge" in {game["id"] for game in json.loads(done.stdout)}
    command[-1] = str(folder / "nothing")
    refused = subprocess.run(command, capture_output=True, text=True, check=False, env=dict(os.environ))
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "Traceback" not in refused.stderr
