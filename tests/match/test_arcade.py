"""Arcade matches: same seed, same game; nothing that a player does takes the referee down; records replay."""

from __future__ import annotations

import gc
import time
from typing import Any

import msgspec
import pytest

from paidia.core.arcade import ACTIONS, ArcadeGame, ArcadeState
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.core.player import Decision, Player
from paidia.games import load
from paidia.match.clocks import Clocks, tick_clocks
from paidia.match.record import MatchRecord, replay
from paidia.match.referee import play_match
from paidia.players.registry import make_player

NIL, UP, LEFT = (ACTIONS.index(name) for name in ("NIL", "UP", "LEFT"))


def clocks_of(*, start: float, tick: float, disqualify: bool = False) -> Clocks:
    return tick_clocks(Budget(seconds=tick), start=start, disqualify=disqualify)


def actions(record: MatchRecord) -> list[str | None]:
    return [action for (action,) in record.moves]


class Still(Player):
    """Does nothing, and remembers what it was told."""

    name = "still"
    answer: Any = Decision(NIL, simulations=7)

    def begin(self, game: ArcadeGame, role: int, *, state: ArcadeState, seed: int, budget: Budget | None) -> None:
        self.ticks: list[int] = []
        self.start = budget
        self.result: tuple[float | None, list[float]] | None = None

    def act(self, state: ArcadeState, *, step: int, budget: Budget | None) -> Any:
        assert step == state.tick
        self.ticks.append(step)
        return self.answer

    def end(self, goals: list[float], *, score: float | None = None) -> None:
        self.result = (score, goals)


@pytest.mark.parametrize("name", ["petri", "ashfall", "vine", "museum"])
def test_the_same_seed_gives_the_same_game_and_the_record_replays(name: str) -> None:
    game = load(f"vgdl:{name}")
    first, again, other = (play_match(game, [make_player("random")], seed=seed).record for seed in (5, 5, 6))
    assert first == again and first.moves != other.moves
    state = replay(MatchRecord.from_json(first.to_json()), game)
    assert (state.score, [state.winner], state.tick) == (first.score, first.goals, len(first.moves))


def test_a_player_is_asked_every_tick_and_told_the_end() -> None:
    player = Still()
    result = play_match(load("vgdl:ashfall"), [player], seed=1, clocks=clocks_of(start=2.0, tick=5.0))
    record = result.record
    assert player.ticks == list(range(len(record.moves)))
    assert player.result == (record.score, record.goals) and player.start == Budget(seconds=2.0)
    assert {n for (n,) in record.simulations} == {7} and result.sims_per_second[0] > 0 and record.overruns == [0]


def test_a_player_cannot_change_or_foresee_the_game() -> None:
    class Meddler(Still):
        def act(self, state: ArcadeState, *, step: int, budget: Budget | None) -> Any:
            decision = super().act(state, step=step, budget=budget)
            for _ in range(20):
                state.advance("RIGHT")
            return decision

    game = load("vgdl:petri")
    calm, wild = (play_match(game, [player], seed=2, max_steps=80).record for player in (Still(), Meddler()))
    assert (calm.score, calm.moves) == (wild.score, wild.moves)

    class Prophet(Still):
        def act(self, state: ArcadeState, *, step: int, budget: Budget | None) -> Any:
            for _ in range(12):
                state.advance("NIL")
            self.foreseen = getattr(self, "foreseen", state.seen())
            return Decision(NIL)

    prophet, seen = Prophet(), []
    play_match(game, [prophet], seed=2, max_steps=12, watch=lambda state, step, joint: seen.append(state.seen()))
    assert seen[11] != prophet.foreseen


def test_a_crash_loses() -> None:
    class Crash(Still):
        def act(self, state: ArcadeState, *, step: int, budget: Budget | None) -> Any:
            if state.tick == 3:
                raise RuntimeError("no idea")
            return super().act(state, step=step, budget=budget)

    game = load("vgdl:ashfall")
    record = play_match(game, [Crash()]).record
    assert (record.goals, record.ending, record.message) == ([0.0], "crash", "RuntimeError: no idea")
    assert len(record.moves) == 3 and record.fault == 0
    assert replay(record, game).tick == 3


