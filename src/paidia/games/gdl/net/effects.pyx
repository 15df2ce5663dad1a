# distutils: language = c++
# distutils: extra_compile_args = -O3
"""What a joint move does to the fluents, found by partial evaluation.

Fixing a joint move, and with it every fluent that its moves require to be legal, decides most of what the next state
depends on. What is left for each fluent is: nothing (it stays), a constant, or a condition on the state. These are
made when a joint move is first played (where they are large: when it comes again), and kept for all states of the
game, up to a limit of memory.
"""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy
from libcpp.algorithm cimport sort

from paidia.core.machine.atomic cimport acquire, load, release, store
from paidia.core.machine.bits cimport mix
from paidia.core.machine.memory cimport calloc, malloc
from paidia.core.machine.vectors cimport Vector, refill, room, vector
from paidia.core.model cimport move_t
from paidia.games.gdl.net.machine cimport Machine
from paidia.games.gdl.net.net cimport Net
from paidia.games.gdl.net.netlist cimport BASE, DOES, FALSE, GATE, LOOP, TRUE, UNKNOWN, Netlist, Ternary

cdef extern from "paidia/core/machine/vectors.h" nogil:
    bint attempt "paidia_attempt"(
        void (*work)(EffectTable, const move_t*, Effects**) noexcept nogil, EffectTable table, const move_t* joint, Effects** made
    ) noexcept

cdef enum:
    MOST_DIRECT = 1 << 20       # joint moves that get a slot each
    FIRST_SLOTS = 1 << 10
    LARGE = 2000                # bytes of effects, on the average ..
    SOME = 16                   # .. over more than this many ..
    WORTH_MAKING = 2            # .. that are made only when a joint move has been played so often without
    MOST_ABSORBED = 32          # inputs of a gate that is compared with others
    HEAVY = 200                 # literals of a condition, written out as a tree, from which on it is left as it is

MOST_BYTES = 256 << 20          # of effects that one game keeps


