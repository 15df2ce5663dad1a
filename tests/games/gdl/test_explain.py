"""Why something holds: proofs are checked step by step against the rules, and against the net in many states."""

from __future__ import annotations

import random

import pytest

from paidia.core.errors import BadInput
from paidia.games.gdl.explain import Proof, explain
from paidia.games.gdl.language.rules import parse_sheet
from paidia.games.gdl.library import LIBRARY
from paidia.games.gdl.load import load_game
from paidia.games.gdl.net.kernel import legal_names


def _leaves(proof: Proof) -> list[Proof]:
    return [leaf for part in proof.parts for leaf in _leaves(part)] if proof.parts else [proof]


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect4", "breakthrough", "eight-puzzle", "sheep-and-wolf"])
def test_what_is_legal_and_true_next_is_proven_in_random_states(name: str) -> None:
    sheet = parse_sheet(LIBRARY.text(name))
    game = load_game(sheet, name)
    state = game.initial_state()
    rng = random.Random(5)
    for _ in range(4):
        facts = state.fluents()
        legal = [legal_names(state, role) for role in range(game.n_roles)]
        for role, names in enumerate(legal):
            for move in rng.sample(names, min(3, len(names))):
                proof = explain(sheet, f"(legal {game.roles[role]} {move})", facts=facts)
                assert proof.holds and proof.why == "rule" and proof.line > 0
                assert all(leaf.holds for leaf in _leaves(proof))
                assert {leaf.text[6:-1] for leaf in _leaves(proof) if leaf.why == "state"} <= set(facts)
        chosen = [rng.choice(names) for names in legal]
        moves = [(game.roles[role], move) for role, move in enumerate(chosen)]
        after = state.clone()
        after.play([game.move_id(role, move) if state.legal(role) else None for role, move in enumerate(chosen)])
        for fact in rng.sample(after.fluents(), min(4, len(after.fluents()))):
            assert explain(sheet, f"(next {fact})", facts=facts, moves=moves).holds
        gone = set(facts) - set(after.fluents())
        for fact in list(gone)[:3]:
            assert not explain(sheet, f"(next {fact})", facts=facts, moves=moves).holds
        state = after
        assert explain(sheet, "terminal", facts=state.fluents()).holds == state.terminal
        if state.terminal:
            break


def test_what_does_not_hold_names_the_condition_that_fails() -> None:
    sheet = parse_sheet("(role a)\n(<= (legal a go)\n (true (at 1))\n (true (at 2)))\n(<= (legal a stay) (not (true (at 1))))")
    proof = explain(sheet, "(legal a go)", facts=["(at 1)"])
    assert not proof.holds and proof.parts[0].line == 2
    assert [(part.text, part.holds) for part in proof.parts[0].parts] == [("(true (at 1))", True), ("(true (at 2))", False)]
    assert not explain(sheet, "(legal a stay)", facts=["(at 1)"]).holds
    assert explain(sheet, "(legal a stay)", facts=[]).parts[0].why == "denied"
    assert explain(sheet, "(legal a fly)", facts=[]).why == "no rule"


def test_recursion_ends() -> None:
    sheet = parse_sheet("(e 1 2) (e 2 3) (e 3 1) (<= (p ?x ?y) (e ?x ?y)) (<= (p ?x ?y) (e ?x ?z) (p ?z ?y))")
    assert explain(sheet, "(p 1 3)", facts=[]).holds
    assert not explain(sheet, "(p 1 4)", facts=[]).holds


def test_questions_that_are_none() -> None:
    sheet = parse_sheet("(role a)")
    for query in ("", "(legal a", "x y"):
        with pytest.raises(Exception, match=r"parenthes|condition|question"):
            explain(sheet, query, facts=[])
    wide = parse_sheet(
        " ".join(f"(c {i})" for i in range(40)) + "(<= (q ?a ?b ?c ?d ?e) (c ?a) (c ?b) (c ?c) (c ?d) (c ?e) (no ?a))"
    )
    with pytest.raises(BadInput, match="steps"):
        explain(wide, "(q ?a ?b ?c ?d ?e)", facts=[])
