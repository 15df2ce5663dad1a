"""`paidia engine`: analyses for other programs, by JSON lines."""

from __future__ import annotations

import sys
from typing import Any

import msgspec

from paidia.connect.engine import LONGEST_REQUEST, Engine
from paidia.core.errors import BadInput


def run(*, workers: int = 1) -> None:
    """Answer analyses that come as JSON, one object a line, on standard input; answers go to standard output.

    A request names a game, a position (as text, or by moves), an agent and a budget: {"id": "a", "game": "connect4", "moves":
    ["d"], "agent": "grave", "sims": 2000, "every": 0.5}. {"action": "stop", "id": "a"} stops it, {"action": "quit"} ends the
    engine. docs/engine.md has all entries.

    Args:
        workers: Positions that are searched at once, each in a process of its own.
    """
    if not 1 <= workers <= 1024:
        raise BadInput(f"--workers is a number from 1 to 1024, not {workers}")

    def answer(told: dict[str, Any]) -> None:
        sys.stdout.write(msgspec.json.encode(told).decode() + "\n")
        sys.stdout.flush()

    # A line without an end is refused piece by piece.
    Engine(answer, workers=workers).run(iter(lambda: sys.stdin.readline(LONGEST_REQUEST + 1), ""))
