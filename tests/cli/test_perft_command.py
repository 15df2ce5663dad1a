"""`paidia perft` as a script sees it."""

from __future__ import annotations

import json

import pytest

from paidia.cli.main import main


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = 0
    try:
        main(arguments)
    except SystemExit as stop:
        code = int(stop.code or 0)
    out, err = capsys.readouterr()
    return code, out, err


def test_chance_counts_as_the_role_that_the_rules_make_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    """Monty Hall: a car behind 3 doors, 3 to choose, 2 or 1 to open, 2 ways to decide."""
    code, out, _ = run(capsys, "perft", "gdl:monty-hall", "4", "--json")
    assert code == 0
    rows = json.loads(out)["depths"]
    assert [row["paths"] for row in rows] == [1, 3, 9, 12, 24]
    assert rows[-1]["terminal_paths"] == 24 and rows[-1]["goal_sums"][0] in (1200, 12)


def test_json_is_one_document(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "perft", "nogo", "2", "--json")
    assert (code, err) == (0, "")
    document = json.loads(out)
    assert list(document) == ["depths"]
    assert [row["paths"] for row in document["depths"]] == [1, 64, 4032]
    assert set(document["depths"][0]) == {"depth", "paths", "states", "terminal_paths", "goal_sums"}


def test_the_table_shows_every_depth(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "perft", "breakthrough", "3")
    assert code == 0
    assert "11,132" in out and "484" in out


def test_lanes_count_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "perft", "gdl:connect4", "6", "--lanes", "--json")
    assert (code, err) == (0, "")
    assert out == run(capsys, "perft", "gdl:connect4", "6", "--json")[1]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["nogo", "-1"], "0 to 1000"),
        (["nogo", "99999999999999999999"], "0 to 1000"),
        (["nogo", "two"], "DEPTH"),
        (["nogo"], "DEPTH"),
        (["nogoo", "2"], "nogo"),
        (["nogo@99", "2"], "2x2 to 19x19"),
        (["nogo", "4", "--memory", "1"], "needs more than 1 MB"),
        (["nogo", "4", "--memory", "nan"], "above 0"),
        (["nogo", "4", "--lanes"], "a GDL game that has a propositional net"),
        (["gdl:breakthrough", "-1", "--lanes"], "0 to 1000"),
        (["gdl:breakthrough", "5", "--lanes", "--memory", "1"], "needs more than 1 MB"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(capsys: pytest.CaptureFixture[str], arguments: list[str], complaint: str) -> None:
    code, out, err = run(capsys, "perft", *arguments)
    assert (code, out) == (2, "")
    assert complaint in err and err.count("\n") == 1
