"""A match record holds what its players did with their search parameters, the same on any number of processes."""

from __future__ import annotations

import multiprocessing
from typing import Any

import msgspec
import pytest

from oracles.small_games import CountdownGame
from paidia.control import CONTROLLERS
from paidia.control.trajectory import read_trajectory
from paidia.core.budget import Budget
from paidia.core.player import Decision, Player
from paidia.games import load
from paidia.match.record import MatchRecord
from paidia.match.referee import LARGEST_TRAJECTORY, play_match
from paidia.players.definition import AgentDefinition
from paidia.players.registry import load_agent, make_player
from paidia.players.search_player import SearchPlayer

KINDS = [kind for kind in CONTROLLERS if kind != "fixed"]
SIMS = 60
BUDGET = Budget(simulations=SIMS)


def tuned(kind: str) -> SearchPlayer:
    base = load_agent("p-base")
    control = {"kind": kind, "parameters": ["K", "ref", "C", "epsilon"]}
    if kind == "lsi":
        control |= {"samples": 400, "candidates": 20}  # through all its phases in a short match
    if kind == "portfolio":
        control = {"kind": kind, "members": [{"K": 0, "C": 0.7}, {"K": 250, "ref": 50, "C": 0.2}]}
    definition: AgentDefinition = msgspec.structs.replace(base, control=control)
    return SearchPlayer(kind, definition)


def a_match(kind: str) -> bytes:
    """A match with a tuner on both seats."""
    return play_match(load("tic-tac-toe"), [tuned(kind), tuned(kind)], seed=11, budget=BUDGET).record.to_json()


@pytest.fixture(scope="module")
def on_two_processes() -> dict[str, bytes]:
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        return dict(zip(KINDS, pool.map(a_match, KINDS, chunksize=1), strict=True))


@pytest.mark.parametrize("kind", KINDS)
def test_same_seed_and_simulations_give_the_same_trajectory_on_one_and_on_two_processes(
    kind: str, on_two_processes: dict[str, bytes]
) -> None:
    here = a_match(kind)
    assert here == a_match(kind) == on_two_processes[kind]
    record = MatchRecord.from_json(here)
    assert len(record.trajectories) == 2
    for seat, plain in enumerate(record.trajectories):
        assert plain is not None
        trajectory = read_trajectory(plain)
        for role in trajectory.roles:
            # Those who ponder search before the first move as well, and that counts to the first turn.
            searched = [sims[seat] for sims in record.simulations]
            searched[0] += SIMS
            assert [turn.simulations for turn in role.turns] == searched
            if kind != "state-rnd":
                assert all(sum(counts) == turn.simulations for turn in role.turns for counts in turn.samples)


def test_another_seed_gives_another_trajectory() -> None:
    players = [tuned("ntbea"), tuned("ntbea")]
    one, other = (play_match(load("tic-tac-toe"), players, seed=s, budget=BUDGET).record for s in (1, 2))
    assert one.trajectories != other.trajectories


def test_only_seats_that_change_parameters_have_a_trajectory_and_old_records_load() -> None:
    players = [make_player("uct"), tuned("nmc")]
    record = play_match(load("tic-tac-toe"), players, budget=BUDGET).record
    assert record.trajectories[0] is None and record.trajectories[1] is not None
    plain = play_match(load("tic-tac-toe"), [players[0], make_player("random")], budget=BUDGET).record
    assert plain.trajectories == []
    old = msgspec.to_builtins(plain)
    del old["trajectories"]
    assert MatchRecord.from_json(msgspec.json.encode(old)) == plain


class Teller(Player):
    """A player that tells anything."""

    name = "teller"

    def __init__(self, tale: Any) -> None:
        self.tale = tale

    def act(self, state: Any, *, step: int, budget: Budget | None) -> Any:
        legal = state.legal(0)
        return Decision(legal[0] if legal else None)

    def trajectory(self, *, most_used: int = 20) -> Any:
        return self.tale() if callable(self.tale) else self.tale


def crash() -> None:
    raise SystemExit(3)


@pytest.mark.parametrize("tale", [crash, object(), [1, 2], "text", {"a": "x" * LARGEST_TRAJECTORY}, {1: {2}, "b": object()}])
def test_a_bad_tale_is_left_out_and_the_match_stands(tale: Any) -> None:
    record = play_match(CountdownGame(1), [Teller(tale)]).record
    assert (record.ending, record.trajectories) == ("terminal", [])


def test_a_video_game_records_its_players_trajectory() -> None:
    told = {"controller": "x", "parameters": [], "roles": []}
    game = load("vgdl:alchemist", level="0")
    record = play_match(game, [Teller(told)], max_steps=3).record
    assert record.trajectories == [told]
    assert MatchRecord.from_json(record.to_json()) == record
    old = msgspec.to_builtins(record)
    del old["trajectories"]
    assert MatchRecord.from_json(msgspec.json.encode(old)).trajectories == []
