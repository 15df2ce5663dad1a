"""Looking inside a search: its root, its principal line, its tree node by node, and where two searches differ."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from paidia.core.errors import BadInput
from paidia.core.model import Situation
from paidia.search.mcts import Mcts
from paidia.search.tree import Tree

__all__ = ["Outline", "SearchLook", "principal_line", "root_rows"]

Ints = npt.NDArray[np.int64]
MOST_ROWS = 400
LONGEST_LINE = 12


def root_rows(search: Any, state: Situation, role: int, moves: list[Any] | None = None) -> list[dict[str, Any]]:
    """The root's moves with all that is known of them, most visited first."""
    rows = search.root_moves(role) if moves is None else moves
    prior = _prior(search, state, role)
    found = []
    for row in rows:
        found.append(
            {
                "move": state.game.move_name(role, row.move),
                "spots": state.touched(role, row.move),
                "visits": row.visits,
                "mean": row.mean,
                "pruned": row.pruned,
                **prior.get(row.move, {}),
            }
        )
    found.sort(key=lambda row: -float(row["visits"]))
    return found[:MOST_ROWS]


def _prior(search: Any, state: Situation, role: int) -> dict[int, dict[str, float]]:
    """Means of moves over the whole game (MAST), where a search keeps them by move."""
    actions = getattr(search, "actions", None)
    if actions is None or state.game.n_places != 1:
        return {}
    visits, means = map(np.atleast_2d, actions.table())
    found = {}
    for move in state.legal(role):
        if role < len(means) and move < means.shape[1] and visits[role, move] > 0:
            found[move] = {"prior": float(means[role, move]), "prior_visits": float(visits[role, move])}
    return found


def _edges(tree: Tree, node: int) -> tuple[Any, int, int]:
    arrays = tree.arrays()
    record = arrays["nodes"][node]
    return arrays, int(record["first"]), int(record["n_edges"])


def principal_line(search: Any, state: Situation) -> list[dict[str, Any]]:
    """The most visited moves from here on, as far as one role acts at a time."""
    if not isinstance(search, Mcts) or search.tree.n_nodes == 0:
        return []
    tree = search.tree
    line: list[dict[str, Any]] = []
    here = state.clone()
    node = tree.root(here)
    while node >= 0 and len(line) < LONGEST_LINE and not here.terminal:
        arrays, first, n = _edges(tree, node)
        if first < 0 or n == 0 or here.mover is None:
            break
        edges = arrays["edges"][first : first + n]
        best = int(np.argmax(edges["visits"]))
        edge = edges[best]
        if edge["visits"] == 0:
            break
        role, move = int(edge["role"]), int(edge["move"])
        if move not in here.legal(role):  # chance went another way
            break
        line.append(
            {
                "role": role,
                "move": here.game.move_name(role, move),
                "spots": here.touched(role, move),
                "visits": int(edge["visits"]),
                "mean": float(edge["sum"] / edge["visits"]) if not tree.sequences else None,
            }
        )
        here.play([move if r == role else None for r in range(here.game.n_roles)])
        node = int(edge["child"])
    return line


class Outline:
    """A tree as an outline: every node once, below the node that reached it first, in the order in which they are read.

    Everything is done with whole arrays, level by level, so that a million nodes take about a second and a window of the
    outline takes no time that could be felt.
    """

    def __init__(self, tree: Tree, root: int) -> None:
        arrays = tree.arrays()
        nodes, edges = arrays["nodes"], arrays["edges"]
        n = len(nodes)
        self.root = root
        self.visits = nodes["visits"].astype(np.int64)
        self.parent = np.full(n, -1, np.int64)
        self.via = np.full(n, -1, np.int64)
        self.depth = np.zeros(n, np.int32)
        self.size = np.ones(n, np.int64)
        rank = np.full(n, -1, np.int64)
        seen = np.zeros(n, bool)
        seen[root] = True
        levels: list[Ints] = [np.array([root], np.int64)]
        while len(levels[-1]):
            owners, which = _all_edges(nodes, levels[-1])
            child = edges["child"][which].astype(np.int64)
            real = (child >= 0) & (child < n)
            real[real] &= ~seen[child[real]]
            owners, which, child = owners[real], which[real], child[real]
            child, first = np.unique(child, return_index=True)
            self.parent[child], self.via[child] = owners[first], which[first]
            self.depth[child] = len(levels)
            seen[child] = True
            levels.append(child)
        for level in reversed(levels[1:]):
            np.add.at(self.size, self.parent[level], self.size[level])
        rank[root] = 0
        entering = edges["visits"].astype(np.int64)
        for level in levels[1:]:
            if not len(level):
                continue
            order = np.lexsort((-entering[self.via[level]], rank[self.parent[level]]))
            level = level[order]
            before = np.cumsum(self.size[level]) - self.size[level]
            parents = self.parent[level]
            starts = np.flatnonzero(np.r_[True, parents[1:] != parents[:-1]])
            lengths = np.diff(np.r_[starts, len(level)])
            rank[level] = rank[parents] + 1 + before - np.repeat(before[starts], lengths)
        reached = np.flatnonzero(seen)
        self.order = reached[np.argsort(rank[reached])]
        self.rank = rank
        self._window: tuple[Any, Ints] = (None, self.order)

    def rows(self, *, least: int, deepest: int, closed: list[int]) -> Ints:
        """The nodes that are shown: with so many visits, not deeper than that, and not below a closed one."""
        key = (least, deepest, tuple(closed))
        if self._window[0] != key:
            shown = np.ones(len(self.order), bool)
            if least > 0:
                entering = self.visits[self.order]
                shown &= entering >= least
            if deepest >= 0:
                shown &= self.depth[self.order] <= deepest
            for node in closed:
                if 0 <= node < len(self.rank) and self.rank[node] >= 0:
                    start = self.rank[node] + 1
                    shown[start : start + self.size[node] - 1] = False
            self._window = key, self.order[shown]
        return self._window[1]

    def path(self, node: int) -> list[int]:
        """The edges from the root to a node."""
        found = []
        while node != self.root and self.parent[node] >= 0:
            found.append(int(self.via[node]))
            node = int(self.parent[node])
        return found[::-1]


