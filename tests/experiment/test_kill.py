"""A runner that is killed at random moments leaves a store that goes on, without a lost or doubled match."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals to kill with")

LONGEST = 600  # seconds for what ends by itself: a machine may be slow, a test that hangs may not


def _write(plan: Path, matches: int, sims: int = 2400) -> Path:
    plan.write_text(
        f"""
games = ["tic-tac-toe", "breakthrough@4x3"]
agents = [{{ id = "uct", sims = {sims} }}]
opponents = ["random"]
matches = {matches}
seed = 3
"""
    )
    return plan


def _start(plan: Path, store: Path) -> subprocess.Popen[bytes]:
    command = [
        sys.executable,
        "-m",
        "paidia",
        "run",
        str(plan),
        "--store",
        str(store),
        "--workers",
        "2",
        "--quiet",
    ]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)


def _kill_and_resume(
    tmp_path: Path, kills: int, matches: int, played: Callable[[Path], list[tuple[object, ...]]], *, sims: int = 2400
) -> None:
    plan = _write(tmp_path / "plan.toml", matches, sims)
    store = tmp_path / "killed.sqlite"
    source = random.Random(11)
    counts = []
    for _ in range(kills):
        runner = _start(plan, store)
        deadline = time.monotonic() + LONGEST
        before = counts[-1] if counts else 0
        wanted = before + source.randrange(1, max(2, 2 * matches // (kills + 1)))
        while runner.poll() is None and _count(store, played) < wanted and time.monotonic() < deadline:
            time.sleep(0.02)
        time.sleep(source.random() * 0.2)
        alive = runner.poll() is None
        runner.send_signal(signal.SIGKILL) if alive else None
        runner.wait()
        counts.append(_count(store, played))
    assert counts == sorted(counts)
    assert counts[0] < 2 * matches, "the first kill came too late to test anything"
    runner = _start(plan, store)
    assert runner.wait(timeout=LONGEST) == 0
    whole = tmp_path / "whole.sqlite"
    runner = _start(plan, whole)
    assert runner.wait(timeout=LONGEST) == 0
    assert len(played(whole)) == 2 * matches
    assert played(store) == played(whole)


def _count(store: Path, played: Callable[[Path], list[tuple[object, ...]]]) -> int:
    try:
        return len(played(store))
    except Exception:  # not created yet
        return 0


def test_killed_runs_resume(tmp_path: Path, played: Callable[[Path], list[tuple[object, ...]]]) -> None:
    _kill_and_resume(tmp_path, 2, 200, played, sims=8000)  # so that a quick machine is not done before the first kill


@pytest.mark.slow
def test_often_killed_runs_resume(tmp_path: Path, played: Callable[[Path], list[tuple[object, ...]]]) -> None:
    _kill_and_resume(tmp_path, 20, 1500, played)


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs /proc to see the processes")
def test_workers_do_not_outlive_a_killed_runner(tmp_path: Path) -> None:
    plan = _write(tmp_path / "plan.toml", 400, sims=3_000_000)
    runner = _start(plan, tmp_path / "s.sqlite")
    deadline = time.monotonic() + 60
    while not (children := _workers(runner.pid)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(children) >= 2
    runner.kill()
    runner.wait()
    while any(_running(child) for child in children) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(_running(child) for child in children)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_runs_stop_cleanly(
    how: signal.Signals, tmp_path: Path, played: Callable[[Path], list[tuple[object, ...]]]
) -> None:
    plan = _write(tmp_path / "plan.toml", 1_000_000)
    command = [sys.executable, "-m", "paidia", "run", str(plan), "--workers", "1", "--quiet"]
    runner = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # tests in the background are born deaf to it
    )
    try:
        deadline = time.monotonic() + 60
        while not _count(tmp_path / "plan.sqlite", played) and time.monotonic() < deadline:
            time.sleep(0.05)
        runner.send_signal(how)
        out, err = runner.communicate(timeout=60)
    finally:
        runner.kill()
        runner.wait()
    assert runner.returncode == 130
    assert "the same command goes on" in out
    assert "Traceback" not in err


def _workers(pid: int) -> list[int]:
    """All that came of a process, once those that play are there: they are forked from a child of it."""
    own = _children(pid)
    theirs = [each for child in own for each in _children(child)]
    return [*own, *theirs] if len(theirs) >= 2 else []


def _children(pid: int) -> list[int]:
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdecimal():
            try:
                stat = Path(f"/proc/{entry}/stat").read_text()
            except OSError:
                continue
            if int(stat.rpartition(")")[2].split()[1]) == pid:
                found.append(int(entry))
    return found


def _running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
