"""Small tables of ours as files."""

from pathlib import Path

import pytest

from paidia.core.csv_files import numbered_rows, read_rows, write_rows
from paidia.core.errors import BadInput, RuleError


def test_there_and_back(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    rows = [{"a": "1, 2", "b": ""}, {"a": 'say "x"', "b": "é"}]
    write_rows(file, ["a", "b"], rows)
    assert read_rows(file, ["b"]) == rows and list(numbered_rows(file, ["a", "b"])) == list(enumerate(rows, start=2))
    assert read_rows(tmp_path / "none.csv", ["a"]) == []
    with pytest.raises(BadInput, match="cannot write"):
        write_rows(tmp_path / "no" / "t.csv", ["a"], rows)


def test_lines_have_their_numbers(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text("a,b\n\n1,2\n3\n")
    assert read_rows(file, ["a"]) == [{"a": "1", "b": "2"}, {"a": "3", "b": ""}]
    with pytest.raises(RuleError, match=r"t\.csv:4: a line has 2 columns"):
        list(numbered_rows(file, ["a", "b"]))
    with pytest.raises(RuleError, match=r"t\.csv:1: unknown column 'b'"):
        list(numbered_rows(file, ["a"]))
