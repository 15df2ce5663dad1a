"""A command on a pseudo-terminal of some width, as a person sees it."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from collections.abc import Sequence
from pathlib import Path

from warm import nest

_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][AB012]|\x1b[=>]")


class Terminal:
    """Runs `paidia ...` on a terminal; keys can be typed, and what it wrote is kept."""

    def __init__(
        self, arguments: Sequence[object], *, columns: int = 80, lines: int = 40, cwd: Path | None = None, **env: str
    ) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        plain = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "TERM")}
        self._process = nest().start(
            [str(word) for word in arguments], env={**plain, "TERM": "xterm-256color", **env}, cwd=cwd, terminal=os.ttyname(slave)
        )
        os.close(slave)
        self.raw = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")

    def read(self, seconds: float) -> None:
        """Take in what comes within some time, or until the command is over."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            ready, _, _ = select.select([self._master], [], [], left)
            if not ready:
                return
            try:
                data = os.read(self._master, 65536)
            except OSError:  # Linux says so when the last one has closed it
                return
            if not data:
                return
            self.raw += self._decoder.decode(data)

    def wait_for(self, text: str, seconds: float = 60.0) -> None:
        """Until something has been written."""
        until = time.monotonic() + seconds
        while text not in self.raw:
            assert time.monotonic() < until, f"{text!r} did not come: {self.raw[-2000:]}"
            self.read(0.1)

    def type(self, text: str) -> None:
        """Press keys."""
        os.write(self._master, text.encode())

    def end(self, seconds: float = 120.0) -> int:
        """Wait for the end; the exit code."""
        until = time.monotonic() + seconds
        while (code := nest().poll(self._process)) is None:
            if time.monotonic() > until:
                os.kill(self._process, signal.SIGKILL)
                raise AssertionError(f"it did not end: {self.raw[-2000:]}")
            self.read(0.02)
        self.read(5.0)  # what is left, until the other side is closed
        os.close(self._master)
        return code

    @property
    def lines(self) -> list[str]:
        """What stays on the screen and above it, without colours; a line that was overwritten is as it was last."""
        return shown_lines(self.raw)


def shown_lines(raw: str) -> list[str]:
    """Lines as a terminal leaves them: \\r goes back to the start, \\x1b[K clears to the end of the line."""
    found = []
    for line in raw.replace("\r\n", "\n").split("\n"):
        cells: list[str] = []
        at, i = 0, 0
        while i < len(line):
            escape = _ESCAPE.match(line, i)
            if escape:
                if escape[0].endswith("K"):
                    cells = [] if escape[0] == "\x1b[2K" else cells[:at]
                i = escape.end()
                continue
            if line[i] == "\r":
                at = 0
            else:
                cells[at : at + 1] = [line[i]]
                at += 1
            i += 1
        found.append("".join(cells).rstrip())
    return found


def on_terminal(*arguments: object, columns: int = 80, cwd: Path | None = None, **env: str) -> tuple[int, Terminal]:
    """Run a command to its end."""
    terminal = Terminal(arguments, columns=columns, cwd=cwd, **env)
    return terminal.end(), terminal
