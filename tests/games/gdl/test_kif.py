"""The reader of s-expressions."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paidia.core.errors import BadInput, RuleError
from paidia.games.gdl.language.kif import MAX_DEPTH, MAX_LENGTH, Expr, Place, Sexpr, Word, parse, read_text, write

words = st.text(st.characters(exclude_categories=["Cs", "Z", "C"], exclude_characters="();"), min_size=1).map(Word)
sexprs: st.SearchStrategy[Sexpr] = st.recursive(
    words, lambda inner: st.lists(inner, max_size=4).map(lambda items: Expr(tuple(items))), max_leaves=20
)


@given(st.lists(sexprs, max_size=5), st.sampled_from([" ", "\n", " ; a ) comment (\n\t"]))
def test_what_is_written_is_read_back(values: list[Sexpr], between: str) -> None:
    text = between.join(write(value).replace(" ", between) for value in values)
    assert parse(text) == values


def test_every_word_and_list_knows_its_place() -> None:
    [first, second] = parse("(role White)\n  ; nothing here\n  (<= (p ?x)\n\t(q ?X))", file="f.kif")
    assert isinstance(first, Expr) and isinstance(second, Expr)
    assert first.items[1].place == Place("f.kif", 1, 7)
    assert second.place == Place("f.kif", 3, 3)
    inner = second.items[2]
    assert isinstance(inner, Expr)
    assert inner.place == Place("f.kif", 4, 2)
    variable = inner.items[1]
    assert isinstance(variable, Word) and variable.text == "?X" and variable.name == "?x"


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("(p\n (q)", 1, 1, "never closed"),
        ("(p))", 1, 4, "no opening"),
        ("\n\n )", 3, 2, "no opening"),
        ("(" * (MAX_DEPTH + 1), 1, MAX_DEPTH + 1, "nested"),
    ],
)
def test_errors_name_the_place(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(RuleError, match=message) as error:
        parse(text, file="f.kif")
    assert (error.value.file, error.value.line, error.value.column) == ("f.kif", line, column)


def test_the_size_is_bounded() -> None:
    with pytest.raises(RuleError, match="characters"):
        parse("a " * MAX_LENGTH)
    assert len(parse("(" * MAX_DEPTH + ")" * MAX_DEPTH)) == 1


def test_files_that_cannot_be_read_say_why(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="No such file"):
        read_text(tmp_path / "none.kif")
    (tmp_path / "latin.kif").write_bytes(b"(role wei\xdf)")
    with pytest.raises(BadInput, match="UTF-8"):
        read_text(tmp_path / "latin.kif")
    with pytest.raises(BadInput):
        read_text(tmp_path)
