# `Tuner` joins one `Allocation` per role to the search's controller contract, and keeps the record of what
# was used. A new strategy is a subclass of Allocation (what one role does) and a subclass of Tuner (settings
# and registration).

from libc.stdint cimport int64_t, uint32_t

from paidia.control.combinations cimport MAX_PARAMETERS, Combinations, Combos
from paidia.core.control cimport Controller
from paidia.core.machine.rng cimport Rng


cdef class Allocation:
    cdef Combinations combinations          # keeps `space` alive
    cdef const Combos* space
    cdef Rng rng
    cdef int genes[MAX_PARAMETERS]          # the combination in use; legal at any time after the first choice

    # Put the next combination into `genes`.
    cdef void choose(self) noexcept nogil
    # The reward of a simulation that used `genes`: in [0, 1], or any number with the setting reward = "raw".
    cdef void update(self, double reward) noexcept nogil
    # Write the values in use into a role's parameter vector.
    cdef void write(self, const int* columns, double* vector) noexcept nogil


cdef class Tuner(Controller):
    cdef readonly object settings
    cdef readonly Combinations combinations
    cdef readonly list allocations          # one per role
    cdef int batch                          # simulations that share one choice
    cdef int left                           # simulations left of the present batch
    cdef int n_roles
    cdef void** role                        # borrowed pointers to `allocations`, for code without the GIL
    cdef int columns[MAX_PARAMETERS]
    cdef uint32_t[:, ::1] value_counts      # [role, value]: simulations of this game
    cdef uint32_t[:, ::1] combination_counts    # [role, combination], where there are not too many
    cdef uint32_t* value_count              # plain pointers to the two
    cdef uint32_t* combination_count
    cdef int64_t n_combinations
    cdef int64_t simulations
    cdef list turns                         # (turn, simulations, value counts) at the start of each turn
    cdef list bests                         # at the end of each finished turn

    cdef void record(self, int role, const int* genes) noexcept nogil
