"""The referee: nothing that a player does takes it down, and every fault is named."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from oracles.small_games import CountdownGame, DuelGame
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.core.game import Game, State
from paidia.core.player import Decision, Player
from paidia.games import load
from paidia.match import referee
from paidia.match.clocks import turn_clocks
from paidia.match.record import replay
from paidia.match.referee import play_match
from paidia.players.registry import make_player


class First(Player):
    """The first legal move."""

    name = "first"

    def begin(self, game: Game, role: int, *, state: State, seed: int, budget: Budget | None) -> None:
        self.role, self.seed, self.start = role, seed, budget
        self.steps: list[int] = []
        self.goals: list[float] | None = None

    def act(self, state: State, *, step: int, budget: Budget | None) -> Decision:
        self.steps.append(step)
        legal = state.legal(self.role)
        return Decision(legal[0] if legal else None, simulations=3)

    def end(self, goals: list[float], *, score: float | None = None) -> None:
        assert score is None
        self.goals = goals


def answers(make: Callable[[State, int], Any]) -> type[First]:
    class Answers(First):
        name = "answers"

        def act(self, state: State, *, step: int, budget: Budget | None) -> Decision:
            return make(state, self.role)

    return Answers


def raising(error: BaseException) -> Callable[..., Any]:
    def call(*arguments: Any, **options: Any) -> Any:
        raise error

    return call


# ---------------------------------------------------------------- a match without faults


def test_a_match_runs_from_begin_to_end() -> None:
    game = load("tic-tac-toe")
    players = [First(), First()]
    seen = []
    result = play_match(
        game, players, seed=5, clocks=turn_clocks(start=2.0),
        watch=lambda state, step, joint: seen.append((state.key, step, joint)),
    )  # fmt: skip
    record = result.record
    assert record.ending == "terminal" and record.fault is None
    assert [row[0] is None for row in record.moves] == [step % 2 == 1 for step in range(len(record.moves))]
    assert record.goals == [1.0, 0.0]
    assert result.simulations == [3 * len(record.moves)] * 2
    assert record.simulations == [[3, 3]] * len(record.moves)
    assert [step for _, step, _ in seen] == list(range(1, len(record.moves) + 1))
    assert seen[-1][0] == replay(record, game).key
    for player in players:
        assert player.steps == list(range(len(record.moves)))  # also asked where it is not its turn
        assert player.goals == record.goals
        assert player.start == Budget(seconds=2.0)
    assert players[0].seed != players[1].seed
    assert all(seconds > 0 for seconds in result.seconds)
    assert all(rate > 0 for rate in result.sims_per_second)


def test_players_get_copies_of_the_state() -> None:
    def meddle(state: State, role: int) -> Decision:
        legal = state.legal(role)
        if legal and state.mover is not None:
            move = legal[0]
            state.play(move)  # a player that tries its move on the state it was given
            return Decision(move)
        return Decision(None)

    meddled = play_match(load("tic-tac-toe"), [answers(meddle)(), First()]).record
    plain = play_match(load("tic-tac-toe"), [First(), First()]).record
    assert (meddled.moves, meddled.goals, meddled.ending) == (plain.moves, plain.goals, "terminal")


def test_all_roles_move_at_once_where_the_game_says_so() -> None:
    record = play_match(DuelGame(), [First(), First()]).record
    assert record.moves == [["0", "0"]] * 3
    assert record.goals == [0.5, 0.5]


@pytest.mark.parametrize("n", [0, 1, 3])
def test_the_number_of_players_must_fit(n: int) -> None:
    with pytest.raises(BadInput, match=f"needs 2 agents, not {n}"):
        play_match(load("tic-tac-toe"), [First() for _ in range(n)])


def test_a_negative_seed_is_refused() -> None:
    with pytest.raises(BadInput, match="seed"):
        play_match(load("tic-tac-toe"), [First(), First()], seed=-1)


# ---------------------------------------------------------------- faults


@pytest.mark.parametrize("role", [0, 1, 2])
@pytest.mark.parametrize("method", ["begin", "act"])
@pytest.mark.parametrize("error", [RuntimeError("oh"), SystemExit(3), AssertionError("no"), MemoryError()])
def test_a_crash_loses_the_match_for_who_crashed(method: str, role: int, error: BaseException) -> None:
    players = [First() for _ in range(3)]
    setattr(players[role], method, raising(error))
    result = play_match(CountdownGame(3), players)
    record = result.record
    assert (record.ending, record.fault) == ("crash", role)
    assert record.message == f"{type(error).__name__}: {error}"
    assert record.goals == [0.0 if r == role else 1.0 for r in range(3)]
    others = [player for r, player in enumerate(players) if r != role and hasattr(player, "goals")]
    assert all(player.goals == record.goals for player in others)
    assert replay(record, CountdownGame(3)) is not None


@pytest.mark.parametrize("error", [RuntimeError("oh"), SystemExit(3)])
def test_a_crash_after_the_match_changes_nothing(error: BaseException) -> None:
    players = [First(), First()]
    players[0].end = raising(error)  # type: ignore[method-assign]
    record = play_match(load("tic-tac-toe"), players).record
    assert (record.ending, record.fault, record.goals) == ("terminal", None, [1.0, 0.0])
    assert players[1].goals == [1.0, 0.0]


def test_a_crash_in_the_middle_keeps_the_moves_before_it() -> None:
    def late(state: State, role: int) -> Decision:
        legal = state.legal(role)
        if len(legal) == 5:
            raise ZeroDivisionError("late")
        return Decision(legal[0] if legal else None)

    record = play_match(load("tic-tac-toe"), [answers(late)(), First()]).record
    assert (len(record.moves), record.ending, record.fault) == (4, "crash", 0)
    assert record.message == "ZeroDivisionError: late"


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (Decision(9), "move 9 is not legal"),
        (Decision(-1), "move -1 is not legal"),
        (Decision(10**30), f"move {10**30} is not legal"),
        (Decision(None), "move None is not legal"),
        (Decision(0.0), "move 0.0 is not legal"),  # type: ignore[arg-type]
        (Decision("a1"), "move 'a1' is not legal"),  # type: ignore[arg-type]
        (Decision([0]), r"move \[0\] is not legal"),  # type: ignore[arg-type]
        (Decision(np.array([0, 1])), "is not legal"),  # type: ignore[arg-type]
        (Decision(np.nan), "move nan is not legal"),  # type: ignore[arg-type]
        (Decision(0, simulations="many"), "claims 'many' simulations"),  # type: ignore[arg-type]
        (Decision(0, simulations=-5), "claims -5 simulations"),
        (Decision(0, simulations=None), "claims None simulations"),  # type: ignore[arg-type]
        (None, "answered None instead of a Decision"),
        (0, "answered 0 instead of a Decision"),
        ("a1", "answered 'a1' instead of a Decision"),
        (Decision, "instead of a Decision"),
    ],
    ids=repr,
)
def test_an_answer_that_is_no_legal_move_loses_the_match(answer: Any, message: str) -> None:
    record = play_match(load("tic-tac-toe"), [answers(lambda state, role: answer)(), First()]).record
    assert (record.ending, record.fault, record.goals) == ("illegal move", 0, [0.0, 1.0])
    assert record.moves == []
    assert re.search(message, record.message)


@pytest.mark.parametrize("kind", [int, np.int64, np.int32])
def test_any_kind_of_whole_number_is_a_move(kind: type) -> None:
    player = answers(lambda state, role: Decision(kind(m[0]) if (m := state.legal(role)) else None))()
    assert play_match(load("tic-tac-toe"), [player, First()]).record.ending == "terminal"


def test_a_role_with_one_move_need_not_name_it() -> None:
    """As noop in GDL: None is enough, and the move is played."""

    class Single(CountdownGame):
        def initial_state(self) -> Any:
            state = super().initial_state()
            own = {"legal_moves": lambda self, role: [0] if role == self.turn else []}
            return type("One", (type(state),), own)(self)

    record = play_match(Single(2), [answers(lambda s, r: Decision(None))() for _ in range(2)]).record
    assert record.ending == "terminal"
    assert [row[step % 2] for step, row in enumerate(record.moves)] == ["0"] * 11


def test_a_role_that_does_not_act_must_not_move() -> None:
    record = play_match(load("tic-tac-toe"), [First(), answers(lambda state, role: Decision(0))()]).record
    assert (record.ending, record.fault) == ("illegal move", 1)


def test_ctrl_c_goes_through() -> None:
    player = First()
    player.act = raising(KeyboardInterrupt())  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        play_match(load("tic-tac-toe"), [player, First()])


# ---------------------------------------------------------------- clocks and limits


class Clock:
    """A clock that goes on only where a test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(referee, "time", clock)
    return clock


