# A bounded store of situations and a set of keys of situations. Both are made between ticks and never allocate
# while a search runs.

from libc.stdint cimport int32_t, uint32_t, uint64_t

from paidia.core.model cimport Rules, Situation


cdef class StatePool:
    cdef list owners            # keep the states alive
    cdef void** states          # by place; use as (<Situation>pool.states[place])
    cdef int32_t* vacant        # the places not in use
    cdef readonly int size
    cdef readonly int n_vacant
    cdef readonly int limit     # the pool never grows beyond
    cdef readonly bint short_of_room    # there was a wish that could not be granted

    # Give all places back.
    cdef void clear(self) noexcept nogil
    # A place that holds a copy of `state`, -1 if all are in use.
    cdef int store(self, Situation state) noexcept nogil
    cdef void give_back(self, int place) noexcept nogil


cdef class KeySet:
    cdef uint64_t* keys
    cdef uint32_t* rounds       # a key of another round is no member
    cdef uint32_t round_
    cdef uint64_t mask, n

    # Forget all keys.
    cdef void forget(self) noexcept nogil
    # Whether the key is new; then it is added. In a full set (three quarters) every unknown key is new and none is added.
    cdef bint add(self, uint64_t key) noexcept nogil
