"""Monte-Carlo backup: every edge of the path gets the final goal of its role, every node one visit (spec 1.1)."""

from libc.stdint cimport int32_t

from paidia.search.backup.base cimport Backup, Path
from paidia.search.simulation cimport Simulation
from paidia.search.tree cimport NONE, Tree

from paidia.search.registry import BACKUPS


cdef class MonteCarlo(Backup):
    """Plain means of the results."""

    cdef void update(self, Tree tree, const Path* path, const Simulation* sim) noexcept nogil:
        cdef int i, role
        cdef int32_t edge
        for i in range(path.length):
            tree.nodes[path.nodes[i]].visits += 1
            for role in range(sim.n_roles):
                edge = path.edges[i * sim.n_roles + role]
                if edge != NONE:
                    tree.edges[edge].visits += 1
                    tree.edges[edge].sum += sim.goals[role]
                    if tree.keep_squares:
                        tree.squares[edge] += sim.goals[role] * sim.goals[role]


BACKUPS.add("monte-carlo", MonteCarlo)
