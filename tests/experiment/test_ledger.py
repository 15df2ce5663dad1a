"""Ledgers: the matches of a store in a small file and back, and files that are none."""

from collections.abc import Callable
from pathlib import Path

import pytest

from paidia.core.errors import RuleError
from paidia.experiment.cells import Cell
from paidia.experiment.expand import expand
from paidia.experiment.plan import AgentEntry, Plan
from paidia.experiment.row import Row
from paidia.experiment.run.local import LocalBackend
from paidia.experiment.run.runner import run_plan
from paidia.experiment.store import Store
from paidia.experiment.store.export import export
from paidia.experiment.store.kept import Kept, matches_of, words_of
from paidia.experiment.store.ledger import Line, joined, lines_of, read_ledger, without_older, write_ledger
from paidia.experiment.store.merge import merge_stores
from paidia.experiment.store.recall import Recalled, recall

Played = Callable[[Path], list[tuple[object, ...]]]

PLAN = Plan(
    games=["tic-tac-toe", "breakthrough@4x3"], agents=["random"], opponents=[AgentEntry(id="random", name="other")], matches=12
)


def today(cell: Cell) -> str:
    return "board:1"


def run(path: Path, plan: Plan = PLAN) -> Path:
    with Store(path, write=True) as store:
        run_plan(plan, store, backend=LocalBackend(1), signature=today)
    return path


def ledger(store: Path, file: Path) -> Path:
    with Store(store) as results:
        write_ledger(file, lines_of(results))
    return file


def enter(file: Path, path: Path, **options: Callable[[Cell], str]) -> Recalled:
    with Store(path, write=True) as store:
        return recall(store, read_ledger(file), cells=expand(PLAN, folder=Path()), plan="p", **{"signature": today, **options})


def test_there_and_back(tmp_path: Path, played: Played) -> None:
    before = run(tmp_path / "before.sqlite")
    file = ledger(before, tmp_path / "matches.csv")
    assert len(file.read_bytes()) < 24 * 40
    after = tmp_path / "after.sqlite"
    assert enter(file, after) == Recalled(entered=24)
    # all but the opponent's simulations and the message, which are not kept
    assert [(*row[:8], *row[9:11], *row[12:]) for row in played(after)] == [
        (*row[:8], *row[9:11], *row[12:]) for row in played(before)
    ]
    with Store(after) as store:
        assert store.builds() == [(*Store(before).builds()[0][:2], 24)]
        assert store.db.execute("SELECT count(*) FROM side WHERE sims_per_second IS NOT NULL").fetchone() == (0,)
        assert export(store, tmp_path / "all.csv") == 24
    text = file.read_bytes()
    assert enter(file, after) == Recalled(known=24)  # once more adds nothing
    assert ledger(after, file).read_bytes() == text
    write_ledger(file, reversed(read_ledger(file)))
    assert file.read_bytes() == text
    assert merge_stores(after, [before]).known == 24 and merge_stores(tmp_path / "new.sqlite", [after]).added == 24


def test_a_run_goes_on_with_what_is_missing(tmp_path: Path, played: Played) -> None:
    whole = run(tmp_path / "whole.sqlite")
    with Store(whole, write=True) as store:  # a hole, and an end that is missing
        for table in ("match", "side"):
            store.db.execute(f"DELETE FROM {table} WHERE (pair = 1 AND seat = 0) OR pair > 3")
    file = ledger(whole, tmp_path / "matches.csv")
    path = tmp_path / "on.sqlite"
    assert enter(file, path).entered == 2 * 7
    with Store(path, write=True) as store:
        result = run_plan(PLAN, store, backend=LocalBackend(1), signature=today)
    assert (result.played, result.done) == (2 * 5, 24)
    places = [row[:6] for row in played(path)]
    assert places == [row[:6] for row in played(run(tmp_path / "anew.sqlite"))]


