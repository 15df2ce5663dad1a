"""The kernel against full evaluation of the same net in plain Python, move for move; and against the contract."""

from __future__ import annotations

import random
from typing import Any

import pytest

from oracles.gdl_sheets import SHEETS, sheet_of
from paidia.core.errors import IllegalMove
from paidia.games.gdl.language.rules import RuleSheet, parse_sheet, read_sheet
from paidia.games.gdl.load import load_game
from paidia.games.gdl.net import effects
from paidia.games.gdl.net.ground import NetLimits, ground
from paidia.games.gdl.net.kernel import NetGame, legal_names
from paidia.games.gdl.net.machine import Machine
from paidia.games.gdl.net.net import Net, build_net
from paidia.testing import check_game

REFERENCE_GAMES = [
    "breakthrough",
    "knightThrough",
    "chinook",
    "chineseCheckers3",
    "checkers",
    "connect5",
    "quad_7x7",
    "sheepAndWolf",
    "ttcc4_2player",
    "ttcc4",
    "connect4",
    "pentago",
    "reversi",
    "tictactoe_3d_2player",
    "skirmish",
    "amazons_8x8",
    "zhadu",
    "cephalopodMicro",
    "battle",
    "linesOfAction",
]


def net_of(sheet: RuleSheet) -> Net:
    return build_net(sheet, ground(sheet, NetLimits()), NetLimits())


class Evaluator:
    """All gates, one after the other, every time."""

    def __init__(self, net: Net) -> None:
        self.net = net
        self.__dict__.update(net.export())
        self.nodes: list[tuple[str, Any]]
        self.first = [0]
        for moves in net.moves:
            self.first.append(self.first[-1] + len(moves))

    def values(self, fluents: list[bool], moves: list[int]) -> list[bool]:
        loops = {i: False for i, (kind, _) in enumerate(self.nodes) if kind == "loop"}
        while True:
            values: list[bool] = []
            for i, (kind, what) in enumerate(self.nodes):
                if kind == "base":
                    values.append(fluents[what])
                elif kind == "does":
                    values.append(what in moves)
                elif kind == "loop":
                    values.append(loops[i])
                else:
                    values.append(all(values[literal >> 1] != bool(literal & 1) for literal in what))
            better = {i: self.literal(self.nodes[i][1], values) for i in loops}
            if better == loops:
                return values
            loops = better

    @staticmethod
    def literal(literal: int, values: list[bool]) -> bool:
        return values[literal >> 1] != bool(literal & 1)


def follow(game: NetGame, net: Net, *, walks: int, steps: int) -> None:
    slow: Any = Evaluator(net)
    chance = random.Random(3)
    for _ in range(walks):
        state = game.initial_state()
        fluents = list(slow.initial)
        for _ in range(steps):
            shown = sorted([*net.constant, *(f for f, on in zip(net.fluents, fluents, strict=True) if on)])
            assert state.fluents() == shown
            values = slow.values(fluents, [])
            over = slow.literal(slow.terminal, values)
            for role, moves in enumerate(net.moves):
                legal = [move for i, move in enumerate(moves) if slow.literal(slow.legal[slow.first[role] + i], values)]
                assert sorted(legal_names(state, role)) == sorted(legal)
                over = over or not legal
            assert state.terminal == over
            for role in range(game.n_roles):
                true = [goal for who, goal, literal in slow.goals if who == role and slow.literal(literal, values)]
                assert state.goals[role] == pytest.approx(sum(true) / len(true) if true else 0)
            if over:
                break
            names = [chance.choice(legal_names(state, role)) for role in range(game.n_roles)]
            joint = [slow.first[role] + net.moves[role].index(name) for role, name in enumerate(names)]
            values = slow.values(fluents, joint)
            fluents = [slow.literal(literal, values) for literal in slow.next]
            state.play([game.move_id(role, name) if state.mover in (None, role) else None for role, name in enumerate(names)])


@pytest.mark.parametrize("name", SHEETS)
def test_small_sheets_play_as_their_net(name: str) -> None:
    sheet = sheet_of(name)
    follow(NetGame(name, Machine(net_of(sheet))), net_of(sheet), walks=20, steps=15)


@pytest.mark.parametrize("name", REFERENCE_GAMES)
def test_reference_sheets_play_as_their_net(name: str, reference: Any) -> None:
    [path] = (reference / "gdl" / "base" / name).glob("*.kif")
    sheet = read_sheet(path)
    follow(NetGame(name, Machine(net_of(sheet))), net_of(sheet), walks=1, steps=14)


