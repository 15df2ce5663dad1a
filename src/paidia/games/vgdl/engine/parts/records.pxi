# Records of sprites: placing, creating, killing, removing them.

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


cdef int count_family(Sim* g, int type) noexcept nogil:
    """Sprites of a type with all its subtypes, disabled and dying ones included."""
    cdef const Type* t = &g.rules.types[type]
    cdef int i, n = 0
    for i in range(t.n_family):
        n += g.groups[t.family[i]].records + g.groups[t.family[i]].fixtures
    return n


cdef int disabled(Sim* g, int type) noexcept nogil:
    cdef int n = 0
    cdef int slot = g.groups[type].head
    while slot >= 0:
        if at(g, slot).flags & DISABLED:
            n += 1
        slot = at(g, slot).next
    return n


cdef int living(Sim* g, int type) noexcept nogil:
    """Sprites of exactly this type that are not disabled."""
    cdef int n = g.groups[type].records + g.groups[type].fixtures
    if n and g.rules.types[type].flags & K_AVATAR:
        n -= disabled(g, type)
    return n


cdef int add(Sim* g, int type, int x, int y, bint force) noexcept nogil:
    """Create a sprite; returns its slot, or -1 where the rules (or memory) do not allow it."""
    cdef const Rules* r = g.rules
    cdef Head* h = g.h
    cdef const Type* t
    cdef Sprite* s
    cdef GroupState* group
    cdef int i, slot, column = 0, row = 0
    if type < 0 or h.n_sprites > MAX_SPRITES:
        return -1
    t = &r.types[type]
    if t.update == NULL:        # it has no class
        return -1
    if not force:
        for i in range(t.n_singles):
            if count_family(g, t.singles[i]) > 0:
                return -1
    slot = take_slot(g)
    if slot < 0:
        return -1
    s = at(g, slot)
    memcpy(s, &t.image, sizeof(Sprite))
    s.slot = slot
    s.id = h.next_id
    s.x = s.lx = x
    s.y = s.ly = y
    for i in range(r.n_resources):
        resources(s)[i] = ABSENT
    if r.has_extra:
        memset(extra(g, s), 0, sizeof(Extra))
        extra(g, s).gravity = t.given.gravity
        extra(g, s).stype = -1
        extra(g, s).target = NONE_REF
        extra(g, s).last_shot = -1000
    locate(g, s, &column, &row)
    s.column = <int16_t>column
    s.row = <int16_t>row
    link_cell(g, s)
    group = &g.groups[type]
    s.next = -1
    s.prev = group.tail
    if group.tail >= 0:
        at(g, group.tail).next = <int16_t>slot
    else:
        group.head = <int16_t>slot
    group.tail = <int16_t>slot
    group.records += 1
    h.present |= t.bit
    h.next_id += 1
    h.n_sprites += 1
    h.counts_changed = 1
    return slot


cdef void note_kill(Sim* g, int ref) noexcept nogil:
    cdef int32_t* kills
    cdef int n
    if g.s.n_kills == g.s.cap_kills:
        n = 2 * g.s.cap_kills + 32
        kills = <int32_t*>realloc(g.s.kills, n * sizeof(int32_t))
        if kills == NULL:
            return
        g.s.kills = kills
        g.s.cap_kills = n
    g.s.kills[g.s.n_kills] = ref
    g.s.n_kills += 1


cdef void kill(Sim* g, Sprite* s, bint transformed) noexcept nogil:
    """Kill a sprite: an avatar is only disabled, unless it was transformed; all others leave at the end of
    the tick.
    """
    cdef int index
    g.h.counts_changed = 1
    if s.flags & FIXTURE:
        index = s.slot
        g.s.killed[index >> 6] |= (<uint64_t>1) << (index & 63)
        note_kill(g, ~index)
    elif type_of(g, s).flags & K_AVATAR and not transformed:
        s.flags |= DISABLED
    else:
        s.flags |= KILLED
        note_kill(g, s.slot)


