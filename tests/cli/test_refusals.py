"""Agents that cannot play a game are refused before the first match, in every command, with cause and remedy and exit code 2."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

import paidia
from paidia.cli.main import main
from paidia.core.errors import BadInput, PaidiaError
from paidia.experiment.cells import Cell
from paidia.experiment.plan import load_plan
from paidia.experiment.play import play
from paidia.experiment.run.agents import playable_cells
from paidia.experiment.run.outcome import Outcome
from paidia.experiment.run.schedule import Job

SPRITES = "knowledge is about sprites"
ONE_ROLE = "it plays games of one role"


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one line that a command says before it exits with 2."""
    with pytest.raises(SystemExit) as stop:
        main(words)
    told = capsys.readouterr()
    assert stop.value.code == 2
    assert not told.out
    line = told.err.strip()
    assert line.startswith("paidia: ") and "\n" not in line
    return line


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        (("play", "tic-tac-toe", "--agents", "uct,maastcts2", "--sims", "5"), SPRITES),
        (("play", "tic-tac-toe", "--agents", "uct,iw-1", "--sims", "5"), ONE_ROLE),
        (("play", "gdl:coin-guess", "--agents", "uct", "--sims", "5"), "take pimc or random"),
        (("tree", "tic-tac-toe", "--agent", "maastcts2", "--sims", "5"), SPRITES),
        (("tree", "vgdl:vault", "--agent", "iw-1", "--sims", "5"), "builds no tree: take"),
        (("bench", "tic-tac-toe", "connect4", "--agent", "maastcts2"), SPRITES),
        (("bench", "tic-tac-toe", "--agent", "iw-1"), ONE_ROLE),
        (("bench", "tic-tac-toe", "--agent", "random"), "has no search to look into (random): take"),
        (("serve", "--agent", "maastcts2", "--port", "0"), "plays no rule sheets: it cannot play"),
    ],
)
def test_single_agents(capsys: pytest.CaptureFixture[str], words: tuple[str, ...], cause: str) -> None:
    assert cause in refused(capsys, *words)


def test_an_agent_for_one_role_serves() -> None:
    from paidia.connect.ggp.player import GgpPlayer

    assert GgpPlayer("iw-1").name == "paidia-iw-1"


PLAN = """
games = ["tic-tac-toe", "{game}"]
agents = [{{ id = "{agent}"{only} }}]
opponents = ["random"]
sims = 3
matches = 2
"""


def test_plans_are_looked_through_to_their_last_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first game of the agent is one that it can play: the second is found all the same, and no store is begun."""
    plan = tmp_path / "p.toml"
    plan.write_text(PLAN.format(game="gdl:coin-guess", agent="uct", only=""))
    line = refused(capsys, "run", str(plan), "--workers", "1")
    assert f"{plan}: agents: agent uct: needs to see everything, and gdl:coin-guess hides" in line
    assert "name the games that it plays in its entry" in line
    assert list(tmp_path.iterdir()) == [plan]
    with pytest.raises(PaidiaError, match="hides something"):
        paidia.run(plan, workers=1)
    plan.write_text(PLAN.format(game="gdl:coin-guess", agent="uct", only=', games = ["tic-tac-toe"]'))
    assert len(playable_cells(load_plan(plan))) == 1  # the remedy helps


def test_trees_of_a_plan(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = tmp_path / "p.toml"
    plan.write_text('games = ["tic-tac-toe"]\nagents = ["uct", "random"]\nsims = 3\nmatches = 1\n')
    assert "agent random builds no tree: take" in refused(capsys, "tree", str(plan), "--workers", "1")
    assert list(tmp_path.iterdir()) == [plan]


def test_tuning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = tmp_path / "t.toml"
    plan.write_text(
        'agent = "uct"\nopponent = "maastcts2"\ngames = ["vgdl:vault", "tic-tac-toe"]\nsims = 3\nevaluations = 2\nmatches = 1\n'
        '[space]\nparameters = ["C"]\n'
    )
    assert SPRITES in refused(capsys, "tune", str(plan), "--workers", "1")
    assert list(tmp_path.iterdir()) == [plan]


def test_a_table_of_a_paper(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "s1").mkdir()
    table = '[paper]\ntable = "s1-t1"\npaper = "s1"\ntitle = "t"\nsettings = "x"\nprinted = "printed.csv"\n'
    (tmp_path / "s1" / "t1.toml").write_text(PLAN.format(game="connect4", agent="maastcts2", only="") + table)
    (tmp_path / "s1" / "printed.csv").write_text("table,metric,game,agent,opponent,value,interval,runs\n")
    monkeypatch.chdir(tmp_path)
    assert SPRITES in refused(capsys, "reproduce", "s1-t1", "--papers", str(tmp_path), "--workers", "1")
    assert not list(tmp_path.glob("*.sqlite"))


@pytest.mark.parametrize(
    ("agent", "game", "cause"),
    [
        ("random", "tic-tac-toe", "has no search to look into"),
        ("maastcts2", "tic-tac-toe", SPRITES),
        ("pimc", "gdl:coin-guess", "would know too much"),
    ],
)
def test_searches_to_look_into(agent: str, game: str, cause: str) -> None:
    """The engine and `paidia.search`: never another search than the one that was asked for."""
    from paidia.connect.analysis import Query, _analyse

    asked = Query(id="a", game=game, agent=agent, sims=3)
    with pytest.raises(BadInput, match=cause):
        _analyse(asked, None)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match=cause):
        paidia.search(paidia.load(game).initial_state(), agent, sims=3)


#: An engine that says no to everything.
STUBBORN = """
import json, sys
for line in sys.stdin:
    told = json.loads(line)
    if told.get("action") == "quit":
        break
    print(json.dumps({"id": told.get("id"), "error": "I do not play this"}), flush=True)
