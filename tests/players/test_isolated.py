"""Players in processes of their own: the same matches as here, and nothing they do costs more than their match."""

from __future__ import annotations

import gc
import os
import time
from pathlib import Path

import pytest

from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.core.player import Player
from paidia.games import load
from paidia.match.record import MatchRecord
from paidia.match.referee import play_match
from paidia.players.isolated import IsolatedPlayer
from paidia.players.registry import make_player

pytestmark = pytest.mark.skipif(os.name != "posix", reason="limits of processes are those of POSIX")

FILE = Path(__file__).with_name("hostile_players.py")
GAMES = ["tic-tac-toe", "vgdl:vine"]


def seats(game: str, first: Player) -> list[Player]:
    return [first, *(make_player("random") for _ in range(load(game).n_roles - 1))]


def play(game: str, first: Player, **options: object) -> MatchRecord:
    return play_match(load(game), seats(game, first), seed=3, max_steps=40, **options).record  # type: ignore[arg-type]


@pytest.mark.parametrize("game", ["tic-tac-toe", "gdl:connect4", "vgdl:vine"])
def test_an_agent_plays_the_same_match_there_as_here(game: str) -> None:
    budget = Budget(simulations=20)
    here = play(game, make_player("uct"), budget=budget)
    there = play(game, make_player("uct", settings={"isolated": True}), budget=budget)
    assert there == here and there.ending in ("terminal", "tick limit")


def test_a_game_of_chance_shows_the_same_views() -> None:
    rules = load("vgdl:vine")
    state = rules.initial_state()
    for step in range(30):
        image = state.image()
        assert image is not None
        other = rules.initial_state()
        other.take_image(image)
        assert other.image() == image and other.key == state.key
        twin = other.clone()
        for _ in range(5):
            twin.play([None])
            other.play([None])
        assert twin.image() == other.image()
        state.play([step % 3 + 1])


def test_images_that_are_none_are_refused() -> None:
    state = load("vgdl:vine").initial_state()
    image = state.image()
    assert image is not None
    for wrong in (b"", image[:-1], image + b"\0", b"\xff" * len(image)):
        with pytest.raises(BadInput, match="no image"):
            state.take_image(wrong)
    assert state.image() == image
    with pytest.raises(BadInput, match="no images"):
        load("tic-tac-toe").initial_state().take_image(b"")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("player", "message"),
    [
        ("Exits", "its process died (exit code 0)"),
        ("Hangs", "did not answer for 1 s and was ended"),
        ("Eats", "MemoryError"),
        ("Babbles", "cannot be read"),
        ("Segfaults", "its process died (SIGSEGV)"),
        ("Raises", "Own: \\x1b[2J"),
    ],
)
def test_what_happens_in_its_process_is_a_lost_match(game: str, player: str, message: str) -> None:
    settings = {"time_limit": 1.0 if player == "Hangs" else 20.0, "memory_limit": 2.0}
    record = play(game, make_player(f"{FILE}:{player}", settings=settings))
    assert (record.ending, record.fault, record.goals[0]) == ("crash", 0, 0.0)
    assert message in record.message


def test_a_player_of_a_file_plays_and_what_it_starts_ends_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = play("tic-tac-toe", make_player(f"{FILE}:First"))
    assert record.ending == "terminal" and [numbers[0] for numbers in record.simulations] == list(range(len(record.moves)))
    left = tmp_path / "left"
    monkeypatch.setenv("TRUST_LEAVES", str(left))
    assert "exit code 3" in play("tic-tac-toe", make_player(f"{FILE}:Leaves")).message
    time.sleep(5.0)
    assert not left.exists()


def test_a_move_that_is_none_and_a_death_after_the_match() -> None:
    record = play("tic-tac-toe", make_player(f"{FILE}:Lies"))
    assert (record.ending, record.fault) == ("illegal move", 0)
    record = play("tic-tac-toe", make_player(f"{FILE}:Tells"))
    assert (record.ending, record.trajectories) == ("terminal", [])


def test_who_cannot_start_is_refused_before_the_match() -> None:
    with pytest.raises(BadInput, match="did not answer for"):
        play("tic-tac-toe", make_player(f"{FILE}:HangsAtOnce", settings={"time_limit": 1.0}))
    with pytest.raises(BadInput, match=r"not_a_player is no subclass of paidia\.Player"):
        play("tic-tac-toe", make_player(f"{FILE}:not_a_player"))
    with pytest.raises(BadInput, match="cannot read the player file"):
        make_player("nowhere.py:First")
    with pytest.raises(BadInput, match="name of a class"):
        make_player(f"{FILE}:1st")
    with pytest.raises(BadInput, match="memory_limit"):
        make_player("uct", settings={"memory_limit": 0.0})


def test_a_process_ends_with_its_player() -> None:
    player = make_player("random", settings={"isolated": True})
    assert isinstance(player, IsolatedPlayer)
    play("tic-tac-toe", player)
    assert player._child is not None
    process = player._child._process
    assert process.poll() is None
    del player
    gc.collect()
    assert process.poll() is not None
