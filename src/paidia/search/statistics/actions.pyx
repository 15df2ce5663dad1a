"""The action table of MAST and Progressive History: mean result of every move, wherever it was played.

Updated after each simulation with every move of it, tree and playout, each role with its own result. A move that was never
played has the highest value there is. In games with places (video games) a move counts where it was played. Of several threads
that count the same move at the same moment one may be lost: means over thousands of simulations do not show it.
"""

from libc.math cimport nearbyint
from libc.stdlib cimport free

import numpy as np

from paidia.core.machine.memory cimport calloc
from paidia.core.model cimport NO_MOVE, move_t
from paidia.search.frame.simulation cimport Simulation

cdef double VANISHED = 1e-9         # visits that say nothing any more


cdef class ActionTable:
    """Visits, sums and means per role and move."""

    def __cinit__(self, int n_roles, int n_keys, double unseen=1.0):
        cdef size_t size = <size_t>n_roles * n_keys
        self.n_roles, self.n_keys, self.unseen = n_roles, n_keys, unseen
        self.visits = <double*>calloc(size, sizeof(double))
        self.sums = <double*>calloc(size, sizeof(double))
        self.means = <double*>calloc(size, sizeof(double))
        if self.visits == NULL or self.sums == NULL or self.means == NULL:
            raise MemoryError()
        self.clear()

    def __dealloc__(self):
        free(self.visits)
        free(self.sums)
        free(self.means)

    cdef void update(self, const Simulation* sim) noexcept nogil:
        cdef int step, role
        cdef move_t move
        cdef Py_ssize_t at
        for step in range(sim.length):
            for role in range(self.n_roles):
                move = sim.keys[step * self.n_roles + role]
                if move != NO_MOVE:
                    at = <Py_ssize_t>role * self.n_keys + move
                    self.visits[at] += 1.0
                    self.sums[at] += sim.results[role]
                    self.means[at] = self.sums[at] / self.visits[at]

    def clear(self):
        """Forget everything."""
        self.faded = -1
        cdef Py_ssize_t at
        for at in range(<Py_ssize_t>self.n_roles * self.n_keys):
            self.visits[at] = self.sums[at] = 0.0
            self.means[at] = self.unseen

    def decay(self, double factor):
        """Multiply the visits by `factor`, rounded, and keep the means; a move without visits left is forgotten."""
        cdef Py_ssize_t at
        for at in range(<Py_ssize_t>self.n_roles * self.n_keys):
            self.visits[at] = nearbyint(factor * self.visits[at])
            if self.visits[at] == 0.0:
                self.means[at] = self.unseen
            self.sums[at] = self.means[at] * self.visits[at] if self.visits[at] > 0.0 else 0.0

    cdef void fade(self, double factor, int step) noexcept nogil:
        cdef Py_ssize_t at
        if step == self.faded:
            return
        self.faded = step
        for at in range(<Py_ssize_t>self.n_roles * self.n_keys):
            if self.visits[at] == 0.0:
                continue
            self.visits[at] *= factor
            self.sums[at] *= factor
            if self.visits[at] < VANISHED:
                self.visits[at] = self.sums[at] = 0.0
                self.means[at] = self.unseen
            else:
                self.means[at] = self.sums[at] / self.visits[at]

    def table(self):
        """Copies of visits and means, each an array [role, move]."""
        shape = (self.n_roles, self.n_keys)
        cdef Py_ssize_t size = <Py_ssize_t>self.n_roles * self.n_keys
        cdef double[::1] visits = <double[:size]>self.visits
        cdef double[::1] means = <double[:size]>self.means
        return np.array(visits).reshape(shape), np.array(means).reshape(shape)
