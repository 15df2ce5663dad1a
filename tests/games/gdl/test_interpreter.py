"""The interpreter against golden data, against the net, and against a naive evaluation written down once more in Python."""

from __future__ import annotations

import gzip
import json
import logging

import pytest
from hypothesis import given, settings

from oracles.naive_rules import naive, programs
from paidia.core.errors import BadInput, PaidiaError, RuleError
from paidia.games.gdl.conform import _check_initial, _check_perft, _check_playout
from paidia.games.gdl.interpreter.interpreter import InterpretedState, load
from paidia.games.gdl.interpreter.plans import Limits
from paidia.games.gdl.language.rules import Function, parse_sheet, read_sheet
from paidia.games.gdl.library import LIBRARY
from paidia.games.gdl.load import load_game
from paidia.games.gdl.net.ground import NetLimits
from paidia.games.gdl.net.kernel import legal_names
from paidia.testing import check_game

# Sheets with recursion over cycles, function terms, large boards, several roles at once, and without `base`.
GOLDEN = [
    "linesOfAction",
    "quarto",
    "chess_200",
    "amazons_8x8",
    "othello-comp2007",
    "hex",
    "ticTacToe",
    "blocksWorld",
    "bomberman2p",
    "ruleDepthLinear",
    "chineseCheckers3",
    "nim3",
    "ghostMaze2p",
    "futoshiki4",
]


def interpreted(text: str, *, limits: Limits | None = None):
    return load(parse_sheet(text, file="game.kif"), "game", limits=limits)


@pytest.mark.parametrize("key", GOLDEN)
def test_golden_records(reference, key):
    rules = next((reference / "gdl" / "base" / key).glob("*.kif"))
    game = load(read_sheet(rules), key)
    perft, steps = [], 0
    with gzip.open(reference / "gdl" / "golden" / f"{key}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            if record["type"] == "initial":
                _check_initial(game, record)
            elif record["type"] == "playout" and steps < 150:
                _check_playout(game, record)
                steps += record["length"]
            elif record["type"] == "perft" and record["paths"] < 500:
                perft.append(record)
    assert steps
    for id, agrees, message in _check_perft(key, game, perft):
        assert agrees, f"{id}: {message}"


@pytest.mark.parametrize("id", ["tic-tac-toe", "tron", "chinese-checkers-4", "reversi", "eight-puzzle", "battle"])
def test_it_agrees_with_the_net(id):
    sheet = parse_sheet(LIBRARY.text(id), file=id)
    slow, fast = load(sheet, id), load_game(sheet, id)
    a, b = slow.initial_state(), fast.initial_state()
    assert isinstance(a, InterpretedState) and not isinstance(b, InterpretedState)
    assert slow.roles == fast.roles
    for step in range(40):
        assert a.fluents() == b.fluents()
        assert a.terminal == b.terminal
        if a.terminal:
            assert a.goals == b.goals
            break
        joint = []
        for role in range(slow.n_roles):
            names = legal_names(a, role)
            assert sorted(names) == sorted(legal_names(b, role))
            joint.append(sorted(names)[(7 * step + role) % len(names)])
        for state in (a, b):
            game = state.game
            state.play([game.move_id(role, name) if state.mover in (None, role) else None for role, name in enumerate(joint)])
    assert step


@pytest.mark.parametrize("id", ["tic-tac-toe", "tron", "eight-puzzle"])
def test_it_keeps_the_contract(id):
    check_game(load(parse_sheet(LIBRARY.text(id)), id), walks=3, playouts=40)


def test_the_order_of_moves_does_not_depend_on_the_past():
    sheet = parse_sheet(LIBRARY.text("connect4"))
    one, other = load(sheet, "one"), load(sheet, "other")
    other.initial_state().random_playout(5)  # numbers its terms in another order
    a, b = one.initial_state(), other.initial_state()
    for _ in range(6):
        assert legal_names(a, a.mover) == legal_names(b, b.mover)
        assert a.key == b.key
        a.play(a.legal(a.mover)[-1])
        b.play(b.legal(b.mover)[-1])


def test_states_share_the_tables_without_mixing():
    game = interpreted(LIBRARY.text("tic-tac-toe"))
    states = [game.initial_state() for _ in range(3)]
    expected = []
    for i, state in enumerate(states):
        for k in range(i + 1):
            state.play(state.legal(state.mover)[k])
        expected.append((state.fluents(), state.legal(state.mover)))
    for state, (fluents, legal) in zip(states, expected, strict=True):
        copy = state.clone()
        copy.play(copy.legal(copy.mover)[0])
        assert (state.fluents(), state.legal(state.mover)) == (fluents, legal)
        assert state.goals == [0.5, 0.5]


def test_large_rules_are_interpreted_and_the_user_is_told(caplog):
    sheet = parse_sheet(LIBRARY.text("reversi"), file="reversi.kif")
    with caplog.at_level(logging.WARNING, logger="paidia"):
        game = load_game(sheet, "reversi", net_limits=NetLimits(gates=10))
    assert isinstance(game.initial_state(), InterpretedState)
    assert "interpreter" in caplog.text


ENDLESS = """
(role p) (init (pile z)) (<= (legal p go) (role p)) (<= terminal (true end)) (<= (goal p 0) (role p))
(<= (next (pile (s ?x))) (true (pile ?x))) (<= (next (pile ?x)) (true (pile ?x)))
(<= (pair ?a ?b ?c) (true (pile ?a)) (true (pile ?b)) (true (pile ?c)))
(<= (legal p (take ?a)) (pair ?a ?b ?c))
"""


def test_a_game_that_grows_for_ever_ends_with_an_error():
    game = interpreted(ENDLESS, limits=Limits(cells=20_000, terms=5000, work=1_000_000))
    state = game.initial_state()
    with pytest.raises(BadInput, match="too much time or memory"):
        for _ in range(200):
            state.play(state.legal(0)[0])


def test_a_first_position_that_is_too_large_is_an_error():
    text = "(role p) (<= (legal p go) (many ?x)) (<= (many (s ?x)) (many ?x)) (many z)"
    with pytest.raises(BadInput, match="too many facts"):
        interpreted(text, limits=Limits(cells=5000, terms=1000, work=100_000))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(role p) (<= (legal p ?m) (role p))", "positive condition"),
        ("(role p) (<= a (not b)) (<= b (not a))", "own denial"),
        ("(legal p m)", "no role"),
    ],
)
def test_wrong_rules_are_errors(text, message):
    with pytest.raises(RuleError, match=message):
        interpreted(text)


# ------------------------------------------------------------------------------------------------ a naive oracle


@settings(max_examples=150, deadline=None)
@given(programs())
def test_joins_find_what_the_naive_way_finds(program):
    text, top = program
    # Seen through `legal`: its rows are all rows of the top relation.
    sheet = parse_sheet(f"{text}\n(role r) (<= (legal r (row ?x ?y)) (p{top} ?x ?y))")
    order = [f"p{i}" for i in range(top + 1)]
    expected = {str(Function("row", atom.args)) for atom in naive(sheet, order) if atom.relation == f"p{top}"}
    try:
        state = load(sheet, "random").initial_state()
    except PaidiaError as error:
        pytest.fail(f"{error}\n{text}")
    assert set(legal_names(state, 0)) == expected
