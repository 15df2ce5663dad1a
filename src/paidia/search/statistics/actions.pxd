# Mean result of every move of every role, over all simulations in which it was played anywhere.

from paidia.core.model cimport move_t
from paidia.search.simulation cimport Simulation


cdef class ActionTable:
    cdef int n_roles, n_moves
    cdef double* visits         # of move m of role r: [r * n_moves + m]
    cdef double* sums
    cdef double* means          # sums / visits, or `unseen`: kept ready because it is read far more often than written
    cdef readonly double unseen

    cdef void update(self, const Simulation* sim) noexcept nogil
