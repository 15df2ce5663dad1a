# Ways between cells for the chasers that go around obstacles.

from libc.stdint cimport int8_t

cdef bint find_paths(int width, int height, const int8_t* blocked, int8_t* steps) noexcept nogil