@pytest.mark.parametrize(
    "answer", [None, "UP", Decision("JUMP"), Decision(17), Decision(-1), Decision(0.5), Decision(UP, simulations=-1)]
)
def test_an_answer_that_is_no_action_loses(answer: Any) -> None:
    player = Still()
    player.answer = answer
    record = play_match(load("vgdl:ashfall"), [player]).record
    assert (record.goals, record.ending, record.moves) == ([0.0], "illegal action", [])


def test_an_action_that_the_avatar_does_not_have_is_nil() -> None:
    player = Still()
    for player.answer in (Decision(UP), Decision(None)):
        record = play_match(load("vgdl:lampoil"), [player], max_steps=10).record
        assert actions(record) == ["NIL"] * 10 and (record.ending, record.goals) == ("tick limit", [0.0])


def test_overruns_are_counted() -> None:
    class Slow(Still):
        def act(self, state: ArcadeState, *, step: int, budget: Budget | None) -> Any:
            if state.tick in (1, 4):
                time.sleep(0.4)
            return super().act(state, step=step, budget=budget)

    record = play_match(load("vgdl:ashfall"), [Slow()], clocks=clocks_of(start=5.0, tick=0.3), max_steps=8).record
    assert record.overruns == [2] and len(record.moves) == 8


def test_disqualification() -> None:
    """With the law on: an answer after the clock is not played, one after a quarter more loses; without it both are played."""

    class Late(Still):
        answer = Decision(LEFT)
        naps: dict[int, float]

        def act(self, state: ArcadeState, *, step: int, budget: Budget | None) -> Any:
            time.sleep(self.naps.get(state.tick, 0.0))
            return super().act(state, step=step, budget=budget)

    game = load("vgdl:ashfall")
    player = Late()
    player.naps = {2: 0.45, 5: 0.65}
    strict, mild = (clocks_of(start=5.0, tick=0.4, disqualify=law) for law in (True, False))
    record = play_match(game, [player], clocks=strict, max_steps=8).record
    assert actions(record) == ["LEFT", "LEFT", "NIL", "LEFT", "LEFT"] and record.overruns == [2]
    assert (record.ending, record.goals) == ("disqualified", [0.0]) and "500 are too many" in record.message
    assert replay(MatchRecord.from_json(record.to_json()), game).tick == 5
    record = play_match(game, [player], clocks=mild, max_steps=8).record
    assert actions(record) == ["LEFT"] * 8 and record.overruns == [1] and record.ending == "tick limit"
    told = [clocks.move_budget(0) for clocks in (mild, strict)]
    assert [budget.seconds for budget in told if budget] == [0.4, pytest.approx(0.38)]


def test_a_slow_start_disqualifies() -> None:
    class Slow(Still):
        def begin(self, game: ArcadeGame, role: int, *, state: ArcadeState, seed: int, budget: Budget | None) -> None:
            super().begin(game, role, state=state, seed=seed, budget=budget)
            time.sleep(0.1)

    game = load("vgdl:ashfall")
    for law, ending in ((True, "disqualified"), (False, "tick limit")):
        clocks = clocks_of(start=0.02, tick=5.0, disqualify=law)
        record = play_match(game, [Slow()], clocks=clocks, max_steps=3).record
        assert (record.ending, record.overruns) == (ending, [1])


