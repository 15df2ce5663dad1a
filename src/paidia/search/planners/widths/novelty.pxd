# Whether a situation shows something that none of those memorised before showed. Two memories:
#
# `Novelty`: one large memory of a whole search, for single atoms, pairs with the avatar, or all pairs; forgotten in
# no time. `small_*`: many small sets of single atoms, each an open-addressing table that lies in memory of the
# caller (a node of a tree, say).

from libc.stdint cimport int32_t, uint32_t, uint64_t

from paidia.search.planners.widths.atoms cimport Atoms

cdef enum:              # the novelty of a situation
    NEW_ATOM = 1        # an atom was never true before
    NEW_AVATAR_PAIR = 2     # no new atom, but one together with the avatar's
    NEW_PAIR = 3        # no new atom, but a pair
    NOT_NOVEL = 4


cdef class Novelty:
    cdef readonly Atoms atoms
    cdef readonly int level         # NEW_ATOM, NEW_AVATAR_PAIR or NEW_PAIR: the largest tuples looked at
    cdef readonly bint full         # a pair found no place: what is measured from here on may call known what is new
    cdef uint32_t round_            # what was memorised in another round is forgotten
    cdef uint32_t* stamps           # by atom: the round in which it was memorised
    cdef uint64_t* pairs            # table of pairs, each with its round
    cdef uint64_t n_pairs, mask
    # Only for all pairs: an atom true in every memorised situation makes no pair of its own (it is new together with
    # another exactly if the other is new), so walls cost nothing.
    cdef uint32_t* marks            # by atom: the last situation that had it
    cdef uint32_t mark
    cdef int32_t* known             # the atoms memorised
    cdef int32_t n_known
    cdef uint32_t* lasting          # by atom: the round in which it is still true everywhere
    cdef int32_t* lasting_list
    cdef int32_t n_lasting
    cdef bint begun                 # something has been memorised

    # Forget everything.
    cdef void forget(self) noexcept nogil
    # These measure and memorise the situation that `atoms` read last. With single atoms alone all but the first
    # one memorised may be read without what never changes.
    cdef int measure(self) noexcept nogil
    cdef void memorize(self) noexcept nogil

    cdef uint64_t find_pair(self, uint64_t one, uint64_t other, uint64_t* entry) noexcept nogil
    cdef bint knows_pair(self, uint64_t one, uint64_t other) noexcept nogil
    cdef void add_pair(self, uint64_t one, uint64_t other) noexcept nogil
    cdef void stop_lasting(self, int32_t atom) noexcept nogil


cdef inline int small_slots(int n) noexcept nogil:
    """Slots (int32_t) of a table for at most n atoms: a power of two, at most half full."""
    cdef int slots = 4
    while slots < 2 * n:
        slots *= 2
    return slots


cdef inline void small_clear(int32_t* table, int slots) noexcept nogil:
    cdef int i
    for i in range(slots):
        table[i] = -1


cdef inline bint small_has(const int32_t* table, int slots, int32_t atom) noexcept nogil:
    cdef uint32_t i = (<uint32_t>atom * <uint32_t>2654435769) & <uint32_t>(slots - 1)
    while table[i] >= 0:
        if table[i] == atom:
            return True
        i = (i + 1) & <uint32_t>(slots - 1)
    return False


cdef inline void small_add(int32_t* table, int slots, int32_t atom) noexcept nogil:
    """Add an atom; adding more than `small_slots` was asked for is the caller's mistake."""
    cdef uint32_t i = (<uint32_t>atom * <uint32_t>2654435769) & <uint32_t>(slots - 1)
    while table[i] >= 0:
        if table[i] == atom:
            return
        i = (i + 1) & <uint32_t>(slots - 1)
    table[i] = atom


cdef inline bint small_novel(const int32_t* table, int slots, const int32_t* atoms, int n) noexcept nogil:
    """Whether one of the atoms is not in the table: novelty 1."""
    cdef int i
    for i in range(n):
        if not small_has(table, slots, atoms[i]):
            return True
    return False
