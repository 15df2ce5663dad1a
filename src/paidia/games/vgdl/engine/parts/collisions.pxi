# Phase C of a tick: time effects, the edge of the world (see execution.pxi), and here colliding pairs.
#
# A rule (first type, second type, effect) asks for every pair of sprites that overlap, in the order of the
# lists, with positions as they are when a first sprite's turn comes. Nearly all rules find nothing in nearly
# all ticks, so each begins with the cheapest question that can rule it out: are there sprites of both types at
# all; does any of them touch a cell with such a fixture (one AND with the bits each record carries); does any
# of the rarer type have a neighbour of the other (the cells around it). Only a rule that may have a pair is run
# in full, in the prescribed order.

cdef bint strike(Sim* g, const Rule* rule, int ref) noexcept nogil:
    """Run the effect on one first sprite and its hits; whether it ran at all."""
    cdef const Effect* e = &g.rules.effects[rule.effect]
    cdef int i
    cdef bint ran = False
    if g.s.n_hits > 1:
        sort_hits(g)
    if e.traits & TOGETHER:
        if g.s.n_hits and not is_killed(g, ref):
            apply(g, e, ref, g.s.hits[0].ref)
            earn(g, e)
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
    """The turn of the fixtures of one type as first sprites. Nothing moves meanwhile, except by effects that
    say so."""
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
                if r.effects[rule.effect].traits & MOVES_ALL:
                    after = r.fixture_id[index]
                    again = True
                    break
    return ran


cdef void find_ground(Sim* g, const Rule* rule, const int16_t* rank) noexcept nogil:
    """Whatever can stand looks for something solid of the second family just below it (continuous physics).
    """
    cdef const Rules* r = g.rules
    cdef int i, slot, other, row, column
    cdef Sprite* s
    for i in range(rule.n_first):
        if not r.types[rule.first_types[i]].flags & K_STANDS:
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
