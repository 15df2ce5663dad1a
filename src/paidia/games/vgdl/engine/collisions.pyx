"""Phase C of a tick: time effects, the edge of the world (see execution.pyx), and here colliding pairs.

A rule (first type, second type, effect) asks for every pair of sprites that overlap, in the order of the
lists, with positions as they are when a first sprite's turn comes. Nearly all rules find nothing in nearly
all ticks, so each begins with the cheapest question that can rule it out: are there sprites of both types at
all; does any of them touch a cell with such a fixture (one AND with the bits each record carries); does any
of the rarer type have a neighbour of the other (the cells around it). Only a rule that may have a pair is run
in full, in the prescribed order.
"""

from libc.stdint cimport int16_t, int32_t, uint64_t
from libc.stdlib cimport qsort, realloc
from libc.string cimport memmove

from paidia.games.vgdl.engine.continuous cimport FOOT, bounce_off, touch_ground
from paidia.games.vgdl.engine.execution cimport enter_event, execute, run_edge, run_times
from paidia.games.vgdl.engine.layout cimport (
    KILLED, OFF_X, OFF_Y, PlatformerAvatar, Walker, WalkerJumper,
    WizardAvatar, Effect, Head, Hit, Rule, Rules, Sim, Sprite, Type, at, axis_cell,
    fixture_alive, overlap, type_of, undoAll, wallBounce, wallReverse,
)
from paidia.games.vgdl.engine.sprites cimport is_killed, resolve

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


cdef bint strike(Sim* g, const Rule* rule, int ref) noexcept nogil:
    """Run the effect on one first sprite and its hits; whether it ran at all."""
    cdef const Effect* e = &g.rules.effects[rule.effect]
    cdef int i
    cdef bint ran = False
    if g.s.n_hits > 1:
        sort_hits(g)
    if e.code == wallBounce or e.code == wallReverse:
        if g.s.n_hits and not is_killed(g, ref):
            bounce_off(g, e, ref, g.s.hits, g.s.n_hits)
            g.h.score += e.score
            for i in range(g.s.n_hits):
                enter_event(g, ref, g.s.hits[i].ref)
            return True
        return False
    for i in range(g.s.n_hits):
        if is_killed(g, ref):
            break
        if i == 0 or still_overlap(g, ref, g.s.hits[i].ref):
            execute(g, e, ref, g.s.hits[i].ref)
            ran = True
    return ran


# -------------------------------------------------------------------- one rule

cdef inline int insert(int32_t* sorted, int n, int index) noexcept nogil:
    """Insert into a sorted array unless it is there; returns the new length."""
    cdef int m = n
    while m > 0 and sorted[m - 1] > index:
        m -= 1
    if m > 0 and sorted[m - 1] == index:
        return n
    memmove(sorted + m + 1, sorted + m, (n - m) * sizeof(int32_t))
    sorted[m] = index
    return n + 1


cdef int candidates(Sim* g, const Rule* rule, int type, int after) noexcept nogil:
    """Fixtures of a type created after number `after` that the second family may touch, sorted."""
    cdef const Rules* r = g.rules
    cdef const Type* t = &r.types[type]
    cdef int32_t* grown
    cdef int i, k, n = 0, row, column, right, bottom, cell, slot, index
    cdef Sprite* s
    if g.s.cap_candidates < r.n_fixtures:
        grown = <int32_t*>realloc(g.s.candidates, r.n_fixtures * sizeof(int32_t))
        if grown == NULL:
            return 0
        g.s.candidates = grown
        g.s.cap_candidates = r.n_fixtures
    if rule.pairs_of_fixtures:
        for index in range(t.first_fixture, t.first_fixture + t.n_fixtures):
            if fixture_alive(g, index) and r.fixture_id[index] > after:
                g.s.candidates[n] = index
                n += 1
        return n
    for i in range(rule.n_second):
        slot = g.groups[rule.second_types[i]].head
        while slot >= 0:
            s = at(g, slot)
            slot = s.next
            if not s.near & t.bit:
                continue
            right = s.column + 1 if s.flags & OFF_X and s.column <= r.width else s.column
            bottom = s.row + 1 if s.flags & OFF_Y and s.row <= r.height else s.row
            for row in range(s.row, bottom + 1):
                for column in range(s.column, right + 1):
                    cell = row * r.columns + column
                    if not r.cell_bits[cell] & t.bit:
                        continue
                    for k in range(r.cell_first[cell], r.cell_first[cell + 1]):
                        index = r.cell_fixtures[k]
                        if (
                            r.fixture_type[index] == type and r.fixture_id[index] > after
                            and fixture_alive(g, index)
                        ):
                            n = insert(g.s.candidates, n, index)
    return n


cdef bint run_fixtures(
    Sim* g, const Rule* rule, int type, const int16_t* rank, int few, int limit,
) noexcept nogil:
    """The turn of the fixtures of one type as first sprites. Nothing moves meanwhile, except by undoAll."""
    cdef const Rules* r = g.rules
    cdef int i, n, index, after = -1
    cdef bint ran = False, again = True
    cdef Sprite s
    while again:
        again = False
        n = candidates(g, rule, type, after)
        for i in range(n):
            index = g.s.candidates[i]
            resolve(g, ~index, &s)
            s.column = axis_cell(r, s.x, r.width)
            s.row = axis_cell(r, s.y, r.height)
            g.s.n_hits = 0
            hit_records(g, &s, rule, rank, few, limit)
            if rule.pairs_of_fixtures:
                hit_cell(g, &s, s.row * r.columns + s.column, rank, index)
            if g.s.n_hits and strike(g, rule, ~index):
                ran = True
                if r.effects[rule.effect].code == undoAll:
                    after = r.fixture_id[index]
                    again = True
                    break
    return ran


