"""The formatter changes white space and nothing else, and formatting twice is formatting once."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paidia.core.errors import RuleError
from paidia.games.gdl.language.format import WIDTH, format_text
from paidia.games.gdl.language.kif import parse, read_text
from paidia.games.gdl.library import LIBRARY

words = st.sampled_from(["<=", "role", "?x", "a", "cell", "long-name-of-something-with-many-letters", "1", "TRUE"])
comments = st.sampled_from([" ; note\n", "\n; alone\n", "\n;;; three\n\n", "\n", "\n\n", " "])
expressions = st.recursive(
    words,
    lambda inner: st.lists(st.tuples(inner, comments), max_size=8).map(
        lambda parts: "(" + "".join(text + gap for text, gap in parts) + ")"
    ),
    max_leaves=30,
)
texts = st.lists(st.tuples(expressions, comments), max_size=8).map(lambda parts: "".join(text + gap for text, gap in parts))


def comments_of(text: str) -> list[str]:
    return [comment.rstrip() for comment in re.findall(r";[^\n]*", text)]


def check(text: str) -> str:
    result = format_text(text)
    assert parse(result) == parse(text)
    assert comments_of(result) == comments_of(text)
    assert format_text(result) == result
    assert all(line == line.rstrip() for line in result.splitlines())
    return result


@given(texts)
def test_only_white_space_changes(text):
    check(text)


def test_the_style():
    text = "(ROLE white) (role black)\n\n\n\n(<= (legal ?p (mark ?x)) (true (control ?p)) ; turn\n(not (taken ?x)))(<= p q)"
    assert check(text) == (
        "(ROLE white) (role black)\n\n(<= (legal ?p (mark ?x))\n    (true (control ?p))  ; turn\n    (not (taken ?x)))\n\n"
        "(<= p\n    q)\n"
    )


def test_long_facts_are_broken():
    text = f"(fact {' '.join(['word' * 5] * 20)})"
    assert max(map(len, check(text).splitlines())) <= WIDTH


def test_an_empty_text_stays_empty():
    assert format_text("") == ""


@pytest.mark.parametrize("text", ["(role", "role)", "(" * 200 + ")" * 200])
def test_broken_text_is_an_error(text):
    with pytest.raises(RuleError):
        format_text(text)


def test_the_library_is_formatted():
    for id in LIBRARY.ids():
        assert format_text(LIBRARY.text(id)) == LIBRARY.text(id), f"paidia check --format --write {id}.kif"


def test_reference_sheets_survive(reference):
    for file in sorted((reference / "gdl" / "base").glob("*/*.kif")):
        check(read_text(file))
