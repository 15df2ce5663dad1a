# distutils: language = c++
"""The propositional net of a game, from ground rules.

Every ground atom is the OR of the bodies of its rules, a body the AND of its literals. Then what never changes
is found: starting from the initial state, with every move that can become legal unknown, fluents become unknown
where their next value differs; those that never do are constants, and moves that never become legal do not exist.
"""

import re

from libc.stdint cimport int32_t, uint8_t

from paidia.core.machine.vectors cimport vector
from paidia.games.gdl.net.aspif cimport GroundRules
from paidia.games.gdl.net.netlist cimport BASE, DOES, FALSE, GATE, LOOP, TRUE, UNKNOWN, Netlist, Ternary, carry_over

from paidia.core.machine.alarm import check
from paidia.core.errors import RuleError
from paidia.games.gdl.net.ground import TooLarge

__all__ = ["Net", "build_net"]


def build_net(sheet, program, limits):
    """The net of a game.

    Args:
        sheet: Its rules (`RuleSheet`).
        program: Their ground form (`GroundProgram`).
        limits: How large the net may become (`NetLimits`).

    Raises:
        RuleError: the rules deny themselves in a circle, or have a goal that is no number of 0 to 100.
        TooLarge: there are too many gates.
    """
    cdef GroundRules rules = GroundRules(program.aspif)
    symbols = Symbols(sheet, program)
    cdef Net net = _without_constants(_build(sheet, rules, symbols))
    if net.netlist.n_gates > <size_t>limits.gates:
        raise TooLarge(f"{sheet.file or 'the rules'}: the net has more than {limits.gates} gates")
    return net


class Symbols:
    """Ground terms between gringo's text and ours."""

    _PART = re.compile(r"([cf])(\d+)|\(|,")

    def __init__(self, sheet, program):
        self.names = [sheet.spelling.get(name, name) for name in program.names]
        self.relations = program.relations

    def split(self, text):
        """The relation of an atom and the texts of its arguments, as gringo writes them."""
        relation, _, rest = text.partition("(")
        args, depth, start = [], 0, 0
        rest = rest.removesuffix(")")
        for i, character in enumerate(rest):
            if character == "(":
                depth += 1
            elif character == ")":
                depth -= 1
            elif character == "," and depth == 0:
                args.append(rest[start:i])
                start = i + 1
        if rest:
            args.append(rest[start:])
        return self.relations[relation], args

    def kif(self, text):
        """A term in KIF, spelt as in the sheet."""
        return self._PART.sub(self._part, text)

    def _part(self, match):
        if match[1] is None:
            return " "
        name = self.names[int(match[2])]
        return name if match[1] == "c" else "(" + name


def natural(text):
    """Sorting key of a term's text: numbers by value."""
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.split(r"(\d+)", text)]


cdef class Net:
    """Fluents, moves and goals of a game with the gates between them."""

    cdef void collect_roots(self, vector[int32_t]& roots):
        """All literals that matter, in a fixed order."""
        roots.insert(roots.end(), self.next.begin(), self.next.end())
        roots.insert(roots.end(), self.legal.begin(), self.legal.end())
        roots.insert(roots.end(), self.goal.begin(), self.goal.end())
        roots.push_back(self.terminal)

    cdef void assign_roots(self, vector[int32_t]& roots):
        """The literals back from `collect_roots`."""
        cdef size_t at = 0, i
        for i in range(self.next.size()):
            self.next[i] = roots[at + i]
        at += self.next.size()
        for i in range(self.legal.size()):
            self.legal[i] = roots[at + i]
        at += self.legal.size()
        for i in range(self.goal.size()):
            self.goal[i] = roots[at + i]
        self.terminal = roots.back()

    @property
    def size(self):
        """Gates and their inputs in all."""
        return self.netlist.n_gates, self.netlist.pool.size()

    @property
    def loops(self):
        """Atoms whose rules depend on themselves."""
        return self.netlist.definition.size()

    @property
    def goal_values(self):
        """What goals are worth, each value once, rising."""
        return sorted(set(self.goal_value))

    def export(self):
        """The whole net in plain values, for slow evaluation and for drawing it.

        `nodes` holds for each node ("base", fluent), ("does", move), ("loop", definition) or ("and", literals); moves are
        numbered over all roles. A literal is 2 * node, plus 1 where denied; node 0 is true.
        """
        cdef Netlist netlist = self.netlist
        cdef int32_t node, i
        nodes = []
        for node in range(netlist.size()):
            if netlist.kind[node] == BASE:
                nodes.append(("base", netlist.place[node]))
            elif netlist.kind[node] == DOES:
                nodes.append(("does", netlist.place[node]))
            elif netlist.kind[node] == LOOP:
                nodes.append(("loop", netlist.definition[netlist.place[node]]))
            else:
                nodes.append(("and", [netlist.pool[i] for i in range(netlist.first[node], netlist.first[node + 1])]))
        return {
            "nodes": nodes, "initial": [bool(x) for x in self.initial], "next": list(self.next),
            "legal": list(self.legal), "terminal": self.terminal,
            "goals": list(zip(self.goal_role, self.goal_value, self.goal, strict=True)),
        }


