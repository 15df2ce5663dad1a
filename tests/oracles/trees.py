"""The trees of the fast and the slow search in one form, so that they can be compared."""

from __future__ import annotations

from oracles.slow_mcts import Node
from paidia.search.mcts import Mcts


def tree_of(search: Mcts) -> dict[int, tuple[object, ...]]:
    arrays = search.tree.arrays()
    nodes, edges = arrays["nodes"], arrays["edges"]
    found = {}
    for node in nodes:
        rows = edges[node["first"]: node["first"] + node["n_edges"]] if node["first"] >= 0 else []
        found[int(node["key"])] = (
            int(node["visits"]),
            [(int(e["role"]), int(e["move"]), int(e["visits"]), round(float(e["sum"]), 9)) for e in rows],
        )
    return found


def shape(node: Node) -> tuple[object, ...]:
    rows = []
    for role, moves in enumerate(node.moves or []):
        for i, move in enumerate(moves):
            rows.append((role, move, node.tries[role][i], round(node.sums[role][i], 9)))
    return node.visits, rows
