"""docs/coverage.toml: every row of the checklist, and every file, test and command it names exists."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("write_coverage", ROOT / "tools" / "write_coverage.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_what_is_named_exists(tool: ModuleType) -> None:
    assert tool.problems(tool.read()) == []


def test_all_rows_are_there(tool: ModuleType) -> None:
    rows = tool.read()
    assert len(rows) == 353
    counts = {part: sum(id.startswith(part) for id in rows) for part in tool.PARTS}
    assert counts == {"SYS": 18, "AGT": 58, "TEC": 59, "GAM": 85, "EXP": 45, "TAB": 44, "FIG": 31, "CTX": 13}
    checklist = ROOT.parent / "shared" / "spec" / "features.md"
    if checklist.exists():
        ids = re.findall(r"^\| ([A-Z]{3}-\d+) ", checklist.read_text(encoding="utf-8"), re.MULTILINE)
        assert list(rows) == ids


def test_the_page_is_what_the_tool_writes(tool: ModuleType) -> None:
    assert tool.PAGE.read_text(encoding="utf-8") == tool.page(tool.read()), "run: python tools/write_coverage.py"


def test_readings_that_notes_name_exist(tool: ModuleType) -> None:
    readings = (ROOT / "docs" / "readings.md").read_text(encoding="utf-8")
    for id, row in tool.read().items():
        for number in re.findall(r"\bR(\d+)\b", row.note):
            assert f"### R{number}. " in readings, f"{id}: there is no reading R{number}"


@pytest.mark.parametrize(
    ("shows", "problem"),
    [
        ("tests/no_such_file.py", "no such file"),
        ("tests/test_coverage.py::test_nothing", "no such test"),
        ("paidia dance", "no such command"),
        ("paidia reproduce s009-t1", "no such table"),
        ("paidia tree papers/none.toml", "there is no papers/none.toml"),
        ("tests/test_coverage.py::test_what_is_named_exists", ""),
        ("paidia reproduce s002-t1", ""),
    ],
)
def test_a_wrong_name_is_found(tool: ModuleType, shows: str, problem: str) -> None:
    assert problem in tool.wrong(shows) and bool(tool.wrong(shows)) == bool(problem)


def test_strict_lets_nothing_wait(tool: ModuleType) -> None:
    waiting = tool.Row("x", [], [], building=["src/none.py"], note="being built: all of it")
    assert tool.problems({"SYS-001": waiting}) == []
    assert len(tool.problems({"SYS-001": waiting}, strict=True)) == 2
