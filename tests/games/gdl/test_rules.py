"""Rules as typed values."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles.gdl_sheets import SHEETS
from paidia.core.errors import RuleError
from paidia.games.gdl.language.rules import (
    And,
    Atom,
    Constant,
    Distinct,
    Formula,
    Function,
    Not,
    Or,
    Rule,
    Variable,
    flatten,
    parse_sheet,
    variables,
)

propositions = st.sampled_from([Atom(name) for name in "abcd"])
formulas: st.SearchStrategy[Formula] = st.recursive(
    propositions,
    lambda part: st.one_of(
        part.map(Not),
        st.lists(part, min_size=1, max_size=3).map(lambda parts: And(tuple(parts))),
        st.lists(part, min_size=1, max_size=3).map(lambda parts: Or(tuple(parts))),
    ),
    max_leaves=8,
)


def holds(formula: Formula, true: set[str]) -> bool:
    match formula:
        case Atom(relation):
            return relation in true
        case Not(part):
            return not holds(part, true)
        case And(parts):
            return all(holds(part, true) for part in parts)
        case Or(parts):
            return any(holds(part, true) for part in parts)
    raise AssertionError


@given(st.lists(formulas, max_size=3))
def test_flat_rules_mean_the_same(body: list[Formula]) -> None:
    flat = flatten(Rule(Atom("p"), tuple(body)))
    for size in range(5):
        for names in itertools.combinations("abcd", size):
            true = set(names)
            expected = all(holds(part, true) for part in body)
            ours = any(
                all(isinstance(x.atom, Atom) and (x.atom.relation in true) == x.positive for x in rule.body) for rule in flat
            )
            assert ours == expected


@given(st.lists(formulas, max_size=3))
def test_a_rule_is_read_back_from_its_text(body: list[Formula]) -> None:
    rule = Rule(Atom("p", (Variable("?x"), Function("f", (Constant("a"), Variable("?x"))))), tuple(body))
    assert parse_sheet(str(rule)).rules == (rule,)


def test_case_does_not_matter_but_is_remembered() -> None:
    sheet = parse_sheet("(ROLE White) (<= (Legal WHITE (Move ?X)) (p ?x))")
    assert sheet.roles == ("white",)
    [move] = [rule.head.args[1] for rule in sheet.by_relation["legal", 2]]
    assert move == Function("move", (Variable("?x"),))
    assert sheet.spell(Function("move", (Constant("white"),))) == "(Move White)"


def test_facts_rules_and_propositions() -> None:
    sheet = parse_sheet("(role a) (role b) (role a) (<= terminal (not (p))) (<= (q ?x) (r ?x) (distinct ?x c))")
    assert sheet.roles == ("a", "b")
    assert sheet.rules[3] == Rule(Atom("terminal"), (Not(Atom("p")),))
    assert sheet.rules[4].body[1] == Distinct(Variable("?x"), Constant("c"))
    assert [v.name for v in variables(sheet.rules[4].body[1])] == ["?x"]


def test_all_sheets_are_read() -> None:
    for name, text in SHEETS.items():
        sheet = parse_sheet(text)
        assert sheet.roles, name
        assert all(rule.place.line > 0 for rule in sheet.rules)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("(<=)", 1, "needs a head"),
        ("(<= (true (p)) q)", 5, "did you mean `next`"),
        ("(<= (does a b) q)", 5, "did you mean `legal`"),
        ("(<= p (not a b))", 7, "`not` takes one"),
        ("(<= p (distinct a))", 7, "`distinct` takes two"),
        ("(<= p (or))", 7, "at least one"),
        ("(<= p ?x)", 7, "variable"),
        ("(<= p (?x a))", 8, "variable"),
        ("(goal a)", 1, "2 arguments, not 1"),
        ("(<= p (q ()))", 10, "empty"),
        ("((p) a)", 2, "starts with its name"),
        ("(<= (not p) q)", 5, "cannot stand here"),
    ],
)
def test_errors_say_what_and_where(text: str, column: int, message: str) -> None:
    with pytest.raises(RuleError, match=message) as error:
        parse_sheet(text, file="f.kif")
    assert (error.value.file, error.value.line, error.value.column) == ("f.kif", 1, column)


def test_the_number_of_alternatives_is_bounded() -> None:
    body = " ".join(f"(or (a{i}) (b{i}))" for i in range(40))
    [rule] = parse_sheet(f"(<= p {body})").rules
    with pytest.raises(RuleError, match="without `or`"):
        flatten(rule)
