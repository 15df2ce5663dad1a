"""Short writes and full disks: files are there whole, or as they were before."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import paidia
from paidia.cli.main import main
from paidia.core.errors import BadInput
from paidia.core.files import replacing, write_all, write_file, write_text
from paidia.experiment.tuning.log import Log, Place


@contextlib.contextmanager
def room(bytes_: int) -> Iterator[None]:
    """A disk on which no file becomes larger: the write that reaches the limit is short, the next one fails."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


class Thrifty:
    """Takes three bytes at a time, and none after the twelfth."""

    def __init__(self) -> None:
        self.data = b""

    def write(self, data: memoryview) -> int:
        taken = bytes(data[: min(3, 12 - len(self.data))])
        self.data += taken
        return len(taken)


def test_short_writes_go_on() -> None:
    sink = Thrifty()
    write_all(sink, b"ten  bytes")
    assert sink.data == b"ten  bytes"
    with pytest.raises(OSError, match="no more"):
        write_all(Thrifty(), b"thirteen bytes")


@pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")
def test_a_full_disk_costs_nothing(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"before")
    path.chmod(0o640)
    with room(100), pytest.raises(BadInput, match=r"cannot write .*f: "):
        write_file(path, b"x" * 1000)
    assert path.read_bytes() == b"before" and list(tmp_path.iterdir()) == [path]
    write_file(path, b"after")
    assert path.read_bytes() == b"after" and path.stat().st_mode & 0o777 == 0o640
    link = tmp_path / "link"
    link.symlink_to(path)
    write_file(link, b"through it")
    assert link.is_symlink() and path.read_bytes() == b"through it"
    write_file(Path("/dev/null"), b"nowhere")
    with pytest.raises(BadInput, match="cannot write"):
        write_file(tmp_path / "no" / "folder", b"")
    write_file(tmp_path / "new", b"")
    (tmp_path / "plain").touch()
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")
def test_a_sheet_that_is_formatted_survives(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The file is the user's own, and the only one."""
    sheet = tmp_path / "game.kif"
    text = "; mine\n" + "(role white)\n(role black)\n" * 60
    sheet.write_text(text)
    with room(200), pytest.raises(SystemExit) as stop:
        main(["check", "--format", "--write", str(sheet)])
    assert stop.value.code == 2 and "cannot write" in capsys.readouterr().err
    assert sheet.read_text() == text


@pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")
def test_the_log_of_a_tuning_run(tmp_path: Path) -> None:
    """What was on the disk stays readable, and goes on when there is room again."""
    path = tmp_path / "log"
    with Log(path, plan="p", digest="d") as log:
        log.add([(Place(0, 0, 0, 0), 1.0)])
    whole = path.read_bytes()
    told = r"cannot write the log .*; the same command goes on"
    with room(len(whole) + 25), pytest.raises(BadInput, match=told), Log(path, plan="p", digest="d") as log:
        log.add([(Place(0, 0, pair, seat), 0.5) for pair in range(1, 4) for seat in range(2)])
        log.add([(Place(0, 0, 9, 0), 0.5)])
    assert path.read_bytes() == whole
    with Log(path, plan="p", digest="d") as log:
        assert log.points == {Place(0, 0, 0, 0): 1.0}
        log.add([(Place(0, 0, 1, 0), 0.0)])
    assert path.read_bytes() == whole + b"[[0,0,1,0],0.0]\n"


def test_a_file_is_there_when_it_is_whole(tmp_path: Path) -> None:
    """Whatever happens in between, and whoever looks meanwhile."""
    path = tmp_path / "table.csv"
    write_text(path, "before")
    with pytest.raises(KeyboardInterrupt), replacing(path) as fresh:
        fresh.write_text("half")
        assert fresh.name == path.name and path.read_text() == "before" and list(tmp_path.glob("*.csv")) == [path]
        raise KeyboardInterrupt
    assert path.read_text() == "before" and list(tmp_path.iterdir()) == [path]
    with replacing(path, lasting=False) as fresh:
        fresh.write_text("whole")
    assert path.read_text() == "whole" and list(tmp_path.iterdir()) == [path]
    with pytest.raises(FileNotFoundError) as error, replacing(tmp_path / "no" / "folder"):
        pass
    assert error.value.filename == str(tmp_path / "no" / "folder")  # not the one that nobody knows
    with pytest.raises(IsADirectoryError), replacing(tmp_path) as fresh:
        fresh.write_text("")


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() == 0, reason="the superuser may write to everything")
def test_what_must_not_be_written_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "f"
    write_text(path, "before")
    path.chmod(0o444)
    with pytest.raises(PermissionError):
        write_text(path, "after")
    assert path.read_text() == "before"


#: Files in folders of their own that nobody looks for, and a lock that holds nothing.
SCRATCH = {"web/desk/rules.py", "web/desk/table.py", "connect/engine_seat.py", "games/gdl/lanes/processor/native.py",
           "experiment/store/lock.py"}  # fmt: skip
WRITES = re.compile(r"[.](write_text|write_bytes|write_parquet|savefig|save)[(]|[.]open[(]\"[wax]")


def test_there_is_one_door() -> None:
    """Whatever is written is written beside it first (`replacing`), to what is called `fresh` everywhere."""
    source = Path(paidia.__file__).parent
    found = {
        path.relative_to(source).as_posix(): line
        for path in source.rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if WRITES.search(line) and "fresh" not in line and "savefig(out," not in line  # that is a string
    }
    assert set(found) == SCRATCH, found
