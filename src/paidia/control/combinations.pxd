# Combinations of parameter values as small arrays of numbers ("genes": gene i is the place of parameter i's
# value in its list), their numbering, and the legality rule.
#
# Two parameters joined by a switch (see space.py) both have their "off" gene at place 0, so a combination is
# legal if and only if the two genes are 0 together or above 0 together. All that follows is simple because of
# that: the feasible genes of a parameter are a range, and the legal pairs number themselves.

from libc.stdint cimport int64_t, uint32_t

from paidia.core.machine.rng cimport Rng, rng_below

cdef enum:
    MAX_PARAMETERS = 16

ctypedef struct Combos:
    int d                               # parameters
    int n_values                        # values of all parameters together, "unset" included
    int64_t count                       # legal combinations
    int size[MAX_PARAMETERS]            # values of each parameter
    int first[MAX_PARAMETERS]           # where its values start in a list of all values
    int partner[MAX_PARAMETERS]         # the other end of its switch; itself if it has none
    int low[MAX_PARAMETERS]             # its first gene that is a value: 1 where gene 0 is "unset", else 0
    # A combination's number in mixed radix: one digit for a parameter, or for a pair at its first member.
    uint32_t radix[MAX_PARAMETERS]      # 0 at the second member of a pair
    int64_t weight[MAX_PARAMETERS]
    const double* values


cdef inline int64_t combos_index(const Combos* c, const int* genes) noexcept nogil:
    """The number of a legal combination, in 0..count-1."""
    cdef int64_t index = 0
    cdef int i, j, digit
    for i in range(c.d):
        if c.radix[i]:
            digit = genes[i]
            j = c.partner[i]
            if j != i and digit:
                digit = 1 + (digit - 1) * (c.size[j] - 1) + genes[j] - 1
            index += digit * c.weight[i]
    return index


cdef inline void combos_put(const Combos* c, int i, uint32_t digit, int* genes) noexcept nogil:
    """Set parameter i, and its partner if it has one, from their digit."""
    cdef int j = c.partner[i]
    if j == i:
        genes[i] = digit
    elif digit == 0:
        genes[i] = genes[j] = 0
    else:
        digit -= 1
        genes[i] = 1 + digit // <uint32_t>(c.size[j] - 1)
        genes[j] = 1 + digit % <uint32_t>(c.size[j] - 1)


cdef inline void combos_genes(const Combos* c, int64_t index, int* genes) noexcept nogil:
    """The combination with a number: the inverse of `combos_index`."""
    cdef int64_t digit
    cdef int i
    for i in range(c.d):
        if c.radix[i]:
            digit = index // c.weight[i]
            index -= digit * c.weight[i]
            combos_put(c, i, <uint32_t>digit, genes)


cdef inline void combos_draw(const Combos* c, Rng* rng, int* genes) noexcept nogil:
    """A uniformly random legal combination: uniform digits are a uniform number, without its divisions."""
    cdef int i
    for i in range(c.d):
        if c.radix[i]:
            combos_put(c, i, rng_below(rng, c.radix[i]), genes)


cdef inline int combos_low(const Combos* c, int i, const int* genes) noexcept nogil:
    """The first feasible gene of parameter i, given those that are set; the others, i too, must be -1."""
    return genes[c.partner[i]] > 0


cdef inline int combos_high(const Combos* c, int i, const int* genes) noexcept nogil:
    """One past the last feasible gene of parameter i, given those that are set."""
    return 1 if genes[c.partner[i]] == 0 else c.size[i]


cdef inline void combos_set(const Combos* c, int i, int gene, Rng* rng, int* genes) noexcept nogil:
    """Set one gene of a legal combination; a partner that became illegal is drawn anew."""
    cdef int j = c.partner[i]
    genes[i] = gene
    if (gene == 0) != (genes[j] == 0):
        genes[j] = 0 if gene == 0 else 1 + <int>rng_below(rng, c.size[j] - 1)


cdef inline void combos_mutate(const Combos* c, Rng* rng, int* genes) noexcept nogil:
    """Set one uniformly drawn parameter to a uniformly drawn value, the present one not excluded."""
    cdef int i = rng_below(rng, c.d)
    combos_set(c, i, rng_below(rng, c.size[i]), rng, genes)


cdef inline void combos_cross(const Combos* c, const int* a, const int* b, Rng* rng, int* child) noexcept nogil:
    """Each gene of one parent or the other, by a fair coin, as far as the rule allows."""
    cdef int i, low, high
    cdef bint second
    for i in range(c.d):
        child[i] = -1
    for i in range(c.d):
        low = combos_low(c, i, child)
        high = combos_high(c, i, child)
        second = rng_below(rng, 2)
        child[i] = b[i] if second else a[i]
        if not low <= child[i] < high:
            child[i] = a[i] if second else b[i]
            if not low <= child[i] < high:
                child[i] = low + rng_below(rng, high - low)


cdef inline void shuffle(int* items, int n, Rng* rng) noexcept nogil:
    """Fisher and Yates, from the end."""
    cdef int i, j
    for i in range(n - 1, 0, -1):
        j = rng_below(rng, i + 1)
        items[i], items[j] = items[j], items[i]


cdef class Combinations:
    cdef readonly object space
    cdef Combos c
    cdef double[::1] _values

    cdef int _read(self, genes, int* out) except -1