def test_long_collections_wait_until_the_clock_has_stopped() -> None:
    class Looking(Still):
        def begin(self, game: ArcadeGame, role: int, *, state: ArcadeState, seed: int, budget: Budget | None) -> None:
            super().begin(game, role, state=state, seed=seed, budget=budget)
            self.frozen: list[int] = []
            self.answer = Decision(NIL)

        def act(self, state: ArcadeState, *, step: int, budget: Budget | None) -> Any:
            self.frozen.append(gc.get_freeze_count())
            if len(self.frozen) == 3:
                raise RuntimeError("enough")
            return self.answer

    game, before, player = load("vgdl:ashfall"), gc.get_freeze_count(), Looking()
    play_match(game, [player], clocks=clocks_of(start=2.0, tick=5.0))
    assert min(player.frozen) > 1000 and len(player.frozen) == 3  # all that was there, in every tick
    assert gc.get_freeze_count() == before == 0  # also after a crash
    play_match(game, [player])
    assert player.frozen == [0, 0, 0]


def test_thoughts_are_shown_and_not_recorded() -> None:
    player, seen = Still(), []
    player.answer = Decision(NIL, simulations=3, notes={"depth": 4})
    game = load("vgdl:ashfall")
    record = play_match(game, [player], max_steps=5, thoughts=lambda role, decision: seen.append((role, decision.notes))).record
    assert seen == [(0, {"depth": 4})] * 5
    assert b"depth" not in record.to_json()


def test_records_that_do_not_fit_are_refused() -> None:
    game = load("vgdl:vine")
    record = play_match(game, [make_player("random")]).record
    assert record.score is not None
    changes: list[tuple[dict[str, Any], str]] = [
        ({"score": record.score + 1}, "score"),
        ({"goals": [1 - record.goals[0]]}, "goals"),
        ({"moves": [*record.moves, ["UP"]]}, "the game is over"),
        ({"moves": record.moves[:-1]}, "before the game is over"),
        ({"moves": [["JUMP"]]}, "no move called 'JUMP'"),
        ({"level": "3"}, "level 3"),
    ]
    for change, message in changes:
        with pytest.raises(BadInput, match=message):
            replay(msgspec.structs.replace(record, **change), game)
    for data in (b"{}", b"[]", record.to_json().replace(b'"format": 3', b'"format": 9')):
        with pytest.raises(BadInput):
            MatchRecord.from_json(data)


def test_who_cannot_play_a_game_is_told_before_the_match() -> None:
    with pytest.raises(BadInput, match=r"agent maastcts2 cannot play tic-tac-toe: knowledge is about sprites"):
        play_match(load("tic-tac-toe"), [make_player("maastcts2")] * 2, budget=Budget(simulations=1))
    assert play_match(load("vgdl:vine"), [make_player("uct")], budget=Budget(simulations=3), max_steps=2).record.agents == ["uct"]


def test_the_time_before_the_game_is_worth_25_ticks() -> None:
    game, player = load("vgdl:ashfall"), Still()
    play_match(game, [player], budget=Budget(simulations=3), max_steps=1)
    assert player.start == Budget(simulations=75)
    play_match(game, [player], budget=Budget(seconds=5.0), max_steps=1)
    assert player.start == Budget(seconds=1.0)
    play_match(game, [player], max_steps=1)
    assert player.start is None


OLD = b"""{
    "game": "vgdl:ashfall", "level": "0", "agent": "still", "seed": 3, "budget": "5 simulations",
    "actions": ["NIL", "LEFT"], "simulations": [5, 4], "score": %s, "winner": 0, "ending": "tick limit", "version": "0.1.0",
    "message": "", "overruns": 1, "trajectory": {"controller": "x"}, "format": 1
}"""


def test_a_record_of_format_1_is_read() -> None:
    player = Still()
    game = load("vgdl:ashfall")
    player.answer = Decision(NIL)
    score = play_match(game, [player], seed=3, max_steps=2).record.score
    record = MatchRecord.from_json(OLD % str(score).encode())
    assert (record.format, record.agents, record.moves, record.simulations) == (3, ["still"], [["NIL"], ["LEFT"]], [[5], [4]])
    assert (record.overruns, record.trajectories, record.fault) == ([1], [{"controller": "x"}], None)
    assert replay(record, game).tick == 2
    assert MatchRecord.from_json(record.to_json()) == record
