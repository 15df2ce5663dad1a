# distutils: language = c++
# distutils: extra_compile_args = -O2
"""From expressions to operations in an order, and from values to planes.

An operation makes one value from up to three. A value is stored as it is or denied, whichever needs no operation of its own:
all but the values that leave the program can be either, because AND, OR, AND-NOT and the like between them cover every
combination of denials. Operations are rows (operation, value, a, b, c); values 0 .. n_inputs - 1 are the input planes.
"""

import numpy as np

from libc.stdint cimport int32_t, uint8_t

from paidia.core.machine.vectors cimport vector
from paidia.games.gdl.lanes.compile.circuit cimport AND, CONSTANT, INPUT, LOOP, MAJORITY, XOR, XOR3, Circuit

cdef extern from "paidia/games/gdl/lanes/operations.h" nogil:
    enum:
        O_AND "LANES_AND"
        O_ANDNOT "LANES_ANDNOT"
        O_OR "LANES_OR"
        O_XOR "LANES_XOR"
        O_XOR3 "LANES_XOR3"
        O_MAJORITY "LANES_MAJORITY"
        O_MAJORITY_NOT "LANES_MAJORITY_NOT"
        O_SELECT "LANES_SELECT"
        O_SELECT_NOT "LANES_SELECT_NOT"
        O_NOT "LANES_NOT"
        O_ZERO "LANES_ZERO"
        O_OUT "LANES_OUT"
        O_OUT_NOT "LANES_OUT_NOT"
        O_MARK "LANES_MARK"
        O_LOOP "LANES_LOOP"
        O_GROW "LANES_GROW"
        O_GROW_NOT "LANES_GROW_NOT"
        O_END "LANES_END"
        ADD "LANES_ADD"
        ADD_NOT "LANES_ADD_NOT"
        STOP "LANES_STOP"


cdef inline int32_t inputs_of(Circuit g, int32_t node, int32_t* inputs) noexcept nogil:
    """The nodes that a gate reads; returns how many."""
    inputs[0] = g.a[node] >> 1
    inputs[1] = g.b[node] >> 1
    inputs[2] = g.c[node] >> 1
    return 2 if g.kind[node] == AND or g.kind[node] == XOR else 3


cdef inline bint makes(int32_t op) noexcept nogil:
    return op <= O_ZERO


cdef inline int32_t operands(const int32_t* row, int32_t* read) noexcept nogil:
    """The values that an operation reads; how many."""
    cdef int32_t op = row[0]
    read[0], read[1], read[2] = row[2], row[3], row[4]
    if op <= O_XOR:
        return 2
    if op <= O_SELECT_NOT:
        return 3
    if op == O_NOT or op == O_OUT or op == O_OUT_NOT:
        return 1
    if op == O_GROW or op == O_GROW_NOT:
        read[1] = row[1]
        return 2
    return 0


