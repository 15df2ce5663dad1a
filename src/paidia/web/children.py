"""Child processes: each does one thing for one page (a match, a rule sheet, a laboratory), within limits.

A line of JSON goes in, lines come out: `M` before what must arrive, `F` before a frame that a newer one may replace. A child
that hangs, grows or breaks takes nothing with it: memory is limited by the system, and a child that nobody spoke to for long,
or that works too long on something that must be quick, is ended.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import tempfile
import time
from collections import deque
from pathlib import Path
from shutil import rmtree

import msgspec

__all__ = ["Child", "Limits", "Nursery"]

LARGEST_LINE = 16_000_000  # a record, a million-node tree's window, a report: all far below
WAITING = 400  # messages that wait for a slow page before it is given up


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What children may use.

    Attributes:
        memory: Bytes of one child.
        cpu: Seconds of processor time of one child.
        idle: Seconds without a word from the page after which a child is ended.
        patience: Seconds for remarks on rules and proofs; opening a game may take some times as long.
        children: At the same time.
        folders: What a child may read besides the library.
    """

    memory: int = 2_000_000_000
    cpu: int = 4 * 3600
    idle: float = 1800.0
    patience: float = 20.0
    children: int = 12
    folders: tuple[str, ...] = ()


class Child:
    """One child process, and what it said that was not yet fetched."""

    def __init__(self, process: asyncio.subprocess.Process, home: Path) -> None:
        self.process, self.home = process, home
        self.heard = time.monotonic()
        self.deadline = float("inf")  # what it was asked for must be done by then
        self._said: deque[bytes] = deque()
        self._frame: bytes | None = None
        self._news = asyncio.Event()
        self._reader = asyncio.create_task(self._read())
        self.overfull = False

    async def _read(self) -> None:
        out = self.process.stdout
        assert out is not None
        with contextlib.suppress(ValueError, asyncio.LimitOverrunError, ConnectionError):
            while line := await out.readline():
                if line[:1] == b"F":
                    self._frame = line[1:-1]
                else:
                    self.deadline = float("inf")
                    self._said.append(line[1:-1])
                    self.overfull = len(self._said) > WAITING
                self._news.set()
                if self.overfull:
                    break
        self._news.set()

    async def next(self) -> bytes | None:
        """What it says next; None once it has ended."""
        while True:
            if self._said:
                return self._said.popleft()
            if self._frame is not None:
                frame, self._frame = self._frame, None
                return frame
            if self._reader.done():
                return None
            self._news.clear()
            await self._news.wait()

    async def tell(self, line: bytes, *, within: float = float("inf")) -> None:
        """Pass on what the page says; `within` seconds it must say something itself."""
        self.heard = time.monotonic()
        if within < float("inf"):
            self.deadline = self.heard + within
        pipe = self.process.stdin
        assert pipe is not None
        with contextlib.suppress(ConnectionError):
            pipe.write(line.replace(b"\n", b" ") + b"\n")
            await asyncio.wait_for(pipe.drain(), 10)

    async def end(self) -> str:
        """Make sure that it is gone; says how it went."""
        if self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
        await self.process.wait()
        self._reader.cancel()
        rmtree(self.home, ignore_errors=True)
        code = self.process.returncode
        return "" if code == 0 else f"ended by signal {-code}" if code and code < 0 else f"ended with code {code}"


class Nursery:
    """Makes children and sees to it that they end; one stands ready, so that a match begins at once."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._all: set[Child] = set()
        self._spare: asyncio.Task[Child] | None = None
        self._keeper: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Begin."""
        self._spare = asyncio.create_task(self._make())
        self._keeper = asyncio.create_task(self._keep())

    async def close(self) -> None:
        """End all."""
        if self._keeper is not None:
            self._keeper.cancel()
        if self._spare is not None:
            with contextlib.suppress(Exception):
                await (await self._spare).end()
        for child in list(self._all):
            await child.end()

    @property
    def full(self) -> bool:
        """Whether no more children are made now."""
        return len(self._all) >= self.limits.children

    async def take(self) -> Child:
        """A child that is ready."""
        assert self._spare is not None
        spare, self._spare = self._spare, asyncio.create_task(self._make())
        child = await spare
        child.heard = time.monotonic()
        self._all.add(child)
        return child

    async def give_back(self, child: Child) -> str:
        """End a child."""
        self._all.discard(child)
        return await child.end()

    async def _make(self) -> Child:
        home = Path(tempfile.mkdtemp(prefix="paidia-web-"))
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "paidia.web.desk", str(self.limits.memory), str(self.limits.cpu), str(home),
            *self.limits.folders,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, start_new_session=True, limit=LARGEST_LINE,
        )  # fmt: skip
        return Child(process, home)

    async def _keep(self) -> None:
        while True:
            await asyncio.sleep(0.5)
            now = time.monotonic()
            for child in list(self._all):
                if now > child.deadline or now - child.heard > self.limits.idle:
                    with contextlib.suppress(ProcessLookupError):
                        os.killpg(child.process.pid, signal.SIGKILL)  # its page hears of it as of any other end