cdef bint is_killed(Sim* g, int ref) noexcept nogil:
    if ref >= 0:
        return (at(g, ref).flags & KILLED) != 0
    return (g.s.killed[(~ref) >> 6] >> ((~ref) & 63)) & 1


cdef Sprite* resolve(Sim* g, int ref, Sprite* image) noexcept nogil:
    """The sprite a reference means; for a fixture its picture in `image`, which nothing writes to in earnest.
    """
    cdef int index
    cdef const Rules* r = g.rules
    if ref >= 0:
        return at(g, ref)
    if ref == NONE_REF:
        return NULL
    index = ~ref
    memcpy(image, &r.types[r.fixture_type[index]].image, sizeof(Sprite))
    image.x = image.lx = r.fixture_x[index]
    image.y = image.ly = r.fixture_y[index]
    image.id = r.fixture_id[index]
    image.slot = index
    image.flags |= FIXTURE
    return image


cdef void forget_target(Sim* g, Sprite* gone) noexcept nogil:
    """Path chasers keep the last place of a target that leaves."""
    cdef int i, slot
    cdef Sprite* s
    for i in range(g.rules.n_updates):
        slot = g.groups[g.rules.updates[i]].head
        while slot >= 0:
            s = at(g, slot)
            if extra(g, s).target == gone.slot and extra(g, s).target_id == gone.id:
                extra(g, s).target_x = gone.x
                extra(g, s).target_y = gone.y
            slot = s.next


cdef void remove_record(Sim* g, int slot) noexcept nogil:
    cdef Sprite* s = at(g, slot)
    cdef GroupState* group = &g.groups[s.type]
    if g.rules.has_paths:
        forget_target(g, s)
    unlink_cell(g, s)
    if s.prev >= 0:
        at(g, s.prev).next = s.next
    else:
        group.head = s.next
    if s.next >= 0:
        at(g, s.next).prev = s.prev
    else:
        group.tail = s.prev
    group.records -= 1
    if group.records == 0:
        g.h.present &= ~(g.rules.types[s.type].bit & ~g.rules.bits_reused)
    if player_of(g, s) >= 0:
        g.h.avatar[player_of(g, s)] = -1
    free_slot(g, slot)


cdef void clean_up(Sim* g) noexcept nogil:
    """Phase D: what was killed in this tick leaves."""
    cdef const Rules* r = g.rules
    cdef int i, ref, index, type
    for i in range(g.s.n_kills):
        ref = g.s.kills[i]
        g.h.n_sprites -= 1
        if ref >= 0:
            if at(g, ref).flags & KILLED and ref < g.h.used:
                at(g, ref).flags &= ~KILLED
                remove_record(g, ref)
            continue
        index = ~ref
        if fixture_alive(g, index):
            g.alive[index >> 6] &= ~((<uint64_t>1) << (index & 63))
            g.s.killed[index >> 6] &= ~((<uint64_t>1) << (index & 63))
            type = r.fixture_type[index]
            g.groups[type].fixtures -= 1
            if g.groups[type].fixtures == 0:
                g.h.fixed &= ~(r.types[type].bit & ~r.bits_reused)
    g.s.n_kills = 0
    g.s.n_shields = 0
    g.s.n_pulled = 0


cdef inline int ref_of(const Sprite* s) noexcept nogil:
    """The reference that a sprite was resolved from."""
    if s == NULL:
        return NONE_REF
    return ~s.slot if s.flags & FIXTURE else s.slot


# -------------------------------------------------------------------- what a sprite holds

cdef inline int held(Sprite* s, int column) noexcept nogil:
    """How much of a resource a sprite holds."""
    if column < 0 or s.flags & FIXTURE or resources(s)[column] == ABSENT:
        return 0
    return resources(s)[column]


cdef inline void hold(Sprite* s, int column, int amount) noexcept nogil:
    if column >= 0 and not s.flags & FIXTURE:
        resources(s)[column] = amount
