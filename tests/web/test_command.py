"""`paidia web` on the command line, and what its packages must bring."""

from __future__ import annotations

import socket
from collections.abc import Callable
from importlib import resources
from pathlib import Path

from paidia.web.children import Limits
from paidia.web.security import Rate

Run = Callable[..., tuple[int, str, str]]


def test_bad_arguments_are_told(run: Run, tmp_path: Path) -> None:
    for arguments, words in (
        (("--port", 70000), "from 0 to 65535"),
        (("--memory", 1), "megabytes"),
        (("--patience", 0), "--patience is from 0.1"),
        ((tmp_path / "nowhere",), "is no folder"),
    ):
        code, out, err = run("web", *arguments)
        assert code == 2 and words in err and out == ""


def test_a_port_that_is_taken_is_told(run: Run) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        code, _, err = run("web", "--port", taken.getsockname()[1])
    assert code == 2 and "give another one with --port" in err


def test_the_page_names_no_address_outside_and_builds_no_markup() -> None:
    folder = resources.files("paidia.web") / "page"
    names = [entry.name for entry in folder.iterdir()]
    assert {"index.html", "main.js", "style.css", "icon.svg"} <= set(names)
    for name in names:
        text = (folder / name).read_text(encoding="utf-8")
        for line in text.replace("http://www.w3.org/2000/svg", "").splitlines():
            assert "http:" not in line and "https:" not in line, (name, line)
            assert not any(word in line for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("))


def test_messages_are_counted() -> None:
    rate = Rate(per_second=0.0, burst=3.0)
    assert [rate.allows() for _ in range(5)] == [True, True, True, False, False]


def test_limits_have_sane_defaults() -> None:
    limits = Limits()
    assert limits.memory >= 1_000_000_000 and 0 < limits.children <= 64 and limits.idle > 60
