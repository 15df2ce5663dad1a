"""What commands write, as it looks on a terminal of 80 and 120 columns, without colours, in ASCII, and in a pipe."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from paidia.cli.output import as_text
from pseudo_terminal import Terminal, on_terminal, shown_lines

PLAN = """
games = ["tic-tac-toe", "breakthrough@4x3"]
agents = [{ id = "random", name = "[/left] :ship: {b} a rather long name of an agent that goes on" }, { id = "uct", sims = 20 }]
opponents = [{ id = "random", name = "[bold]other[/bold]" }]
matches = 12
"""

ARCADE = """
games = [{ id = "vgdl:ferry", levels = [0] }, { id = "vgdl:museum", levels = [0] }]
agents = ["random", { id = "sample-mcts", sims = 5 }]
matches = 10
max_steps = 30
"""

TUNE = """
name = "[/x] {b} :ferry:"
agent = "uct"
opponent = "random"
games = ["tic-tac-toe"]
evaluations = 6
validation = 12
sims = 20
matches = 2
[space]
parameters = ["C"]
values = { C = [0.2, 0.4, 0.8] }
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files that the commands below read."""
    place = tmp_path_factory.mktemp("terminal")
    for name, text in (("plan.toml", PLAN), ("arcade.toml", ARCADE)):
        (place / name).write_text(text)
        code, _ = on_terminal("run", name, "--workers", 1, "--quiet", cwd=place)
        assert code == 0
    return place


COMMANDS: list[list[object]] = [
    ["--help"],
    ["play", "--help"],
    ["games"],
    ["agents"],
    ["reproduce"],
    ["play", "connect4", "--agents", "uct,random", "--sims", "30"],
    ["play", "tic-tac-toe", "--agents", "random,random", "--watch"],
    ["play", "vgdl:ferry", "--agents", "random", "--sims", "3"],
    ["play", "connect4", "--agents", "no-such-agent,uct"],
    ["perft", "tic-tac-toe", "4"],
    ["tree", "connect4", "--agent", "uct", "--sims", "50", "--turns", "3"],
    ["bench", "tic-tac-toe", "--seconds", "0.02"],
    ["run", "plan.toml", "--workers", "1"],
    ["run", "arcade.toml", "--workers", "1"],
    ["report", "plan.sqlite"],
    ["report", "arcade.sqlite"],
    ["report", "arcade.sqlite", "-o", "page"],
    ["check", "no-such-file.kif"],
    ["merge", "both.sqlite", "plan.sqlite"],
    ["export", "plan.sqlite", "matches.csv"],
]

#: A number that was broken over two lines leaves a cell that ends or begins in the middle of it.
BROKEN = re.compile(r"\([-+0-9.,]+( to)?\s*│|│\s*to [0-9]|│\s*[0-9.]+\)\s*│|[0-9][.,]\s*│")
WORDS = ("--help", "games", "agents", "reproduce")  # tables of words, in which a line may end with a number and a comma


CASES = [(command, columns) for command in COMMANDS for columns in (80, 120) if "-o" not in command or columns == 80]


@pytest.mark.parametrize(
    ("command", "columns"),
    CASES,
    ids=["-".join(map(str, [*command[:2], columns])).replace("/", "") for command, columns in CASES],
)
def test_nothing_is_broken(command: list[object], columns: int, folder: Path) -> None:
    code, terminal = on_terminal(*command, columns=columns, cwd=folder)
    text = "\n".join(terminal.lines)
    assert "Traceback" not in text, text
    assert code == (2 if "no-such" in " ".join(map(str, command)) else 0), text
    assert not [line for line in terminal.lines if cell_len(line) > columns], text
    assert command[0] in WORDS or not BROKEN.search(text), text
    for line in terminal.lines:  # a line that shows how far it is never shares its place with a result
        assert not re.search(r"move \d+: |\d+/\d+ \w.*[│┏]", line), line


@pytest.mark.parametrize("columns", [80, 120])
def test_names_are_text(columns: int, folder: Path) -> None:
    _, terminal = on_terminal("report", "plan.sqlite", columns=columns, cwd=folder)
    text = " ".join(" ".join(terminal.lines).replace("│", " ").split())
    assert "[/left]" in text and ":ship:" in text and "{b}" in text and "[bold]other" in text


def test_an_older_line_does_not_show_through() -> None:
    _, terminal = on_terminal("play", "breakthrough", "--agents", "random,random", "--sims", "5")
    board = [line for line in terminal.lines if re.fullmatch(r"\s*[0-9]( [.xowb])+", line)]
    assert len(board) >= 8  # each row of the last board stands alone on its line


def test_tuning_with_a_wild_name(tmp_path: Path) -> None:
    (tmp_path / "tune.toml").write_text(TUNE)
    code, terminal = on_terminal("tune", "tune.toml", "--workers", 1, cwd=tmp_path)
    assert code == 0, terminal.raw
    assert "[/x] {b} :ferry:" in "\n".join(terminal.lines)


def test_without_colour(folder: Path) -> None:
    _, terminal = on_terminal("report", "plan.sqlite", cwd=folder, NO_COLOR="1")
    assert not re.search(r"\x1b\[[0-9;]*(3[0-9]|4[0-9]|38;|48;)", terminal.raw)
    _, terminal = on_terminal("play", "vgdl:ferry", "--agents", "random", "--sims", "3", "--watch", NO_COLOR="1", TERM="dumb")
    assert "\x1b[" not in terminal.raw


@pytest.mark.parametrize(
    "command", [["agents"], ["play", "vgdl:ferry", "--agents", "random", "--sims", "2", "--watch"], ["reproduce"]]
)
def test_ascii(command: list[str]) -> None:
    env = {**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0"}
    done = subprocess.run([sys.executable, "-m", "paidia", *command], capture_output=True, env=env, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.isascii() and b"Traceback" not in done.stderr


def test_a_pipe_gets_whole_lines(folder: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "paidia", "agents"], capture_output=True, text=True, check=True, cwd=folder)
    rows = [line for line in done.stdout.splitlines() if line.startswith("│")]
    assert all(row.split("│")[1].strip() for row in rows)  # every line has an id: none was folded
    assert "\x1b" not in done.stdout


def test_a_reader_that_goes_away() -> None:
    command = f"{sys.executable} -m paidia agents | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stderr == ""


@given(st.text())
def test_no_control_characters_come_through(text: str) -> None:
    shown = as_text(text)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", shown)
    if text.isprintable():
        assert shown == text


def test_the_oracle_of_lines() -> None:
    assert shown_lines("abc\rx\x1b[K\nmove 1\r\x1b[Kdone\n\x1b[1mbold\x1b[0m") == ["x", "done", "bold"]


HUMAN = ["play", "tic-tac-toe", "--agents", "human,random", "--seed", "3"]


def test_a_person_plays_takes_back_and_resigns() -> None:
    terminal = Terminal(HUMAN)
    terminal.wait_for("your move")
    terminal.type("?\n")
    terminal.wait_for("1:")
    names = dict(re.findall(r"([0-9]+):(\S+)", "\n".join(terminal.lines)))
    terminal.type(f"{names['1'].upper()}\n")
    terminal.wait_for("2. ")  # the opponent's answer stays visible
    terminal.wait_for("resign): ")
    terminal.type("undo\n")
    terminal.wait_for("taken back to move 1")
    terminal.type("hint\n")
    terminal.wait_for("grave would play")
    terminal.type("5\n")
    terminal.wait_for("2. ")
    terminal.type("no such move\n")
    terminal.wait_for("is no move here")
    terminal.type("\x04")
    assert terminal.end() == 0
    text = "\n".join(terminal.lines)
    assert "(random) wins" in text and "Traceback" not in text and "ended early" not in text


def test_a_person_plays_a_video_game_by_keys(tmp_path: Path) -> None:
    terminal = Terminal(["play", "vgdl:ferry", "--agents", "human", "--time", "0.05", "--record", "game.json"], cwd=tmp_path)
    terminal.wait_for("tick 1 ")
    for key in ("\x1b[A", "\x1b[C", "w", " "):
        terminal.type(key)
        terminal.read(0.3)
    terminal.type("q")
    assert terminal.end() == 0
    text = "\n".join(terminal.lines)
    assert "human lost with score" in text and "Traceback" not in text
    moves = {joint[0] for joint in json.loads((tmp_path / "game.json").read_text())["moves"]}
    assert {"NIL", "UP"} <= moves


def test_keys_need_a_terminal() -> None:
    command = [sys.executable, "-m", "paidia", "play", "vgdl:ferry", "--agents", "human"]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    assert done.returncode == 2 and "in a terminal" in done.stderr
