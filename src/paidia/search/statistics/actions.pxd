# Mean result of every move of every role, over all simulations in which it was played anywhere.

from paidia.core.model cimport move_t
from paidia.search.frame.simulation cimport Simulation


cdef class ActionTable:
    cdef int n_roles, n_keys
    cdef double* visits         # of the move with key k of role r: [r * n_keys + k]
    cdef double* sums
    cdef double* means          # sums / visits, or `unseen`: kept ready because it is read far more often than written
    cdef readonly double unseen

    cdef void update(self, const Simulation* sim) noexcept nogil
    cdef int faded              # step of the game in which it faded last
    # Multiply visits and sums, unrounded, once in each step; a move with next to no visits left is forgotten.
    cdef void fade(self, double factor, int step) noexcept nogil


cdef inline const double* means_here(ActionTable table, int role, const Simulation* sim) noexcept nogil:
    """The means of a role's moves in the present place, by move."""
    return table.means + <Py_ssize_t>role * sim.n_keys + <Py_ssize_t>sim.place * sim.n_moves
