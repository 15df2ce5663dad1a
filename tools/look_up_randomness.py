"""Looks up which games of table 1 of the paper on self-adaptive search are deterministic in paidia, and keeps it in facts.csv.

    PAIDIA_REFERENCE=GVGAI_CLONE python tools/look_up_randomness.py

A game is deterministic if the same random actions lead to the same situations whatever chance does: on every level 20 sequences
of at most 200 actions, each played with two seeds.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import paidia
from paidia.core.csv_files import read_rows, write_rows
from paidia.report.papers.facts import COLUMNS

FILE = Path(__file__).resolve().parent.parent / "papers" / "s003" / "facts.csv"
SEQUENCES, ACTIONS = 20, 200


def looks(state: Any) -> object:
    """What can be seen and counted of a situation."""
    return state.tick, state.score, state.terminal, sorted(state.sprites()), state.avatar()


def is_deterministic(game: str) -> bool:
    """Whether chance never shows on any level."""
    for level in range(5):
        rules = paidia.load(game, level=str(level))
        for number in range(SEQUENCES):
            draw = random.Random(number)
            first, second = rules.initial_state(seed=1), rules.initial_state(seed=2)
            for _ in range(ACTIONS):
                if first.terminal or second.terminal:
                    break
                action = draw.choice(first.actions)
                first.advance(action)
                second.advance(action)
                if looks(first) != looks(second):
                    return False
    return True


def main() -> None:
    """Fill in the column `ours`."""
    rows = read_rows(FILE, COLUMNS)
    for row in rows:
        if row["what"] == "randomness":
            row["ours"] = "deterministic" if is_deterministic(row["subject"]) else "stochastic"
            print(row["subject"], row["value"], "->", row["ours"])
    write_rows(FILE, COLUMNS, rows)


if __name__ == "__main__":
    main()