cdef void find_ground(Sim* g, const Rule* rule, const int16_t* rank) noexcept nogil:
    """Whatever can stand looks for something solid of the second family just below it (continuous physics).
    """
    cdef const Rules* r = g.rules
    cdef int i, slot, other, row, column, cls
    cdef Sprite* s
    for i in range(rule.n_first):
        cls = r.types[rule.first_types[i]].cls
        if cls != PlatformerAvatar and cls != WizardAvatar and cls != Walker and cls != WalkerJumper:
            continue
        slot = g.groups[rule.first_types[i]].head
        while slot >= 0:
            s = at(g, slot)
            slot = s.next
            for row in range(s.row, axis_cell(r, s.y + r.types[s.type].h + FOOT - 1, r.height) + 1):
                for column in range(
                    axis_cell(r, s.x - r.max_w + 1, r.width),
                    axis_cell(r, s.x + r.types[s.type].w - 1, r.width) + 1,
                ):
                    other = g.cells[row * r.columns + column]
                    while other >= 0:
                        if rank[at(g, other).type] and other != s.slot:
                            touch_ground(g, s, at(g, other))
                        other = at(g, other).cell_next


cdef bint shielded(Sim* g, const Rule* rule) noexcept nogil:
    cdef int i
    for i in range(g.s.n_shields):
        if (
            g.s.shields[i].first == rule.first and g.s.shields[i].second == rule.second
            and g.s.shields[i].code == g.rules.effects[rule.effect].code
        ):
            return True
    return False


cdef void run_rule(Sim* g, const Rule* rule) noexcept nogil:
    cdef Head* h = g.h
    cdef bint records1 = h.present & rule.first_bits != 0
    cdef bint records2 = h.present & rule.second_bits != 0
    cdef bint fixtures1 = h.fixed & rule.first_bits != 0
    cdef bint fixtures2 = h.fixed & rule.second_bits != 0
    cdef bint both_records, record_fixture, fixture_record, both_fixtures
    cdef const int16_t* rank1 = g.rules.types[rule.first].rank
    cdef const int16_t* rank2 = g.rules.types[rule.second].rank
    cdef int n1 = 0, n2 = 0, i, type, slot, limit
    cdef Sprite* s
    if not (records1 or fixtures1) or not (records2 or fixtures2):
        return
    if g.s.n_shields and shielded(g, rule):
        return
    if g.rules.has_ground and records1 and records2:
        find_ground(g, rule, rank2)
    both_records = records1 and records2
    record_fixture = records1 and fixtures2 and any_near(g, rule.n_first, rule.first_types, rule.second_bits)
    fixture_record = fixtures1 and records2 and any_near(g, rule.n_second, rule.second_types, rule.first_bits)
    both_fixtures = rule.pairs_of_fixtures and fixtures1 and fixtures2
    if both_records:
        n1 = records_of(g, rule.n_first, rule.first_types)
        n2 = records_of(g, rule.n_second, rule.second_types)
        if n1 * n2 <= 2 * FEW:
            both_records = any_overlap(g, rule)
        elif n1 <= n2:
            both_records = any_meets(g, rule.n_first, rule.first_types, rank2)
        else:
            both_records = any_meets(g, rule.n_second, rule.second_types, rank1)
    elif records2:
        n2 = records_of(g, rule.n_second, rule.second_types)
    if not (both_records or record_fixture or fixture_record or both_fixtures):
        return
    limit = h.next_id
    for i in range(rule.n_first):
        type = rule.first_types[i]
        if (fixture_record or both_fixtures) and g.groups[type].fixtures:
            if run_fixtures(g, rule, type, rank2, n2, limit):
                both_records = records1 and records2        # what was ruled out may be true now
                record_fixture = records1 and fixtures2
        if not (both_records or record_fixture):
            continue
        slot = g.groups[type].head
        while slot >= 0:
            s = at(g, slot)
            if s.id >= limit:
                break
            if not s.flags & KILLED:
                g.s.n_hits = 0
                if record_fixture:
                    hit_fixtures(g, s, rank2, rule.second_bits)
                if both_records:
                    hit_records(g, s, rule, rank2, n2, limit)
                if g.s.n_hits and strike(g, rule, slot):
                    h = g.h
                    both_records = records1 and records2
                    record_fixture = records1 and fixtures2
                    fixture_record = fixtures1 and records2
            slot = at(g, slot).next


cdef void handle_events(Sim* g) noexcept nogil:
    """Phase C."""
    cdef int i
    if g.h.timers >= 0:
        run_times(g)
    for i in range(g.rules.n_edges):
        if g.h.present & g.rules.edges[i].first_bits:
            run_edge(g, &g.rules.edges[i])
    for i in range(g.rules.n_rules):
        run_rule(g, &g.rules.rules[i])
