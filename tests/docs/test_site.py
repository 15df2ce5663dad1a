"""The documentation: the site builds without a warning, and what it shows can be done."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from paidia.cli.main import build_app, main

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

#: Commands that wait for somebody, or play for minutes: they are only read, not run.
ENDLESS = ("serve", "demo", "bench", "tune", "signature", "host", "reproduce", "engine", "web", "gauntlet")


def blocks(page: Path, language: str) -> list[str]:
    found = re.findall(r"^```(\w*)\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)
    return [text for kind, text in found if kind == language]


def command_lines(page: Path) -> list[list[str]]:
    """The words of all command lines of paidia in blocks without a language, comments left out."""
    lines = [line for text in blocks(page, "") + blocks(page, "console") for line in text.splitlines()]
    words = [shlex.split(line.removeprefix("$ "), comments=True) for line in lines if re.match(r"(\$ )?paidia ", line)]
    return [line[1:] for line in words]


COMMANDS = [(page.name, line) for page in PAGES for line in command_lines(page)]


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that the pages speak of."""
    from paidia.games.gdl.library import LIBRARY

    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tmp_path / "path" / "to").mkdir(parents=True)
    (tmp_path / "path" / "to" / "rules.kif").write_text(LIBRARY.text("tic-tac-toe"))
    for file in (ROOT / "src" / "paidia" / "library" / "vgdl" / "vine").glob("vine*.txt"):
        for name in ("zelda", "game"):
            shutil.copy(file, tmp_path / "path" / "to" / file.name.replace("vine", name))
    plan = 'games = ["tic-tac-toe"]\nagents = ["grave"]\nopponents = ["uct"]\nsims = 10\nmatches = 2\nseed = 1\n'
    for name in ("plan", "mine", "one", "two"):
        (tmp_path / f"{name}.toml").write_text(plan)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PAIDIA_CONFIG", str(tmp_path / "config"))
    return tmp_path


def quickly(words: list[str]) -> list[str]:
    """The same command with a small budget."""
    words = list(words)
    for flag, most in (("--sims", "5"), ("--time", "0.01")):
        if flag in words:
            words[words.index(flag) + 1] = most
    return [re.sub(r"\bhuman\b", "random", word) for word in words if word != "--watch"]


def test_there_are_commands_to_try() -> None:
    assert len(COMMANDS) > 30


@pytest.mark.parametrize(("page", "words"), COMMANDS, ids=[f"{page}-{' '.join(words)}"[:70] for page, words in COMMANDS])
def test_a_command_of_the_pages_can_be_typed(
    page: str, words: list[str], desk: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command, bound, _ = build_app().parse_args(words, exit_on_error=False, print_error=False)
    assert command is not None and bound is not None
    if words[0] in ENDLESS or words[:2] == ["tree", "papers/s004/search-trees.toml"]:
        return
    if "my_game.py" in words:
        main(["new", "game", "my_game"])
    for store in (word for word in words[1:] if word.endswith(".sqlite") and word not in ("all.sqlite", "saved.sqlite")):
        main(["run", store.replace(".sqlite", ".toml")])
    if words[0] == "play" and {"--record", "--repeat"} & set(words) and "--agents" not in words:
        agents = "ntbea-4,p-base" if "--parameters" in words else "uct,uct"
        main(["play", words[1], "--agents", agents, "--sims", "5", "--record", "match.json"])
    if words[0] == "perft":
        words = [*words[:-1], "2"]
    main(quickly(words))


PYTHON = [(page.name, number, text) for page in PAGES for number, text in enumerate(blocks(page, "python"), 1)]


@pytest.mark.parametrize(("page", "number", "text"), PYTHON, ids=[f"{page}-{number}" for page, number, _ in PYTHON])
def test_python_of_the_pages_runs(page: str, number: int, text: str, desk: Path) -> None:
    if "mine.sqlite" in text or "plan.sqlite" in text:
        for plan in ("mine", "plan"):
            main(["run", f"{plan}.toml"])
    (desk / "block.py").write_text(text)
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    told = subprocess.run([sys.executable, "block.py"], capture_output=True, text=True, cwd=desk, env=environment, timeout=300)
    assert told.returncode == 0, told.stderr


def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs")
    pytest.importorskip("mkdocs_jupyter")
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    (tmp_path / "src").symlink_to(ROOT / "src")
    subprocess.run([sys.executable, str(ROOT / "tools" / "write_reference.py"), str(tmp_path / "docs" / "reference")], check=True)
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(ROOT / "src")}
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "-q", "-d", str(tmp_path / "site")]
    told = subprocess.run(build, capture_output=True, text=True, cwd=tmp_path, env=environment)
    assert told.returncode == 0 and "WARNING" not in told.stderr, told.stderr
    for page in ("index", "reference/python", "reference/command_line", "tutorials/teacher"):
        assert (tmp_path / "site" / f"{page}.html").stat().st_size > 5000
    assert "initial_state" in (tmp_path / "site" / "reference" / "python.html").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["researcher", "teacher", "competitor", "rl_engineer"])
def test_a_tutorial_runs_from_top_to_bottom(name: str) -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    script = (
        "import nbformat, nbclient, sys\n"
        "book = nbformat.read(sys.argv[1], 4)\n"
        "assert not any(cell.get('outputs') for cell in book.cells)\n"
        "nbclient.NotebookClient(book, timeout=200, kernel_name='python3').execute()\n"
    )
    assert nbformat and nbclient
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    book = str(ROOT / "docs" / "tutorials" / f"{name}.ipynb")
    told = subprocess.run([sys.executable, "-c", script, book], capture_output=True, text=True, cwd=ROOT, env=environment)
    assert told.returncode == 0, told.stderr[-2000:]
