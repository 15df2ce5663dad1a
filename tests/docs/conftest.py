"""A folder with the files that the pages speak of."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from docs.pages import ROOT
from paidia.cli.main import main

#: Every plan that the pages name, small.
PLAN = 'games = ["tic-tac-toe"]\nagents = ["grave"]\nopponents = ["uct"]\nsims = 5\nmatches = 2\nseed = 1\n'
TUNING = """agent = "p-base"
games = ["tic-tac-toe"]
sims = 5
evaluations = 2
matches = 2
validation = 2

[space]
parameters = ["K"]
"""


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made once; see `desk`."""
    from paidia.games.gdl.library import LIBRARY

    folder = tmp_path_factory.mktemp("pages")
    (folder / "path" / "to").mkdir(parents=True)
    (folder / "experiments").mkdir()
    (folder / "path" / "to" / "rules.kif").write_text(LIBRARY.text("tic-tac-toe"))
    for file in (ROOT / "src" / "paidia" / "library" / "vgdl" / "vine").glob("vine*.txt"):
        for name in ("zelda", "game"):
            shutil.copy(file, folder / "path" / "to" / file.name.replace("vine", name))
    for name in ("plan", "mine", "one", "two"):
        (folder / f"{name}.toml").write_text(PLAN)
    (folder / "tuning.toml").write_text(TUNING)
    shutil.copytree(ROOT / "papers" / "s004", folder / "papers" / "s004")
    trees = folder / "papers" / "s004" / "search-trees.toml"
    small = trees.read_text().replace("matches = 500", "matches = 1\nmax_steps = 4")
    trees.write_text(small.replace('"gdl:breakthrough", "gdl:knightthrough", "gdl:quad", ', "").replace("budget_table", "#"))
    trees.write_text(trees.read_text() + "sims = 10\n")
    main(["run", str(folder / "plan.toml"), "--workers", "1", "--quiet"])
    for name in ("mine", "one", "two"):
        shutil.copy(folder / "plan.sqlite", folder / f"{name}.sqlite")
    return folder


@pytest.fixture
def desk(prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh copy, which is the present folder and the user's home."""
    shutil.copytree(prepared, tmp_path, dirs_exist_ok=True)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tmp_path / "docs").mkdir()
    shutil.copy(ROOT / "docs" / "strength.md", tmp_path / "docs")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PAIDIA_CONFIG", str(tmp_path / "config"))
    return tmp_path
