# Who meets whom: the sprites that overlap another one, in the order of the lists.

cdef enum:
    FEW = 4         # so few sprites are compared one by one instead of through the cells


# -------------------------------------------------------------------- who overlaps whom

ctypedef struct Window:
    int left
    int right
    int top
    int bottom


cdef inline void around(Sim* g, const Sprite* s, Window* w) noexcept nogil:
    """The cells whose records may overlap a sprite."""
    cdef const Rules* r = g.rules
    if r.uniform:
        w.left = s.column - 1 if s.column > 0 else 0
        w.top = s.row - 1 if s.row > 0 else 0
        w.right = s.column + 1 if s.flags & OFF_X and s.column <= r.width else s.column
        w.bottom = s.row + 1 if s.flags & OFF_Y and s.row <= r.height else s.row
    else:
        w.left = axis_cell(r, s.x - r.max_w + 1, r.width)
        w.right = axis_cell(r, s.x + r.types[s.type].w - 1, r.width)
        w.top = axis_cell(r, s.y - r.max_h + 1, r.height)
        w.bottom = axis_cell(r, s.y + r.types[s.type].h - 1, r.height)


cdef bint meets(Sim* g, const Sprite* s, const int16_t* rank) noexcept nogil:
    """Whether a record overlaps any other of a family."""
    cdef Window w
    cdef int row, column, slot
    cdef Sprite* other
    around(g, s, &w)
    for row in range(w.top, w.bottom + 1):
        for column in range(w.left, w.right + 1):
            slot = g.cells[row * g.rules.columns + column]
            while slot >= 0:
                other = at(g, slot)
                if rank[other.type] and other != s and overlap(g, s, other):
                    return True
                slot = other.cell_next
    return False


cdef bint any_meets(Sim* g, int n, const int16_t* types, const int16_t* rank) noexcept nogil:
    cdef int i, slot
    for i in range(n):
        slot = g.groups[types[i]].head
        while slot >= 0:
            if meets(g, at(g, slot), rank):
                return True
            slot = at(g, slot).next
    return False


cdef bint any_overlap(Sim* g, const Rule* rule) noexcept nogil:
    """Whether some record of the first family overlaps one of the second, each compared with each."""
    cdef int i, k, slot, other
    cdef Sprite* s
    for i in range(rule.n_first):
        slot = g.groups[rule.first_types[i]].head
        while slot >= 0:
            s = at(g, slot)
            for k in range(rule.n_second):
                other = g.groups[rule.second_types[k]].head
                while other >= 0:
                    if overlap(g, s, at(g, other)) and other != slot:
                        return True
                    other = at(g, other).next
            slot = s.next
    return False


cdef inline int records_of(Sim* g, int n, const int16_t* types) noexcept nogil:
    cdef int i, total = 0
    for i in range(n):
        total += g.groups[types[i]].records
    return total


cdef bint any_near(Sim* g, int n, const int16_t* types, uint64_t bits) noexcept nogil:
    """Whether some record touches a cell that has (or had) one of these fixtures."""
    cdef int i, slot
    for i in range(n):
        slot = g.groups[types[i]].head
        while slot >= 0:
            if at(g, slot).near & bits:
                return True
            slot = at(g, slot).next
    return False


# -------------------------------------------------------------------- the hits of one sprite, in order

cdef bint more_hits(Sim* g) noexcept nogil:
    cdef int n = 2 * g.s.cap_hits + 64
    cdef Hit* hits = <Hit*>realloc(g.s.hits, n * sizeof(Hit))
    if hits == NULL:
        return False
    g.s.hits = hits
    g.s.cap_hits = n
    return True


cdef inline void add_hit(Sim* g, int ref, int rank, int id) noexcept nogil:
    if g.s.n_hits == g.s.cap_hits and not more_hits(g):
        return
    g.s.hits[g.s.n_hits].key = (<uint64_t>rank << 32) | <uint64_t>id
    g.s.hits[g.s.n_hits].ref = ref
    g.s.n_hits += 1


cdef int compare_hits(const void* p, const void* q) noexcept nogil:
    cdef uint64_t a = (<const Hit*>p).key, b = (<const Hit*>q).key
    return (a > b) - (a < b)


cdef void sort_hits(Sim* g) noexcept nogil:
    """By place in the family, then by creation."""
    cdef int i, k
    cdef Hit one
    if g.s.n_hits > 12:
        qsort(g.s.hits, g.s.n_hits, sizeof(Hit), compare_hits)
        return
    for i in range(1, g.s.n_hits):
        one = g.s.hits[i]
        k = i
        while k > 0 and g.s.hits[k - 1].key > one.key:
            g.s.hits[k] = g.s.hits[k - 1]
            k -= 1
        g.s.hits[k] = one


cdef void hit_cell(Sim* g, const Sprite* s, int cell, const int16_t* rank, int own) noexcept nogil:
    """The living fixtures of a family in one cell."""
    cdef const Rules* r = g.rules
    cdef int i, index
    cdef int n = r.block
    for i in range(r.cell_first[cell], r.cell_first[cell + 1]):
        index = r.cell_fixtures[i]
        if rank[r.fixture_type[index]] and fixture_alive(g, index) and index != own:
            if (
                r.fixture_x[index] - s.x < type_of(g, s).w and s.x - r.fixture_x[index] < n
                and r.fixture_y[index] - s.y < type_of(g, s).h and s.y - r.fixture_y[index] < n
            ):
                add_hit(g, ~index, rank[r.fixture_type[index]], r.fixture_id[index])


cdef void hit_fixtures(Sim* g, const Sprite* s, const int16_t* rank, uint64_t bits) noexcept nogil:
    cdef const Rules* r = g.rules
    cdef int row, column, right, bottom
    if not s.near & bits:
        return
    right = s.column + 1 if s.flags & OFF_X and s.column <= r.width else s.column
    bottom = s.row + 1 if s.flags & OFF_Y and s.row <= r.height else s.row
    for row in range(s.row, bottom + 1):
        for column in range(s.column, right + 1):
            if r.cell_bits[row * r.columns + column] & bits:
                hit_cell(g, s, row * r.columns + column, rank, -1)


cdef void hit_records(
    Sim* g, const Sprite* s, const Rule* rule, const int16_t* rank, int few, int limit,
) noexcept nogil:
    """The records of the second family that overlap a sprite and are older than `limit`."""
    cdef Window w
    cdef int i, row, column, slot
    cdef Sprite* other
    if few <= FEW:
        for i in range(rule.n_second):
            slot = g.groups[rule.second_types[i]].head
            while slot >= 0:
                other = at(g, slot)
                if overlap(g, s, other) and other != s and other.id < limit:
                    add_hit(g, slot, rank[other.type], other.id)
                slot = other.next
        return
    around(g, s, &w)
    for row in range(w.top, w.bottom + 1):
        for column in range(w.left, w.right + 1):
            slot = g.cells[row * g.rules.columns + column]
            while slot >= 0:
                other = at(g, slot)
                if rank[other.type] and overlap(g, s, other) and other != s and other.id < limit:
                    add_hit(g, slot, rank[other.type], other.id)
                slot = other.cell_next


cdef bint still_overlap(Sim* g, int ref1, int ref2) noexcept nogil:
    cdef Sprite* s1 = resolve(g, ref1, &g.s.image1)
    cdef Sprite* s2 = resolve(g, ref2, &g.s.image2)
    return overlap(g, s1, s2)
