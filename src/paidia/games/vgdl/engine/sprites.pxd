# Records of sprites: creating, placing, killing, removing them, and growing the block they live in.

from libc.stdint cimport int16_t, uint16_t, uint64_t

from paidia.games.vgdl.engine.layout cimport (
    FAR, FIXTURE, NONE_REF, OFF_X, OFF_Y, GroupState, Rules, Sim, Sprite, at, axis_cell,
)

cdef bint allocate(Sim* g, int capacity) noexcept nogil
cdef void release(Sim* g) noexcept nogil
cdef void seat(Sim* g) noexcept nogil
cdef bint grow(Sim* g, int capacity) noexcept nogil
cdef bint copy_block(Sim* to, const Sim* source) noexcept nogil
cdef int add(Sim* g, int type, int x, int y, bint force) noexcept nogil
cdef void kill(Sim* g, Sprite* s, bint transformed) noexcept nogil
cdef void clean_up(Sim* g) noexcept nogil
cdef Sprite* resolve(Sim* g, int ref, Sprite* image) noexcept nogil
cdef bint is_killed(Sim* g, int ref) noexcept nogil
cdef int count_family(Sim* g, int type) noexcept nogil
cdef int living(Sim* g, int type) noexcept nogil
cdef int take_slot(Sim* g) noexcept nogil
cdef void free_slot(Sim* g, int slot) noexcept nogil


cdef inline bint room(Sim* g) noexcept nogil:
    """Make sure that the next update or effect finds its slots without moving the block under it."""
    if g.h.n_free + g.capacity - g.h.used < g.rules.spare:
        return grow(g, 2 * g.capacity + g.rules.spare)
    return True


cdef inline void unlink_cell(Sim* g, Sprite* s) noexcept nogil:
    if s.cell_prev >= 0:
        at(g, s.cell_prev).cell_next = s.cell_next
    else:
        g.cells[s.row * g.rules.columns + s.column] = s.cell_next
    if s.cell_next >= 0:
        at(g, s.cell_next).cell_prev = s.cell_prev


cdef inline void link_cell(Sim* g, Sprite* s) noexcept nogil:
    cdef int cell = s.row * g.rules.columns + s.column
    s.cell_prev = -1
    s.cell_next = g.cells[cell]
    if s.cell_next >= 0:
        at(g, s.cell_next).cell_prev = <int16_t>s.slot
    g.cells[cell] = <int16_t>s.slot


cdef inline void locate(Sim* g, Sprite* s, int* column, int* row) noexcept nogil:
    """The cell of a position, and what of the fixtures is near it."""
    cdef const Rules* r = g.rules
    cdef int c = axis_cell(r, s.x, r.width)
    cdef int w = axis_cell(r, s.y, r.height)
    # the table has a spare row and column at its end
    cdef const uint64_t* here = r.cell_bits + w * r.columns + c
    cdef bint off_x = s.x != (c - 1) * r.block
    cdef bint off_y = s.y != (w - 1) * r.block
    cdef uint64_t near = here[0]
    if off_x:
        near |= here[1]
    if off_y:
        near |= here[r.columns]
        if off_x:
            near |= here[r.columns + 1]
    s.flags = <uint16_t>((s.flags & ~(OFF_X | OFF_Y)) | (OFF_X if off_x else 0) | (OFF_Y if off_y else 0))
    s.near = near
    column[0] = c
    row[0] = w


cdef inline void place(Sim* g, Sprite* s, int x, int y) noexcept nogil:
    """Put a sprite somewhere; the one way in which sprites move."""
    cdef const Rules* r = g.rules
    cdef int column = 0, row = 0
    if s.x == x and s.y == y:
        return
    if s.y == y and ((x < -r.block and s.x < -r.block) or (x > r.pixel_width and s.x > r.pixel_width)):
        s.x = x if -FAR < x < FAR else s.x      # farther away on the same side: no cell changes
        return
    s.x = x if -FAR < x < FAR else (FAR if x > 0 else -FAR)
    s.y = y if -FAR < y < FAR else (FAR if y > 0 else -FAR)
    if s.flags & FIXTURE:
        return
    locate(g, s, &column, &row)
    if column != s.column or row != s.row:
        unlink_cell(g, s)
        s.column = <int16_t>column
        s.row = <int16_t>row
        link_cell(g, s)
