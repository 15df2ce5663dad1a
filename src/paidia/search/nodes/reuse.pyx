"""What stays of a tree from one move of the game to the next."""

from libc.stdint cimport int32_t, int64_t

import numpy as np

from paidia.core.machine.memory cimport discard, malloc
from paidia.search.statistics.amaf cimport AmafTables
from paidia.search.nodes.tree cimport NONE, Edge, SequenceEdge, SequenceNode, Tree


def keep_since(Tree tree, int32_t step, AmafTables amaf):
    """Drop the nodes that were last visited before `step`; returns the AMAF tables of the rest (None stays None)."""
    cdef int32_t[::1] renamed = np.full(max(1, tree.n_nodes), NONE, dtype=np.int32)
    cdef AmafTables kept_amaf = None if amaf is None else AmafTables(keys=amaf.keys, memory=amaf.room.limit)
    cdef int32_t node, to, edge = 0, e, n, kept = 0
    cdef int32_t[::1] firsts
    cdef int64_t[::1] order
    cdef Py_ssize_t place
    for node in range(tree.n_nodes):
        if tree.nodes[node].stamp >= step:
            renamed[node] = kept
            kept += 1
    if kept == tree.n_nodes:
        return amaf
    tree.detach()
    for node in range(tree.n_nodes):
        to = renamed[node]
        if to == NONE:
            continue
        tree.nodes[to] = tree.nodes[node]
        if tree.keep_bounds:
            for e in range(2 * tree.n_roles):
                tree.bounds[<int64_t>to * tree.n_roles * 2 + e] = tree.bounds[<int64_t>node * tree.n_roles * 2 + e]
        if kept_amaf is not None:
            tree.nodes[to].amaf = amaf.move_to(kept_amaf, tree.nodes[to].amaf, tree.n_roles)
    tree.n_nodes = kept
    firsts = np.empty(kept, dtype=np.int32)
    for node in range(kept):
        firsts[node] = tree.nodes[node].first
    # Edges move down in the order in which they lie, so that none is overwritten before its turn.
    order = np.argsort(np.asarray(firsts), kind="stable")
    for place in range(kept):
        node = <int32_t>order[place]
        if tree.nodes[node].first == NONE:
            continue
        n = tree.nodes[node].n_edges
        for e in range(tree.nodes[node].first, tree.nodes[node].first + n):
            tree.edges[edge] = tree.edges[e]
            if tree.edges[edge].child != NONE:
                tree.edges[edge].child = renamed[tree.edges[edge].child]
            if tree.keep_squares:
                tree.squares[edge] = tree.squares[e]
            edge += 1
        tree.nodes[node].first = edge - n
    tree.n_edges = edge
    tree.full = False
    if not tree._rebuild_slots(tree.slot_mask):
        raise MemoryError()
    return kept_amaf


def keep_below(Tree tree, int32_t root, double factor, AmafTables amaf):
    """Make a node the root, drop what is not below it, and multiply visits and sums; what waits is forgotten.

    Returns the AMAF tables of what is left (None stays None).
    """
    cdef AmafTables kept_amaf = None if amaf is None else AmafTables(keys=amaf.keys, memory=amaf.room.limit)
    cdef int32_t node, to = 0, edge, e, first, child
    cdef SequenceNode* more
    cdef list squares = []
    tree.detach()
    if tree.spare_capacity < tree.edge_capacity:
        discard(tree.spare_edges)
        discard(tree.spare_more)
        tree.spare_edges = <Edge*>malloc(<size_t>tree.edge_capacity * sizeof(Edge))
        tree.spare_more = NULL
        tree.spare_capacity = 0
        if tree.keep_weights:
            tree.spare_more = <SequenceEdge*>malloc(<size_t>tree.edge_capacity * sizeof(SequenceEdge))
        if tree.spare_edges == NULL or (tree.spare_more == NULL and tree.keep_weights):
            raise MemoryError
        tree.spare_capacity = tree.edge_capacity
    # A parent stands before its children, so it has its new place (in `stamp`) before they ask for it.
    tree.spare_edges[tree.front] = tree.edges[tree.node_more[root].incoming]
    if tree.keep_weights:
        tree.spare_more[tree.front] = tree.edge_more[tree.node_more[root].incoming]
    edge = tree.front + 1
    for node in range(root):
        tree.nodes[node].stamp = NONE
    for node in range(root, tree.n_nodes):
        more = &tree.node_more[node]
        if node != root and tree.nodes[more.parent].stamp == NONE:
            tree.nodes[node].stamp = NONE
            continue
        more.parent = NONE if node == root else tree.nodes[more.parent].stamp
        more.waiting = NONE
        first = edge
        for e in range(tree.nodes[node].first, tree.nodes[node].first + tree.nodes[node].n_edges):
            tree.spare_edges[edge] = tree.edges[e]
            tree.spare_edges[edge].sum *= factor
            if tree.keep_weights:
                tree.spare_more[edge] = tree.edge_more[e]
                tree.spare_more[edge].weight *= factor
            if tree.keep_squares:
                squares.append(tree.squares[e] * factor)
            edge += 1
        if tree.nodes[node].n_edges:
            tree.nodes[node].first = first
        tree.nodes[node].stamp = to
        to += 1
    tree.spare_edges[tree.front].sum *= factor
    if tree.keep_weights:
        tree.spare_more[tree.front].weight *= factor
    tree.spare_edges[tree.front].child = NONE
    for e in range(tree.front + 1, edge):
        child = tree.spare_edges[e].child
        if child != NONE:
            tree.node_more[child].incoming = e
            tree.spare_edges[e].child = tree.nodes[child].stamp
    to = 0
    for node in range(root, tree.n_nodes):
        if tree.nodes[node].stamp == NONE:
            continue
        tree.nodes[to] = tree.nodes[node]
        tree.node_more[to] = tree.node_more[node]
        if kept_amaf is not None:
            tree.nodes[to].amaf = amaf.move_to(kept_amaf, tree.nodes[to].amaf, tree.n_roles)
        to += 1
    tree.node_more[0].incoming = tree.front
    tree.edges, tree.spare_edges = tree.spare_edges, tree.edges
    tree.edge_more, tree.spare_more = tree.spare_more, tree.edge_more
    tree.spare_capacity, tree.edge_capacity = tree.edge_capacity, tree.spare_capacity
    tree.n_nodes, tree.n_edges, tree.full = to, edge, False
    for e, square in enumerate(squares, start=tree.front + 1):
        tree.squares[e] = square
    return kept_amaf