def test_other_behaviour_is_left_out(tmp_path: Path) -> None:
    file = ledger(run(tmp_path / "s.sqlite"), tmp_path / "matches.csv")
    assert enter(file, tmp_path / "new.sqlite", signature=lambda cell: "board:2") == Recalled(other=24)
    with Store(tmp_path / "new.sqlite") as store:
        assert store.count() == 0


def test_a_version_is_kept(tmp_path: Path) -> None:
    file = ledger(run(tmp_path / "s.sqlite"), tmp_path / "matches.csv")
    lines = read_ledger(file)
    file.write_text(file.read_text().replace(f",{lines[0].version},", ",0.0.1,"))
    enter(file, tmp_path / "new.sqlite")
    with Store(tmp_path / "new.sqlite") as store:
        assert store.builds() == [("0.0.1", "board:1", 24)]


def test_failed_matches_and_strange_ones_are_left_out(tmp_path: Path) -> None:
    (cell, *_) = expand(PLAN, folder=Path())
    with Store(tmp_path / "s.sqlite", write=True) as store:
        id = store.open_cell(cell, plan="p")
        good = Kept(pair=4, seat=1, goals=(0.5, 0.5), moves=9, seconds=0.123456, ending="step limit", simulations=7)
        strange = Row(seed=1, match={"goals": "[1.0,0.0]", "ending": "terminal"}, sides=[{"points": 1.0}, {"points": 0.0}])
        store.add([(id, 0, 0, Row.failed(1, 2, "why")), (id, 0, 1, strange), (id, 4, 1, good.row(cell))])
        (line,) = lines_of(store)
        assert lines_of(store, keys=[]) == []
    assert line.matches == (good,)
    assert words_of(line.matches, 2) == "@4.1 0.5/0.5:9:0.123:7!step-limit"


