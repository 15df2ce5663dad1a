# How many moves lie between two cells of a level, going around its walls.
#
# A place is the number of a cell in the grid with a closed border of one cell around it; everything outside
# the level is the place OUTSIDE, a corner of that border.

from libc.stdint cimport int32_t, int64_t, uint16_t

cimport cython

from paidia.core.arcade cimport Seen

cdef enum:
    OUTSIDE = 0
    N_STACKS = 5            # open cells whose f is 0..4 above the start's own estimate; the rest is in the heap
    SHIFT = 40
    MAX_TABLE_CELLS = 4096  # bigger levels have no table: 2 bytes for every pair of cells


ctypedef struct Open:
    int32_t f
    int32_t place


@cython.final
cdef class Distances:
    cdef readonly int width
    cdef readonly int height
    cdef readonly int bound             # width * height, the distance where there is no way
    cdef readonly bint with_table       # as asked for; a level may be too big
    cdef readonly bint tabled           # whether this level's distances are remembered
    cdef int block, pixel_width, pixel_height, stride, n_places
    cdef int64_t reciprocal             # 2 ** SHIFT / block, rounded up

    cdef int32_t* colour                # places with a way between them have the same one; 0: wall or border
    cdef int64_t* closed                # number of the last search that closed a place; walls: closed for ever
    cdef readonly int64_t n_searches    # by A* in this level
    cdef int32_t* stacks[N_STACKS]
    cdef int stack_size[N_STACKS]
    cdef Open* heap
    cdef int heap_size
    cdef int32_t* next_listed           # places at the same Manhattan distance, as linked lists
    cdef int64_t* listed
    cdef int64_t n_lists
    cdef int32_t* ring                  # first place of the list for each Manhattan distance, -1: none
    cdef uint16_t* table                # n_places x n_places, a row is filled when it is first asked for
    cdef char* has_row
    cdef char* obstacle                 # places that a way may end in but not lead through

    # A* between two cells. Once the distance is known to be at least `cutoff`, something between the two is
    # returned instead. The bound where there is no way or a cell is outside.
    cpdef int between(self, int x0, int y0, int x1, int y1, int cutoff) noexcept nogil
    # The place of a sprite whose top left corner is at this pixel.
    cdef int place(self, int x, int y) noexcept nogil
    # Distance to the closest of n sprites, by the table if there is one; the bound if there are none.
    cdef int closest(self, int start, const Seen* sprites, int n) noexcept nogil
    cdef int closest_by_search(self, int start, const Seen* sprites, int n) noexcept nogil

    cdef bint connected(self, int start, int goal) noexcept nogil
    cdef int search(self, int start, int goal, int cutoff) noexcept nogil
    cdef void push_heap(self, int f, int place) noexcept nogil
    cdef int pop_heap(self, int* f) noexcept nogil
    cdef const uint16_t* row(self, int start) noexcept nogil
    cdef void flood(self) noexcept nogil
    cdef void release(self) noexcept
