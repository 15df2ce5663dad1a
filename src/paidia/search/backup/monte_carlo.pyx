"""Monte-Carlo backup: every edge of the path gets the result of its role, every node one visit."""

from libc.stdint cimport int32_t

from paidia.search.backup.base cimport Backup
from paidia.search.frame.simulation cimport Path, Simulation
from paidia.search.nodes.tree cimport NONE, Edge, Node, Tree, plain

from paidia.search.registry import BACKUPS


cdef class MonteCarlo(Backup):
    """Plain means of the results."""

    cdef void update(self, Tree tree, const Path* path, const Simulation* sim) noexcept nogil:
        # The fast form for the trees of most searches: what kind of tree it is is asked once, not at every edge.
        cdef int i, role
        cdef Node* nodes = tree.nodes
        cdef Edge* edges = tree.edges
        cdef const int32_t* chosen = path.edges
        if not plain(tree) or tree.sequences:
            Backup.update(self, tree, path, sim)
            return
        for i in range(path.length):
            nodes[path.nodes[i]].visits += 1
            for role in range(sim.n_roles):
                if chosen[role] != NONE:
                    edges[chosen[role]].visits += 1
                    edges[chosen[role]].sum += sim.results[role]
            chosen += sim.n_roles


BACKUPS.add("monte-carlo", MonteCarlo)
