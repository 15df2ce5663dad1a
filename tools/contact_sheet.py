"""Draw many games on one page, to look at how they are read: `python tools/contact_sheet.py OUT.html FILE_OR_ID ...`.

Each game is shown at its start and in the middle of a random match. `chromium --headless --screenshot=OUT.png OUT.html` makes a
picture of it.
"""

from __future__ import annotations

import random
import sys
from html import escape
from pathlib import Path

from paidia.core.arcade import ArcadeGame
from paidia.core.picture import svg
from paidia.games import load

STEPS = 400


def middle(game, start):
    """A state half way through a random match."""
    rng, states = random.Random(1), [start]
    state = start.clone()
    while not state.terminal and len(states) < STEPS:
        legal = [state.legal(role) for role in range(game.n_roles)]
        state.play([rng.choice(moves) if moves else None for moves in legal])
        states.append(state.clone())
    return states[len(states) // 2]


def main(out: str, specs: list[str]) -> None:
    cards = []
    for spec in specs:
        game = load(spec)
        start = game.initial_state()
        later = middle(game, start)
        name = Path(spec).parent.name if "/" in spec else spec
        both = (start,) if isinstance(game, ArcadeGame) else (start, later)
        pictures = "".join(f"<div>{svg(state.picture())}</div>" for state in both)
        cards.append(f"<section><h2>{escape(name)}</h2>{pictures}</section>")
    style = (
        "body{font:13px sans-serif;display:flex;flex-wrap:wrap;gap:8px;background:#888}section{background:#fff;padding:6px}"
        "h2{margin:0 0 4px;font-size:13px}section div{display:inline-block;vertical-align:top;margin-right:6px}"
        "svg{max-width:230px;max-height:250px;width:auto;height:auto}"
    )
    Path(out).write_text(f"<!doctype html><meta charset=utf-8><style>{style}</style>{''.join(cards)}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
