"""Replays golden data of reference reasoners: states, legal moves, ends, goals and counts of paths must be equal.

Golden data are `KEY.jsonl.gz` files with the records `initial`, `playout` and `perft`; the rules of KEY are the only
`.kif` file in RULES/KEY (or RULES/KEY.kif). Sets of facts or moves are given in full or as the first 16 hex digits of
the SHA-256 of their sorted texts, joined by line feeds.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from paidia.core.errors import BadInput, PaidiaError
from paidia.core.game import Game, State
from paidia.games.gdl.load import load_file
from paidia.games.gdl.net.kernel import legal_names

__all__ = ["conform"]


class Differs(Exception):
    """What a record says and what the game does are not the same."""


def conform(rules_dir: str | Path, golden_dir: str | Path) -> Iterator[tuple[str, bool, str]]:
    """Check every record; yields its id, whether it agrees, and what differs."""
    files = sorted(Path(golden_dir).glob("*.jsonl.gz"))
    if not files:
        raise BadInput(f"{golden_dir}: no golden data (*.jsonl.gz) here")
    for file in files:
        key = file.name.removesuffix(".jsonl.gz")
        try:
            game = load_file(_rules_of(Path(rules_dir), key), id=key)
        except PaidiaError as error:
            yield f"{key}/load", False, str(error)
            continue
        perft: list[dict[str, Any]] = []
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            for line in lines:
                record = json.loads(line)
                if record["type"] == "initial":
                    yield _result(f"{key}/initial", _check_initial, game, record)
                elif record["type"] == "playout":
                    yield _result(f"{key}/playout{record['index']}", _check_playout, game, record)
                elif record["type"] == "perft":
                    perft.append(record)
        yield from _check_perft(key, game, perft)


def _rules_of(folder: Path, key: str) -> Path:
    found = sorted((folder / key).glob("*.kif")) or [folder / f"{key}.kif"]
    if len(found) > 1:
        raise BadInput(f"{folder / key}: several rule files; one is expected")
    return found[0]


def _result(id: str, check: Any, game: Game, record: dict[str, Any]) -> tuple[str, bool, str]:
    try:
        check(game, record)
    except (Differs, PaidiaError) as error:
        return id, False, str(error)
    return id, True, ""


def _equal(what: str, ours: object, golden: object) -> None:
    if ours != golden:
        raise Differs(f"{what}: {_short(ours)}, golden {_short(golden)}")


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) < 200 else text[:200] + "..."


def _digest(texts: list[str]) -> str:
    return hashlib.sha256("\n".join(sorted(texts)).encode()).hexdigest()[:16]


def _fluents(state: Any) -> list[str]:
    fluents: list[str] = state.fluents()
    return fluents


def _check_initial(game: Game, record: dict[str, Any]) -> None:
    state = game.initial_state()
    _equal("roles", list(game.roles), record["roles"])
    _equal("fluents", sorted(_fluents(state)), record["fluents"])
    _equal("terminal", state.terminal, record["terminal"])
    for role in range(game.n_roles):
        _equal(f"legal moves of {game.roles[role]}", sorted(legal_names(state, role)), record["legal"][role])


def _check_playout(game: Game, record: dict[str, Any]) -> None:
    state = game.initial_state()
    for number, step in enumerate(record["steps"]):
        where = f"step {number}: "
        fluents = _fluents(state)
        if "fluents" in step:
            _equal(where + "fluents", sorted(fluents), step["fluents"])
        _equal(where + "number of fluents", len(fluents), step["n"])
        _equal(where + "digest of the fluents", _digest(fluents), step["h"])
        last = number + 1 == len(record["steps"])
        _equal(where + "terminal", state.terminal, last and record["status"] == "terminal")
        if state.terminal:
            break
        if "legal_n" in step:
            for role, name in enumerate(game.roles):
                legal = legal_names(state, role)
                _equal(f"{where}number of legal moves of {name}", len(legal), step["legal_n"][role])
                _equal(f"{where}digest of the legal moves of {name}", _digest(legal), step["legal_h"][role])
        if "move" in step:
            _play(state, step["move"])
    if record["status"] == "terminal":
        for role, golden in enumerate(record["goals"]):
            if golden is not None:
                _equal(f"goal of {game.roles[role]}", round(100 * state.goals[role], 6), float(golden))


def _play(state: State, moves: list[str]) -> None:
    game = state.game
    joint: list[int | None] = []
    for role, name in enumerate(moves):
        if name not in legal_names(state, role):
            raise Differs(f"{name} is not legal for {game.roles[role]}")
        joint.append(game.move_id(role, name) if state.mover in (None, role) else None)
    state.play(joint)


def _check_perft(key: str, game: Game, records: list[dict[str, Any]]) -> Iterator[tuple[str, bool, str]]:
    """Count all paths from the start, depth by depth; equal positions are expanded once."""
    layer: dict[int, tuple[State, int]] = {}
    start = game.initial_state()
    layer[start.key] = (start, 1)
    for depth, record in enumerate(sorted(records, key=lambda record: int(record["depth"]))):
        ended = [(state, paths) for state, paths in layer.values() if state.terminal]
        sums = [round(sum(100 * s.goals[role] * n for s, n in ended), 3) for role in range(game.n_roles)]
        ours = {
            "paths": sum(paths for _, paths in layer.values()),
            "states": len(layer),
            "terminal_paths": sum(paths for _, paths in ended),
            "terminal_states": len(ended),
            "goal_sums": sums,
        }
        wrong = [f"{name}: {ours[name]}, golden {record[name]}" for name in ours if ours[name] != record[name]]
        yield f"{key}/perft{record['depth']}", not wrong, "; ".join(wrong)
        if depth + 1 < len(records):
            layer = _next_layer(game, layer)


def _next_layer(game: Game, layer: dict[int, tuple[State, int]]) -> dict[int, tuple[State, int]]:
    following: dict[int, tuple[State, int]] = {}
    probe = game.initial_state()
    for state, paths in layer.values():
        if state.terminal:
            continue
        for joint in _joint_moves(state):
            probe.copy_from(state)
            probe.play(joint)
            key = probe.key
            if key in following:
                following[key] = (following[key][0], following[key][1] + paths)
            else:
                following[key] = (probe.clone(), paths)
    return following


def _joint_moves(state: State) -> Iterator[list[int | None]]:
    choices: list[list[int | None]] = [[]]
    for role in range(state.game.n_roles):
        legal: list[int | None] = list(state.legal(role)) or [None]
        choices = [[*joint, move] for joint in choices for move in legal]
    return iter(choices)