def _goal_value(text, file):
    if text.isdecimal() and int(text) <= 100:
        return int(text) / 100
    raise RuleError(f"a goal is a whole number of 0 to 100, not {text}", file=file)


cdef int32_t _literal_of(atom, vector[int32_t]& literal):
    """The literal of an atom: None never holds, 0 always."""
    return FALSE if atom is None else TRUE if atom == 0 else literal[<int32_t>atom]


cdef Net _build(sheet, GroundRules rules, symbols):
    """Ground rules -> net, before any analysis."""
    cdef Net net = Net()
    cdef Netlist netlist = Netlist()
    cdef vector[int32_t] literal = vector[int32_t](rules.n_atoms + 1, -1)
    cdef int32_t node, role, move
    role_names = [sheet.spelling.get(name, name) for name in sheet.roles]
    net.roles = tuple(role_names)
    net.netlist = netlist
    fluents, initial, following, legal, does, goals = {}, set(), {}, {}, {}, []
    terminal = None
    for text, atom in rules.shown:
        check()
        relation, args = symbols.split(text)
        args = [symbols.kif(arg) for arg in args]
        if relation == "true":
            fluents[args[0]] = atom
        elif relation == "init":
            initial.add(args[0])
        elif relation == "next":
            following[args[0]] = atom
        elif relation == "terminal":
            terminal = atom
        elif relation == "goal":
            goals.append((args[0], _goal_value(args[1], sheet.file), atom))
        elif relation == "legal":
            legal[args[0], args[1]] = atom
        elif relation == "does":
            does[args[0], args[1]] = atom
    net.constant = []
    net.fluents = sorted(fluents, key=natural)
    for number, name in enumerate(net.fluents):
        node = netlist.add_input(BASE, number)
        literal[<int32_t>fluents[name]] = 2 * node
        net.base.push_back(node)
        net.initial.push_back(name in initial)
    net.moves = []
    net.first_move.push_back(0)
    for role, role_name in enumerate(role_names):
        moves = sorted((move_name for owner, move_name in does if owner == role_name), key=natural)
        net.moves.append(moves)
        for name in moves:
            move = <int32_t>net.does.size()
            node = netlist.add_does(move, role)
            literal[<int32_t>does[role_name, name]] = 2 * node
            net.does.push_back(node)
        net.first_move.push_back(<int32_t>net.does.size())
    _make_gates(sheet, netlist, rules, literal)
    for name in net.fluents:
        net.next.push_back(_literal_of(following.get(name), literal))
    for role, role_name in enumerate(role_names):
        for name in net.moves[role]:
            net.legal.push_back(_literal_of(legal[role_name, name], literal))
    net.terminal = _literal_of(terminal, literal)
    for role_name, value, atom in goals:
        if role_name in role_names:
            net.goal.push_back(_literal_of(atom, literal))
            net.goal_role.push_back(role_names.index(role_name))
            net.goal_value.push_back(value)
    return net


cdef int _make_gates(sheet, Netlist netlist, GroundRules rules, vector[int32_t]& literal) except -1:
    """A literal for every atom, dependencies first."""
    cdef size_t start = 0, end, i
    cdef int32_t atom, component
    while start < rules.order.size():
        if not start & 1023:
            check()
        component = rules.component[rules.order[start]]
        end = start
        while end < rules.order.size() and rules.component[rules.order[end]] == component:
            end += 1
        if end - start > 1 or _reads_itself(rules, rules.order[start]):
            for i in range(start, end):
                literal[rules.order[i]] = 2 * netlist.add_loop(component)
            for i in range(start, end):
                atom = rules.order[i]
                if _denies(rules, atom):
                    raise RuleError(
                        "some relation depends on its own denial (`not` inside a circle of rules); "
                        "`paidia check` names the rules", file=sheet.file,
                    )
                netlist.definition[netlist.place[literal[atom] >> 1]] = _disjunction(netlist, rules, literal, atom)
        else:
            atom = rules.order[start]
            if literal[atom] < 0:       # neither a fluent nor a move; `does` of a stranger to the game never holds
                literal[atom] = FALSE if rules.chosen[atom] else _disjunction(netlist, rules, literal, atom)
        start = end
    return 0


cdef bint _reads_itself(GroundRules rules, int32_t atom):
    cdef int32_t i
    for i in range(rules.body_first[rules.rule_first[atom]], rules.body_first[rules.rule_first[atom + 1]]):
        if abs(rules.body[i]) == atom:
            return True
    return False


