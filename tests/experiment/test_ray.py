"""The same plan on a real Ray instance of two workers gives the same store."""

import importlib.util
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

PLAN = """
games = ["tic-tac-toe", { id = "vgdl:ashfall", levels = ["0", "1"] }]
agents = [{ id = "uct", sims = 50, games = ["tic-tac-toe"] }, { id = "one-step", sims = 5, games = ["vgdl:ashfall"] }]
opponents = ["random"]
matches = 200
"""


#: A busy machine may need longer than Ray waits by itself.
PATIENT = {**os.environ, "RAY_raylet_start_wait_time_s": "300"}
RAY = pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="Ray is not installed: pip install 'paidia[cluster]'")


def _command(plan: Path, store: Path, *options: str) -> list[str]:
    return [sys.executable, "-m", "paidia", "run", str(plan), "--store", str(store), "--quiet", *options]


def _run(plan: Path, store: Path, *options: str) -> None:
    done = subprocess.run(_command(plan, store, *options), capture_output=True, text=True, timeout=500, check=False, env=PATIENT)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@RAY
def test_ray_equals_local(tmp_path: Path, played: Callable[[Path], list[tuple[object, ...]]]) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN)
    _run(plan, tmp_path / "local.sqlite", "--workers", "1")
    _run(plan, tmp_path / "ray.sqlite", "--backend", "ray", "--workers", "2")
    assert played(tmp_path / "ray.sqlite") == played(tmp_path / "local.sqlite")
    assert len(played(tmp_path / "ray.sqlite")) == 200 + 2 * 200


@pytest.mark.slow
@RAY
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs /proc to find the worker")
def test_a_ray_worker_that_is_killed_half_way_changes_nothing(
    tmp_path: Path, played: Callable[[Path], list[tuple[object, ...]]]
) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN)
    _run(plan, tmp_path / "local.sqlite", "--workers", "1")
    store = tmp_path / "ray.sqlite"
    run = subprocess.Popen(_command(plan, store, "--backend", "ray", "--workers", "2"), env=PATIENT, stderr=subprocess.PIPE)
    until = time.monotonic() + 400
    killed = None
    while killed is None and run.poll() is None and time.monotonic() < until:
        time.sleep(0.2)
        if store.exists() and _rows(store) >= 40:
            killed = next((pid for pid in _below(run.pid) if "ray::_Actor" in _name(pid)), None)
            if killed is not None:
                os.kill(killed, signal.SIGKILL)
    _, errors = run.communicate(timeout=500)
    assert run.returncode == 0, errors
    assert killed is not None, "no worker was there to be killed"
    assert played(store) == played(tmp_path / "local.sqlite")


def _rows(store: Path) -> int:
    try:
        with sqlite3.connect(f"file:{store}?mode=ro", uri=True, timeout=5) as db:
            return int(db.execute("SELECT count(*) FROM match").fetchone()[0])
    except sqlite3.Error:
        return 0


def _below(pid: int) -> list[int]:
    """The processes that a process has started, directly or not."""
    parents: dict[int, list[int]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                parents.setdefault(int((folder / "stat").read_text().rpartition(")")[2].split()[1]), []).append(int(folder.name))
            except OSError:
                continue
    found, todo = [], [pid]
    while todo:
        children = parents.get(todo.pop(), [])
        found += children
        todo += children
    return found


def _name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


def test_unknown_backend_is_named(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN)
    command = [sys.executable, "-m", "paidia", "run", str(plan), "--backend", "rya"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "did you mean 'ray'" in done.stderr
