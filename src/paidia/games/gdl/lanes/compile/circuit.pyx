# distutils: language = c++
# distutils: extra_compile_args = -O2
"""Boolean expressions over planes. Making a node already simplifies it: constants are folded, equal nodes are one node."""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from paidia.core.machine.vectors cimport vector
from paidia.games.gdl.net.netlist cimport FALSE, TRUE

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
