"""Budgets are kept inside a simulation, too: games whose single step is slow are stopped between two steps."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from oracles.gdl_large import chess
from paidia.core.budget import Budget
from paidia.core.errors import OutOfTime
from paidia.core.game import Game
from paidia.core.machine.alarm import Alarm, check
from paidia.core.player import Decision
from paidia.core.python.python_arcade import PythonArcadeGame, PythonArcadeState
from paidia.core.python.python_game import PythonGame, PythonState
from paidia.games import load
from paidia.games.gdl.interpreter.interpreter import load as interpret
from paidia.games.gdl.language.rules import parse_sheet
from paidia.players.registry import make_player
from paidia.testing.stopwatch import Stopwatch

STEP = 0.05


class Slow(PythonState):
    """Two roles count to 400 in turn; every step takes a while."""

    def __init__(self, game: PythonGame) -> None:
        self.n = 0

    def to_move(self) -> int:
        return self.n % 2

    def legal_moves(self, role: int) -> list[int]:
        return [0, 1, 2] if role == self.n % 2 else []

    def apply(self, joint: Any) -> None:
        time.sleep(STEP)
        self.n += 1

    def is_terminal(self) -> bool:
        return self.n >= 400

    def goal_values(self) -> list[float]:
        return [0.5, 0.5]

    def assign(self, other: Any) -> None:
        self.n = other.n

    def hash_key(self) -> int:
        return self.n


class SlowGame(PythonGame):
    def __init__(self) -> None:
        super().__init__("slow", ("a", "b"), 3)

    def initial_state(self) -> Slow:
        return Slow(self)


class SlowTick(PythonArcadeState):
    def __init__(self, game: PythonArcadeGame) -> None:
        self.n = 0

    def action_names(self) -> list[str]:
        return ["LEFT", "RIGHT"]

    def tick_on(self, action: str) -> None:
        time.sleep(STEP)
        self.n += 1

    def outcome(self) -> bool | None:
        return None if self.n < 400 else True

    def points(self) -> float:
        return float(self.n)

    def ticks(self) -> int:
        return self.n

    def assign(self, other: Any) -> None:
        self.n = other.n

    def hash_key(self) -> int:
        return self.n

    def avatar_at(self) -> tuple[int, int, int] | None:
        return (0, 0, 0)


class SlowArcade(PythonArcadeGame):
    def __init__(self) -> None:
        super().__init__("slow arcade", ["avatar"], 3, 3)

    def initial_state(self) -> SlowTick:
        return SlowTick(self)


def decide(game: Any, agent: str, seconds: float) -> tuple[Decision, float]:
    player = make_player(agent)
    state = game.initial_state()
    player.begin(game, 0, state=state, seed=1, budget=None)
    watch = Stopwatch()
    decision = player.act(state.clone(), step=0, budget=Budget(seconds=seconds))
    return decision, watch.seconds


@pytest.mark.parametrize("agent", ["uct", "grave", "cadia-style", "ppafm", "p-ea"])
def test_a_slow_game_of_turns(agent: str) -> None:
    decision, took = decide(SlowGame(), agent, 0.3)
    assert took < 0.3 + 4 * STEP + 0.3  # one simulation alone would take 20 s
    assert decision.move in (0, 1, 2) and decision.simulations == 0


@pytest.mark.parametrize("agent", ["uct", "mcts-thesis", "olets", "rhea", "one-step"])
def test_a_slow_video_game(agent: str) -> None:
    _, took = decide(SlowArcade(), agent, 0.3)
    assert took < 0.3 + 4 * STEP + 0.5


def test_finished_simulations_count() -> None:
    class Short(Slow):
        def is_terminal(self) -> bool:
            return self.n >= 3

    class ShortGame(SlowGame):
        def initial_state(self) -> Slow:
            return Short(self)

    decision, took = decide(ShortGame(), "uct", 1.1)
    assert took < 1.5 and 2 <= decision.simulations <= 7
    assert decision.notes is not None and sum(row["visits"] for row in decision.notes["moves"]) == decision.simulations - 1


def test_an_interpreted_game_is_stopped_inside_a_position() -> None:
    game: Game = interpret(parse_sheet(chess()), "chess")
    decision, took = decide(game, "uct", 0.25)
    assert took < 0.6
    assert decision.move in game.initial_state().legal(0)
    state = game.initial_state()
    with Alarm() as alarm:
        alarm.ring()
        with pytest.raises(OutOfTime):
            state.play(state.legal(0)[0])
    again = game.initial_state()
    again.play(again.legal(0)[0])  # what was stopped leaves nothing behind
    assert len(again.legal(1)) == 12


@pytest.mark.parametrize("spec", ["connect4", "slow"])
def test_a_search_can_be_stopped_from_outside(spec: str) -> None:
    game = SlowGame() if spec == "slow" else load(spec)
    player = make_player("uct")
    state = game.initial_state()
    player.begin(game, 0, state=state, seed=1, budget=None)
    timer = threading.Timer(0.3, player.stop)
    timer.start()
    watch = Stopwatch()
    decision = player.act(state.clone(), step=0, budget=Budget(seconds=30.0))
    assert watch.seconds < 2.0 and decision.move is not None


def test_alarms() -> None:
    check()
    with Alarm(seconds=0.01):
        check()
        time.sleep(0.02)
        with pytest.raises(OutOfTime, match="too long"):
            check()
        with Alarm(seconds=10.0), pytest.raises(OutOfTime):
            check()
    with Alarm(cpu=0.01):
        time.sleep(0.02)
        check()  # sleeping costs no CPU time
        while time.thread_time_ns() % 1 == 0:
            try:
                check()
            except OutOfTime:
                break
    with Alarm() as alarm:
        other = threading.Thread(target=alarm.ring)
        other.start()
        other.join()
        with pytest.raises(OutOfTime, match="called off") as caught:
            check()
        assert caught.value.called_off
        with pytest.raises(RuntimeError):
            alarm.__enter__()
    check()
