"""Players that are not ours, named like agents: over the GGP protocol, as an engine, as a bot of OpenSpiel."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest

from paidia.connect.ggp.player import GgpPlayer
from paidia.connect.ggp.server import PlayerServer
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.games import load
from paidia.match.clocks import turn_clocks
from paidia.match.referee import play_match
from paidia.players.registry import load_agent, make_player

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def address() -> Iterator[str]:
    """A player of the protocol that answers at once."""
    with PlayerServer(GgpPlayer("random", margin=0.1), ("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join(5)


@pytest.mark.parametrize("id", ["gdl:tic-tac-toe", "gdl:tron"])
def test_a_ggp_player_sits_at_our_table(address: str, id: str) -> None:
    """In turn and at the same time; it is told every joint move, or it would answer with what is not legal."""
    game = load(id)
    seats = [make_player("random"), make_player(f"ggp:{address}")]
    result = play_match(game, seats, seed=1, clocks=turn_clocks(Budget(seconds=5.0)))
    assert result.record.ending == "terminal" and result.record.agents[1] == f"ggp:{address}"


def test_a_ggp_player_that_is_not_there_loses_and_says_why() -> None:
    game = load("gdl:tic-tac-toe")
    result = play_match(game, [make_player("random"), make_player("ggp:127.0.0.1:9")], clocks=turn_clocks(Budget(seconds=1.0)))
    assert result.record.fault == 1 and "cannot be reached" in result.record.message


@pytest.mark.parametrize(
    ("game", "budget", "reason"),
    [
        ("gdl:tic-tac-toe", Budget(simulations=10), "needs a clock"),
        ("connect4", Budget(seconds=1.0), "no rule sheet"),
    ],
)
def test_what_a_ggp_player_cannot_play(game: str, budget: Budget, reason: str) -> None:
    assert reason in (make_player("ggp:127.0.0.1:9").cannot_play(load(game), budget) or "")


def test_an_engine_is_named_by_its_command() -> None:
    agent = load_agent("engine:paidia engine")
    assert agent.kind == "paidia.connect.engine_player:EnginePlayer" and agent.planner == {"command": "paidia engine"}


@pytest.mark.parametrize("bot", ["uniform_random", "mcts"])
def test_a_bot_of_openspiel_sits_at_our_table(bot: str) -> None:
    pytest.importorskip("pyspiel")
    result = play_match(load("tic-tac-toe"), [make_player("uct"), make_player(f"bot:{bot}")], budget=Budget(simulations=10))
    assert result.record.ending == "terminal"


@pytest.mark.parametrize(("id", "complaint"), [("ggp:", "address"), ("ggp:nowhere", "no address"), ("engine: ", "command")])
def test_a_wrong_name_is_told(id: str, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        make_player(id)
