# distutils: extra_compile_args = -O1
"""The rows of `tables.py` become the C tables of `layout.pxd`, and the level becomes the first block."""

import array

from cpython cimport array as carray
from libc.stdint cimport int8_t, int16_t, int32_t, uint64_t

from paidia.games.vgdl.engine.kernel cimport add, allocate, bind_class, find_paths, insert_timer
from paidia.games.vgdl.engine.layout cimport (
    FIRST_TICK, K_AVATAR, K_CONT, K_HIDDEN, K_INERT, K_LEADS, K_RESOURCE, K_ROTATE, K_SOLID, K_SPAWNS, K_STANDS, K_STATIC,
    K_STATIONARY, K_STILL, MAX_PLAYERS, ORIENTED, Effect, End, Extra, GroupState, Head, Rule, Rules, Sim, Sprite, Type,
)

from paidia.core.errors import BadInput

cdef enum:
    MAX_PATH_CELLS = 4096       # the table of ways has the square of this many bytes

FLAGS = {
    "avatar": K_AVATAR, "resource_class": K_RESOURCE, "static": K_STATIC, "still": K_STILL, "stationary": K_STATIONARY,
    "rotate": K_ROTATE, "hidden": K_HIDDEN, "cont": K_CONT, "solid": K_SOLID, "inert": K_INERT, "stands": K_STANDS,
    "leads": K_LEADS, "spawns": K_SPAWNS,
}


cdef void* room_for(list memory, size_t size) except NULL:
    """Zeroed memory that lives as long as the game."""
    cdef carray.array block = array.array("b", bytes(size + 8))
    memory.append(block)
    return block.data.as_voidptr


cdef int16_t* shorts(list memory, values) except NULL:
    cdef int16_t* out = <int16_t*>room_for(memory, 2 * len(values))
    for i, value in enumerate(values):
        out[i] = value
    return out


cdef object set_sizes(Rules* r, list memory, tables):
    r.n_players = tables.players
    r.n_types = len(tables.types)
    r.n_resources = len(tables.resources)
    r.width, r.height, r.block = tables.width, tables.height, tables.block
    r.pixel_width = r.width * r.block
    r.pixel_height = r.height * r.block
    r.columns = r.width + 2
    r.n_cells = r.columns * (r.height + 2)
    r.reciprocal = ((<uint64_t>1 << 32) + r.block - 1) // r.block
    r.bits_reused = tables.reused_bits
    r.uniform = tables.uniform
    r.has_extra = tables.has_extra
    r.has_paths = tables.has_paths
    r.has_ground = tables.has_ground
    r.spare = 8 + max([len(row["stypes"]) for row in tables.types if row], default=0)
    r.max_w = max((row["w"] for row in tables.types if row), default=r.block)
    r.max_h = max((row["h"] for row in tables.types if row), default=r.block)
    r.updates = shorts(memory, tables.updates)
    r.n_updates = len(tables.updates)
    r.order = shorts(memory, tables.order)
    r.n_order = len(tables.order)
    r.lists = shorts(memory, tables.lists)
    r.resource_types = shorts(memory, tables.resources)


cdef object set_types(Rules* r, list memory, tables):
    cdef Type* t
    cdef Sprite* s
    cdef int32_t* actions
    cdef int i
    r.types = <Type*>room_for(memory, r.n_types * sizeof(Type))
    for i, row in enumerate(tables.types):
        t = &r.types[i]
        if not row:
            continue
        bind_class(t, row["cls"])
        t.given = row["given"]
        t.category, t.cooldown, t.limit_health = row["category"], row["cooldown"], row["limit_health"]
        t.w, t.h, t.resource, t.resource_limit = row["w"], row["h"], row["resource"], row["resource_limit"]
        t.first_fixture, t.n_fixtures, t.bit = row["first_fixture"], row["n_fixtures"], row["bit"]
        t.flags = sum(bit for name, bit in FLAGS.items() if row[name])
        t.n_singles, t.singles = len(row["singles"]), shorts(memory, row["singles"])
        t.n_stypes, t.stypes = len(row["stypes"]), shorts(memory, row["stypes"])
        t.n_ammo, t.ammo = len(row["ammo"]), shorts(memory, row["ammo"])
        t.n_actions = len(row["actions"])
        actions = <int32_t*>room_for(memory, t.n_actions * sizeof(int32_t))
        for k, action in enumerate(row["actions"]):
            actions[k] = action
        t.actions = actions
        s = &t.image
        s.type = i
        s.ox, s.oy, s.speed = row["ox"], row["oy"], row["speed"]
        s.ttl, s.health, s.max_health = row["ttl"], row["health"], row["max_health"]
        s.flags = FIRST_TICK | (ORIENTED if row["oriented"] else 0)
    for i in range(r.n_types):     # families also of types that have no class of their own
        t = &r.types[i]
        family = tables.families[i]
        t.n_family, t.family = len(family), shorts(memory, family)
        rank = [0] * r.n_types
        for place, member in enumerate(family):
            rank[member] = place + 1
        t.rank = shorts(memory, rank)


