"""Replay recorded games and compare every recorded fact, tick by tick.

`conform(rules_dir, golden_dir)` yields one (record id, ok, message) for each line of the golden files
`golden_dir/<game>.jsonl.gz`. Traces replay stored actions with the recorded seed; statistics lines are
compared by playing as many random games; observation records (whose actions stand in the sibling folder
`golden/`) are in `conform_views.py`.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from paidia.core.errors import BadInput, PaidiaError
from paidia.games.vgdl.compile.loading import game_from_files
from paidia.games.vgdl.engine.game import VgdlGame, VgdlState

__all__ = ["Outcome", "conform", "load_recorded", "read_lines", "replay_trace"]

Outcome = tuple[str, bool, str]
Record = dict[str, Any]


def read_lines(path: Path) -> Iterator[Record]:
    """The JSON objects of one golden file; a bad line is an error with its place."""
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                try:
                    record = json.loads(line)
                except ValueError as error:
                    raise BadInput(f"{path}:{number}: not a JSON line ({error})") from None
                if not isinstance(record, dict):
                    raise BadInput(f"{path}:{number}: a JSON object was expected")
                yield record
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: cannot be read ({error})") from None


def load_recorded(rules_dir: Path, name: str, level: int) -> VgdlGame:
    """A game as the reference engine loads it."""
    return game_from_files(
        str(rules_dir / f"{name}.txt"),
        str(rules_dir / f"{name}_lvl{level}.txt"),
        id=name,
        level_name=str(level),
        as_reference=True,
    )


def conform(rules_dir: str | Path, golden_dir: str | Path) -> Iterator[Outcome]:
    """Compare all records of a golden folder, traces or observations."""
    rules, golden = Path(rules_dir), Path(golden_dir)
    files = sorted(golden.glob("*.jsonl.gz"))
    if not files:
        raise BadInput(f"{golden}: no golden files (*.jsonl.gz) here")
    if not rules.is_dir():
        raise BadInput(f"{rules}: no such folder of rules")
    for path in files:
        yield from conform_file(rules, path)


def conform_file(rules: Path, path: Path) -> Iterator[Outcome]:
    """Compare the records of one game."""
    name = path.name.removesuffix(".jsonl.gz")
    games: dict[int, VgdlGame] = {}
    try:
        records = list(read_lines(path))
    except PaidiaError as error:
        yield name, False, str(error)
        return
    if any(record.get("kind") == "head" for record in records):
        from paidia.games.vgdl.views.conform_views import conform_views

        yield from conform_views(rules, path, records)
        return
    seen: dict[str, int] = {}
    for record in records:
        kind, level = str(record.get("kind")), int(record.get("level", 0))
        id = f"{name} level {level} {kind}"
        seen[id] = seen.get(id, 0) + 1
        if seen[id] > 1:
            id += f" {seen[id]}"
        try:
            if level not in games:
                games[level] = load_recorded(rules, name, level)
            if kind in ("trace", "seeded_trace"):
                problem = replay_trace(games[level], record)
            elif kind == "stats":
                from paidia.games.vgdl.views.conform_stats import compare_statistics

                problem = compare_statistics(games[level], record)
            else:
                problem = f"unknown kind of record {kind!r}"
        except (PaidiaError, KeyError, TypeError, ValueError, IndexError) as error:
            problem = f"{type(error).__name__}: {error}"
        yield id, not problem, problem


def replay_trace(game: VgdlGame, record: Record) -> str:
    """Replay a trace; returns the first difference, or an empty text."""
    for key, ours in (
        ("block", game.block),
        ("w", game.width),
        ("h", game.height),
        ("types", list(game.types)),
    ):
        if record[key] != ours:
            return f"{key}: expected {record[key]}, got {ours}"
    state: VgdlState = game.initial_state(int(record["engine_seed"]))
    expected: Record = {"counts": {}}
    problem = difference(state, record["init"], expected)
    if problem:
        return f"before the first tick: {problem}"
    for tick in record["ticks"]:
        if state.terminal:
            return f"tick {tick['t']}: the game is over already (winner {state.winner})"
        state.play(tick["a"])
        if state.tick - 1 != tick["t"]:
            return f"tick: expected {tick['t']}, got {state.tick - 1}"
        problem = difference(state, tick, expected)
        if problem:
            return f"tick {tick['t']} ({tick['a']}): {problem}"
    if bool(record["ended"]) != state.terminal:
        return f"ended: expected {record['ended']}, got {state.terminal}"
    return ""


def difference(state: VgdlState, tick: Record, expected: Record) -> str:
    """The first fact of a recorded tick that our state does not share; facts that did not change are in
    `expected`.
    """
    for key in ("o", "y", "r", "hp", "av"):
        if key in tick:
            expected[key] = tick[key]
    for name, n in tick.get("c", {}).items():
        expected["counts"][name] = n
    avatar = state.avatar()
    if avatar is None:
        return "the avatar is gone"
    place, facing, _, type_, health, held = avatar
    names = state.game.types
    ours = {
        "s": state.score,
        "w": state.winner,
        "p": list(place),
        "o": [round(facing[0], 4), round(facing[1], 4)],
        "y": names[type_],
        "r": {names[one]: n for one, n in held.items()},
        "hp": health[0],
        "counts": {name: n for name, n in zip(names, state.counts(), strict=True) if n},
        "dead": int(not state.alive),
        "av": state.action_list() if not state.terminal else expected.get("av"),
        "h": state.checksum(),
    }
    theirs: Record = {
        **expected,
        **{key: tick[key] for key in ("s", "w", "p", "h") if key in tick},
        "dead": tick.get("dead", 0),
    }
    theirs["counts"] = {name: n for name, n in expected["counts"].items() if n}
    for key in ("s", "w", "p", "y", "o", "r", "hp", "av", "dead", "counts", "h"):
        if key in theirs and ours[key] != theirs[key]:
            return f"{key}: expected {shown(theirs[key], ours[key])}"
    return ""


def shown(theirs: Any, ours: Any) -> str:
    """Two values that differ, without what is equal in them."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        a: Record = {key: value for key, value in theirs.items() if ours.get(key) != value}
        b: Record = {key: value for key, value in ours.items() if theirs.get(key) != value}
        return f"{a}, got {b}"
    return f"{theirs}, got {ours}"
