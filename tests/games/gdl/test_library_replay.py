"""Recorded play of the reference sheets, told in the words of our sheets: every state has as many legal moves, the game ends when
it ended there, and the goals are the same.
"""

from __future__ import annotations

import gzip
import json

import pytest

from paidia.games import load
from paidia.games.gdl.net.kernel import legal_names

COLUMNS = {letter: str(number) for number, letter in enumerate("abcdefgh", 1)}


def star():
    """Names of the holes by row, and where they are: u and v grow down to the left and to the right."""
    rows = {
        "a": (0, 0, 1),
        "b": (1, 0, 2),
        "c": (4, -2, 7),
        "d": (4, -1, 6),
        "e": (4, 0, 5),
        "f": (5, 0, 6),
        "g": (6, 0, 7),
        "h": (4, 3, 2),
        "i": (4, 4, 1),
    }
    holes = {}
    for name, (u, v, n) in rows.items():
        for k in range(n):
            holes[f"{name}{k + 1}"] = f"(at {u - k + 2} {v + k + 2} {12 - (u - k + 2) - (v + k + 2)})"
    return holes


STAR = star()


def same(name, *args):
    return (name, *args)


def checkers(name, *args):
    if name == "noop":
        return (name,)
    kind = {"p": "man", "k": "king"}[args[0][1]]
    squares = [f"(sq {f} {r})" for f, r in zip(args[1::2], args[2::2], strict=True)]
    near = abs(int(args[2]) - int(args[4])) == 1
    return ({"move": "walk" if near else "jump", "doublejump": "jump2", "triplejump": "jump3"}[name], kind, *squares)


def chinook(name, *args):
    board, what = ("odd", name[3:]) if name.startswith("odd") else ("even", name[4:])
    if what == "noop":
        return "pass", {"odd": "dark", "even": "light"}[board]
    return ({"move": "walk", "jump": "jump"}[what], *args)


def pentago(name, *args):
    right, top = {"1": (3, 3), "2": (0, 3), "3": (0, 0), "4": (3, 0)}.get(args[0], (0, 0)) if args else (0, 0)
    if name == "place":
        return "place", f"(at {int(args[1]) + right} {int(args[2]) + top})"
    if name == "rotate":
        quarter = " ".join("high" if shift else "low" for shift in (right, top))
        return "twist", f"(quarter {quarter})", {"clockwise": "clockwise", "counterclockwise": "back"}[args[1]]
    return (name,)


def points(name, *args):
    """Coordinates as one term, letters of columns as numbers."""
    if not args:
        return (name,)
    numbers = [COLUMNS.get(arg, arg.lstrip("rc")) for arg in args]
    return {"select": "mark", "move": "place"}.get(name, name), f"(at {' '.join(numbers)})"


GAMES = {
    "battle": ("battle", same),
    "breakthrough": ("breakthrough", same),
    "checkers": ("checkers", checkers),
    "chinese-checkers-3": ("chineseCheckers3", lambda name, *args: (name, *(STAR[arg] for arg in args))),
    "chinese-checkers-4": ("chineseCheckers4", lambda name, *args: (name, *(STAR[arg] for arg in args))),
    "chinook": ("chinook", chinook),
    "connect4": ("connect4", same),
    "connect5": ("connect5", points),
    "eight-puzzle": ("eightPuzzle", lambda name, *args: ("slide", *args)),
    "knightthrough": ("knightThrough", same),
    "pentago": ("pentago", pentago),
    "quad": ("quad_7x7", points),
    "reversi": ("reversi", points),
    "sheep-and-wolf": ("sheepAndWolf", lambda name, *args: (name, *(arg.lstrip("c") for arg in args))),
    "skirmish": ("skirmish", same),
    "tic-tac-toe": ("ticTacToe", same),
    "tic-tac-toe-3d": ("tictactoe_3d_2player", points),
    "tron": ("tron_10x10", same),
    "ttcc4-2p": ("ttcc4_2player", lambda name, *args: (name.removesuffix("Move"), *args)),
    "ttcc4-3p": ("ttcc4", lambda name, *args: (name.removesuffix("Move"), *args)),
}


def told(move, translate):
    words = translate(*move.strip("()").split())
    return f"({' '.join(words)})" if len(words) > 1 else words[0]


@pytest.mark.parametrize("id", sorted(GAMES))
def test_recorded_matches(reference, id):
    key, translate = GAMES[id]
    game = load(f"gdl:{id}")
    endings = 0
    with gzip.open(reference / "gdl" / "golden" / f"{key}.jsonl.gz", "rt", encoding="utf-8") as lines:
        records = [record for record in map(json.loads, lines) if record["type"] == "playout"]
    assert len(records) == 20
    for record in records:
        state = game.initial_state()
        for number, step in enumerate(record["steps"]):
            over = number + 1 == len(record["steps"]) and record["status"] == "terminal"
            assert state.terminal == over, (record["index"], number)
            if over:
                assert [round(100 * goal) for goal in state.goals] == record["goals"], record["index"]
                endings += 1
            if "move" not in step:
                break
            joint = []
            for role, move in enumerate(step["move"]):
                names = legal_names(state, role)
                assert len(names) == step["legal_n"][role], (record["index"], number, names)
                name = told(move, translate)
                assert name in names, (record["index"], number, move, name, names)
                joint.append(game.move_id(role, name) if state.mover in (None, role) else None)
            state.play(joint)
    assert endings == 20
