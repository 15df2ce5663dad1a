"""Why something holds in a state, or does not: a proof from the rules, step by step, as a person would give it.

Conditions are proven in the order in which they are written, from the facts of the state (`true`), the moves (`does`) and the
rules, by plain backward chaining; what is denied is shown not to hold by the failure of all its rules. This is for explaining
single facts: games are played by the net and the interpreter.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from paidia.core.errors import BadInput
from paidia.games.gdl.language.rules import (
    And,
    Atom,
    Constant,
    Distinct,
    Formula,
    Not,
    Or,
    Rule,
    RuleSheet,
    Term,
    Variable,
    parse_sheet,
)

__all__ = ["Proof", "explain"]

MOST_STEPS = 400_000
DEEPEST = 250


class Proof(msgspec.Struct):
    """One thing and why it holds.

    Attributes:
        text: What holds, or does not.
        holds: Whether it does.
        why: "state", "move", "fact", "rule", "distinct", "denied"; of what does not hold "no rule", "fails".
        line: The line of the rule.
        parts: What the rule asks for.
    """

    text: str
    holds: bool
    why: str
    line: int = 0
    parts: list[Proof] = []


_Term = Any  # a name, ("?", name, number) for a variable, or (name, argument, ...)
_Binding = dict[Any, _Term]


class _Goal(msgspec.Struct):
    """A proof whose terms still have variables in them."""

    term: _Term
    why: str
    line: int
    parts: list[_Goal]


def explain(sheet: RuleSheet, query: str, *, facts: Iterable[str], moves: Sequence[tuple[str, str]] = ()) -> Proof:
    """Why `query` (as KIF, `(legal white (mark 1 1))`) holds in a state, or why it does not.

    Args:
        sheet: The rules.
        query: A condition; it may have variables.
        facts: What is true in the state.
        moves: Role and move of every role, for what depends on them.

    Raises:
        BadInput: the query is no condition, or a proof would be too long.
    """
    body = parse_sheet(f"(<= why_ {query})").rules[0].body
    if len(body) != 1:
        raise BadInput(f"a question is one condition, such as (legal white (mark 1 1)), not {query!r}")
    deepest = sys.getrecursionlimit()
    sys.setrecursionlimit(max(deepest, 20_000))
    try:
        return _Prover(sheet, facts, moves).answer(body[0])
    finally:
        sys.setrecursionlimit(deepest)


class _Prover:
    def __init__(self, sheet: RuleSheet, facts: Iterable[str], moves: Sequence[tuple[str, str]]) -> None:
        self._rules = sheet.by_relation
        self._spelling = sheet.spelling
        self._given: dict[tuple[str, int], list[_Term]] = {("true", 1): [_parsed(fact) for fact in facts]}
        self._given[("does", 2)] = [(_parsed(role), _parsed(move)) for role, move in moves]
        self._steps = 0
        self._number = 0

    def answer(self, formula: Formula) -> Proof:
        found = next(self._prove(formula, 0, {}, 0, ()), None)
        if found is not None:
            binding, goal = found
            return self._written(goal, binding)
        return self._why_not(formula, {}, 0, 0)

    # ------------------------------------------------------------------------------------------------ proving

    def _prove(
        self, formula: Formula, number: int, binding: _Binding, depth: int, above: tuple[_Term, ...]
    ) -> Iterator[tuple[_Binding, _Goal]]:
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise BadInput(f"the proof takes more than {MOST_STEPS:,} steps; ask for something with fewer variables")
        if depth > DEEPEST:
            return
        if isinstance(formula, Atom):
            yield from self._prove_atom(formula, number, binding, depth, above)
        elif isinstance(formula, Distinct):
            left, right = _term(formula.left, number), _term(formula.right, number)
            if _resolve(left, binding) != _resolve(right, binding):
                yield binding, _Goal(("distinct", left, right), "distinct", 0, [])
        elif isinstance(formula, Not):
            if next(self._prove(formula.part, number, binding, depth + 1, above), None) is None:
                yield binding, _Goal(("not", _formula_term(formula.part, number)), "denied", 0, [])
        elif isinstance(formula, Or):
            for part in formula.parts:
                yield from self._prove(part, number, binding, depth, above)
        else:
            for after, goals in self._prove_all(formula.parts, number, binding, depth, above):
                yield after, _Goal(_formula_term(formula, number), "rule", 0, goals)

    def _prove_all(
        self, parts: Sequence[Formula], number: int, binding: _Binding, depth: int, above: tuple[_Term, ...]
    ) -> Iterator[tuple[_Binding, list[_Goal]]]:
        if not parts:
            yield binding, []
            return
        for after, goal in self._prove(parts[0], number, binding, depth, above):
            for last, goals in self._prove_all(parts[1:], number, after, depth, above):
                yield last, [goal, *goals]

    def _prove_atom(
        self, atom: Atom, number: int, binding: _Binding, depth: int, above: tuple[_Term, ...]
    ) -> Iterator[tuple[_Binding, _Goal]]:
        term = (atom.relation, *(_term(arg, number) for arg in atom.args))
        for given in self._given.get(atom.signature, ()):
            wanted = term[1] if atom.relation == "true" else term[1:]
            after = _unify(wanted, given, binding)
            if after is not None:
                yield after, _Goal(term, "state" if atom.relation == "true" else "move", 0, [])
        now = _resolve(term, binding)
        if _ground(now):
            if now in above:  # it would rest on itself
                return
            above = (*above, now)
        for rule in self._rules.get(atom.signature, ()):
            self._number += 1
            own = self._number
            head = (rule.head.relation, *(_term(arg, own) for arg in rule.head.args))
            after = _unify(term, head, binding)
            if after is None:
                continue
            why = "rule" if rule.body else "fact"
            for last, goals in self._prove_all(rule.body, own, after, depth + 1, above):
                yield last, _Goal(term, why, rule.place.line, goals)
                if _ground(now):
                    return  # one reason is enough for what has no variables

    # ------------------------------------------------------------------------------------------------ failing

    def _why_not(self, formula: Formula, binding: _Binding, number: int, depth: int) -> Proof:
        text = self._text(_resolve(_formula_term(formula, number), binding))
        if not isinstance(formula, Atom) or formula.relation in ("true", "does") or depth > 3:
            if isinstance(formula, Not):
                held = next(self._prove(formula.part, number, binding, 0, ()), None)
                parts = [self._written(held[1], held[0])] if held else []
                return Proof(text, False, "fails", 0, parts)
            return Proof(text, False, "fails")
        parts = []
        term = (formula.relation, *(_term(arg, number) for arg in formula.args))
        for rule in self._rules.get(formula.signature, ()):
            self._number += 1
            own = self._number
            head = (rule.head.relation, *(_term(arg, own) for arg in rule.head.args))
            after = _unify(term, head, binding)
            if after is not None:
                parts.append(self._stuck(rule, own, after, depth))
        return Proof(text, False, "no rule" if not parts else "fails", 0, parts[:12])

    def _stuck(self, rule: Rule, number: int, binding: _Binding, depth: int) -> Proof:
        """How far the conditions of a rule can be met."""
        best: tuple[int, _Binding, list[_Goal]] = (0, binding, [])
        for length in range(1, len(rule.body)):
            found = next(self._prove_all(rule.body[:length], number, binding, 0, ()), None)
            if found is None:
                break
            best = length, found[0], found[1]
        length, after, goals = best
        parts = [self._written(goal, after) for goal in goals]
        failing = rule.body[length] if length < len(rule.body) else rule.body[-1]
        parts.append(self._why_not(failing, after, number, depth + 1))
        head = (rule.head.relation, *(_term(arg, number) for arg in rule.head.args))
        return Proof(self._text(_resolve(head, after)), False, "fails", rule.place.line, parts)

    # ------------------------------------------------------------------------------------------------ text

    def _written(self, goal: _Goal, binding: _Binding) -> Proof:
        text = self._text(_resolve(goal.term, binding))
        return Proof(text, True, goal.why, goal.line, [self._written(part, binding) for part in goal.parts])

    def _text(self, term: _Term) -> str:
        if isinstance(term, str):
            return self._spelling.get(term, term)
        if term[0] == "?":
            return str(term[1])
        words = " ".join(self._text(part) for part in term)
        return f"({words})" if len(term) > 1 else words


# ---------------------------------------------------------------------------------------------------- terms


def _term(term: Term, number: int) -> _Term:
    if isinstance(term, Variable):
        return ("?", term.name, number)
    if isinstance(term, Constant):
        return term.name
    return (term.name, *(_term(arg, number) for arg in term.args))


def _formula_term(formula: Formula, number: int) -> _Term:
    if isinstance(formula, Atom):
        return (formula.relation, *(_term(arg, number) for arg in formula.args))
    if isinstance(formula, Distinct):
        return ("distinct", _term(formula.left, number), _term(formula.right, number))
    if isinstance(formula, Not):
        return ("not", _formula_term(formula.part, number))
    word = "or" if isinstance(formula, Or) else "and"
    assert isinstance(formula, Or | And)
    return (word, *(_formula_term(part, number) for part in formula.parts))


def _parsed(text: str) -> _Term:
    atom = parse_sheet(f"(f_ {text})").rules[0].head
    return _term(atom.args[0], 0)


def _walk(term: _Term, binding: _Binding) -> _Term:
    while isinstance(term, tuple) and term[0] == "?" and term in binding:
        term = binding[term]
    return term


def _unify(one: _Term, other: _Term, binding: _Binding) -> _Binding | None:
    pending, changed = [(one, other)], None
    while pending:
        a, b = pending.pop()
        now = changed if changed is not None else binding
        a, b = _walk(a, now), _walk(b, now)
        if a == b:
            continue
        for x, y in ((a, b), (b, a)):
            if isinstance(x, tuple) and x[0] == "?":
                changed = dict(now)
                changed[x] = y
                break
        else:
            if isinstance(a, str) or isinstance(b, str) or len(a) != len(b):
                return None
            pending += list(zip(a, b, strict=True))
    return changed if changed is not None else binding


def _resolve(term: _Term, binding: _Binding) -> _Term:
    term = _walk(term, binding)
    if isinstance(term, str) or term[0] == "?":
        return term
    return tuple(_resolve(part, binding) for part in term)


def _ground(term: _Term) -> bool:
    if isinstance(term, str):
        return True
    return term[0] != "?" and all(_ground(part) for part in term)
