"""Lanes against the scalar kernel, move for move; back ends against each other, bit for bit."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from oracles.gdl_sheets import SHEETS, sheet_of
from paidia.core.errors import BadInput
from paidia.games import load
from paidia.games.gdl.lanes.compile.build import build_program
from paidia.games.gdl.lanes.playouts import play_games, random_play
from paidia.games.gdl.lanes.portable import Op, random_state, random_words
from paidia.games.gdl.lanes.processor.engine import Engine, widths
from paidia.games.gdl.lanes.processor.native import compile_program, find_compiler
from paidia.games.gdl.lanes.program import LaneProgram
from paidia.games.gdl.lanes.replay import replay
from paidia.games.gdl.lanes.slow import run_routine
from paidia.games.gdl.lanes.trace import dealt, trace_block
from paidia.games.gdl.load import load_file, load_game
from paidia.games.gdl.net.kernel import NetGame

#: Games by turns and at once, of one, two and three roles, with passing, with overlapping goals, with relations in loops.
REFERENCE_GAMES = [
    "breakthrough",
    "chineseCheckers3",
    "chinook",
    "connect4",
    "checkers",
    "gt_prisoner",
    "linesOfAction",
    "reversi",
    "sheepAndWolf",
    "ttcc4",
    "tron_10x10",
]


def small(name: str) -> NetGame:
    game = load_game(sheet_of(name), name)
    assert isinstance(game, NetGame)
    return game


def reference_game(reference: Path, name: str) -> NetGame:
    [path] = (reference / "gdl" / "base" / name).glob("*.kif")
    game = load_file(path)
    assert isinstance(game, NetGame)
    return game


def replayed(game: NetGame, *, steps: int, seed: int = 5) -> tuple[int, int]:
    engine = Engine(build_program(game, trace=True), lanes=256)
    trace = trace_block(engine, seed=seed, steps=steps)
    games, moves, difference = replay(game.initial_state(), trace.moves, trace.over, trace.goals, trace.fluents)
    assert difference == ""
    return games, moves


@pytest.mark.parametrize("name", SHEETS)
def test_small_sheets_are_played_by_their_rules(name: str) -> None:
    games, moves = replayed(small(name), steps=40)
    assert games > 256 and games + moves == 256 * 40


@pytest.mark.parametrize("name", REFERENCE_GAMES)
def test_reference_sheets_are_played_by_their_rules(name: str, reference: Path) -> None:
    games, moves = replayed(reference_game(reference, name), steps=30 if name in ("linesOfAction", "checkers") else 70)
    assert games + moves >= 256 * 30


def slow_planes(program: LaneProgram, *, seed: int, steps: int, words: int) -> np.ndarray:
    """The fluents after some steps, by the slow interpreter."""
    planes = np.zeros((program.step.n_planes, words), np.uint32)
    planes[: program.n_fluents] = np.where(np.array(program.initial), np.uint32(0xFFFFFFFF), np.uint32(0))[:, None]
    state = random_state(seed, words)
    for _ in range(steps):
        for i in range(program.n_random):
            planes[program.n_fluents + i] = random_words(state)
        run_routine(program.step, planes)
    return planes[: program.n_fluents]


def fast_planes(engine: Engine, *, seed: int, steps: int, words: int) -> np.ndarray:
    program = engine.program
    found = []
    for block in range(math.ceil(words * 32 / engine.lanes)):
        state = dealt(random_state(seed, engine.lanes // 32, block * engine.lanes // 32), engine)
        planes = engine.block("step")
        planes[: program.n_fluents] = np.where(np.array(program.initial), np.uint64(2**64 - 1), np.uint64(0))[:, None]
        for _ in range(steps):
            engine.draw(state, planes, program.n_fluents, program.n_random)
            engine.run("step_0", planes)
            engine.run("step_1", planes)
        found.append(planes[: program.n_fluents].copy().view(np.uint32))
    return np.concatenate(found, axis=1)[:, :words]


@pytest.mark.parametrize("name", SHEETS)
def test_every_width_plays_what_the_slow_interpreter_plays(name: str) -> None:
    program = build_program(small(name))
    slow = slow_planes(program, seed=11, steps=25, words=32)
    for words, lanes in widths():
        assert (fast_planes(Engine(program, words=words, lanes=lanes), seed=11, steps=25, words=32) == slow).all(), (words, lanes)


@pytest.mark.skipif(find_compiler() is None, reason="no C compiler")
@pytest.mark.skipif("PAIDIA_SANITIZED" in os.environ, reason="a sanitizer needs more address space than the compiler may have")
@pytest.mark.parametrize("name", [name for name in SHEETS if name != "maze"])
def test_compiled_code_plays_the_same_games(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    program = build_program(small(name))
    assert compile_program(program, only_kept=True) is None
    native = compile_program(program, routines=("step", "goals", "leaf", "look", "play"))
    assert native is not None
    assert (
        fast_planes(Engine(program, native=native), seed=4, steps=25, words=16)
        == slow_planes(program, seed=4, steps=25, words=16)
    ).all()
    ours, theirs = (play_games(engine, 3000, seed=2, lanes=512) for engine in (Engine(program), Engine(program, native=native)))
    assert (ours.games, ours.steps, list(ours.goal_count)) == (theirs.games, theirs.steps, list(theirs.goal_count))
    assert compile_program(program, routines=("step", "goals", "leaf", "look", "play"), only_kept=True) is not None
    [kept] = (tmp_path / "paidia" / "lanes").iterdir()
    kept.chmod(0o666)  # what others may write to is not loaded
    assert compile_program(program, routines=("step", "goals", "leaf", "look", "play"), only_kept=True) is None


def test_the_tally_is_what_the_lanes_did() -> None:
    """Lengths, goals and legal moves of the first games of each lane, counted from the trace by the scalar kernel."""
    game = small("push")
    engine = Engine(build_program(game, trace=True), lanes=256)
    trace = trace_block(engine, seed=3, steps=60, block=1)
    quota = 5
    lengths, goals, legal, decisions = [], np.zeros(2), 0, 0
    for lane in range(256):
        begun = 0
        state = game.initial_state()
        for step in np.flatnonzero(trace.over[:, lane])[:quota]:
            lengths.append(step - begun)
            for at in range(begun, step):
                legal += len(state.legal(0)) + len(state.legal(1))
                decisions += 1
                state.play([int(move) for move in trace.moves[at, lane]])
            assert state.terminal
            goals += state.goals
            begun = step + 1
            state = game.initial_state()
    assert len(lengths) == 256 * quota
    tally = engine.play_block(3, 1, np.full(256, quota, np.int32))
    assert (tally.games, tally.steps, tally.cut) == (len(lengths), sum(lengths), 0)
    assert (tally.shortest, tally.longest) == (min(lengths), max(lengths))
    assert tally.square == sum(length**2 for length in lengths)
    assert (tally.legal, tally.decisions) == (legal, decisions)
    found = random_play(engine.program, tally)
    assert [role.mean * found.games for role in found.goals] == pytest.approx(list(goals))


@pytest.mark.parametrize("name", ["tic-tac-toe", "push", "tower"])
def test_short_games_are_not_favoured(name: str) -> None:
    """Length and goals have the scalar kernel's means, although short games end more often in a given time."""
    game = small(name)
    n = 20_000
    found = random_play(build_program(game), play_games(Engine(build_program(game)), n, seed=1, lanes=2048))
    start = game.initial_state()
    lengths, goals = [], []
    for seed in range(n):
        state = start.clone()
        lengths.append(state.random_playout(seed))
        goals.append(state.goals)
    error = math.hypot(np.std(lengths), found.length_deviation) / math.sqrt(n)
    assert abs(found.length - np.mean(lengths)) < 4.5 * error + 1e-9
    for role in range(game.n_roles):
        error = math.hypot(np.std(goals, axis=0)[role] / math.sqrt(n), found.goals[role].error)
        assert abs(found.goals[role].mean - np.mean(goals, axis=0)[role]) < 4.5 * error + 1e-9


