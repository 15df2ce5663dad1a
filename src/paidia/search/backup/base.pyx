# distutils: extra_compile_args = -O1
"""The base of backup strategies."""

from libc.stdint cimport int32_t

from paidia.search.frame.simulation cimport Path, Simulation
from paidia.search.frame.strategy cimport Strategy
from paidia.search.nodes.tree cimport NONE, Tree, count, visit


cdef class Backup(Strategy):
    """Enters the result of a simulation into the nodes and edges of its path."""

    cdef void score(self, Simulation* sim) noexcept nogil:
        pass

    cdef void update(self, Tree tree, const Path* path, const Simulation* sim) noexcept nogil:
        cdef int i, role
        cdef int32_t edge
        if tree.sequences:
            count(tree, tree.front, sim.results[0], 1.0)
        for i in range(path.length):
            visit(tree, path.nodes[i])
            for role in range(sim.n_roles):
                edge = path.edges[i * sim.n_roles + role]
                if edge != NONE:
                    count(tree, edge, self.worth(role, i, sim), 1.0)

    cdef double worth(self, int role, int depth, const Simulation* sim) noexcept nogil:
        return sim.results[role]

    cdef void credit(self, Tree tree, int32_t edge, double result, double weight, double before,
                     const Simulation* sim) noexcept nogil:
        count(tree, edge, result, weight)


cdef class PythonBackup(Backup):
    """A backup strategy in plain Python: override `counts`. Slow, and right for trying ideas."""

    def counts(self, role, result, depth, length):
        """What the move counts that a role chose in the tree.

        Args:
            role: Who chose it.
            result: What the simulation ended with for that role.
            depth: Joint moves played before it.
            length: Joint moves of the whole simulation.
        """
        raise NotImplementedError

    cdef double worth(self, int role, int depth, const Simulation* sim) noexcept nogil:
        cdef double value = sim.results[role]
        with gil:
            try:
                value = self.counts(role, sim.results[role], depth, sim.length)
            except BaseException as error:
                self.fail(error)
        return value
