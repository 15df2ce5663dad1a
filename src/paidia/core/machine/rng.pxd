# The one random generator of all kernels: SplitMix64 (Steele, Lea, Flood 2014). Eight bytes of state, equal on
# every machine, and quick enough that a playout does not notice it.

from libc.stdint cimport uint32_t, uint64_t

ctypedef struct Rng:
    uint64_t state


cdef inline uint64_t rng_next(Rng* rng) noexcept nogil:
    """64 uniform bits."""
    cdef uint64_t z
    rng.state += <uint64_t>0x9E3779B97F4A7C15
    z = rng.state
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return z ^ (z >> 31)


cdef inline uint32_t rng_below(Rng* rng, uint32_t n) noexcept nogil:
    """Uniform in 0..n-1 by multiply-shift; the bias is below n / 2**32."""
    return <uint32_t>(((rng_next(rng) >> 32) * n) >> 32)


cdef inline double rng_double(Rng* rng) noexcept nogil:
    """Uniform in [0, 1)."""
    return <double>(rng_next(rng) >> 11) * (1.0 / 9007199254740992.0)
