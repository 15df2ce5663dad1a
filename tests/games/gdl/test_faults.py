"""Faults of rule sheets: each ends in a stated way, before play or in it, and never in another game without a word."""

from __future__ import annotations

import logging
import random
import time
from pathlib import Path

import pytest

from paidia.cli.main import main
from paidia.core.errors import OutOfTime, PaidiaError, RuleError
from paidia.core.machine.alarm import Alarm
from paidia.games import load
from paidia.games.gdl import load as loading
from paidia.games.gdl.interpreter.interpreter import load as interpret
from paidia.games.gdl.language.check import check_text
from paidia.games.gdl.language.decompose import decompose
from paidia.games.gdl.language.rules import parse_sheet
from paidia.games.gdl.probe import probe

SOUND = """
(role a) (role b) (init (n 0)) (succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal ?r go) (role ?r)) (<= (legal a wait) (true (n 0)))
(<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))
(<= terminal (true (n 3))) (<= (goal ?r 100) (role ?r) (true (n 3))) (<= (goal ?r 50) (role ?r) (not (true (n 3))))
"""

ERRORS = {
    "no terminal": (SOUND.replace("(<= terminal (true (n 3)))", ""), "no rule for `terminal`"),
    "no goal rule": (SOUND.partition("(<= (goal")[0], "no rule for `goal`"),
    "own denial": (SOUND + "(<= (p) (true (n 0)) (not (q))) (<= (q) (true (n 0)) (not (p)))", "own denial"),
    "unbound": (SOUND + "(<= (next (m ?x)) (does a go))", "is bound by no condition"),
    "two arities": (SOUND + "(<= (next (m 1)) (succ 1))", "has 1 argument here and 2 in line"),
    "growing": (SOUND + "(m z) (<= (m (s ?x)) (m ?x)) (<= (next (k ?x)) (m ?x))", "is limited by nothing"),
    "goal 101": (SOUND + "(<= (goal a 101) (true (n 2)))", "a goal is a number from 0 to 100"),
}

REMARKS = {
    "misspelt": (SOUND.replace("(succ ?x ?y))", "(suc ?x ?y))"), "nothing defines `suc`; did you mean 'succ'?"),
    "harmless recursion": (
        SOUND + "(<= (far ?x ?y) (succ ?x ?y)) (<= (far ?x ?z) (far ?x ?y) (far ?y ?z)) (<= (next (m ?y)) (far 0 ?y))",
        "is limited by nothing",
    ),
    "stranger": (SOUND + "(<= (legal c go) (true (n 0)))", "`c` is no role"),
}

IN_PLAY = {
    "no legal move": (
        SOUND.replace("(<= (legal ?r go) (role ?r))", "(<= (legal a go) (role a)) (<= (legal b go) (not (true (n 2))))"),
        "role b has no legal move in a position that is not terminal; the game ends there",
        [0.5, 0.5],
    ),
    "two goals": (
        SOUND + "(<= (goal a 0) (true (n 3)))",
        "role a has several goals at the end (0, 100); their mean counts",
        [0.5, 1.0],
    ),
    "no goal": (
        SOUND.replace("(<= (goal ?r 100) (role ?r) (true (n 3)))", "(<= (goal a 100) (true (n 3)))"),
        "role b has no goal at the end; it counts as 0",
        [1.0, 0.0],
    ),
}


def sheet_file(folder: Path, text: str) -> Path:
    file = folder / "game.kif"
    file.write_text(text)
    return file


def plan_file(folder: Path) -> Path:
    file = folder / "plan.toml"
    file.write_text('games = ["game.kif"]\nagents = ["random"]\nopponents = [{ id = "random", name = "other" }]\nmatches = 2\n')
    return file


