# distutils: extra_compile_args = -O1
"""What a search has found out of the moves at its root."""

from libc.stdint cimport int32_t

import numpy as np

from paidia.search.descent cimport Descent
from paidia.search.frame.parameters cimport N_PARAMETERS, P_K
from paidia.search.nodes.proofs cimport open_moves
from paidia.search.frame.scale cimport on_scale
from paidia.search.statistics.amaf cimport AmafEntry
from paidia.search.nodes.tree cimport NONE, NOT_NOVEL, UNSAFE, Node, mean_of, node_visits

from paidia.search.final_move.base import RootTable
from paidia.search.frame.result import RootMove


def root_moves(Descent search not None, int role):
    """The root's statistics for a role after a search, in generation order."""
    cdef int32_t node = search.root_node, e
    cdef object visits
    rows = []
    if node == NONE or search.tree.nodes[node].first == NONE:
        return rows
    for e in range(search.tree.nodes[node].first, search.tree.nodes[node].first + search.tree.nodes[node].n_edges):
        if search.tree.edges[e].role == role:
            visits, pruned = search.tree.edges[e].visits, False
            if search.tree.keep_weights:
                visits = search.tree.edge_more[e].weight
                pruned = search.tree.edge_more[e].marks & (UNSAFE | NOT_NOVEL) != 0
            rows.append(RootMove(search.tree.edges[e].move, visits, mean_of(search.tree, e), pruned))
    return rows


def root_table(Descent search not None, int role, rows):
    """All that is known of the root's moves for a role."""
    cdef const Node* here = &search.tree.nodes[search.root_node]
    cdef int32_t first = here.first
    cdef Py_ssize_t at
    cdef int i, n = len(rows)
    cdef int[::1] marks = np.zeros(n, dtype=np.intc)
    cdef const AmafEntry* entry
    cdef int32_t child
    cdef bint weighted = search.tree.keep_weights
    while search.tree.edges[first].role != role:
        first += 1
    means = np.array([row.mean for row in rows])
    table = RootTable(
        visits=np.array([row.visits for row in rows], dtype=np.float64 if search.tree.sequences else np.int32),
        means=means,
        node_visits=node_visits(search.tree, search.root_node) if search.tree.sequences else here.visits,
        K=search.sim.vectors[role * N_PARAMETERS + P_K],
        amaf=np.full(n, np.nan), low=np.zeros(n), high=np.ones(n), open=np.ones(n, dtype=bool),
        moves=np.array([row.move for row in rows], dtype=np.int32),
        known=np.array([        # what several roles' moves lead to is no child of one edge
            search.tree.edges[first + i].child != NONE or (here.mover < 0 and rows[i].visits > 0) for i in range(n)]),
        unsafe=np.array([weighted and search.tree.edge_more[first + i].marks & UNSAFE != 0 for i in range(n)]),
        stale=np.array([weighted and search.tree.edge_more[first + i].marks & NOT_NOVEL != 0 for i in range(n)]),
        pruning=search.prunes is not None,
        qualities=np.array([on_scale(&search.sim.bounds, mean) for mean in means]) if search.sim.scaled else means,
        estimates=np.array([search.tree.edge_more[first + i].estimate if weighted else 0.0 for i in range(n)]),
    )
    if search.amaf is not None:
        search.sim.place = search.root.c_place() if search.sim.keyed else 0
        for i in range(n):
            entry = search.amaf.find(here.amaf, role, &search.sim, search.tree.edges[first + i].move)
            if entry != NULL:
                table.amaf[i] = entry.sum / entry.visits
    if search.tree.bounds != NULL and here.mover == role:
        open_moves(search.tree, search.root_node, role, first, n, &marks[0])
        table.open[:] = marks
        for i in range(n):
            child = search.tree.edges[first + i].child
            if child != NONE:
                at = (<Py_ssize_t>child * search.game.n_roles + role) * 2
                table.low[i], table.high[i] = search.tree.bounds[at], search.tree.bounds[at + 1]
    return table
