"""Searches that help each other in threads: which can, and how they divide a budget.

tree    all members in one tree; who comes to a move that another one tries finds it a loss until the result is there
root    every member in a tree of its own; what they found out of the root's moves is added up. Reproducible: the same seed and
        number of simulations give the same result, however the threads run
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from paidia.core.budget import Budget
from paidia.core.control import Controller
from paidia.search.final_move.base import RootTable
from paidia.search.frame.python_strategy import PythonStrategy
from paidia.search.frame.result import RootMove

if TYPE_CHECKING:
    from paidia.search.mcts import Mcts

__all__ = ["MODES", "MOST_THREADS", "cannot_foresee", "cannot_help", "cannot_share", "joined_rows", "joined_table", "share_of"]

#: Ways to search in parallel; "" takes the first that the search can.
MODES = ("", "tree", "root")

MOST_THREADS = 256


def cannot_help(search: Mcts) -> str:
    """Why more threads are of no use to a search, "" if they are."""
    from paidia.core.python.python_arcade import PythonArcadeGame  # most searches have one thread and need neither
    from paidia.core.python.python_game import PythonGame

    if isinstance(search.game, PythonGame | PythonArcadeGame):
        return f"{search.game.id} is written in Python, where threads take turns: leave threads at 1"
    for part in (
        search.selection,
        search.playout,
        search.backup,
        search.evaluation,
        search.repair,
        *search.pruning,
        *search.roots,
    ):
        if isinstance(part, PythonStrategy):
            return f"{type(part).__name__} is written in Python, where threads take turns: leave threads at 1"
    return ""


def cannot_share(search: Mcts) -> str:
    """Why threads cannot search in one tree, "" if they can."""
    return "its playouts go in waves" if search.playout.waves else cannot_foresee(search)


def cannot_foresee(search: Mcts) -> str:
    """Why no simulation can begin before the results of all others are there, "" if it can."""
    if search.tree.sequences:
        return "it is a tree of sequences, whose nodes change while it is searched"
    if search.evaluation is not None:
        return "its values have no bounds, so that nothing counts as lost while its result is not there"
    if type(search.controller) is not Controller:
        return "its controller goes by the order of the simulations"
    return ""


def share_of(budget: Budget, number: int, members: int) -> Budget | None:
    """What one of several members may use, None for nothing."""
    simulations, left = divmod(budget.simulations, members)
    if budget.simulations and not simulations + (number < left):
        return None
    calls = -(-budget.calls // members)
    return msgspec.structs.replace(budget, simulations=simulations + (number < left), calls=calls)


def joined_rows(members: Sequence[list[RootMove]]) -> list[RootMove]:
    """The root's moves of several searches as if one had made all their simulations."""
    places: dict[int, list[RootMove]] = {}
    for row in chain.from_iterable(members):
        places.setdefault(row.move, []).append(row)
    return [
        RootMove(move, sum(row.visits for row in rows), _mean(rows), all(row.pruned for row in rows))
        for move, rows in places.items()
    ]


def _mean(rows: list[RootMove]) -> float:
    visits = sum(row.visits for row in rows)
    return sum(row.visits * row.mean for row in rows) / visits if visits > 0 else 0.0


def joined_table(tables: Sequence[RootTable]) -> RootTable:
    """The same of all that is known of them, in the same order: proofs of one count for all, marks only if all agree."""
    order = {move: i for i, move in enumerate(dict.fromkeys(chain.from_iterable(table.moves.tolist() for table in tables)))}
    shape = (len(tables), len(order))
    here = np.zeros(shape, dtype=bool)
    columns: dict[str, Any] = {
        "visits": np.zeros(shape), "means": np.zeros(shape), "amaf": np.full(shape, np.nan), "low": np.zeros(shape),
        "high": np.ones(shape), "known": np.zeros(shape, dtype=bool), "unsafe": np.ones(shape, dtype=bool),
        "stale": np.ones(shape, dtype=bool), "qualities": np.zeros(shape), "estimates": np.zeros(shape),
    }  # fmt: skip
    for member, table in enumerate(tables):
        places = [order[move] for move in table.moves.tolist()]
        here[member, places] = True
        for name, column in columns.items():
            column[member, places] = getattr(table, name)
    visits = columns["visits"]
    total = visits.sum(axis=0)
    shares = np.where(total > 0, visits / np.maximum(total, 1e-300), here / np.maximum(here.sum(axis=0), 1))
    weights = np.where(np.isnan(columns["amaf"]), 0.0, [[float(table.node_visits)] for table in tables])
    amaf = np.where(weights > 0, columns["amaf"], 0.0)
    low, high = columns["low"].max(axis=0), columns["high"].min(axis=0)
    sure = low.max(initial=0.0)
    open_ = (high > sure) | ((sure > 0.0) & (low == sure))
    with np.errstate(invalid="ignore"):
        return RootTable(
            visits=total.astype(tables[0].visits.dtype),
            means=(shares * columns["means"]).sum(axis=0),
            node_visits=sum(table.node_visits for table in tables),
            K=tables[0].K,
            amaf=(weights * amaf).sum(axis=0) / weights.sum(axis=0),
            low=low,
            high=high,
            open=open_ if open_.any() else np.ones(len(order), dtype=bool),
            moves=np.array(list(order), dtype=np.int32),
            known=columns["known"].any(axis=0),
            unsafe=columns["unsafe"].all(axis=0),
            stale=columns["stale"].all(axis=0),
            pruning=any(table.pruning for table in tables),
            qualities=(shares * columns["qualities"]).sum(axis=0),
            estimates=(shares * columns["estimates"]).sum(axis=0),
        )
