"""Every block of code in README and docs is run: Python as it stands, TOML as the plan, agent or tuning that it is."""

from __future__ import annotations

import shutil
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import paidia
import warm
from docs.pages import ROOT, all_blocks, languages
from paidia.cli.main import main

PYTHON, TOML, CYTHON = all_blocks("python"), all_blocks("toml"), all_blocks("cython")


def test_no_block_is_of_a_language_that_nobody_runs() -> None:
    assert languages() == {"", "console", "python", "toml", "cython"}


@pytest.mark.parametrize(("page", "number", "text"), PYTHON, ids=[f"{page}-{number}" for page, number, _ in PYTHON])
def test_python_of_the_pages_runs(page: str, number: int, text: str, desk: Path) -> None:
    (desk / "block.py").write_text(text)
    code, said = warm.run("block.py", cwd=desk, env={"PYTHONPATH": str(ROOT / "src")})
    assert code == 0, said


#: A block that is a part of a plan goes on with this one.
REST = {"games": ["tic-tac-toe"], "agents": ["uct"], "opponents": ["random"], "sims": 5, "matches": 2}
#: No more than this is played.
MOST = {"sims": 5, "matches": 2, "evaluations": 2, "validation": 2, "time": 0.001, "start_time": 0.001, "max_steps": 5}


def small(block: dict[str, Any]) -> dict[str, Any]:
    """The same with a small budget."""
    found: dict[str, Any] = {}
    for key, value in block.items():
        if isinstance(value, list):
            found[key] = [small(each) if isinstance(each, dict) else each for each in value]
        else:
            found[key] = min(value, MOST[key]) if key in MOST else value
    return found


def written(value: Any) -> str:
    """A value as TOML."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f'"{key}" = {written(each)}' for key, each in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(written, value)) + "]"
    return str(value).lower() if isinstance(value, bool) else repr(value) if not isinstance(value, str) else f'"{value}"'


@pytest.mark.parametrize(("page", "number", "text"), TOML, ids=[f"{page}-{number}" for page, number, _ in TOML])
def test_toml_of_the_pages_does_what_it_says(page: str, number: int, text: str, desk: Path) -> None:
    block = tomllib.loads(text)
    if "summary" in block:
        _play_agent(text, desk)
        return
    tuning = "evaluations" in block
    whole = small(block if tuning else {**REST, **block})
    own = [game for agent in whole.get("agents", []) if isinstance(agent, dict) for game in agent.get("games", [])]
    whole["games"] = own or whole["games"]
    if tuning:
        whole["validation"] = 2
    elif any(str(game).startswith("vgdl:") for game in whole["games"]):
        del whole["opponents"], whole["sims"]
        whole["max_steps"] = 5
    (desk / "block.toml").write_text("\n".join(f"{key} = {written(value)}" for key, value in whole.items()) + "\n")
    main(["tune" if tuning else "run", "block.toml", "--workers", "1", "--quiet"])
    if not tuning:
        rows = paidia.report(desk / "block.sqlite")
        assert rows and all(row["n"] for row in rows)


def _play_agent(text: str, desk: Path) -> None:
    """An agent's file, as it stands, plays a short game."""
    shutil.copy(ROOT / "examples" / "own_playout.py", desk / "my_file.py")
    (desk / "block.toml").write_text(text.replace("paidia engine", f"{sys.executable} -m paidia engine"))
    game = (
        ["vgdl:vine", "--agents", "block.toml"] if "one-step" in text else ["breakthrough@5x4", "--agents", "block.toml,random"]
    )
    code, said = warm.run("play", *game, "--sims", "5", "--seed", "1", cwd=desk, env={"PYTHONPATH": str(ROOT / "src")})
    assert code == 0, said


@pytest.mark.parametrize(("page", "number", "text"), CYTHON, ids=[f"{page}-{number}" for page, number, _ in CYTHON])
def test_an_effect_of_the_pages_is_one_of_the_engine_and_works(page: str, number: int, text: str, desk: Path) -> None:
    """Compiled it was with the engine: what a page shows stands there, line for line."""
    units = [unit.read_text() for unit in (ROOT / "src/paidia/games/vgdl/engine").rglob("*.pxi")]
    for part in text.strip().split("\n\n\n"):
        assert any(part.strip() in unit for unit in units), part
    (desk / "slow.py").write_text(EFFECT)
    code, said = warm.run("slow.py", cwd=desk, env={"PYTHONPATH": str(ROOT / "src")})
    assert code == 0, said


EFFECT = '''
from pathlib import Path

import paidia

RULES = """BasicGame
    SpriteSet
        wall > Immovable
        avatar > MovingAvatar
    LevelMapping
        w > wall
        A > avatar
    InteractionSet
        avatar wall > stepBack
        avatar EOS > halfSpeed
    TerminationSet
        Timeout limit=5 win=True
"""
Path("slow.txt").write_text(RULES)
Path("slow_lvl0.txt").write_text("A  ")
assert paidia.play("slow.txt", "random", sims=1, seed=1).goals == [1.0]
'''
