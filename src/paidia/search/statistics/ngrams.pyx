"""The N-gram table of NST: mean result of every sequence of consecutive moves (spec 2.1, ggp_details section 6).

For role r at step t the N-gram is r's move at t, then the move of the role before r (cyclic) at t-1, and so on: in a
turn-taking game the last moves of the game in order. A sequence that occurs twice in a simulation counts twice.
"""

from libc.math cimport nearbyint
from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free

from paidia.core.bits cimport mix
from paidia.core.game cimport NO_MOVE, move_t
from paidia.search.simulation cimport Simulation


cdef class NgramTable:
    """An open-addressing table that grows with what was really visited."""

    def __cinit__(self, int longest=3):
        if not 1 <= longest <= MAX_N:
            raise ValueError(f"N-grams have a length of 1 to {MAX_N}, not {longest}")
        self.longest = longest
        self.mask = (1 << 12) - 1
        self.slots = <Ngram*>calloc(self.mask + 1, sizeof(Ngram))
        if self.slots == NULL:
            raise MemoryError()

    def __dealloc__(self):
        free(self.slots)

    def __len__(self):
        return self.used

    cdef int keys(self, const Simulation* sim, int step, int role, move_t move, uint64_t* keys) noexcept nogil:
        cdef uint64_t key = mix(<uint64_t>role + 1, <uint64_t>move)
        cdef int n = 0, before = role
        cdef move_t context
        keys[0] = key | 1
        for n in range(1, self.longest):
            before = before - 1 if before > 0 else sim.n_roles - 1
            if step - n < 0:
                return n
            context = sim.moves[(step - n) * sim.n_roles + before]
            if context == NO_MOVE:
                return n
            key = mix(key, <uint64_t>context)
            keys[n] = key | 1       # never 0
        return self.longest

    cdef const Ngram* find(self, uint64_t key) noexcept nogil:
        cdef uint64_t at = (key >> 1) & self.mask
        while self.slots[at].key != 0:
            if self.slots[at].key == key:
                return &self.slots[at]
            at = (at + 1) & self.mask
        return NULL

    cdef void update(self, const Simulation* sim) noexcept nogil:
        cdef uint64_t keys[MAX_N]
        cdef int step, role, n, i
        cdef move_t move
        cdef uint64_t at
        for step in range(sim.length):
            for role in range(sim.n_roles):
                move = sim.moves[step * sim.n_roles + role]
                if move == NO_MOVE:
                    continue
                n = self.keys(sim, step, role, move, keys)
                for i in range(n):
                    if 2 * self.used > self.mask:
                        self.grow()
                    at = (keys[i] >> 1) & self.mask
                    while self.slots[at].key != 0 and self.slots[at].key != keys[i]:
                        at = (at + 1) & self.mask
                    if self.slots[at].key == 0:
                        if 4 * (self.used >> 2) >= 3 * (self.mask >> 2):    # it could not grow: out of memory
                            continue
                        self.slots[at].key = keys[i]
                        self.used += 1
                    self.slots[at].visits += 1.0
                    self.slots[at].sum += sim.goals[role]

    cdef void grow(self) noexcept nogil:
        cdef uint64_t old = self.mask, at, to
        cdef Ngram* slots = <Ngram*>calloc(2 * (old + 1), sizeof(Ngram))
        if slots == NULL:
            return
        self.mask = 2 * old + 1
        for at in range(old + 1):
            if self.slots[at].key != 0:
                to = (self.slots[at].key >> 1) & self.mask
                while slots[to].key != 0:
                    to = (to + 1) & self.mask
                slots[to] = self.slots[at]
        free(self.slots)
        self.slots = slots

    def clear(self):
        """Forget everything."""
        cdef uint64_t at
        for at in range(self.mask + 1):
            self.slots[at].key = 0
            self.slots[at].visits = self.slots[at].sum = 0.0
        self.used = 0

    def decay(self, double factor):
        """Multiply the visits by `factor`, rounded, and keep the means; what has no visits left is forgotten."""
        cdef uint64_t at, old = self.mask
        cdef Ngram* kept = self.slots
        cdef double visits
        cdef Ngram* fresh = <Ngram*>calloc(old + 1, sizeof(Ngram))
        if fresh == NULL:
            raise MemoryError()
        self.slots, self.used = fresh, 0
        for at in range(old + 1):
            if kept[at].key == 0:
                continue
            visits = nearbyint(factor * kept[at].visits)
            if visits > 0.0:
                self._insert(kept[at].key, visits, kept[at].sum / kept[at].visits * visits)
        free(kept)

    cdef void _insert(self, uint64_t key, double visits, double total) noexcept nogil:
        cdef uint64_t at = (key >> 1) & self.mask
        while self.slots[at].key != 0:
            at = (at + 1) & self.mask
        self.slots[at].key = key
        self.slots[at].visits = visits
        self.slots[at].sum = total
        self.used += 1
