"""States drawn for people."""

from __future__ import annotations

from oracles.gdl_sheets import sheet_of
from paidia.games.gdl.load import load_game
from paidia.games.gdl.pictures import draw_fluents


def test_cells_become_a_board() -> None:
    game = load_game(sheet_of("tic-tac-toe"), "t")
    state = game.initial_state()
    state.play(game.move_id(0, "(mark 1 3)"))
    assert str(state) == "3 x . .\n2 . . .\n1 . . .\n  1 2 3\noPlayer to move"


def test_rows_without_pieces_are_drawn_and_names_told_apart() -> None:
    facts = ["(at a 1 whiteKing)", "(at c 1 wolf)", "(at a 4 blackKing)", "(at d 4 black)", "(step 3)"]
    assert draw_fluents(facts) == (
        "4 blackKing         .         .     black\n"
        "3         .         .         .         .\n"
        "2         .         .         .         .\n"
        "1 whiteKing         .      wolf         .\n"
        "          a         b         c         d\n"
        "(step 3)"
    )


def test_other_facts_are_lines() -> None:
    facts = [f"(pile {'long' * 5} {n})" for n in range(9)]
    lines = draw_fluents(facts).splitlines()
    assert len(lines) == 3 and max(map(len, lines)) <= 100 and "  ".join(lines).split("  ") == facts
