# distutils: language = c++
"""Lays a net out for play; see machine.pxd for the tables and kernel.pyx for their use."""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memset
from libcpp.vector cimport vector

from paidia.core.rng cimport Rng, rng_next
from paidia.games.gdl.net cimport Net
from paidia.games.gdl.netlist cimport DOES, GATE, LOOP, Netlist
from paidia.games.gdl.turns cimport find_groups, requirements_of_moves

from paidia.games.gdl.ground import TooLarge

cdef enum:
    MOST_NESTED = 1000      # gates that are evaluated on demand, one inside the other: each takes some C stack


cdef class Machine:
    """Tables for all states of a game."""

    def __init__(self, Net net):
        cdef int32_t fluent
        self.net = net
        self.groups = find_groups(net)
        self.required = requirements_of_moves(net)
        self.find_moving()
        self.due.assign(net.base.size(), 0)
        for fluent in range(<int32_t>net.base.size()):
            self.due[fluent] = not self.moving[net.next[fluent] >> 1]
        self.number_nodes()
        self.lay_out_groups()
        self.lay_out_gates()
        self.lay_out_start()

    cdef int32_t translate(self, int32_t literal) noexcept nogil:
        """The literal here of a literal of the net."""
        return 2 * self.image[literal >> 1] + (literal & 1)

    cdef int find_moving(self) except -1:
        cdef Netlist netlist = self.net.netlist
        cdef int32_t node, i
        self.moving.assign(netlist.size(), 0)
        for node in range(netlist.size()):
            if netlist.kind[node] == DOES:
                self.moving[node] = 1
            for i in range(netlist.first[node], netlist.first[node + 1]):
                self.moving[node] |= self.moving[netlist.pool[i] >> 1]
        for i in range(<int32_t>netlist.definition.size()):
            raise TooLarge("relations that depend on themselves")
        return 0

    cdef void keep(self, vector[uint8_t]& kept, int32_t literal):
        """Keep the value of a literal's node, and so of all it depends on."""
        cdef Netlist netlist = self.net.netlist
        cdef vector[int32_t] stack
        cdef int32_t node, i
        stack.push_back(literal >> 1)
        while stack.size():
            node = stack.back()
            stack.pop_back()
            if kept[node]:
                continue
            kept[node] = 1
            for i in range(netlist.first[node], netlist.first[node + 1]):
                stack.push_back(netlist.pool[i] >> 1)

    cdef void number_nodes(self):
        """Choose the gates whose values are kept, and number fluents, kept gates and the others."""
        cdef Net net = self.net
        cdef Netlist netlist = net.netlist
        cdef int32_t n = netlist.size(), node, i, child, number
        cdef vector[uint8_t] kept = vector[uint8_t](n, 0)
        cdef vector[uint8_t] live = vector[uint8_t](n, 0)
        cdef vector[int32_t] depth = vector[int32_t](n, 0)
        cdef size_t g, k
        for g in range(self.groups.size()):
            for k in range(self.groups[g].literals.size()):
                self.keep(kept, self.groups[g].literals[k])
        self.keep(kept, net.terminal)
        for i in range(<int32_t>net.next.size()):
            if self.due[i]:
                self.keep(kept, net.next[i])
            live[net.next[i] >> 1] = 1
        for k in range(net.goal.size()):
            live[net.goal[k] >> 1] = 1
        for node in range(n - 1, -1, -1):
            if live[node] or kept[node]:
                live[node] = 1
                for i in range(netlist.first[node], netlist.first[node + 1]):
                    live[netlist.pool[i] >> 1] = 1
        for node in range(n):
            if not live[node] or kept[node] or self.moving[node]:
                continue
            for i in range(netlist.first[node], netlist.first[node + 1]):
                child = netlist.pool[i] >> 1
                if not kept[child]:
                    depth[node] = max(depth[node], depth[child] + 1)
            if depth[node] > MOST_NESTED:
                depth[node] = 0
                self.keep(kept, 2 * node)
        self.image.assign(n, -1)
        self.image[0] = 0
        for i in range(<int32_t>net.base.size()):
            self.image[net.base[i]] = 1 + i
        number = 1 + <int32_t>net.base.size()
        for node in range(n):
            if kept[node] and netlist.kind[node] == GATE:
                self.image[node] = number
                number += 1
        self.tables.n_known = number
        for node in range(n):
            if live[node] and not kept[node] and not self.moving[node] and netlist.kind[node] == GATE:
                self.image[node] = number
                number += 1
        self.tables.n_nodes = number
        self.tables.n_fluents = <int32_t>net.base.size()

    cdef void lay_out_groups(self):
        cdef Tables* t = &self.tables
        cdef Net net = self.net
        cdef int32_t role, first
        cdef size_t g, k
        cdef uint8_t alone
        t.n_roles = <int32_t>len(net.roles)
        t.n_groups = <int32_t>self.groups.size()
        self.group_first.push_back(0)
        self.guard_first.push_back(0)
        self.word_first.push_back(0)
        self.move_first.push_back(0)
        g = 0
        for role in range(t.n_roles):
            first = <int32_t>g
            while g < self.groups.size() and self.groups[g].role == role:
                for k in range(self.groups[g].guards.size()):
                    self.guard.push_back(self.translate(self.groups[g].guards[k]))
                self.guard_first.push_back(<int32_t>self.guard.size())
                for k in range(self.groups[g].moves.size()):
                    self.move.push_back(self.groups[g].moves[k] - net.first_move[role])
                self.move_first.push_back(<int32_t>self.move.size())
                self.word_first.push_back(self.word_first.back() + <int32_t>((self.groups[g].moves.size() + 63) >> 6))
                g += 1
            self.group_first.push_back(<int32_t>g)
            for k in range(first, g):
                alone = 1 if self.groups[k].moves.size() == 1 and g - first > 1 else 0
                self.idle.push_back(alone)
        t.n_words = self.word_first.back()
        t.group_first, t.guard_first, t.guard = self.group_first.data(), self.guard_first.data(), self.guard.data()
        t.word_first, t.move_first, t.move = self.word_first.data(), self.move_first.data(), self.move.data()
        t.idle = self.idle.data()
        t.first_move = net.first_move.data()
        t.terminal = self.translate(net.terminal)
        t.n_goals = <int32_t>net.goal.size()
        for k in range(net.goal.size()):
            self.goal.push_back(self.translate(net.goal[k]))
        t.goal, t.goal_role, t.goal_value = self.goal.data(), net.goal_role.data(), net.goal_value.data()

    cdef void lay_out_gates(self):
        """Inputs of all gates, cheap ones first; readers and actions of the nodes that are kept."""
        cdef Tables* t = &self.tables
        cdef Netlist netlist = self.net.netlist
        cdef vector[int32_t] node_of = vector[int32_t](t.n_nodes, -1)
        cdef vector[vector[int32_t]] plain = vector[vector[int32_t]](t.n_known)
        cdef vector[vector[int32_t]] denied = vector[vector[int32_t]](t.n_known)
        cdef vector[vector[Action]] actions = vector[vector[Action]](t.n_known)
        cdef int32_t node, i, at, literal, fluent, bit
        cdef size_t g, k
        cdef Action action
        cdef Rng rng
        for node in range(netlist.size()):
            if self.image[node] >= 0:
                node_of[self.image[node]] = node
        self.input_first.push_back(0)
        for at in range(t.n_nodes):
            node = node_of[at]
            for i in range(netlist.first[node], netlist.first[node + 1]):
                literal = self.translate(netlist.pool[i])
                if literal >> 1 < t.n_known:
                    self.input.push_back(literal)
                if at < t.n_known:
                    if literal & 1:
                        denied[literal >> 1].push_back(at)
                    else:
                        plain[literal >> 1].push_back(at)
            for i in range(netlist.first[node], netlist.first[node + 1]):
                literal = self.translate(netlist.pool[i])
                if literal >> 1 >= t.n_known:
                    self.input.push_back(literal)
            self.input_first.push_back(<int32_t>self.input.size())
        for g in range(self.groups.size()):
            for k in range(self.groups[g].literals.size()):
                literal = self.translate(self.groups[g].literals[k])
                action.group = <int32_t>g
                action.word = self.word_first[g] + <int32_t>(k >> 6)
                action.bit = (<uint64_t>1) << (k & 63)
                action.denied = literal & 1
                actions[literal >> 1].push_back(action)
        action.group = -1
        action.denied = 0
        for fluent in range(t.n_fluents):
            if not self.due[fluent]:
                continue
            bit = <int32_t>self.due_fluent.size()
            self.due_fluent.push_back(1 + fluent)
            action.word = bit >> 6
            action.bit = (<uint64_t>1) << (bit & 63)
            actions[1 + fluent].push_back(action)
            actions[self.image[self.net.next[fluent] >> 1]].push_back(action)
        t.n_due = <int32_t>((self.due_fluent.size() + 63) >> 6)
        self.reader_first.push_back(0)
        self.action_first.push_back(0)
        for node in range(t.n_known):
            self.reader.insert(self.reader.end(), plain[node].begin(), plain[node].end())
            self.reader_middle.push_back(<int32_t>self.reader.size())
            self.reader.insert(self.reader.end(), denied[node].begin(), denied[node].end())
            self.reader_first.push_back(<int32_t>self.reader.size())
            self.action.insert(self.action.end(), actions[node].begin(), actions[node].end())
            self.action_first.push_back(<int32_t>self.action.size())
        rng.state = 0
        for node in range(1 + t.n_fluents):
            self.code.push_back(rng_next(&rng))
        t.input_first, t.input = self.input_first.data(), self.input.data()
        t.reader_first, t.reader_middle = self.reader_first.data(), self.reader_middle.data()
        t.reader = self.reader.data()
        t.action_first, t.action = self.action_first.data(), self.action.data()
        t.due_fluent, t.code = self.due_fluent.data(), self.code.data()

    cdef void lay_out_start(self):
        """The block of the initial state, and where its parts are."""
        cdef Tables* t = &self.tables
        cdef uint8_t* block
        cdef uint8_t* value
        cdef uint16_t* counter
        cdef int32_t* count
        cdef uint64_t* words
        cdef int32_t node, i, wrong
        cdef const Action* action
        t.legal_at = sizeof(uint64_t)               # the key stands before
        t.due_at = t.legal_at + t.n_words * sizeof(uint64_t)
        t.count_at = t.due_at + t.n_due * sizeof(uint64_t)
        t.counter_at = t.count_at + t.n_groups * sizeof(int32_t)
        t.value_at = t.counter_at + t.n_known * sizeof(uint16_t)
        t.block_size = (t.value_at + t.n_known + 7) & ~<size_t>7
        self.start.assign(t.block_size, 0)
        block = self.start.data()
        value = block + t.value_at
        counter = <uint16_t*>(block + t.counter_at)
        count = <int32_t*>(block + t.count_at)
        value[0] = 1
        for i in range(t.n_fluents):
            value[1 + i] = self.net.initial[i]
            if value[1 + i]:
                (<uint64_t*>block)[0] ^= self.code[1 + i]
        for node in range(1 + t.n_fluents, t.n_known):
            wrong = 0
            for i in range(t.input_first[node], t.input_first[node + 1]):
                wrong += not (value[t.input[i] >> 1] ^ (t.input[i] & 1))
            counter[node] = <uint16_t>wrong
            value[node] = wrong == 0
        for node in range(t.n_known):
            for i in range(t.action_first[node], t.action_first[node + 1]):
                action = t.action + i
                if action.group >= 0:
                    if value[node] ^ action.denied:
                        words = <uint64_t*>(block + t.legal_at)
                        words[action.word] ^= action.bit
                        count[action.group] += 1
                elif value[node]:
                    # Bits of fluents that are due: the fluent's value XOR its next value.
                    words = <uint64_t*>(block + t.due_at)
                    words[action.word] ^= action.bit
        for i in range(<int32_t>self.due_fluent.size()):
            node = self.due_fluent[i]
            if self.net.next[node - 1] & 1:
                words = <uint64_t*>(block + t.due_at)
                words[i >> 6] ^= (<uint64_t>1) << (i & 63)

    def fanout(self):
        return {self.net.fluents[i]: self.reader_first[i + 2] - self.reader_first[i + 1] for i in range(self.tables.n_fluents)}

    def describe(self):
        out = []
        for g in range(self.groups.size()):
            out.append((self.net.roles[self.groups[g].role], [("not " if x & 1 else "") + self.net.fluents[self.net.netlist.place[x >> 1]] for x in self.groups[g].guards], self.groups[g].moves.size()))
        return out
