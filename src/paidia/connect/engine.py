"""The engine: analyses by JSON lines, one object a line, in any order and several at once.

    -> {"id": "a", "game": "connect4", "moves": ["d", "d"], "sims": 2000, "every": 0.5}
    <- {"id": "a", "running": true, "best": "c", "moves": [{"move": "c", "visits": 412, "mean": 0.61}, ...], "line": ["c", "d"]}
    <- {"id": "a", "running": false, "best": "d", ...}
    -> {"action": "stop", "id": "a"}        -> {"action": "version", "id": "v"}        -> {"action": "quit"}

`analysis.Query` says what can be asked. What cannot be answered comes back as `{"id": ..., "error": ...}`; the engine goes on.
Answers to one query come in order, those of several as they are found. At the end of its input the engine finishes its work.
"""

from __future__ import annotations

import multiprocessing
import threading
from collections import deque
from collections.abc import Callable, Iterable
from multiprocessing.connection import Connection, wait
from typing import Any

import msgspec

import paidia
from paidia.connect.analysis import Query, serve_queries

__all__ = ["PROTOCOL", "Engine"]

PROTOCOL = 1
LONGEST_REQUEST = 20_000_000
MOST_WAITING = 10_000


class _Worker:
    """A process that searches, and the query it is at."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe: Connection
        self.pipe, there = context.Pipe()
        self.process = context.Process(target=serve_queries, args=(there,), daemon=True)
        self.process.start()
        there.close()
        self.query: Query | None = None


class Engine:
    """Takes requests and gives answers; `answer` is called with each, a plain dictionary.

    Args:
        answer: Where answers go.
        workers: Analyses at once.
    """

    def __init__(self, answer: Callable[[dict[str, Any]], None], *, workers: int = 1) -> None:
        self._answer, self._size = answer, workers
        self._workers: list[_Worker] = []
        self._waiting: deque[Query] = deque()
        self._wake, self._woken = multiprocessing.Pipe()
        self._requests: deque[str | None] = deque()

    def run(self, lines: Iterable[str]) -> None:
        """Serve until the lines end or `quit` comes, and all that was asked is answered."""
        reader = threading.Thread(target=self._read, args=(lines,), daemon=True)
        reader.start()
        open_ = True
        try:
            while open_ or self._waiting or any(worker.query for worker in self._workers):
                for ready in wait([self._woken, *(worker.pipe for worker in self._workers)]):
                    if ready is self._woken:
                        self._woken.recv()
                        open_ = self._take(self._requests.popleft()) and open_
                    else:
                        self._hear(next(worker for worker in self._workers if worker.pipe is ready))
                self._give_out()
        finally:
            self.close()

    def close(self) -> None:
        """End all workers."""
        for worker in self._workers:
            worker.pipe.close()
            worker.process.terminate()
            worker.process.join(5)
        self._workers.clear()

    # ---------------------------------------------------------------- requests

    def _read(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._requests.append(line)
            self._wake.send(0)
        self._requests.append(None)
        self._wake.send(0)

    def _take(self, line: str | None) -> bool:
        """One line of input; whether there may be more."""
        if line is None:
            return False
        if not line.strip():
            return True
        request: Any = None
        try:
            if len(line) > LONGEST_REQUEST:
                raise msgspec.ValidationError(f"a request has at most {LONGEST_REQUEST:,} characters")
            request = msgspec.json.decode(line)
            if not isinstance(request, dict):
                raise msgspec.ValidationError("a request is an object")
            action = request.pop("action", "analyse")
            if action == "quit":
                self._waiting.clear()
                for worker in self._workers:
                    worker.query = None
                return False
            if action == "version":
                self._answer({"id": request.get("id"), "version": paidia.__version__, "protocol": PROTOCOL})
            elif action == "stop":
                self._stop(request.get("id"))
            elif action == "analyse":
                self._queue(msgspec.convert(request, Query))
            else:
                raise msgspec.ValidationError(f"an action is analyse, stop, version or quit, not {action!r}")
        except (msgspec.ValidationError, msgspec.DecodeError) as error:
            self._answer({"id": request.get("id") if isinstance(request, dict) else None, "error": str(error)})
        return True

    def _queue(self, query: Query) -> None:
        busy = [worker.query for worker in self._workers if worker.query] + list(self._waiting)
        if any(other.id == query.id for other in busy):
            raise msgspec.ValidationError(f"a query with the id {query.id!r} is not answered yet")
        if query.sims <= 0 and query.time <= 0:
            raise msgspec.ValidationError("a query needs sims or time above 0")
        if len(self._waiting) >= MOST_WAITING:
            raise msgspec.ValidationError("too many queries are waiting")
        self._waiting.append(query)

    def _stop(self, id: Any) -> None:
        """Stop one query, or all if no id is given."""
        for query in [query for query in self._waiting if id in (None, query.id)]:
            self._waiting.remove(query)
            self._answer({"id": query.id, "running": False, "stopped": True})
        for worker in self._workers:
            if worker.query is not None and id in (None, worker.query.id):
                worker.pipe.send("stop")

    # ---------------------------------------------------------------- workers

    def _give_out(self) -> None:
        while self._waiting:
            free = next((worker for worker in self._workers if worker.query is None), None)
            if free is None:
                if len(self._workers) >= self._size:
                    return
                free = _Worker()
                self._workers.append(free)
            free.query = self._waiting.popleft()
            free.pipe.send(free.query)

    def _hear(self, worker: _Worker) -> None:
        try:
            told = worker.pipe.recv()
        except (EOFError, OSError):
            if worker.query is not None:
                self._answer({"id": worker.query.id, "error": "the process that searched has died"})
            self._workers.remove(worker)
            return
        if told is None:
            worker.query = None
        elif worker.query is not None:
            self._answer(told)
