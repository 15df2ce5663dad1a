"""Looking inside a search: its root, its principal line, its tree node by node, and where two searches differ."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from paidia.core.errors import BadInput
from paidia.core.model import Situation
from paidia.search.frame.outcome import root_moves, root_table
from paidia.search.mcts import Mcts
from paidia.search.nodes.tree import Tree
from paidia.web.desk.joint import Step, all_at_once, entered, joint_children, joint_name, played, walk

__all__ = ["Outline", "SearchLook", "principal_line", "root_rows"]

Ints = npt.NDArray[np.int64]
MOST_ROWS = 400
LONGEST_LINE = 12


def root_rows(search: Any, state: Situation, role: int, moves: list[Any] | None = None) -> list[dict[str, Any]]:
    """The root's moves with all that is known of them, most visited first."""
    rows = search.root_moves(role) if moves is None else moves
    prior, amaf = _prior(search, state, role), _amaf(search, role)
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
                **amaf.get(row.move, {}),
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


def _amaf(search: Any, role: int) -> dict[int, dict[str, float]]:
    """Means of all simulations in which a move was played here or later (AMAF), where a search keeps them."""
    own = root_moves(search, role) if isinstance(search, Mcts) else []
    if not own:
        return {}
    table = root_table(search, role, own)
    known = zip(table.moves.tolist(), table.amaf.tolist(), strict=True)
    return {move: {"amaf": mean} for move, mean in known if mean == mean}


def principal_line(search: Any, state: Situation) -> list[dict[str, Any]]:
    """The most visited moves from here on; where all move at once, the most visited joint move."""
    if not isinstance(search, Mcts) or search.tree.n_nodes == 0:
        return []
    tree, arrays = search.tree, search.tree.arrays()
    line: list[dict[str, Any]] = []
    here: Situation | None = state.clone()
    node = tree.root(state)
    while here is not None and node >= 0 and len(line) < LONGEST_LINE and not here.terminal:
        first, n = int(arrays["nodes"][node]["first"]), int(arrays["nodes"][node]["n_edges"])
        if first < 0 or n == 0:
            break
        if all_at_once(here):
            known = {child: (step, after) for step, child, after in joint_children(tree, arrays, node, here)}
            if not known:
                break
            child = max(known, key=lambda one: entered(arrays, one))
            (step, after), visits = known[child], entered(arrays, child)
            line.append({"role": -1, "move": joint_name(here, step), "spots": [], "visits": visits, "mean": None})
            here, node = after, child
            continue
        edges = arrays["edges"][first : first + n]
        edge = edges[int(np.argmax(edges["visits"]))]
        role, move = int(edge["role"]), int(edge["move"])
        if edge["visits"] == 0 or move not in here.legal(role):  # chance went another way
            break
        mean = float(edge["sum"] / edge["visits"]) if not tree.sequences else None
        name, spots = here.game.move_name(role, move), here.touched(role, move)
        line.append({"role": role, "move": name, "spots": spots, "visits": int(edge["visits"]), "mean": mean})
        here, node = played(here, ((role, move),)), int(edge["child"])
    return line