cdef class EffectTable:
    """The effects of all joint moves that have been played."""

    def __cinit__(self, Machine machine not None):
        cdef Net net = machine.net
        cdef Netlist netlist = net.netlist
        cdef int32_t node
        cdef uint64_t n_joint = 1, n, i
        cdef vector[uint8_t] wanted
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
        wanted.assign(netlist.size(), 0)
        for i in range(net.next.size()):
            if not machine.due[i]:
                machine.reach(wanted, net.next[i])
        self.values.restrict(wanted)
        for node in range(netlist.size()):
            if netlist.kind[node] == DOES:
                self.values.value[node] = 0
            elif netlist.kind[node] == BASE or netlist.kind[node] == LOOP:
                self.values.value[node] = UNKNOWN
        self.values.settle()
        if not refill(self.resolved, netlist.size(), <int32_t>-1):
            raise MemoryError

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
            larger = NULL
            if room(self.outgrown, 1):
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

    cdef const Effects* find(self, const move_t* joint) noexcept nogil:
        cdef const Effects* found = self.look_up(joint)
        cdef Effects* made = NULL
        cdef uint64_t code = 0
        cdef int role
        if found != NULL:
            return found
        if self.bytes_made >= self.most_bytes or (not self.direct and self.n_made >= self.slots.mask):
            return NULL
        if self.bytes_made > LARGE * (self.n_made + SOME):
            # They take longer to make than to do without: only for joint moves that come again.
            for role in range(self.n_roles):
                code = mix(code, <uint64_t>joint[role])
            if self.seen[code & 0xFFFF] < WORTH_MAKING:
                self.seen[code & 0xFFFF] += 1
                return NULL
        acquire(&self.lock)
        found = self.look_up(joint)
        if found == NULL:
            if not attempt(make_effects, self, joint, &made) or self.values.starved:
                free(made)
                made = NULL
                self.most_bytes = 0         # no more effects: the scratch is half done
            if made != NULL:
                self.enter(made)
            found = made
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
        cdef Vector[int32_t] toggle, set_true, set_false, set_if, clear_if, set_when, clear_when, start, pool
        cdef int32_t fluent, literal, own, condition, rises, falls, n_known = self.machine.tables.n_known
        cdef int now, later
        cdef size_t size
        cdef Effects* made
        cdef int32_t* data
        self.fix(joint, True)
        for fluent in range(<int32_t>self.machine.net.next.size()):
            if self.machine.due[fluent]:
                continue
            literal = self.machine.net.next[fluent]
            own = 2 * (1 + fluent)
            now = self.values.value[self.machine.net.base[fluent]]
            later = self.values.literal_value(literal)
            condition = self.resolve(literal) if later == UNKNOWN else TRUE if later else FALSE
            # It changes to true where `rises` holds, to false where `falls` does.
            rises = self.given(condition, own + 1) if now != 1 else FALSE
            falls = self.given(condition, own) ^ 1 if now != 0 else FALSE
            if (rises == TRUE or now == 1) and (falls == TRUE or now == 0):
                toggle.push_back(1 + fluent)
                continue
            file(1 + fluent, rises, n_known, set_true, set_if, set_when)
            file(1 + fluent, falls, n_known, set_false, clear_if, clear_when)
        self.pack_gates(set_when, clear_when, start, pool)
        self.forget()
        self.fix(joint, False)
        size = toggle.size() + set_true.size() + set_false.size() + set_if.size() + clear_if.size()
        size += set_when.size() + clear_when.size() + start.size() + pool.size() + self.n_roles
        made = <Effects*>malloc(sizeof(Effects) + size * sizeof(int32_t))
        if made == NULL:
            return NULL
        made.n_toggle, made.n_set, made.n_clear = toggle.size(), set_true.size(), set_false.size()
        made.n_set_if, made.n_clear_if = set_if.size() >> 1, clear_if.size() >> 1
        made.n_set_when, made.n_clear_when = set_when.size() >> 1, clear_when.size() >> 1
        made.n_gates = start.size() - 1
        data = <int32_t*>(made + 1)
        made.toggle = append(&data, toggle)
        made.set_true = append(&data, set_true)
        made.set_false = append(&data, set_false)
        made.set_if = append(&data, set_if)
        made.clear_if = append(&data, clear_if)
        made.set_when = append(&data, set_when)
        made.clear_when = append(&data, clear_when)
        made.start = append(&data, start)
        made.pool = append(&data, pool)
        made.joint = <move_t*>data
        memcpy(made.joint, joint, self.n_roles * sizeof(move_t))
        self.bytes_made += sizeof(Effects) + size * sizeof(int32_t)
        return made

    cdef int32_t resolve(self, int32_t literal) noexcept nogil:
        """The condition that a literal, whose value is not fixed, comes down to."""
        cdef int32_t node = literal >> 1, i, input
        cdef Vector[int32_t] inputs
        # With one input left open, a gate is that input: so most fluents turn out to stay as they are.
        while self.machine.net.netlist.kind[node] == GATE and self.values.n_open[node] == 1:
            for i in range(self.machine.net.netlist.first[node], self.machine.net.netlist.first[node + 1]):
                input = self.machine.net.netlist.pool[i]
                if self.values.value[input >> 1] == UNKNOWN:
                    literal = input ^ (literal & 1)
                    break
            node = literal >> 1
        if not self.machine.moving[node] and not self.machine.net.netlist.kind[node] == GATE:
            return self.machine.translate(literal)
        if self.resolved[node] < 0:
            if not self.machine.moving[node]:
                self.resolved[node] = self.machine.translate(2 * node)
            else:
                for i in range(self.machine.net.netlist.first[node], self.machine.net.netlist.first[node + 1]):
                    input = self.machine.net.netlist.pool[i]
                    if self.values.literal_value(input) == UNKNOWN:
                        inputs.push_back(self.resolve(input))
                self.resolved[node] = self.conjunction(inputs)
            self.resolved_nodes.push_back(node)
        return self.resolved[node] ^ (literal & 1)

    cdef int32_t conjunction(self, Vector[int32_t]& literals) noexcept nogil:
        """A simplified conjunction as one of the effects' own gates; `literals` is used up."""
        cdef int32_t n_nodes = self.machine.tables.n_nodes, literal, weight
        cdef Vector[int32_t] flat
        cdef size_t i, n = 0
        for i in range(literals.size()):
            literal = literals[i]
            if literal >> 1 >= n_nodes and not literal & 1:
                flat.insert(flat.end(), self.gates[(literal >> 1) - n_nodes].begin(),
                            self.gates[(literal >> 1) - n_nodes].end())
            else:
                flat.push_back(literal)
        sort(flat.begin(), flat.end())
        for i in range(flat.size()):
            literal = flat[i]
            if literal == TRUE or (n and literal == flat[n - 1]):
                continue
            if literal == FALSE or (n and literal == (flat[n - 1] ^ 1)):
                return FALSE
            flat[n] = literal
            n += 1
        flat.resize(n)
        if n <= MOST_ABSORBED and self.absorb(flat):
            return self.conjunction(flat)
        if flat.size() == 0:
            return TRUE
        if flat.size() == 1:
            return flat[0]
        if self.gate_of.count(flat):
            return self.gate_of[flat]
        weight = 0
        for i in range(flat.size()):
            weight += self.weight[(flat[i] >> 1) - n_nodes] if flat[i] >> 1 >= n_nodes else 1
        self.weight.push_back(min(weight, HEAVY))
        literal = 2 * (n_nodes + <int32_t>self.gates.size())
        self.gates.push_back(flat)
        self.gate_of[flat] = literal
        return literal

    cdef bint absorb(self, Vector[int32_t]& literals) noexcept nogil:
        """Simplify the ORs in a conjunction by its other literals: a(a + b) = a, a(-a + b) = ab."""
        cdef int32_t n_nodes = self.machine.tables.n_nodes, literal
        cdef Vector[int32_t]* branches
        cdef Vector[int32_t] left
        cdef size_t i, k
        for i in range(literals.size()):
            literal = literals[i]
            if literal >> 1 < n_nodes or not literal & 1:
                continue
            branches = &self.gates[(literal >> 1) - n_nodes]        # of the OR, each denied
            if branches.size() > MOST_ABSORBED:
                continue
            left.clear()
            for k in range(branches.size()):
                if has(literals, branches[0][k] ^ 1):
                    literals[i] = TRUE
                    return True
                if not has(literals, branches[0][k]):
                    left.push_back(branches[0][k])
            if left.size() < branches.size():
                literals[i] = self.conjunction(left) ^ 1
                return True
        return False

    cdef int32_t given(self, int32_t literal, int32_t fact) noexcept nogil:
        """A condition where a fluent's value is known; unchanged where simplifying it would take too long."""
        cdef int32_t n_nodes = self.machine.tables.n_nodes
        cdef Vector[int32_t] inputs
        cdef size_t i, gate
        if literal >> 1 == fact >> 1:
            return TRUE if literal == fact else FALSE
        if literal >> 1 < n_nodes:
            return literal
        gate = (literal >> 1) - n_nodes
        if self.weight[gate] == HEAVY:
            return literal
        inputs = self.gates[gate]
        for i in range(inputs.size()):
            inputs[i] = self.given(inputs[i], fact)
        return self.conjunction(inputs) ^ (literal & 1)

    cdef void pack_gates(
        self, Vector[int32_t]& rising, Vector[int32_t]& falling, Vector[int32_t]& start, Vector[int32_t]& pool
    ) noexcept nogil:
        """Number the gates that conditions need from 0, and write their inputs down, cheap ones first."""
        cdef int32_t n_nodes = self.machine.tables.n_nodes, n_known = self.machine.tables.n_known, number = 0, literal
        cdef Vector[int32_t] place = Vector[int32_t](self.gates.size(), -1)
        cdef size_t i, k, gate
        cdef int turn
        mark(rising, place, n_nodes)
        mark(falling, place, n_nodes)
        for i in range(self.gates.size()):          # inputs stand before the gates that read them
            gate = self.gates.size() - 1 - i
            if place[gate] == 0:
                for k in range(self.gates[gate].size()):
                    literal = self.gates[gate][k]
                    if literal >> 1 >= n_nodes:
                        place[(literal >> 1) - n_nodes] = 0
        start.push_back(0)
        for gate in range(self.gates.size()):
            if place[gate] < 0:
                continue
            place[gate] = number
            number += 1
            # The first false input ends the evaluation of a gate: known values, own gates, others.
            for turn in range(3):
                for k in range(self.gates[gate].size()):
                    literal = self.gates[gate][k]
                    if turn == (0 if literal >> 1 < n_known else 1 if literal >> 1 >= n_nodes else 2):
                        pool.push_back(renumbered(literal, place, n_nodes))
            start.push_back(<int32_t>pool.size())
        for i in range(rising.size() >> 1):
            rising[2 * i + 1] = renumbered(rising[2 * i + 1], place, n_nodes)
        for i in range(falling.size() >> 1):
            falling[2 * i + 1] = renumbered(falling[2 * i + 1], place, n_nodes)

    cdef void forget(self) noexcept nogil:
        """Empty the scratch."""
        cdef size_t i
        for i in range(self.resolved_nodes.size()):
            self.resolved[self.resolved_nodes[i]] = -1
        self.resolved_nodes.clear()
        self.gates.clear()
        self.weight.clear()
        self.gate_of.clear()


