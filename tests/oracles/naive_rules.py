"""A naive evaluation of layered rules, and random programs for it: every rule against all facts, until nothing is new."""

from __future__ import annotations

from hypothesis import strategies as st

from paidia.games.gdl.language.rules import Atom, Constant, Distinct, Function, Literal, Variable

__all__ = ["naive", "programs"]


def unify(pattern, term, binding):
    if isinstance(pattern, Variable):
        if pattern.name in binding:
            return binding if binding[pattern.name] == term else None
        return {**binding, pattern.name: term}
    if isinstance(pattern, Constant):
        return binding if pattern == term else None
    if not isinstance(term, Function) or term.name != pattern.name or len(term.args) != len(pattern.args):
        return None
    for a, b in zip(pattern.args, term.args, strict=True):
        binding = unify(a, b, binding)
        if binding is None:
            return None
    return binding


def put(term, binding):
    if isinstance(term, Variable):
        return binding[term.name]
    if isinstance(term, Function):
        return Function(term.name, tuple(put(arg, binding) for arg in term.args))
    return term


def bindings(body: list[Literal], facts, binding):
    positive = [x for x in body if x.positive and isinstance(x.atom, Atom)]
    if positive:
        first = positive[0]
        rest = [x for x in body if x is not first]
        for fact in facts:
            if fact.signature == first.atom.signature:
                bound = binding
                for a, b in zip(first.atom.args, fact.args, strict=True):
                    bound = unify(a, b, bound)
                    if bound is None:
                        break
                if bound is not None:
                    yield from bindings(rest, facts, bound)
        return
    for x in body:
        if isinstance(x.atom, Distinct):
            holds = put(x.atom.left, binding) != put(x.atom.right, binding)
        else:
            holds = Atom(x.atom.relation, tuple(put(arg, binding) for arg in x.atom.args)) in facts
        if holds != x.positive:
            return
    yield binding


def naive(sheet, order):
    """All facts of a sheet whose relations are listed in an order in which each denies earlier ones only."""
    facts: set[Atom] = set()
    for relation in order:
        before = -1
        while before != len(facts):
            before = len(facts)
            for rule in sheet.flat:
                if rule.head.relation == relation:
                    new = [
                        Atom(relation, tuple(put(arg, b) for arg in rule.head.args))
                        for b in bindings(list(rule.body), frozenset(facts), {})
                    ]
                    facts.update(new)
    return facts


terms = st.sampled_from(["a", "b", "c", "?x", "?y", "?z", "(f ?x)", "(f a)", "(g ?x ?y)", "(f (f b))"])


@st.composite
def programs(draw):
    """Layers of relations p0, p1, ...: each may use itself and those below, and deny those below."""
    lines = ["(p0 a b)", "(p0 b c)", "(p0 (f a) b)", "(p0 (g a b) (f c))"]
    for level in range(1, draw(st.integers(1, 3)) + 1):
        for _ in range(draw(st.integers(1, 3))):
            parts = []
            for _ in range(draw(st.integers(1, 3))):
                parts.append(f"(p{draw(st.integers(0, level))} {draw(terms)} {draw(terms)})")
            bound = {word for part in parts for word in part.replace("(", " ").replace(")", " ").split() if word[0] == "?"}
            inside = ["a", "b", "(f a)", *sorted(bound)]
            if draw(st.booleans()):
                parts.append(f"(not (p{draw(st.integers(0, level - 1))} {draw(st.sampled_from(inside))} a))")
            if draw(st.booleans()):
                parts.append(f"(distinct {draw(st.sampled_from(inside))} {draw(st.sampled_from(inside))})")
            head = f"(p{level} {draw(st.sampled_from(inside))} {draw(st.sampled_from(inside))})"
            lines.append(f"(<= {head} {' '.join(draw(st.permutations(parts)))})")
    return "\n".join(lines), level
