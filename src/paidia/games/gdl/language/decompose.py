"""Split rules with many variables into chains of rules with few, so that their ground instances stay few.

A variable that the head does not need is eliminated: the literals that hold it (its bucket) move into the body of an
auxiliary relation over the bucket's other variables. Eight variables that all vary together give n**8 ground rules;
after elimination there are a few times n**4. This is the greedy tree decomposition known from answer set
programming (Bichler, Morak, Woltran: lpopt, 2016), smallest bucket first. A bucket is taken out only if it has
fewer variables than the rule and its own positive literals bind all of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush

from paidia.core.machine.alarm import check
from paidia.games.gdl.language.rules import (
    Atom,
    Constant,
    Distinct,
    FlatRule,
    Function,
    Literal,
    Term,
    Variable,
    term_variables,
    variables,
)

__all__ = ["AUXILIARY", "decompose", "unsafe_variables"]

AUXILIARY = "(aux)"  # the parenthesis keeps these names apart from every relation that a sheet can write


def decompose(rules: Iterable[FlatRule]) -> list[FlatRule]:
    """Rules with the same meaning for all relations of the sheet, and auxiliary ones."""
    done: list[FlatRule] = []
    known: dict[object, str] = {}  # an auxiliary body up to the names of its variables -> its relation
    for rule in rules:
        _split(rule, done, known)
    return done


def unsafe_variables(rule: FlatRule) -> list[Variable]:
    """The variables that no positive literal of the body binds; in GDL there may be none."""
    bound = _bound(rule.body)
    seen = (*variables(rule.head), *(v for literal in rule.body for v in variables(literal)))
    return [v for v in seen if v.name not in bound]


def _names(literals: Iterable[Literal]) -> set[str]:
    return {v.name for literal in literals for v in variables(literal)}


def _bound(literals: Iterable[Literal]) -> set[str]:
    """The variables that positive atoms bind."""
    return _names(x for x in literals if x.positive and isinstance(x.atom, Atom))


def _split(rule: FlatRule, done: list[FlatRule], known: dict[object, str]) -> None:
    body = _Body(rule)
    while (bucket := body.smallest_bucket()) is not None:
        check()
        shared = body.shared(bucket)
        head = _auxiliary([body.literals[i] for i in bucket], sorted(shared), rule, done, known)
        body.replace(bucket, Literal(head))
    done.append(FlatRule(rule.head, tuple(body.literals.values()), rule.place))


class _Body:
    """The conditions of a rule while variables are eliminated.

    A bucket is worked out anew only when a condition that shares a variable with it has gone or come, and the smallest one is
    at the top of a heap: a rule of 5,000 conditions takes about a second, not hours.
    """

    def __init__(self, rule: FlatRule) -> None:
        self.literals: dict[int, Literal] = dict(enumerate(rule.body))  # by number, in order; numbers only grow
        self._next = len(self.literals)
        self._kept = {v.name for v in variables(rule.head)}
        self._names: dict[int, frozenset[str]] = {}
        self._bound: dict[int, frozenset[str]] = {}
        self._holders: dict[str, dict[int, None]] = {}  # variable -> the conditions that hold it, in order
        self._stamp: dict[str, int] = {}  # variable -> which of its entries in the heap counts
        self._near: dict[str, set[str]] = {}  # variable -> those whose buckets look at it
        self._heap: list[tuple[int, int, str, int, tuple[int, ...]]] = []
        for number, literal in self.literals.items():
            self._enter(number, literal)
        self._everything = len(self._holders.keys() | self._kept)
        for name in self._holders:
            self._weigh(name)

    def _enter(self, number: int, literal: Literal) -> None:
        names = frozenset(v.name for v in variables(literal))
        self._names[number] = names
        self._bound[number] = names if literal.positive and isinstance(literal.atom, Atom) else frozenset()
        for name in names:
            self._holders.setdefault(name, {})[number] = None

    def _weigh(self, name: str) -> None:
        """Enter the bucket of a variable into the heap, if it can be taken out at all."""
        if name in self._kept:
            return
        bucket = list(self._holders[name])
        names = frozenset().union(*(self._names[i] for i in bucket))
        for other in names:
            self._near.setdefault(other, set()).add(name)
        self._stamp[name] = self._stamp.get(name, 0) + 1
        missing = names.difference(*(self._bound[i] for i in bucket))
        if missing:  # a literal of the rest may lend its bindings, if it brings no further variables
            inside = set(bucket)
            able = sorted({i for other in missing for i in self._holders[other] if i not in inside})
            lent = [i for i in able if self._bound[i] & missing and self._names[i] <= names]
            if missing.difference(*(self._bound[i] for i in lent)):
                return
            bucket += lent
        heappush(self._heap, (len(names), len(bucket), name, self._stamp[name], tuple(bucket)))

    def smallest_bucket(self) -> tuple[int, ...] | None:
        """The numbers of its conditions; None if no bucket is smaller than the rule."""
        while self._heap:
            size, _, name, stamp, bucket = heappop(self._heap)
            if self._stamp.get(name) != stamp or len(self._holders[name]) == len(self.literals):
                continue
            return bucket if size < self._everything else None
        return None

    def shared(self, bucket: tuple[int, ...]) -> set[str]:
        """The variables of a bucket that stand outside, too."""
        inside = set(bucket)
        names = frozenset().union(*(self._names[i] for i in bucket))
        return {name for name in names if name in self._kept or any(i not in inside for i in self._holders[name])}

    def replace(self, bucket: tuple[int, ...], literal: Literal) -> None:
        """Put one condition in the place of a bucket."""
        touched: set[str] = set()
        for number in bucket:
            touched |= self._names[number]
            del self.literals[number]
            for name in self._names[number]:
                del self._holders[name][number]
        self.literals[self._next] = literal
        self._enter(self._next, literal)
        self._next += 1
        for name in touched:
            if not self._holders[name]:
                del self._holders[name]
                self._stamp.pop(name, None)
                self._everything -= name not in self._kept
        for name in set().union(*(self._near.pop(name, set()) for name in touched)):
            if name in self._holders:
                self._weigh(name)


def _auxiliary(bucket: list[Literal], shared: list[str], rule: FlatRule, done: list[FlatRule], known: dict[object, str]) -> Atom:
    """The head that stands for the bucket; buckets that differ only in the names of variables get the same."""
    numbers: dict[str, str] = {}
    for literal in bucket:
        for variable in variables(literal):
            numbers.setdefault(variable.name, f"?{len(numbers)}")
    shared.sort(key=lambda name: int(numbers[name][1:]))
    form = (tuple(_rename(x, numbers) for x in bucket), tuple(numbers[name] for name in shared))
    relation = known.get(form)
    args = tuple(Variable(name) for name in shared)
    if relation is None:
        relation = known[form] = f"{AUXILIARY}{len(known)}"
        done.append(FlatRule(Atom(relation, args), tuple(bucket), rule.place))
    return Atom(relation, args, rule.place)


def _rename(literal: Literal, numbers: dict[str, str]) -> Literal:
    atom = literal.atom
    if isinstance(atom, Distinct):
        return Literal(Distinct(_term(atom.left, numbers), _term(atom.right, numbers)), literal.positive)
    return Literal(Atom(atom.relation, tuple(_term(arg, numbers) for arg in atom.args)), literal.positive)


def _term(term: Term, numbers: dict[str, str]) -> Term:
    if isinstance(term, Variable):
        return Variable(numbers[term.name])
    if isinstance(term, Constant) or not any(True for _ in term_variables(term)):
        return term
    assert isinstance(term, Function)
    return Function(term.name, tuple(_term(arg, numbers) for arg in term.args))
