# What is seen of a state, as bytes: which types are where, or the number of the topmost one: part of game.pyx.

cdef inline void cover(const Rules* r, uint8_t* out, int type, int x, int y) noexcept nogil:
    """Mark the cells that a sprite of one block touches; what lies outside the level is not shown."""
    cdef int left, top, right, bottom, row, column
    if x <= -r.block or y <= -r.block or x >= r.pixel_width or y >= r.pixel_height:
        return
    left, top = x // r.block if x > 0 else 0, y // r.block if y > 0 else 0
    right, bottom = min((x + r.block - 1) // r.block, r.width - 1), min((y + r.block - 1) // r.block, r.height - 1)
    for row in range(top, bottom + 1):
        for column in range(left, right + 1):
            out[(row * r.width + column) * r.n_types + type] = 1


cdef void fill_fixtures(Sim* g, uint8_t* out) noexcept nogil:
    cdef const Rules* r = g.rules
    cdef const Type* t
    cdef int type, i
    for type in range(r.n_types):
        t = &r.types[type]
        if g.groups[type].fixtures and not t.flags & K_HIDDEN:
            for i in range(t.first_fixture, t.first_fixture + t.n_fixtures):
                if fixture_alive(g, i):
                    cover(r, out, type, r.fixture_x[i], r.fixture_y[i])


cdef void fill_moving(Sim* g, uint8_t* out) noexcept nogil:
    cdef const Rules* r = g.rules
    cdef int type, slot
    for type in range(r.n_types):
        slot = g.groups[type].head
        if slot >= 0 and not r.types[type].flags & K_HIDDEN:
            while slot >= 0:
                cover(r, out, type, at(g, slot).x, at(g, slot).y)
                slot = at(g, slot).next


cdef void fill_bits(Sim* g, uint8_t* out) noexcept nogil:
    """For each cell and each type: whether a visible sprite of the type covers a part of the cell."""
    memset(out, 0, <size_t>g.rules.width * g.rules.height * g.rules.n_types)
    fill_fixtures(g, out)
    fill_moving(g, out)


cdef inline void top(const Rules* r, uint8_t* out, int type, int x, int y, bint avatar) noexcept nogil:
    """Show a sprite in the cells it touches, above earlier types and below avatars."""
    cdef int left, upper, right, bottom, row, column
    if x <= -r.block or y <= -r.block or x >= r.pixel_width or y >= r.pixel_height:
        return
    left, upper = x // r.block if x > 0 else 0, y // r.block if y > 0 else 0
    right, bottom = min((x + r.block - 1) // r.block, r.width - 1), min((y + r.block - 1) // r.block, r.height - 1)
    for row in range(upper, bottom + 1):
        for column in range(left, right + 1):
            if avatar or out[row * r.width + column] <= type:
                out[row * r.width + column] = <uint8_t>(type + 1)


cdef void fill_ids(Sim* g, uint8_t* out) noexcept nogil:
    """For each cell 1 + the type of the sprite on top, 0 where there is none: avatars above all, then the later type."""
    cdef const Rules* r = g.rules
    cdef const Type* t
    cdef int type, i, slot, avatars
    memset(out, 0, <size_t>r.width * r.height)
    for avatars in range(2):
        for type in range(r.n_types):
            t = &r.types[type]
            if t.flags & K_HIDDEN or (t.category == AVATAR) != avatars:
                continue
            if g.groups[type].fixtures:
                for i in range(t.first_fixture, t.first_fixture + t.n_fixtures):
                    if fixture_alive(g, i):
                        top(r, out, type, r.fixture_x[i], r.fixture_y[i], avatars)
            slot = g.groups[type].head
            while slot >= 0:
                top(r, out, type, at(g, slot).x, at(g, slot).y, avatars)
                slot = at(g, slot).next
