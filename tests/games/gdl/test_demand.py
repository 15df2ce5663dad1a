"""Relations on demand: the same game as in full, against golden data, a naive evaluation, and large sheets."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings

from oracles.gdl_large import chess, connection, stepping
from oracles.naive_rules import naive, programs
from paidia.core.game import Game
from paidia.games.gdl.conform import _check_initial, _check_playout
from paidia.games.gdl.interpreter import fit
from paidia.games.gdl.interpreter.demand import on_demand
from paidia.games.gdl.interpreter.interpreter import InterpretedGame, load
from paidia.games.gdl.interpreter.plans import Limits, Program, TooMuch
from paidia.games.gdl.language.check import check_text
from paidia.games.gdl.language.rules import Function, RuleSheet, parse_sheet, read_sheet
from paidia.games.gdl.net.kernel import legal_names


def all_on_demand(sheet: RuleSheet, limits: Limits | None = None) -> InterpretedGame:
    wanted = {rule.head.signature for rule in sheet.flat if rule.body}
    return InterpretedGame("game", sheet, Program(sheet, limits or Limits(), on_demand(sheet.flat, wanted)))


def in_full(sheet: RuleSheet, limits: Limits | None = None) -> InterpretedGame:
    return InterpretedGame("game", sheet, Program(sheet, limits or Limits()))


def same_walk(one: Game, other: Game, *, seed: int, steps: int) -> int:
    """Walk through two games side by side; they must agree in everything."""
    chance = random.Random(seed)
    a, b = one.initial_state(), other.initial_state()
    for step in range(steps):
        assert a.fluents() == b.fluents() and a.terminal == b.terminal  # type: ignore[attr-defined]
        assert a.goals == b.goals
        if a.terminal:
            return step
        joint = []
        for role in range(one.n_roles):
            names = sorted(legal_names(a, role))
            assert names == sorted(legal_names(b, role))
            joint.append(chance.choice(names))
        for state in (a, b):
            moves = [state.game.move_id(role, name) for role, name in enumerate(joint)]
            state.play([move if state.mover in (None, role) else None for role, move in enumerate(moves)])
    return steps


@settings(max_examples=150, deadline=None)
@given(programs())
def test_questions_find_what_the_naive_way_finds(program: tuple[str, int]) -> None:
    text, top = program
    sheet = parse_sheet(
        f"{text}\n(role r) (<= (legal r (row ?x)) (p{top} ?x ?y)) (<= (legal r (row ?x)) (p0 a ?x) (p{top} ?x b))"
    )
    order = [f"p{i}" for i in range(top + 1)]
    facts = naive(sheet, order)
    rows = {atom.args for atom in facts if atom.relation == f"p{top}"}
    asked = {atom.args[1] for atom in facts if atom.relation == "p0" and str(atom.args[0]) == "a"}
    expected = {str(Function("row", (x,))) for x, _ in rows} | {
        str(Function("row", (x,))) for x, y in rows if x in asked and str(y) == "b"
    }
    assert set(legal_names(all_on_demand(sheet).initial_state(), 0)) == expected


@pytest.mark.parametrize("test", ["(distinct a ?x)", "(not (p3 ?x ?x))"])
def test_a_test_of_what_only_the_recursion_knows_is_no_part_of_a_question(test: str) -> None:
    """The denied condition is asked for with what is known outside the recursion, and there nothing binds ?x."""
    sheet = parse_sheet(
        "(p0 a b) (p0 b c) (p3 c c) (<= (p1 b a) (p0 b c)) (<= (p2 ?x ?y) (p0 ?x ?y))"
        f"(<= (p2 a a) (p2 a ?x) (not (p1 ?x a)) {test})"
        "(role r) (<= (legal r (row ?x)) (p2 ?x ?y))"
    )
    assert set(legal_names(all_on_demand(sheet).initial_state(), 0)) == set(legal_names(in_full(sheet).initial_state(), 0))


@pytest.mark.parametrize(
    "key", ["chess_200", "linesOfAction", "hex", "othello-comp2007", "ticTacToe", "bomberman2p", "nim3", "checkers"]
)
def test_golden_records_on_demand(reference: Path, key: str) -> None:
    game = all_on_demand(read_sheet(next((reference / "gdl" / "base" / key).glob("*.kif"))))
    steps = 0
    with gzip.open(reference / "gdl" / "golden" / f"{key}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            if record["type"] == "initial":
                _check_initial(game, record)
            elif record["type"] == "playout" and steps < 60:
                _check_playout(game, record)
                steps += record["length"]
    assert steps


@pytest.mark.parametrize("doubled", [True, False])
def test_a_connection_game_by_transitive_closure(doubled: bool) -> None:
    sheet = parse_sheet(connection(5, doubled=doubled))
    assert not [finding for finding in check_text(connection(5, doubled=doubled)) if "(advice)" not in str(finding)]
    for seed in range(3):
        assert same_walk(in_full(sheet), all_on_demand(sheet), seed=seed, steps=40) > 5


def test_groups_of_a_large_board_are_asked_from_the_edge() -> None:
    sheet = parse_sheet(connection(11, doubled=False))
    game, plain = load(sheet, "hex"), in_full(sheet)
    assert same_walk(game, plain, seed=1, steps=100) == 100
    assert 3 * sum(game.work()) < sum(plain.work())  # type: ignore[attr-defined]


def test_a_chess_with_kings_in_check_plays() -> None:
    sheet = parse_sheet(chess(), file="chess.kif")
    assert not check_text(chess())
    with pytest.raises(TooMuch, match="`line_after`"):
        in_full(sheet, Limits(work=2_000_000))
    game = load(sheet, "chess")
    state = game.initial_state()
    assert len(state.legal(0)) == 16 + 4 - 8  # pawns go one step only: 8, and knights 4
    paths = [1]
    layer = [state]
    for _ in range(2):
        following = []
        for each in layer:
            for move in each.legal(each.mover):  # type: ignore[arg-type]
                copy = each.clone()
                copy.play(move)
                following.append(copy)
        layer = following
        paths.append(len(layer))
    assert paths == [1, 12, 144]
    chance = random.Random(7)
    for _ in range(60):
        if state.terminal:
            break
        king = next(f for f in state.fluents() if f.endswith(f" {game.roles[state.mover or 0]} king)"))  # type: ignore[attr-defined]
        assert king
        state.play(chance.choice(state.legal(state.mover)))  # type: ignore[arg-type]
    assert sum(game.work()) / 220 < 200_000  # type: ignore[attr-defined]


def test_a_sheet_that_is_cheap_is_left_alone() -> None:
    calls: list[int] = []

    def make(program: Program) -> InterpretedGame:
        calls.append(len(program.groups))
        return InterpretedGame("walk", sheet, program)

    sheet = parse_sheet(stepping(30))
    game = fit.fitted(make, sheet, Limits())
    assert len(calls) == 2 and same_walk(game, in_full(sheet), seed=2, steps=30) == 20


def test_a_question_that_would_wait_for_its_answer_is_not_asked() -> None:
    text = """
        (role r) (init (n 1)) (num 1) (num 2) (num 3) (num 4) (succ 1 2) (succ 2 3) (succ 3 4)
        (<= (win ?x) (succ ?x ?y) (not (lost ?y))) (<= (lost ?x) (num ?x) (not (even ?x))) (<= (even ?y) (succ ?x ?y) (odd ?x))
        (odd 1) (<= (odd ?y) (succ ?x ?y) (even ?x)) (<= (legal r (go ?x)) (win ?x) (num ?x)) (<= (next (n ?x)) (does r (go ?x)))
        (<= terminal (true (n 3))) (<= (goal r 100) (true (n 3))) (<= (goal r 0) (not (true (n 3))))
    """
    sheet = parse_sheet(text)
    same_walk(in_full(sheet), all_on_demand(sheet), seed=0, steps=10)