cdef object set_fixtures(Rules* r, list memory, tables):
    cdef int n = len(tables.fixtures), i, cell
    r.n_fixtures = n
    r.n_words = (n + 63) // 64
    r.fixture_x = <int32_t*>room_for(memory, 4 * n)
    r.fixture_y = <int32_t*>room_for(memory, 4 * n)
    r.fixture_id = <int32_t*>room_for(memory, 4 * n)
    r.fixture_type = <int16_t*>room_for(memory, 2 * n)
    r.cell_first = <int32_t*>room_for(memory, 4 * (r.n_cells + 1))
    r.cell_fixtures = <int32_t*>room_for(memory, 4 * n)
    r.cell_bits = <uint64_t*>room_for(memory, 8 * (r.n_cells + r.columns + 2))
    cells = [[] for _ in range(r.n_cells)]
    for i, (type_, number, column, row) in enumerate(tables.fixtures):
        r.fixture_x[i], r.fixture_y[i] = column * r.block, row * r.block
        r.fixture_id[i], r.fixture_type[i] = number, type_
        cell = (row + 1) * r.columns + column + 1
        cells[cell].append(i)
        r.cell_bits[cell] |= r.types[<int>type_].bit
    i = 0
    for cell in range(r.n_cells):
        r.cell_first[cell] = i
        for index in cells[cell]:
            r.cell_fixtures[i] = index
            i += 1
    r.cell_first[r.n_cells] = i


cdef object set_rules(Rules* r, list memory, tables):
    cdef int i
    r.n_effects = len(tables.effects)
    r.effects = <Effect*>room_for(memory, r.n_effects * sizeof(Effect))
    for i, row in enumerate(tables.effects):
        r.effects[i] = row
    r.n_rules = len(tables.rules)
    r.rules = rule_rows(memory, tables.rules)
    r.n_edges = len(tables.edges)
    r.edges = rule_rows(memory, tables.edges)
    r.n_times = len(tables.times)
    r.times = <int*>room_for(memory, sizeof(int) * r.n_times)
    by_effect = [{"first": -1, "second": -1, "effect": -1}] * r.n_effects
    for i, (index, row) in enumerate(tables.times):
        r.times[i] = index
        by_effect[index] = row
    r.time_rules = rule_rows(memory, by_effect)
    r.n_ends = len(tables.ends)
    r.ends = <End*>room_for(memory, r.n_ends * sizeof(End))
    for i, row in enumerate(tables.ends):
        r.ends[i] = row


cdef Rule* rule_rows(list memory, rows) except NULL:
    cdef Rule* out = <Rule*>room_for(memory, len(rows) * sizeof(Rule))
    cdef int i
    for i, row in enumerate(rows):
        out[i].first, out[i].second, out[i].effect = row["first"], row["second"], row["effect"]
        out[i].pairs_of_fixtures = row.get("pairs_of_fixtures", False)
        out[i].first_bits, out[i].second_bits = row.get("first_bits", 0), row.get("second_bits", 0)
        first, second = row.get("first_types", []), row.get("second_types", [])
        out[i].n_first, out[i].first_types = len(first), shorts(memory, first)
        out[i].n_second, out[i].second_types = len(second), shorts(memory, second)
    return out


cdef object set_layout(Rules* r, list memory, tables):
    r.groups_at = (sizeof(Head) + 7) // 8 * 8
    r.alive_at = (r.groups_at + r.n_types * sizeof(GroupState) + 7) // 8 * 8
    r.flags_at = r.alive_at + 8 * r.n_words
    r.n_flag_words = (tables.n_lines + 63) // 64
    r.cells_at = r.flags_at + 8 * r.n_flag_words
    r.records_at = (r.cells_at + 2 * r.n_cells + 7) // 8 * 8
    r.extra_at = (sizeof(Sprite) + 4 * r.n_resources + 7) // 8 * 8
    r.stride = r.extra_at + (sizeof(Extra) if r.has_extra else 0)


cdef object set_paths(Rules* r, list memory, tables):
    cdef int8_t* blocked
    cdef int i, n = r.width * r.height
    if tables.blocked is None:
        return
    if n > MAX_PATH_CELLS:
        raise BadInput(f"path-finding works on levels of at most {MAX_PATH_CELLS} cells, this one has {n}")
    blocked = <int8_t*>room_for(memory, n)
    for i in range(n):
        blocked[i] = tables.blocked[i]
    r.paths = <int8_t*>room_for(memory, n * n)
    if not find_paths(r.width, r.height, blocked, r.paths):
        raise MemoryError


cdef object build_start(Sim* g, const Rules* r, tables):
    """Build the level once; every new state is a copy of it."""
    cdef int i, number, type, slot
    fixed = {number for _, number, _, _ in tables.fixtures}
    g.rules = r
    if not allocate(g, len(tables.sprites) - len(fixed) + 2 * r.spare + r.n_times):
        raise MemoryError
    g.h.free_head = g.h.timers = -1
    for i in range(MAX_PLAYERS):
        g.h.avatar[i] = g.h.winner[i] = -1
    g.h.may_end = g.h.counts_changed = 1
    for i in range(r.n_types):
        g.groups[i].head = g.groups[i].tail = -1
    for i in range(r.n_cells):
        g.cells[i] = -1
    for number, (type, column, row) in enumerate(tables.sprites):
        if number in tables.dropped:
            g.h.next_id += 1
        elif number in fixed:
            g.h.next_id += 1
            g.h.n_sprites += 1
            g.groups[type].fixtures += 1
            g.h.fixed |= r.types[type].bit
        else:
            slot = add(g, type, column * r.block, row * r.block, True)
            if slot < 0:
                raise BadInput("the level has too many sprites")
            if number in tables.avatars:
                g.h.avatar[<int>tables.avatars.index(number)] = slot
    for i in range(r.n_fixtures):
        g.alive[i >> 6] |= (<uint64_t>1) << (i & 63)
    for i in range(r.n_times):
        insert_timer(g, r.times[i], r.effects[r.times[i]].first_time, False)


cdef object fill_rules(Rules* r, list memory, tables):
    """Everything that never changes during a game; `memory` keeps the arrays alive."""
    set_sizes(r, memory, tables)
    set_types(r, memory, tables)
    set_fixtures(r, memory, tables)
    set_rules(r, memory, tables)
    set_layout(r, memory, tables)
    set_paths(r, memory, tables)
