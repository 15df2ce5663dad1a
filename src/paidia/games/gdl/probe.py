"""What only play shows about a rule sheet: a few random matches, and what the rules leave unsaid in them.

    no legal move      a role cannot move though the game is not over: it ends there, and the goals of that position count
    several goals      a role has more than one at the end: their mean counts
    no goal            a role has none at the end: it counts as 0

Each is told once, with the moves that lead there.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Iterator
from typing import Any

from paidia.core.errors import PaidiaError
from paidia.core.game import Game
from paidia.core.text import printable
from paidia.games.gdl.net.kernel import legal_names

__all__ = ["probe", "remark"]

MATCHES = 20
STEPS = 500
SECONDS = 0.5  # of all of it; what takes longer than this is seldom reached by a match either


def remark(game: Game) -> None:
    """Log what a probe finds."""
    for finding in probe(game):
        logging.getLogger("paidia").warning("%s: %s", game.id, printable(finding))


def probe(game: Game, *, seconds: float = SECONDS) -> list[str]:
    """What some random matches show."""
    found: dict[str, str] = {}
    ends = time.monotonic() + seconds
    for seed in range(MATCHES):
        moves: list[str] = []
        try:
            for kind, text in _walk(game, random.Random(seed), moves, ends):
                found.setdefault(kind, text + _after(moves))
        except PaidiaError as error:
            found.setdefault("error", str(error) + _after(moves))
        if time.monotonic() > ends:
            break
    return list(found.values())


def _walk(game: Game, chance: random.Random, moves: list[str], ends: float) -> Iterator[tuple[str, str]]:
    state: Any = game.initial_state()
    for _ in range(STEPS):
        if state.terminal or time.monotonic() > ends:
            break
        joint: list[int | None] = []
        names = []
        for role in range(game.n_roles):
            legal = state.legal(role)
            joint.append(chance.choice(legal) if legal else None)
            names.append(game.move_name(role, joint[-1]) if joint[-1] is not None else legal_names(state, role)[0])
        state.play(joint)
        moves.append(" ".join(names))
    if not state.terminal:
        return
    if not state.ended_by_rules:
        stuck = [game.roles[role] for role in range(game.n_roles) if not legal_names(state, role)]
        who = f"role {stuck[0]} has" if len(stuck) == 1 else f"roles {', '.join(stuck)} have"
        yield "stuck", f"{who} no legal move in a position that is not terminal; the game ends there"
    for name, goals in zip(game.roles, state.goal_lists(), strict=True):
        if not goals:
            yield f"none {name}", f"role {name} has no goal at the end; it counts as 0"
        elif len(goals) > 1:
            values = ", ".join(f"{100 * goal:g}" for goal in sorted(goals))
            yield f"several {name}", f"role {name} has several goals at the end ({values}); their mean counts"


def _after(moves: list[str]) -> str:
    shown = "; ".join(moves[:3]) + ("; ..." if len(moves) > 3 else "")
    return f" (after {len(moves)} moves: {shown})" if moves else " (at the start)"
