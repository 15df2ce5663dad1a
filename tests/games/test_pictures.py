"""Situations as pictures: one description, drawn in SVG and PNG, with spots for the moves."""

from __future__ import annotations

import os
import random
from pathlib import Path
from xml.etree import ElementTree

import pytest

from paidia.core.arcade import ArcadeGame
from paidia.core.picture import COLOURS, Scene, svg, text_scene
from paidia.games import catalogue, load
from paidia.games.gdl.pictures import read_game
from paidia.report.drawing.scenes import save_scene

_SHEETS = Path(os.environ.get("PAIDIA_REFERENCE", "nowhere")) / "gdl" / "base"  # set by conftest where it lies beside us
SHEETS = {path.parent.name: path for path in sorted(_SHEETS.glob("*/*.kif"))}

ALL = [info.id for info in catalogue() if info.world != "vgdl"] + ["vgdl:ferry", "vgdl:museum", "vgdl:chimney"]


def _middle(id: str) -> object:
    game = load(id)
    rng, state = random.Random(7), game.initial_state()
    for _ in range(6):
        if not state.terminal:
            legal = [state.legal(role) for role in range(game.n_roles)]
            state.play([rng.choice(moves) if moves else None for moves in legal])
    return state


def _check(scene: Scene) -> None:
    """Everything lies in the plane, has a known colour, and is drawn."""
    for piece in scene.pieces:
        assert piece.symbol in scene.symbols
        assert -piece.size <= piece.x <= scene.width and -piece.size <= piece.y <= scene.height
    for shape in [*scene.shapes, *scene.over, *(shape for drawn in scene.symbols.values() for shape in drawn)]:
        assert shape.fill or shape.stroke
        for colour in (shape.fill, shape.stroke):
            assert not colour or colour in COLOURS or (colour[0] == "#" and len(colour) == 7), colour
    for spot in scene.spots.values():
        assert spot.x >= 0 and spot.x + spot.width <= scene.width and spot.y >= 0 and spot.y + spot.height <= scene.height
    root = ElementTree.fromstring(svg(scene))
    assert root.tag.endswith("svg")


@pytest.mark.parametrize("id", ALL)
def test_every_game_has_a_picture(id: str) -> None:
    state = _middle(id)
    scene = state.picture()  # type: ignore[attr-defined]
    _check(scene)
    assert scene.caption


@pytest.mark.parametrize("id", [id for id in ALL if not id.startswith(("gdl:", "vgdl:", "vgdl2:"))])
def test_moves_of_boards_point_at_spots_that_exist(id: str) -> None:
    state = _middle(id)
    spots = state.picture().spots  # type: ignore[attr-defined]
    role = state.mover  # type: ignore[attr-defined]
    for move in state.legal(role):  # type: ignore[attr-defined]
        name = state.game.move_name(role, move)  # type: ignore[attr-defined]
        touched = state.touched(role, move)  # type: ignore[attr-defined]
        assert set(touched) <= set(spots) and (touched or name == "pass")


def test_pieces_stand_where_they_were_put() -> None:
    game = load("connect4")
    state = game.initial_state()
    for name in "ddc":
        state.play(game.move_id(state.mover, name))
    scene = state.picture()
    at = {(piece.symbol, round((piece.x - 20) / 40), 5 - round((piece.y - 10) / 40)) for piece in scene.pieces}
    assert at == {("0", 3, 0), ("1", 3, 1), ("0", 2, 0)}  # red d1, yellow d2, red c1


def test_text_in_a_picture_is_never_markup(tmp_path: Path) -> None:
    scene = text_scene("<script>alert(1)</script>", caption="<b>&")
    root = ElementTree.fromstring(svg(scene))
    assert [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")] == ["<script>alert(1)</script>", "<b>&"]


def test_png_and_svg_files(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    scene = load("hex@5").initial_state().picture()
    save_scene(scene, tmp_path / "hex.png")
    save_scene(scene, tmp_path / "hex.svg")
    with image.open(tmp_path / "hex.png") as picture:
        assert picture.size == (round(scene.width), round(scene.height))
        assert len(picture.getcolors(100_000)) > 10
    assert (tmp_path / "hex.svg").read_text().startswith("<svg")


#: Sheets that are told in cards: there is no board in them, or none that their shape gives away.
WITHOUT_A_BOARD = {
    "buttons", "firefighter", "gt_prisoner", "maze", "nim3", "roshambo2", "ruleDepthLinear", "stateSpaceSmall", "urmAdd", "zhadu",
    "blocksWorld", "hanoi",
}  # fmt: skip


@pytest.mark.skipif(not SHEETS, reason="no reference data: set PAIDIA_REFERENCE to its folder")
@pytest.mark.parametrize("name", SHEETS)
def test_reference_sheets_are_read(name: str) -> None:
    game = load(str(SHEETS[name]))
    state = game.initial_state()
    reader = read_game(state)
    _check(state.picture())
    assert (reader.grid is None) == (name in WITHOUT_A_BOARD)
    rng = random.Random(3)
    for _ in range(30):  # no fact is lost: each is in the picture or told in words
        fluents = state.fluents()
        reading = reader.read(fluents)
        empty = sum(
            reader.shapes[key].what(fact) in reader.empty
            for fact in map(_split, fluents)
            if (key := (fact[0], len(fact) - 1)) in reader.shapes and reader.shapes[key].content
        )
        shown = sum(map(len, reading.pieces.values())) - reader.point + len(reading.marks) + len(reading.walls)
        shown += len(reading.lines) + sum(len(tower) - 1 for tower in reading.towers) + len(reading.text)
        assert shown + empty == len(fluents)
        if state.terminal:
            break
        legal = [state.legal(role) for role in range(game.n_roles)]
        state.play([rng.choice(moves) if moves else None for moves in legal])


def _split(text: str) -> tuple[str, ...]:
    from paidia.games.gdl.reader import split_fact

    return split_fact(text)


@pytest.mark.skipif(not SHEETS, reason="no reference data: set PAIDIA_REFERENCE to its folder")
@pytest.mark.parametrize(
    ("sheet", "move", "spots"),
    [
        ("ticTacToe", "(mark 1 3)", ["1,3"]),
        ("breakthrough", "(move 6 2 6 3)", ["6,2", "6,3"]),
        ("connectFour", "(drop 5)", ["5,*"]),
        ("chess_200", "(move pawn c 2 c 4)", ["c,2", "c,4"]),
        ("chineseCheckers3", "(move b1 c3)", None),
        ("pentago", "(place 1 2 3)", None),
        ("sudokuGrade1", "(mark 3 1 1 1 2)", None),
    ],
)
def test_moves_of_sheets_point_at_spots(sheet: str, move: str, spots: list[str] | None) -> None:
    state = load(str(SHEETS[sheet])).initial_state()
    role = state.mover or 0
    touched = {state.game.move_name(role, id): state.touched(role, id) for id in state.legal(role)}
    known = state.picture().spots
    if spots is not None:
        assert touched[move] == spots
    for name, own in touched.items():
        assert own or name == "noop", name
        assert all(spot.endswith(",*") or spot in known for spot in own)


def test_a_video_game_draws_each_type_once() -> None:
    state = load("vgdl:ferry").initial_state()
    assert isinstance(state.game, ArcadeGame)
    scene = state.picture()
    assert len(scene.pieces) > len(scene.symbols) > 3
