# distutils: language = c++
"""A net of AND gates over signed literals: constant folding, equal gates merged, moves known to exclude each other.

See netlist.pxd for the form. Building a gate already simplifies it; `rewrite` carries a whole net over into a new one
with some nodes replaced, dropping what no root needs and flattening gates that have a single reader.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t
from libc.string cimport memcpy
from libcpp.algorithm cimport sort

from paidia.core.machine.vectors cimport room, vector


cdef enum:
    WIDEST = 50000      # inputs of a gate; states count them in 16 bits


cdef inline uint32_t mixed(uint32_t code, int32_t literal) noexcept nogil:
    """Hash code of a gate with one more input."""
    code = (code ^ <uint32_t>literal) * 0x9E3779B1U
    return code ^ (code >> 15)


cdef class Netlist:
    """Nodes and gates; grows only."""

    def __cinit__(self):
        self.kind.push_back(CONSTANT)
        self.place.push_back(0)
        self.first.push_back(0)
        self.first.push_back(0)
        self.table.assign(1024, 0)

    cdef int32_t size(self):
        return <int32_t>self.kind.size()

    cdef int32_t add_input(self, int kind, int32_t place):
        """A new input node; returns its number."""
        cdef int32_t node = self.size()
        self.kind.push_back(kind)
        self.place.push_back(place)
        self.first.push_back(<int32_t>self.pool.size())
        return node

    cdef int32_t add_does(self, int32_t move, int32_t role):
        cdef int32_t node = self.add_input(DOES, move)
        cdef vector[int32_t] none
        while self.role_does.size() <= <size_t>role:
            self.role_does.push_back(none)
        while self.does_role.size() <= <size_t>move:
            self.does_role.push_back(0)
        self.does_role[move] = role
        self.role_does[role].push_back(node)
        return node

    cdef int32_t add_loop(self, int32_t group):
        cdef int32_t node = self.add_input(LOOP, <int32_t>self.definition.size())
        self.definition.push_back(FALSE)
        self.loop_node.push_back(node)
        self.loop_group.push_back(group)
        return node

    cdef int32_t make_or(self, vector[int32_t]& literals):
        """The literal of a disjunction."""
        cdef size_t i
        for i in range(literals.size()):
            literals[i] ^= 1
        return self.make_and(literals) ^ 1

    cdef int32_t make_and(self, vector[int32_t]& literals):
        """The literal of a conjunction; `literals` is used up."""
        cdef size_t i, n = 0
        cdef int32_t literal, last = -2
        cdef bint moves = False
        sort(literals.begin(), literals.end())
        for i in range(literals.size()):
            literal = literals[i]
            if literal == TRUE or literal == last:
                continue
            if literal == FALSE or literal == (last ^ 1):
                return FALSE
            if self.kind[literal >> 1] == DOES:
                moves = True
            literals[n] = last = literal
            n += 1
        literals.resize(n)
        if moves and not self.one_hot(literals):
            return FALSE
        if literals.size() == 0:
            return TRUE
        if literals.size() == 1:
            return literals[0]
        if literals.size() > WIDEST:
            return self.split(literals)
        return self.intern(literals)

    cdef int32_t split(self, vector[int32_t]& literals):
        """A conjunction of conjunctions, where one gate would have more inputs than a state can count."""
        cdef vector[int32_t] parts, part
        cdef size_t i
        for i in range(literals.size()):
            part.push_back(literals[i])
            if part.size() == WIDEST or i + 1 == literals.size():
                parts.push_back(self.intern(part) if part.size() > 1 else part[0])
                part.clear()
        return self.make_and(parts)

    cdef bint one_hot(self, vector[int32_t]& literals):
        """Use that every role makes exactly one move; False where the conjunction cannot hold."""
        cdef vector[int32_t] others, denied, complement
        cdef vector[int32_t] positive = vector[int32_t](self.role_does.size(), 0)
        cdef size_t i, j, role
        cdef int32_t literal, node
        for i in range(literals.size()):
            literal = literals[i]
            if self.kind[literal >> 1] != DOES or literal & 1:
                continue
            role = self.does_role[self.place[literal >> 1]]
            if positive[role]:
                return False
            positive[role] = literal
        for i in range(literals.size()):
            literal = literals[i]
            if self.kind[literal >> 1] != DOES:
                others.push_back(literal)
        for role in range(self.role_does.size()):
            if positive[role]:      # it excludes the role's other moves, so their denials say nothing
                others.push_back(positive[role])
                continue
            denied.clear()
            for i in range(literals.size()):
                literal = literals[i]
                if self.kind[literal >> 1] == DOES and <size_t>self.does_role[self.place[literal >> 1]] == role:
                    denied.push_back(literal)
            if 2 * denied.size() <= self.role_does[role].size():
                others.insert(others.end(), denied.begin(), denied.end())
                continue
            # "none of most moves" is "one of the few others"
            complement.clear()
            j = 0
            for i in range(self.role_does[role].size()):
                node = self.role_does[role][i]
                if j < denied.size() and denied[j] >> 1 == node:
                    j += 1
                else:
                    complement.push_back(2 * node + 1)
            if complement.size() == 0:
                return False
            if complement.size() == 1:
                others.push_back(complement[0] ^ 1)
            else:
                others.push_back(self.intern(complement) ^ 1)
        sort(others.begin(), others.end())
        literals.swap(others)
        return True

    cdef int32_t intern(self, vector[int32_t]& literals):
        """The gate with exactly these sorted inputs, old or new."""
        cdef uint32_t code = 0
        cdef size_t i, n = literals.size(), mask = self.table.size() - 1, slot
        cdef int32_t node
        cdef bint same
        for i in range(n):
            code = mixed(code, literals[i])
        slot = code & mask
        while self.table[slot]:
            node = self.table[slot]
            if <size_t>(self.first[node + 1] - self.first[node]) == n:
                same = True
                for i in range(n):
                    if self.pool[self.first[node] + i] != literals[i]:
                        same = False
                        break
                if same:
                    return 2 * node
            slot = (slot + 1) & mask
        node = self.size()
        self.kind.push_back(GATE)
        self.place.push_back(0)
        self.pool.insert(self.pool.end(), literals.begin(), literals.end())
        self.first.push_back(<int32_t>self.pool.size())
        self.table[slot] = node
        self.n_gates += 1
        if 2 * self.n_gates > self.table.size():
            self.grow()
        return 2 * node

    cdef void grow(self):
        cdef size_t mask = 2 * self.table.size() - 1, slot
        cdef uint32_t code
        cdef int32_t node, i
        self.table.assign(mask + 1, 0)
        for node in range(self.size()):
            if self.kind[node] != GATE:
                continue
            code = 0
            for i in range(self.first[node], self.first[node + 1]):
                code = mixed(code, self.pool[i])
            slot = code & mask
            while self.table[slot]:
                slot = (slot + 1) & mask
            self.table[slot] = node


cdef class Ternary:
    """Values of a net where some inputs are unknown."""

    def __cinit__(self, Netlist net not None):
        cdef int32_t node, i, n = net.size()
        cdef vector[int32_t] at
        self.net = net
        self.value.assign(n, UNKNOWN)
        self.n_false.assign(n, 0)
        self.n_open.assign(n, 0)
        self.reader_first.assign(n + 1, 0)
        for i in range(<int32_t>net.pool.size()):
            self.reader_first[(net.pool[i] >> 1) + 1] += 1
        for node in range(n):
            self.reader_first[node + 1] += self.reader_first[node]
        self.reader.assign(net.pool.size(), 0)
        at.assign(self.reader_first.begin(), self.reader_first.end())
        for node in range(n):
            for i in range(net.first[node], net.first[node + 1]):
                self.reader[at[net.pool[i] >> 1]] = 2 * node + (net.pool[i] & 1)
                at[net.pool[i] >> 1] += 1
        self.value[0] = 1
        self.told.assign(n, UNKNOWN)

    cdef void restrict(self, vector[uint8_t]& wanted):
        """From now on keep only the gates up to date that are wanted; they must include their inputs."""
        cdef vector[int32_t] first = vector[int32_t](1, 0), kept
        cdef int32_t node, i
        for node in range(<int32_t>self.value.size()):
            for i in range(self.reader_first[node], self.reader_first[node + 1]):
                if wanted[self.reader[i] >> 1]:
                    kept.push_back(self.reader[i])
            first.push_back(<int32_t>kept.size())
        self.reader_first.swap(first)
        self.reader.swap(kept)

    cdef int literal_value(self, int32_t literal) noexcept nogil:
        cdef int value = self.value[literal >> 1]
        return value if value == UNKNOWN else value ^ (literal & 1)

    cdef void settle(self) noexcept nogil:
        """Evaluate all gates from the values of the inputs."""
        cdef int32_t node, i
        cdef int value
        for node in range(<int32_t>self.value.size()):
            if self.net.kind[node] != GATE:
                continue
            self.n_false[node] = self.n_open[node] = 0
            for i in range(self.net.first[node], self.net.first[node + 1]):
                value = self.literal_value(self.net.pool[i])
                self.n_false[node] += value == 0
                self.n_open[node] += value == UNKNOWN
            self.value[node] = 0 if self.n_false[node] else UNKNOWN if self.n_open[node] else 1
        memcpy(self.told.data(), self.value.data(), self.value.size())

    cdef void change(self, int32_t node, int value) noexcept nogil:
        """Give a node another value; `propagate` carries it on."""
        if self.value[node] != value:
            if not room(self.queue, 1) or not room(self.touched, 1):
                self.starved = True
                return
            self.queue.push_back(node)
            self.touched.push_back(node)
            self.value[node] = value

    cdef void propagate(self) noexcept nogil:
        cdef size_t at = 0
        cdef int32_t node, gate, i
        cdef int sign, before, after
        while at < self.queue.size():
            node = self.queue[at]
            at += 1
            before = self.told[node]
            after = self.value[node]
            if before == after:         # changed to and fro since it was queued
                continue
            self.told[node] = after
            for i in range(self.reader_first[node], self.reader_first[node + 1]):
                gate = self.reader[i] >> 1
                sign = self.reader[i] & 1
                if before == UNKNOWN:
                    self.n_open[gate] -= 1
                elif (before ^ sign) == 0:
                    self.n_false[gate] -= 1
                if after == UNKNOWN:
                    self.n_open[gate] += 1
                elif (after ^ sign) == 0:
                    self.n_false[gate] += 1
                self.change(gate, 0 if self.n_false[gate] else UNKNOWN if self.n_open[gate] else 1)
        self.queue.clear()


cdef void carry_over(Netlist old, Netlist new, vector[int32_t]& image, vector[int32_t]& roots):
    cdef int32_t n = old.size(), node, i, child
    cdef vector[uint8_t] live = vector[uint8_t](n, 0)
    cdef vector[int32_t] readers = vector[int32_t](n, 0)
    cdef vector[int32_t] inputs, stack
    cdef size_t k
    for k in range(roots.size()):
        live[roots[k] >> 1] = 1
        readers[roots[k] >> 1] = 2          # a root is never flattened away
    for node in range(n - 1, -1, -1):
        if not live[node] or old.kind[node] != GATE or image[node] >= 0:
            continue
        for i in range(old.first[node], old.first[node + 1]):
            child = old.pool[i]
            live[child >> 1] = 1
            readers[child >> 1] += 2 if child & 1 else 1
    for node in range(n):
        if not live[node] or old.kind[node] != GATE or image[node] >= 0 or readers[node] == 1:
            continue
        inputs.clear()
        stack.clear()
        stack.push_back(node)
        while stack.size():
            child = stack.back()
            stack.pop_back()
            for i in range(old.first[child], old.first[child + 1]):
                if image[old.pool[i] >> 1] < 0:
                    stack.push_back(old.pool[i] >> 1)
                else:
                    inputs.push_back(image[old.pool[i] >> 1] ^ (old.pool[i] & 1))
        image[node] = new.make_and(inputs)
    for k in range(roots.size()):
        roots[k] = image[roots[k] >> 1] ^ (roots[k] & 1)
