# Sets of board cells as bits: one 64-bit word for boards up to 8x8, more words for larger ones (19x19 takes six).
# The loops over words run once on a small board and cost next to nothing there.

from libc.stdint cimport uint64_t

cdef enum:
    MAX_WORDS = 6

ctypedef struct Bits:
    uint64_t w[6]

cdef extern from "paidia/core/machine/bits.h" nogil:
    int popcount "paidia_popcount"(uint64_t word)
    int lowest "paidia_lowest"(uint64_t word)      # index of the lowest set bit; the word must not be 0
    void prefetch "paidia_prefetch"(const void* address)     # it will be read soon
    int nth "paidia_nth"(uint64_t word, int n)     # index of the n-th set bit, from 0


cdef inline bint test(const Bits* bits, int cell) noexcept nogil:
    return (bits.w[cell >> 6] >> (cell & 63)) & 1


cdef inline void flip(Bits* bits, int cell) noexcept nogil:
    bits.w[cell >> 6] ^= (<uint64_t>1) << (cell & 63)


cdef inline uint64_t down(const Bits* bits, int i, int k, int n_words) noexcept nogil:
    """Word i of the set moved k cells down (0 < k < 64): cell c of the result is cell c + k of the set."""
    if i + 1 < n_words:
        return (bits.w[i] >> k) | (bits.w[i + 1] << (64 - k))
    return bits.w[i] >> k


cdef inline uint64_t up(const Bits* bits, int i, int k) noexcept nogil:
    """Word i of the set moved k cells up (0 < k < 64): cell c of the result is cell c - k of the set."""
    if i > 0:
        return (bits.w[i] << k) | (bits.w[i - 1] >> (64 - k))
    return bits.w[i] << k


cdef inline uint64_t mix(uint64_t key, uint64_t word) noexcept nogil:
    """Fold one more word into a 64-bit key.

    A key that starts as a small number must be mixed before the first board: mix(1, x) is mix(0, x ^ 1).
    """
    key = (key ^ word) * <uint64_t>0x9E3779B97F4A7C15
    key = (key ^ (key >> 32)) * <uint64_t>0xD6E8FEB86659FD93
    return key ^ (key >> 29)
