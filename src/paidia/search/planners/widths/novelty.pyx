"""The novelty of a situation: the size of the smallest tuple of its atoms that was never true before.

Lipovetzky and Geffner 2012; Soemers 2016, section 3.3 and algorithm 3.2. Sizes: single atoms (IW(1)), also pairs of
which one is the avatar's atom (IW(3/2)), all pairs (IW(2)). Larger tuples are not looked at: what has no new tuple up
to the size in use is "not novel".
"""

from libc.stdint cimport int32_t, uint32_t, uint64_t
from paidia.core.machine.memory cimport calloc
from libc.stdlib cimport free
from libc.string cimport memset

cdef enum:
    PAIR_BITS = 52
    ROUNDS = 4096           # of the table of pairs: 12 bits of each entry


cdef inline uint64_t place(uint64_t pair) noexcept nogil:
    pair = (pair ^ (pair >> 29)) * <uint64_t>0xBF58476D1CE4E5B9
    return pair ^ (pair >> 32)


cdef class Novelty:
    """A memory of tuples of atoms (see novelty.pxd). `slots` (a power of two) bounds the table of pairs, 8 bytes each."""

    def __cinit__(self, Atoms atoms not None, *, int level=NEW_ATOM, uint64_t slots=1 << 21):
        self.atoms = atoms
        self.level = level
        self.stamps = <uint32_t*>calloc(atoms.n_codes, sizeof(uint32_t))
        failed = self.stamps == NULL
        if level > NEW_ATOM:
            self.mask = slots - 1
            self.pairs = <uint64_t*>calloc(slots, sizeof(uint64_t))
            failed = failed or self.pairs == NULL
        if level == NEW_PAIR:
            self.marks = <uint32_t*>calloc(atoms.n_codes, sizeof(uint32_t))
            self.lasting = <uint32_t*>calloc(atoms.n_codes, sizeof(uint32_t))
            self.known = <int32_t*>calloc(atoms.n_codes, sizeof(int32_t))
            self.lasting_list = <int32_t*>calloc(atoms.n_codes, sizeof(int32_t))
            failed = failed or self.marks == NULL or self.lasting == NULL or self.known == NULL
            failed = failed or self.lasting_list == NULL
        if failed:
            raise MemoryError
        self.forget()

    def __dealloc__(self):
        free(self.stamps)
        free(self.pairs)
        free(self.marks)
        free(self.lasting)
        free(self.known)
        free(self.lasting_list)

    def test(self, state, *, bint memorize=True, bint changing=False):
        """The novelty of a state; then it is memorised if it is novel."""
        self.atoms.read(state, changing)
        cdef int found = self.measure()
        if memorize and found != NOT_NOVEL:
            self.memorize()
        return found

    def clear(self):
        """Forget everything."""
        self.forget()

    cdef void forget(self) noexcept nogil:
        self.round_ += 1
        if self.round_ == ROUNDS:
            self.round_ = 1
            memset(self.stamps, 0, self.atoms.n_codes * sizeof(uint32_t))
            if self.level > NEW_ATOM:
                memset(self.pairs, 0, (self.mask + 1) * sizeof(uint64_t))
            if self.level == NEW_PAIR:
                memset(self.lasting, 0, self.atoms.n_codes * sizeof(uint32_t))
        self.n_pairs = 0
        self.full = False
        self.n_known = self.n_lasting = 0
        self.begun = False

    cdef int measure(self) noexcept nogil:
        cdef const int32_t* atoms = self.atoms.atoms
        cdef int i, k, n = self.atoms.n
        for i in range(n):
            if self.stamps[atoms[i]] != self.round_:
                return NEW_ATOM
        if self.level == NEW_AVATAR_PAIR and self.atoms.has_avatar:
            for i in range(1, n):
                if not self.knows_pair(atoms[0], atoms[i]):
                    return NEW_AVATAR_PAIR
        elif self.level == NEW_PAIR:
            for i in range(n):
                if self.lasting[atoms[i]] == self.round_:
                    continue
                for k in range(i):
                    if (atoms[k] != atoms[i] and self.lasting[atoms[k]] != self.round_
                            and not self.knows_pair(atoms[k], atoms[i])):
                        return NEW_PAIR
        return NOT_NOVEL

    cdef void memorize(self) noexcept nogil:
        cdef const int32_t* atoms = self.atoms.atoms
        cdef int i, k, n = self.atoms.n
        cdef bint first = not self.begun
        self.begun = True
        if self.level == NEW_PAIR and not first:
            self.mark += 1
            if self.mark == 0:      # after 2**32 situations the old marks would come true again
                memset(self.marks, 0, self.atoms.n_codes * sizeof(uint32_t))
                self.mark = 1
            for i in range(n):
                self.marks[atoms[i]] = self.mark
            i = 0
            while i < self.n_lasting:
                if self.marks[self.lasting_list[i]] == self.mark:
                    i += 1
                    continue
                self.stop_lasting(self.lasting_list[i])
                self.n_lasting -= 1
                self.lasting_list[i] = self.lasting_list[self.n_lasting]
        for i in range(n):
            if self.stamps[atoms[i]] == self.round_:
                continue
            self.stamps[atoms[i]] = self.round_
            if self.level == NEW_PAIR:
                self.known[self.n_known] = atoms[i]
                self.n_known += 1
                if first:
                    self.lasting[atoms[i]] = self.round_
                    self.lasting_list[self.n_lasting] = atoms[i]
                    self.n_lasting += 1
        if self.level == NEW_AVATAR_PAIR and self.atoms.has_avatar:
            for i in range(1, n):
                self.add_pair(atoms[0], atoms[i])
        elif self.level == NEW_PAIR and not first:
            for i in range(n):
                if self.lasting[atoms[i]] == self.round_:
                    continue
                for k in range(i):
                    if atoms[k] != atoms[i] and self.lasting[atoms[k]] != self.round_:
                        self.add_pair(atoms[k], atoms[i])

    cdef void stop_lasting(self, int32_t atom) noexcept nogil:
        """A situation lacks an atom that all before had: it was true together with every atom known."""
        cdef int32_t i
        self.lasting[atom] = 0
        for i in range(self.n_known):
            self.add_pair(atom, self.known[i])

    cdef uint64_t find_pair(self, uint64_t one, uint64_t other, uint64_t* entry) noexcept nogil:
        """The place of a pair in the table, or the free one where it would go; and what stands there once it is known."""
        cdef uint64_t pair = (one << 26) | other if one < other else (other << 26) | one
        cdef uint64_t i = place(pair) & self.mask
        entry[0] = pair | (<uint64_t>self.round_ << PAIR_BITS)
        while self.pairs[i] >> PAIR_BITS == self.round_ and self.pairs[i] != entry[0]:
            i = (i + 1) & self.mask
        return i

    cdef bint knows_pair(self, uint64_t one, uint64_t other) noexcept nogil:
        cdef uint64_t entry
        cdef uint64_t i = self.find_pair(one, other, &entry)
        return self.pairs[i] == entry or self.full      # a search that may grow no further finds nothing new

    cdef void add_pair(self, uint64_t one, uint64_t other) noexcept nogil:
        cdef uint64_t entry
        cdef uint64_t i = self.find_pair(one, other, &entry)
        if self.pairs[i] == entry:
            return
        if self.n_pairs > self.mask - (self.mask >> 2):
            self.full = True
            return
        self.pairs[i] = entry
        self.n_pairs += 1


def small_test(memory, atoms):
    """Whether one of `atoms` is not in the small set `memory` (both lists of numbers), through the kernel's table."""
    cdef int slots = small_slots(len(memory)), i
    cdef int32_t* table = <int32_t*>calloc(slots + len(atoms) + 1, sizeof(int32_t))
    cdef int32_t* asked
    if table == NULL:
        raise MemoryError
    try:
        small_clear(table, slots)
        for atom in memory:
            small_add(table, slots, atom)
        asked = table + slots
        for i, atom in enumerate(atoms):
            asked[i] = atom
        return small_novel(table, slots, asked, len(atoms))
    finally:
        free(table)
