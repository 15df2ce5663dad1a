"""A match of an experiment can be had as a record, which is that of the row in the store and can be repeated."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

import paidia
from paidia.cli.main import main
from paidia.experiment.expand import expand
from paidia.experiment.plan import AgentEntry, Plan
from paidia.experiment.play import play, record

PLAN = Plan(
    games=["tic-tac-toe"], agents=[AgentEntry(id="p-nmc", settings={"C": 0.3})], opponents=["grave"], sims=20, matches=2, seed=5
)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_match_of_a_cell(seat: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (cell,) = expand(PLAN)
    row, found = play(cell, 1, seat), record(cell, 1, seat)
    assert found.seed == row.seed and len(found.moves) == row.match["moves"]
    assert msgspec.json.encode(found.goals).decode() == row.match["goals"]
    assert found.details is not None and found.details.roots
    (tmp_path / "m.json").write_bytes(found.to_json())
    main(["play", "--repeat", str(tmp_path / "m.json")])
    assert "the same match" in capsys.readouterr().out


def test_a_match_of_the_library(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = paidia.play("tic-tac-toe", [paidia.agent("uct", C=0.2), "random"], sims=10, seed=3)
    (tmp_path / "m.json").write_bytes(result.record.to_json())
    main(["play", "--repeat", str(tmp_path / "m.json")])
    assert "the same match" in capsys.readouterr().out
