"""Native board games: one file each, rules written out in Cython, any board size.

An id may carry a size: `breakthrough@6x5` has 6 rows and 5 columns, `hex@11` is 11 by 11. A file registers its games with
`BOARDS.add(BoardGame(...))` beside their rules; nothing else has to know them.
"""

from __future__ import annotations

from paidia.games.boards.catalogue import BOARDS, Boards

__all__ = ["BOARDS", "WORLD"]

WORLD: Boards = BOARDS
