"""The same plan on a real Ray instance of two workers gives the same store."""

import importlib.util
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

PLAN = """
games = ["tic-tac-toe", { id = "vgdl:ashfall", levels = ["0", "1"] }]
agents = [{ id = "uct", sims = 50, games = ["tic-tac-toe"] }, { id = "one-step", sims = 5, games = ["vgdl:ashfall"] }]
opponents = ["random"]
matches = 200
"""


def _run(plan: Path, store: Path, *options: str) -> None:
    command = [sys.executable, "-m", "paidia", "run", str(plan), "--store", str(store), "--quiet", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=180, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="Ray is not installed: pip install 'paidia[cluster]'")
def test_ray_equals_local(tmp_path: Path, played: Callable[[Path], list[tuple[object, ...]]]) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN)
    _run(plan, tmp_path / "local.sqlite", "--workers", "1")
    _run(plan, tmp_path / "ray.sqlite", "--backend", "ray", "--workers", "2")
    assert played(tmp_path / "ray.sqlite") == played(tmp_path / "local.sqlite")
    assert len(played(tmp_path / "ray.sqlite")) == 200 + 2 * 200


def test_unknown_backend_is_named(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN)
    command = [sys.executable, "-m", "paidia", "run", str(plan), "--backend", "rya"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "did you mean 'ray'" in done.stderr
