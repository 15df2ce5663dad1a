"""Which of the numbers that differ an experiment explains."""

from __future__ import annotations

from pathlib import Path

import pytest

from paidia.core.errors import RuleError
from paidia.report.papers.compare import Comparison
from paidia.report.papers.explained import Explained, load_explained, told_of
from paidia.report.papers.pages import read_papers, summary_lines, verdict_kind
from paidia.report.papers.printed import Printed, tables
from paidia.report.statistics import Interval

PAPERS = Path(__file__).resolve().parents[2] / "papers"

FILE = """\
[[explained]]
tables = ["t1"]
games = ["chopper"]
why = "it depends on the budget"
experiment = "benchmarks/plan.toml"
"""


def number(table: str, game: str, agent: str = "A", metric: str = "win_pct") -> Comparison:
    return Comparison(Printed(table, metric, game, agent, "", 50.0, None, 100), None, Interval(50.0, 40.0, 60.0, 100), "disagree")


def paper(tmp_path: Path, text: str) -> Path:
    """The folder of a paper in a project that has one plan of its own."""
    folder = tmp_path / "papers" / "s9"
    folder.mkdir(parents=True)
    (tmp_path / "benchmarks").mkdir()
    (tmp_path / "benchmarks" / "plan.toml").write_text("")
    (folder / "explained.toml").write_text(text)
    return folder


def test_an_entry_speaks_of_what_it_names_and_of_all_where_it_names_nothing() -> None:
    entry = Explained(tables=["t1", "t2"], why="", experiment="", agents=["A"])
    assert entry.covers(number("t1", "x")) and entry.covers(number("t2", "y", metric="score"))
    assert not entry.covers(number("t3", "x")) and not entry.covers(number("t1", "x", agent="B"))
    only = Explained(tables=["t1"], why="", experiment="", games=["x"], metrics=["score"])
    assert only.covers(number("t1", "x", metric="score")) and not only.covers(number("t1", "x"))


def test_a_number_counts_once_and_what_is_left_is_told() -> None:
    first = Explained(tables=["t1"], why="", experiment="", games=["x"])
    second = Explained(tables=["t1"], why="", experiment="")
    silent = Explained(tables=["t7"], why="", experiment="")
    numbers = [number("t1", "x"), number("t1", "y"), number("t2", "x")]
    told = told_of([first, second, silent], numbers)
    assert told.by == [(first, numbers[:1]), (second, numbers[1:2])]
    assert told.others == numbers[2:] and told.explained == 2


def test_it_is_read_and_an_experiment_may_be_a_table_or_a_plan(tmp_path: Path) -> None:
    folder = paper(tmp_path, FILE + FILE.replace("benchmarks/plan.toml", "t2"))
    assert [entry.experiment for entry in load_explained(folder, ["t1", "t2"])] == ["benchmarks/plan.toml", "t2"]
    assert load_explained(tmp_path, ["t1"]) == []


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("plan.toml", "gone.toml", "neither a table of this paper nor a plan"),
        ("benchmarks/plan.toml", "../../../etc/passwd", "outside the folder"),
        ('"t1"', '"t8"', "no table 't8'"),
        ("why", "wy", "did you mean 'why'"),
        ("[[explained]]", "[[explaned]]", "did you mean 'explained'"),
        ("why =", "why", "cannot read it"),
    ],
)
def test_mistakes_are_told_with_the_file(tmp_path: Path, before: str, after: str, words: str) -> None:
    folder = paper(tmp_path, FILE.replace(before, after))
    with pytest.raises(RuleError, match=r"explained\.toml") as error:
        load_explained(folder, ["t1"])
    assert words in str(error.value)


def test_ours_count_as_the_pages_do() -> None:
    for own in (papers := read_papers(tables(PAPERS))):
        differing = [each for numbers in own.numbers.values() for each in numbers if verdict_kind(each) == "disagree"]
        assert own.told.explained + len(own.told.others) == len(differing) == own.counts()["disagree"]
    explained = sum(own.told.explained for own in papers)
    assert f"{explained:,} of which an experiment explains" in summary_lines(papers)
