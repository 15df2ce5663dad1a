"""Replaying recorded games: a selection that covers the classes and effects; the full run is `paidia conform
vgdl`.
"""

from __future__ import annotations

import copy
import gzip
import json
from pathlib import Path

import pytest

from paidia.core.errors import BadInput
from paidia.games.vgdl.views.conform import conform, conform_file, load_recorded, read_lines, replay_trace
from paidia.games.vgdl.views.conform_stats import compare_statistics

# frogs, gymkhana: pullWithIt; pacman, eighthpassenger, ghostbuster, theshepherd: paths; realportals:
# teleport, singletons; chopper: two edge lines; seaquest: time; donkeykong: eos in lower case; themole: a
# name used twice; slide: spawn beside; pokemon: random child; invest: an unknown effect; x-racer: timers;
# mirrors, link: counts; cakybaky: held resources.
TRACES = [
    "frogs",
    "gymkhana",
    "pacman",
    "eighthpassenger",
    "ghostbuster",
    "theshepherd",
    "realportals",
    "chopper",
    "seaquest",
    "donkeykong",
    "themole",
    "slide",
    "pokemon",
    "invest",
    "x-racer",
    "mirrors",
    "link",
    "cakybaky",
    "aliens",
    "zelda",
    "boulderdash",
    "butterflies",
    "digdug",
    "explore",
    "towerdefense",
    "garbagecollector",
    "crossfire",
    "camelRace",
]
VIEWS = ["zelda", "digdug", "seaquest", "deflection", "aliens", "pacman", "bait", "garbagecollector"]


@pytest.fixture(scope="module")
def rules(reference: Path) -> Path:
    return reference / "gvgai" / "games"


@pytest.mark.parametrize("name", TRACES)
def test_recorded_traces_are_reproduced(reference: Path, rules: Path, name: str) -> None:
    replayed = 0
    for record in read_lines(reference / "gvgai" / "golden" / f"{name}.jsonl.gz"):
        if record["kind"] != "stats":
            assert replay_trace(load_recorded(rules, name, record["level"]), record) == ""
            replayed += 1
    assert replayed >= 3


@pytest.mark.parametrize("name", VIEWS)
def test_recorded_observations_are_reproduced(reference: Path, rules: Path, name: str) -> None:
    found = list(conform_file(rules, reference / "gvgai" / "golden_obs" / f"{name}.jsonl.gz"))
    assert len(found) >= 8
    assert [message for _, ok, message in found if not ok] == []


@pytest.mark.parametrize("name", ["aliens", "chase"])
def test_recorded_statistics_are_met(reference: Path, rules: Path, name: str) -> None:
    for record in read_lines(reference / "gvgai" / "golden" / f"{name}.jsonl.gz"):
        if record["kind"] == "stats":
            game = load_recorded(rules, name, record["level"])
            assert compare_statistics(game, record, runs=150) == ""
            wrong = copy.deepcopy(record)
            wrong["end_mean"] *= 1.5
            assert compare_statistics(game, wrong, runs=150).startswith("end: expected")
            return


def test_every_recorded_fact_is_compared(reference: Path, rules: Path) -> None:
    """Whatever is changed in a record, the replay notices and says what and when."""
    record = next(read_lines(reference / "gvgai" / "golden" / "zelda.jsonl.gz"))
    game = load_recorded(rules, "zelda", 0)
    changes = {
        "s": 99,
        "w": 1,
        "p": [0, 0],
        "h": 1,
        "dead": 1,
        "o": [0, 0],
        "y": "withkey",
        "hp": 3,
        "c": {"key": 5},
    }
    for key, value in {**changes, "r": {"key": 1}, "av": ["USE"]}.items():
        wrong = copy.deepcopy(record)
        wrong["ticks"][40][key] = value
        assert replay_trace(game, wrong).startswith(f"tick 40 ({record['ticks'][40]['a']}): "), key
    wrong = {**record, "engine_seed": 2}
    assert replay_trace(game, wrong) != ""
    assert replay_trace(game, {**record, "block": 7}).startswith("block: expected 7")
    assert replay_trace(game, {**record, "ended": True}).startswith("ended")


def test_every_recorded_view_is_compared(reference: Path, rules: Path, tmp_path: Path) -> None:
    source = reference / "gvgai" / "golden_obs" / "zelda.jsonl.gz"
    (tmp_path / "golden").mkdir()
    (tmp_path / "views").mkdir()
    trace = reference / "gvgai" / "golden" / "zelda.jsonl.gz"
    (tmp_path / "golden" / "zelda.jsonl.gz").write_bytes(trace.read_bytes())
    records = list(read_lines(source))
    for record in records:
        if record["kind"] == "obs":
            record["go"] += 1
        elif record["kind"] == "fm":
            record["por"] = None
        elif record["kind"] == "events":
            record["list"][3][4] += 1
        elif record["kind"] == "nil_end":
            record["other_seeds"][1]["tick"] += 1
        elif record["kind"] == "last":
            record["ne"] += 1
        else:
            record["world"] = [1, 1]
    target = tmp_path / "views" / "zelda.jsonl.gz"
    target.write_bytes(gzip.compress("\n".join(json.dumps(record) for record in records).encode()))
    found = list(conform(rules, tmp_path / "views"))
    assert len(found) == len(records)
    assert not any(ok for _, ok, _ in found)


def test_bad_golden_files_are_told(rules: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no golden files"):
        list(conform(rules, tmp_path))
    (tmp_path / "zelda.jsonl.gz").write_bytes(b"not gzip")
    assert [(id, ok) for id, ok, _ in conform(rules, tmp_path)] == [("zelda", False)]
    (tmp_path / "zelda.jsonl.gz").write_bytes(gzip.compress(b'{"kind": "trace", "level": 0}\n{"kind": "odd"}\n'))
    found = list(conform(rules, tmp_path))
    assert [ok for _, ok, _ in found] == [False, False] and "unknown kind" in found[1][2]
