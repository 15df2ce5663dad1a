"""An engine at the table of a GGP host: started for the match, behind a port of this machine, ended with it."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from paidia.connect.engine_player import EnginePlayer, engine_agent
from paidia.connect.ggp.host import Address
from paidia.connect.ggp.player import GgpPlayer
from paidia.connect.ggp.server import PlayerServer
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.core.model import Rules

__all__ = ["engine_seat"]


@contextmanager
def engine_seat(command: str, game: str, rules: Rules, *, margin: float = 1.0) -> Iterator[Address]:
    """Where the engine that a command starts can be reached as a GGP player of a game; `BadInput` if it cannot play it."""
    player = EnginePlayer("engine", engine_agent(command, game=game))
    try:
        reason = player.cannot_play(rules, Budget(seconds=1.0))
    finally:
        player.close()
    if reason is not None:
        raise BadInput(f"--engine {command!r}: {reason}")
    with tempfile.TemporaryDirectory(prefix="paidia-engine-") as folder:
        file = Path(folder) / "engine.toml"
        file.write_text(_toml(command, game), encoding="utf-8")
        with PlayerServer(GgpPlayer(str(file), margin=margin), ("127.0.0.1", 0)) as server:
            thread = threading.Thread(target=server.serve_forever, daemon=True)
            thread.start()
            try:
                yield Address("127.0.0.1", int(server.server_address[1]))
            finally:
                server.shutdown()
                thread.join(5)


def _toml(command: str, game: str) -> str:
    agent = engine_agent(command, game=game)
    quoted = {name: msgspec.json.encode(value).decode() for name, value in agent.planner.items()}  # JSON strings are TOML strings
    return "\n".join(
        [
            'summary = "an engine"',
            f'kind = "{agent.kind}"',
            'world = "any"',
            "[planner]",
            *(f"{name} = {value}" for name, value in quoted.items()),
            "",
        ]
    )
