"""Records of sprites: creating, placing, killing, removing them, and growing the block they live in."""

from libc.stdint cimport int16_t, int32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memset

from paidia.games.vgdl.engine.layout cimport (
    ABSENT, DISABLED, FIXTURE, K_AVATAR, KILLED, MAX_SLOTS, MAX_SPRITES, NONE_REF, Chunk, Extra, GroupState,
    Head, Rules, Sim, Sprite, Type, at, extra, fixture_alive, resources, type_of,
)
from paidia.games.vgdl.engine.history cimport drop_chunk, hold_chunk


cdef void seat(Sim* g) noexcept nogil:
    """Point into the block where its parts are."""
    cdef const Rules* r = g.rules
    g.h = <Head*>g.block
    g.groups = <GroupState*>(g.block + r.groups_at)
    g.alive = <uint64_t*>(g.block + r.alive_at)
    g.score_flags = <uint64_t*>(g.block + r.flags_at)
    g.cells = <int16_t*>(g.block + r.cells_at)
    g.records = g.block + r.records_at


cdef bint allocate(Sim* g, int capacity) noexcept nogil:
    """A block for a new state; false if there is no memory."""
    memset(&g.s, 0, sizeof(g.s))
    g.capacity = capacity
    g.block = <char*>malloc(g.rules.records_at + <size_t>capacity * g.rules.stride)
    g.s.killed = <uint64_t*>malloc(8 * (g.rules.n_words + 1))
    if g.block == NULL or g.s.killed == NULL:
        return False
    memset(g.block, 0, g.rules.records_at)
    memset(g.s.killed, 0, 8 * (g.rules.n_words + 1))
    seat(g)
    return True


cdef void release(Sim* g) noexcept nogil:
    if g.block != NULL:
        drop_chunk(g.h.chunk)
    free(g.block)
    free(g.s.killed)
    free(g.s.kills)
    free(g.s.hits)
    free(g.s.candidates)
    free(g.s.shields)
    free(g.s.pulled)
    memset(&g.s, 0, sizeof(g.s))
    g.block = NULL


cdef bint grow(Sim* g, int capacity) noexcept nogil:
    """Room for more records. The block may move: pointers to sprites are void afterwards, references are not.
    """
    cdef char* block
    if capacity > MAX_SLOTS:
        capacity = MAX_SLOTS
    if capacity <= g.capacity:
        return False
    block = <char*>realloc(g.block, g.rules.records_at + <size_t>capacity * g.rules.stride)
    if block == NULL:
        return False
    g.block = block
    g.capacity = capacity
    seat(g)
    return True


cdef bint copy_block(Sim* to, const Sim* source) noexcept nogil:
    """Become a copy of another state of the same game."""
    cdef int used = source.h.used
    cdef Chunk* before = to.h.chunk
    if used > to.capacity and not grow(to, used):
        return False
    memcpy(to.block, source.block, source.rules.records_at + <size_t>used * source.rules.stride)
    if before != source.h.chunk:
        hold_chunk(source.h.chunk)
        drop_chunk(before)
    return True


cdef int take_slot(Sim* g) noexcept nogil:
    """A free slot, or -1. Never moves the block."""
    cdef Head* h = g.h
    cdef int slot
    if h.n_free > 0:
        slot = h.free_head
        h.free_head = at(g, slot).next
        h.n_free -= 1
        return slot
    if h.used < g.capacity:
        h.used += 1
        return h.used - 1
    return -1


cdef void free_slot(Sim* g, int slot) noexcept nogil:
    cdef Head* h = g.h
    if slot == h.used - 1:
        h.used -= 1
        return
    at(g, slot).next = <int16_t>h.free_head
    at(g, slot).id = -1
    h.free_head = slot
    h.n_free += 1


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
    if t.cls < 0:
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
        extra(g, s).gravity = t.gravity
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
    if g.h.avatar == slot:
        g.h.avatar = -1
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
