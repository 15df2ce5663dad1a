# distutils: language = c++
# distutils: extra_compile_args = -O2
"""Boolean expressions over planes, and nets as such expressions.

Making a node already simplifies it: constants are folded, equal nodes are one node. `Embedding` carries the part of a net over
that is asked for, with some of its fluents and moves replaced by literals or constants; a net embedded under "it is white's turn"
comes out without all that black does.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libcpp.algorithm cimport binary_search, sort

from paidia.core.machine.vectors cimport vector
from paidia.games.gdl.net cimport netlist as net_kinds
from paidia.games.gdl.net.net cimport Net
from paidia.games.gdl.net.netlist cimport FALSE, TRUE, Netlist

cdef enum:
    WIDEST = 10     # more than that, which were never seen to hold at once, are taken for never holding at once

#: Gates of the largest circuit that is built. The program takes about a kilobyte of memory for each while it is made.
MOST_NODES = 2_000_000


cdef inline uint32_t mixed(uint32_t code, int32_t value) noexcept nogil:
    code = (code ^ <uint32_t>value) * 0x9E3779B1U
    return code ^ (code >> 15)


cdef inline uint32_t hash_of(int kind, int32_t a, int32_t b, int32_t c) noexcept nogil:
    return mixed(mixed(mixed(<uint32_t>kind * 0x85EBCA6BU, a), b), c)


cdef inline void put_in_order(int32_t* x, int32_t* y, int32_t* z) noexcept nogil:
    """The inputs of a gate that does not care which is which: the smallest first."""
    if x[0] > y[0]:
        x[0], y[0] = y[0], x[0]
    if y[0] > z[0]:
        y[0], z[0] = z[0], y[0]
    if x[0] > y[0]:
        x[0], y[0] = y[0], x[0]


cdef inline uint64_t value_of(int kind, uint64_t a, uint64_t b, uint64_t c) noexcept nogil:
    """What a gate makes of its inputs, 64 times at once."""
    if kind == AND:
        return a & b
    if kind == XOR:
        return a ^ b
    if kind == XOR3:
        return a ^ b ^ c
    if kind == MAJORITY:
        return (a & b) | (c & (a | b))
    return (a & b) | (~a & c)


cdef class Circuit:
    """Nodes of expressions; grows only."""

    def __cinit__(self):
        self.most = MOST_NODES
        self.table.assign(1024, 0)
        self.kind.push_back(CONSTANT)
        self.a.push_back(0)
        self.b.push_back(0)
        self.c.push_back(0)
        self.seen.push_back(<uint64_t>-1)

    def __init__(self, *, int positions=0):
        """`positions`: how many positions inputs are told of, 64 at most."""
        self.positions = min(64, positions)

    def __len__(self):
        return self.kind.size()

    def input(self, int number, uint64_t seen=0):
        """A new input; its literal. `seen`: a bit for each position, whether it holds there."""
        self.kind.push_back(INPUT)
        self.a.push_back(number)
        self.b.push_back(0)
        self.c.push_back(0)
        self.seen.push_back(seen)
        return 2 * (<int32_t>self.kind.size() - 1)

    cdef int32_t node(self, int kind, int32_t a, int32_t b, int32_t c):
        cdef size_t mask = self.table.size() - 1, slot = hash_of(kind, a, b, c) & mask
        cdef int32_t found
        while self.table[slot]:
            found = self.table[slot]
            if self.kind[found] == kind and self.a[found] == a and self.b[found] == b and self.c[found] == c:
                return 2 * found
            slot = (slot + 1) & mask
        found = <int32_t>self.kind.size()
        if found >= self.most:
            raise MemoryError(f"its lanes would take a circuit of more than {self.most:,} gates")
        self.kind.push_back(kind)
        self.a.push_back(a)
        self.b.push_back(b)
        self.c.push_back(c)
        self.seen.push_back(value_of(kind, self.seen_of(a), self.seen_of(b), self.seen_of(c)))
        self.table[slot] = found
        self.n_hashed += 1
        if 2 * self.n_hashed > self.table.size():
            self.grow()
        return 2 * found

    cdef uint64_t seen_of(self, int32_t literal) noexcept nogil:
        return ~self.seen[literal >> 1] if literal & 1 else self.seen[literal >> 1]

    cdef bint never_seen(self, vector[size_t]& literals) noexcept nogil:
        """Whether literals, in the lower halves of these numbers, held together in none of the positions."""
        cdef uint64_t found = <uint64_t>-1 if self.positions == 64 else (<uint64_t>1 << self.positions) - 1
        cdef size_t k
        for k in range(literals.size()):
            found &= self.seen_of(<int32_t>(literals[k] & 0xFFFFFFFFU))
        return self.positions > 0 and found == 0

    cdef void grow(self):
        cdef size_t mask = 2 * self.table.size() - 1, slot
        cdef int32_t node
        self.table.assign(mask + 1, 0)
        for node in range(<int32_t>self.kind.size()):
            if self.kind[node] >= AND:
                slot = hash_of(self.kind[node], self.a[node], self.b[node], self.c[node]) & mask
                while self.table[slot]:
                    slot = (slot + 1) & mask
                self.table[slot] = node

    cpdef int32_t both(self, int32_t x, int32_t y):
        """x AND y."""
        if x > y:
            x, y = y, x
        if x == TRUE or x == y:
            return y
        if x == FALSE or x == (y ^ 1):
            return FALSE
        return self.node(AND, x, y, 0)

    cpdef int32_t either(self, int32_t x, int32_t y):
        """x OR y."""
        return self.both(x ^ 1, y ^ 1) ^ 1

    cpdef int32_t differ(self, int32_t x, int32_t y):
        """x XOR y."""
        cdef int32_t sign = (x ^ y) & 1
        x &= -2
        y &= -2
        if x > y:
            x, y = y, x
        if x == y:
            return FALSE ^ sign
        if x == TRUE:
            return y ^ 1 ^ sign
        return self.node(XOR, x, y, 0) ^ sign

    cpdef int32_t odd(self, int32_t x, int32_t y, int32_t z):
        """x XOR y XOR z."""
        cdef int32_t sign = (x ^ y ^ z) & 1
        x &= -2
        y &= -2
        z &= -2
        put_in_order(&x, &y, &z)
        if x == TRUE or x == y:
            return self.differ(y, z) ^ 1 ^ sign if x == TRUE else z ^ sign
        if y == z:
            return x ^ sign
        return self.node(XOR3, x, y, z) ^ sign

    cpdef int32_t majority(self, int32_t x, int32_t y, int32_t z):
        """At least two of the three."""
        put_in_order(&x, &y, &z)
        if x == TRUE:
            return self.either(y, z)
        if x == FALSE:
            return self.both(y, z)
        if x == y or y == z:
            return y
        if x == (y ^ 1):
            return z
        if y == (z ^ 1):
            return x
        return self.node(MAJORITY, x, y, z)

    cpdef int32_t select(self, int32_t which, int32_t x, int32_t y):
        """x where `which` holds, else y."""
        if which & 1:
            which ^= 1
            x, y = y, x
        if which == TRUE or x == y:
            return x
        if x == (y ^ 1):
            return self.differ(which, y)
        if x <= FALSE or x == which or x == (which ^ 1):
            return self.either(which, y) if x == TRUE or x == which else self.both(which ^ 1, y)
        if y <= FALSE or y == which or y == (which ^ 1):
            return self.either(which ^ 1, x) if y == TRUE or y == (which ^ 1) else self.both(which, x)
        if y & 1:       # the denial of a selection is the selection of denials
            return self.node(SELECT, which, x ^ 1, y ^ 1) ^ 1
        return self.node(SELECT, which, x, y)

    def assume(self, literals):
        """Take it for granted that these hold, and what follows from that at once; nothing else that was assumed before.

        Only embeddings that are made to do so use it.
        """
        cdef vector[int32_t] stack
        cdef int32_t literal, node
        self.known.assign(self.kind.size(), 0)
        for literal in literals:
            stack.push_back(literal)
        while stack.size():
            literal = stack.back()
            stack.pop_back()
            node = literal >> 1
            if node == 0 or self.known[node]:
                continue
            self.known[node] = 1 + (literal & 1)
            if self.kind[node] == AND and not literal & 1:
                stack.push_back(self.a[node])
                stack.push_back(self.b[node])

    cdef int32_t granted(self, int32_t literal) noexcept nogil:
        """The constant that a literal is under what was assumed, or the literal."""
        cdef size_t node = literal >> 1
        if node >= self.known.size() or self.known[node] == 0:
            return literal
        return (self.known[node] - 1) ^ (literal & 1)

    def all_of(self, literals):
        """The conjunction of some literals."""
        cdef int32_t found = TRUE
        for literal in sorted(literals):
            found = self.both(found, literal)
        return found

    def any_of(self, literals):
        """The disjunction of some literals."""
        return self.all_of([literal ^ 1 for literal in literals]) ^ 1

    def operands(self, int32_t literal):
        """The literals that a literal's node is made of; none for inputs."""
        cdef int32_t node = literal >> 1
        if self.kind[node] < AND:
            return []
        if self.kind[node] == AND or self.kind[node] == XOR:
            return [self.a[node], self.b[node]]
        return [self.a[node], self.b[node], self.c[node]]

    def gates_of(self, int32_t literal, int32_t since):
        """How many of the nodes from a number on a literal takes."""
        cdef vector[int32_t] stack
        cdef vector[uint8_t] seen
        cdef int32_t node, found = 0
        seen.assign(self.kind.size(), 0)
        stack.push_back(literal >> 1)
        while stack.size():
            node = stack.back()
            stack.pop_back()
            if node < since or seen[node] or self.kind[node] < AND:
                continue
            seen[node] = 1
            found += 1
            stack.push_back(self.a[node] >> 1)
            stack.push_back(self.b[node] >> 1)
            stack.push_back(self.c[node] >> 1)
        return found

    def is_input(self, int32_t literal):
        return self.kind[literal >> 1] == INPUT

    def tree_any(self, literals):
        """The disjunction of some literals in their order, as a balanced tree."""
        level = list(literals) or [FALSE]
        while len(level) > 1:
            level = [self.either(level[i], level[i + 1]) for i in range(0, len(level) - 1, 2)] + level[len(level) & -2:]
        return level[0]


