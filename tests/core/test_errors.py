"""Errors say what is wrong, where, and what would be right."""

from __future__ import annotations

import msgspec
import pytest

from paidia.core.errors import (
    BadInput,
    IllegalMove,
    PaidiaError,
    RuleError,
    UnknownName,
    did_you_mean,
    nearest,
    unknown_key,
)


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ({}, "no role"),
        ({"file": "a.kif"}, "a.kif: no role"),
        ({"file": "a.kif", "line": 3}, "a.kif:3: no role"),
        ({"file": "a.kif", "line": 3, "column": 14}, "a.kif:3:14: no role"),
        ({"line": 3, "column": 1}, "3:1: no role"),
    ],
    ids=str,
)
def test_a_rule_error_begins_with_its_place(place: dict[str, int], text: str) -> None:
    error = RuleError("no role", **place)  # type: ignore[arg-type]
    assert str(error) == text
    assert error.message == "no role"
    assert (error.file, error.line, error.column) == tuple(
        place.get(name, blank) for name, blank in (("file", ""), ("line", 0), ("column", 0))
    )


def test_everything_a_user_can_cause_is_a_paidia_error() -> None:
    for kind in (BadInput, IllegalMove, RuleError, UnknownName):
        assert issubclass(kind, PaidiaError)
    assert not issubclass(PaidiaError, ValueError)


def test_nearest_names_come_best_first_and_ignore_case() -> None:
    known = ["connect4", "connect5", "Reversi", "go"]
    assert nearest("conect4", known) == ["connect4", "connect5"]
    assert nearest("REVERSY", known) == ["Reversi"]
    assert nearest("chess", known) == []
    assert nearest("", known) == []
    assert len(nearest("aa", ["aab", "aac", "aad", "aae"])) == 3
    assert len(nearest("aa", ["aab", "aac", "aad", "aae"], most=1)) == 1


def test_the_question_after_a_wrong_name() -> None:
    assert did_you_mean("conect4", ["connect4", "connect5", "go"]) == "did you mean 'connect4' or 'connect5'?"
    assert did_you_mean("conect4", ["connect4", "connect5"], most=1) == "did you mean 'connect4'?"
    assert did_you_mean("xyz", ["go"], otherwise="it has go") == "it has go"
    assert did_you_mean("xyz", ["go"]) == ""


def test_an_unknown_name_offers_the_nearest() -> None:
    error = UnknownName("game", "conect4", ["connect4", "go"], remedy="`paidia games` lists them all")
    assert str(error) == "unknown game 'conect4'; did you mean 'connect4'? `paidia games` lists them all"
    assert (error.name, error.near) == ("conect4", ["connect4"])
    assert str(UnknownName("game", "xyz", ["go"])) == "unknown game 'xyz'"


class Inner(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    depth: int = 0


class Outer(msgspec.Struct, forbid_unknown_fields=True):
    name: str = ""
    inner: Inner = Inner()
    many: list[Inner] = []


TABLES = {"$": Outer.__struct_fields__, "inner": Inner.__struct_fields__, "many": Inner.__struct_fields__}


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"nam": 1}, "a plan has no key 'nam'; did you mean 'name'?"),
        ({"inner": {"dept": 1}}, "[inner] has no key 'dept'; did you mean 'depth'?"),
        ({"many": [{}, {"dept": 1}]}, "[many] has no key 'dept'; did you mean 'depth'?"),
        ({"xyzzy": 1}, "a plan has no key 'xyzzy'; known: name, inner, many"),
        ({"name": 1}, None),
    ],
    ids=str,
)
def test_an_unknown_key_offers_the_nearest(document: object, message: str | None) -> None:
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.convert(document, Outer)
    assert unknown_key(str(caught.value), TABLES, whole="a plan") == message
