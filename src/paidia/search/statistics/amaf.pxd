# AMAF tables of tree nodes: mean result of the simulations through a node in which a move was played from there on.

from libc.stdint cimport int32_t, int64_t

from paidia.core.machine.atomic cimport get, load
from paidia.core.model cimport move_t
from paidia.search.nodes.room cimport APART, LOCKS, Room
from paidia.search.frame.simulation cimport Simulation

ctypedef struct AmafEntry:
    int32_t key         # role * n_keys + key of the move + 1; 0 marks an empty slot
    float visits
    float sum

ctypedef struct AmafTable:
    AmafEntry* entries
    int32_t mask        # number of slots - 1
    int32_t used

cdef enum:
    NO_AMAF = -1

cdef inline AmafEntry* entries_of(const AmafTable* table, int32_t* mask) noexcept nogil:
    """Slots of a table and the mask of their numbers: a larger table is there before its mask is."""
    mask[0] = get(&table.mask)
    return <AmafEntry*>load(<void**>&table.entries)


cdef class AmafTables:
    # A node refers to its table by a handle: NO_AMAF, a table (0 or larger), or a remembered playout (-2 or smaller).
    cdef AmafTable* tables
    cdef int64_t n_tables, capacity
    cdef int32_t* memory        # first playouts of nodes that were visited once: [entries, a goal per role, entry keys ...]
    cdef int64_t memory_used, memory_capacity
    # Where a move counts once for a node, however often it is played: the number of (role, move) keys, else 0.
    cdef readonly int64_t keys
    cdef Room room
    # Several threads work here now: a table is changed by one at a time, who looks does not wait. The arrays of tables and of
    # remembered playouts stay where they are until all wait; what a table has outgrown is kept until then.
    cdef bint shared
    cdef int crowded
    cdef int64_t wished         # numbers of remembered playouts that should be left
    cdef int lock               # of room and lists
    cdef int locks[LOCKS * APART]       # of tables
    cdef void** outgrown
    cdef int64_t n_outgrown, outgrown_capacity
    cdef int64_t bytes_outgrown

    cdef void find_repeats(self, Simulation* sim) noexcept nogil
    cdef bint counts(self, const Simulation* sim, int at, int step) noexcept nogil
    cdef int64_t remember(self, const Simulation* sim, int step) noexcept nogil
    cdef int64_t unfold(self, int64_t handle, const Simulation* sim) noexcept nogil
    cdef void update(self, int64_t handle, const Simulation* sim, int step) noexcept nogil
    cdef const AmafEntry* find(self, int64_t handle, int role, const Simulation* sim, move_t move) noexcept nogil
    cdef void add(self, AmafTable* table, int32_t key, float goal) noexcept nogil
    cdef bint enlarge(self, AmafTable* table) noexcept nogil
    cdef AmafEntry* entries(self, int32_t slots) noexcept nogil
    cdef int64_t new_table(self) noexcept nogil
    cdef bint grow_tables(self) noexcept nogil
    cdef bint grow_memory(self, int64_t needed) noexcept nogil
    # Of threads, while all wait: more tables, more memory, and what was outgrown is freed; whether there is room.
    cdef bint make_room(self) noexcept nogil
    cdef void free_outgrown(self) noexcept nogil
    cdef void keep_outgrown(self, const AmafTable* table) noexcept nogil
    cdef void drop(self, AmafEntry* entries, int64_t slots) noexcept nogil
    cdef int64_t move_to(self, AmafTables other, int64_t handle, int n_roles) noexcept nogil
