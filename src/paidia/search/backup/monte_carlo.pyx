"""Monte-Carlo backup: every edge of the path gets the result of its role, every node one visit."""

from libc.stdint cimport int32_t

from paidia.search.backup.base cimport Backup
from paidia.search.frame.simulation cimport Path, Simulation
from paidia.search.nodes.tree cimport NONE, Edge, Node, Tree, count, plain, visit

from paidia.search.registry import BACKUPS


cdef class MonteCarlo(Backup):
    """Plain means of the results."""

    cdef void update(self, Tree tree, const Path* path, const Simulation* sim) noexcept nogil:
        cdef int i, role
        cdef int32_t edge
        cdef Node* nodes = tree.nodes
        cdef Edge* edges = tree.edges
        cdef const int32_t* chosen = path.edges
        if plain(tree) and not tree.sequences:     # most trees are so: asked once, not at every edge
            for i in range(path.length):
                nodes[path.nodes[i]].visits += 1
                for role in range(sim.n_roles):
                    if chosen[role] != NONE:
                        edges[chosen[role]].visits += 1
                        edges[chosen[role]].sum += sim.results[role]
                chosen += sim.n_roles
            return
        if tree.sequences:
            count(tree, tree.front, sim.results[0], 1.0)
        for i in range(path.length):
            visit(tree, path.nodes[i])
            for role in range(sim.n_roles):
                edge = path.edges[i * sim.n_roles + role]
                if edge != NONE:
                    count(tree, edge, sim.results[role], 1.0)


BACKUPS.add("monte-carlo", MonteCarlo)