cdef bint contains(vector[int32_t]& rising, int32_t value) noexcept nogil:
    return binary_search(rising.begin(), rising.end(), value)


def initial_of(Net net not None):
    """By fluent: whether it holds at the start."""
    return [bool(x) for x in net.initial]


cdef class Embedding:
    """A net under what its fluents and moves were said to be."""

    def __init__(self, Circuit circuit not None, Net net not None, fluents, *, bint assuming=False):
        """`fluents`: the literal of each; `assuming`: under what the circuit assumes, and as far as it is likely (WIDEST)."""
        cdef Netlist netlist = net.netlist
        cdef int32_t i
        cdef size_t k
        self.circuit = circuit
        self.net = net
        self.assuming = assuming
        self.image.assign(netlist.size(), -1)
        self.image[0] = TRUE
        for i, literal in enumerate(fluents):
            self.image[net.base[i]] = literal
        self.readers.assign(2 * netlist.size(), 0)
        for k in range(netlist.pool.size()):
            self.readers[netlist.pool[k]] += 1
        self.possible.resize(len(net.roles))

    def play(self, moves):
        """From now on moves are these literals, numbered over all roles."""
        cdef int32_t i, role
        self.make(moves)
        for role in range(<int32_t>self.possible.size()):
            for i in range(self.net.first_move[role], self.net.first_move[role + 1]):
                if self.image[self.net.does[i]] != FALSE:
                    self.possible[role].push_back(i)
        self.find_moves()

    def make(self, moves):
        """The same for constants, of which there is nothing to be spared."""
        cdef int32_t i
        for i, literal in enumerate(moves):
            self.image[self.net.does[i]] = literal

    def legal(self):
        """The literal of each move, over all roles: whether it is legal."""
        cdef int32_t i
        return [self.embed(self.net.legal[i]) for i in range(<int32_t>self.net.legal.size())]

    def next(self, only=None):
        """The literal of each fluent's next value, or of some fluents'."""
        cdef int32_t i
        return [self.embed(self.net.next[i]) for i in (range(<int32_t>self.net.next.size()) if only is None else only)]

    def terminal(self):
        return self.embed(self.net.terminal)

    def goals(self):
        """Role, value in 0 .. 1 and literal of every goal, roles one after the other."""
        cdef int32_t i
        found = [
            (self.net.goal_role[i], self.net.goal_value[i], self.embed(self.net.goal[i]))
            for i in range(<int32_t>self.net.goal.size())
        ]
        return sorted(found, key=lambda goal: goal[0])

    cdef int32_t embed(self, int32_t literal) except -1:
        cdef Netlist netlist = self.net.netlist
        cdef vector[int32_t] stack, inputs
        cdef vector[size_t] keys
        cdef int32_t node, i, child, found
        cdef size_t k
        cdef bint ready, spared
        stack.push_back(literal >> 1)
        while stack.size():
            node = stack.back()
            if self.image[node] >= 0:
                stack.pop_back()
                continue
            if netlist.kind[node] == net_kinds.LOOP:
                self.open_loops(netlist.loop_group[netlist.place[node]])
                continue
            if netlist.kind[node] != net_kinds.GATE:
                raise ValueError("a part of the net was asked for that depends on moves, before they were said")
            ready = True
            for i in range(netlist.first[node], netlist.first[node + 1]):
                child = netlist.pool[i] >> 1
                if self.image[child] < 0:
                    stack.push_back(child)
                    ready = False
            if not ready:
                continue
            # What many gates read comes first, so that gates with the same beginning share it.
            keys.clear()
            inputs.clear()
            spared = self.none_of.size() and self.spare_moves(node, inputs)
            for k in range(inputs.size()):
                keys.push_back((<size_t>0x7FFFFFFF << 32) | <size_t>inputs[k])
            for i in range(netlist.first[node], netlist.first[node + 1]):
                child = netlist.pool[i]
                found = self.image[child >> 1] ^ (child & 1)
                if self.assuming:
                    found = self.circuit.granted(found)
                if found != TRUE and not (spared and self.about_moves(child)):
                    keys.push_back((<size_t>(0x7FFFFFFF - self.readers[child]) << 32) | <size_t>found)
            sort(keys.begin(), keys.end())
            found = FALSE if self.assuming and keys.size() > WIDEST and self.circuit.never_seen(keys) else TRUE
            for k in range(keys.size()):
                if found == FALSE:
                    break
                found = self.circuit.both(found, <int32_t>(keys[k] & 0xFFFFFFFFU))
            self.image[node] = self.circuit.granted(found) if self.assuming else found
            stack.pop_back()
        return self.image[literal >> 1] ^ (literal & 1)

    cdef bint about_moves(self, int32_t literal) noexcept nogil:
        """Whether a literal of the net says "none of some moves", and nothing else."""
        cdef int32_t node = literal >> 1
        if literal & 1:
            return self.net.netlist.kind[node] == net_kinds.DOES
        return self.none_of[node].size() > 0

    cdef void find_moves(self):
        """Fill in `none_of`."""
        cdef Netlist netlist = self.net.netlist
        cdef int32_t node, i
        cdef bint pure
        cdef vector[int32_t] moves
        self.none_of.resize(netlist.size())
        for node in range(netlist.size()):
            if netlist.kind[node] != net_kinds.GATE:
                continue
            pure = True
            for i in range(netlist.first[node], netlist.first[node + 1]):
                if not self.about_moves(netlist.pool[i]):
                    pure = False
                    break
            if pure:
                moves.clear()
                self.add_moves(node, moves)
                self.none_of[node].assign(moves.begin(), moves.end())

    cdef void add_moves(self, int32_t node, vector[int32_t]& moves):
        """The moves of which a gate's inputs say that none of them is made, rising, each once."""
        cdef Netlist netlist = self.net.netlist
        cdef int32_t i, literal
        cdef size_t k, n = 0
        for i in range(netlist.first[node], netlist.first[node + 1]):
            literal = netlist.pool[i]
            if not self.about_moves(literal):
                continue
            if literal & 1:
                moves.push_back(netlist.place[literal >> 1])
            else:
                moves.insert(moves.end(), self.none_of[literal >> 1].begin(), self.none_of[literal >> 1].end())
        sort(moves.begin(), moves.end())
        for k in range(moves.size()):
            if k == 0 or moves[k] != moves[n - 1]:
                moves[n] = moves[k]
                n += 1
        moves.resize(n)

    cdef bint spare_moves(self, int32_t node, vector[int32_t]& literals):
        """Where a gate says "none of most moves", say "one of the few others": every role makes exactly one move.

        Fills in what is to stand in place of all inputs that are about moves; False where that is no shorter.
        """
        cdef Netlist netlist = self.net.netlist
        cdef int32_t i, direct = 0, move, one
        cdef size_t role, k, j, n_in
        cdef vector[int32_t] moves, others
        cdef size_t cost = 0
        for i in range(netlist.first[node], netlist.first[node + 1]):
            direct += self.about_moves(netlist.pool[i]) and self.image[netlist.pool[i] >> 1] > FALSE
        if direct < 4:
            return False
        self.add_moves(node, moves)
        for role in range(self.possible.size()):
            others.clear()
            n_in = j = 0
            for k in range(self.possible[role].size()):
                move = self.possible[role][k]
                while j < moves.size() and moves[j] < move:
                    j += 1
                if j < moves.size() and moves[j] == move:
                    n_in += 1
                else:
                    others.push_back(move)
            if n_in == 0:
                continue
            if others.size() < n_in:
                one = FALSE
                for k in range(others.size()):
                    one = self.circuit.either(one, self.image[self.net.does[others[k]]])
                literals.push_back(one)
                cost += others.size()
            else:
                for k in range(self.possible[role].size()):
                    move = self.possible[role][k]
                    if not contains(others, move):
                        literals.push_back(self.image[self.net.does[move]] ^ 1)
                cost += n_in
        if cost >= <size_t>direct:
            literals.clear()
            return False
        return True

    cdef int open_loops(self, int32_t group) except -1:
        """Loops of the circuit for all loops of a group of the net, then their definitions."""
        cdef Netlist netlist = self.net.netlist
        cdef Circuit circuit = self.circuit
        cdef vector[int32_t] members
        cdef int32_t k, node
        cdef size_t i
        for k in range(<int32_t>netlist.definition.size()):
            if netlist.loop_group[k] == group:
                members.push_back(k)
                node = <int32_t>circuit.kind.size()
                circuit.kind.push_back(LOOP)
                circuit.a.push_back(<int32_t>circuit.loop_node.size())
                circuit.b.push_back(0)
                circuit.c.push_back(0)
                circuit.seen.push_back(0)
                circuit.loop_node.push_back(node)
                circuit.definition.push_back(FALSE)
                circuit.loop_group.push_back(-1)
                self.image[netlist.loop_node[k]] = 2 * node
        for i in range(members.size()):
            k = members[i]
            circuit.definition[circuit.a[self.image[netlist.loop_node[k]] >> 1]] = self.embed(netlist.definition[k])
        # Groups that this one needs were opened and closed meanwhile, so the order of closing is an order of evaluation.
        for i in range(members.size()):
            circuit.loop_group[circuit.a[self.image[netlist.loop_node[members[i]]] >> 1]] = circuit.n_groups
        circuit.n_groups += 1
        return 0
