"""Rules -> join plans for the interpreter, and the order in which they run.

Relations that do not depend on the state are evaluated here, once. The others fall into groups that depend on each
other, in an order in which each comes after what it needs. Each rule's conditions are ordered by how many rows they are
expected to give; the sizes are those of the initial position, so a group is planned when all below it have been
evaluated there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from paidia.core.errors import BadInput
from paidia.core.machine.alarm import check
from paidia.games.gdl.interpreter.datalog import Datalog
from paidia.games.gdl.interpreter.demand import plain_name
from paidia.games.gdl.language.decompose import unsafe_variables
from paidia.games.gdl.language.dependence import components, dependence, reachable, split
from paidia.games.gdl.language.rules import (
    Atom,
    Constant,
    Distinct,
    FlatRule,
    Function,
    Literal,
    RuleSheet,
    Term,
    Variable,
    variables,
)

__all__ = ["Group", "Limits", "Program", "TooMuch"]

SCAN, PROBE, EXISTS, ABSENT, DIFFERENT, SAME = range(6)  # as in datalog.pxd
CONSTANT, BOUND, FREE, AGAIN = range(4)

MOST_WORDS = 120

_MEANT = {"true": 1, "does": 2, "legal": 2, "goal": 2, "next": 1, "terminal": 0, "init": 1, "role": 1, "input": 2}


class Limits(NamedTuple):
    """What a game may cost: numbers in all its tables, terms in all, and rows looked at in one position."""

    cells: int = 30_000_000
    terms: int = 4_000_000
    work: int = 200_000_000


class TooMuch(BadInput):
    """The limits do not allow to evaluate the first position; `relations` are those that took too much."""

    def __init__(self, file: str, relations: set[tuple[str, int]]) -> None:
        names = ", ".join(sorted({f"`{plain_name(name)}`" for name, _ in relations})[:3])
        super().__init__(f"{file}: one position of this game takes too many facts to play it; most of them of {names}")
        self.relations = relations


class Group(NamedTuple):
    """Plans of relations that depend on each other: all run once, then those of `again` until nothing is new."""

    first: list[int]
    again: list[int]
    relations: frozenset[tuple[str, int]]


class Program:
    """The tables and plans of a rule sheet, with the initial position in the tables.

    Attributes:
        data: The tables.
        names: Symbols by their numbers.
        relation: Number of each relation that has a meaning for play.
        groups: All groups of relations that depend on the state.
        position: Numbers of the groups that say what is legal and whether the game is over.
        goals: Those that goals need beyond these.
        following: Those that the next state needs beyond these.
        dynamic: The relations that are emptied for another position.
        start: Terms of the fluents of the initial position.
        inputs: Terms (role, move) of `input`, if the sheet has it.
    """

    def __init__(self, sheet: RuleSheet, limits: Limits, rules: Sequence[FlatRule] | None = None) -> None:
        """`rules` are those of the sheet, or others with the same meaning."""
        self._file = sheet.file or "the rules"
        rules = sheet.flat if rules is None else rules
        for rule in rules:
            for variable in unsafe_variables(rule):
                place = variable.place if variable.place.line else rule.place
                raise place.error(f"the variable `{variable}` stands in no positive condition of this rule's body")
        self._node = split(rules)
        self._graph = dependence(rules, self._node)
        self._components = components(self._graph)
        self._group_of = {node: i for i, group in enumerate(self._components) for node in group}
        self._rules: dict[int, list[FlatRule]] = {}
        for rule in rules:
            self._rules.setdefault(self._group_of[self._node(rule.head)], []).append(rule)
        self._check_strata(rules)
        self.names = sorted({name for rule in rules for name in _names(rule)} | set(sheet.roles))
        self._number = {name: i for i, name in enumerate(self.names)}
        self.data = Datalog(self.names, most_cells=limits.cells, most_terms=limits.terms, most_work=limits.work)
        self._relations: dict[tuple[str, int], int] = {}
        self._views: dict[tuple[int, tuple[int, ...]], int] = {}
        self._indexes: dict[tuple[int, tuple[int, ...]], int] = {}
        self.relation = {name: self._relation((name, arity)) for name, arity in _MEANT.items()}
        self._evaluate(sheet)

    # ------------------------------------------------------------------------------------------------ the order

    def _check_strata(self, rules: Iterable[FlatRule]) -> None:
        for rule in rules:
            own = self._group_of[self._node(rule.head)]
            for literal in rule.body:
                atom = literal.atom
                if not literal.positive and isinstance(atom, Atom) and self._group_of[self._node(atom)] == own:
                    raise atom.place.error(f"`{rule.head.relation}` depends on its own denial")

    def _evaluate(self, sheet: RuleSheet) -> None:
        signatures: dict[tuple[str, int, tuple[str, ...]], set[tuple[str, int, tuple[str, ...]]]] = {}
        for node, edges in self._graph.items():
            to = signatures.setdefault((*node[:2], ()), set())
            to.update((*edge[:2], ()) for edge in edges)
            for edge in edges:
                signatures.setdefault((*edge[:2], ()), set())
        changing = {
            node[:2] for node in signatures if any(name in ("true", "does") for name, _, _ in reachable(signatures, [node]))
        }
        parts = {name: self._needed(name) for name in _MEANT}
        if ("input", 2) in changing:
            parts["input"] = set()
        wanted = set().union(*parts.values())
        fixed = [c for c in range(len(self._components)) if c in wanted and self._components[c][0][:2] not in changing]
        for number in fixed:
            self._run(self._plan(number))
        self.start = [row[0] for row in self.data.table(self.relation["init"])]
        self.inputs = self.data.table(self.relation["input"]) if parts["input"] else []
        for fluent in self.start:
            self.data.add(self.relation["true"], [fluent])
        self.groups: list[Group] = []
        done = dict.fromkeys(fixed, -1)
        self.position = self._part(parts["legal"] | parts["terminal"], done, set())
        self.goals = self._part(parts["goal"], done, set(self.position))
        self._assume_a_move(sheet)
        self.following = self._part(parts["next"], done, set(self.position))
        numbers = [self._relations[signature] for signature in changing if signature in self._relations]
        self.dynamic = sorted({*numbers, self.relation["true"], self.relation["does"]} - {self.relation["init"]})

    def _needed(self, name: str) -> set[int]:
        nodes = [node for node in self._graph if node[:2] == (name, _MEANT[name])]
        return {self._group_of[node] for node in reachable(self._graph, nodes)}

    def _part(self, wanted: set[int], done: dict[int, int], before: set[int]) -> list[int]:
        """Plan and evaluate what is wanted; its groups, in order, without those of an earlier part."""
        found = []
        for number in sorted(wanted):
            if number not in done:
                group = self._plan(number)
                done[number] = len(self.groups)
                self.groups.append(group)
                self._run(group)
            if done[number] >= 0 and done[number] not in before:
                found.append(done[number])
        return found

    def _run(self, group: Group) -> None:
        check()
        if not self.data.fill(group.first, group.again):
            check()
            raise TooMuch(self._file, set(group.relations))

    def _assume_a_move(self, sheet: RuleSheet) -> None:
        """Let every role do its first legal move, so that plans for the next state know about how large `does` is."""
        moves: dict[int, int] = {}
        for role, move in self.data.table(self.relation["legal"]):
            moves.setdefault(role, move)
        for name in sheet.roles:
            term = self.data.term(self._number[name])
            if term in moves:
                self.data.add(self.relation["does"], [term, moves[term]])

    # ------------------------------------------------------------------------------------------------ plans

    def _relation(self, signature: tuple[str, int]) -> int:
        if signature not in self._relations:
            self._relations[signature] = self.data.new_relation(signature[1])
        return self._relations[signature]

    def _plan(self, number: int) -> Group:
        self._sizes: dict[int, tuple[int, list[int]]] = {}
        recursive = number in {self._group_of[to] for node in self._components[number] for to in self._graph[node]}
        first, again = [], []
        for rule in self._rules.get(number, ()):
            check()
            for atom in (rule.head, *(literal.atom for literal in rule.body)):
                _check_size(atom)
            literals = [(x, self._view(x.atom) if isinstance(x.atom, Atom) else -1) for x in rule.body]
            first.append(self._rule(rule, literals, None))
            if recursive:
                again += [
                    self._rule(rule, literals, i)
                    for i, (x, _) in enumerate(literals)
                    if x.positive and isinstance(x.atom, Atom) and self._group_of[self._node(x.atom)] == number
                ]
        return Group(first, again, frozenset(node[:2] for node in self._components[number]))

    def _rule(self, rule: FlatRule, literals: list[tuple[Literal, int]], delta: int | None) -> int:
        numbers: dict[str, int] = {}
        for x in (*variables(rule.head), *(v for literal in rule.body for v in variables(literal))):
            numbers.setdefault(x.name, len(numbers))
        bound: set[str] = set()
        steps: list[tuple[object, ...]] = []
        wanted = {v.name for v in variables(rule.head)}
        cut = 0 if not wanted else -1
        rest = list(literals)
        while rest:
            check()
            if delta is not None and not steps:
                chosen = literals[delta]
            else:
                chosen = min(rest, key=lambda item: self._cost(item[0], item[1], bound))
            rest.remove(chosen)
            steps.append(self._step(*chosen, bound, numbers, scan=delta is not None and not steps))
            bound |= {v.name for v in variables(chosen[0])}
            if cut < 0 and wanted <= bound:
                cut = len(steps)
        return self.data.new_plan(
            self._relation(rule.head.signature),
            steps,
            [self._code(arg, numbers) for arg in rule.head.args],
            cut=max(cut, 0),
            delta=-1 if delta is None else 0,
            n_variables=len(numbers),
            buffered=any(isinstance(x.atom, Atom) and x.atom.signature == rule.head.signature for x in rule.body),
        )

    def _cost(self, literal: Literal, view: int, bound: set[str]) -> float:
        """About how many rows a condition gives for one set of values; conditions that cannot be asked yet cost most."""
        free = {v.name for v in variables(literal)} - bound
        if not literal.positive or isinstance(literal.atom, Distinct):
            return float("inf") if free else -1.0
        if view not in self._sizes:
            self._sizes[view] = self.data.statistics(view)
        count, different = self._sizes[view]
        rows = float(count) if count else 1.0
        for leaf, values in zip(_leaves(literal.atom.args), different, strict=True):
            if isinstance(leaf, Constant) or leaf.name in bound:
                rows /= max(values, 1)
        return rows

    def _step(self, literal: Literal, view: int, bound: set[str], numbers: dict[str, int], *, scan: bool) -> tuple[object, ...]:
        atom = literal.atom
        if isinstance(atom, Distinct):
            kind = DIFFERENT if literal.positive else SAME
            return kind, self._code(atom.left, numbers), self._code(atom.right, numbers)
        columns: list[tuple[int, int]] = []
        known: list[int] = []
        here: set[str] = set()
        for place, leaf in enumerate(_leaves(atom.args)):
            if isinstance(leaf, Constant):
                columns.append((CONSTANT, self.data.term(self._number[leaf.name])))
                known.append(place)
            elif leaf.name in bound:
                columns.append((BOUND, numbers[leaf.name]))
                known.append(place)
            else:
                columns.append((AGAIN if leaf.name in here else FREE, numbers[leaf.name]))
                here.add(leaf.name)
        if not literal.positive:
            return ABSENT, view, -1, columns
        if scan:
            return SCAN, view, -1, columns
        if len(known) == len(columns):
            return EXISTS, view, -1, columns
        if not known:
            return SCAN, view, -1, columns
        key = (view, tuple(known))
        if key not in self._indexes:
            self._indexes[key] = self.data.new_index(view, known)
        return PROBE, view, self._indexes[key], columns

    def _view(self, atom: Atom) -> int:
        """The view of an atom's relation that has the atom's constants and variables as columns."""
        relation = self._relation(atom.signature)
        if not any(isinstance(arg, Function) for arg in atom.args):
            return relation
        shape = tuple(self._shape(atom.args))
        if (relation, shape) not in self._views:
            self._views[relation, shape] = self.data.new_view(relation, shape)
        return self._views[relation, shape]

    def _shape(self, terms: Iterable[Term]) -> Iterable[int]:
        for term in terms:
            if isinstance(term, Function):
                yield self._number[term.name]
                yield len(term.args)
                yield from self._shape(term.args)
            else:
                yield -1

    def _code(self, term: Term, numbers: dict[str, int]) -> int:
        return self.data.new_code(self._operations(term, numbers))

    def _operations(self, term: Term, numbers: dict[str, int]) -> Iterable[tuple[int, ...]]:
        if isinstance(term, Variable):
            yield 0, numbers[term.name]
        elif isinstance(term, Constant):
            yield 1, self.data.term(self._number[term.name])
        else:
            for arg in term.args:
                yield from self._operations(arg, numbers)
            yield 2, self._number[term.name], len(term.args)


def _check_size(atom: Atom | Distinct) -> None:
    """Rows and terms under construction have bounded places; no rule that a person writes comes near."""
    args = (atom.left, atom.right) if isinstance(atom, Distinct) else atom.args
    if sum(1 for _ in _leaves(args)) > MOST_WORDS or len(args) > MOST_WORDS:
        raise atom.place.error(f"at most {MOST_WORDS} constants and variables can stand in one condition")


def _leaves(terms: Iterable[Term]) -> Iterable[Constant | Variable]:
    for term in terms:
        if isinstance(term, Function):
            yield from _leaves(term.args)
        else:
            yield term


def _names(rule: FlatRule) -> Iterable[str]:
    for atom in (rule.head, *(literal.atom for literal in rule.body)):
        for term in (atom.left, atom.right) if isinstance(atom, Distinct) else atom.args:
            yield from _term_names(term)


def _term_names(term: Term) -> Iterable[str]:
    if isinstance(term, Function):
        yield term.name
        for arg in term.args:
            yield from _term_names(arg)
    elif isinstance(term, Constant):
        yield term.name
