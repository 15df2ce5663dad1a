# distutils: language = c++
"""Reads gringo's output (aspif: one statement a line, numbers separated by spaces) and finds rules that depend on
themselves (Tarjan's strongly connected components, without recursion: chains of rules may be very long)."""

from libc.stdint cimport int32_t

from paidia.core.machine.vectors cimport vector


cdef inline int32_t number(const char** at) noexcept:
    """The next number of the line."""
    cdef const char* p = at[0]
    cdef int32_t value = 0
    cdef bint negative = False
    while p[0] == 32:
        p += 1
    if p[0] == 45:
        negative = True
        p += 1
    while 48 <= p[0] <= 57:
        value = 10 * value + (p[0] - 48)
        p += 1
    at[0] = p
    return -value if negative else value


cdef class GroundRules:
    """The rules of a ground program by head."""

    def __init__(self, bytes text):
        cdef const char* at = text
        cdef const char* end = at + len(text)
        cdef vector[int32_t] heads, first, body, choices
        cdef int32_t i, n, choice, kind, literal, head
        self.shown = []
        while at < end and at[0] != 10:         # the line "asp 1 0 0"
            at += 1
        at += 1
        first.push_back(0)
        while at < end:
            kind = number(&at)
            if kind == 1:
                choice = number(&at)
                n = number(&at)
                if n != 1:
                    raise ValueError(f"a ground rule with {n} heads")
                head = number(&at)
                self.n_atoms = max(self.n_atoms, head)
                if number(&at) != 0:
                    raise ValueError("a ground rule with a weighted body")
                n = number(&at)
                for _ in range(n):
                    literal = number(&at)
                    self.n_atoms = max(self.n_atoms, literal, -literal)
                    if not choice:
                        body.push_back(literal)
                if choice:
                    choices.push_back(head)
                else:
                    heads.push_back(head)
                    first.push_back(<int32_t>body.size())
            elif kind == 4:
                n = number(&at)
                name = at[1:1 + n].decode()
                at += 1 + n
                n = number(&at)
                self.shown.append((name, number(&at) if n else 0))
            elif kind == 0:
                break
            while at < end and at[0] != 10:
                at += 1
            at += 1
        self.chosen.assign(self.n_atoms + 1, 0)
        for i in range(<int32_t>choices.size()):
            self.chosen[choices[i]] = 1
        self.sort_by_head(heads, first, body)
        self.find_components()

    cdef void sort_by_head(self, vector[int32_t]& heads, vector[int32_t]& first, vector[int32_t]& body):
        cdef int32_t i, rule, n = <int32_t>heads.size()
        cdef vector[int32_t] at, sorted_rules
        self.rule_first.assign(self.n_atoms + 2, 0)
        for i in range(n):
            self.rule_first[heads[i] + 1] += 1
        for i in range(self.n_atoms + 1):
            self.rule_first[i + 1] += self.rule_first[i]
        at.assign(self.rule_first.begin(), self.rule_first.end())
        sorted_rules.assign(n, 0)
        for i in range(n):
            sorted_rules[at[heads[i]]] = i
            at[heads[i]] += 1
        self.body_first.push_back(0)
        for i in range(n):
            rule = sorted_rules[i]
            self.body.insert(self.body.end(), body.begin() + first[rule], body.begin() + first[rule + 1])
            self.body_first.push_back(<int32_t>self.body.size())

    cdef void find_components(self):
        cdef int32_t n = self.n_atoms, start, atom, other, time = 0, count = 0
        cdef vector[int32_t] found = vector[int32_t](n + 1, 0)         # when an atom was first seen; 0: not yet
        cdef vector[int32_t] low = vector[int32_t](n + 1, 0)
        cdef vector[int32_t] at = vector[int32_t](n + 1, 0)            # how far its body literals are done
        cdef vector[int32_t] path, waiting
        self.component.assign(n + 1, -1)
        for start in range(1, n + 1):
            if found[start]:
                continue
            path.push_back(start)
            while path.size():
                atom = path.back()
                if not found[atom]:
                    time += 1
                    found[atom] = low[atom] = time
                    at[atom] = self.body_first[self.rule_first[atom]]
                    waiting.push_back(atom)
                while at[atom] < self.body_first[self.rule_first[atom + 1]]:
                    other = abs(self.body[at[atom]])
                    if not found[other]:
                        path.push_back(other)
                        break
                    if self.component[other] < 0:
                        low[atom] = min(low[atom], low[other])
                    at[atom] += 1
                if path.back() != atom:
                    continue
                path.pop_back()
                if low[atom] == found[atom]:
                    while True:
                        other = waiting.back()
                        waiting.pop_back()
                        self.component[other] = count
                        self.order.push_back(other)
                        if other == atom:
                            break
                    count += 1
