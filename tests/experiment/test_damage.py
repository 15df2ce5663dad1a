"""Stores that went through something: damaged pages, impossible rows, read-only folders, full disks, what a run leaves behind."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from paidia.cli.main import main
from paidia.core.errors import BadInput
from paidia.experiment.plan import Plan
from paidia.experiment.run.local import LocalBackend
from paidia.experiment.run.runner import run_plan
from paidia.experiment.store import Store, looked
from paidia.experiment.store.rows import check_rows
from paidia.experiment.store.salvage import salvage

PLAN = Plan(games=["tic-tac-toe", "breakthrough@4x3"], agents=["random"], opponents=["uct"], sims=5, matches=400, seed=1)


def copy_of(sound: Path, folder: Path) -> Path:
    path = folder / "store.sqlite"
    shutil.copyfile(sound, path)
    return path


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sound") / "store.sqlite"
    with Store(path, write=True) as store:
        run_plan(PLAN, store, backend=LocalBackend(1))
        assert store.count() == 800
    return path


def fails(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Run a command that must end with exit code 2 and one line."""
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    told = capsys.readouterr()
    assert stopped.value.code == 2 and "Traceback" not in told.err
    return " ".join(told.err.split())


def leaves(path: Path) -> tuple[int, list[int]]:
    """The size of a page, and the pages that hold rows of matches or sides (leaves of a table without rowid)."""
    db = sqlite3.connect(path)
    size = int(db.execute("PRAGMA page_size").fetchone()[0])
    db.close()
    data = path.read_bytes()
    return size, [page for page in range(len(data) // size) if data[page * size] == 0x0A]


@pytest.mark.parametrize("where", [0.2, 0.5, 0.8])
def test_a_damaged_page_is_one_line_and_the_rest_is_saved(
    sound: Path, tmp_path: Path, where: float, capsys: pytest.CaptureFixture[str]
) -> None:
    path = copy_of(sound, tmp_path)
    size, found = leaves(path)
    with path.open("r+b") as file:
        file.seek(size * found[int(where * len(found))])
        file.write(b"\xa5" * size)
    for command in (["report", str(path)], ["export", str(path), str(tmp_path / "x.csv")]):
        assert "is damaged" in fails(command, capsys)
        assert not (tmp_path / "x.csv").exists()
    saved = tmp_path / "saved.sqlite"
    main(["export", "--salvage", str(path), str(saved)])
    assert "matches saved to" in capsys.readouterr().out
    with Store(saved) as store:
        assert 300 <= store.count() <= 800
        kept = set(store.db.execute("SELECT cell, pair, seat, goals FROM match"))
    with Store(sound) as store:
        assert kept <= set(store.db.execute("SELECT cell, pair, seat, goals FROM match"))
    main(["report", str(saved)])
    main(["export", "--salvage", str(path), str(tmp_path / "saved.csv")])
    assert len((tmp_path / "saved.csv").read_text().splitlines()) == 1 + len(kept)


IMPOSSIBLE = {
    "text for points": ("UPDATE side SET points = 'many' WHERE pair = 3", "impossible points", 796),
    "points of 7": ("UPDATE side SET points = 7.0 WHERE pair = 3 AND side = 0", "impossible points", 796),
    "no such cell": ("UPDATE match SET cell = 99 WHERE cell = 1 AND pair = 0 AND seat = 0", "impossible cell", 799),
    "no such seat": ("UPDATE match SET seat = 9 WHERE cell = 1 AND pair = 0 AND seat = 0", "impossible seat", 799),
    "goals": ("UPDATE match SET goals = '{' WHERE cell = 1 AND pair < 2", "impossible goals", 796),
    "negative moves": ("UPDATE match SET moves = -4 WHERE cell = 1 AND pair < 2", "impossible moves", 796),
    "no build": ("UPDATE match SET build = 77 WHERE cell = 1 AND pair < 2", "impossible build", 796),
    "no agent": ("UPDATE cell SET agent = 55 WHERE id = 2", "impossible agent", 400),
    "no definition": ("UPDATE agent SET definition = 'x' WHERE name = 'random'", "impossible definition", 0),
    "blob name": ("UPDATE cell SET game = x'ff00' WHERE id = 1", "impossible game", 400),
    "roles": ("UPDATE cell SET roles = 0 WHERE id = 1", "impossible roles", 400),
}


@pytest.mark.parametrize(("change", "message", "left"), IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_impossible_rows(
    sound: Path, tmp_path: Path, change: str, message: str, left: int, capsys: pytest.CaptureFixture[str]
) -> None:
    path = copy_of(sound, tmp_path)
    db = sqlite3.connect(path)
    db.execute(change)
    db.commit()
    db.close()
    assert message in fails(["report", str(path)], capsys)
    with pytest.raises(BadInput, match=message):
        Store(path, write=True)
    saved = tmp_path / "saved.sqlite"
    found = salvage(path, saved)
    assert found.matches == left and found.left_out > 0
    Store(saved).close()


def test_what_cannot_be_saved_is_told(sound: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = copy_of(sound, tmp_path)
    path.write_bytes(b"\0" * 4096 + path.read_bytes()[4096:])
    assert "nothing can be saved" in fails(["export", "--salvage", str(path), str(tmp_path / "x.csv")], capsys)
    assert "exists already" in fails(["export", "--salvage", str(sound), str(path.with_name("store.sqlite"))], capsys)
    assert "there is no store" in fails(["export", "--salvage", str(tmp_path / "no"), str(tmp_path / "x.csv")], capsys)
    assert "written as" in fails(["export", "--salvage", str(sound), str(tmp_path / "x.txt")], capsys)


def test_a_sound_store_is_saved_whole(sound: Path, tmp_path: Path) -> None:
    found = salvage(sound, tmp_path / "saved.sqlite")
    assert (found.matches, found.left_out) == (800, 0)


def test_nothing_but_the_file_is_left_after_a_run(sound: Path) -> None:
    names = {file.name for file in sound.parent.iterdir()}
    assert names - {"store.sqlite.lock"} == {"store.sqlite"}


def test_a_reader_does_not_keep_a_run_from_ending(sound: Path, tmp_path: Path) -> None:
    path = copy_of(sound, tmp_path)
    with Store(path, write=True) as store:
        store.db.execute("UPDATE cell SET plan = 'other'")
        reader = Store(path)
    assert reader.count() == 800
    reader.close()
    with Store(path, write=True):
        pass
    assert not list(tmp_path.glob("*-wal")) and not list(tmp_path.glob("*-shm"))


@pytest.fixture
def locked_folder() -> Iterator[Callable[[Path], Path]]:
    """A folder in which nothing can be written by whoever runs the command (for root: somebody else)."""
    folder = Path(tempfile.mkdtemp(prefix="paidia-read-only-"))

    def fill(*files: Path) -> Path:
        for file in files:
            shutil.copyfile(file, folder / file.name)
            (folder / file.name).chmod(0o444)
        folder.chmod(0o555)
        return folder

    yield fill  # type: ignore[misc]
    folder.chmod(0o755)
    shutil.rmtree(folder)


def report_as_somebody(path: Path, output: Path) -> int:
    """The exit code of a report, made by a child of this process with the rights of somebody else where we are root."""
    child = os.fork()
    if child == 0:
        code = 3
        try:
            with output.open("w") as out:
                if os.geteuid() == 0:
                    os.setgid(65534)
                    os.setuid(65534)
                with Store(path) as store:
                    labels = [label for (label,) in store.db.execute("SELECT label FROM cell")]
                    print(labels, store.count(), file=out, flush=True)
                code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.skipif(os.name != "posix", reason="folders of POSIX")
@pytest.mark.parametrize("log", ["none", "empty", "full"])
def test_a_store_in_a_read_only_folder_can_be_reported(
    sound: Path, tmp_path: Path, log: str, locked_folder: Callable[..., Path]
) -> None:
    path = copy_of(sound, tmp_path)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("UPDATE cell SET label = 'NEWER' WHERE id = 1")
    if log == "none":
        db.close()
        files = [path]
    else:
        if log == "empty":
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        files = [path, path.with_name(path.name + "-wal")]
    folder = locked_folder(*files)
    db.close()
    output = tmp_path / "output"
    code = report_as_somebody(folder / path.name, output)
    assert code == 0 and "NEWER" in output.read_text() and "800" in output.read_text(), output.read_text()
    assert sorted(file.name for file in folder.iterdir()) == sorted(file.name for file in files)


@pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")
def test_a_full_disk_ends_a_run_with_a_line_and_a_sound_store(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text('games = ["tic-tac-toe"]\nagents = ["random"]\nopponents = [{ id = "random", name = "b" }]\nmatches = 1500\n')
    script = (
        "import resource, signal, sys\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))\n"
        "from paidia.cli.main import main\n"
        "main(['run', sys.argv[1], '--workers', '1'])\n"
    )
    found = subprocess.run([sys.executable, "-c", script, str(plan)], capture_output=True, text=True, check=False, timeout=120)
    assert found.returncode == 2, found.stderr
    assert "cannot be used as a store" in " ".join(found.stderr.split()) and "Traceback" not in found.stderr
    path = next(tmp_path.glob("*.sqlite"))
    with Store(path) as store:
        assert 0 <= store.count() < 1500
    found = subprocess.run(
        [sys.executable, "-m", "paidia", "run", str(plan), "--workers", "1"],
        capture_output=True,
        text=True,
        check=False,
        timeout=200,
    )
    assert found.returncode == 0, found.stderr
    with Store(path) as store:
        assert store.count() == 1500


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Of a user with nothing in it; every store is worth remembering."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(looked, "WORTH_IT", 0)
    return tmp_path / "cache" / "paidia" / "stores"


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The stores that were looked through."""
    found: list[Path] = []

    def look(db: sqlite3.Connection, path: Path) -> None:
        found.append(path)
        check_rows(db, path)

    monkeypatch.setattr(looked, "check_rows", look)
    return found


def test_a_store_is_looked_through_once(sound: Path, tmp_path: Path, cache: Path, looks: list[Path]) -> None:
    """And again after every change that is not ours, be it of one byte in the same second."""
    path = copy_of(sound, tmp_path)
    for _ in range(3):
        Store(path).close()
    assert len(looks) == 1 and len(list(cache.iterdir())) == 1
    shutil.copyfile(path, tmp_path / "moved.sqlite")
    Store(tmp_path / "moved.sqlite").close()
    assert len(looks) == 1  # the same bytes elsewhere are as sound
    facts = path.stat()
    size, found = leaves(path)
    with path.open("r+b") as file:
        file.seek(size * found[0])
        file.write(b"\xa5" * size)
    os.utime(path, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    for _ in range(2):
        with pytest.raises(BadInput, match="is damaged"):
            Store(path)
    assert len(looks) == 3


def test_what_a_writer_leaves_is_sound(sound: Path, tmp_path: Path, cache: Path, looks: list[Path]) -> None:
    path = copy_of(sound, tmp_path)
    with Store(path, write=True) as store:
        store.drop_after(1, 10)
    Store(path).close()
    assert len(looks) == 1
    with pytest.raises(ZeroDivisionError), Store(path, write=True) as store:
        store.drop_after(1, 5)
        raise ZeroDivisionError
    Store(path).close()
    assert len(looks) == 2  # who knows what became of it


def test_a_cache_that_cannot_be_written(
    sound: Path, tmp_path: Path, cache: Path, looks: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    for _ in range(2):
        Store(sound).close()
    assert len(looks) == 2
    (tmp_path / "cache").unlink()
    monkeypatch.setattr(looked, "MOST", 2)
    for digest in "abc":
        looked._note(digest)
    assert len(list(cache.iterdir())) == 2
