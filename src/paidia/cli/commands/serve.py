"""`paidia serve`: an agent as a GGP player over HTTP."""

from __future__ import annotations

import logging
from typing import Annotated

from cyclopts import Parameter

from paidia.cli.output import note
from paidia.connect.ggp.host import read_address
from paidia.connect.ggp.player import GgpPlayer
from paidia.connect.ggp.registration import announce
from paidia.connect.ggp.server import PORT, PlayerServer
from paidia.core.errors import BadInput
from paidia.core.text import printable
from paidia.players.registry import parse_settings


class _Printable(logging.Formatter):
    """What comes from the network may be in any text, also in a traceback: no line of it reaches the terminal as it is."""

    def format(self, record: logging.LogRecord) -> str:
        return "\n".join(printable(line, most=1000) for line in super().format(record).splitlines())


def run(
    *,
    agent: str = "grave",
    port: int = PORT,
    bind: str = "127.0.0.1",
    margin: float = 1.0,
    seed: int = 0,
    register: str | None = None,
    set: Annotated[list[str] | None, Parameter(negative=())] = None,
    threads: int = 1,
) -> None:
    """Wait for GGP hosts and play their matches, until interrupted.

    Args:
        agent: Who plays (see `paidia agents`), or the path of an agent's TOML file.
        port: Port to listen at; 0 takes any free one.
        bind: Address to listen at. The default can be reached from this machine only; 0.0.0.0 from everywhere.
        margin: Seconds of every clock to keep in reserve (of short clocks at most a quarter is kept).
        seed: Root of the agent's randomness.
        register: HOST:PORT of a GGP host that waits for players (`paidia host --register`): tell it of this one.
        set: Change a setting of the agent, KEY=VALUE. Repeatable.
        threads: Threads that search together.
    """
    if not 0 <= port < 65536:
        raise BadInput(f"--port is a number from 0 to 65535, not {port}")
    if not 0 <= margin < 3600:
        raise BadInput(f"--margin is a number of seconds, not {margin}")
    handler = logging.StreamHandler()
    handler.setFormatter(_Printable("%(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    settings = parse_settings(set or [])
    if threads != 1:
        settings = {"threads": threads, **settings}
    player = GgpPlayer(agent, margin=margin, settings=settings, seed=seed)
    with PlayerServer(player, (bind, port)) as server:
        host, real_port = server.server_address[:2]
        note(f"{player.name} listens at {host!s}:{real_port}; stop it with Ctrl-C")
        if register is not None:
            announce(player.name, int(real_port), read_address(register))
        server.serve_forever()
