"""Decomposed rules derive the same facts as the rules they came from."""

from __future__ import annotations

import clingo
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles.gdl_sheets import SHEETS, rule_text
from oracles.slow_decompose import names, smallest_bucket
from paidia.games.gdl.language.decompose import AUXILIARY, _Body, decompose, unsafe_variables
from paidia.games.gdl.language.rules import Atom, Constant, Distinct, FlatRule, Literal, Variable, parse_sheet, variables

VALUES = [Constant(str(i)) for i in range(3)]
NAMES = [Variable(f"?{name}") for name in "abcdef"]

edges = st.lists(st.tuples(st.sampled_from("pqr"), st.sampled_from(VALUES), st.sampled_from(VALUES)), max_size=14)
atoms = st.builds(lambda r, a, b: Atom(r, (a, b)), st.sampled_from("pqr"), *[st.sampled_from([*NAMES, *VALUES])] * 2)
distincts = st.builds(Distinct, st.sampled_from(NAMES), st.sampled_from([*NAMES, *VALUES]))
bodies = st.tuples(
    st.lists(atoms.map(Literal), min_size=1, max_size=5),
    st.lists(st.builds(Literal, st.one_of(atoms, distincts), st.just(False)), max_size=2),
    st.lists(distincts.map(Literal), max_size=2),
).map(lambda parts: tuple(literal for part in parts for literal in part))


def derived(rules: list[FlatRule], facts: list[tuple[str, Constant, Constant]]) -> set[str]:
    control = clingo.Control(["--warn=none"])
    text = [rule_text(rule) for rule in rules]
    text += [rule_text(FlatRule(Atom(relation, (a, b)))) for relation, a, b in facts]
    control.add("base", [], "\n".join(text))
    control.ground([("base", [])])
    atoms = (str(atom.symbol) for atom in control.symbolic_atoms if atom.is_fact)
    return {atom for atom in atoms if AUXILIARY not in atom}


@settings(max_examples=200, deadline=None)
@given(bodies, st.lists(st.sampled_from(NAMES), max_size=2), edges)
def test_the_same_facts_follow(
    body: tuple[Literal, ...], head: list[Variable], facts: list[tuple[str, Constant, Constant]]
) -> None:
    rule = FlatRule(Atom("head", tuple(head)), body)
    unsafe = {v.name for v in unsafe_variables(rule)}
    bound = Literal(Atom("p", (Constant("0"), Constant("0"))))
    safe = tuple(x if not {v for v in unsafe if v in str(x)} else bound for x in body)
    rule = FlatRule(Atom("head", tuple(v for v in head if v.name not in unsafe)), safe)
    if unsafe_variables(rule):
        return
    assert derived(decompose([rule]), facts) == derived([rule], facts)


def test_a_frame_axiom_loses_its_many_variables() -> None:
    sheet = parse_sheet("""
        (<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)) (does ?r (move ?a ?b ?c ?d)) (far ?a ?b ?x ?y) (far ?c ?d ?x ?y))
    """)
    rules = decompose(sheet.flat)
    assert max(len({str(v) for v in _variables(rule)}) for rule in rules) < 8


def test_equal_parts_share_one_relation() -> None:
    text = "(<= ({0} ?x) (p ?x) (q ?{1} ?z) (r ?z ?{1}))"
    sheet = parse_sheet(text.format("a", "y") + text.format("b", "w"))
    heads = [rule.head.relation for rule in decompose(sheet.flat)]
    assert len(heads) == 3 and heads[-1] == "b"


def test_all_sheets_stay_safe() -> None:
    for text in SHEETS.values():
        for rule in decompose(parse_sheet(text).flat):
            assert not unsafe_variables(rule)


def _variables(rule: FlatRule) -> list[Variable]:
    from paidia.games.gdl.language.rules import variables

    return [v for part in (rule.head, *rule.body) for v in variables(part)]


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_the_same_buckets_as_from_scratch(data: st.DataObject) -> None:
    variable = st.integers(0, 7).map(lambda i: f"?v{i}")
    atoms = data.draw(st.lists(st.lists(variable, min_size=1, max_size=3), min_size=1, max_size=10))
    bound = sorted({name for atom in atoms for name in atom})
    parts = [f"(p{len(atom)} {' '.join(atom)})" for atom in atoms]
    for _ in range(data.draw(st.integers(0, 3))):
        parts.append(f"(distinct {data.draw(st.sampled_from(bound))} {data.draw(st.sampled_from(bound))})")
    if data.draw(st.booleans()):
        parts.append(f"(not (p1 {data.draw(st.sampled_from(bound))}))")
    (rule,) = parse_sheet(f"(<= (h {data.draw(st.sampled_from(bound))}) {' '.join(data.draw(st.permutations(parts)))})").flat
    kept = {v.name for v in variables(rule.head)}
    body, rest = _Body(rule), list(rule.body)
    for number in range(100):
        expected, found = smallest_bucket(rest, kept), body.smallest_bucket()
        assert (None if found is None else [body.literals[i] for i in found]) == expected
        if found is None or expected is None:
            assert list(body.literals.values()) == rest
            return
        outside = [x for x in rest if x not in expected]
        shared = body.shared(found)
        assert shared == names(expected) & (kept | names(outside))
        new = Literal(Atom(f"aux{number}", tuple(Variable(name) for name in sorted(shared))))
        rest = [*outside, new]
        body.replace(found, new)
