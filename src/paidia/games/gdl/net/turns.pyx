# distutils: language = c++
"""Turn factoring: a fluent that many moves of a role need (whose turn it is, a phase) is taken out of their gates.

When the turn passes, every legal gate that reads it would change, twice a round. So the moves of a role are put into
groups with common guards: legal = guards AND rest, where the rest is the cofactor of the gate by its guards. The
rest is kept up to date whoever moves; the guards are looked at once a group. A guard may sit under ORs: it is
required by an OR if every branch requires it.
"""

from libc.stdint cimport int32_t
from libcpp.algorithm cimport sort

from paidia.core.machine.vectors cimport vector
from paidia.games.gdl.net.net cimport Net
from paidia.games.gdl.net.netlist cimport BASE, FALSE, GATE, TRUE, Netlist, carry_over

cdef enum:
    MOST_REQUIRED = 48      # longer sets are cut: a guard that is needed by many moves stands near the top
    MOST_GROUPS = 12        # of one role
    FEWEST_BRANCHES = 4     # of an OR behind one guard, to be worth a gate of its own
    MOST_FACTORED = 32      # guards that are looked for in every OR


cdef class Requirements:
    """Fluent literals that a literal implies."""

    def __cinit__(self, Net net not None):
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
                    merged.assign(self.sets[child].begin(), self.sets[child].end())
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


cdef void find_groups(Net net, vector[Group]& groups):
    """The groups of all roles; they cover every move once."""
    cdef int32_t role, share = 5
    cdef vector[char] candidate
    cdef Requirements required
    cdef bint few = False
    factor_disjunctions(net, share)
    required = requirements_of_moves(net)
    while not few:
        find_candidates(net, required, share, candidate)
        groups.clear()
        few = True
        for role in range(len(net.roles)):
            few = add_groups(net, required, role, candidate, groups) <= MOST_GROUPS and few
        share = share - 1 if share > 1 else 0       # too many groups: ask for more moves behind a guard
    factor_groups(net, groups)


cdef Requirements requirements_of_moves(Net net):
    cdef Requirements required = Requirements(net)
    cdef int32_t move
    for move in range(<int32_t>net.legal.size()):
        required.find(net.legal[move])
    return required


cdef void find_candidates(Net net, Requirements required, int32_t share, vector[char]& candidate):
    """By literal: whether at least 1 / share of some role's moves, and at least four, require it."""
    cdef vector[int32_t] count
    cdef int32_t role, move, n
    cdef size_t k
    candidate.assign(2 * net.netlist.size(), 0)
    if share == 0:
        return
    for role in range(len(net.roles)):
        count.assign(2 * net.netlist.size(), 0)
        n = net.first_move[role + 1] - net.first_move[role]
        for move in range(net.first_move[role], net.first_move[role + 1]):
            for k in range(required.sets[net.legal[move]].size()):
                count[required.sets[net.legal[move]][k]] += 1
        for k in range(count.size()):
            if count[k] >= 4 and count[k] * share >= n:
                candidate[k] = 1


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
            if g - start > MOST_GROUPS:
                break
            group.role = role
            group.guards.assign(guards.begin(), guards.end())
            groups.push_back(group)
        groups[g].moves.push_back(move)
    return <int>(groups.size() - start)


cdef void factor_groups(Net net, vector[Group]& groups):
    """Fill in the literals: legal with the guards taken for true."""
    cdef size_t g, k
    for g in range(groups.size()):
        groups[g].literals.clear()
        for k in range(groups[g].moves.size()):
            groups[g].literals.push_back(net.legal[groups[g].moves[k]])
        if groups[g].guards.size():
            cofactor(net.netlist, groups[g].literals, groups[g].guards)


cdef void cofactor(Netlist netlist, vector[int32_t]& roots, vector[int32_t]& facts):
    """Replace literals by what they are where some fluent literals are true."""
    cdef vector[int32_t] image = vector[int32_t](netlist.size(), -1)
    cdef int32_t node
    cdef size_t k
    for node in range(netlist.size()):
        if netlist.kind[node] != GATE:
            image[node] = 2 * node
    for k in range(facts.size()):
        image[facts[k] >> 1] = FALSE if facts[k] & 1 else TRUE
    carry_over(netlist, netlist, image, roots)


