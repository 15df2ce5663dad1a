# The generator of a game: the reference's 48-bit linear congruential one, for replaying its games to the bit,
# or the platform's own SplitMix64, which is quicker. Both are 8 bytes of the state.

cdef enum:
    MASK48_SHIFT = 48


cdef void seed_generator(Sim* g, uint64_t seed) noexcept nogil:
    cdef uint64_t mask = ((<uint64_t>1) << MASK48_SHIFT) - 1
    g.h.rng = seed if g.h.fast_rng else (seed ^ <uint64_t>0x5DEECE66D) & mask
    g.h.side_rng = seed ^ <uint64_t>0x9E3779B97F4A7C15


cdef inline uint32_t bits(Sim* g, int k) noexcept nogil:
    """The top k of the 48 bits after one step."""
    cdef uint64_t mask = ((<uint64_t>1) << MASK48_SHIFT) - 1
    g.h.rng = (g.h.rng * <uint64_t>0x5DEECE66D + 0xB) & mask
    return <uint32_t>(g.h.rng >> (48 - k))


cdef inline int draw_int(Sim* g, int n) noexcept nogil:
    """Uniform in 0 .. n-1."""
    cdef int32_t b, r
    if g.h.fast_rng:
        return <int>rng_below(<Rng*>&g.h.rng, n)
    if n & (n - 1) == 0:
        return <int>((<uint64_t>n * bits(g, 31)) >> 31)
    while True:
        b = <int32_t>bits(g, 31)
        r = b % n
        if <uint64_t>(b - r) + (n - 1) < <uint64_t>0x80000000:
            return r


cdef inline double draw_real(Sim* g) noexcept nogil:
    cdef uint64_t high
    if g.h.fast_rng:
        return rng_double(<Rng*>&g.h.rng)
    high = bits(g, 26)
    return <double>((high << 27) + bits(g, 27)) * (1.0 / 9007199254740992.0)


cdef inline double draw_float(Sim* g) noexcept nogil:
    if g.h.fast_rng:
        return <double>(rng_next(<Rng*>&g.h.rng) >> 40) * (1.0 / 16777216.0)
    return <double>bits(g, 24) * (1.0 / 16777216.0)


cdef inline int draw_aside(Sim* g, int n) noexcept nogil:
    """A choice that leaves the game's own generator alone."""
    return <int>rng_below(<Rng*>&g.h.side_rng, n)
