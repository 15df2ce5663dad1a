# distutils: extra_compile_args = -O3
"""A VGDL game on one level, and its states: the contract of `core.arcade` on top of the kernels.

`VgdlGame` holds the tables, read-only once they are built. `VgdlState` is one block of memory and the tick
that runs on it.
"""

import array

from cpython cimport array as carray
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

from paidia.core.arcade cimport AVATAR, CHANGING_ONLY, FROM_AVATAR, MOVABLE, NIL, ArcadeGame, ArcadeState, Avatar, Collision, Seen
from paidia.core.model cimport Situation, move_t
from paidia.games.vgdl.compile.compiler cimport build_start, fill_rules
from paidia.games.vgdl.engine.kernel cimport (
    advance, all_events, allocate, copy_block, last_events, living, release, restore, seed_generator,
)
from paidia.games.vgdl.engine.layout cimport (
    ABSENT, DISABLED, FIRST_TICK, INLINE_EVENTS, K_HIDDEN, MAX_SLOTS, MAX_TICKS, SHOT, Event, Head, Rules, Sim, Sprite, Type, at,
    extra, fixture_alive, resources,
)

from paidia.core.arcade import ACTIONS
from paidia.core.errors import BadInput

cdef inline uint64_t mixed(uint64_t z) noexcept nogil:
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return z ^ (z >> 31)


# ------------------------------------------------------------------------ the game

cdef class VgdlGame(ArcadeGame):
    """A VGDL game on one level."""

    def __cinit__(self):
        memset(&self.rules, 0, sizeof(Rules))
        memset(&self.start, 0, sizeof(Sim))

    def __init__(self, tables, *, str id="", str level="", bint reference_generator=True):
        """`tables` come from `compile.tables`; `reference_generator=False` chooses the quicker generator."""
        self.memory = []
        self.tables = tables
        self.reference_generator = reference_generator
        roles = ("avatar",) if tables.players == 1 else ("first", "second")
        self.declare(
            id, level, tuple(tables.names), tables.width, tables.height, tables.block, MAX_TICKS,
            tables.stochastic, roles,
        )
        fill_rules(&self.rules, self.memory, tables)
        build_start(&self.start, &self.rules, tables)
        self.start.h.fast_rng = not reference_generator

    def __dealloc__(self):
        release(&self.start)

    def initial_state(self, seed=0):
        """A new state at the start of the level; `seed` starts its generator."""
        cdef VgdlState state = VgdlState(self)
        state.c_seed(seed)
        return state

    def from_text(self, str text):
        """The situation that a text describes; `engine/position.pyx` says how."""
        from paidia.games.vgdl.engine.position import read_position     # which needs this module

        return read_position(self, text)


include "observation.pxi"


# ------------------------------------------------------------------------ the state

