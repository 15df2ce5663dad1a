"""`paidia bench`: how fast games and searches are here."""

from __future__ import annotations

from typing import Any

import msgspec

from paidia.cli.output import print_json, progress_console, table
from paidia.connect import openspiel_peer
from paidia.core.errors import BadInput
from paidia.experiment.benchmark import SEARCH, GameRates, measure_arcade, measure_game
from paidia.games import catalogue, world_of
from paidia.players.registry import load_agent


def run(*games: str, agent: str = "uct", seconds: float = 1.0, peers: bool = False, json: bool = False) -> None:
    """Measure playouts, steps, copies and simulations per second of processor time.

    A simulation is one of a search of 20,000 from the initial state, for us and for the peer. In a video game a step is one
    tick, and simulations are those of one tick of 40 ms.

    Args:
        games: Ids or paths of games; all native boards if none is named.
        agent: Whose search is measured.
        seconds: Time for each rate.
        peers: Also measure OpenSpiel's C++ playouts and C++ MCTS on the same games, in the same run, and show the ratios.
        json: Print one JSON document.
    """
    if not 0.01 <= seconds <= 3600:
        raise BadInput(f"--seconds is from 0.01 to 3600, not {seconds}")
    names = list(games) or [info.id for info in catalogue() if info.world == "board"]
    worlds = [world_of(name) for name in names]  # a wrong name is told before anything is measured
    load_agent(agent)
    rows: list[dict[str, Any]] = []
    for number, (name, world) in enumerate(zip(names, worlds, strict=True), start=1):
        progress_console.print(f"{number}/{len(names)} {name}", highlight=False)
        if world.startswith("vgdl"):
            row = msgspec.to_builtins(measure_arcade(name, agent=agent, seconds=seconds))
        else:
            row = msgspec.to_builtins(measure_game(name, agent=agent, seconds=seconds, world=world))
        if peers:
            peer = openspiel_peer.measure(name, seconds=seconds, search=SEARCH, exploration=0.4)
            row["peers"] = [] if peer is None else [msgspec.to_builtins(peer)]
        rows.append(row)
    if json:
        print_json(rows)
        return
    columns = ["game", *(f">{field}" for field in GameRates.__struct_fields__[3:])]
    cells = [[row["game"], *(_number(row[field]) for field in GameRates.__struct_fields__[3:])] for row in rows]
    if peers:
        columns += ["peer", ">its playouts/s", ">ratio", ">its sims/s", ">ratio"]
        for row, line in zip(rows, cells, strict=True):
            for peer in row["peers"]:
                line += [peer["name"]]
                for ours, its in (("playouts_per_s", "playouts_per_s"), ("sims_per_s", "sims_per_s")):
                    line += [_number(peer[its]), f"{row[ours] / peer[its]:.1f}x"]
            line += [""] * (len(columns) - len(line))
    table(f"per second of processor time; search: {agent}", columns, cells)


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
