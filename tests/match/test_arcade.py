"""Arcade matches: same seed, same game; nothing that a player does takes the referee down; records replay."""

from __future__ import annotations

import gc
import time
from typing import Any

import msgspec
import pytest

from paidia.core.arcade import ArcadeGame, ArcadeState
from paidia.core.arcade_player import ArcadeDecision
from paidia.core.errors import BadInput
from paidia.games import load_arcade
from paidia.match.arcade import NO_CLOCKS, ArcadeClocks, ArcadeRecord, play_arcade, replay_arcade
from paidia.players.registry import make_arcade_player


class Still:
    """Does nothing, and remembers what it was told."""

    name = "still"
    answer: Any = ArcadeDecision("NIL", simulations=7)

    def begin(self, game: ArcadeGame, state: ArcadeState, *, seed: int, start_clock: float) -> None:
        self.ticks: list[int] = []
        self.start_clock = start_clock
        self.result: tuple[float, int] | None = None

    def act(self, state: ArcadeState) -> Any:
        self.ticks.append(state.tick)
        return self.answer

    def end(self, score: float, winner: int) -> None:
        self.result = (score, winner)


@pytest.mark.parametrize("name", ["petri", "ashfall", "vine", "museum"])
def test_the_same_seed_gives_the_same_game_and_the_record_replays(name: str) -> None:
    game = load_arcade(f"vgdl:{name}")
    first, again, other = (
        play_arcade(game, make_arcade_player("random"), seed=seed, clocks=NO_CLOCKS).record for seed in (5, 5, 6)
    )
    assert first == again and first.actions != other.actions
    state = replay_arcade(ArcadeRecord.from_json(first.to_json()), game)
    assert (state.score, state.winner, state.tick) == (first.score, first.winner, len(first.actions))


def test_a_player_is_asked_every_tick_and_told_the_end() -> None:
    player = Still()
    result = play_arcade(load_arcade("vgdl:ashfall"), player, seed=1, clocks=ArcadeClocks(start=2.0, tick=5.0))
    record = result.record
    assert player.ticks == list(range(len(record.actions)))
    assert player.result == (record.score, record.winner) and player.start_clock == 2.0
    assert set(record.simulations) == {7} and result.sims_per_second > 0 and record.overruns == 0


def test_a_player_cannot_change_or_foresee_the_game() -> None:
    class Meddler(Still):
        def act(self, state: ArcadeState) -> Any:
            for _ in range(20):
                state.advance("RIGHT")
            return super().act(state)

    game = load_arcade("vgdl:petri")
    calm, wild = (play_arcade(game, player, seed=2, clocks=NO_CLOCKS, max_ticks=80).record for player in (Still(), Meddler()))
    assert (calm.score, calm.actions) == (wild.score, wild.actions)

    class Prophet(Still):
        def act(self, state: ArcadeState) -> Any:
            for _ in range(12):
                state.advance("NIL")
            self.foreseen = getattr(self, "foreseen", state.seen())
            return ArcadeDecision("NIL")

    prophet, seen = Prophet(), []
    play_arcade(game, prophet, seed=2, clocks=NO_CLOCKS, max_ticks=12, watch=lambda state, _: seen.append(state.seen()))
    assert seen[11] != prophet.foreseen


def test_a_crash_loses() -> None:
    class Crash(Still):
        def act(self, state: ArcadeState) -> Any:
            if state.tick == 3:
                raise RuntimeError("no idea")
            return super().act(state)

    game = load_arcade("vgdl:ashfall")
    record = play_arcade(game, Crash(), clocks=NO_CLOCKS).record
    assert (record.winner, record.ending, record.message) == (0, "crash", "RuntimeError: no idea")
    assert len(record.actions) == 3
    assert replay_arcade(record, game).tick == 3


@pytest.mark.parametrize("answer", [None, "UP", ArcadeDecision("JUMP"), ArcadeDecision(17), ArcadeDecision("UP", simulations=-1)])
def test_an_answer_that_is_no_action_loses(answer: Any) -> None:
    player = Still()
    player.answer = answer
    record = play_arcade(load_arcade("vgdl:ashfall"), player, clocks=NO_CLOCKS).record
    assert (record.winner, record.ending, record.actions) == (0, "illegal action", [])


def test_an_action_that_the_avatar_does_not_have_is_nil() -> None:
    player = Still()
    player.answer = ArcadeDecision("UP")
    record = play_arcade(load_arcade("vgdl:lampoil"), player, clocks=NO_CLOCKS, max_ticks=10).record
    assert record.actions == ["NIL"] * 10 and (record.ending, record.winner) == ("tick limit", 0)


