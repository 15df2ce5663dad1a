"""Planes of lanes as rows of bytes, one for each lane, and what their games brought."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy

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


def spread(const uint64_t[:, :, ::1] planes, int first, int n, uint8_t[:, ::1] out, bint packed, int begin, int end):
    """Write n planes from `first` on as rows of `out` (lanes, n), one byte for each, or eight in a byte where `packed`.

    Args:
        planes: By block, plane and 64-lane word.
        begin, end: Blocks begin .. end - 1 are written; lanes behind the last row are left out.
    """
    cdef int words = planes.shape[2], block, word, byte, j, k, here
    cdef int64_t lanes = out.shape[0], lane
    cdef uint64_t x, row
    cdef size_t width = out.shape[1]
    cdef uint8_t* to
    with nogil:
        for block in range(begin, end):
            for word in range(words):
                for byte in range(8):
                    lane = (<int64_t>block * words + word) * 64 + 8 * byte
                    if lane >= lanes:
                        break
                    for j in range(0, n, 8):
                        here = min(8, n - j)
                        x = 0
                        for k in range(here):
                            x |= (planes[block, first + j + k, word] >> (8 * byte) & 0xFF) << (8 * k)
                        x = transposed(x)
                        for k in range(<int>min(8, lanes - lane)):
                            to = &out[0, 0] + <size_t>(lane + k) * width
                            if packed:
                                to[j >> 3] = <uint8_t>(x >> (8 * k))
                            else:
                                row = SPREAD[x >> (8 * k) & 0xFF]
                                memcpy(to + j, &row, here)


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
