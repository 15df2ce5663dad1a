# What a joint move does to the fluents: found once for each joint move, then only looked up.

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libcpp.map cimport map

from paidia.core.machine.vectors cimport Vector
from paidia.core.model cimport MAX_ROLES, move_t
from paidia.games.gdl.net.machine cimport Machine
from paidia.games.gdl.net.netlist cimport Ternary

ctypedef struct Effects:
    # What happens to each fluent, as lists. Conditions are literals of the machine's nodes or, beyond those, of the
    # effects' own gates: the inputs of gate n_nodes + i are pool[start[i]] .. pool[start[i + 1] - 1].
    int32_t n_toggle        # fluents that change in any case
    int32_t n_set           # fluents that become true
    int32_t n_clear         # fluents that become false
    int32_t n_set_if        # pairs: a fluent that becomes true if a condition holds; its value is kept in the state
    int32_t n_clear_if
    int32_t n_set_when      # the same with conditions that have to be evaluated
    int32_t n_clear_when
    int32_t n_gates
    int32_t* toggle
    int32_t* set_true
    int32_t* set_false
    int32_t* set_if
    int32_t* clear_if
    int32_t* set_when
    int32_t* clear_when
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
    cdef Vector[void*] outgrown     # smaller tables that another thread may still be reading
    cdef readonly uint64_t n_made
    cdef readonly uint64_t bytes_made
    cdef uint64_t most_bytes
    cdef uint8_t seen[1 << 16]      # by hash of a joint move: how often it was played without effects made for it
    cdef int lock
    # Scratch of the one thread that holds the lock: the gates of the effects being made.
    cdef Vector[Vector[int32_t]] gates
    cdef Vector[int32_t] weight
    cdef map[Vector[int32_t], int32_t] gate_of
    cdef Vector[int32_t] resolved       # net node -> its condition, or -1
    cdef Vector[int32_t] resolved_nodes

    # The effects of a joint move, or NULL where they are not made (yet): it is rare, or there is no more room.
    cdef const Effects* find(self, const move_t* joint) noexcept nogil
    cdef uint64_t first_slot(self, const Slots* slots, const move_t* joint) noexcept nogil
    cdef const Effects* look_up(self, const move_t* joint) noexcept nogil
    cdef void enter(self, Effects* effects) noexcept nogil
    cdef void fix(self, const move_t* joint, bint known) noexcept nogil
    cdef Effects* make(self, const move_t* joint) noexcept nogil
    cdef int32_t resolve(self, int32_t literal) noexcept nogil
    cdef int32_t conjunction(self, Vector[int32_t]& literals) noexcept nogil
    cdef bint absorb(self, Vector[int32_t]& literals) noexcept nogil
    cdef int32_t given(self, int32_t literal, int32_t fact) noexcept nogil
    cdef void pack_gates(
        self, Vector[int32_t]& rising, Vector[int32_t]& falling, Vector[int32_t]& start, Vector[int32_t]& pool
    ) noexcept nogil
    cdef void forget(self) noexcept nogil
