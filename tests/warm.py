"""Processes that begin with everything imported, forked from one that has it.

Importing paidia takes longer than most commands of the tests do. What a process of its own is needed for (a terminal, an exit
code, a folder, an environment) is the same in a process that is forked from one in which the libraries and the kernels are
loaded already. The command line itself is loaded in the new process: its console looks at the environment.
"""

from __future__ import annotations

import atexit
import importlib
import json
import os
import runpy
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from typing import Any

#: What is there before a process begins.
LIBRARIES = [
    "numpy", "msgspec", "cyclopts", "rich.console", "rich.live", "rich.markup", "rich.progress", "rich.table", "rich.text",
    "paidia", "paidia.games.gdl.load", "paidia.games.gdl.library", "paidia.games.vgdl.library", "paidia.experiment.run",
    "paidia.experiment.store", "paidia.experiment.tuning",
    "paidia.match.referee", "paidia.players.build", "paidia.report.summary", "paidia.report.tables", "paidia.search.mcts",
]  # fmt: skip


class Nest:
    """The process that others are forked from."""

    def __init__(self) -> None:
        self._process = subprocess.Popen([sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        atexit.register(self.close)

    def start(
        self, words: list[str], *, env: dict[str, str], cwd: Path | None = None, terminal: str = "", said: Path | None = None
    ) -> int:
        """`paidia WORDS...`, or the script that is the first word, on a terminal or with all output into a file; its id."""
        letter = {
            "words": words,
            "env": env,
            "cwd": str(cwd or Path.cwd()),
            "terminal": terminal,
            "said": str(said or os.devnull),
        }
        return int(self._ask(letter))

    def poll(self, process: int) -> int | None:
        """The exit code; None while it goes on."""
        code: int | None = self._ask({"poll": process})
        return code

    def wait(self, process: int, seconds: float) -> int:
        """The exit code, once there is one."""
        until = time.monotonic() + seconds
        while (code := self.poll(process)) is None:
            if time.monotonic() > until:
                os.kill(process, 9)
                raise TimeoutError(f"it did not end within {seconds:g} s")
            time.sleep(0.005)
        return code

    def close(self) -> None:
        """End it."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()

    def _ask(self, letter: dict[str, Any]) -> Any:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(letter) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())


@cache
def nest() -> Nest:
    """One for all tests of a worker."""
    return Nest()


def run(*words: object, cwd: Path, env: dict[str, str] | None = None, seconds: float = 300.0) -> tuple[int, str]:
    """Run `paidia WORDS...`, or a script, to its end: exit code and all that it wrote."""
    said = cwd / ".said"
    process = nest().start([str(word) for word in words], env={**os.environ, **(env or {})}, cwd=cwd, said=said)
    code = nest().wait(process, seconds)
    text = said.read_text(encoding="utf-8", errors="replace")
    said.unlink()
    return code, text


def _begin(letter: dict[str, Any], ready: int) -> None:
    """In the new process: take the place that was asked for, and do the work."""
    os.setsid()
    if letter["terminal"]:
        place = os.open(letter["terminal"], os.O_RDWR)  # the first terminal of a session leader becomes its own
    else:
        place = os.open(letter["said"], os.O_RDWR | os.O_CREAT | os.O_TRUNC)
    silent = os.open(os.devnull, os.O_RDONLY)
    for number in (0, 1, 2):
        os.dup2(silent if number == 0 and not letter["terminal"] else place, number)
    os.chdir(letter["cwd"])
    os.environ.clear()
    os.environ.update(letter["env"])
    for name, number, mode in (("stdin", 0, "r"), ("stdout", 1, "w"), ("stderr", 2, "w")):
        setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", buffering=1, closefd=False))
        setattr(sys, f"__{name}__", getattr(sys, name))
    os.write(ready, b".")
    os.close(ready)
    words = letter["words"]
    if words and words[0].endswith(".py"):
        sys.argv, sys.path[0] = list(words), str(Path(words[0]).resolve().parent)
        runpy.run_path(words[0], run_name="__main__")
    else:
        from paidia.cli.main import main

        sys.argv = ["paidia", *words]
        main(words)


def _serve() -> None:
    """Answer letters; a process that is forked leaves here to do its work, and ends as any other does."""
    for name in LIBRARIES:
        importlib.import_module(name)
    ended: dict[int, int] = {}
    for line in sys.stdin:
        letter = json.loads(line)
        if "poll" in letter:
            wanted = letter["poll"]
            if wanted not in ended:
                found, status = os.waitpid(wanted, os.WNOHANG)
                if found:
                    ended[wanted] = os.waitstatus_to_exitcode(status)
            answer = ended.get(wanted)
        else:
            hear, ready = os.pipe()
            answer = os.fork()
            if answer == 0:
                _begin(letter, ready)
                return
            os.close(ready)
            os.read(hear, 1)
            os.close(hear)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    _serve()