class Outline:
    """A tree as an outline: every node once, below the node that reached it first, in the order in which they are read.

    Everything is done with whole arrays, level by level, so that a million nodes take about a second and a window of the
    outline takes no time that could be felt.
    """

    def __init__(self, tree: Tree, root: int, state: Situation | None = None) -> None:
        arrays = tree.arrays()
        nodes, self._edges = arrays["nodes"], arrays["edges"]
        n = len(nodes)
        self.root = root
        self._joint: dict[int, Step] = {}  # what leads to a node where no single edge does
        self.visits = nodes["visits"].astype(np.int64)
        self.parent = np.full(n, -1, np.int64)
        self.via = np.full(n, -1, np.int64)
        self.depth = np.zeros(n, np.int32)
        self.size = np.ones(n, np.int64)
        self._entering = np.zeros(n, np.int64)
        rank = np.full(n, -1, np.int64)
        if tree.sequences and tree.n_roles > 1:
            levels = self._found_by_parents(arrays["node_more"])
        elif state is not None and nodes["mover"][root] < 0:
            levels = self._found_by_playing(tree, arrays, state)
        else:
            levels = self._found_by_edges(nodes)
        seen = np.zeros(n, bool)
        seen[np.concatenate(levels)] = True
        for level in reversed(levels[1:]):
            np.add.at(self.size, self.parent[level], self.size[level])
        rank[root] = 0
        for level in levels[1:]:
            if not len(level):
                continue
            order = np.lexsort((-self._entering[level], rank[self.parent[level]]))
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

    def _found_by_edges(self, nodes: Any) -> list[Ints]:
        """The nodes of each depth, with their parents and the edges that lead to them."""
        n, edges = len(nodes), self._edges
        seen = np.zeros(n, bool)
        seen[self.root] = True
        levels: list[Ints] = [np.array([self.root], np.int64)]
        while len(levels[-1]):
            owners, which = _all_edges(nodes, levels[-1])
            child = edges["child"][which].astype(np.int64)
            real = (child >= 0) & (child < n)
            real[real] &= ~seen[child[real]]
            owners, which, child = owners[real], which[real], child[real]
            child, first = np.unique(child, return_index=True)
            self.parent[child], self.via[child] = owners[first], which[first]
            self._entering[child] = edges["visits"][which[first]]
            self.depth[child] = len(levels)
            seen[child] = True
            levels.append(child)
        return levels

    def _found_by_playing(self, tree: Tree, arrays: dict[str, Any], state: Situation) -> list[Ints]:
        """The same where all move at once; only what is visited most in a very large tree."""
        levels: list[list[int]] = [[self.root]]
        for parent, child, step in walk(tree, arrays, self.root, state):
            self.parent[child], self.depth[child] = parent, self.depth[parent] + 1
            self._joint[child], self._entering[child] = step, entered(arrays, child)
            if len(levels) == self.depth[child]:
                levels.append([])
            levels[self.depth[child]].append(child)
        return [np.array(level, np.int64) for level in levels]

    def _found_by_parents(self, more: Any) -> list[Ints]:
        """The same in a tree of sequences of several roles, whose nodes know their parents but not the joint moves between."""
        parent, incoming = more["parent"].astype(np.int64), more["incoming"].astype(np.int64)
        levels: list[Ints] = [np.array([self.root], np.int64)]
        while len(levels[-1]):
            level = np.flatnonzero(np.isin(parent, levels[-1]))
            self.parent[level], self.via[level], self.depth[level] = parent[level], incoming[level], len(levels)
            self._entering[level] = self.visits[level]
            self._joint.update(dict.fromkeys(level[incoming[level] < 0].tolist(), ()))
            levels.append(level)
        return levels

    def entering(self, node: int) -> int:
        """How often simulations came to a node from above."""
        return int(self._entering[node])

    def step(self, node: int) -> Step:
        """The moves that lead to a node from its parent; none where nobody knows them."""
        if node in self._joint:
            return self._joint[node]
        edge = self._edges[self.via[node]]
        return ((int(edge["role"]), int(edge["move"])),)

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

    def path(self, node: int) -> list[Step]:
        """The steps from the root to a node."""
        found = []
        while node != self.root and self.parent[node] >= 0:
            found.append(self.step(node))
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
            root = self.tree.root(self.state) if not self.tree.sequences else 0
            self._outline = Outline(self.tree, root, None if self.tree.sequences else self.state)
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
        rows: list[list[Any]] = []
        for node in shown[start : start + n].tolist():
            visits, depth, size = int(outline.visits[node]), int(outline.depth[node]), int(outline.size[node])
            if node == outline.root:
                rows.append([node, 0, "root", -1, visits, None, size])
                continue
            step, via = outline.step(node), int(outline.via[node])
            name = joint_name(self.state, step) or "a joint move"
            if via < 0:  # of a joint move the tree knows the visits of the position, and no mean
                rows.append([node, depth, name, step[0][0] if len(step) == 1 else -1, outline.entering(node), None, size])
                continue
            edge = edges[via]
            visits = int(edge["visits"])
            rows.append([node, depth, name, step[0][0], visits, float(edge["sum"]) / visits if visits else None, size])
        return {"from": start, "total": len(shown), "nodes": len(outline.order), "rows": rows}

    def position(self, node: int) -> tuple[Situation, list[Step]]:
        """The state at a node, and the steps that lead there."""
        outline = self.outline
        if not 0 <= node < len(outline.rank) or outline.rank[node] < 0:
            raise BadInput("the tree has no such node")
        steps, here = outline.path(node), self.state.clone()
        for step in steps:
            after = played(here, step) if step else None
            if after is None:
                break  # of sequences: chance goes another way now, or nobody knows the way
            here = after
        return here, steps

    def below(self, path: list[str]) -> list[dict[str, Any]] | None:
        """The moves after some moves by name, joint moves with role -1; None where the tree does not reach."""
        tree, here = self.tree, self.state.clone()
        arrays = tree.arrays()
        node = tree.root(here) if not tree.sequences else 0
        for name in path:
            found = next((one for one in self._children(arrays, node, here) if joint_name(here, one[0]) == name), None)
            if found is None or found[1] < 0:
                return None
            step, node, after = found
            here = after or played(here, step) or here
        first, n = int(arrays["nodes"][node]["first"]), int(arrays["nodes"][node]["n_edges"])
        if first < 0:
            return []
        rows = []
        for edge in arrays["edges"][first : first + n]:
            visits = int(edge["visits"])
            name = here.game.move_name(int(edge["role"]), int(edge["move"]))
            mean = float(edge["sum"]) / visits if visits else None
            rows.append({"move": name, "role": int(edge["role"]), "visits": visits, "mean": mean})
        if all_at_once(here):
            for step, child, _ in joint_children(tree, arrays, node, here):
                rows.append({"move": joint_name(here, step), "role": -1, "visits": entered(arrays, child), "mean": None})
        return rows

    def _children(self, arrays: dict[str, Any], node: int, here: Situation) -> list[tuple[Step, int, Situation | None]]:
        """The steps from a node, and the nodes that they lead to."""
        if here.terminal:
            return []
        if all_at_once(here):
            return list(joint_children(self.tree, arrays, node, here))
        first, n = int(arrays["nodes"][node]["first"]), int(arrays["nodes"][node]["n_edges"])
        edges = arrays["edges"][first : first + n] if first >= 0 else []
        return [(((int(edge["role"]), int(edge["move"])),), int(edge["child"]), None) for edge in edges]