"""


def test_engines_are_asked_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "stubborn.py").write_text(STUBBORN)
    command = f"{sys.executable} {tmp_path / 'stubborn.py'}"
    line = refused(capsys, "host", "tic-tac-toe", "--engine", command, "--engine", command)
    assert "cannot play gdl:tic-tac-toe: I do not play this" in line
    (tmp_path / "e.toml").write_text(
        'summary = "e"\nworld = "any"\nkind = "paidia.connect.engine_player:EnginePlayer"\n'
        f"[planner]\ncommand = {json.dumps(command)}\n"
    )
    line = refused(capsys, "play", "tic-tac-toe", "--agents", f"{tmp_path / 'e.toml'},random", "--sims", "3")
    assert "I do not play this" in line


class Workers:
    """Where every match ends as it is told to, game by game."""

    def __init__(self, endings: dict[str, str]) -> None:
        self.endings = endings

    def outcomes(self, cells: list[Cell], jobs: Iterator[Job], *, limit: float, retries: int) -> Iterator[Outcome | None]:
        for job in jobs:
            cell = cells[job.cell]
            row = play(cell, job.pair, job.seat)
            ending = {"ending": self.endings[cell.game], "message": "I am broken"}
            yield Outcome(job, msgspec.structs.replace(row, match={**row.match, **ending}))


@pytest.mark.parametrize("how", ["failed", "crash", "illegal move"])
@pytest.mark.parametrize("printed", [(), ("--json",)])
def test_a_plan_of_which_nothing_comes_fails(
    how: str, printed: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit code 1 if not one match came to a regular end, also when the same plan is run again; 0 if some did."""
    endings = {"tic-tac-toe": how, "connect4": "terminal"}
    monkeypatch.setattr("paidia.experiment.run.file.make_backend", lambda *_: (Workers(endings), 1))
    plan = tmp_path / "p.toml"
    text = 'games = ["tic-tac-toe"{more}]\nagents = ["random"]\nopponents = ["mast"]\nsims = 1\nmatches = 2\n'
    plan.write_text(text.format(more=""))
    words = ["run", str(plan), *printed]
    for _ in range(2):
        with pytest.raises(SystemExit) as stop:
            main(words)
        told = capsys.readouterr().err
        assert stop.value.code == 1
        assert "all matches failed" in told and f"came to a regular end: {how}: I am broken" in told
    plan.write_text(text.format(more=', "connect4"'))
    main(words)
    told = capsys.readouterr().err
    assert f"no match of tic-tac-toe: random - mast came to a regular end: {how}" in told and "all matches failed" not in told


@pytest.mark.parametrize("printed", [(), ("--json",)])
def test_a_trial_of_which_nothing_comes_fails(
    printed: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = tmp_path / "s.toml"
    text = 'summary = "s"\nopponents = ["random"]\nsims = 1\nrounds = 2\n[games]\ndevelopment = ["tic-tac-toe"{more}]\n'
    words = ["gauntlet", "mast", "--suite", str(suite), "--store", str(tmp_path / "g.sqlite"), *printed]
    endings = {"tic-tac-toe": "crash", "connect4": "terminal"}
    monkeypatch.setattr("paidia.cli.commands.gauntlet.make_backend", lambda *_: (Workers(endings), 1))
    suite.write_text(text.format(more=""))
    for _ in range(2):
        with pytest.raises(SystemExit) as stop:
            main(words)
        told = capsys.readouterr().err
        assert stop.value.code == 1 and "all matches failed" in told and "came to a regular end: crash: I am broken" in told
    suite.write_text(text.format(more=', "connect4"'))
    main(words)
    told = capsys.readouterr().err
    assert "came to a regular end: crash" in told and "all matches failed" not in told


def test_the_help_says_what_exit_codes_mean(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--help"])
    assert "Exit codes: 0 done" in capsys.readouterr().out


def test_a_path_that_cannot_be_one_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    name = "nowhere" * 60
    told = refused(capsys, "games", "--add", name)
    assert told.endswith("File name too long") and "nowhere" in told and len(told) < 200
    for words in (["run", f"{name}.toml"], ["report", f"{name}.sqlite"]):
        assert "nowhere" in refused(capsys, *words)
