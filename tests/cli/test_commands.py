"""The command line as scripts see it: shapes of JSON, exit codes, one line for every mistake."""

from __future__ import annotations

import json
import pkgutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import paidia
from paidia.cli import commands
from paidia.cli.commands.signature import EXPECTED
from paidia.experiment.signature import suite
from paidia.games import load
from paidia.match.record import MatchRecord, replay

Run = Callable[..., tuple[int, str, str]]
COMMANDS = [module.name.rstrip("_") for module in pkgutil.iter_modules(commands.__path__)]
PLAY = ["play", "tic-tac-toe", "--agents", "uct,random", "--sims", "20"]


def process(*arguments: str) -> subprocess.CompletedProcess[str]:
    code = "import sys; from paidia.cli.main import main; main(sys.argv[1:])"
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


# ---------------------------------------------------------------- help


def test_the_commands_that_scripts_depend_on_are_there() -> None:
    assert {"play", "agents", "games", "perft", "signature", "bench", "run", "reproduce"} <= set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(run: Run, command: str) -> None:
    code, out, err = run(command, "--help")
    assert (code, err) == (0, "")
    assert f"paidia {command}" in out
    assert len(out.splitlines()) > 4


def test_the_whole_explains_itself(run: Run) -> None:
    code, out, err = run("--help")
    assert (code, err) == (0, "")
    assert all(command in out for command in COMMANDS)
    assert run("--version") == (0, f"{paidia.__version__}\n", "")


# ---------------------------------------------------------------- JSON


def document(result: tuple[int, str, str]) -> Any:
    """What was printed: one JSON document on stdout and nothing else."""
    code, out, _ = result
    assert code == 0
    return json.loads(out)


def test_play(run: Run) -> None:
    code, out, err = run(*PLAY, "--seed", "7", "--json")
    assert (code, err) == (0, "")
    match = json.loads(out)
    assert {"game", "agents", "seed", "moves", "goals", "sims_per_second"} <= set(match)
    assert (match["game"], match["agents"], match["seed"]) == ("tic-tac-toe", ["uct", "random"], 7)
    assert all(len(joint) == 2 for joint in match["moves"])
    assert len(match["goals"]) == len(match["sims_per_second"]) == 2
    assert match["sims_per_second"][0] > 0 == match["sims_per_second"][1]
    assert match["ending"] == "terminal"
    again = json.loads(run(*PLAY, "--seed", "7", "--json")[1])
    assert again["moves"] == match["moves"]


def test_play_without_json_shows_the_board_and_who_won(run: Run) -> None:
    code, out, err = run(*PLAY)
    assert code == 0
    assert "uct" in out and "goal" in out
    assert "move 1:" in err and "move 1:" not in out


