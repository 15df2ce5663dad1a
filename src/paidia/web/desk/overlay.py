"""What an agent of a video game thinks, to be drawn over the frame: moves, knowledge, planned path, danger."""

from __future__ import annotations

from collections import Counter
from typing import Any

from paidia.core.arcade import ACTIONS
from paidia.core.model import Situation
from paidia.core.player import Decision
from paidia.games.vgdl.engine.game import VgdlState
from paidia.games.vgdl.views.pictures import CELL
from paidia.search.mcts import Mcts
from paidia.web.desk.seats import Seat, tuner_story

__all__ = ["thoughts_over"]

LONGEST_PATH = 12
RUNS, RUN = 24, 8  # random walks that feel for danger, and their length in ticks


def thoughts_over(state: Situation, seat: Seat, decision: Decision, *, danger: bool) -> dict[str, Any]:
    """Everything that can be said of a decision, as plain data."""
    notes = decision.notes or {}
    weights = sorted(notes.get("weights", {}).items(), key=lambda item: -abs(item[1]))[:10]
    told: dict[str, Any] = {
        "moves": notes.get("moves", [])[:12],
        "weights": weights,
        "parameters": {
            name: value for name, value in notes.get("parameters", {}).items() if value == value and abs(value) < 1e300
        },
        "deterministic": notes.get("deterministic"),
        "depth": notes.get("depth"),
        "simulations": decision.simulations,
        "tuner": tuner_story(seat, 0),
    }
    if isinstance(state, VgdlState):
        told["path"] = _path(state, seat, notes)
        if danger:
            told["danger"] = _danger(state)
    return told


def _place(state: VgdlState) -> tuple[float, float] | None:
    avatar = state.avatar()
    if avatar is None:
        return None
    scale = CELL / state.game.block
    return avatar[0][0] * scale + CELL / 2, avatar[0][1] * scale + CELL / 2


def _path(state: VgdlState, seat: Seat, notes: dict[str, Any]) -> list[tuple[float, float]]:
    """Where the avatar would go by the agent's plan, or by the most visited moves of its tree, if chance is kind."""
    actions = [name for name in notes.get("plan", []) if name in ACTIONS][:LONGEST_PATH] or _favourites(seat)
    here, found = state.copy(), []
    for action in actions:
        place = _place(here)
        if place is None or here.terminal or not here.alive:
            break
        found.append(place)
        here.advance(action)
    place = _place(here)
    return [*found, place] if place else found


def _favourites(seat: Seat) -> list[str]:
    search = seat.search
    if not isinstance(search, Mcts) or not search.tree.sequences or search.tree.n_nodes == 0:
        return []
    arrays = search.tree.arrays()
    nodes, edges, more = arrays["nodes"], arrays["edges"], arrays["edge_more"]
    node = 0
    found: list[str] = []
    while node >= 0 and len(found) < LONGEST_PATH and nodes[node]["first"] >= 0 and nodes[node]["n_edges"]:
        first, n = int(nodes[node]["first"]), int(nodes[node]["n_edges"])
        best = first + int(more["weight"][first : first + n].argmax())
        found.append(ACTIONS[int(edges[best]["move"])])
        node = int(edges[best]["child"])
    return found


def _danger(state: VgdlState) -> list[tuple[float, float, float]]:
    """Where the avatar lost its life in short random walks: x, y and the share of the walks."""
    deaths: Counter[tuple[float, float]] = Counter()
    for run in range(RUNS):
        here = state.copy()
        here.seed(run + 1)
        for tick in range(RUN):
            place = _place(here)
            legal = here.legal(0)
            if not legal or place is None:
                break
            here.advance(legal[(run * 7 + tick * 3 + run // 5) % len(legal)])
            if here.terminal or not here.alive:
                if not (here.terminal and here.winner == 1):
                    deaths[place] += 1
                break
    return [(x, y, n / RUNS) for (x, y), n in deaths.items()]