@pytest.mark.parametrize(("text", "message"), ERRORS.values(), ids=ERRORS)
def test_errors_refuse_with_their_place(text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = sheet_file(tmp_path, text)
    assert any(message in str(finding) for finding in check_text(text))
    with pytest.raises(RuleError, match=r"game\.kif:\d+:\d+: "):
        load(str(file))
    for command in (["play", str(file), "--agents", "random,random"], ["run", str(plan_file(tmp_path))]):
        with pytest.raises(SystemExit) as stopped:
            main(command)
        assert stopped.value.code == 2
        told = capsys.readouterr()
        assert message in " ".join((told.out + told.err).split()) and "Traceback" not in told.err


@pytest.mark.parametrize(("text", "message"), REMARKS.values(), ids=REMARKS)
def test_remarks_are_told_and_the_game_is_played(
    text: str, message: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, logger="paidia"):
        game = load(str(sheet_file(tmp_path, text)))
    assert message in caplog.text and game.n_roles == 2


@pytest.mark.parametrize(("text", "message", "goals"), IN_PLAY.values(), ids=IN_PLAY)
def test_what_only_play_shows(
    text: str, message: str, goals: list[float], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert not check_text(text)
    with caplog.at_level(logging.WARNING, logger="paidia"):
        net = load(str(sheet_file(tmp_path, text)))
    assert message in caplog.text
    for game in (net, interpret(parse_sheet(text), "game")):
        assert [finding.partition(" (after")[0] for finding in probe(game)] == [message]  # type: ignore[arg-type]
        state = game.initial_state()
        while not state.terminal:
            state.play([game.move_id(role, "go") if state.mover in (None, role) else None for role in range(2)])
        assert state.values == goals


def test_a_sound_sheet_has_no_findings(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, logger="paidia"):
        load(str(sheet_file(tmp_path, SOUND)))
    assert not caplog.text


# ------------------------------------------------------------------------------------------------ size and time


def conditions(number: int, shape: str) -> str:
    chance = random.Random(number)
    pairs = [(i, i + 1) for i in range(number)]
    if shape == "tangle":
        pairs = [(chance.randrange(number // 2), chance.randrange(number // 2)) for _ in range(number)]
    body = " ".join(f"(succ ?x{a} ?x{b})" for a, b in pairs)
    return f"{SOUND} (<= (long ?x{pairs[0][0]}) {body}) (<= (next (m ?x)) (long ?x))"


@pytest.mark.parametrize("shape", ["chain", "tangle"])
def test_a_rule_of_400_conditions_is_split_quickly(shape: str) -> None:
    sheet = parse_sheet(conditions(400, shape))
    with Alarm(cpu=5.0):
        assert len(decompose(sheet.flat)) > len(sheet.flat)


@pytest.mark.parametrize("shape", ["chain", "tangle"])
def test_a_rule_of_5000_conditions_has_a_limit(shape: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("TO_CHECK", "TO_BUILD", "TO_INTERPRET"):
        monkeypatch.setattr(loading, name, 1.0)
    began = time.thread_time()
    try:
        load(str(sheet_file(tmp_path, conditions(5000, shape))))
    except PaidiaError as error:
        assert "more than 1 s" in str(error) or "too many" in str(error) or "too large" in str(error).lower()
    assert time.thread_time() - began < 8.0


def test_a_relation_of_20000_arguments_is_refused(tmp_path: Path) -> None:
    wide = "(wide " + " ".join(f"a{i}" for i in range(20_000)) + ")"
    began = time.thread_time()
    with pytest.raises(RuleError, match=r"game\.kif:\d+:\d+: `wide` has 20,000 arguments"):
        load(str(sheet_file(tmp_path, f"{SOUND} {wide}")))
    ends = " ".join(f"(succ ?x{i} ?y{i})" for i in range(900))
    rule = f"(<= (wide {' '.join(f'?x{i}' for i in range(900))}) (wide {' '.join(f'?y{i}' for i in range(900))}) {ends})"
    with Alarm(cpu=10.0):
        check_text(SOUND + rule)
    assert time.thread_time() - began < 20.0


def test_loading_can_be_called_off() -> None:
    sheet = parse_sheet(SOUND)
    for alarm in (Alarm(), Alarm(seconds=1e-9)):
        if not alarm.rung:
            alarm.ring()
        with alarm, pytest.raises(OutOfTime):
            loading.load_game(sheet, "game")
    assert loading.load_game(sheet, "game").n_roles == 2