class Sleepy(First):
    """Takes its time: for the start, for its first move, and for all others."""

    def __init__(self, clock: Clock, before: float, first: float, later: float) -> None:
        self.clock, self.before, self.first, self.later = clock, before, first, later

    def begin(self, game: Game, role: int, *, state: State, seed: int, budget: Budget | None) -> None:
        super().begin(game, role, state=state, seed=seed, budget=budget)
        self.clock.now += self.before

    def act(self, state: State, *, step: int, budget: Budget | None) -> Decision:
        self.clock.now += self.later if step else self.first
        return super().act(state, step=step, budget=budget)


def test_overruns_are_counted_and_the_match_goes_on(clock: Clock) -> None:
    clocks = turn_clocks(Budget(seconds=1.0), start=5.0)
    result = play_match(load("tic-tac-toe"), [Sleepy(clock, 6.0, 2.0, 0.5), First()], clocks=clocks)
    later = len(result.record.moves) - 1
    assert result.record.overruns == [2, 0]  # the start clock and the first move
    assert result.record.ending == "terminal"
    assert result.slowest == [2.0, 0.0]  # the start clock is not thinking time of a move
    assert result.seconds == [2.0 + 0.5 * later, 0.0]
    assert result.sims_per_second == [3 * (later + 1) / result.seconds[0], 0.0]


