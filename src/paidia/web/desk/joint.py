"""Trees of games in which several roles move at once: an edge is the move of one role, and what a joint move leads to is found by
playing it and looking for the position in the tree.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from itertools import islice, product
from typing import Any

from paidia.core.model import Situation
from paidia.search.nodes.tree import Tree

__all__ = ["Step", "all_at_once", "entered", "joint_children", "joint_name", "played", "walk"]

#: The moves of one step: role and move of each that acts.
Step = tuple[tuple[int, int], ...]

MOST_JOINT = 400  # joint moves of one node, those of its most visited moves first
MOST_PLAYED = 100_000  # joint moves that are played to find the nodes of a tree
BETWEEN = " | "


def all_at_once(state: Situation) -> bool:
    """Whether no single move leads on from here."""
    return state.mover is None and state.game.n_roles > 1


def entered(arrays: dict[str, Any], node: int) -> int:
    """How often simulations came to a node of a tree of positions; the first one, which made it, is not among its visits."""
    return int(arrays["nodes"][node]["visits"]) + 1


def joint_name(state: Situation, step: Step) -> str:
    """The moves of a step by name."""
    return BETWEEN.join(state.game.move_name(role, move) for role, move in step)


def played(state: Situation, step: Step) -> Situation | None:
    """What a step leads to; None where it is not legal (in a tree of sequences chance may go another way now)."""
    if state.terminal or any(move not in state.legal(role) for role, move in step):
        return None
    after = state.clone()
    joint: list[int | None] = [None] * state.game.n_roles
    for role, move in step:
        joint[role] = move
    after.play(joint)
    return after


def joint_children(tree: Tree, arrays: dict[str, Any], node: int, state: Situation) -> Iterator[tuple[Step, int, Situation]]:
    """The joint moves of a node that the tree has a node for: the step, that node, its position."""
    first, n = int(arrays["nodes"][node]["first"]), int(arrays["nodes"][node]["n_edges"])
    if first < 0 or tree.sequences:
        return
    edges = arrays["edges"][first : first + n]
    tried: list[list[tuple[int, int]]] = []
    for role in range(state.game.n_roles):
        own = edges[(edges["role"] == role) & (edges["visits"] > 0)]
        order = own["visits"].argsort(kind="stable")[::-1]
        if len(own):
            tried.append([(role, int(move)) for move in own["move"][order]])
    for step in islice(product(*tried), MOST_JOINT):
        after = played(state, step)
        if after is not None and (child := tree.root(after)) >= 0:
            yield step, child, after


def walk(tree: Tree, arrays: dict[str, Any], root: int, state: Situation) -> Iterator[tuple[int, int, Step]]:
    """Every node below the root, once, most visited first: its parent, itself, and the step between; as far as is affordable."""
    nodes, edges = arrays["nodes"], arrays["edges"]
    seen, left = {root}, MOST_PLAYED
    todo: list[tuple[int, int, Situation]] = [(-int(nodes[root]["visits"]), root, state)]
    while todo and left > 0:
        _, node, here = heapq.heappop(todo)
        first, n = int(nodes[node]["first"]), int(nodes[node]["n_edges"])
        if first < 0 or here.terminal:
            continue
        children: list[tuple[Step, int, Situation | None]]
        if all_at_once(here):
            children = list(joint_children(tree, arrays, node, here))
        else:
            alone = [(((int(edge["role"]), int(edge["move"])),), int(edge["child"])) for edge in edges[first : first + n]]
            children = [(step, child, played(here, step)) for step, child in alone if child >= 0]
        left -= max(1, len(children))
        for step, child, after in children:
            if child in seen:
                continue
            seen.add(child)
            yield node, child, step
            if after is not None:
                heapq.heappush(todo, (-int(nodes[child]["visits"]), child, after))
