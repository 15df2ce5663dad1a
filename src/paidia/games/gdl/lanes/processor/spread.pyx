# distutils: extra_compile_args = -O3
"""Planes of lanes as rows of bytes, one for each lane, and what their games brought."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

#: By byte: its eight bits as eight bytes.
cdef uint64_t SPREAD[256]


cdef void fill_table() noexcept:
    cdef uint64_t bits
    cdef int byte, bit
    for byte in range(256):
        bits = 0
        for bit in range(8):
            bits |= <uint64_t>(byte >> bit & 1) << (8 * bit)
        SPREAD[byte] = bits


fill_table()


cdef inline uint64_t transposed(uint64_t x) noexcept nogil:
    """Bit 8 i + j becomes bit 8 j + i."""
    cdef uint64_t t
    t = (x ^ (x >> 7)) & 0x00AA00AA00AA00AAULL
    x = x ^ t ^ (t << 7)
    t = (x ^ (x >> 14)) & 0x0000CCCC0000CCCCULL
    x = x ^ t ^ (t << 14)
    t = (x ^ (x >> 28)) & 0x00000000F0F0F0F0ULL
    return x ^ t ^ (t << 28)


cdef inline void exchange(uint64_t* x, int j, uint64_t mask) noexcept nogil:
    """The upper right and the lower left quarter of every square of 2 j bits."""
    cdef uint64_t t
    cdef int base = 0, k
    while base < 64:
        for k in range(base, base + j):
            t = ((x[k] >> j) ^ x[k + j]) & mask
            x[k] ^= t << j
            x[k + j] ^= t
        base += 2 * j


cdef void transpose(uint64_t* x) noexcept nogil:
    """Bit j of word i becomes bit i of word j, for 64 words."""
    exchange(x, 32, 0x00000000FFFFFFFFULL)
    exchange(x, 16, 0x0000FFFF0000FFFFULL)
    exchange(x, 8, 0x00FF00FF00FF00FFULL)
    exchange(x, 4, 0x0F0F0F0F0F0F0F0FULL)
    exchange(x, 2, 0x3333333333333333ULL)
    exchange(x, 1, 0x5555555555555555ULL)


def spread(const uint64_t[:, :, ::1] planes, int first, int n, uint8_t[:, ::1] out, bint packed, int begin, int end):
    """Write n planes from `first` on as rows of `out` (lanes, n), one byte for each, or eight in a byte where `packed`.

    Args:
        planes: By block, plane and 64-lane word.
        begin, end: Blocks begin .. end - 1 are written; lanes behind the last row are left out.
    """
    cdef int words = planes.shape[2], block, word
    cdef int64_t lanes = out.shape[0], lane
    cdef size_t width = out.shape[1]
    with nogil:
        for block in range(begin, end):
            for word in range(words):
                lane = (<int64_t>block * words + word) * 64
                if lane >= lanes:
                    break
                if packed:
                    spread_bits(&planes[block, first, word], words, n, &out[lane, 0], width, <int>min(64, lanes - lane))
                else:
                    spread_bytes(&planes[block, first, word], words, n, &out[lane, 0], width, <int>min(64, lanes - lane))


cdef void spread_bits(const uint64_t* plane, int words, int n, uint8_t* out, size_t width, int lanes) noexcept nogil:
    """Up to 64 lanes of n planes, which lie `words` apart, as rows `width` apart, eight planes in a byte."""
    cdef uint64_t x[64]
    cdef int j, k, here
    for j in range(0, n, 64):
        here = min(64, n - j)
        for k in range(here):
            x[k] = plane[<size_t>(j + k) * words]
        for k in range(here, 64):
            x[k] = 0
        transpose(x)
        if here > 56:
            for k in range(lanes):
                memcpy(out + k * width + (j >> 3), &x[k], 8)
        else:
            for k in range(lanes):
                memcpy(out + k * width + (j >> 3), &x[k], (here + 7) >> 3)


cdef void spread_bytes(const uint64_t* plane, int words, int n, uint8_t* out, size_t width, int lanes) noexcept nogil:
    """The same with a byte for each plane."""
    cdef int byte, j, k, here
    cdef uint64_t x, row
    for byte in range((lanes + 7) >> 3):
        for j in range(0, n, 8):
            here = min(8, n - j)
            x = 0
            for k in range(here):
                x |= (plane[<size_t>(j + k) * words] >> (8 * byte) & 0xFF) << (8 * k)
            x = transposed(x)
            for k in range(min(8, lanes - 8 * byte)):
                row = SPREAD[x >> (8 * k) & 0xFF]
                memcpy(out + <size_t>(8 * byte + k) * width + j, &row, here)


def gather(const uint8_t[:, ::1] rows, const int32_t[::1] of, uint64_t[:, :, ::1] planes, int first, int n):
    """The reverse of packed `spread`: lane i gets the first n bits of row `of`[i], as planes from `first` on; other lanes get 0.

    Args:
        rows: Eight bits in a byte; at least n of them.
        of: Not more entries than there are lanes in `planes`.
        planes: By block, plane and 64-lane word.
    """
    cdef int words = planes.shape[2], blocks = planes.shape[0], block, word, j, k, here, n_bytes
    cdef int64_t n_lanes = of.shape[0], lane
    cdef uint64_t x[64]
    if n > 8 * rows.shape[1] or first + n > planes.shape[1] or n_lanes > <int64_t>blocks * words * 64:
        raise ValueError(f"{n} bits of {n_lanes} lanes do not fit")
    with nogil:
        for block in range(blocks):
            for word in range(words):
                lane = (<int64_t>block * words + word) * 64
                for j in range(0, n, 64):
                    here = min(64, n - j)
                    n_bytes = (here + 7) >> 3
                    memset(x, 0, sizeof(x))
                    if n_bytes == 8:
                        for k in range(<int>min(64, n_lanes - lane)):
                            memcpy(&x[k], &rows[of[lane + k], j >> 3], 8)
                    else:
                        for k in range(<int>min(64, n_lanes - lane)):
                            memcpy(&x[k], &rows[of[lane + k], j >> 3], n_bytes)
                    transpose(x)
                    for k in range(here):
                        planes[block, first + j + k, word] = x[k]


def rewards(
    const uint64_t[:, :, ::1] planes, int over, const int32_t[::1] role, const double[::1] value, float[:, ::1] out,
    int begin, int end,
):
    """The mean of the goals of each role that hold, where the game is over, else 0; plane `over` is followed by the goals."""
    cdef int words = planes.shape[2], n_goals = role.shape[0], n_roles = out.shape[1], block, word, k, goal, r, n
    cdef int64_t lanes = out.shape[0], lane
    cdef uint64_t ended
    cdef double total
    with nogil:
        for block in range(begin, end):
            for word in range(words):
                ended = planes[block, over, word]
                for k in range(64):
                    lane = (<int64_t>block * words + word) * 64 + k
                    if lane >= lanes:
                        break
                    for r in range(n_roles):
                        total, n = 0.0, 0
                        if ended >> k & 1:
                            for goal in range(n_goals):
                                if role[goal] == r and planes[block, over + 1 + goal, word] >> k & 1:
                                    total, n = total + value[goal], n + 1
                        out[lane, r] = <float>(total / n if n else 0.0)


def pick(const uint8_t[:, ::1] mask, int first, int n, const uint64_t[::1] random, int32_t[:, ::1] out, int column):
    """Of each row's entries first .. first + n - 1 that are not 0, one by the upper half of its random number."""
    cdef int64_t lane
    cdef int j
    cdef uint64_t count, rank
    cdef const uint8_t* row
    with nogil:
        for lane in range(mask.shape[0]):
            row = &mask[lane, first]
            count = 0
            for j in range(n):
                count += row[j]
            rank = (random[lane] >> 32) * count >> 32
            for j in range(n):
                if row[j]:
                    if rank == 0:
                        break
                    rank -= 1
            else:
                j = 0
            out[lane, column] = j
