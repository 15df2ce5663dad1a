"""Trees of sequences as the oracles know them: agents of the papers by their switches, and their trees as dictionaries."""

from __future__ import annotations

import msgspec

from oracles.thesis_settings import MctsSettings
from paidia.core.model import Rules
from paidia.players.build import build_search
from paidia.players.definition import change
from paidia.players.registry import load_agent
from paidia.search.mcts import Mcts

Nodes = dict[tuple[int, ...], tuple[float, float, float | None, float, int]]
NONE = -1


def thesis_search(game: Rules, settings: MctsSettings) -> Mcts:
    """The search of the preset `mcts-thesis` with every setting set by the name that the thesis gives it."""
    agent = load_agent("mcts-thesis")
    for name, value in msgspec.structs.asdict(settings).items():
        agent = change(agent, name, value)
    search = build_search(agent, game)
    assert isinstance(search, Mcts)
    return search


def sample_search(game: Rules, *, K: float = 1.4, D: int = 10) -> Mcts:
    """The search of the preset `sample-mcts` with other parameters."""
    search = build_search(change(change(load_agent("sample-mcts"), "K", K), "D", D), game)
    assert isinstance(search, Mcts)
    return search


def tree_nodes(search: Mcts) -> Nodes:
    """Visits, total, highest result, value by temporal differences and marks of every node, by the moves that lead to it.

    A tree that keeps no more than visits and totals, because nobody reads more, has no highest results (None).
    """
    arrays = search.tree.arrays()
    nodes, edges, more = arrays["nodes"], arrays["edges"], arrays.get("edge_more")
    found: Nodes = {}

    def visit(path: tuple[int, ...], edge: int, node: int) -> None:
        record = None if more is None else more[edge]
        found[path] = (
            (float(edges[edge]["visits"]), float(edges[edge]["sum"]), None, 0.0, 0)
            if record is None
            else (
                float(record["weight"]),
                float(edges[edge]["sum"]),
                float(record["high"]),
                float(record["estimate"]),
                int(record["marks"]),
            )
        )
        assert arrays["node_more"][node]["incoming"] == edge
        first = int(nodes[node]["first"])
        if first != NONE:
            for below in range(first, first + int(nodes[node]["n_edges"])):
                child = int(edges[below]["child"])
                if child != NONE:
                    assert arrays["node_more"][child]["parent"] == node
                    visit((*path, int(edges[below]["move"])), below, child)

    if len(nodes):
        visit((), search.tree.front, 0)
    return found


def as_kept(search: Mcts, nodes: Nodes) -> Nodes:
    """Of an oracle's nodes what the search's tree keeps."""
    return nodes if search.tree.keep_weights else {path: (*node[:2], None, *node[3:]) for path, node in nodes.items()}
