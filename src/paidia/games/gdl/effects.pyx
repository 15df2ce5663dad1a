# distutils: language = c++
"""What a joint move does to the fluents, found by partial evaluation.

Fixing a joint move, and with it every fluent that its moves require to be legal, decides most of what the next state
depends on. What is left for each fluent is: nothing (it stays), a constant, or a condition on the state. These are
made when a joint move is first played and kept for all states of the game, up to a limit of memory.
"""

from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy
from libcpp.vector cimport vector

from paidia.core.bits cimport mix
from paidia.core.game cimport MAX_ROLES, move_t
from paidia.games.gdl.machine cimport Machine
from paidia.games.gdl.net cimport Net
from paidia.games.gdl.netlist cimport BASE, DOES, GATE, LOOP, UNKNOWN, Netlist, Ternary

cdef extern from "paidia/games/gdl/atomic.h" nogil:
    void acquire "paidia_lock"(int* lock)
    void release "paidia_unlock"(int* lock)
    void* load "paidia_load"(void** at)
    void store "paidia_store"(void** at, void* pointer)

cdef enum:
    MOST_DIRECT = 1 << 20       # joint moves that get a slot each
    FIRST_SLOTS = 1 << 10

MOST_BYTES = 256 << 20          # of effects that one game keeps


cdef class EffectTable:
    """The effects of all joint moves that have been played."""

    def __cinit__(self, Machine machine):
        cdef Net net = machine.net
        cdef Netlist netlist = net.netlist
        cdef int32_t node
        cdef uint64_t n_joint = 1, n
        self.machine = machine
        self.n_roles = <int>len(net.roles)
        self.most_bytes = MOST_BYTES
        self.direct = True
        for role in range(self.n_roles):
            self.stride[role] = n_joint
            n = max(1, net.first_move[role + 1] - net.first_move[role])
            if n_joint > MOST_DIRECT // n:
                self.direct = False
                break
            n_joint *= n
        n = n_joint if self.direct else FIRST_SLOTS
        self.slots = <Slots*>calloc(1, sizeof(Slots) + n * sizeof(void*))
        if self.slots == NULL:
            raise MemoryError
        self.slots.mask = n - 1
        self.values = Ternary(netlist)
        for node in range(netlist.size()):
            if netlist.kind[node] == DOES:
                self.values.value[node] = 0
            elif netlist.kind[node] == BASE or netlist.kind[node] == LOOP:
                self.values.value[node] = UNKNOWN
        self.values.settle()
        self.local_of.assign(netlist.size(), -1)

    def __dealloc__(self):
        cdef uint64_t i, n
        if self.slots != NULL:
            n = self.slots.mask + 1
            for i in range(n):
                free(self.slots.slot[i])
            free(self.slots)
        for i in range(self.outgrown.size()):
            free(self.outgrown[i])

    # ---------------------------------------------------------------- the table

    cdef uint64_t first_slot(self, const Slots* slots, const move_t* joint) noexcept nogil:
        cdef uint64_t at = 0
        cdef int role
        if self.direct:
            for role in range(self.n_roles):
                at += <uint64_t>joint[role] * self.stride[role]
            return at
        for role in range(self.n_roles):
            at = mix(at, <uint64_t>joint[role])
        return at & slots.mask

    cdef const Effects* look_up(self, const move_t* joint) noexcept nogil:
        cdef Slots* slots = <Slots*>load(<void**>&self.slots)
        cdef uint64_t at = self.first_slot(slots, joint)
        cdef Effects* found
        cdef int role
        while True:
            found = <Effects*>load(<void**>&slots.slot[at])
            if found == NULL or self.direct:
                return found
            role = 0
            while role < self.n_roles and found.joint[role] == joint[role]:
                role += 1
            if role == self.n_roles:
                return found
            at = (at + 1) & slots.mask

    cdef void enter(self, Effects* effects) noexcept nogil:
        cdef Slots* slots = self.slots
        cdef Slots* larger
        cdef uint64_t at, i
        if not self.direct and 2 * self.n_made > slots.mask:
            larger = <Slots*>calloc(1, sizeof(Slots) + 2 * (slots.mask + 1) * sizeof(void*))
            if larger != NULL:
                larger.mask = 2 * slots.mask + 1
                for i in range(slots.mask + 1):
                    if slots.slot[i] != NULL:
                        at = self.first_slot(larger, slots.slot[i].joint)
                        while larger.slot[at] != NULL:
                            at = (at + 1) & larger.mask
                        larger.slot[at] = slots.slot[i]
                self.outgrown.push_back(slots)
                store(<void**>&self.slots, larger)
                slots = larger
        at = self.first_slot(slots, effects.joint)
        while slots.slot[at] != NULL:
            at = (at + 1) & slots.mask
        store(<void**>&slots.slot[at], effects)
        self.n_made += 1

    cdef const Effects* find(self, const move_t* joint, Effects** spare) noexcept nogil:
        cdef const Effects* found = self.look_up(joint)
        cdef Effects* made
        if found != NULL:
            return found
        acquire(&self.lock)
        found = self.look_up(joint)
        if found == NULL:
            made = self.make(joint)
            found = made
            if self.bytes_made < self.most_bytes and (self.direct or self.n_made < self.slots.mask):
                self.enter(made)
            else:
                free(spare[0])
                spare[0] = made
        release(&self.lock)
        return found

    # ---------------------------------------------------------------- partial evaluation

    cdef void fix(self, const move_t* joint, bint known) noexcept nogil:
        """Let the net know the joint move and what it requires, or forget them."""
        cdef int role
        cdef int32_t move, literal
        cdef size_t i
        for role in range(self.n_roles):
            move = self.machine.net.first_move[role] + joint[role]
            self.values.change(self.machine.net.does[move], 1 if known else 0)
            for i in range(self.machine.required.sets[self.machine.net.legal[move]].size()):
                literal = self.machine.required.sets[self.machine.net.legal[move]][i]
                self.values.change(literal >> 1, 1 - (literal & 1) if known else UNKNOWN)
        self.values.propagate()
        self.values.touched.clear()

    cdef Effects* make(self, const move_t* joint) noexcept nogil:
        cdef vector[int32_t] toggle, set_true, set_false, pairs
        cdef int32_t fluent, literal, own, condition
        cdef int now, later
        cdef size_t i, size
        cdef Effects* made
        cdef int32_t* data
        self.fix(joint, True)
        self.local_start.assign(1, 0)
        self.local_pool.clear()
        for fluent in range(<int32_t>self.machine.net.next.size()):
            if self.machine.due[fluent]:
                continue
            literal = self.machine.net.next[fluent]
            own = 2 * (1 + fluent)
            now = self.values.value[self.machine.net.base[fluent]]
            later = self.values.literal_value(literal)
            if later != UNKNOWN:
                if now == UNKNOWN and later == 1:
                    set_true.push_back(1 + fluent)
                elif now == UNKNOWN:
                    set_false.push_back(1 + fluent)
                elif now != later:
                    toggle.push_back(1 + fluent)
                continue
            condition = self.resolve(literal)
            if condition == own + 1:
                toggle.push_back(1 + fluent)
            elif condition != own:
                pairs.push_back(1 + fluent)
                pairs.push_back(condition)
        for i in range(self.local_nodes.size()):
            self.local_of[self.local_nodes[i]] = -1
        self.local_nodes.clear()
        self.fix(joint, False)
        size = toggle.size() + set_true.size() + set_false.size() + pairs.size()
        size += self.local_start.size() + self.local_pool.size() + self.n_roles
        made = <Effects*>malloc(sizeof(Effects) + size * sizeof(int32_t))
        made.n_toggle, made.n_set, made.n_clear = toggle.size(), set_true.size(), set_false.size()
        made.n_eval, made.n_local = pairs.size() >> 1, self.local_start.size() - 1
        data = <int32_t*>(made + 1)
        made.toggle = append(&data, toggle)
        made.set_true = append(&data, set_true)
        made.set_false = append(&data, set_false)
        made.eval = append(&data, pairs)
        made.start = append(&data, self.local_start)
        made.pool = append(&data, self.local_pool)
        made.joint = <move_t*>data
        memcpy(made.joint, joint, self.n_roles * sizeof(move_t))
        self.bytes_made += sizeof(Effects) + size * sizeof(int32_t)
        return made

    cdef int32_t resolve(self, int32_t literal) noexcept nogil:
        """The simplest condition that equals a literal whose value is not fixed."""
        cdef int32_t node = literal >> 1, i
        while self.machine.net.netlist.kind[node] == GATE and self.values.n_open[node] == 1:
            for i in range(self.machine.net.netlist.first[node], self.machine.net.netlist.first[node + 1]):
                if self.values.literal_value(self.machine.net.netlist.pool[i]) == UNKNOWN:
                    literal = self.machine.net.netlist.pool[i] ^ (literal & 1)
                    break
            node = literal >> 1
        if not self.machine.moving[node]:
            return self.machine.translate(literal)
        return -1 - (2 * self.local_gate(node) + (literal & 1))

    cdef int32_t local_gate(self, int32_t node) noexcept nogil:
        """The number of a gate that depends on moves, reduced to its inputs that are not fixed."""
        cdef vector[int32_t] kept, own, asked
        cdef int32_t i, input
        cdef size_t k
        if self.local_of[node] >= 0:
            return self.local_of[node]
        for i in range(self.machine.net.netlist.first[node], self.machine.net.netlist.first[node + 1]):
            input = self.machine.net.netlist.pool[i]
            if self.values.literal_value(input) == UNKNOWN:
                input = self.resolve(input)
                if input < 0:
                    own.push_back(input)
                elif input >> 1 < self.machine.tables.n_known:
                    kept.push_back(input)
                else:
                    asked.push_back(input)
        # Cheap ones first: the first false input ends the evaluation of a gate.
        self.local_pool.insert(self.local_pool.end(), kept.begin(), kept.end())
        self.local_pool.insert(self.local_pool.end(), own.begin(), own.end())
        self.local_pool.insert(self.local_pool.end(), asked.begin(), asked.end())
        self.local_start.push_back(<int32_t>self.local_pool.size())
        self.local_of[node] = <int32_t>self.local_start.size() - 2
        self.local_nodes.push_back(node)
        return self.local_of[node]


cdef int32_t* append(int32_t** data, vector[int32_t]& values) noexcept nogil:
    """Copy a list to where data points; returns its place and moves data behind it."""
    cdef int32_t* place = data[0]
    if values.size():
        memcpy(place, values.data(), values.size() * sizeof(int32_t))
    data[0] += values.size()
    return place