def _all_edges(nodes: Any, level: Ints) -> tuple[Ints, Ints]:
    """All edges of some nodes, each with its owner."""
    first, n = nodes["first"][level].astype(np.int64), nodes["n_edges"][level].astype(np.int64)
    n = np.where(first < 0, 0, n)
    owners = np.repeat(level, n)
    starts = np.repeat(np.cumsum(n) - n, n)
    return owners, np.repeat(first, n) + np.arange(len(owners)) - starts


class SearchLook:
    """A finished search and what the page asks about it."""

    def __init__(self, search: Any, state: Situation, role: int, result: Any, label: str) -> None:
        self.search, self.state, self.role, self.result, self.label = search, state, role, result, label
        self._outline: Outline | None = None

    @property
    def tree(self) -> Tree:
        if not isinstance(self.search, Mcts):
            raise BadInput(f"{self.label} builds no tree that can be opened")
        return self.search.tree

    @property
    def outline(self) -> Outline:
        if self._outline is None:
            self._outline = Outline(self.tree, self.tree.root(self.state) if not self.tree.sequences else 0)
        return self._outline

    def summary(self) -> dict[str, Any]:
        """The root, for the page."""
        result = self.result
        return {
            "label": self.label,
            "role": self.role,
            "move": None if result.move is None else self.state.game.move_name(self.role, result.move),
            "rows": root_rows(self.search, self.state, self.role, result.moves),
            "simulations": result.simulations,
            "seconds": result.seconds,
            "nodes": result.nodes,
            "depth": result.depth,
            "line": principal_line(self.search, self.state),
            "tree": isinstance(self.search, Mcts) and result.nodes > 0,
        }

    def window(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Some rows of the outline."""
        outline, tree = self.outline, self.tree
        closed = [int(node) for node in asked.get("closed", [])][:500]
        shown = outline.rows(least=int(asked.get("least", 0)), deepest=int(asked.get("deepest", -1)), closed=closed)
        start, n = max(0, int(asked.get("from", 0))), min(MOST_ROWS, max(0, int(asked.get("n", 100))))
        edges = tree.arrays()["edges"]
        rows = []
        for node in shown[start : start + n].tolist():
            via = int(outline.via[node])
            if via < 0:
                rows.append([node, 0, "root", -1, int(outline.visits[node]), None, int(outline.size[node])])
                continue
            edge = edges[via]
            visits = int(edge["visits"])
            name = self.state.game.move_name(int(edge["role"]), int(edge["move"]))
            mean = float(edge["sum"]) / visits if visits else None
            rows.append([node, int(outline.depth[node]), name, int(edge["role"]), visits, mean, int(outline.size[node])])
        return {"from": start, "total": len(shown), "nodes": len(outline.order), "rows": rows}

    def position(self, node: int) -> tuple[Situation, list[tuple[int, int]]]:
        """The state at a node, and the moves that lead there."""
        outline = self.outline
        if not 0 <= node < len(outline.rank) or outline.rank[node] < 0:
            raise BadInput("the tree has no such node")
        edges = self.tree.arrays()["edges"]
        moves = [(int(edges[via]["role"]), int(edges[via]["move"])) for via in outline.path(node)]
        return self._after(moves), moves

    def _after(self, moves: list[tuple[int, int]]) -> Situation:
        here = self.state.clone()
        for role, move in moves:
            if here.terminal or move not in here.legal(role):
                break  # of sequences: chance goes another way now
            here.play([move if r == role else None for r in range(here.game.n_roles)])
        return here

    def below(self, path: list[str]) -> list[dict[str, Any]] | None:
        """The moves after some moves by name; None where the tree does not reach."""
        tree, here = self.tree, self.state.clone()
        node = tree.root(here) if not tree.sequences else 0
        for name in path:
            arrays, first, n = _edges(tree, node)
            edges = arrays["edges"][max(0, first) : max(0, first) + (n if first >= 0 else 0)]
            names = [here.game.move_name(int(edge["role"]), int(edge["move"])) for edge in edges]
            if name not in names or here.terminal:
                return None
            edge = edges[names.index(name)]
            node = int(edge["child"])
            here = self._step(here, int(edge["role"]), int(edge["move"]))
            if node < 0:
                return None
        arrays, first, n = _edges(tree, node)
        if first < 0:
            return []
        found = []
        for edge in arrays["edges"][first : first + n]:
            visits = int(edge["visits"])
            name = here.game.move_name(int(edge["role"]), int(edge["move"]))
            mean = float(edge["sum"]) / visits if visits else None
            found.append({"move": name, "role": int(edge["role"]), "visits": visits, "mean": mean})
        return found

    def _step(self, here: Situation, role: int, move: int) -> Situation:
        if move in here.legal(role):
            here.play([move if r == role else None for r in range(here.game.n_roles)])
        return here
