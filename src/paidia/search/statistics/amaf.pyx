"""AMAF tables (all moves as first), sized by what was really visited (docs/readings.md#amaf-repeats).

The table of a node is updated with every move of a simulation from that node to the end, each role's move with that
role's goal; a move that occurs three times counts three times, or once if `keys` is given. Most nodes of a tree are
visited once: those only remember their playout as a list, and get a table when they are visited again.
"""

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from paidia.core.machine.atomic cimport acquire, add_long, put, release, store
from paidia.core.machine.memory cimport discard, realloc
from paidia.core.model cimport NO_MOVE, move_t
from paidia.search.nodes.room cimport APART, LOCKS, crowd, resize
from paidia.search.frame.simulation cimport LastUse, Repeats, Simulation

cdef enum:
    FIRST_SLOTS = 32
    HALVE_AT = 1 << 23      # beyond this many visits a float no longer counts by ones

cdef enum:                  # of several threads: less is little
    TABLES_LEFT = 256
    SIZES_LEFT = 64         # playouts like the present one
    MEMORY_LEFT = 1 << 15


cdef inline int32_t slot_of(int32_t key, int32_t mask) noexcept nogil:
    return <int32_t>((<unsigned int>key * <unsigned int>2654435769) >> 8) & mask


cdef class AmafTables:
    """All AMAF tables of one tree.

    Args:
        keys: The number of pairs of role and move, if a move is to count once per simulation; 0 if each time.
        memory: Bytes that the tables may have; what comes after is not entered.
    """

    def __cinit__(self, *, int64_t keys=0, int64_t memory=<int64_t>1 << 62):
        self.keys = keys
        self.room.limit = memory

    def __dealloc__(self):
        self.clear()
        discard(self.tables)
        discard(self.memory)
        free(self.outgrown)

    def clear(self):
        """Forget everything."""
        cdef int64_t i
        self.free_outgrown()
        for i in range(self.n_tables):
            discard(self.tables[i].entries)
            self.room.used -= (self.tables[i].mask + 1) * sizeof(AmafEntry)
        self.n_tables = 0
        self.memory_used = 0

    cdef void find_repeats(self, Simulation* sim) noexcept nogil:
        """Before the updates of a simulation, where moves count once: which of its moves repeat earlier ones?"""
        cdef int64_t needed = <int64_t>sim.length * sim.n_roles
        cdef int t, role
        cdef move_t move
        cdef int32_t* previous
        cdef LastUse* last
        cdef Repeats* repeats = &sim.repeats
        if needed > repeats.capacity:
            previous = <int32_t*>realloc(repeats.previous, 2 * needed * sizeof(int32_t))
            if previous == NULL:
                return
            repeats.previous, repeats.capacity = previous, 2 * needed
        repeats.simulation += 1
        for t in range(sim.length):
            for role in range(sim.n_roles):
                move = sim.keys[t * sim.n_roles + role]
                if move != NO_MOVE:
                    last = &repeats.last_use[<int64_t>role * sim.n_keys + move]
                    repeats.previous[t * sim.n_roles + role] = last.step if last.simulation == repeats.simulation else -1
                    last.simulation = repeats.simulation
                    last.step = t

    cdef inline bint counts(self, const Simulation* sim, int at, int step) noexcept nogil:
        """Whether the move at this place of the simulation counts for a node that was reached at `step`."""
        return sim.keys[at] != NO_MOVE and (
            self.keys == 0 or (at < sim.repeats.capacity and sim.repeats.previous[at] < step))

    cdef int64_t remember(self, const Simulation* sim, int step) noexcept nogil:
        """Keep the moves from `step` on for a node that was visited for the first time."""
        cdef int64_t size = 1 + sim.n_roles + <int64_t>(sim.length - step) * sim.n_roles
        cdef int64_t at = self.memory_used, n
        cdef int role, t
        cdef float goal
        if self.shared:
            at = add_long(&self.memory_used, size)
            if at + SIZES_LEFT * size > self.memory_capacity:
                self.wished = max(self.wished, 2 * SIZES_LEFT * size)
                crowd(&self.crowded)
            if at + size > self.memory_capacity:
                add_long(&self.memory_used, -size)
                return NO_AMAF
        elif at + size > self.memory_capacity and not self.grow_memory(at + size):
            return NO_AMAF
        n = at + 1
        for role in range(sim.n_roles):
            goal = <float>sim.goals[role]
            memcpy(&self.memory[n], &goal, sizeof(float))
            n += 1
        for t in range(step, sim.length):
            for role in range(sim.n_roles):
                if self.counts(sim, t * sim.n_roles + role, step):
                    self.memory[n] = role * sim.n_keys + sim.keys[t * sim.n_roles + role] + 1
                    n += 1
        self.memory[at] = <int32_t>(n - at - 1 - sim.n_roles)
        if not self.shared:
            self.memory_used = n
        return -2 - at

    cdef int64_t unfold(self, int64_t handle, const Simulation* sim) noexcept nogil:
        """The table of a node, made now if it was not there; a remembered playout goes into it."""
        cdef int64_t at, table, i
        cdef float goal
        cdef int32_t key
        if handle >= 0:
            return handle
        table = self.new_table()
        if handle <= -2 and table >= 0:
            at = -2 - handle
            for i in range(self.memory[at]):
                key = self.memory[at + 1 + sim.n_roles + i]
                memcpy(&goal, &self.memory[at + 1 + (key - 1) // sim.n_keys], sizeof(float))
                self.add(&self.tables[table], key, goal)
        return table

    cdef void update(self, int64_t handle, const Simulation* sim, int step) noexcept nogil:
        """Enter every move from `step` to the end."""
        cdef AmafTable* table
        cdef int t, role
        if handle < 0:
            return
        table = &self.tables[handle]
        if self.shared:
            acquire(&self.locks[handle % LOCKS * APART])
        for t in range(step, sim.length):
            for role in range(sim.n_roles):
                if self.counts(sim, t * sim.n_roles + role, step):
                    self.add(table, role * sim.n_keys + sim.keys[t * sim.n_roles + role] + 1, <float>sim.goals[role])
        if self.shared:
            release(&self.locks[handle % LOCKS * APART])

    cdef const AmafEntry* find(self, int64_t handle, int role, const Simulation* sim, move_t move) noexcept nogil:
        """The entry of a move in the present place, or NULL."""
        cdef const AmafEntry* entries
        cdef int32_t key = role * sim.n_keys + sim.place * sim.n_moves + move + 1
        cdef int32_t at, mask
        if handle < 0:
            return NULL
        entries = entries_of(&self.tables[handle], &mask)
        at = slot_of(key, mask)
        while entries[at].key != 0:
            if entries[at].key == key:
                return &entries[at]
            at = (at + 1) & mask
        return NULL

    cdef void add(self, AmafTable* table, int32_t key, float goal) noexcept nogil:
        cdef int32_t at = slot_of(key, table.mask)
        while table.entries[at].key != key:
            if table.entries[at].key == 0:
                if 8 * (table.used + 1) > 7 * (table.mask + 1):
                    if self.enlarge(table):
                        self.add(table, key, goal)
                    return
                table.entries[at].visits, table.entries[at].sum = 1.0, goal
                put(&table.entries[at].key, key)        # who sees it finds a visit
                table.used += 1
                return
            at = (at + 1) & table.mask
        table.entries[at].visits += 1.0
        table.entries[at].sum += goal
        if table.entries[at].visits >= HALVE_AT:
            table.entries[at].visits *= 0.5
            table.entries[at].sum *= 0.5

    cdef bint enlarge(self, AmafTable* table) noexcept nogil:
        cdef int32_t mask = 2 * table.mask + 1, i, at
        cdef AmafEntry* entries = self.entries(mask + 1)
        if entries == NULL:
            return False
        for i in range(table.mask + 1):
            if table.entries[i].key != 0:
                at = slot_of(table.entries[i].key, mask)
                while entries[at].key != 0:
                    at = (at + 1) & mask
                entries[at] = table.entries[i]
        if self.shared:
            self.keep_outgrown(table)
        else:
            discard(table.entries)
            self.room.used -= (table.mask + 1) * sizeof(AmafEntry)
        store(<void**>&table.entries, entries)
        put(&table.mask, mask)
        return True

    cdef AmafEntry* entries(self, int32_t slots) noexcept nogil:
        """Empty slots."""
        cdef void* block
        if self.shared:
            acquire(&self.lock)
        block = resize(&self.room, NULL, 0, slots * sizeof(AmafEntry))
        if self.shared:
            release(&self.lock)
        if block != NULL:
            memset(block, 0, slots * sizeof(AmafEntry))
        return <AmafEntry*>block

    cdef int64_t new_table(self) noexcept nogil:
        cdef AmafEntry* entries
        cdef int64_t table = self.n_tables
        if not self.shared and table == self.capacity and not self.grow_tables():
            return NO_AMAF
        entries = self.entries(FIRST_SLOTS)
        if entries == NULL:
            return NO_AMAF
        if self.shared:
            table = add_long(&self.n_tables, 1)
            if table + TABLES_LEFT >= self.capacity:
                crowd(&self.crowded)
            if table >= self.capacity:
                add_long(&self.n_tables, -1)
                self.drop(entries, FIRST_SLOTS)
                return NO_AMAF
        else:
            self.n_tables += 1
        self.tables[table].entries = entries
        self.tables[table].mask = FIRST_SLOTS - 1
        self.tables[table].used = 0
        return table

    cdef bint grow_tables(self) noexcept nogil:
        cdef int64_t capacity = 2 * self.capacity + 1024
        cdef void* tables = resize(&self.room, self.tables, self.capacity * sizeof(AmafTable), capacity * sizeof(AmafTable))
        if tables == NULL:
            return False
        self.tables, self.capacity = <AmafTable*>tables, capacity
        return True

    cdef bint grow_memory(self, int64_t needed) noexcept nogil:
        """Room for twice as many numbers as are needed."""
        cdef int64_t capacity = 2 * needed
        cdef void* memory = resize(
            &self.room, self.memory, self.memory_capacity * sizeof(int32_t), capacity * sizeof(int32_t))
        if memory == NULL:
            return False
        self.memory, self.memory_capacity = <int32_t*>memory, capacity
        return True

    # ---------------------------------------------------------------- several threads

    cdef bint make_room(self) noexcept nogil:
        cdef int64_t wished = max(self.wished, MEMORY_LEFT)
        self.free_outgrown()
        return (
            (self.n_tables + 2 * TABLES_LEFT < self.capacity or self.grow_tables())
            and (self.memory_used + wished < self.memory_capacity or self.grow_memory(self.memory_used + wished)))

    cdef void drop(self, AmafEntry* entries, int64_t slots) noexcept nogil:
        acquire(&self.lock)
        discard(entries)
        self.room.used -= slots * sizeof(AmafEntry)
        release(&self.lock)

    cdef void keep_outgrown(self, const AmafTable* table) noexcept nogil:
        """Another thread may still be reading it."""
        cdef int64_t capacity
        cdef void** outgrown
        acquire(&self.lock)
        if self.n_outgrown == self.outgrown_capacity:
            capacity = 2 * self.outgrown_capacity + 64
            outgrown = <void**>realloc(self.outgrown, capacity * sizeof(void*))
            if outgrown != NULL:
                self.outgrown, self.outgrown_capacity = outgrown, capacity
        if self.n_outgrown < self.outgrown_capacity:    # else it is lost, which is better than freed too early
            self.outgrown[self.n_outgrown] = table.entries
            self.n_outgrown += 1
            self.bytes_outgrown += (table.mask + 1) * sizeof(AmafEntry)
        release(&self.lock)

    cdef void free_outgrown(self) noexcept nogil:
        cdef int64_t i
        for i in range(self.n_outgrown):
            discard(self.outgrown[i])
        self.room.used -= self.bytes_outgrown
        self.n_outgrown = self.bytes_outgrown = 0

    cdef int64_t move_to(self, AmafTables other, int64_t handle, int n_roles) noexcept nogil:
        """Hand what `handle` means over to other tables (a tree that is compacted); returns the handle there."""
        cdef int64_t table, at, size
        if handle >= 0:
            table = other.new_table()
            if table >= 0:
                discard(other.tables[table].entries)
                other.tables[table] = self.tables[handle]
                other.room.used += (self.tables[handle].mask + 1 - FIRST_SLOTS) * <int64_t>sizeof(AmafEntry)
                self.tables[handle].entries = NULL
            return table
        if handle <= -2:
            at = -2 - handle
            size = 1 + n_roles + self.memory[at]
            if other.memory_used + size > other.memory_capacity and not other.grow_memory(other.memory_used + size):
                return NO_AMAF
            memcpy(other.memory + other.memory_used, self.memory + at, size * sizeof(int32_t))
            other.memory_used += size
            return -2 - (other.memory_used - size)
        return NO_AMAF
