# distutils: language = c++
"""Turn factoring: a fluent that many moves of a role need (whose turn it is, a phase) is taken out of their gates.

When the turn passes, every legal gate that reads it would change, twice a round. So the moves of a role are put into
groups with common guards: legal = guards AND rest, where the rest is the cofactor of the gate by its guards. The
rest is kept up to date whoever moves; the guards are looked at once a group. A guard may sit under ORs: it is
required by an OR if every branch requires it.
"""

from libc.stdint cimport int32_t
from libcpp.algorithm cimport sort
from libcpp.vector cimport vector

from paidia.games.gdl.net cimport Net
from paidia.games.gdl.netlist cimport BASE, FALSE, GATE, TRUE, Netlist, carry_over

cdef enum:
    MOST_REQUIRED = 48      # longer sets are cut: a guard that is needed by many moves stands near the top
    MOST_GROUPS = 12        # of one role


cdef class Requirements:
    """Fluent literals that a literal implies."""

    def __cinit__(self, Net net):
        self.net = net
        self.sets.resize(2 * net.netlist.size())
        self.known.assign(2 * net.netlist.size(), 0)

    cdef void find(self, int32_t literal):
        """Fill in the set of a literal and of all it depends on (without recursion: nets may be deep)."""
        cdef Netlist netlist = self.net.netlist
        cdef vector[int32_t] stack, merged, common
        cdef int32_t top, node, child, i
        cdef bint ready, first
        cdef size_t k
        stack.push_back(literal)
        while stack.size():
            top = stack.back()
            node = top >> 1
            if self.known[top]:
                stack.pop_back()
                continue
            if netlist.kind[node] != GATE:
                if netlist.kind[node] == BASE:
                    self.sets[top].push_back(top)
                self.known[top] = 1
                continue
            ready = True
            for i in range(netlist.first[node], netlist.first[node + 1]):
                child = netlist.pool[i] ^ (top & 1)
                if not self.known[child]:
                    ready = False
                    stack.push_back(child)
            if not ready:
                continue
            merged.clear()
            first = True
            for i in range(netlist.first[node], netlist.first[node + 1]):
                child = netlist.pool[i] ^ (top & 1)
                if not top & 1:             # AND: what any input requires
                    merged.insert(merged.end(), self.sets[child].begin(), self.sets[child].end())
                elif first:                 # OR: what all inputs require
                    merged = self.sets[child]
                    first = False
                else:
                    common.clear()
                    for k in range(merged.size()):
                        if contains(self.sets[child], merged[k]):
                            common.push_back(merged[k])
                    merged.swap(common)
            sort(merged.begin(), merged.end())
            for k in range(merged.size()):
                if (k == 0 or merged[k] != merged[k - 1]) and self.sets[top].size() < MOST_REQUIRED:
                    self.sets[top].push_back(merged[k])
            self.known[top] = 1


cdef bint contains(vector[int32_t]& values, int32_t value):
    cdef size_t i
    for i in range(values.size()):
        if values[i] == value:
            return True
    return False


cdef vector[Group] find_groups(Net net, Requirements required):
    """The groups of all roles; they cover every move once."""
    cdef vector[Group] groups
    cdef int32_t move, role, share = 5
    cdef vector[char] candidate
    cdef bint few = False
    for move in range(<int32_t>net.legal.size()):
        required.find(net.legal[move])
    while not few:
        candidate = candidates(net, required, share)
        groups.clear()
        few = True
        for role in range(len(net.roles)):
            few = add_groups(net, required, role, candidate, groups) <= MOST_GROUPS and few
        share = share - 1 if share > 1 else 0       # too many groups: ask for more moves behind a guard
    factor(net, groups)
    return groups


cdef vector[char] candidates(Net net, Requirements required, int32_t share):
    """By literal: whether at least 1 / share of some role's moves, and at least four, require it."""
    cdef vector[char] candidate = vector[char](2 * net.netlist.size(), 0)
    cdef vector[int32_t] count
    cdef int32_t role, move, n
    cdef size_t k
    if share == 0:
        return candidate
    for role in range(len(net.roles)):
        count.assign(2 * net.netlist.size(), 0)
        n = net.first_move[role + 1] - net.first_move[role]
        for move in range(net.first_move[role], net.first_move[role + 1]):
            for k in range(required.sets[net.legal[move]].size()):
                count[required.sets[net.legal[move]][k]] += 1
        for k in range(count.size()):
            if count[k] >= 4 and count[k] * share >= n:
                candidate[k] = 1
    return candidate


cdef int add_groups(Net net, Requirements required, int32_t role, vector[char]& candidate, vector[Group]& groups):
    """Put the moves of a role into groups by the candidates they require; returns how many groups."""
    cdef size_t start = groups.size(), g, k
    cdef int32_t move
    cdef vector[int32_t] guards
    cdef Group group
    for move in range(net.first_move[role], net.first_move[role + 1]):
        guards.clear()
        for k in range(required.sets[net.legal[move]].size()):
            if candidate[required.sets[net.legal[move]][k]]:
                guards.push_back(required.sets[net.legal[move]][k])
        g = start
        while g < groups.size() and not groups[g].guards == guards:
            g += 1
        if g == groups.size():
            group.role = role
            group.guards = guards
            groups.push_back(group)
        groups[g].moves.push_back(move)
    return <int>(groups.size() - start)


cdef void factor(Net net, vector[Group]& groups):
    """Fill in the literals: legal with the guards taken for true."""
    cdef Netlist netlist = net.netlist
    cdef vector[int32_t] image
    cdef int32_t node
    cdef size_t g, k
    for g in range(groups.size()):
        groups[g].literals.clear()
        for k in range(groups[g].moves.size()):
            groups[g].literals.push_back(net.legal[groups[g].moves[k]])
        if groups[g].guards.size() == 0:
            continue
        image.assign(netlist.size(), -1)
        for node in range(netlist.size()):
            if netlist.kind[node] != GATE:
                image[node] = 2 * node
        for k in range(groups[g].guards.size()):
            image[groups[g].guards[k] >> 1] = FALSE if groups[g].guards[k] & 1 else TRUE
        carry_over(netlist, netlist, image, groups[g].literals)
