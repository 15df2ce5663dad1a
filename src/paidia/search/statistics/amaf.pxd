# AMAF tables of tree nodes: mean result of the simulations through a node in which a move was played from there on.

from libc.stdint cimport int32_t, int64_t, uint32_t

from paidia.core.model cimport move_t
from paidia.search.room cimport Room
from paidia.search.simulation cimport Simulation

ctypedef struct AmafEntry:
    int32_t key         # role * n_keys + key of the move + 1; 0 marks an empty slot
    float visits
    float sum

ctypedef struct AmafTable:
    AmafEntry* entries
    int32_t mask        # number of slots - 1
    int32_t used

ctypedef struct LastUse:
    uint32_t simulation
    int32_t step

cdef enum:
    NO_AMAF = -1


cdef class AmafTables:
    # A node refers to its table by a handle: NO_AMAF, a table (0 or larger), or a remembered playout (-2 or smaller).
    cdef AmafTable* tables
    cdef int64_t n_tables, capacity
    cdef int32_t* memory        # first playouts of nodes that were visited once: [entries, a goal per role, entry keys ...]
    cdef int64_t memory_used, memory_capacity
    # Where a move counts once for a node, however often it is played: the number of (role, move) keys, else 0.
    cdef readonly int64_t keys
    cdef LastUse* last_use      # of each key
    cdef int32_t* previous      # for each move of the simulation: the step before in which its role played the same, or -1
    cdef int64_t previous_capacity
    cdef Room room
    cdef uint32_t simulation    # number of the simulation, so that `last_use` need not be wiped

    cdef void find_repeats(self, const Simulation* sim) noexcept nogil
    cdef bint counts(self, const Simulation* sim, int at, int step) noexcept nogil
    cdef int64_t remember(self, const Simulation* sim, int step) noexcept nogil
    cdef int64_t unfold(self, int64_t handle, const Simulation* sim) noexcept nogil
    cdef void update(self, int64_t handle, const Simulation* sim, int step) noexcept nogil
    cdef const AmafEntry* find(self, int64_t handle, int role, const Simulation* sim, move_t move) noexcept nogil
    cdef void add(self, AmafTable* table, int32_t key, float goal) noexcept nogil
    cdef bint enlarge(self, AmafTable* table) noexcept nogil
    cdef AmafEntry* entries(self, int32_t slots) noexcept nogil
    cdef int64_t new_table(self) noexcept nogil
    cdef int64_t move_to(self, AmafTables other, int64_t handle, int n_roles) noexcept nogil
