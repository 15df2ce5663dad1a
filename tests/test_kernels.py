"""A kernel that is not compiled is named, with what compiles it; a registry does not pretend that it has all of its names."""

from __future__ import annotations

import importlib
import os
import runpy
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from paidia.cli import main as cli
from paidia.core.errors import PaidiaError
from paidia.core.loading import kernels
from paidia.core.loading.registry import Registry

ROOT = Path(__file__).resolve().parents[1]
DEMO = ROOT / "tests" / "scripts" / "demo.py"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A package with one module, one kernel that is only a source, and a command that needs it."""
    folder = tmp_path / "paidia_rooms"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "plain.py").write_text("import paidia_rooms\n")
    (folder / "lost.pyx").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "paidia_rooms", raising=False)
    return "paidia_rooms"


def test_a_registry_refuses_to_be_incomplete(package: str) -> None:
    rooms = Registry[object]("room", package=package)
    rooms.add("there", package)
    assert rooms["there"] is package and "there" in rooms  # what is there can be used
    for ask in (lambda: list(rooms), lambda: rooms["elsewhere"], lambda: "elsewhere" in rooms):
        with pytest.raises(PaidiaError, match=r"paidia_rooms\.lost is not compiled yet: `make build` in .+ compiles"):
            ask()


def test_an_import_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "PACKAGE", tmp_path / "src" / "paidia")
    (tmp_path / "src" / "paidia").mkdir(parents=True)
    (tmp_path / "src" / "paidia" / "lost.pyx").write_text("")
    with pytest.raises(kernels.NotCompiled, match=r"paidia\.lost is not compiled"):
        importlib.import_module("paidia.lost")
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("paidia.never_was")


@pytest.mark.parametrize("words", [["perft", "connect4"], ["--help"]])
def test_commands_whose_kernels_are_missing(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command ends with one line and exit code 2; the list of commands is still shown."""
    monkeypatch.delitem(sys.modules, "paidia.cli.commands.perft", raising=False)
    real = importlib.import_module

    def missing(name: str, package: str | None = None) -> object:
        if name == "paidia.cli.commands.perft":
            raise kernels.NotCompiled("paidia.games.perft")
        return real(name, package)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(SystemExit) as stop:
        cli.main(words)
        raise SystemExit(0)
    shown = capsys.readouterr()
    assert "paidia.games.perft is not compiled yet" in " ".join((shown.out + shown.err).split())
    assert stop.value.code == (2 if words[0] == "perft" else 0)


@pytest.fixture
def first(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The kernels that `make demo` compiles, as the build chooses them."""
    monkeypatch.chdir(ROOT)
    build = runpy.run_path(str(ROOT / "setup.py"), run_name="build")
    return {kernel.name for kernel in build["Contents"]().first([build["SHARED"], *build["kernels"]])}


def test_the_demo_needs_the_kernels_that_it_waits_for(first: set[str], tmp_path: Path) -> None:
    """It runs in a package that has these alone, and enters all of them: LATER in setup.py is neither too long nor too short."""
    for file in (file for file in (ROOT / "src").rglob("*") if file.is_file() and "__pycache__" not in file.parts):
        name = ".".join((*file.relative_to(ROOT / "src").parent.parts, file.name.partition(".")[0]))
        if name in first or not file.name.endswith(tuple(EXTENSION_SUFFIXES)):
            place = tmp_path / file.relative_to(ROOT / "src")
            place.parent.mkdir(parents=True, exist_ok=True)
            place.symlink_to(file)
    code = f"import runpy, sys; runpy.run_path({str(DEMO)!r}); print(*sorted(sys.modules))"
    command = [sys.executable, "-c", code]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    told = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment, timeout=300)
    assert told.returncode == 0, told.stderr
    entered = set(told.stdout.splitlines()[-1].split())
    assert first <= entered, "not entered: add them to LATER"