cdef void make_effects(EffectTable table, const move_t* joint, Effects** made) noexcept nogil:
    made[0] = table.make(joint)


cdef void file(
    int32_t fluent, int32_t condition, int32_t n_known, Vector[int32_t]& always, Vector[int32_t]& known, Vector[int32_t]& later,
) noexcept nogil:
    """Enter a change where it belongs: it always happens, or if something holds that is known by then, or what a gate says."""
    if condition == TRUE:
        always.push_back(fluent)
    elif condition != FALSE:
        (known if condition >> 1 < n_known else later).push_back(fluent)
        (known if condition >> 1 < n_known else later).push_back(condition)


cdef bint has(Vector[int32_t]& literals, int32_t literal) noexcept nogil:
    cdef size_t i
    for i in range(literals.size()):
        if literals[i] == literal:
            return True
    return False


cdef void mark(Vector[int32_t]& pairs, Vector[int32_t]& place, int32_t n_nodes) noexcept nogil:
    """Mark the gates that conditions name."""
    cdef size_t i
    for i in range(pairs.size() >> 1):
        if pairs[2 * i + 1] >> 1 >= n_nodes:
            place[(pairs[2 * i + 1] >> 1) - n_nodes] = 0


cdef int32_t renumbered(int32_t literal, Vector[int32_t]& place, int32_t n_nodes) noexcept nogil:
    if literal >> 1 < n_nodes:
        return literal
    return 2 * (n_nodes + place[(literal >> 1) - n_nodes]) + (literal & 1)


cdef int32_t* append(int32_t** data, Vector[int32_t]& values) noexcept nogil:
    """Copy a list to where data points; returns its place and moves data behind it."""
    cdef int32_t* place = data[0]
    if values.size():
        memcpy(place, values.data(), values.size() * sizeof(int32_t))
    data[0] += values.size()
    return place
