"""`paidia play` with video games."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paidia.cli import arcade
from paidia.cli.arcade import terminal_frame
from paidia.cli.main import main
from paidia.games import load
from paidia.games.vgdl.engine.game import VgdlGame
from paidia.games.vgdl.views.looks import looks_of

PLAY = ["play", "vgdl:petri", "--agents", "random", "--seed", "4", "--level", "1"]


def fails(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    return capsys.readouterr().err


def test_json_has_what_scripts_depend_on(capsys: pytest.CaptureFixture[str]) -> None:
    main([*PLAY, "--json"])
    first = json.loads(capsys.readouterr().out)
    assert first["game"] == "vgdl:petri" and first["level"] == "1" and first["agents"] == ["random"] and first["seed"] == 4
    assert len(first["moves"]) == first["ticks"] and first["goals"] == [first["winner"]]
    assert isinstance(first["score"], float) and first["sims_per_second"] == [0.0]
    main([*PLAY, "--json", "--sims", "10"])
    again = json.loads(capsys.readouterr().out)
    assert again["moves"] == first["moves"] and again["score"] == first["score"]


def test_a_recorded_game_is_shown_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arcade, "RATE", 1e6)
    file = tmp_path / "game.json"
    main([*PLAY, "--record", str(file)])
    out = capsys.readouterr().out
    ticks = len(json.loads(file.read_text())["moves"])
    assert str(ticks) in out
    main(["play", "vgdl:petri", "--record", str(file)])  # the level is that of the record
    assert f"{ticks} ticks" in capsys.readouterr().out
    main([*PLAY, "--watch"])
    assert "score" in capsys.readouterr().out
    assert "level 1, not 0" in fails(["play", "vgdl:petri", "--record", str(file), "--level", "0"], capsys)
    assert "is not a match record" in fails(["play", "vgdl:petri", "--record", str(Path(__file__))], capsys)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["play", "vgdl:petri"], "who plays?"),
        (["play", "vgdl:petri", "--agents", "random,random"], "one agent, not 2"),
        (["play", "connect4", "--agents", "iw-1,random", "--sims", "5"], "it plays games of one role, and connect4 has 2"),
        (["play", "vgdl:petri", "--agents", "random", "--level", "9"], "there is no level 9"),
        (["play", "vgdl:petri", "--agents", "random", "--frames", "film.mp4"], "a .gif file"),
        (["play", "connect4", "--agents", "random,random", "--frames", "film.gif"], "draws video games"),
        (["play", "vgdl:petri", "--agents", "random", "--start-time", "-1"], "--start-time"),
    ],
)
def test_mistakes_are_told(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert message in " ".join(fails(arguments, capsys).split())


def test_the_terminal_shows_every_cell() -> None:
    game = load("vgdl:boilers")
    assert isinstance(game, VgdlGame)
    rows = terminal_frame(game.initial_state(), looks_of(game), letters=True).plain.split("\n")
    assert rows[0] == "w " * 8
    assert rows[2] == "w   ☻   ▣   f w "
    assert [len(row) for row in rows] == [16] * 5 + [0]


def test_bench_measures_video_games(capsys: pytest.CaptureFixture[str]) -> None:
    main(["bench", "vgdl:petri", "--agent", "random", "--seconds", "0.01", "--json"])
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["game"], row["world"], row["agent"]) == ("vgdl:petri", "vgdl", "random")
    assert row["steps_per_s"] > row["playouts_per_s"] > 0 and row["copies_per_s"] > 0 and row["load_s"] > 0
    assert row["sims_per_tick"] == row["sims_per_s"] == 0  # it does not simulate