def test_a_record_is_written_and_shown_again(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    match = document(run(*PLAY, "--record", str(file), "--json"))
    record = MatchRecord.from_json(file.read_bytes())
    assert record.moves == match["moves"] and record.goals == match["goals"]
    assert replay(record, load("tic-tac-toe")).terminal
    code, out, _ = run("play", "tic-tac-toe", "--record", str(file))
    assert code == 0
    assert f"{len(record.moves)}." in out and ("wins" in out or "a draw" in out)


def test_settings_reach_the_seat_they_are_for(run: Run) -> None:
    arguments = ["play", "tic-tac-toe", "--agents", "uct,uct", "--sims", "30", "--json"]
    plain = document(run(*arguments))["moves"]
    assert document(run(*arguments, "--set", "2:selection=grave", "--set", "1:C=0.4"))["moves"] != plain
    assert document(run(*arguments, "--set", "C=0.4"))["moves"] == plain  # what it is anyway
    assert document(run(*arguments, "--set", "1:reuse=false", "--set", "reuse=false"))["moves"] == plain


def test_time_per_move(run: Run) -> None:
    match = document(run("play", "tic-tac-toe", "--agents", "uct,random", "--time", "0.01", "--json"))
    assert match["ending"] == "terminal" and len(match["overruns"]) == 2


def test_agents(run: Run) -> None:
    agents = document(run("agents", "--json"))
    assert all(set(agent) == {"id", "world", "paper", "summary"} for agent in agents)
    ids = [agent["id"] for agent in agents]
    assert ids == sorted(set(ids))
    assert {
        "random", "uct", "ucb1-tuned", "mast", "nst", "rave", "grave", "hrave", "progressive-history", "ppa",
        "ppaf", "ppafm", "ppafm-learned",
    } <= set(ids)  # fmt: skip
    assert "grave" in run("agents")[1]


def test_games(run: Run) -> None:
    games = document(run("games", "--json"))
    assert all({"id", "world", "roles", "stochastic", "levels"} <= set(game) for game in games)
    boards = [game["id"] for game in games if game["world"] == "board"]
    assert {"connect4", "breakthrough", "tic-tac-toe", "go", "reversi"} <= set(boards)
    assert len(boards) == len(set(boards))
    assert "connect4" in run("games")[1]


def test_perft(run: Run) -> None:
    depths = document(run("perft", "tic-tac-toe", "3", "--json"))["depths"]
    assert [row["paths"] for row in depths] == [1, 9, 72, 504]
    assert [row["states"] for row in depths] == [1, 9, 72, 252]
    assert set(depths[0]) == {"depth", "paths", "states", "terminal_paths", "goal_sums"}


def test_bench(run: Run) -> None:
    rows = document(run("bench", "tic-tac-toe", "connect4", "--seconds", "0.01", "--json"))
    assert [row["game"] for row in rows] == ["tic-tac-toe", "connect4"]
    for row in rows:
        assert {
            "game", "world", "agent", "playouts_per_s", "steps_per_s", "copies_per_s", "sims_per_s", "load_s",
        } <= set(row)  # fmt: skip
        assert row["world"] == "board" and row["agent"] == "uct"
        assert row["steps_per_s"] > row["playouts_per_s"] > 0
        assert row["copies_per_s"] > 0 and row["sims_per_s"] > 0 and row["load_s"] >= 0


def test_the_signature_is_the_expected_one_in_a_process_of_its_own() -> None:
    done = process("signature", "--check")
    assert done.returncode == 0, f"behaviour has changed; if it was meant to, write tests/signature.json anew:\n{done.stdout}"
    first, *parts = done.stdout.splitlines()
    assert 0 < int(first) < 2**60
    assert [(name, int(number)) for name, number in map(str.split, parts)] == list(json.loads(EXPECTED.read_text()).items())


def test_what_the_signature_says(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    parts = json.loads(EXPECTED.read_text())
    monkeypatch.setattr(suite, "part", parts.__getitem__)
    told = document(run("signature", "--json"))
    assert set(told) == {"signature", "version", "parts"}
    assert told["parts"] == parts and set(parts) == {"board", "gdl", "vgdl", "arcade", "control", "experiment"}
    assert isinstance(told["signature"], int) and 0 < told["signature"] < 2**60
    assert told["version"] == paidia.__version__
    other = tmp_path / "expected.json"
    other.write_text('{"board": 1}')
    code, out, _ = run("signature", "--check", "--expected", other)
    assert code == 1
    assert "expected 1" in out and "expected nothing" in out
    other.write_text("[")
    code, _, err = run("signature", "--check", "--expected", other)
    assert code == 2 and "does not hold parts of a signature" in err


# ---------------------------------------------------------------- bad input


BROKEN = {
    "broken.toml": 'summary = "x"\n[search\n',
    "unknown.toml": 'sumary = "x"\n',
    "circle.toml": 'summary = "x"\nbase = "circle.toml"\n',
    "record.json": '{"game": 1}',
    "short.json": "",
}
HERE = "{here}"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "which game?"),
        (["tic-tac-toe"], "who plays"),
        (["tic-tac-to", "--agents", "uct,uct", "--sims", "5"], "did you mean 'tic-tac-toe'"),
        (["", "--agents", "uct,uct", "--sims", "5"], "unknown game ''"),
        (["connect4@1x1", "--agents", "uct,uct", "--sims", "5"], "boards from"),
        (["connect4@999x999", "--agents", "uct,uct", "--sims", "5"], "boards from"),
        (["connect4@8x", "--agents", "uct,uct", "--sims", "5"], "a board size is written"),
        (["tic-tac-toe", "--agents", "uctt,uct", "--sims", "5"], "did you mean 'uct'"),
        (["tic-tac-toe", "--agents", "uct", "--sims", "5"], "give that many agents, not 1"),
        (["tic-tac-toe", "--agents", "uct,uct,uct", "--sims", "5"], "give that many agents, not 3"),
        (["tic-tac-toe", "--agents", "", "--sims", "5"], "give that many agents"),
        (["tic-tac-toe", "--agents", "uct,uct"], "needs a budget"),
        (["tic-tac-toe", "--agents", "uct,uct", "--sims", "0"], "--sims must be above 0"),
        (["tic-tac-toe", "--agents", "uct,uct", "--sims", "-4"], "--sims must be above 0"),
        (["tic-tac-toe", "--agents", "uct,uct", "--sims", "9" * 20], "more than a search can count"),
        (["tic-tac-toe", "--agents", "uct,uct", "--sims", "many"], "--sims"),
        (["tic-tac-toe", "--agents", "uct,uct", "--time", "0"], "--time must be above 0"),
        (["tic-tac-toe", "--agents", "uct,uct", "--time", "nan"], "--time must be above 0"),
        (["tic-tac-toe", "--agents", "uct,uct", "--time", "inf"], "--time must be above 0"),
        (["tic-tac-toe", "--agents", "uct,uct", "--sims", "5", "--time", "1"], "either --sims or --time"),
        ([*PLAY[1:], "--start-time", "inf"], "--start-time"),
        ([*PLAY[1:], "--start-time", "-1"], "--start-time"),
        ([*PLAY[1:], "--start-time", "nan"], "--start-time"),
        ([*PLAY[1:], "--seed", "-1"], "seed must be 0 or larger"),
        ([*PLAY[1:], "--seed", "x"], "--seed"),
        ([*PLAY[1:], "--level", "3"], "has no levels"),
        ([*PLAY[1:], "--set", "3:C=1"], "number from 1 to 2"),
        ([*PLAY[1:], "--set", "0:C=1"], "number from 1 to 2"),
        ([*PLAY[1:], "--set", "x:C=1"], "number from 1 to 2"),
        ([*PLAY[1:], "--set", "C"], "KEY=VALUE"),
        ([*PLAY[1:], "--set", "epsilom=1"], "did you mean 'epsilon'"),
        ([*PLAY[1:], "--set", "C=abc"], "takes a number"),
        ([*PLAY[1:], "--set", "1:selection=grve"], "did you mean 'grave'"),
        ([*PLAY[1:], "--set", "1:selection.tie=first"], "did you mean 'ties'"),
        ([*PLAY[1:], "--set", "1:max_depth=0"], "max_depth"),
        ([*PLAY[1:], "--set", "1:keep_steps=99999999999"], "keep_steps"),
        ([*PLAY[1:], "--record", f"{HERE}/no/such/folder.json"], "cannot write"),
        ([*PLAY[1:], "--record", HERE], "cannot write"),
        (["tic-tac-toe", "--record", f"{HERE}/missing.json"], "cannot read"),
        (["tic-tac-toe", "--record", f"{HERE}/record.json"], "not a match record"),
        (["tic-tac-toe", "--record", f"{HERE}/short.json"], "not a match record"),
        (["tic-tac-toe", "--agents", f"{HERE}/broken.toml,uct", "--sims", "5"], ".toml: not valid TOML"),
        (["tic-tac-toe", "--agents", f"{HERE}/unknown.toml,uct", "--sims", "5"], "did you mean 'summary'"),
        (["tic-tac-toe", "--agents", f"{HERE}/circle.toml,uct", "--sims", "5"], "in a circle"),
        (["tic-tac-toe", "--agents", f"{HERE}/missing.toml,uct", "--sims", "5"], "cannot read the agent"),
        ([*PLAY[1:], "--nonsense"], "--nonsense"),
        ([*PLAY[1:], "one-more"], "one-more"),
    ],
    ids=lambda value: " ".join(value[-3:]) if isinstance(value, list) else "",
)
def test_a_mistake_is_one_line_and_exit_2(run: Run, tmp_path: Path, arguments: list[str], complaint: str) -> None:
    for name, text in BROKEN.items():
        (tmp_path / name).write_text(text)
    code, out, err = run("play", *(argument.replace(HERE, str(tmp_path)) for argument in arguments), "--json")
    assert (code, out) == (2, "")
    assert err.startswith("paidia: ") and err.count("\n") == 1 and err.endswith("\n")
    assert complaint in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["plya"], 'Unknown command "plya"'),
        (["bench", "conect4"], "did you mean 'connect4'"),
        (["bench", "tic-tac-toe", "--agent", "uctt"], "did you mean 'uct'"),
        (["bench", "tic-tac-toe", "--seconds", "0"], "--seconds is from"),
        (["bench", "tic-tac-toe", "--seconds", "nan"], "--seconds is from"),
        (["perft", "tic-tac-toe", "-1"], "0 to 1000"),
        (["signature", "--jsn"], "--jsn"),
        (["games", "no-such-game"], "no game has"),
        (["agents", "--world", "x"], "--world"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_mistakes_in_other_commands(run: Run, arguments: list[str], complaint: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    lines = [line for line in err.splitlines() if line.startswith("paidia: ")]
    assert len(lines) == 1 and complaint in lines[0]
    assert "Traceback" not in err


def test_a_mistake_ends_a_process_with_2_too() -> None:
    done = process("play", "tic-tac-toe", "--agents", "uct,uct", "--sims", "0")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "paidia: --sims must be above 0, not 0\n")


def test_a_tampered_record_is_not_shown(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    run(*PLAY, "--record", str(file), "--json")
    match = json.loads(file.read_text())
    for change in (
        {"goals": [0.5, 0.2]},
        {"roles": ["x", "o", "z"]},
        {"moves": [["a1", None, None, "zz"]]},
        {"ending": "crash", "fault": 9},
    ):
        file.write_text(json.dumps({**match, **change}))
        code, out, err = run("play", "tic-tac-toe", "--record", str(file))
        assert (code, out) == (2, "")
        assert err.count("\n") == 1


def test_a_reader_that_has_gone_is_no_mistake() -> None:
    """As in `paidia games | head -1`."""
    code = "import sys; from paidia.cli.main import main; main(['games', '--json'])"
    done = subprocess.run(f"'{sys.executable}' -c \"{code}\" | head -1", shell=True, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    assert done.stdout == "[\n" and "Traceback" not in done.stderr


# ---------------------------------------------------------------- parameters


def test_play_writes_what_the_agents_did_with_their_parameters(run: Run, tmp_path: Path) -> None:
    tuned = ["play", "tic-tac-toe", "--agents", "ntbea-2,uct", "--sims", "20"]
    record, table, again = (str(tmp_path / name) for name in ("r.json", "p.csv", "again.csv"))
    assert run(*tuned, "--record", record, "--parameters", table, "--json")[0] == 0
    text = Path(table).read_text()
    assert text.startswith("seat,agent,role,turn,") and "1,ntbea-2,x,0,40,K,0," in text  # before the first move as well
    assert run("play", "tic-tac-toe", "--record", record, "--parameters", again)[0] == 0
    assert Path(again).read_text() == text
    code, _, err = run(*PLAY, "--parameters", table, "--json")
    assert (code, err.count("\n")) == (2, 1) and "no agent of this match changes" in err
    code, _, err = run(*tuned, "--parameters", str(tmp_path / "p.txt"), "--json")
    assert (code, err.count("\n")) == (2, 1) and ".csv" in err
    code, _, err = run(*tuned, "--parameters", str(tmp_path / "none" / "p.csv"), "--json")
    assert (code, err.count("\n")) == (2, 1) and "cannot write" in err