cdef class Scheduler:
    """Emits operations for literals that are asked for."""

    cdef Circuit circuit
    cdef vector[int32_t] value      # by node: the value that holds it, or -1
    cdef vector[uint8_t] denied     # by node: it is stored denied
    cdef vector[int32_t] rows
    cdef int32_t n_values
    cdef int32_t n_inputs
    cdef int32_t n_done_groups
    cdef vector[uint8_t] inside     # by node, while a group of loops is emitted: 1 depends on it, 2 does not, 0 unknown

    def __init__(self, Circuit circuit not None, int n_inputs):
        cdef size_t node
        self.circuit = circuit
        self.value.assign(circuit.kind.size(), -1)
        self.denied.assign(circuit.kind.size(), 0)
        self.n_values = self.n_inputs = n_inputs
        for node in range(circuit.kind.size()):
            if circuit.kind[node] == INPUT:
                self.value[node] = circuit.a[node]

    cdef int32_t emit(self, int op, int32_t a, int32_t b, int32_t c):
        """One more operation; its value."""
        self.rows.push_back(op)
        self.rows.push_back(self.n_values)
        self.rows.push_back(a)
        self.rows.push_back(b)
        self.rows.push_back(c)
        self.n_values += 1
        return self.n_values - 1

    cdef void control(self, int op, int32_t value, int32_t a, int32_t b):
        self.rows.push_back(op)
        self.rows.push_back(value)
        self.rows.push_back(a)
        self.rows.push_back(b)
        self.rows.push_back(0)

    def need(self, literals):
        """Have the values of these literals made."""
        for literal in literals:
            self.make(literal >> 1)

    def mark(self, int part):
        self.control(O_MARK, 0, part, 0)

    def out(self, int32_t literal, int32_t plane):
        """Let a plane become the value of a literal."""
        self.make(literal >> 1)
        cdef int32_t node = literal >> 1
        self.control(O_OUT_NOT if (literal & 1) ^ self.denied[node] else O_OUT, plane, self.value[node], plane)

    def reads_input(self, int32_t literal):
        """Whether the value of a literal, if it is still to be made, is made directly from an input."""
        cdef Circuit g = self.circuit
        cdef int32_t node = literal >> 1
        if self.value[node] >= 0:
            return g.kind[node] == INPUT
        if g.kind[node] == CONSTANT:
            return False
        for child in (g.a[node], g.b[node], g.c[node]):
            if g.kind[<int32_t>child >> 1] == INPUT or self.value[<int32_t>child >> 1] < 0:
                return True
        return False

    def result(self):
        """The operations as an array of rows, without those that nothing needs; values are numbered in order."""
        cdef int32_t n = <int32_t>(self.rows.size() // 5), i, k, m, at = 0, n_inputs = self.n_inputs, number
        cdef vector[uint8_t] wanted = vector[uint8_t](self.n_values, 0)
        cdef vector[int32_t] renamed = vector[int32_t](self.n_values, 0)
        cdef int32_t read[3]
        cdef int32_t* row
        found = np.zeros((n, 5), np.int32)
        cdef int32_t[:, ::1] view = found
        for i in range(n - 1, -1, -1):
            row = &self.rows[5 * i]
            if makes(row[0]) and not wanted[row[1]]:
                continue
            m = operands(row, read)
            for k in range(m):
                wanted[read[k]] = 1
        for i in range(n_inputs):
            renamed[i] = i
        number = n_inputs
        for i in range(n):
            row = &self.rows[5 * i]
            if makes(row[0]):
                if not wanted[row[1]]:
                    continue
                renamed[row[1]] = number
                number += 1
            m = operands(row, read)
            view[at, 0] = row[0]
            view[at, 1] = renamed[row[1]] if makes(row[0]) or row[0] == O_GROW or row[0] == O_GROW_NOT else row[1]
            view[at, 2], view[at, 3], view[at, 4] = row[2], row[3], row[4]
            for k in range(1 if row[0] == O_GROW or row[0] == O_GROW_NOT else m):
                view[at, 2 + k] = renamed[read[k]]
            at += 1
        return found[:at].copy()

    cdef int make(self, int32_t root) except -1:
        cdef Circuit g = self.circuit
        cdef vector[int32_t] stack
        cdef int32_t node, child, k, n
        cdef int32_t children[3]
        cdef bint ready
        stack.push_back(root)
        while stack.size():
            node = stack.back()
            if self.value[node] >= 0:
                stack.pop_back()
                continue
            if g.kind[node] == CONSTANT:
                self.value[node] = self.emit(O_ZERO, 0, 0, 0)
                self.denied[node] = 1
                continue
            if g.kind[node] == LOOP:
                while self.n_done_groups <= g.loop_group[g.a[node]]:
                    self.make_loops(self.n_done_groups)
                    self.n_done_groups += 1
                continue
            n = inputs_of(g, node, children)
            ready = True
            for k in range(n - 1, -1, -1):
                child = children[k]
                if self.value[child] < 0:
                    stack.push_back(child)
                    ready = False
            if ready:
                # Sum and carry of one adder are made side by side: back ends that can make both at once find them so.
                if g.kind[node] == MAJORITY and self.same_adder(node - 1, node):
                    self.make_node(node - 1)
                self.make_node(node)
                if g.kind[node] == XOR3 and node + 1 < <int32_t>g.kind.size() and self.same_adder(node, node + 1):
                    self.make_node(node + 1)
                stack.pop_back()
        return 0

    cdef bint same_adder(self, int32_t sum, int32_t carry):
        """Whether two nodes are sum and carry of the same bits, and the one of them that is still to be made may be made."""
        cdef Circuit g = self.circuit
        cdef int32_t x[3]
        cdef int32_t y[3]
        cdef int i, j, found = 0
        if g.kind[sum] != XOR3 or g.kind[carry] != MAJORITY or (self.value[sum] >= 0) or (self.value[carry] >= 0):
            return False
        x[0], x[1], x[2] = g.a[sum] >> 1, g.b[sum] >> 1, g.c[sum] >> 1
        y[0], y[1], y[2] = g.a[carry] >> 1, g.b[carry] >> 1, g.c[carry] >> 1
        for i in range(3):
            for j in range(3):
                found += x[i] == y[j]
        return found == 3

    cdef void make_node(self, int32_t node):
        cdef Circuit g = self.circuit
        cdef int32_t x = g.a[node], y = g.b[node], z = g.c[node]
        cdef int32_t a = self.value[x >> 1], b = self.value[y >> 1], c = self.value[z >> 1]
        cdef int sa = (x & 1) ^ self.denied[x >> 1], sb = (y & 1) ^ self.denied[y >> 1], sc = (z & 1) ^ self.denied[z >> 1]
        cdef int denied = 0
        cdef int32_t value
        if g.kind[node] == AND:
            if sa and sb:
                value = self.emit(O_OR, a, b, 0)
                denied = 1
            elif sa:
                value = self.emit(O_ANDNOT, a, b, 0)
            elif sb:
                value = self.emit(O_ANDNOT, b, a, 0)
            else:
                value = self.emit(O_AND, a, b, 0)
        elif g.kind[node] == XOR:
            value = self.emit(O_XOR, a, b, 0)
            denied = sa ^ sb
        elif g.kind[node] == XOR3:
            value = self.emit(O_XOR3, a, b, c)
            denied = sa ^ sb ^ sc
        elif g.kind[node] == MAJORITY:
            denied = sa + sb + sc >= 2
            if denied:
                sa ^= 1
                sb ^= 1
                sc ^= 1
            if sa:
                value = self.emit(O_MAJORITY_NOT, a, b, c)
            elif sb:
                value = self.emit(O_MAJORITY_NOT, b, a, c)
            elif sc:
                value = self.emit(O_MAJORITY_NOT, c, a, b)
            else:
                value = self.emit(O_MAJORITY, a, b, c)
        else:
            if sa:
                b, c = c, b
                sb, sc = sc, sb
            denied = sc
            value = self.emit(O_SELECT_NOT if sb ^ sc else O_SELECT, a, b, c)
        self.value[node] = value
        self.denied[node] = denied

    cdef int make_loops(self, int32_t group) except -1:
        """Emit a group of loops: what they need from outside, then the repeated part."""
        cdef Circuit g = self.circuit
        cdef vector[int32_t] members, outside
        cdef int32_t k, node, literal
        cdef size_t i
        self.inside.assign(g.kind.size(), 0)
        for k in range(<int32_t>g.loop_node.size()):
            if g.loop_group[k] == group:
                members.push_back(k)
                self.inside[g.loop_node[k]] = 1
        for i in range(members.size()):
            self.find_inside(g.definition[members[i]] >> 1, outside)
        for i in range(outside.size()):
            self.make(outside[i])
        for i in range(members.size()):
            node = g.loop_node[members[i]]
            self.value[node] = self.emit(O_ZERO, 0, 0, 0)
        self.control(O_LOOP, 0, 0, 0)
        for i in range(members.size()):
            literal = g.definition[members[i]]
            self.make(literal >> 1)
            node = g.loop_node[members[i]]
            self.control(
                O_GROW_NOT if (literal & 1) ^ self.denied[literal >> 1] else O_GROW, self.value[node], self.value[literal >> 1], 0
            )
        self.control(O_END, 0, 0, 0)
        return 0

    cdef int find_inside(self, int32_t root, vector[int32_t]& outside) except -1:
        """Mark the nodes below a definition that depend on the group; collect the highest ones that do not."""
        cdef Circuit g = self.circuit
        cdef vector[int32_t] stack
        cdef int32_t node, child, k, n
        cdef int32_t children[3]
        cdef bint ready, depends
        cdef uint8_t mark
        stack.push_back(root)
        while stack.size():
            node = stack.back()
            if self.inside[node]:
                stack.pop_back()
                continue
            if self.value[node] >= 0 or g.kind[node] < AND:
                self.inside[node] = 2
                continue
            n = inputs_of(g, node, children)
            ready = True
            for k in range(n):
                if not self.inside[children[k]]:
                    stack.push_back(children[k])
                    ready = False
            if not ready:
                continue
            depends = False
            for k in range(n):
                depends = depends or self.inside[children[k]] == 1
            mark = 1 if depends else 2
            self.inside[node] = mark
            if depends:
                for k in range(n):
                    child = children[k]
                    if self.inside[child] == 2:
                        outside.push_back(child)
            stack.pop_back()
        if self.inside[root] == 2:
            outside.push_back(root)
        return 0


# The operations, once they are there: in runs, over planes instead of values, as the kernels read them.
include "planes.pxi"
