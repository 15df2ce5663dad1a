"""Rules that try to take all time or memory end with an error, soon."""

from __future__ import annotations

import time

import pytest

from paidia.core.errors import PaidiaError, RuleError
from paidia.games.gdl.language.rules import parse_sheet
from paidia.games.gdl.load import load_game
from paidia.games.gdl.net.ground import NetLimits, TooLarge, ground, ground_text
from paidia.games.gdl.net.net import build_net

SMALL = NetLimits(seconds=2, memory=512 << 20, output=4 << 20, gates=20_000)

HEAD = "(role a) (init (p 1)) (<= (legal a go) (true (p ?x))) (<= (next (p ?x)) (true (p ?x))) (<= terminal (bomb))"
DIGITS = " ".join(f"(d {i})" for i in range(10))


def build(text: str, limits: NetLimits = SMALL) -> None:
    sheet = parse_sheet(text, file="bad.kif")
    build_net(sheet, ground(sheet, limits), limits)


@pytest.mark.parametrize(
    "bomb",
    [
        # ten to the twelfth ground rules
        f"{DIGITS} (<= (big {' '.join(f'?{c}' for c in 'abcdefghijkl')}) {' '.join(f'(d ?{c})' for c in 'abcdefghijkl')})"
        f"(<= bomb (big {' '.join(f'?{c}' for c in 'abcdefghijkl')}))",
        # terms that grow for ever, in a relation and in the state
        "(n z) (<= (n (s ?x)) (n ?x)) (<= bomb (n ?x) (true (p ?x)))",
        "(<= (next (p (s ?x))) (true (p ?x)) (does a go)) (<= bomb (true (p 2)))",
        # terms that double
        "(n z) (<= (n (f ?x ?x)) (n ?x)) (<= bomb (n ?x) (true (p ?x)))",
    ],
    ids=["product", "growing relation", "growing state", "doubling"],
)
def test_grounding_is_bounded(bomb: str) -> None:
    began = time.monotonic()
    with pytest.raises(TooLarge, match="ground"):
        build(HEAD + bomb)
    assert time.monotonic() - began < 15


def test_the_net_is_bounded() -> None:
    cells = " ".join(f"(c {i})" for i in range(60))
    text = (
        HEAD
        + cells
        + """
        (<= (init (on ?x ?y)) (c ?x) (c ?y)) (<= (next (on ?x ?y)) (true (on ?x ?y)) (does a go) (true (p ?y)))
        (<= (pair ?x ?y ?z) (true (on ?x ?y)) (true (on ?y ?z)) (not (true (on ?x ?z))))
        (<= bomb (pair ?x ?y ?z) (pair ?z ?y ?x))
    """
    )
    with pytest.raises(TooLarge):
        build(text, NetLimits(seconds=5, memory=1 << 30, output=40 << 20, gates=1000))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(<= (bomb) (not (true (q ?x))))", r"bad.kif:1:\d+: the variable `\?x`"),
        ("(<= (bomb ?x) (q))", r"bad.kif:1:\d+: the variable `\?x`"),
        ("(<= (legal a ?m) (distinct ?m ?n) (d ?n))", r"bad.kif:1:\d+: the variable `\?m`"),
        ("(<= bomb (true (p 1)) (not boom)) (<= boom (true (p 1)) (not bomb))", "denial"),
        ("(<= bomb (true (p 1)) (not bomb))", "denial"),
        ("(<= (goal a often) (true (p 1)))", "whole number"),
        ("(<= (goal a 101) (true (p 1)))", "whole number"),
    ],
)
def test_rules_that_mean_nothing(text: str, message: str) -> None:
    with pytest.raises(RuleError, match=message):
        build(HEAD + "(q 1) (d 1)" + text)


def test_a_sheet_without_roles() -> None:
    with pytest.raises(RuleError, match="no role"):
        load_game(parse_sheet("(init p)"), "x")


def test_too_many_roles() -> None:
    text = HEAD + "".join(f"(role r{i})" for i in range(40)) + "(<= (legal ?r go) (role ?r))"
    with pytest.raises(PaidiaError, match="roles"):
        load_game(parse_sheet(text), "x")


def test_names_mean_nothing_to_the_grounder() -> None:
    text = """
        (role #const) (init not) (init "x") (init (p . 1)) (init 07)
        (<= (legal #const (x% #show)) (true not)) (<= (next not) (does #const (x% #show)) (true ?x) (distinct ?x not))
        (<= terminal (not (true not)))
    """
    game = load_game(parse_sheet(text), "odd")
    state = game.initial_state()
    assert game.roles == ("#const",) and state.fluents() == ['"x"', "(p . 1)", "07", "not"]
    state.play(game.move_id(0, "(x% #show)"))
    assert state.fluents() == ["not"]


def test_a_deep_chain_of_rules_is_no_deep_recursion() -> None:
    chain = " ".join(f"(<= (x{i + 1}) (x{i}) (true (q {i % 7})))" for i in range(5000))
    fluents = " ".join(f"(init (q {i})) (<= (next (q {i})) (does a {i}))" for i in range(7))
    moves = " ".join(f"(legal a {i})" for i in range(7))
    text = f"(role a) {chain} {fluents} {moves} (<= (x0) (true (q 0))) (<= (goal a 100) (x5000)) (<= terminal (not (true (q 0))))"
    state = load_game(parse_sheet(text), "deep").initial_state()
    assert state.goals == [1.0]
    state.play(0)
    assert state.goals == [0.0]


def test_the_grounder_reports_what_it_cannot_do() -> None:
    with pytest.raises(TooLarge):
        ground_text("this is no program(", SMALL)
