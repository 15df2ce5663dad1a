"""`paidia bench`: how fast games and searches are here."""

from __future__ import annotations

from typing import Any

import msgspec

from paidia.cli.output import print_json, status, table
from paidia.connect import openspiel_peer, pgx_peer
from paidia.core.errors import BadInput
from paidia.experiment.studies.benchmark import SEARCH, GameRates, check_benchmark, measure_arcade, measure_game
from paidia.experiment.studies.lanes_benchmark import LaneRates, measure_lanes
from paidia.games import catalogue, world_of


def run(
    *games: str, agent: str = "uct", seconds: float = 1.0, peers: bool = False, lanes: bool = False, json: bool = False
) -> None:
    """Measure playouts, steps, copies and simulations per second of processor time.

    A simulation is one of a search of 20,000 from the initial state, for us and for the peer. In a video game a step is one
    tick, and simulations are those of one tick of 40 ms.

    Args:
        games: Ids or paths of games; all native boards if none is named.
        agent: Whose search is measured.
        seconds: Time for each rate.
        peers: Also measure OpenSpiel's C++ playouts and C++ MCTS on the same games, in the same run, and show the ratios.
        lanes: Measure random games in lanes on one core instead, beside the scalar kernel; with --peers also OpenSpiel and pgx.
        json: Print one JSON document.
    """
    if not 0.01 <= seconds <= 3600:
        raise BadInput(f"--seconds is from 0.01 to 3600, not {seconds}")
    if lanes:
        _lanes(list(games) or [info.id for info in catalogue() if info.world == "gdl"], seconds, peers=peers, json=json)
        return
    names = list(games) or [info.id for info in catalogue() if info.world == "board"]
    worlds = [world_of(name) for name in names]  # a wrong name is told before anything is measured
    loads = check_benchmark(names, agent)
    rows: list[dict[str, Any]] = []
    for number, (name, world, load_s) in enumerate(zip(names, worlds, loads, strict=True), start=1):
        status(f"{number}/{len(names)} {name}")
        if world.startswith("vgdl"):
            row = msgspec.to_builtins(measure_arcade(name, agent=agent, seconds=seconds, load_s=load_s))
        else:
            row = msgspec.to_builtins(measure_game(name, agent=agent, seconds=seconds, world=world, load_s=load_s))
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


def _lanes(names: list[str], seconds: float, *, peers: bool, json: bool) -> None:
    for name in names:
        if world_of(name) != "gdl":
            raise BadInput(f"{name}: lanes are for rule sheets (gdl:...)")
    rows: list[dict[str, Any]] = []
    for number, name in enumerate(names, start=1):
        status(f"{number}/{len(names)} {name}")
        row = msgspec.to_builtins(measure_lanes(name, seconds=seconds))
        same = name.removeprefix("gdl:")
        if peers:
            spiel = openspiel_peer.measure(same, seconds=seconds, search=100, exploration=0.4)
            pgx = pgx_peer.measure(pgx_peer.GAMES[same], batch=8192) if same in pgx_peer.GAMES else None
            row["peers"] = {} if spiel is None else {spiel.name: spiel.playouts_per_s}
            row["peers"] |= {} if pgx is None else {"pgx": pgx[0]}
        rows.append(row)
    if json:
        print_json(rows)
        return
    columns = ["game", ">operations", ">scalar", ">lanes", ">compiled", ">ratio", *(["peers"] if peers else [])]
    cells = []
    for row in rows:
        best = max(row["lanes_per_s"], row["compiled_per_s"])
        cells.append([row["game"], *(_number(row[field]) for field in LaneRates.__struct_fields__[1:])])
        cells[-1].append(f"{best / row['scalar_per_s']:.1f}x" if best else "")
        if peers:
            cells[-1].append("; ".join(f"{who} {_number(rate)} ({best / rate:,.0f}x)" for who, rate in row["peers"].items()))
    table("random games per second of processor time, one core (pgx: of wall-clock time, where JAX runs)", columns, cells)


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