cdef class VgdlState(ArcadeState):
    """One situation of a VGDL game."""

    def __cinit__(self, VgdlGame game not None):
        memset(&self.sim, 0, sizeof(Sim))
        self.game = game
        self.sim.rules = &game.rules
        if not allocate(&self.sim, game.start.h.used + game.rules.spare):
            raise MemoryError
        copy_block(&self.sim, &game.start)

    def __dealloc__(self):
        release(&self.sim)

    cdef int c_legal(self, int role, const move_t** actions) noexcept nogil:
        cdef Sim* g = &self.sim
        cdef const Type* t
        if g.h.avatar[role] < 0 or g.h.ended:
            return 0
        if g.rules.n_players > 1 and at(g, g.h.avatar[role]).flags & DISABLED:      # the other plays on
            return 0
        t = &g.rules.types[at(g, g.h.avatar[role]).type]
        actions[0] = t.actions
        if t.n_actions == 1 and t.actions[0] == NIL:      # NullAvatar: its only action is to do nothing
            return 0
        return t.n_actions

    cdef void c_play(self, const move_t* joint) noexcept nogil:
        cdef Sim* g = &self.sim
        if g.h.ended:
            return
        advance(g, joint)

    cdef void c_copy(self, Situation other) noexcept nogil:
        if not copy_block(&self.sim, &(<VgdlState>other).sim):
            with gil:
                self.fail(MemoryError(f"no memory for a situation of {self.game.id}"))

    cdef void c_seed(self, uint64_t seed) noexcept nogil:
        seed_generator(&self.sim, seed)

    cdef bint c_terminal(self) noexcept nogil:
        return self.failed or self.sim.h.ended

    cdef int c_winner(self, int role) noexcept nogil:
        return self.sim.h.winner[role]

    cdef void c_values(self, double* values) noexcept nogil:
        cdef int role
        for role in range(self.sim.rules.n_players):
            values[role] = self.sim.h.score[role]

    cdef double c_score(self) noexcept nogil:
        return self.sim.h.score[0]

    cdef int c_tick(self) noexcept nogil:
        return self.sim.h.tick

    cdef bint c_alive(self, int role) noexcept nogil:
        return self.sim.h.avatar[role] >= 0 and not at(&self.sim, self.sim.h.avatar[role]).flags & DISABLED

    cdef void c_avatar(self, Avatar* out) noexcept nogil:
        cdef Sim* g = &self.sim
        cdef Sprite* s
        if g.h.avatar[0] < 0:
            out.type = -1
            return
        s = at(g, g.h.avatar[0])
        out.x, out.y = s.x, s.y
        out.facing_x, out.facing_y, out.speed = s.ox, s.oy, s.speed
        out.type, out.health, out.max_health = s.type, s.health, s.max_health
        out.limit_health = g.rules.types[s.type].limit_health

    cdef int c_place(self) noexcept nogil:
        cdef Sim* g = &self.sim
        cdef const Rules* r = g.rules
        cdef const Sprite* s
        if self.game.n_places == 1 or g.h.avatar[0] < 0:
            return 0
        s = at(g, g.h.avatar[0])        # its column and row have a margin of one around the level
        return min(max(s.row - 1, 0), r.height - 1) * r.width + min(max(s.column - 1, 0), r.width - 1)

    cdef int c_resource(self, int type) noexcept nogil:
        cdef Sim* g = &self.sim
        cdef int i, amount
        for i in range(g.rules.n_resources):
            if g.rules.resource_types[i] == type and g.h.avatar[0] >= 0:
                amount = resources(at(g, g.h.avatar[0]))[i]
                return 0 if amount == ABSENT else amount
        return 0

    cdef int c_count(self, int type) noexcept nogil:
        return living(&self.sim, type)

    cdef int c_seen(self, unsigned int categories, Seen* out, int limit) noexcept nogil:
        cdef Sim* g = &self.sim
        cdef const Rules* r = g.rules
        cdef const Type* t
        cdef int type, slot, i, n = 0, category
        cdef Sprite* s
        for type in range(r.n_types):
            t = &r.types[type]
            if t.flags & K_HIDDEN:
                continue
            if g.groups[type].fixtures and (categories >> t.category) & 1 and not categories & CHANGING_ONLY:
                for i in range(t.first_fixture, t.first_fixture + t.n_fixtures):
                    if fixture_alive(g, i):
                        if n < limit:
                            out[n].category, out[n].type, out[n].id = t.category, type, r.fixture_id[i]
                            out[n].x, out[n].y = r.fixture_x[i], r.fixture_y[i]
                        n += 1
            slot = g.groups[type].head
            while slot >= 0:
                s = at(g, slot)
                category = category_of(t, s)
                if (categories >> category) & 1:
                    if n < limit:
                        out[n].category, out[n].type, out[n].id = category, type, s.id
                        out[n].x, out[n].y = s.x, s.y
                    n += 1
                slot = s.next
        return n

    cdef int c_n_collisions(self) noexcept nogil:
        return self.sim.h.n_events

    cdef int c_collisions(self, int n, Collision* out) noexcept nogil:
        cdef Event one
        cdef int i, total = last_events(&self.sim, n, <Event*>out)
        for i in range(total - 1, -1, -1):      # both records are 32 bytes, so they are widened in place
            one = (<Event*>out)[i]
            out[i].tick, out[i].active, out[i].passive = one.tick, one.active, one.passive
            out[i].from_avatar, out[i].x, out[i].y = one.from_avatar, one.x, one.y
            out[i].active_id, out[i].passive_id = one.active_id, one.passive_id
        return total

    cdef uint64_t c_key(self) noexcept nogil:
        cdef Sim* g = &self.sim
        cdef const Rules* r = g.rules
        cdef uint64_t key = 0, one
        cdef int i, k, slot
        cdef Sprite* s
        for i in range(r.n_words):
            key += mixed(g.alive[i] + <uint64_t>(i + 1) * <uint64_t>0x9E3779B97F4A7C15)
        for i in range(r.n_types):
            slot = g.groups[i].head
            while slot >= 0:
                s = at(g, slot)
                one = (<uint64_t>(s.x + (1 << 25)) << 32) + <uint64_t>(s.y + (1 << 25))
                one = mixed(one + <uint64_t>i * <uint64_t>0x9E3779B97F4A7C15)
                one ^= <uint64_t>(<int>(s.ox * 4096) * 31 + <int>(s.oy * 4096) * 1009)
                one += <uint64_t>(s.flags & (FIRST_TICK | DISABLED | SHOT)) ^ (<uint64_t>s.health << 32)
                # What cannot be seen but decides what it does next: its pace, its age, whether it rests.
                one = mixed(one + <uint64_t><int64_t>(s.speed * 4096) + (<uint64_t>s.a << 32))
                one += <uint64_t>min(s.lastmove, r.types[i].cooldown) ^ (<uint64_t>s.ttl << 32)
                if r.has_extra:
                    one = mixed(one + <uint64_t><int64_t>(extra(g, s).gravity * 65536))
                    one += <uint64_t><int64_t>(extra(g, s).rotation * 4096) ^ <uint64_t>extra(g, s).on_ground
                for k in range(r.n_resources):
                    one = mixed(one + <uint64_t>(resources(s)[k] + 7))
                key += mixed(one)
                slot = s.next
        if r.n_players > 1:
            key = mixed(key + <uint64_t>(<long>(g.h.score[1] * 16)))
        return mixed(key ^ <uint64_t>(<long>(g.h.score[0] * 16)))

    def image(self):
        """The block of the state, and after it the events that are in chunks."""
        cdef Sim* g = &self.sim
        cdef Py_ssize_t size = g.rules.records_at + <Py_ssize_t>g.h.used * g.rules.stride
        cdef int n = g.h.n_events
        cdef carray.array memory = array.array("b", bytes(size + n * sizeof(Event)))
        memcpy(memory.data.as_chars, g.block, size)
        last_events(g, n, <Event*>(memory.data.as_chars + size))
        (<Head*>memory.data.as_chars).chunk = NULL
        return memory.tobytes()

    def take_image(self, bytes data):
        """See `Situation.take_image`; an image of other rules or another level is refused as far as its size tells."""
        cdef Sim* g = &self.sim
        cdef const Head* h
        cdef const char* block = data
        cdef Py_ssize_t size = g.rules.records_at
        if len(data) >= size:
            h = <const Head*>block
            if 0 <= h.used <= MAX_SLOTS and 0 <= h.n_inline <= h.n_events and h.n_inline <= INLINE_EVENTS:
                size += <Py_ssize_t>h.used * g.rules.stride
                if len(data) == size + <Py_ssize_t>h.n_events * <Py_ssize_t>sizeof(Event):
                    if not restore(g, block, h.used, <const Event*>(block + size), h.n_events - h.n_inline):
                        raise MemoryError
                    return
        raise BadInput(f"{self.game.id}: this is no image of one of its situations")

    def to_text(self):
        from paidia.games.vgdl.engine.position import write_position

        return write_position(self)

    def observe(self, uint8_t[:, :, ::1] out):
        if (out.shape[0], out.shape[1], out.shape[2]) != self.game.observation_shape:
            raise ValueError(f"an observation of {self.game.id} has the shape {self.game.observation_shape}")
        fill_bits(&self.sim, &out[0, 0, 0])

    def observe_ids(self, uint8_t[:, ::1] out):
        """Fill an array (height, width) with 1 + the type of the sprite on top of each cell, 0 where there is none."""
        if (out.shape[0], out.shape[1]) != self.game.observation_shape[:2]:
            raise ValueError(f"such an observation of {self.game.id} has the shape {self.game.observation_shape[:2]}")
        fill_ids(&self.sim, &out[0, 0])

    def play_number(self, int action):
        """Play one tick with an action by its number, NIL where the avatar does not have it; returns the change of the score."""
        cdef Sim* g = &self.sim
        cdef const Type* t
        cdef double before = g.h.score[0]
        cdef int k
        cdef move_t played = NIL
        if action != NIL and g.h.avatar[0] >= 0:
            t = &g.rules.types[at(g, g.h.avatar[0]).type]
            for k in range(t.n_actions):
                if t.actions[k] == action:
                    played = action
        self.c_play(&played)
        return g.h.score[0] - before

    # ---------------------------------------------------------------- for views and tests

    @property
    def last_action(self):
        """The last action applied to the avatar."""
        return ACTIONS[self.sim.h.last_action[0]]

    def last_action_of(self, int role):
        """The last action applied to a player's avatar."""
        self._check_role(role)
        return ACTIONS[self.sim.h.last_action[role]]

    def sprites(self):
        """Every sprite by type and then age: (type, id, x, y, flags, fixture), disabled avatars included."""
        cdef Sim* g = &self.sim
        cdef const Rules* r = g.rules
        cdef const Type* t
        cdef int type, slot, i
        cdef list out = []
        cdef Sprite* s
        for type in range(r.n_types):
            t = &r.types[type]
            for i in range(t.first_fixture, t.first_fixture + t.n_fixtures):
                if fixture_alive(g, i):
                    out.append((type, r.fixture_id[i], r.fixture_x[i], r.fixture_y[i], 0, True))
            slot = g.groups[type].head
            while slot >= 0:
                s = at(g, slot)
                out.append((type, s.id, s.x, s.y, s.flags, False))
                slot = s.next
        return out

    def group(self, int type):
        """The sprites of exactly one type, oldest first: (id, x, y, category)."""
        cdef Sim* g = &self.sim
        cdef const Rules* r = g.rules
        cdef const Type* t
        cdef int slot, i
        cdef list out = []
        cdef Sprite* s
        if not 0 <= type < <int>len(self.game.types):
            raise BadInput(f"{self.game.id} has types 0 to {len(self.game.types) - 1}, not {type}")
        t = &r.types[type]
        slot = g.groups[type].head
        for i in range(t.first_fixture, t.first_fixture + t.n_fixtures):
            if fixture_alive(g, i):
                out.append((r.fixture_id[i], r.fixture_x[i], r.fixture_y[i], t.category))
        while slot >= 0:
            s = at(g, slot)
            out.append((s.id, s.x, s.y, category_of(t, s)))
            slot = s.next
        return out

    def categories(self):
        """For every type the set of categories of its sprites, as bits (1 << category)."""
        cdef Sim* g = &self.sim
        cdef const Type* t
        cdef int type, slot, bits
        cdef list out = []
        for type in range(g.rules.n_types):
            t = &g.rules.types[type]
            bits = (1 << t.category) if g.groups[type].fixtures else 0
            slot = g.groups[type].head
            while slot >= 0:
                bits |= 1 << category_of(t, at(g, slot))
                slot = at(g, slot).next
            out.append(bits)
        return out

    def avatar(self, int role=0):
        """A player's avatar: position, orientation, speed, type, health (now, most ever, limit), resources by type;
        None if gone.
        """
        cdef Sim* g = &self.sim
        cdef Sprite* s
        cdef int i
        self._check_role(role)
        if g.h.avatar[role] < 0:
            return None
        s = at(g, g.h.avatar[role])
        held = {
            self.game.tables.resources[i]: resources(s)[i]
            for i in range(g.rules.n_resources) if resources(s)[i] != ABSENT
        }
        health = (s.health, s.max_health, g.rules.types[s.type].limit_health)
        return ((s.x, s.y), (s.ox, s.oy), s.speed, s.type, health, held)

    def action_list(self, int role=0):
        """A player's action list also after the end of the game."""
        cdef Sim* g = &self.sim
        cdef const Type* t
        cdef int i
        self._check_role(role)
        if g.h.avatar[role] < 0:
            return []
        t = &g.rules.types[at(g, g.h.avatar[role]).type]
        return [ACTIONS[t.actions[i]] for i in range(t.n_actions)]

    def counts(self):
        """Living sprites of every type."""
        return [living(&self.sim, i) for i in range(self.sim.rules.n_types)]

    def checksum(self):
        """Sum over all living sprites of a hash of type and position, modulo 2**32; does not depend on their
        order.
        """
        cdef Sim* g = &self.sim
        cdef const Rules* r = g.rules
        cdef const Type* t
        cdef int type, slot, i
        cdef uint64_t total = 0
        cdef Sprite* s
        for type in range(r.n_types):
            t = &r.types[type]
            for i in range(t.first_fixture, t.first_fixture + t.n_fixtures):
                if fixture_alive(g, i):
                    total += place_hash(type, r.fixture_x[i], r.fixture_y[i])
            slot = g.groups[type].head
            while slot >= 0:
                s = at(g, slot)
                if not s.flags & DISABLED:
                    total += place_hash(type, s.x, s.y)
                slot = s.next
        return total & <uint64_t>0xFFFFFFFF

    def events(self):
        """The whole history: (tick, active type, passive type, from avatar, x, y, active id, passive id)."""
        cdef int i, n = self.sim.h.n_events
        cdef carray.array memory = array.array("b", bytes(n * sizeof(Event) + 1))
        cdef Event* out = <Event*>memory.data.as_voidptr
        n = all_events(&self.sim, out, n)
        return [
            (
                out[i].tick, out[i].active, out[i].passive, out[i].from_avatar, out[i].x, out[i].y,
                out[i].active_id, out[i].passive_id,
            )
            for i in range(n)
        ]

    def picture(self):
        from paidia.games.vgdl.views.pictures import frame_scene    # views look at states, so they come after them

        return frame_scene(self)

    def touched(self, int role, int move):
        return []

    def check_index(self):
        """Whether lists, counts and cells tell the same story; a defect if not."""
        cdef Sim* g = &self.sim
        cdef const Rules* r = g.rules
        cdef int type, slot, n, last, cell, total = 0
        cdef Sprite* s
        for type in range(r.n_types):
            slot, n, last = g.groups[type].head, 0, -1
            while slot >= 0:
                s = at(g, slot)
                column = min(max(s.x // r.block if s.x >= 0 else -1, -1), r.width) + 1
                row = min(max(s.y // r.block if s.y >= 0 else -1, -1), r.height) + 1
                if s.type != type or s.slot != slot or s.id <= last or (s.column, s.row) != (column, row):
                    return False
                last = s.id
                n += 1
                slot = s.next
            if n != g.groups[type].records:
                return False
            total += n
        n = 0
        for cell in range(r.n_cells):
            slot = g.cells[cell]
            while slot >= 0:
                s = at(g, slot)
                if s.row * r.columns + s.column != cell:
                    return False
                n += 1
                slot = s.cell_next
        return n == total

    @property
    def size(self):
        """Bytes that a copy moves."""
        return self.sim.rules.records_at + self.sim.h.used * self.sim.rules.stride


cdef inline int category_of(const Type* t, const Sprite* s) noexcept nogil:
    """What an agent sees a sprite as; only what would be "movable" can be "from the avatar"."""
    return FROM_AVATAR if t.category == MOVABLE and s.flags & SHOT else t.category


cdef inline uint64_t place_hash(int type, int x, int y) noexcept nogil:
    cdef uint64_t mask = <uint64_t>0xFFFFFFFF
    return (
        ((<uint64_t>(type + 1) * 73856093) & mask) ^ ((<uint64_t>(x + 10000) * 19349663) & mask)
        ^ ((<uint64_t>(y + 10000) * 83492791) & mask)
    )