cdef void factor_disjunctions(Net net, int32_t share):
    """Take guards out of ORs as well: ga + gb + hc = g(a + b) + hc.

    "The role has a legal move" is such an OR, over all its moves.
    """
    cdef Netlist netlist = net.netlist
    cdef Requirements required = requirements_of_moves(net)
    cdef vector[char] candidate
    cdef vector[int32_t] guards, image, roots, inputs, fact, parts, done
    cdef vector[vector[int32_t]] branches
    cdef vector[vector[int32_t]] guard_of       # by input of a gate that is rewritten, else empty
    cdef int32_t n = netlist.size(), node, i, literal
    cdef size_t g, k
    find_candidates(net, required, share, candidate)
    for literal in range(<int32_t>candidate.size()):
        if candidate[literal]:
            guards.push_back(literal)
    if guards.size() == 0 or guards.size() > MOST_FACTORED:
        return
    guard_of.resize(n)
    branches.resize(guards.size())
    for node in range(n):
        if netlist.kind[node] == GATE and netlist.first[node + 1] - netlist.first[node] >= FEWEST_BRANCHES:
            choose_guards(netlist, required, node, guards, guard_of[node])
    # The branches without their guards, all gates at once.
    for node in range(n):
        for k in range(guard_of[node].size()):
            if guard_of[node][k] >= 0:
                branches[guard_of[node][k]].push_back(netlist.pool[netlist.first[node] + k] ^ 1)
    for g in range(guards.size()):
        fact.assign(1, guards[g])
        cofactor(netlist, branches[g], fact)
    image.assign(netlist.size(), -1)
    done.assign(guards.size(), 0)
    for node in range(n):
        if netlist.kind[node] != GATE:
            image[node] = 2 * node
            continue
        inputs.clear()
        for i in range(netlist.first[node], netlist.first[node + 1]):
            k = i - netlist.first[node]
            if guard_of[node].size() == 0 or guard_of[node][k] < 0:
                inputs.push_back(image[netlist.pool[i] >> 1] ^ (netlist.pool[i] & 1))
        for g in range(guards.size() if guard_of[node].size() else 0):
            parts.clear()
            for k in range(guard_of[node].size()):
                if guard_of[node][k] == <int32_t>g:
                    parts.push_back(branches[g][done[g]])
                    done[g] += 1
            if parts.size():
                literal = netlist.make_or(parts)
                parts.assign(1, literal)
                parts.push_back(guards[g])
                inputs.push_back(netlist.make_and(parts) ^ 1)
        image[node] = netlist.make_and(inputs)
    net.collect_roots(roots)
    for k in range(roots.size()):
        roots[k] = image[roots[k] >> 1] ^ (roots[k] & 1)
    net.assign_roots(roots)
    for k in range(netlist.definition.size()):
        netlist.definition[k] = image[netlist.definition[k] >> 1] ^ (netlist.definition[k] & 1)


cdef void choose_guards(
    Netlist netlist, Requirements required, int32_t node, vector[int32_t]& guards, vector[int32_t]& chosen
):
    """By branch of an OR: which guard it is to be factored by, or -1; nothing where no guard has enough branches."""
    cdef vector[int32_t] count = vector[int32_t](guards.size(), 0)
    cdef int32_t i, branch
    cdef size_t g
    cdef bint any_left = False
    for i in range(netlist.first[node], netlist.first[node + 1]):
        branch = netlist.pool[i] ^ 1
        required.find(branch)
        chosen.push_back(-1)
        for g in range(guards.size()):
            if contains(required.sets[branch], guards[g]):
                chosen[chosen.size() - 1] = <int32_t>g
                count[g] += 1
                break
    for i in range(<int32_t>chosen.size()):
        if chosen[i] >= 0 and count[chosen[i]] < FEWEST_BRANCHES:
            chosen[i] = -1
        any_left = any_left or chosen[i] >= 0
    if not any_left:
        chosen.clear()