def test_threads_and_widths_change_nothing() -> None:
    program = build_program(small("tic-tac-toe"))
    seen = set()
    for words, lanes in widths():
        for threads in (1, 2):
            tally = play_games(Engine(program, words=words, lanes=lanes), 5001, seed=8, threads=threads, lanes=1500)
            seen.add((tally.games, tally.steps, tuple(tally.goal_count), tally.longest, tally.legal))
    assert len(seen) == 1 and next(iter(seen))[0] == 5001


def test_a_game_that_does_not_end_is_stopped() -> None:
    engine = Engine(build_program(small("tic-tac-toe")), lanes=256)
    endless = Engine(build_program(load_game(_endless(), "endless")), lanes=256)
    tally = endless.play_block(1, 0, np.full(256, 2, np.int32), 500)
    assert (tally.games, tally.cut, tally.steps) == (0, 512, 0)
    assert engine.play_block(1, 0, np.full(256, 2, np.int32), 500).cut == 0


def _endless() -> Any:
    from paidia.games.gdl.language.rules import parse_sheet

    return parse_sheet(
        """
        (role walker) (init (at a)) (<= (legal walker (go ?x)) (place ?x)) (place a) (place b)
        (<= (next (at ?x)) (does walker (go ?x))) (<= (next (been c)) (true (been c)))
        (<= (next (been c)) (true (at d))) (<= (next (at d)) (true (at e))) (<= (next (at e)) (true (at f)))
        (<= (next (at f)) (does walker (go a)) (does walker (go b)) (true (at a)))
        (<= terminal (true (at ?x)) (true (at ?y)) (distinct ?x ?y)) (goal walker 50)
        """,
        file="endless.kif",
    )


def test_programs_are_saved_and_read(tmp_path: Path) -> None:
    program = build_program(small("push"))
    program.save(tmp_path / "push.npz")
    again = LaneProgram.load(tmp_path / "push.npz")
    assert again.digest == program.digest and again.fluents == program.fluents and again.moves == program.moves
    ours, theirs = (play_games(Engine(found), 1000, seed=2, lanes=256) for found in (program, again))
    assert (ours.steps, list(ours.goal_count)) == (theirs.steps, list(theirs.goal_count))


@pytest.mark.parametrize(
    ("row", "column", "value"), [(0, 0, 99), (0, 2, 10**6), (0, 2, -1), (3, 1, 0), (-1, 3, 10**6), (0, 0, int(Op.END))]
)
def test_a_broken_program_is_refused(row: int, column: int, value: int, tmp_path: Path) -> None:
    program = build_program(small("tic-tac-toe"))
    program.step.rows[row if row >= 0 else np.flatnonzero(program.step.rows[:, 0] == Op.OUT)[0], column] = value
    program.save(tmp_path / "broken.npz")
    with pytest.raises(BadInput, match="no lane program"):
        LaneProgram.load(tmp_path / "broken.npz")
    (tmp_path / "text.npz").write_text("hello")
    with pytest.raises(BadInput, match="no lane program"):
        LaneProgram.load(tmp_path / "text.npz")


def test_lanes_need_a_net() -> None:
    with pytest.raises(BadInput, match="propositional net"):
        build_program(load("connect4"))


def test_widths_that_are_not_there() -> None:
    with pytest.raises(BadInput, match="blocks of 77"):
        Engine(build_program(small("tic-tac-toe")), lanes=77)
