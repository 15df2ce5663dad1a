"""The N-gram table of NST: mean result of every sequence of consecutive moves (docs/readings.md#nst).

For role r at step t the N-gram is r's move at t, then the move of the role before r (cyclic) at t-1, and so on: in a
turn-taking game the last moves of the game in order. A sequence that occurs twice in a simulation counts twice.
"""

from libc.math cimport nearbyint
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from paidia.core.machine.atomic cimport add_long, replace_long
from paidia.core.machine.bits cimport mix
from paidia.core.machine.memory cimport calloc
from paidia.core.model cimport NO_MOVE, move_t
from paidia.search.nodes.room cimport crowd
from paidia.search.frame.simulation cimport Simulation

cdef double FORGOTTEN = 0.5         # visits of a sequence that fades: it could not become frequent by itself any more
cdef uint64_t SMALLEST = 1 << 12    # slots of a table


cdef inline uint64_t key_of(uint64_t context, move_t move) noexcept nogil:
    return (context + (<uint64_t>move + 1) * <uint64_t>0x9E3779B97F4A7C15) | 1     # never 0


cdef class NgramTable:
    """An open-addressing table that grows with what was really visited.

    Moves with the same context are neighbours in it, because a playout asks for all legal moves of one context at a time.

    Args:
        longest: Most moves in a sequence.
        shortest: Least.
        memory: Bytes that the table may have; sequences that come after are not counted.
    """

    def __cinit__(self, int longest=3, int shortest=1, *, int64_t memory=<int64_t>1 << 62):
        if not 1 <= longest <= MAX_N:
            raise ValueError(f"N-grams have a length of 1 to {MAX_N}, not {longest}")
        self.longest, self.shortest, self.memory = longest, shortest, memory
        self.mask = SMALLEST - 1
        self.slots = <Ngram*>calloc(self.mask + 1, sizeof(Ngram))
        if self.slots == NULL:
            raise MemoryError()

    def __dealloc__(self):
        free(self.slots)

    def __len__(self):
        return self.used

    cdef int contexts(self, const Simulation* sim, int step, int role, uint64_t* contexts) noexcept nogil:
        cdef uint64_t context = mix(<uint64_t>role + 1, 0)
        cdef int n, before = role
        cdef move_t move
        contexts[0] = context
        for n in range(1, self.longest):
            before = before - 1 if before > 0 else sim.n_roles - 1
            if step - n < 0:
                return n
            move = sim.keys[(step - n) * sim.n_roles + before]
            if move == NO_MOVE:
                return n
            context = mix(context, <uint64_t>move + 1)
            contexts[n] = context
        return self.longest

    cdef const Ngram* find(self, uint64_t context, move_t move) noexcept nogil:
        cdef uint64_t key = key_of(context, move)
        cdef uint64_t at = (context + <uint64_t>move) & self.mask
        while self.slots[at].key != 0:
            if self.slots[at].key == key:
                return &self.slots[at]
            at = (at + 1) & self.mask
        return NULL

    cdef Ngram* claim(self, uint64_t context, move_t move) noexcept nogil:
        """The slot of an N-gram, taken now if it was not there; NULL if memory is out."""
        cdef uint64_t key = key_of(context, move)
        cdef uint64_t at
        if self.shared:
            return self.claim_shared(context, move)
        if 2 * self.used > self.mask and not self.grow() and 8 * self.used > 7 * self.mask:
            return NULL
        at = (context + <uint64_t>move) & self.mask
        while self.slots[at].key != key:
            if self.slots[at].key == 0:
                self.slots[at].key = key
                self.slots[at].home = context + <uint64_t>move
                self.used += 1
                break
            at = (at + 1) & self.mask
        return &self.slots[at]

    cdef Ngram* claim_shared(self, uint64_t context, move_t move) noexcept nogil:
        cdef uint64_t key = key_of(context, move)
        cdef uint64_t at = (context + <uint64_t>move) & self.mask
        while self.slots[at].key != key:
            if self.slots[at].key == 0:
                if 2 * self.used > self.mask:
                    crowd(&self.crowded)
                if 8 * self.used > 7 * self.mask:
                    return NULL
                if replace_long(&self.slots[at].key, 0, key):
                    self.slots[at].home = context + <uint64_t>move
                    add_long(<int64_t*>&self.used, 1)
                    break
                continue            # another thread took it, perhaps for the same sequence
            at = (at + 1) & self.mask
        return &self.slots[at]

    cdef void update(self, const Simulation* sim) noexcept nogil:
        cdef uint64_t contexts[MAX_N]
        cdef Ngram* ngram
        cdef int step, role, n, i
        cdef move_t move
        for step in range(sim.length):
            for role in range(sim.n_roles):
                move = sim.keys[step * sim.n_roles + role]
                if move == NO_MOVE:
                    continue
                n = self.contexts(sim, step, role, contexts)
                for i in range(self.shortest - 1, n):
                    ngram = self.claim(contexts[i], move)
                    if ngram != NULL:
                        ngram.visits += 1.0
                        ngram.sum += sim.results[role]

    cdef bint grow(self) noexcept nogil:
        cdef Ngram* slots = NULL
        if 2 * (self.mask + 1) * sizeof(Ngram) <= <uint64_t>self.memory:
            slots = <Ngram*>calloc(2 * (self.mask + 1), sizeof(Ngram))
        if slots == NULL:
            self.short_of = True
            return False
        self._move_to(slots, 2 * self.mask + 1)
        return True

    cdef void _move_to(self, Ngram* slots, uint64_t mask) noexcept nogil:
        """Enter everything that has visits into other slots, and use those from now on."""
        cdef uint64_t from_slot, at
        self.used = 0
        for from_slot in range(self.mask + 1):
            if self.slots[from_slot].key != 0 and self.slots[from_slot].visits > 0.0:
                at = self.slots[from_slot].home & mask
                while slots[at].key != 0:
                    at = (at + 1) & mask
                slots[at] = self.slots[from_slot]
                self.used += 1
        free(self.slots)
        self.slots, self.mask = slots, mask

    cdef void fade(self, double factor) noexcept nogil:
        cdef uint64_t at, left = 0, slots = SMALLEST
        cdef Ngram* fresh
        for at in range(self.mask + 1):
            if self.slots[at].key != 0:
                self.slots[at].visits *= factor
                self.slots[at].sum *= factor
                if self.slots[at].visits < FORGOTTEN:
                    self.slots[at].visits = 0.0
                else:
                    left += 1
        while slots < 4 * left:
            slots *= 2
        fresh = <Ngram*>calloc(slots, sizeof(Ngram))
        if fresh != NULL:
            self._move_to(fresh, slots - 1)

    def clear(self):
        """Forget everything."""
        memset(self.slots, 0, (self.mask + 1) * sizeof(Ngram))
        self.used = 0

    def decay(self, double factor):
        """Multiply the visits by `factor`, rounded, and keep the means; what has no visits left is forgotten."""
        cdef uint64_t at
        cdef double visits
        cdef Ngram* fresh = <Ngram*>calloc(self.mask + 1, sizeof(Ngram))
        if fresh == NULL:
            raise MemoryError()
        for at in range(self.mask + 1):
            if self.slots[at].key != 0:
                visits = nearbyint(factor * self.slots[at].visits)
                self.slots[at].sum = self.slots[at].sum / self.slots[at].visits * visits
                self.slots[at].visits = visits
        self._move_to(fresh, self.mask)
