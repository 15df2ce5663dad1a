"""Letters between a child and the server: lines of JSON on its standard input and output."""

from __future__ import annotations

import queue
import signal
import sys
import threading
import time
from collections import deque
from typing import Any

import msgspec

__all__ = ["Interrupted", "Post"]

WAITING = 200  # frames and letters that may wait to be written


class Interrupted(Exception):
    """The page wants something else than what is being done."""


class Post:
    """The child's side. A thread reads, another writes, so that neither a slow page nor a busy search holds the other up.

    Letters named in `URGENT` interrupt a search: the main thread raises `Interrupted` between two simulations.
    """

    URGENT = frozenset({"undo", "resign", "stop", "new", "swap"})

    def __init__(self) -> None:
        self.inbox: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._out: deque[bytes] = deque()
        self._frame: bytes | None = None
        self._news = threading.Condition()
        self._closed = False
        self._busy = False
        signal.signal(signal.SIGUSR1, self._interrupt)
        threading.Thread(target=self._read, daemon=True).start()
        self._writer = threading.Thread(target=self._write, daemon=True)
        self._writer.start()

    # ------------------------------------------------------------------------------------------------ out

    def say(self, **letter: Any) -> None:
        """Send a letter that must arrive."""
        line = b"M" + msgspec.json.encode(letter) + b"\n"
        with self._news:
            self._out.append(line)
            self._news.notify()

    def show(self, **letter: Any) -> None:
        """Send a frame: a newer one may take its place before it is sent."""
        line = b"F" + msgspec.json.encode(letter) + b"\n"
        with self._news:
            self._frame = line
            self._news.notify()

    def _write(self) -> None:
        out = sys.stdout.buffer
        while True:
            with self._news:
                while not self._out and self._frame is None:
                    if self._closed:
                        return
                    self._news.wait()
                line = self._out.popleft() if self._out else self._frame
                if line is self._frame:
                    self._frame = None
            try:
                assert line is not None
                out.write(line)
                out.flush()
            except OSError:
                return

    def close(self) -> None:
        """Write what waits, and stop."""
        with self._news:
            self._closed = True
            self._news.notify()
        self._writer.join(5)

    # ------------------------------------------------------------------------------------------------ in

    def _read(self) -> None:
        for line in sys.stdin.buffer:
            try:
                letter = msgspec.json.decode(line, type=dict[str, Any])
            except msgspec.DecodeError:
                continue
            self.inbox.put(letter)
            if self._busy and letter.get("do") in self.URGENT:
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGUSR1)
        self.inbox.put(None)
        if self._busy:
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGUSR1)

    def next(self, seconds: float | None = None) -> dict[str, Any] | None:
        """The next letter; an empty one if none comes in time, None at the end of all."""
        try:
            return self.inbox.get(timeout=seconds) if seconds is None or seconds > 0 else self.inbox.get_nowait()
        except queue.Empty:
            return {}

    # ------------------------------------------------------------------------------------------------ interruptions

    def _interrupt(self, number: int, frame: object) -> None:
        if self._busy:
            raise Interrupted

    def __enter__(self) -> Post:
        self._busy = True
        return self

    def __exit__(self, *error: object) -> None:
        self._busy = False

    def pause(self, until: float) -> None:
        """Wait until a moment of the monotonic clock."""
        time.sleep(max(0.0, until - time.monotonic()))
