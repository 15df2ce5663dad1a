"""What a search tree looks like: how deep and how wide (Sironi and Winands, the study on randomization, section 5.7).

    maximum depth                 joint moves inside the tree in the deepest simulation of a search, from the root (depth 0)
    effective branching factor    mean over inner nodes of the number of moves that were really tried there

Nodes are counted once: a tree of positions shares those that can be reached in several ways, and a node's distance is its
shortest one from the root. Works on the arrays of `Tree.arrays()`, live or loaded from the file that `Tree.save` wrote. Where
several roles move at once, a tree of positions keeps no links; they are found again by playing the moves that were tried, for
which the position of the root is needed. There the number of joint moves counts (docs/readings.md#tree-shape).
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from paidia.core.errors import BadInput
from paidia.core.model import Situation

__all__ = ["Arrays", "Links", "TreeShape", "find_links", "load_tree", "shape_of", "top_of", "tree_shape"]

Arrays = Mapping[str, npt.NDArray[Any]]
Ints = npt.NDArray[np.int64]


class TreeShape(msgspec.Struct, frozen=True):
    """Depth and width of the tree below one node.

    Attributes:
        positions: Nodes in the tree.
        depth: Distance of the farthest one; the root has depth 0.
        branching: Mean number of tried moves where any was tried.
        legal: Mean number of legal moves in the same nodes.
        by_depth: Number of nodes at each distance.
    """

    positions: int
    depth: int
    branching: float
    legal: float
    by_depth: list[int]


class Links(msgspec.Struct, frozen=True):
    """The part of a tree below a root.

    Attributes:
        levels: Nodes by their distance from the root.
        parents: For each level but the first the node before each of its nodes, of several the one found first.
        tried: Moves that were tried at each node of all levels together, in their order.
        legal: And those that are legal.
    """

    levels: list[Ints]
    parents: list[Ints]
    tried: Ints
    legal: Ints


def load_tree(file: Path) -> dict[str, npt.NDArray[Any]]:
    """The arrays of a saved tree."""
    try:
        with np.load(file, allow_pickle=False) as saved:
            arrays = {name: saved[name] for name in ("nodes", "edges", "node_more") if name != "node_more" or name in saved}
    except (OSError, ValueError, KeyError, EOFError) as error:
        raise BadInput(f"{file} is not a saved tree: {error}") from None
    return arrays


def top_of(arrays: Arrays) -> int:
    """The node that a saved tree starts with: of those that no move leads to, the one visited most."""
    nodes, edges = arrays["nodes"], arrays["edges"]
    if not len(nodes):
        raise BadInput("the tree is empty")
    if "node_more" in arrays:  # a tree of sequences
        return 0
    reached = np.zeros(len(nodes), dtype=bool)
    children = edges["child"]
    reached[children[(children >= 0) & (children < len(nodes))]] = True
    visits = np.where(reached, -1, nodes["visits"].astype(np.int64))
    return int(visits.argmax())


def tree_shape(arrays: Arrays, root: int, *, state: Situation | None = None) -> TreeShape:
    """Measure the part of a tree that can be reached from `root`; `state` is its position, see above."""
    return shape_of(find_links(arrays, root, state=state))


def shape_of(links: Links) -> TreeShape:
    """The numbers of a tree whose links are known."""
    inner = links.tried > 0
    return TreeShape(
        positions=sum(map(len, links.levels)),
        depth=len(links.levels) - 1,
        branching=float(links.tried[inner].mean()) if inner.any() else 0.0,
        legal=float(links.legal[inner].mean()) if inner.any() else 0.0,
        by_depth=[len(level) for level in links.levels],
    )


def find_links(arrays: Arrays, root: int, *, state: Situation | None = None) -> Links:
    """Walk the tree below `root`, level by level."""
    nodes = arrays["nodes"]
    if not 0 <= root < len(nodes):
        raise BadInput("the position is not in the tree")
    together = (nodes["mover"] < 0) & (nodes["first"] >= 0) & (nodes["terminal"] == 0)
    if "node_more" in arrays:
        return _by_parents(arrays, root)
    if together.any():
        if state is None:
            raise BadInput("this game has simultaneous moves: its tree keeps no links between positions")
        return _by_playing(arrays, root, state)
    return _by_edges(arrays, root)


def _by_edges(arrays: Arrays, root: int) -> Links:
    """Positions in which one role moves."""
    nodes, edges = arrays["nodes"], arrays["edges"]
    levels, parents = [np.array([root])], []
    seen = np.zeros(len(nodes), dtype=bool)
    seen[root] = True
    while True:
        of, owners = _edges_of(nodes, levels[-1])
        visited = (edges["visits"][of] > 0) & (edges["child"][of] >= 0)
        of, owners = of[visited], owners[visited]
        order = np.argsort(-edges["visits"][of], kind="stable")  # the parent from which it is visited most
        children = edges["child"][of][order].astype(np.int64)
        fresh, first = np.unique(children, return_index=True)
        new = ~seen[fresh]
        fresh, first = fresh[new], first[new]
        if not len(fresh):
            break
        seen[fresh] = True
        levels.append(fresh)
        parents.append(owners[order][first])
    reached = np.concatenate(levels)
    return Links(levels, parents, _tried(nodes, edges)[reached], nodes["n_edges"][reached].astype(np.int64))


def _by_parents(arrays: Arrays, root: int) -> Links:
    """Sequences know what they continue. A move of several roles at once is tried where its node is."""
    nodes, edges, above = arrays["nodes"], arrays["edges"], arrays["node_more"]["parent"].astype(np.int64)
    levels, parents = [np.array([root])], []
    while True:
        fresh = np.flatnonzero(np.isin(above, levels[-1]))
        if not len(fresh):
            break
        levels.append(fresh)
        parents.append(above[fresh])
    reached = np.concatenate(levels)
    children = np.bincount(above[above >= 0], minlength=len(nodes))
    together = nodes["mover"] < 0
    tried = np.where(together, children, _tried(nodes, edges))[reached]
    legal = nodes["n_edges"].astype(np.int64)
    for node in reached[together[reached]].tolist():
        legal[node] = _joint(arrays, node, tried_only=False)
    return Links(levels, parents, tried, legal[reached])


def _joint(arrays: Arrays, node: int, *, tried_only: bool) -> int:
    """In how many ways the roles that move at a node can do so together."""
    moves = _moves(arrays, node, tried_only=tried_only)
    return int(np.prod([len(own) for own in moves.values()], dtype=np.int64)) if moves else 0


def _moves(arrays: Arrays, node: int, *, tried_only: bool) -> dict[int, list[int]]:
    """The moves of each role that acts at a node."""
    record = arrays["nodes"][node]
    moves: dict[int, list[int]] = {}
    if record["first"] >= 0:
        for edge in arrays["edges"][record["first"] : record["first"] + record["n_edges"]]:
            own = moves.setdefault(int(edge["role"]), [])
            if not tried_only or edge["visits"] > 0:
                own.append(int(edge["move"]))
    return moves


def _by_playing(arrays: Arrays, root: int, state: Situation) -> Links:
    """Positions in which several roles move: what their joint moves lead to is looked up by its key."""
    places = {key: node for node, key in enumerate(arrays["nodes"]["key"].tolist())}
    n_roles = state.game.n_roles
    seen = {root}
    level = [(root, state)]
    levels, parents, tried, legal = [np.array([root])], [], [], []
    while level:
        below: list[tuple[int, Situation]] = []
        above: list[int] = []
        for node, here in level:
            moves = _moves(arrays, node, tried_only=True)
            count = 0
            for chosen in product(*moves.values()) if moves and not here.terminal else ():
                joint: list[int | None] = [None] * n_roles
                for role, move in zip(moves, chosen, strict=True):
                    joint[role] = move
                after = here.clone()
                after.play(joint)
                child = places.get(after.key)
                count += child is not None
                if child is not None and child not in seen:
                    seen.add(child)
                    below.append((child, after))
                    above.append(node)
            tried.append(count)
            legal.append(_joint(arrays, node, tried_only=False))
        if below:
            levels.append(np.array([node for node, _ in below]))
            parents.append(np.array(above))
        level = below
    return Links(levels, parents, np.array(tried), np.array(legal))


def _edges_of(nodes: npt.NDArray[Any], which: Ints) -> tuple[Ints, Ints]:
    """The numbers of all edges of some nodes, and the node that each belongs to."""
    which = which[nodes["first"][which] >= 0]
    counts = nodes["n_edges"][which].astype(np.int64)
    owners = np.repeat(which, counts)
    starts = np.repeat(nodes["first"][which] - np.concatenate(([0], np.cumsum(counts)[:-1])), counts) if len(which) else counts
    return (starts + np.arange(len(owners))).astype(np.int64), owners


def _tried(nodes: npt.NDArray[Any], edges: npt.NDArray[Any]) -> Ints:
    """For every node, how many of its edges were visited."""
    before = np.concatenate(([0], np.cumsum(edges["visits"] > 0)))
    first = np.maximum(nodes["first"], 0).astype(np.int64)
    count = before[np.minimum(first + nodes["n_edges"], len(edges))] - before[np.minimum(first, len(edges))]
    tried: Ints = np.where(nodes["first"] >= 0, count, 0)
    return tried