@pytest.mark.parametrize("name", SHEETS)
def test_play_without_kept_effects_is_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effects, "MOST_BYTES", 0)
    sheet = sheet_of(name)
    game = NetGame(name, Machine(net_of(sheet)))
    follow(game, net_of(sheet), walks=10, steps=15)
    assert game.table.n_made == 0


@pytest.mark.parametrize("name", ["checkers", "ttcc4", "chinook"])
def test_reference_sheets_without_kept_effects(name: str, reference: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(effects, "MOST_BYTES", 0)
    [path] = (reference / "gdl" / "base" / name).glob("*.kif")
    sheet = read_sheet(path)
    follow(NetGame(name, Machine(net_of(sheet))), net_of(sheet), walks=1, steps=10)


@pytest.mark.parametrize("name", SHEETS)
def test_the_contract_holds(name: str) -> None:
    check_game(load_game(sheet_of(name), name), walks=10, playouts=2000)


@pytest.mark.parametrize("name", ["breakthroughSmall", "chinook", "ttcc4", "tron_10x10"])
def test_the_contract_holds_for_reference_sheets(name: str, reference: Any) -> None:
    [path] = (reference / "gdl" / "base" / name).glob("*.kif")
    check_game(load_game(read_sheet(path), name), walks=3, playouts=1000)


def test_the_waiting_role_is_told_from_the_mover() -> None:
    game = load_game(sheet_of("tic-tac-toe"), "t")
    state = game.initial_state()
    assert state.mover == 0 and len(state.legal(0)) == 9 and state.legal(1) == []
    assert legal_names(state, 1) == ["noop"]
    state.play(game.move_id(0, "(mark 2 2)"))
    assert state.mover == 1 and len(state.legal(1)) == 8
    assert game.move_id(1, "( MARK 1  1 )".replace("( ", "(").replace(" )", ")")) == game.move_id(1, "(mark 1 1)")
    with pytest.raises(IllegalMove):
        game.move_id(0, "(mark 4 4)")


def test_the_last_move_of_a_full_board_is_still_somebodys_turn() -> None:
    game = load_game(sheet_of("tic-tac-toe"), "t")
    state = game.initial_state()
    for move in ["1 1", "2 2", "3 3", "2 1", "2 3", "1 3", "3 1", "3 2"]:
        state.play(game.move_id(state.mover or 0, f"(mark {move})"))
    assert not state.terminal and state.mover == 0 and len(state.legal(0)) == 1


def test_roles_that_choose_at_once_have_no_mover() -> None:
    state = load_game(sheet_of("push"), "p").initial_state()
    assert state.mover is None
    assert [len(state.legal(role)) for role in (0, 1)] == [3, 2]


def test_without_a_legal_move_the_game_is_over() -> None:
    game = load_game(sheet_of("tower"), "t")
    state = game.initial_state()
    for name in ["(put (on ground))", "(put (on (up ground)))", "(put (on (up (up ground))))"]:
        state.play(game.move_id(0, name))
    assert state.terminal and state.goals == [0.75]


def test_names_keep_their_spelling_and_order_does_not_depend_on_the_rules() -> None:
    game = load_game(sheet_of("tic-tac-toe"), "t")
    assert game.roles == ("xPlayer", "oPlayer")
    text = sheet_of("tic-tac-toe")
    backwards = load_game(RuleSheet(text.rules[:2] + text.rules[:1:-1], text.file, text.spelling), "t")
    assert [game.move_name(0, m) for m in range(10)] == [backwards.move_name(0, m) for m in range(10)]


def test_moves_and_fluents_that_cannot_be_are_not_there() -> None:
    net = net_of(
        parse_sheet("""
        (role a) (init (p 1)) (init (q 1)) (succ 1 2)
        (<= (next (p ?y)) (true (p ?x)) (succ ?x ?y)) (<= (next (q ?x)) (true (q ?x)))
        (<= (legal a go) (true (q 1))) (<= (legal a fly) (true (q 2))) (<= (next (q 2)) (true (q 2)))
        (<= terminal (true (p 2)))
    """)
    )
    assert net.constant == ["(q 1)"] and net.fluents == ["(p 1)", "(p 2)"] and net.moves == [["go"]]
