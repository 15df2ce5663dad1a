# distutils: language = c++
# distutils: extra_compile_args = -O2
"""Nets as Boolean expressions over planes.

`Embedding` carries the part of a net over that is asked for, with some of its fluents and moves replaced by literals or
constants; a net embedded under "it is white's turn" comes out without all that black does.
"""

from libc.stdint cimport int32_t
from libcpp.algorithm cimport binary_search, sort

from paidia.core.machine.vectors cimport vector
from paidia.games.gdl.lanes.compile.circuit cimport LOOP, Circuit
from paidia.games.gdl.net cimport netlist as net_kinds
from paidia.games.gdl.net.net cimport Net
from paidia.games.gdl.net.netlist cimport FALSE, TRUE, Netlist

cdef enum:
    WIDEST = 10     # more than that, which were never seen to hold at once, are taken for never holding at once


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
