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
from paidia.games.vgdl.views.looks import COLOURS, looks_of

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
    main(["bench", "vgdl:petri", "--agent", "sample-mcts", "--seconds", "0.01", "--json"])
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["game"], row["world"], row["agent"]) == ("vgdl:petri", "vgdl", "sample-mcts")
    assert row["steps_per_s"] > row["playouts_per_s"] > 0 and row["copies_per_s"] > 0 and row["load_s"] > 0
    assert row["sims_per_tick"] > 0 and row["sims_per_s"] > 0


# ------------------------------------------------------------------------ games of a user's folder, and mistakes in them

CATS = """BasicGame square_size=10
    SpriteSet
        cat > RandomNPC color=PINK
        avatar > MovingAvatar color=DARKGREEN
        wall > Immovable
    InteractionSet
        avatar wall > stepBack
        cat avatar > killSprite scoreChange=-3
    LevelMapping
        c > cat
    TerminationSet
        SpriteCounter stype=cat limit=0 win=True
        Timeout limit=9 win=False
"""


@pytest.fixture
def cats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A registered folder with one game, won by the first step to the right, with a score of -3."""
    monkeypatch.setenv("PAIDIA_CONFIG", str(tmp_path / "config"))
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "cats.txt").write_text(CATS)
    (folder / "cats_lvl0.txt").write_text("wwww\nwAcw\nwwww\n")
    main(["games", "--add", str(folder)])
    return folder / "cats.txt"


def test_a_registered_game_has_its_colours_by_name_and_by_path(cats: Path, tmp_path: Path) -> None:
    for spec in ("vgdl:cats", str(cats)):
        game = load(spec)
        assert isinstance(game, VgdlGame)
        looks = {look.name: look.colour for look in looks_of(game) if look is not None}
        assert looks["cat"] == COLOURS["PINK"] and looks["avatar"] == COLOURS["DARKGREEN"]
        main(["play", spec, "--agents", "random", "--frames", str(tmp_path / "film.gif"), "--watch"])
        assert (tmp_path / "film.gif").stat().st_size > 100
        (tmp_path / "film.gif").unlink()


def test_a_win_without_points_is_reported_as_one(cats: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "won.json"
    for seed in range(20):
        capsys.readouterr()
        main(["play", "vgdl:cats", "--agents", "one-step", "--sims", "40", "--seed", str(seed), "--json", "--record", str(file)])
        told = json.loads(capsys.readouterr().out)
        if told["winner"] == 1:
            break
    assert told["winner"] == 1 and told["score"] == 1.0
    assert json.loads(file.read_text())["score"] == -3.0  # the record keeps what the rules count
    main(["play", "vgdl:cats", "--record", str(file)])
    assert "one-step won with score 1 after" in capsys.readouterr().out


def test_a_description_with_an_unknown_word_is_refused_or_read_as_the_framework_does(
    cats: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cats.write_text(CATS.replace("        cat avatar >", "        cat avatar > frighten\n        cat avatar >"))
    play = ["play", str(cats), "--agents", "random", "--json"]
    assert "unknown effect 'frighten'" in fails(play, capsys)
    main([*play, "--lenient"])
    said = capsys.readouterr()
    told = json.loads(said.out)
    assert "cats.txt:8" in said.err and "all below it are left out" in " ".join(said.err.split())
    assert told["ticks"] == 2001 and told["winner"] == 0  # no cat is caught and no termination was read
    cats.write_text(CATS)
    main([*play, "--lenient"])
    assert "remark" not in capsys.readouterr().err
    assert "--lenient is for video games" in fails(["play", "connect4", "--agents", "random,random", "--lenient"], capsys)


def test_a_match_of_two_is_played_told_and_shown_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "match.json"
    play = ["play", "vgdl2:furrows", "--agents", "uct,random", "--sims", "20", "--seed", "2"]
    main([*play, "--json", "--record", str(file)])
    told = json.loads(capsys.readouterr().out)
    assert len(told["score"]) == len(told["winner"]) == len(told["goals"]) == 2
    main(["play", "vgdl2:furrows", "--record", str(file)])
    assert f"{told['ticks']} ticks" in capsys.readouterr().out
    main(play)
    out = capsys.readouterr().out
    assert "uct" in out and "random" in out
    assert "has 2 roles (first, second)" in " ".join(fails([*play[:3], "uct"], capsys).split())