cdef bint _denies(GroundRules rules, int32_t atom):
    """Whether a rule of the atom denies an atom of its own component."""
    cdef int32_t i
    for i in range(rules.body_first[rules.rule_first[atom]], rules.body_first[rules.rule_first[atom + 1]]):
        if rules.body[i] < 0 and rules.component[-rules.body[i]] == rules.component[atom]:
            return True
    return False


cdef int32_t _disjunction(Netlist netlist, GroundRules rules, vector[int32_t]& literal, int32_t atom):
    cdef vector[int32_t] bodies, body
    cdef int32_t rule, i
    for rule in range(rules.rule_first[atom], rules.rule_first[atom + 1]):
        body.clear()
        for i in range(rules.body_first[rule], rules.body_first[rule + 1]):
            body.push_back(literal[abs(rules.body[i])] ^ (rules.body[i] < 0))
        bodies.push_back(netlist.make_and(body))
    return netlist.make_or(bodies)


cdef Net _without_constants(Net net):
    """The net without fluents that never change and moves that are never legal; see the module's text."""
    cdef Ternary values = Ternary(net.netlist)
    cdef Netlist netlist = Netlist()
    cdef vector[int32_t] image = vector[int32_t](net.netlist.size(), -1)
    cdef vector[int32_t] roots
    cdef int32_t i, role, number = 0, node
    cdef bint changed = True
    cdef Net small = Net()
    for i in range(<int32_t>net.base.size()):
        values.value[net.base[i]] = net.initial[i]
    for i in range(<int32_t>net.does.size()):
        values.value[net.does[i]] = 0
    values.settle()
    while changed:
        check()
        changed = False
        for i in range(<int32_t>net.does.size()):
            if values.value[net.does[i]] == 0 and values.literal_value(net.legal[i]) != 0:
                values.change(net.does[i], UNKNOWN)
                changed = True
        values.propagate()
        for i in range(<int32_t>net.base.size()):
            node = net.base[i]
            if values.value[node] != UNKNOWN and values.literal_value(net.next[i]) != values.value[node]:
                values.change(node, UNKNOWN)
                changed = True
        values.propagate()
        if values.starved:
            raise MemoryError
    small.roles, small.netlist = net.roles, netlist
    small.constant, small.fluents, small.moves = [], [], [[] for _ in net.roles]
    image[0] = TRUE
    for i in range(<int32_t>net.base.size()):
        node = net.base[i]
        if values.value[node] == UNKNOWN:
            image[node] = 2 * netlist.add_input(BASE, number)
            small.base.push_back(image[node] >> 1)
            small.initial.push_back(net.initial[i])
            small.next.push_back(net.next[i])
            small.fluents.append(net.fluents[i])
            number += 1
        else:
            image[node] = TRUE if values.value[node] else FALSE
            if values.value[node]:
                small.constant.append(net.fluents[i])
    small.first_move.push_back(0)
    for role in range(len(net.roles)):
        for i in range(net.first_move[role], net.first_move[role + 1]):
            node = net.does[i]
            if values.value[node] == 0:
                image[node] = FALSE
                continue
            small.moves[role].append(net.moves[role][i - net.first_move[role]])
            image[node] = 2 * netlist.add_does(<int32_t>small.does.size(), role)
            small.does.push_back(image[node] >> 1)
            small.legal.push_back(net.legal[i])
        small.first_move.push_back(<int32_t>small.does.size())
    for i in range(net.netlist.size()):
        if net.netlist.kind[i] == GATE and values.value[i] != UNKNOWN:
            image[i] = TRUE if values.value[i] else FALSE
    small.terminal = net.terminal
    small.goal, small.goal_role, small.goal_value = net.goal, net.goal_role, net.goal_value
    small.collect_roots(roots)
    _carry_loops(net.netlist, netlist, image, roots)
    small.assign_roots(roots)
    return small


cdef void _carry_loops(Netlist old, Netlist new, vector[int32_t]& image, vector[int32_t]& roots):
    """Carry over, with a new loop for every old one that is still needed."""
    cdef vector[uint8_t] live = vector[uint8_t](old.size(), 0)
    cdef vector[int32_t] stack, kept
    cdef int32_t node, i
    cdef size_t k, n_roots = roots.size()
    for k in range(n_roots):
        stack.push_back(roots[k] >> 1)
    while stack.size():
        node = stack.back()
        stack.pop_back()
        if live[node] or image[node] >= 0:
            continue
        live[node] = 1
        if old.kind[node] == LOOP:
            stack.push_back(old.definition[old.place[node]] >> 1)
        for i in range(old.first[node], old.first[node + 1]):
            stack.push_back(old.pool[i] >> 1)
    for i in range(<int32_t>old.definition.size()):
        node = old.loop_node[i]
        if live[node]:
            image[node] = 2 * new.add_loop(old.loop_group[i])
            kept.push_back(i)
            roots.push_back(old.definition[i])
    carry_over(old, new, image, roots)
    for k in range(kept.size()):
        new.definition[k] = roots[n_roots + k]
    roots.resize(n_roots)
