"""Replaying golden data: some games here, all of them with `paidia conform gdl`."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from oracles.gdl_sheets import TIC_TAC_TOE
from paidia.cli.main import main
from paidia.games.gdl.conform import conform

GAMES = [
    "ticTacToe",
    "connect4",
    "blocker",
    "hanoi",
    "ghostMaze2p",
    "bomberman2p",
    "gt_prisoner",
    "tictactoe_3player",
    "racetrackcorridor",
    "hex",
    "chineseCheckers4",
    "knightThrough",
]


@pytest.mark.parametrize("key", GAMES)
def test_golden_data(key: str, reference: Path, tmp_path: Path) -> None:
    shutil.copy(reference / "gdl" / "golden" / f"{key}.jsonl.gz", tmp_path)
    results = list(conform(reference / "gdl" / "base", tmp_path))
    assert len(results) > 4
    assert [result for result in results if not result[1]] == []


def golden(folder: Path, **changes: Any) -> Path:
    cells = [f"(cell {x} {y} b)" for x in (1, 2, 3) for y in (1, 2, 3)]
    marks = [f"(mark {x} {y})" for x in (1, 2, 3) for y in (1, 2, 3)]
    initial = {
        "type": "initial",
        "roles": ["xPlayer", "oPlayer"],
        "fluents": [*cells, "(control xPlayer)"],
        "terminal": False,
        "legal": [marks, ["noop"]],
    }
    perft = [
        {"type": "perft", "depth": d, "paths": p, "states": s, "terminal_paths": 0, "terminal_states": 0, "goal_sums": [0, 0]}
        for d, (p, s) in enumerate([(1, 1), (9, 9), (72, 72), (504, 252)])
    ]
    for record in [initial, *perft]:
        for name, value in changes.items():
            if name in record:
                record[name] = value
    folder.mkdir()
    with gzip.open(folder / "ttt.jsonl.gz", "wt") as file:
        file.writelines(json.dumps(record) + "\n" for record in [initial, *perft])
    (folder / "ttt.kif").write_text(TIC_TAC_TOE)
    return folder


def test_agreement_and_its_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = golden(tmp_path / "good")
    main(["conform", "gdl", str(folder), str(folder)])
    assert capsys.readouterr().out.endswith("5 passed, 0 failed\n")


@pytest.mark.parametrize(
    ("changes", "failed"),
    [
        ({"terminal": True}, 1),
        ({"legal": [["noop"], ["noop"]]}, 1),
        ({"states": 7}, 4),
        ({"roles": ["x", "o"]}, 1),
        ({"fluents": []}, 1),
        ({"goal_sums": [0, 1]}, 4),
    ],
)
def test_differences_are_found(changes: dict[str, Any], failed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = golden(tmp_path / "bad", **changes)
    with pytest.raises(SystemExit) as end:
        main(["conform", "gdl", str(folder), str(folder), "--json"])
    assert end.value.code == 1
    document = json.loads(capsys.readouterr().out)
    assert document["failed"] == failed and document["passed"] == 5 - failed
    assert all(failure["message"] for failure in document["failures"])


def test_a_folder_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["conform", "gdl", str(tmp_path / "none"), str(tmp_path)])
    assert end.value.code == 2 and "no such folder" in capsys.readouterr().err
    with pytest.raises(SystemExit) as end:
        main(["conform", "gdl", str(tmp_path), str(tmp_path)])
    assert end.value.code == 2 and "no golden data" in capsys.readouterr().err
