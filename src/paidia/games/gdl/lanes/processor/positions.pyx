"""Positions as packed rows: their keys, their moves, and all distinct ones of a level with the number of paths to each."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy

from paidia.core.machine.bits cimport lowest, mix, popcount
from paidia.games.key_table cimport KeyTable

cdef enum:
    AHEAD = 16      # keys that are looked for soon


def keys_of(const uint64_t[:, ::1] rows, uint64_t[::1] out):
    """A 64-bit key for each row."""
    cdef int64_t i
    cdef int k
    cdef uint64_t key
    with nogil:
        for i in range(rows.shape[0]):
            key = 0
            for k in range(rows.shape[1]):
                key = mix(key, rows[i, k])
            out[i] = key


def list_bits(const uint64_t[:, ::1] rows):
    """The numbers of the bits that are set, row after row, and how many each row has."""
    cdef int64_t i, total = 0, at = 0
    cdef int k, n
    cdef uint64_t word
    cdef int64_t[::1] counts
    cdef int32_t[::1] found
    all_counts = np.empty(rows.shape[0], np.int64)
    counts = all_counts
    for i in range(rows.shape[0]):
        n = 0
        for k in range(rows.shape[1]):
            n += popcount(rows[i, k])
        counts[i] = n
        total += n
    all_found = np.empty(total, np.int32)
    found = all_found
    for i in range(rows.shape[0]):
        for k in range(rows.shape[1]):
            word = rows[i, k]
            while word:
                found[at] = 64 * k + lowest(word)
                at += 1
                word &= word - 1
    return all_found, all_counts


cdef class Positions:
    """The distinct positions of a level.

    Attributes:
        n: Those that go on.
        n_ended: Those in which the game is over; only counted.
        rows: (n, words) of those that go on, where they are kept.
        paths: (n,) how many paths lead to each.
    """

    cdef KeyTable going, ended
    cdef bint kept
    cdef size_t width, room, allowed
    cdef object _rows, _paths

    def __init__(self, int words, *, bint kept, size_t allowed):
        """
        Args:
            words: Of a row.
            kept: Whether rows and paths are kept; else positions are only counted.
            allowed: Bytes that all of it may take; more is a `MemoryError`.
        """
        self.going, self.ended = KeyTable(), KeyTable()
        self.width, self.kept, self.allowed = words, kept, allowed
        self._rows, self._paths = np.empty((0, words), np.uint64), np.empty(0, np.uint64)

    @property
    def n(self):
        return self.going.n

    @property
    def n_ended(self):
        return self.ended.n

    @property
    def rows(self):
        return self._rows[:self.going.n]

    @property
    def paths(self):
        return self._paths[:self.going.n]

    @property
    def size(self):
        """Bytes that it takes."""
        return self.going.size() + self.ended.size() + self.room * (self.width + 1) * sizeof(uint64_t)

    cdef int reserve(self, size_t more) except -1:
        """Room for some more rows."""
        cdef size_t wanted = self.going.n + more
        if wanted <= self.room:
            return 0
        wanted = max(wanted, self.room + self.room // 2)
        if self.size + (wanted - self.room) * (self.width + 1) * sizeof(uint64_t) > self.allowed:
            raise MemoryError
        rows, paths = np.empty((wanted, self.width), np.uint64), np.empty(wanted, np.uint64)
        rows[:self.going.n], paths[:self.going.n] = self.rows, self.paths
        self._rows, self._paths = rows, paths
        self.room = wanted
        return 0

    cdef bint grow(self, KeyTable table) noexcept nogil:
        return self.going.size() + self.ended.size() + table.size() <= self.allowed and table.grow()

    def add(
        self, const uint64_t[:, ::1] rows, const uint64_t[::1] keys, const uint8_t[::1] over, const uint64_t[::1] paths,
        const int32_t[::1] of,
    ):
        """Enter positions.

        Args:
            rows, keys, over: Of each position.
            paths, of: Position i is reached by `paths`[`of`[i]] paths.

        Returns:
            The paths to them, and those of them that end here.

        Raises:
            MemoryError: they take more than is allowed, or than there is.
            OverflowError: a number of paths does not fit in 64 bits.
        """
        cdef uint64_t[:, ::1] own
        cdef uint64_t[::1] counts
        cdef int64_t i, n = keys.shape[0]
        cdef uint64_t total = 0, ending = 0, more
        cdef size_t entry
        cdef bint full = False, too_many = False
        if self.kept:
            self.reserve(n)
        own, counts = self._rows, self._paths
        with nogil:
            for i in range(min(n, AHEAD)):
                self.going.expect(keys[i])
            for i in range(n):
                if i + AHEAD < n:
                    self.going.expect(keys[i + AHEAD])
                more = paths[of[i]]
                total += more
                too_many = too_many or total < more
                if over[i]:
                    ending += more
                    if self.ended.find(keys[i]) == 0:
                        if self.ended.full() and not self.grow(self.ended):
                            full = True
                            break
                        self.ended.enter(keys[i])
                    continue
                entry = self.going.find(keys[i])
                if entry == 0:
                    if self.going.full() and not self.grow(self.going):
                        full = True
                        break
                    self.going.enter(keys[i])
                    if self.kept:
                        entry = self.going.n
                        memcpy(&own[entry - 1, 0], &rows[i, 0], self.width * sizeof(uint64_t))
                        counts[entry - 1] = more
                elif self.kept:
                    counts[entry - 1] += more       # less than the sum of all, which is watched
        if full:
            raise MemoryError
        if too_many:
            raise OverflowError
        return int(total), int(ending)
