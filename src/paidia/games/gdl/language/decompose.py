"""Split rules with many variables into chains of rules with few, so that their ground instances stay few.

A variable that the head does not need is eliminated: the literals that hold it (its bucket) move into the body of an
auxiliary relation over the bucket's other variables. Eight variables that all vary together give n**8 ground rules;
after elimination there are a few times n**4. This is the greedy tree decomposition known from answer set
programming (Bichler, Morak, Woltran: lpopt, 2016), smallest bucket first. A bucket is taken out only if it has
fewer variables than the rule and its own positive literals bind all of them.
"""

from __future__ import annotations

from collections.abc import Iterable

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
    body = list(rule.body)
    kept = {v.name for v in variables(rule.head)}
    while (bucket := _smallest_bucket(body, kept)) is not None:
        rest = [x for x in body if x not in bucket]
        shared = _names(bucket) & (kept | _names(rest))
        head = _auxiliary(bucket, sorted(shared), rule, done, known)
        body = [*rest, Literal(head)]
    done.append(FlatRule(rule.head, tuple(body), rule.place))


def _smallest_bucket(body: list[Literal], kept: set[str]) -> list[Literal] | None:
    everything = _names(body) | kept
    best: tuple[int, int, list[Literal]] | None = None
    for name in sorted(_names(body) - kept):
        bucket = [x for x in body if name in _names((x,))]
        if len(bucket) == len(body):
            continue
        names = _names(bucket)
        missing = names - _bound(bucket)
        if missing:  # a literal of the rest may lend its bindings, if it brings no further variables
            lent = [x for x in body if x not in bucket and _bound((x,)) & missing and _names((x,)) <= names]
            if missing - _bound(lent):
                continue
            bucket = [*bucket, *lent]
        if len(names) < len(everything) and (best is None or (len(names), len(bucket)) < best[:2]):
            best = (len(names), len(bucket), bucket)
    return best[2] if best else None


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
