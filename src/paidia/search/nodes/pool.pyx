"""Situations that a search keeps, and keys of those it has met (see pool.pxd)."""

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from paidia.core.machine.memory cimport calloc, malloc
from paidia.core.model cimport Rules, Situation

cdef enum:
    GROWTH = 512        # states; one or two milliseconds of a tick


cdef class StatePool:
    """At most `limit` states of one game; it starts with `start` and grows between ticks when room was short."""

    def __cinit__(self, Rules game not None, *, int limit, int start=4096):
        self.limit = limit
        self.owners = []
        self.states = <void**>calloc(limit, sizeof(void*))
        self.vacant = <int32_t*>malloc(limit * sizeof(int32_t))
        if self.states == NULL or self.vacant == NULL:
            raise MemoryError
        self._add(game, min(start, limit))

    def __dealloc__(self):
        free(self.states)
        free(self.vacant)

    def _add(self, Rules game, int n):
        cdef int i
        for i in range(self.size, self.size + n):
            state = game.initial_state()
            self.owners.append(state)
            self.states[i] = <void*>state
            self.vacant[self.n_vacant] = i
            self.n_vacant += 1
        self.size += n
        self.short_of_room = False

    def grow(self, Rules game not None):
        """Between ticks: a little more room if there was too little; what is stored stays."""
        if self.short_of_room and self.size < self.limit:
            self._add(game, min(GROWTH, self.limit - self.size))

    cdef void clear(self) noexcept nogil:
        cdef int i
        self.n_vacant = self.size
        self.short_of_room = False
        for i in range(self.size):
            self.vacant[i] = self.size - 1 - i

    cdef int store(self, Situation state) noexcept nogil:
        cdef int place
        if self.n_vacant == 0:
            self.short_of_room = True
            return -1
        self.n_vacant -= 1
        place = self.vacant[self.n_vacant]
        (<Situation>self.states[place]).c_copy(state)
        return place

    cdef void give_back(self, int place) noexcept nogil:
        self.vacant[self.n_vacant] = place
        self.n_vacant += 1


cdef class KeySet:
    """A set of 64-bit keys in a table of `slots` (a power of two) places."""

    def __cinit__(self, *, uint64_t slots=1 << 18):
        self.mask = slots - 1
        self.keys = <uint64_t*>calloc(slots, sizeof(uint64_t))
        self.rounds = <uint32_t*>calloc(slots, sizeof(uint32_t))
        if self.keys == NULL or self.rounds == NULL:
            raise MemoryError
        self.round_ = 1

    def __dealloc__(self):
        free(self.keys)
        free(self.rounds)

    def insert(self, uint64_t key):
        """Whether the key is new; then it is added."""
        return self.add(key)

    def clear(self):
        """Forget all keys."""
        self.forget()

    cdef void forget(self) noexcept nogil:
        self.n = 0
        self.round_ += 1
        if self.round_ == 0:
            memset(self.rounds, 0, (self.mask + 1) * sizeof(uint32_t))
            self.round_ = 1

    cdef bint add(self, uint64_t key) noexcept nogil:
        cdef uint64_t i = key & self.mask       # keys are well mixed already
        while self.rounds[i] == self.round_:
            if self.keys[i] == key:
                return False
            i = (i + 1) & self.mask
        if self.n <= self.mask - (self.mask >> 2):
            self.keys[i], self.rounds[i] = key, self.round_
            self.n += 1
        return True
