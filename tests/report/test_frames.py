"""Pictures of video games."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from paidia.cli.main import main
from paidia.core.errors import BadInput
from paidia.games import load
from paidia.games.vgdl import WORLD
from paidia.games.vgdl.engine.game import VgdlGame, VgdlState
from paidia.games.vgdl.language.ontology import COLOURS as NAMES
from paidia.games.vgdl.views.looks import COLOURS, looks_of
from paidia.report.drawing.frames import CELL, GIF_TICK, Film, save_frame, svg_frame

PIL = pytest.importorskip("PIL.Image")


def state_of(name: str, level: str = "0") -> VgdlState:
    game = load(f"vgdl:{name}", level=level)
    assert isinstance(game, VgdlGame)
    return game.initial_state()


def test_every_colour_of_the_language_can_be_drawn() -> None:
    assert set(COLOURS) == NAMES


def test_a_png_shows_sprites_where_they_are(tmp_path: Path) -> None:
    state = state_of("boilers")
    save_frame(state, tmp_path / "a.png")
    with PIL.open(tmp_path / "a.png") as file:
        picture = file.copy()
    game = state.game
    assert picture.size == (CELL * game.width, CELL * game.height)

    def centre(column: int, row: int) -> tuple[int, int, int]:
        return picture.getpixel((CELL * column + CELL // 2, CELL * row + CELL - CELL // 3))

    looks = {look.name: look.colour for look in looks_of(game) if look}
    assert centre(0, 0) == looks["wall"]
    assert centre(4, 2) == looks["coal"]
    assert centre(6, 2) == looks["furnace"]
    assert centre(2, 2) == looks["avatar"]
    assert centre(3, 3) == looks["floor"]


@pytest.mark.parametrize("name", sorted(WORLD.ids()))
def test_every_game_has_an_svg(name: str) -> None:
    state = state_of(name)
    for _ in range(12):
        state.play("NIL")
    root = ElementTree.fromstring(svg_frame(state))
    assert root.get("width") == str(CELL * state.game.width)
    assert len(root) > len([1 for sprite in state.sprites() if sprite[5]]) * 0.9


def test_a_film_has_a_frame_for_every_tick(tmp_path: Path) -> None:
    state = state_of("comet")
    film, folder = Film(state.game, tmp_path / "film.gif"), Film(state.game, tmp_path / "film")
    for _ in range(5):
        for one in (film, folder):
            one.add(state)
        state.play("NIL")
    film.close()
    with PIL.open(tmp_path / "film.gif") as picture:
        duration = 0
        for frame in range(picture.n_frames):  # frames that look the same are stored as one that lasts longer
            picture.seek(frame)
            duration += picture.info["duration"]
        assert duration == 5 * GIF_TICK and picture.n_frames >= 4
    assert sorted(file.name for file in (tmp_path / "film").iterdir()) == [f"000{i}.png" for i in range(5)]


def test_the_command_writes_frames(tmp_path: Path) -> None:
    file = tmp_path / "vine.gif"
    main(["play", "vgdl:vine", "--agents", "random", "--frames", str(file), "--json"])
    with PIL.open(file) as picture:
        assert picture.n_frames > 1


def test_what_cannot_be_written_is_told(tmp_path: Path) -> None:
    state = state_of("vine")
    with pytest.raises(BadInput, match=r"svg or \.png"):
        save_frame(state, tmp_path / "a.bmp")
    with pytest.raises(BadInput, match="cannot write"):
        save_frame(state, tmp_path / "none" / "a.png")