def test_without_clocks_nobody_overruns(clock: Clock) -> None:
    players = [Sleepy(clock, 1e6, 1e6, 1e6), First()]
    assert play_match(load("tic-tac-toe"), players).record.overruns == [0, 0]


@pytest.mark.parametrize(("play", "took", "overruns"), [(0.1, 0.14, 0), (0.1, 0.16, 1), (10.0, 10.9, 0), (10.0, 11.1, 1)])
def test_a_little_too_long_is_forgiven(clock: Clock, play: float, took: float, overruns: int) -> None:
    """0.05 s, or a tenth of the clock."""
    result = play_match(load("tic-tac-toe"), [Sleepy(clock, 0, took, 0), First()], budget=Budget(seconds=play))
    assert result.record.overruns == [overruns, 0]


@pytest.mark.parametrize("limit", [0, 1, 3])
def test_a_match_that_lasts_too_long_is_stopped(limit: int) -> None:
    record = play_match(load("connect4"), [First(), First()], max_steps=limit).record
    assert (record.ending, len(record.moves), record.fault) == ("step limit", limit, None)
    assert record.goals == replay(record, load("connect4")).goals


def test_searching_players_report_their_simulations() -> None:
    players = [make_player("uct"), make_player("random")]
    result = play_match(load("connect4@4x4"), players, budget=Budget(simulations=30))
    assert all(row[0] in (0, 30) and row[1] == 0 for row in result.record.simulations)
    assert result.sims_per_second[0] > 0 == result.sims_per_second[1]