def test_long_cells_have_several_lines(tmp_path: Path) -> None:
    def some(first: int, last: int) -> Line:
        matches = tuple(Kept(pair=i // 2, seat=i % 2, goals=(1.0, 0.0), moves=3, seconds=1.0) for i in range(first, last))
        return Line(game="g", level="", agent="a", opponent="b", cell="0" * 32, version="1", signature="s", matches=matches)

    file = tmp_path / "matches.csv"
    write_ledger(file, [some(0, 450)])
    before = file.read_text().splitlines()
    assert len(before) == 1 + 3 and len(read_ledger(file)) == 1
    lines = joined(read_ledger(file), [some(300, 500)])
    assert [len(line.matches) for line in lines] == [500]
    write_ledger(file, lines)
    assert file.read_text().splitlines()[:3] == before[:3]  # what is full stays as it is


def test_older_lines_go_when_they_are_not_needed() -> None:
    def some(signature: str, number: int, cell: str = "0") -> Line:
        matches = tuple(Kept(pair=i, seat=0, goals=(1.0,), moves=3, seconds=1.0) for i in range(number))
        return Line(game="g", level="", agent="a", opponent="", cell=cell * 32, version="1", signature=signature, matches=matches)

    behaviour = {"0" * 32: "new"}.get
    assert without_older([some("old", 5), some("new", 4)], behaviour) == [some("old", 5), some("new", 4)]
    assert without_older([some("old", 5), some("new", 5)], behaviour) == [some("new", 5)]
    assert without_older([some("old", 5), some("old", 2, "1")], behaviour) == [some("old", 5), some("old", 2, "1")]


HEAD = "game,level,agent,opponent,cell,version,signature,matches\n"
KEY = "0123456789abcdef" * 2


def of(matches: str, key: str = KEY, opponent: str = "b") -> str:
    return f"g,,a,{opponent},{key},1,s,{matches}\n"


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("game,agent\n", 0, "no column 'level'"),
        (HEAD.replace("\n", ",more\n"), 1, "unknown column 'more'"),
        (HEAD.replace("\n", ",game\n"), 1, "or one twice"),
        (HEAD + "g,,a\n", 2, "a line has 8 columns"),
        (HEAD + of("1/0:3:1") + of("1/0:3:1").strip() + ",x\n", 3, "a line has 8 columns"),
        (HEAD + of("1/0:3:1", key="xyz"), 2, "'xyz' is not the key of a cell"),
        (HEAD + of(""), 2, "'' is not a match"),
        (HEAD + of("@1.0"), 2, "no match"),
        (HEAD + of("1/0:3:1 1/0:three:1"), 2, "'1/0:three:1' is not a match"),
        (HEAD + of("1/0:3:nan"), 2, "is not a match"),
        (HEAD + of("1/0:٣:1"), 2, "is not a match"),
        (HEAD + of("1/0:3:1  1/0:3:1"), 2, "is not a match"),
        (HEAD + of("1/0:3:" + "9" * 500), 2, "is not a match"),
        (HEAD + of("2/0:3:1"), 2, "goals outside of 0 to 1"),
        (HEAD + of("-0.1/0:3:1"), 2, "goals outside of 0 to 1"),
        (HEAD + of("1/0:3:1e300"), 2, "an impossible number"),
        (HEAD + of("1/0:3:1:5s1e999"), 2, "an impossible number"),
        (HEAD + of("1/0:3:1!asleep"), 2, "no known ending"),
        (HEAD + of("1/0:3:1 1/0/0:3:1"), 2, "has 3 goals, others have 2"),
        (HEAD + of("1:3:1"), 2, "has 1 goals"),
        (HEAD + of("/".join("1" * 17) + ":3:1"), 2, "has 17 goals"),
        (HEAD + of("@0.2 1/0:3:1"), 2, "no seat 2, only 2 from 0"),
        (HEAD + of("@0.1 1:3:1", opponent=""), 2, "no seat 1, only 1 from 0"),
        (HEAD + of("1/0:3:1 @0.0 1/0:3:1"), 2, "pair 0, seat 0 is there twice"),
        (HEAD + of("1/0:3:1") + of("0/1:3:1"), 2, "pair 0, seat 0 twice"),
        (HEAD + of("1/0:3:1") + of("0/1:3:1").replace(",1,s,", ",2,s,"), 3, "pair 0, seat 0 twice"),
        (HEAD + of("1/0:3:1") + of("@1.0 0/1:3:1").replace("g,", "h,", 1), 3, "other names or roles in line 2"),
        (HEAD + of("1/0:3:1 " * 20_000), 2, "field larger than"),
        (HEAD + "x" * 1_000_001, 2, "characters or more"),
    ],
)
def test_what_is_no_ledger_is_refused(tmp_path: Path, text: str, line: int, why: str) -> None:
    file = tmp_path / "matches.csv"
    file.write_text(text)
    with pytest.raises(RuleError) as error:
        read_ledger(file)
    assert why in str(error.value) and error.value.line == line and error.value.file == str(file)


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "matches.csv").write_bytes(HEAD.encode() + b"\xff\xfe\n")
    with pytest.raises(RuleError, match="cannot read what was measured"):
        read_ledger(tmp_path / "matches.csv")
    assert read_ledger(tmp_path / "none.csv") == []


def test_a_line_has_the_roles_of_its_cell(tmp_path: Path) -> None:
    (cell, *_) = expand(PLAN, folder=Path())
    file = tmp_path / "matches.csv"
    for matches, opponent in (("1/0/0:3:1", "other"), ("1/0:3:1", "")):
        file.write_text(HEAD + of(matches, cell.key, opponent))
        with pytest.raises(RuleError, match=r"matches.csv:2: .*tic-tac-toe: random - other has 2 roles and 2 seats"):
            enter(file, tmp_path / "s.sqlite")


def test_words(tmp_path: Path) -> None:
    text = "@2.5 0.1/0.30000000000000004/1:12:0.00123:99s-3.25l4!tick-limit 1/1/0:0:1230 @4.0 0/0/0:1:1e-05:0s7"
    found = matches_of(text, alone=False)
    assert [each.place for each in found] == [(2, 5), (3, 0), (4, 0)]
    assert found[0].score == -3.25 and found[0].lost_playouts == 4 and found[1].simulations is None
    assert words_of(found, 6) == text
