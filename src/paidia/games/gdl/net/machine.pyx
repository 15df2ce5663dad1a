# distutils: language = c++
"""Lays a net out for play; see machine.pxd for the tables and kernel.pyx for their use."""

from libc.stdint cimport int8_t, int32_t, uint8_t, uint16_t, uint64_t

from paidia.core.machine.rng cimport Rng, rng_next
from paidia.core.machine.vectors cimport vector
from paidia.games.gdl.net.net cimport Net
from paidia.games.gdl.net.netlist cimport DOES, FALSE, GATE, LOOP, TRUE, Netlist
from paidia.games.gdl.net.turns cimport find_groups, requirements_of_moves

from paidia.games.gdl.net.ground import TooLarge

cdef enum:
    MOST_NESTED = 1000      # gates that are evaluated on demand, one inside the other: each takes some C stack


cdef class Machine:
    """Tables for all states of a game."""

    def __init__(self, Net net not None):
        cdef int32_t fluent
        self.net = net
        find_groups(net, self.groups)
        self.required = requirements_of_moves(net)
        self.find_moving()
        self.due.assign(net.base.size(), 0)
        for fluent in range(<int32_t>net.base.size()):
            self.due[fluent] = not self.moving[net.next[fluent] >> 1]
        self.number_nodes()
        self.lay_out_groups()
        self.lay_out_inputs()
        self.lay_out_loops()
        self.lay_out_readers()
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
            if self.moving[netlist.definition[i] >> 1]:
                raise TooLarge("a relation depends on itself and on the moves")
        return 0

    cdef void reach(self, vector[uint8_t]& reached, int32_t literal):
        """Mark a literal's node and all it depends on."""
        cdef Netlist netlist = self.net.netlist
        cdef vector[int32_t] stack
        cdef int32_t node, i
        stack.push_back(literal >> 1)
        while stack.size():
            node = stack.back()
            stack.pop_back()
            if reached[node]:
                continue
            reached[node] = 1
            if netlist.kind[node] == LOOP:
                stack.push_back(netlist.definition[netlist.place[node]] >> 1)
            for i in range(netlist.first[node], netlist.first[node + 1]):
                stack.push_back(netlist.pool[i] >> 1)

    cdef int number_nodes(self) except -1:
        """Choose the gates whose values are kept, and number fluents, loops, kept gates and the others."""
        cdef Net net = self.net
        cdef Netlist netlist = net.netlist
        cdef int32_t n = netlist.size(), node, i, child, number
        cdef vector[uint8_t] kept = vector[uint8_t](n, 0)
        cdef vector[uint8_t] live = vector[uint8_t](n, 0)
        cdef vector[uint8_t] ends
        cdef vector[int32_t] depth = vector[int32_t](n, 0)
        cdef size_t g, k
        for g in range(self.groups.size()):
            for k in range(self.groups[g].literals.size()):
                self.reach(kept, self.groups[g].literals[k])
        self.reach(kept, net.terminal)
        live.assign(kept.begin(), kept.end())
        for i in range(<int32_t>net.next.size()):
            if self.due[i]:
                self.reach(kept, net.next[i])
            self.reach(live, net.next[i])
        for k in range(net.goal.size()):
            self.reach(live, net.goal[k])
        for k in range(netlist.loop_node.size()):
            if live[netlist.loop_node[k]]:
                self.reach(kept, 2 * netlist.loop_node[k])
        for node in range(n):
            if not live[node] or kept[node]:
                continue
            for i in range(netlist.first[node], netlist.first[node + 1]):
                child = netlist.pool[i] >> 1
                if not kept[child]:
                    depth[node] = max(depth[node], depth[child] + 1)
            if depth[node] > MOST_NESTED:
                if self.moving[node]:
                    raise TooLarge(f"what a move does depends on it through more than {MOST_NESTED} gates")
                depth[node] = 0
                self.reach(kept, 2 * node)
        self.image.assign(n, -1)
        self.image[0] = 0
        for i in range(<int32_t>net.base.size()):
            self.image[net.base[i]] = 1 + i
        self.tables.n_fluents = <int32_t>net.base.size()
        number = 1 + self.tables.n_fluents
        for k in range(netlist.loop_node.size()):
            if kept[netlist.loop_node[k]]:
                self.image[netlist.loop_node[k]] = number
                number += 1
        self.tables.n_inputs = number - 1
        self.find_ends(live, ends)
        for node in range(n):
            if kept[node] and netlist.kind[node] == GATE and not ends[node]:
                self.image[node] = number
                number += 1
        self.tables.first_end = number
        for node in range(n):
            if kept[node] and netlist.kind[node] == GATE and ends[node]:
                self.image[node] = number
                number += 1
        self.tables.n_known = number
        for node in range(n):
            if live[node] and not kept[node] and not self.moving[node] and netlist.kind[node] == GATE:
                self.image[node] = number
                number += 1
        for i in range(<int32_t>net.does.size()):
            self.image[net.does[i]] = number
            self.does.push_back(number)
            number += 1
        for node in range(n):
            if live[node] and self.moving[node] and netlist.kind[node] == GATE:
                self.image[node] = number
                number += 1
        self.tables.n_nodes = number
        for i in range(<int32_t>net.next.size()):
            if not self.due[i]:
                self.changing.push_back(1 + i)
                self.changing.push_back(self.translate(net.next[i]))
        self.tables.n_changing = <int32_t>(self.changing.size() >> 1)
        self.tables.changing, self.tables.does = self.changing.data(), self.does.data()
        return 0

    cdef void find_ends(self, vector[uint8_t]& live, vector[uint8_t]& ends):
        """By node: whether it is a gate that only says whether one move is legal."""
        cdef Netlist netlist = self.net.netlist
        cdef vector[uint8_t] uses = vector[uint8_t](netlist.size(), 0)      # 1: one move; 2: anything else
        cdef int32_t node, i
        cdef size_t g, k
        ends.assign(netlist.size(), 0)
        for g in range(self.groups.size()):
            for k in range(self.groups[g].literals.size()):
                node = self.groups[g].literals[k] >> 1
                uses[node] = min(2, uses[node] + 1)
        uses[self.net.terminal >> 1] = 2
        for i in range(<int32_t>self.net.next.size()):
            uses[self.net.next[i] >> 1] = 2
        for k in range(self.net.goal.size()):
            uses[self.net.goal[k] >> 1] = 2
        for k in range(netlist.definition.size()):
            uses[netlist.definition[k] >> 1] = 2
        for node in range(netlist.size()):
            if live[node]:
                for i in range(netlist.first[node], netlist.first[node + 1]):
                    uses[netlist.pool[i] >> 1] = 2
        for node in range(netlist.size()):
            ends[node] = uses[node] == 1

    cdef void lay_out_groups(self):
        cdef Tables* t = &self.tables
        cdef Net net = self.net
        cdef MoveGroup group
        cdef int32_t role, words = 0
        cdef size_t g = 0, k, first
        t.n_roles = <int32_t>len(net.roles)
        t.n_groups = <int32_t>self.groups.size()
        self.group_first.push_back(0)
        for role in range(t.n_roles):
            first = g
            while g < self.groups.size() and self.groups[g].role == role:
                group.guard = self.translate(self.groups[g].guards[0]) if self.groups[g].guards.size() else TRUE
                group.more_guards = <int32_t>self.guard.size()
                for k in range(1, self.groups[g].guards.size()):
                    self.guard.push_back(self.translate(self.groups[g].guards[k]))
                group.n_more = <int32_t>self.guard.size() - group.more_guards
                group.word = words
                group.n_words = <int32_t>((self.groups[g].moves.size() + 63) >> 6)
                words += group.n_words
                group.move = <int32_t>self.move.size()
                for k in range(self.groups[g].moves.size()):
                    self.move.push_back(self.groups[g].moves[k] - net.first_move[role])
                group.idle = 0
                self.group.push_back(group)
                g += 1
            self.group_first.push_back(<int32_t>g)
            for k in range(first, g):
                self.group[k].idle = self.groups[k].moves.size() == 1 and g - first > 1
        t.n_words = words
        t.group, t.group_first, t.guard = self.group.data(), self.group_first.data(), self.guard.data()
        t.move, t.first_move = self.move.data(), net.first_move.data()
        t.terminal = self.translate(net.terminal)
        t.n_goals = <int32_t>net.goal.size()
        for k in range(net.goal.size()):
            self.goal.push_back(self.translate(net.goal[k]))
        t.goal, t.goal_role, t.goal_value = self.goal.data(), net.goal_role.data(), net.goal_value.data()

    cdef void lay_out_inputs(self):
        """Inputs of all gates, those whose values are kept first: the first false input ends an evaluation."""
        cdef Tables* t = &self.tables
        cdef Netlist netlist = self.net.netlist
        cdef vector[int32_t] node_of = vector[int32_t](t.n_nodes, 0)
        cdef int32_t node, i, at, literal
        cdef int turn
        for node in range(netlist.size()):
            if self.image[node] >= 0:
                node_of[self.image[node]] = node
        self.input_first.push_back(0)
        for at in range(t.n_nodes):
            node = node_of[at]
            for turn in range(2):
                for i in range(netlist.first[node], netlist.first[node + 1]):
                    literal = self.translate(netlist.pool[i])
                    if (literal >> 1 >= t.n_known) == turn:
                        self.input.push_back(literal)
            if netlist.kind[node] == DOES:      # false, unless the state says that it is played
                self.input.push_back(FALSE)
            self.input_first.push_back(<int32_t>self.input.size())
        t.input_first, t.input = self.input_first.data(), self.input.data()

    cdef void lay_out_loops(self):
        """Groups of loops, and what holds them up from outside.

        Between the loops of a group and their definitions stand gates; what these read besides is the group's support.
        An AND turns false when an input does, an OR (a denied AND) when an input of its gate turns true; either way
        it is the literal with the sign that makes the group smaller when it turns false.
        """
        cdef Tables* t = &self.tables
        cdef Netlist netlist = self.net.netlist
        cdef vector[int8_t] sense       # by net node: 1 grows with the group's loops, -1 shrinks, 0 does not depend on them
        cdef vector[uint8_t] inside
        cdef LoopGroup group
        cdef int32_t node, i, literal, number = -1
        cdef size_t k
        for k in range(netlist.loop_node.size()):
            node = netlist.loop_node[k]
            if self.image[node] < 0:
                continue
            self.definition.push_back(self.translate(netlist.definition[k]))
            if netlist.loop_group[k] != number:
                number = netlist.loop_group[k]
                group.first = self.image[node]
                group.n = 0
                self.loop_group.push_back(group)
            self.loop_group[self.loop_group.size() - 1].n += 1
        t.n_loop_words = 0
        for k in range(self.loop_group.size()):
            self.loop_group[k].word = t.n_loop_words
            self.loop_group[k].n_words = (self.loop_group[k].n + 63) >> 6
            t.n_loop_words += self.loop_group[k].n_words
            self.loop_group[k].support = <int32_t>self.support.size()
            sense.assign(netlist.size(), 0)
            inside.assign(netlist.size(), 0)
            for node in range(netlist.size()):
                if netlist.kind[node] == LOOP:
                    i = self.image[node] - self.loop_group[k].first
                    if 0 <= i < self.loop_group[k].n:
                        sense[node] = 1
                        inside[netlist.definition[netlist.place[node]] >> 1] = 1
                for i in range(netlist.first[node], netlist.first[node + 1]):
                    literal = netlist.pool[i]
                    if sense[literal >> 1]:
                        sense[node] = -sense[literal >> 1] if literal & 1 else sense[literal >> 1]
            for node in range(netlist.size() - 1, -1, -1):
                if not inside[node] or not sense[node] or netlist.kind[node] != GATE:
                    continue
                for i in range(netlist.first[node], netlist.first[node + 1]):
                    literal = netlist.pool[i]
                    inside[literal >> 1] = 1
                    if not sense[literal >> 1]:
                        self.support.push_back(self.translate(literal) ^ (sense[node] < 0))
            # A definition without loops in it is support as a whole.
            for node in range(netlist.size()):
                if netlist.kind[node] == LOOP and sense[node]:
                    literal = netlist.definition[netlist.place[node]]
                    if not sense[literal >> 1]:
                        self.support.push_back(self.translate(literal))
            self.loop_group[k].n_support = <int32_t>self.support.size() - self.loop_group[k].support
        t.n_loop_groups = <int32_t>self.loop_group.size()
        t.loop_group, t.support = self.loop_group.data(), self.support.data()

    cdef void lay_out_readers(self):
        """Readers and actions of the nodes whose values are kept."""
        cdef Tables* t = &self.tables
        cdef vector[vector[int32_t]] plain = vector[vector[int32_t]](t.n_known)
        cdef vector[vector[int32_t]] denied = vector[vector[int32_t]](t.n_known)
        cdef vector[vector[Action]] actions = vector[vector[Action]](t.n_known)
        cdef int32_t at, i, literal, fluent, bit
        cdef size_t g, k
        cdef Action action
        cdef Node node
        cdef Rng rng
        for at in range(t.n_known):
            for i in range(t.input_first[at], t.input_first[at + 1]):
                if t.input[i] & 1:
                    denied[t.input[i] >> 1].push_back(at)
                else:
                    plain[t.input[i] >> 1].push_back(at)
        self.end_bit.assign(t.n_known - t.first_end, 0)
        for g in range(self.groups.size()):
            for k in range(self.groups[g].literals.size()):
                literal = self.translate(self.groups[g].literals[k])
                action.word = self.group[g].word + <int32_t>(k >> 6)
                action.bit = (<uint64_t>1) << (k & 63)
                actions[literal >> 1].push_back(action)
                if literal >> 1 >= t.first_end:
                    self.end_bit[(literal >> 1) - t.first_end] = 64 * self.group[g].word + <int32_t>k
        for fluent in range(t.n_fluents):
            if not self.due[fluent]:
                continue
            bit = <int32_t>self.due_fluent.size()
            self.due_fluent.push_back(1 + fluent)
            action.word = t.n_words + (bit >> 6)
            action.bit = (<uint64_t>1) << (bit & 63)
            actions[1 + fluent].push_back(action)
            actions[self.image[self.net.next[fluent] >> 1]].push_back(action)
        t.n_due = <int32_t>((self.due_fluent.size() + 63) >> 6)
        for g in range(self.loop_group.size()):
            for i in range(self.loop_group[g].n):
                at = self.loop_group[g].first + i
                literal = self.definition[at - 1 - t.n_fluents]
                action.word = t.n_words + t.n_due + self.loop_group[g].word + (i >> 6)
                action.bit = (<uint64_t>1) << (i & 63)
                actions[at].push_back(action)
                actions[literal >> 1].push_back(action)
        for at in range(t.n_known):
            node.reader = <int32_t>self.reader.size()
            node.reader_end = self.add_readers(plain[at])
            node.denier = <int32_t>self.reader.size()
            node.denier_end = self.add_readers(denied[at])
            node.stop = <int32_t>self.reader.size()
            node.action = <int32_t>self.action.size()
            node.n_actions = <int32_t>actions[at].size()
            self.action.insert(self.action.end(), actions[at].begin(), actions[at].end())
            self.node.push_back(node)
        rng.state = 0
        for at in range(1 + t.n_inputs):
            self.code.push_back(rng_next(&rng) if at <= t.n_fluents else 0)
        t.node, t.reader, t.action = self.node.data(), self.reader.data(), self.action.data()
        t.end_bit, t.due_fluent, t.code = self.end_bit.data(), self.due_fluent.data(), self.code.data()

    cdef int32_t add_readers(self, vector[int32_t]& gates):
        """Append gates, which are sorted; returns where the ends of the net begin."""
        cdef size_t i, start = self.reader.size()
        cdef int32_t ends = <int32_t>start
        for i in range(gates.size()):
            self.reader.push_back(gates[i])
            ends += gates[i] < self.tables.first_end
        return ends

    cdef void lay_out_start(self):
        """The block of the initial state, and where its parts are."""
        cdef Tables* t = &self.tables
        cdef uint8_t* block
        cdef uint8_t* value
        cdef uint64_t* words
        cdef int32_t node, i
        cdef const Action* action
        cdef size_t g, k
        t.legal_at = sizeof(uint64_t)               # the key stands before
        t.due_at = t.legal_at + t.n_words * sizeof(uint64_t)
        t.counter_at = t.due_at + (t.n_due + t.n_loop_words) * sizeof(uint64_t)
        t.value_at = t.counter_at + t.n_known * sizeof(uint16_t)
        t.support_at = t.value_at + t.n_known
        t.block_size = (t.support_at + self.support.size() + 7) & ~<size_t>7
        self.start.assign(t.block_size, 0)
        block = self.start.data()
        value = block + t.value_at
        words = <uint64_t*>(block + t.legal_at)
        value[0] = 1
        for i in range(t.n_fluents):
            value[1 + i] = self.net.initial[i]
            if value[1 + i]:
                (<uint64_t*>block)[0] ^= self.code[1 + i]
        self.evaluate_start(value, <uint16_t*>(block + t.counter_at))
        for k in range(self.support.size()):
            block[t.support_at + k] = value[self.support[k] >> 1] ^ (self.support[k] & 1)
        # Bits of moves: legal, given the guards. Bits of fluents and loops: their value XOR what it should become.
        for node in range(t.n_known):
            for i in range(t.node[node].n_actions if value[node] else 0):
                action = t.action + t.node[node].action + i
                words[action.word] ^= action.bit
        for g in range(self.groups.size()):
            for k in range(self.groups[g].literals.size()):
                if self.groups[g].literals[k] & 1:
                    words[self.group[g].word + (k >> 6)] ^= (<uint64_t>1) << (k & 63)
        for k in range(self.due_fluent.size()):
            if self.net.next[self.due_fluent[k] - 1] & 1:
                words[t.n_words + (k >> 6)] ^= (<uint64_t>1) << (k & 63)
        for g in range(self.loop_group.size()):
            for i in range(self.loop_group[g].n):
                if self.definition[self.loop_group[g].first + i - 1 - t.n_fluents] & 1:
                    words[t.n_words + t.n_due + self.loop_group[g].word + (i >> 6)] ^= (<uint64_t>1) << (i & 63)

    cdef void evaluate_start(self, uint8_t* value, uint16_t* counter):
        """Evaluate all kept gates, once for each growth of the loops, group by group."""
        cdef Tables* t = &self.tables
        cdef int32_t node, i, wrong, literal
        cdef size_t g = 0
        cdef bint grown
        while True:
            for node in range(1 + t.n_inputs, t.n_known):
                wrong = 0
                for i in range(t.input_first[node], t.input_first[node + 1]):
                    wrong += not (value[t.input[i] >> 1] ^ (t.input[i] & 1))
                counter[node] = <uint16_t>wrong
                value[node] = wrong == 0
            grown = False
            while g < self.loop_group.size() and not grown:
                for i in range(self.loop_group[g].n):
                    node = self.loop_group[g].first + i
                    literal = self.definition[node - 1 - t.n_fluents]
                    if not value[node] and value[literal >> 1] ^ (literal & 1):
                        value[node] = 1
                        grown = True
                g += not grown
            if not grown:
                return

    @property
    def groups_of_moves(self):
        """Role, guards and number of moves of every group."""
        fluents, netlist = self.net.fluents, self.net.netlist
        found = []
        for g in range(self.groups.size()):
            guards = [
                f"(not {fluents[(<Netlist>netlist).place[x >> 1]]})" if x & 1 else fluents[(<Netlist>netlist).place[x >> 1]]
                for x in self.groups[g].guards
            ]
            found.append((self.net.roles[self.groups[g].role], guards, self.groups[g].moves.size()))
        return found