def test_overruns_are_counted() -> None:
    class Slow(Still):
        def act(self, state: ArcadeState) -> Any:
            if state.tick in (1, 4):
                time.sleep(0.4)
            return super().act(state)

    record = play_arcade(load_arcade("vgdl:ashfall"), Slow(), clocks=ArcadeClocks(start=5.0, tick=0.3), max_ticks=8).record
    assert record.overruns == 2 and len(record.actions) == 8


def test_disqualification() -> None:
    """With the law on: an answer after the clock is not played, one after a quarter more loses; without it both are played."""

    class Late(Still):
        answer = ArcadeDecision("LEFT")
        naps: dict[int, float]

        def act(self, state: ArcadeState) -> Any:
            time.sleep(self.naps.get(state.tick, 0.0))
            return super().act(state)

    game = load_arcade("vgdl:ashfall")
    player = Late()
    player.naps = {2: 0.45, 5: 0.65}
    strict, mild = (ArcadeClocks(start=5.0, tick=0.4, disqualify=law) for law in (True, False))
    record = play_arcade(game, player, clocks=strict, max_ticks=8).record
    assert record.actions == ["LEFT", "LEFT", "NIL", "LEFT", "LEFT"] and record.overruns == 2
    assert (record.ending, record.winner) == ("disqualified", 0) and "500 are too many" in record.message
    assert replay_arcade(ArcadeRecord.from_json(record.to_json()), game).tick == 5
    record = play_arcade(game, player, clocks=mild, max_ticks=8).record
    assert record.actions == ["LEFT"] * 8 and record.overruns == 1 and record.ending == "tick limit"
    assert (mild.thinking, strict.thinking) == (0.4, pytest.approx(0.38))


def test_a_slow_start_disqualifies() -> None:
    class Slow(Still):
        def begin(self, game: ArcadeGame, state: ArcadeState, *, seed: int, start_clock: float) -> None:
            super().begin(game, state, seed=seed, start_clock=start_clock)
            time.sleep(0.1)

    game = load_arcade("vgdl:ashfall")
    for law, ending in ((True, "disqualified"), (False, "tick limit")):
        clocks = ArcadeClocks(start=0.02, tick=5.0, disqualify=law)
        record = play_arcade(game, Slow(), clocks=clocks, max_ticks=3).record
        assert (record.ending, record.overruns) == (ending, 1)


def test_long_collections_wait_until_the_clock_has_stopped() -> None:
    class Looking(Still):
        def begin(self, game: ArcadeGame, state: ArcadeState, *, seed: int, start_clock: float) -> None:
            super().begin(game, state, seed=seed, start_clock=start_clock)
            self.frozen: list[int] = []
            self.answer = ArcadeDecision("NIL")

        def act(self, state: ArcadeState) -> Any:
            self.frozen.append(gc.get_freeze_count())
            if len(self.frozen) == 3:
                raise RuntimeError("enough")
            return self.answer

    game, before, player = load_arcade("vgdl:ashfall"), gc.get_freeze_count(), Looking()
    play_arcade(game, player, clocks=ArcadeClocks(start=2.0, tick=5.0))
    assert min(player.frozen) > 1000 and len(player.frozen) == 3  # all that was there, in every tick
    assert gc.get_freeze_count() == before == 0  # also after a crash
    play_arcade(game, player, clocks=NO_CLOCKS)
    assert player.frozen == [0, 0, 0]


def test_thoughts_are_shown_and_not_recorded() -> None:
    player, seen = Still(), []
    player.answer = ArcadeDecision("NIL", simulations=3, notes={"depth": 4})
    record = play_arcade(load_arcade("vgdl:ashfall"), player, clocks=NO_CLOCKS, max_ticks=5, thoughts=seen.append).record
    assert [decision.notes for decision in seen] == [{"depth": 4}] * 5
    assert b"depth" not in record.to_json()


def test_records_that_do_not_fit_are_refused() -> None:
    game = load_arcade("vgdl:vine")
    record = play_arcade(game, make_arcade_player("random"), clocks=NO_CLOCKS).record
    changes: list[tuple[dict[str, Any], str]] = [
        ({"score": record.score + 1}, "score"),
        ({"winner": 1 - record.winner}, "winner"),
        ({"actions": [*record.actions, "UP"]}, "the game ends after"),
        ({"actions": record.actions[:-1]}, "before the game is over"),
        ({"actions": ["JUMP"]}, "is no action"),
        ({"level": "3"}, "level 3"),
    ]
    for change, message in changes:
        with pytest.raises(BadInput, match=message):
            replay_arcade(msgspec.structs.replace(record, **change), game)
    for data in (b"{}", b"[]", record.to_json().replace(b'"format": 1', b'"format": 9')):
        with pytest.raises(BadInput):
            ArcadeRecord.from_json(data)


def test_only_players_of_video_games_are_made() -> None:
    with pytest.raises(BadInput, match=r"does not play video games; these do: .*random"):
        make_arcade_player("uct")
