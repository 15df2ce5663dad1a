"""The gauntlet: suites, the test over a whole suite against its definition, common seeds, going on, and the page of history."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from paidia.core.errors import BadInput, PaidiaError, RuleError
from paidia.experiment.cells import Cell
from paidia.experiment.expand import expand
from paidia.experiment.gauntlet.suite import PARTS, load_suite, suite_ids, suite_plan
from paidia.experiment.gauntlet.trial import Pairing, Trial, run_trial, suite_verdict
from paidia.experiment.plan import AgentEntry
from paidia.experiment.play import play
from paidia.experiment.run.outcome import Outcome
from paidia.experiment.run.schedule import Job
from paidia.players.registry import agent_ids
from paidia.report.strength import Entry, entries_of, rating_rows, save_entries, strength_tables
from paidia.report.tables import Estimate

Run = Callable[..., tuple[int, str, str]]

SUITE = """
summary = "small boards"
opponents = ["random", "uct"]
sims = 12
rounds = 3
effect = 0.2

[games]
development = ["tic-tac-toe", "connect5@5x5"]
validation = ["hex@3x3"]
"""

ALONE = """
summary = "two puzzles"
opponents = ["random"]
alone = true
sims = 8
rounds = 2
least = 2
max_steps = 12

[games]
development = ["gdl:eight-puzzle", { id = "vgdl:vault", levels = [0, 1] }]
"""


class Here:
    """Matches in this process; it stops after `most` of them, as a killed run does."""

    def __init__(self, most: int = 10**9) -> None:
        self.most, self.played = most, 0

    def outcomes(self, cells: list[Cell], jobs: Iterator[Job], *, limit: float, retries: int) -> Iterator[Outcome | None]:
        for job in jobs:
            if self.played >= self.most:
                raise KeyboardInterrupt
            self.played += 1
            yield Outcome(job, play(cells[job.cell], job.pair, job.seat))


def _trial(*arguments: Any, **options: Any) -> Trial:
    return run_trial(*arguments, signature=lambda cell: "", **options)


@pytest.fixture
def suite_file(tmp_path: Path) -> Path:
    file = tmp_path / "small.toml"
    file.write_text(SUITE, encoding="utf-8")
    return file


def test_every_suite_can_be_read() -> None:
    assert {"boards", "gdl", "puzzles", "vgdl"} <= set(suite_ids())
    for id in suite_ids():
        suite = load_suite(id)
        assert suite.name == id and suite.games.development
        assert not set(agent_ids()).isdisjoint(suite.opponents)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (SUITE + "typo = 1", "typo"),
        (SUITE.replace("sims = 12", ""), "one budget"),
        (SUITE.replace('opponents = ["random", "uct"]', "opponents = []"), "opponents is empty"),
        (SUITE.replace("hex@3x3", "tic-tac-toe"), "for development or for validation"),
        (SUITE.replace("effect = 0.2", "effect = 0.7"), "effect"),
        (SUITE.replace("rounds = 3", "rounds = 0"), "rounds"),
    ],
)
def test_a_wrong_suite_is_told(tmp_path: Path, text: str, complaint: str) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(PaidiaError, match=complaint) as error:
        load_suite(str(file))
    assert isinstance(error.value, RuleError)


def test_the_parts_of_a_suite_are_apart(suite_file: Path) -> None:
    suite = load_suite(str(suite_file))
    games = [{cell.game for cell in expand(suite_plan(suite, [AgentEntry(id="grave")], part)[0])} for part in PARTS]
    assert games[0] == {"tic-tac-toe", "connect5@5x5"} and games[1] == {"hex@3x3"}


def test_the_test_is_that_of_its_definition(suite_file: Path) -> None:
    """Both likelihood ratios of the observations, written out, against the stated limits."""
    suite = load_suite(str(suite_file))

    def slow(values: list[float], effect: float) -> str:
        spread = [*values, 0.0, 1.0]
        weights = [1.0] * len(values) + [0.5, 0.5]
        mean = sum(w * x for w, x in zip(weights, spread, strict=True)) / sum(weights)
        variance = sum(w * (x - mean) ** 2 for w, x in zip(weights, spread, strict=True)) / sum(weights)
        up, down = (sum(((x - 0.5) ** 2 - (x - m) ** 2) / (2 * variance) for x in values) for m in (0.5 + effect, 0.5 - effect))
        accept, reject = math.log((1 - suite.beta) / (suite.alpha / 2)), math.log(suite.beta / (1 - suite.alpha / 2))
        if up >= accept:
            return "better"
        if down >= accept:
            return "worse"
        return "equal" if up <= reject and down <= reject else "open"

    words = set()
    for won in range(0, 41, 2):
        games = [[1.0] * (won // 2) + [0.0] * (20 - won // 2), [1.0] * (won - won // 2) + [0.5] * (20 - won + won // 2)]
        for n in (2, 8, 20):
            found = [Pairing("a", "x", "y", own[:n], own[:n], own[:n], n) for own in games]
            words.add(suite_verdict(found, suite))
            assert suite_verdict(found, suite) == slow(games[0][:n] + games[1][:n], suite.effect)
            halves = msgspec.structs.replace(suite, alone=True)
            assert suite_verdict(found, halves) == slow(games[0][:n] + games[1][:n], suite.effect / 2)
    assert words == {"better", "worse", "equal", "open"}


def test_a_trial_goes_on_where_it_was_cut(suite_file: Path, tmp_path: Path) -> None:
    suite = load_suite(str(suite_file))
    plan, _ = suite_plan(suite, [AgentEntry(id="grave", name="grave")], "development")
    whole = _trial(plan, suite, tmp_path / "whole.sqlite", backend=Here())
    cut = tmp_path / "cut.sqlite"
    first = _trial(plan, suite, cut, backend=Here(5))
    assert (first.reason, first.rounds) == ("interrupted", 0)
    nothing = _trial(plan, suite, tmp_path / "nothing.sqlite", backend=Here(0))
    assert strength_tables(nothing, ["grave"]) == [] and nothing.verdict == "open"
    second = Here(9)
    assert _trial(plan, suite, cut, backend=second).reason == "interrupted" and second.played == 9
    assert _trial(plan, suite, cut, backend=Here()) == whole
    again = Here()
    assert _trial(plan, suite, cut, backend=again) == whole and again.played == 0
    assert _trial(plan, suite, cut, backend=Here(0), play=False) == whole
    assert whole.reason in ("decided", "all rounds")
    assert {(p.game, p.opponent) for p in whole.pairings} == {
        (g, o) for g in ("tic-tac-toe", "connect5@5x5") for o in ("random", "uct")
    }


def test_all_who_play_alone_meet_the_same_chance(tmp_path: Path) -> None:
    file = tmp_path / "alone.toml"
    file.write_text(ALONE, encoding="utf-8")
    suite = load_suite(str(file))
    plan, _ = suite_plan(suite, [AgentEntry(id="one-step", name="one-step")], "development")
    cells = expand(plan)
    seeds = {(cell.game, cell.level, cell.contenders[0].name): cell.match_seed(1) for cell in cells}
    places = {(game, level) for game, level, _ in seeds}
    assert len(seeds) == 6 and len({cell.key for cell in cells}) == 6
    assert all(seeds[*place, "one-step"] == seeds[*place, "random"] for place in places)
    assert len({seeds[*place, "random"] for place in places}) == 3
    trial = _trial(plan, suite, tmp_path / "alone.sqlite", backend=Here())
    found = {(p.game, p.agent): p for p in trial.pairings}
    vault = found["vgdl:vault", "one-step"]
    assert vault.matches == 4 and vault.alone  # two levels, two rounds
    assert vault.pairs == [(1 + a - b) / 2 for a, b in zip(vault.own, vault.other, strict=True)]


def test_seeds_of_matches_stay_as_they_were(suite_file: Path) -> None:
    """Cells of a plan without common seeds have the keys and seeds that stores know."""
    plan, _ = suite_plan(load_suite(str(suite_file)), [AgentEntry(id="grave")], "development")
    for cell in expand(plan):
        plain = msgspec.structs.replace(cell, common=False)
        assert not cell.common and (cell.key, cell.match_seed(3)) == (plain.key, plain.match_seed(3))


def test_ratings_are_those_of_the_model() -> None:
    """Two agents: the rating gap is the logit of the points, with the half draw of the prior."""
    pairs = [1.0] * 30 + [0.0] * 10
    rows = rating_rows([Pairing("g", "a", "b", pairs, pairs, [1 - x for x in pairs], 80)])
    ratings = {row[0]: row[1] for row in rows}
    a, b = ratings["a"], ratings["b"]
    assert isinstance(a, Estimate) and isinstance(b, Estimate)
    assert a.interval.mean - b.interval.mean == pytest.approx(400 * math.log10(30.25 / 10.25), abs=1e-6)


def test_the_page_of_history(tmp_path: Path, suite_file: Path) -> None:
    suite = load_suite(str(suite_file))
    plan, _ = suite_plan(suite, [AgentEntry(id="grave", name="grave")], "development", opponents=["random"])
    trial = _trial(plan, suite, tmp_path / "s.sqlite", backend=Here())
    assert [t.title for t in strength_tables(trial, ["grave"])] == ["small: grave against random", "small: ratings"]
    page = tmp_path / "strength.md"

    def lines(commit: str) -> list[Entry]:
        return entries_of(
            trial, ["grave"], part="development", budget="12 simulations", date="2000-01-01", commit=commit, command="paidia ..."
        )

    save_entries(page, lines("aaa"))
    text = page.read_text(encoding="utf-8").replace("# Strength", "# Strength\n\nBy hand.")
    page.write_text(text, encoding="utf-8")
    save_entries(page, lines("bbb"))
    save_entries(page, lines("bbb"))
    text = page.read_text(encoding="utf-8")
    assert "By hand." in text
    assert text.count("| aaa |") == 1 and text.count("| bbb |") == 1
    history = page.with_suffix(".csv").read_bytes()
    line = lines("ccc")[0]
    broken = [line] * 200 + [msgspec.structs.replace(line, command="\udcff")]  # the name of a file that is no text
    with pytest.raises(BadInput, match="cannot write the history"):
        save_entries(page, broken)
    assert page.with_suffix(".csv").read_bytes() == history and page.read_text(encoding="utf-8") == text
    page.write_text("no place", encoding="utf-8")
    with pytest.raises(BadInput, match="no place for the history"):
        save_entries(page, lines("ccc"))
    page.with_suffix(".csv").write_text("date,commit\n1,2\n", encoding="utf-8")
    with pytest.raises(BadInput, match="no history of trials"):
        save_entries(page, lines("ccc"))


def test_the_command(run: Run, suite_file: Path, tmp_path: Path) -> None:
    code, out, _ = run("gauntlet")
    assert code == 0 and "boards" in out
    store = tmp_path / "s.sqlite"
    shown = ["--suite", suite_file, "--store", store, "--rounds", 1, "--workers", 1, "--quiet", "--opponents", "random"]
    code, out, _ = run("gauntlet", "grave", *shown, "--games", "tic-tac-toe", "--save", tmp_path / "page.md", "--ablate", "K=0")
    assert code == 0 and "grave K=0 against random" in out and "1 of 1 rounds" in out
    assert "tic-tac-toe" in (tmp_path / "page.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["nobody"], "nobody"),
        (["grave", "--suite", "bords"], "boards"),
        (["grave", "--suite", "absent.toml"], "absent.toml"),
        (["grave", "--sims", "0"], "--sims"),
        (["grave", "--sims", "5", "--time", "1"], "not both"),
        (["grave", "--rounds", "0"], "--rounds"),
        (["grave", "--ablate", "all"], "no switches"),
        (["grave", "--ablate", "nothing"], "nothing"),
        (["grave", "--opponents", "ggp:nowhere"], "no address"),
        (["grave", "--opponents", "engine:"], "command"),
        (["grave", "--opponents", "bot:nobody"], "bot"),
        (["grave", "--opponents", "grave"], "nobody to meet"),
        (["grave", "--games", "chess"], "chess"),
        (["grave", "--workers", "0"], "--workers"),
        (["grave", "--part", "other"], "other"),
    ],
)
def test_bad_input(run: Run, tmp_path: Path, words: list[str], complaint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = run("gauntlet", *words)
    assert code == 2 and complaint in err and not out
