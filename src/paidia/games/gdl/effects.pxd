# What a joint move does to the fluents: found once for each joint move, then only looked up.

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libcpp.vector cimport vector

from paidia.core.game cimport MAX_ROLES, move_t
from paidia.games.gdl.machine cimport Machine
from paidia.games.gdl.netlist cimport Ternary

ctypedef struct Effects:
    # `data` holds lists, one after the other. A literal of a condition is a literal of the machine, or, for the
    # condition's own gates, -1 - (2 * gate + denied).
    int32_t n_toggle        # fluents that change in any case
    int32_t n_set           # fluents that become true
    int32_t n_clear         # fluents that become false
    int32_t n_eval          # pairs: a fluent and the condition whose value it gets
    int32_t n_local         # gates of the conditions: inputs are pool[start[i]] .. pool[start[i + 1] - 1]
    int32_t* toggle
    int32_t* set_true
    int32_t* set_false
    int32_t* eval
    int32_t* start
    int32_t* pool
    move_t* joint

ctypedef struct Slots:
    uint64_t mask
    Effects* slot[1]


cdef class EffectTable:
    cdef Machine machine
    cdef Ternary values             # what a joint move fixes; between uses, nothing is known and nobody moves
    cdef int n_roles
    cdef bint direct                # few enough joint moves that each has its own slot
    cdef uint64_t stride[MAX_ROLES]
    cdef Slots* slots
    cdef vector[void*] outgrown     # smaller tables that another thread may still be reading
    cdef readonly uint64_t n_made
    cdef readonly uint64_t bytes_made
    cdef uint64_t most_bytes
    cdef int32_t largest_local
    cdef int lock
    # Scratch of the one thread that holds the lock.
    cdef vector[int32_t] local_of   # net node -> its gate in the effects being made, or -1
    cdef vector[int32_t] local_nodes
    cdef vector[int32_t] local_start
    cdef vector[int32_t] local_pool

    # The effects of a joint move. Those that are not kept, for lack of room, are put into `spare`, which the caller frees.
    cdef const Effects* find(self, const move_t* joint, Effects** spare) noexcept nogil
    cdef uint64_t first_slot(self, const Slots* slots, const move_t* joint) noexcept nogil
    cdef const Effects* look_up(self, const move_t* joint) noexcept nogil
    cdef void enter(self, Effects* effects) noexcept nogil
    cdef void fix(self, const move_t* joint, bint known) noexcept nogil
    cdef Effects* make(self, const move_t* joint) noexcept nogil
    cdef int32_t resolve(self, int32_t literal) noexcept nogil
    cdef int32_t local_gate(self, int32_t node) noexcept nogil
