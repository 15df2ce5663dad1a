"""One analysis of the engine: a position searched in a process of its own, told while it runs, stopped when asked.

A search cannot be looked at from another thread. But it lets signals through between simulations: a timer interrupts it a few
times a second, and what it has found so far is read then and there. Where there are no such timers (Windows) nothing is told
while it runs, and it cannot be stopped.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

import msgspec

from paidia.core.budget import Budget
from paidia.core.errors import BadInput, PaidiaError
from paidia.core.model import Situation
from paidia.games import load
from paidia.players.build import search_for
from paidia.players.definition import Value, change
from paidia.players.registry import load_agent
from paidia.search.frame.search import Search
from paidia.search.mcts import Mcts

__all__ = ["Query", "serve_queries"]

LONGEST_LINE = 20
LOOKS = 0.02  # seconds between two looks at whether the search shall stop


class Query(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is asked: a position of a game, and how long to search.

    Attributes:
        id: Comes back with every answer.
        game: Id of a game, or the path of its rules.
        level: Of a video game.
        position: The position as text (`state.to_text()`); the start if left out.
        positions: Several positions, answered one after the other with their `index`.
        moves: Moves by name from the position on: one of the role to act, or a list with one for each role.
        agent: Who searches.
        settings: Settings of the agent to change.
        sims: Simulations.
        time: Seconds.
        role: Whose move is wanted; that of the role to act if left out.
        seed: Same seed and simulations, same answer.
        every: Seconds between two answers while it runs; 0: only the last.
        line: Moves of the principal line at most.
    """

    id: str
    game: str
    level: str | None = None
    position: str | None = None
    positions: list[str] = []
    moves: list[str | list[str]] = []
    agent: str = "grave"
    settings: dict[str, Value] = {}
    sims: int = 0
    time: float = 0.0
    role: int | None = None
    seed: int = 0
    every: float = 0.0
    line: int = LONGEST_LINE


class _Stopped(Exception):
    """The search was asked to stop; with what it had found by then."""

    def __init__(self, found: dict[str, Any]) -> None:
        super().__init__()
        self.found = found


def serve_queries(pipe: Connection) -> None:
    """The life of a worker: take a query, send answers, until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who started the engine ends it
    while True:
        try:
            query = pipe.recv()
        except (EOFError, OSError):
            return
        if not isinstance(query, Query):
            continue  # a stop for what has just ended
        try:
            _analyse(query, pipe)
        except PaidiaError as error:
            pipe.send({"id": query.id, "error": str(error)})
        except (EOFError, OSError):
            return
        except Exception as error:
            pipe.send({"id": query.id, "error": f"{type(error).__name__}: {error}"})
        pipe.send(None)  # ready for the next


def _analyse(query: Query, pipe: Connection) -> None:
    budget = Budget(simulations=query.sims, seconds=query.time)
    game = load(query.game, level=query.level)
    agent = load_agent(query.agent)
    for key, value in query.settings.items():
        agent = change(agent, key, value)
    texts: list[str | None] = list(query.positions) or [query.position]
    for index, text in enumerate(texts):
        state: Situation = game.initial_state() if text is None else game.from_text(text)
        _play(state, query.moves)
        if state.terminal:
            raise BadInput(f"the game is over in position {index}: there is nothing to search for")
        search = search_for(agent, game, query.agent)
        search.begin_game(query.seed)
        role = query.role if query.role is not None else state.mover or 0
        where: dict[str, Any] = {"id": query.id, "index": index} if query.positions else {"id": query.id}
        if _search(search, state, budget, role, query, pipe, where):
            return


def _play(state: Situation, moves: list[str | list[str]]) -> None:
    game = state.game
    for move in moves:
        if isinstance(move, str):
            state.play(game.move_id(state.mover or 0, move))
        else:
            acting = [bool(state.legal(role)) for role in range(game.n_roles)]
            if len(move) != game.n_roles:
                raise BadInput(f"{game.id}: a joint move has {game.n_roles} entries, not {len(move)}")
            state.play([game.move_id(role, name) if acting[role] else None for role, name in enumerate(move)])


def _search(
    search: Search, state: Situation, budget: Budget, role: int, query: Query, pipe: Connection, where: dict[str, Any]
) -> bool:
    """Search one position and tell what was found; whether it was stopped."""
    began = last = time.monotonic()
    searching = True

    def look(*_: object) -> None:
        nonlocal last
        if not searching:
            return
        now = time.monotonic()
        if pipe.poll() and pipe.recv() == "stop":
            raise _Stopped(_found(search, state, role, query.line, now - began))
        if query.every and now - last >= query.every:
            last = now
            pipe.send({**where, "running": True, **_found(search, state, role, query.line, now - began)})

    timers = hasattr(signal, "setitimer")
    before = signal.signal(signal.SIGALRM, look) if timers else None
    try:
        if timers:
            signal.setitimer(signal.ITIMER_REAL, LOOKS, LOOKS)
        move = search.search(state, budget, role=role).move
    except _Stopped as stop:
        pipe.send({**where, "running": False, "stopped": True, **stop.found})
        return True
    finally:
        searching = False
        if timers:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
    found = _found(search, state, role, query.line, time.monotonic() - began)
    if move is not None:
        found["best"] = state.game.move_name(role, move)
        if found["line"] and found["line"][0] != found["best"]:
            found["line"] = [found["best"]]
    pipe.send({**where, "running": False, **found})
    return False


def _found(search: Search, state: Situation, role: int, longest: int, seconds: float) -> dict[str, Any]:
    """What a search knows of the root just now."""
    name: Callable[[int], str] = lambda move: state.game.move_name(role, move)  # noqa: E731
    rows = sorted(search.root_moves(role), key=lambda row: -row.visits)
    line = _line(search, state, longest) or [name(row.move) for row in rows[:1]]
    return {
        "role": state.game.roles[role],
        "simulations": search.so_far().simulations,
        "seconds": round(seconds, 4),
        "best": name(rows[0].move) if rows else None,
        "moves": [{"move": name(row.move), "visits": row.visits, "mean": row.mean} for row in rows],
        "line": line,
    }


def _line(search: Search, state: Situation, longest: int) -> list[str]:
    """The moves that were tried most, one after the other; only a tree of positions tells."""
    if not isinstance(search, Mcts) or search.tree.sequences:
        return []
    arrays = search.tree.arrays()
    nodes, edges, game = arrays["nodes"], arrays["edges"], state.game
    here = state.copy()
    line: list[str] = []
    while len(line) < longest and not here.terminal and here.mover is not None:
        node = search.tree.root(here)
        if node < 0 or nodes[node]["first"] < 0:
            break
        own = edges[nodes[node]["first"] : nodes[node]["first"] + nodes[node]["n_edges"]]
        tried = own[(own["role"] == here.mover) & (own["visits"] > 0)]
        if not len(tried):
            break
        move = int(tried[tried["visits"].argmax()]["move"])
        line.append(game.move_name(here.mover, move))
        here.play(move)
    return line
