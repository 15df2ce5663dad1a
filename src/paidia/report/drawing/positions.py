"""Where each game of a store begins, as a picture: the same that the page and notebooks draw."""

from __future__ import annotations

from html import escape

from paidia.core.errors import PaidiaError
from paidia.core.picture import svg
from paidia.experiment.store.store import Store
from paidia.games import load

__all__ = ["first_positions"]

MOST = 12  # pictures of one report; large rule sheets take a while to load


def first_positions(store: Store) -> list[str]:
    """A figure for each game, in the order of the store; games whose rules are not here any more are left out."""
    figures: dict[str, str] = {}
    for game, level, label in store.db.execute("SELECT game, level, label FROM cell ORDER BY id"):
        if label in figures or len(figures) >= MOST:
            continue
        try:
            picture = svg(load(game, level=level).initial_state().picture(), captions=False)
        except (PaidiaError, OSError):
            continue
        figures[label] = f'<figure class="position">{picture}<figcaption>{escape(label)}</figcaption></figure>'
    return list(figures.values())
