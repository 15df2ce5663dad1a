"""Replays every recorded game below `tests/playthroughs` and compares all that was written down then.

One word at the start of a line says what it is:

    game ID             what to load, first line
    roles NAME ...      names of the roles
    legal N ...         number of legal moves of each role in this state
    goals G ...         goals of each role in this state
    | ...               a line of the drawing of this state
    play ROLE MOVE      the role's move, by name; the moves up to the next `legal` are played at once
    end                 the game is over here (`cut`: it is not, the record stops)

`tools/record_playthrough.py` writes such files.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from paidia.games import load

FILES = sorted((Path(__file__).parent / "playthroughs").glob("*.txt"))


def test_there_are_records():
    assert FILES


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_replay(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("game ")
    assert lines[-1] in ("end", "cut"), "the record is not complete"
    game = load(lines[0].split(" ", 1)[1])
    state = game.initial_state()
    joint: dict[int, int] = {}
    drawing: list[str] = []

    def close_drawing() -> None:
        if drawing:
            assert [f"| {line}".rstrip() for line in state.draw().splitlines()] == drawing, where
            drawing.clear()

    for number, line in enumerate(lines[1:], start=2):
        where = f"{path.name}:{number}"
        word, _, rest = line.partition(" ")
        if word == "|":
            drawing.append(line)
            continue
        close_drawing()
        match word:
            case "roles":
                assert list(game.roles) == rest.split(), where
            case "play":
                name, _, move = rest.partition(" ")
                role = game.roles.index(name)
                joint[role] = game.move_id(role, move)
            case "legal":
                if joint:
                    state.play([joint.get(role) for role in range(game.n_roles)])
                    joint.clear()
                counts = [len(state.legal(role)) for role in range(game.n_roles)]
                assert counts == [int(count) for count in rest.split()], where
            case "goals":
                assert state.goals == pytest.approx([float(goal) for goal in rest.split()], abs=1e-5), where
            case "end":
                assert state.terminal, where
            case "cut":
                assert not state.terminal, where
            case _:
                pytest.fail(f"{where}: what does {word!r} mean?")
