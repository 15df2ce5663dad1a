"""The laboratory: stores and plans of the user's folders, tables with intervals, and experiments while they run."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec

from paidia.core.errors import BadInput, PaidiaError
from paidia.experiment.cells import assignments
from paidia.experiment.expand import expand
from paidia.experiment.plan import load_plan
from paidia.experiment.store.store import Store
from paidia.report.estimates import from_to
from paidia.report.page import compared_tables
from paidia.report.summary import Group, group_cells, summarise
from paidia.web.desk.catalogue import files_of, inside
from paidia.web.desk.post import Post

__all__ = ["LabDesk"]

LOOK = 0.5  # seconds between two looks at a store that grows by a plan that was started here,
WATCH = 1.0  # and at one that somebody else may be writing
MOST_MATCHES = 500


class LabDesk:
    """Shows one store at a time, and runs at most one plan."""

    def __init__(self, post: Post, home: Path, folders: list[Path]) -> None:
        self._post, self._folders = post, folders
        self._running: subprocess.Popen[bytes] | None = None
        self._store: Path | None = None
        self._seen = -1
        self._changed: tuple[int, ...] = ()
        self._target = 0
        self._began = 0.0

    def work(self, letter: dict[str, Any]) -> None:
        """See `Desk`."""
        asked: dict[str, Any] | None = letter
        while asked is not None:
            try:
                self._answer(asked)
            except PaidiaError as error:
                self._post.say(error=str(error))
            except (sqlite3.Error, OSError) as error:
                self._post.say(error=f"the store cannot be read: {error}")
            asked = self._post.next(LOOK if self._running is not None else WATCH if self._store is not None else None)
            if asked == {}:
                try:
                    (self._watch if self._running is None else self._progress)()
                except (PaidiaError, sqlite3.Error, OSError):
                    continue  # it is being written just now; the next look will tell
        self._stop()

    def _answer(self, asked: dict[str, Any]) -> None:
        what = asked.get("do")
        if what == "open":
            self._post.say(files=[file for file in files_of(self._folders) if file["kind"] in ("plan", "store")])
        elif what == "store":
            self._store = inside(str(asked["file"]), self._folders)
            self._changed = self._stamp()
            self._show()
            self._seen = self._count()
        elif what == "run":
            self._run(inside(str(asked["file"]), self._folders), int(asked.get("workers") or 1))
        elif what == "halt":
            self._stop()
            self._post.say(progress={"running": False, "done": self._count(), "target": self._target})
        elif what == "matches":
            self._matches(str(asked.get("key", "")))

    # ------------------------------------------------------------------------------------------------ running

    def _run(self, plan: Path, workers: int) -> None:
        if self._running is not None and self._running.poll() is None:
            raise BadInput("a plan is running here already: stop it first")
        wanted = load_plan(plan)
        cells = expand(wanted, folder=plan.parent, file=str(plan))
        self._target = sum(wanted.matches for _ in cells)
        self._store, self._seen = plan.with_suffix(".sqlite"), -1
        self._began = time.monotonic()
        workers = min(max(1, workers), 64)
        self._running = subprocess.Popen(
            [sys.executable, "-m", "paidia", "run", plan.name, "--workers", str(workers)],
            cwd=plan.parent, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        )  # fmt: skip
        self._post.say(progress={"running": True, "done": 0, "target": self._target, "plan": plan.name})

    def _progress(self) -> None:
        assert self._running is not None
        over = self._running.poll() is not None
        done = self._count()
        if done != self._seen:
            self._seen = done
            self._show(papers=False)  # looking through all tables of the papers takes longer than a look may
        message = ""
        if over:
            error = self._running.stderr.read().decode(errors="replace") if self._running.stderr else ""
            message = error.strip().splitlines()[-1][:500] if self._running.returncode and error.strip() else ""
            self._running = None
        rate = done / max(1e-9, time.monotonic() - self._began)
        self._post.say(progress={"running": not over, "done": done, "target": self._target, "rate": rate, "message": message})
        if over:
            self._show()

    def _watch(self) -> None:
        """A store that is open here may be growing by a `paidia run` somewhere else."""
        stamp = self._stamp()
        if stamp == self._changed:
            return
        self._changed, done = stamp, self._count()
        if done != self._seen:
            self._seen = done
            self._show(papers=False)
            self._post.say(progress={"running": False, "done": done, "elsewhere": True})

    def _stamp(self) -> tuple[int, ...]:
        """Changes when somebody has written to the store."""
        assert self._store is not None
        files = (self._store, self._store.with_name(f"{self._store.name}-wal"))
        return tuple(number for file in files if file.exists() for number in (file.stat().st_mtime_ns, file.stat().st_size))

    def _count(self) -> int:
        if self._store is None or not self._store.exists():
            return 0
        with Store(self._store) as store:
            return store.count()

    def _stop(self) -> None:
        if self._running is not None and self._running.poll() is None:
            self._running.terminate()
            try:
                self._running.wait(10)
            except subprocess.TimeoutExpired:
                self._running.kill()
        self._running = None

    # ------------------------------------------------------------------------------------------------ tables

    def _show(self, *, papers: bool = True) -> None:
        assert self._store is not None
        if not self._store.exists():
            return
        with Store(self._store) as store:
            cells = summarise(store)
            groups = group_cells(cells)
            tables = self._papers(store, cells) if papers else []
        self._post.say(store={"file": self._store.name, "groups": [_plain(group) for group in groups], "papers": tables})

    def _papers(self, store: Store, cells: list[Group]) -> list[dict[str, Any]]:
        """Our cells beside the papers', where the store has cells of a paper's table and the papers are there."""
        try:
            found = compared_tables(store, cells, None)
        except PaidiaError:
            return []
        return [
            {
                "id": table.id,
                "rows": [
                    {
                        "game": row.printed.game, "agent": row.printed.agent, "opponent": row.printed.opponent,
                        "metric": row.printed.metric, "paper": row.printed.value,
                        "ours": from_to(row.ours) if row.ours else "", "verdict": row.verdict, "more": row.more,
                    }
                    for row in rows
                ],
            }
            for table, rows in found
        ]  # fmt: skip

    def _matches(self, key: str) -> None:
        """The matches of some cells, each with what it takes to play it again."""
        if self._store is None:
            raise BadInput("open a store first")
        keys = key.split(",")[:200]
        rows: list[dict[str, Any]] = []
        with Store(self._store) as store:
            for one in keys:
                rows += _matches_of(store.db, one)
        self._post.say(matches=rows[:MOST_MATCHES])


def _plain(group: Group) -> dict[str, Any]:
    points = group.points
    return {
        "game": group.game, "agent": group.agent, "opponent": group.opponent, "budget": group.budget, "n": group.n,
        "wins": group.wins, "draws": group.draws, "losses": group.losses, "mean": points.mean if group.n else None,
        "points": from_to(points.scaled(100)) if group.n else "",
        "score": group.score.mean if group.video else None, "failed": group.failed, "key": ",".join(group.cells),
    }  # fmt: skip


def _matches_of(db: sqlite3.Connection, key: str) -> list[dict[str, Any]]:
    cell = db.execute("SELECT id, game, level, agent, opponent, roles FROM cell WHERE key = ?", (key,)).fetchone()
    if cell is None:
        return []
    id, game, level, agent, opponent, n_roles = cell
    contenders = [_contender(db, one) for one in (agent, opponent) if one is not None]
    seats = assignments(n_roles) if len(contenders) == 2 else [(0,) * n_roles]
    found = []
    query = "SELECT pair, seat, seed, moves, goals, ending FROM match WHERE cell = ? ORDER BY pair, seat LIMIT ?"
    for pair, seat, seed, moves, goals, ending in db.execute(query, (id, MOST_MATCHES)):
        found.append(
            {
                "game": game, "level": level, "pair": pair, "seat": seat, "seed": str(seed), "moves": moves, "ending": ending,
                "goals": msgspec.json.decode(goals) if goals else None, "seats": [contenders[side] for side in seats[seat]],
            }
        )  # fmt: skip
    return found


def _contender(db: sqlite3.Connection, id: int) -> dict[str, Any]:
    name, definition, simulations, seconds = db.execute(
        "SELECT name, definition, simulations, seconds FROM agent WHERE id = ?", (id,)
    ).fetchone()
    plain = msgspec.json.decode(definition)
    plain.pop("files", None)  # digests of strategies in files of somebody
    return {"agent": name, "definition": plain, "sims": simulations, "time": seconds}
