"""Experiments with video games: what is kept of a run, and that it does not depend on workers or interruptions."""

import csv
import sqlite3
from collections.abc import Callable
from pathlib import Path
from statistics import fmean, median
from typing import Any

import msgspec
import pytest

from paidia.core.budget import Budget
from paidia.core.errors import BadInput, RuleError
from paidia.core.model import Rules, Situation
from paidia.core.player import Decision
from paidia.experiment.cells import Cell, Contender
from paidia.experiment.expand import expand
from paidia.experiment.plan import AgentEntry, BudgetTable, Plan
from paidia.experiment.play import play
from paidia.experiment.run.local import LocalBackend
from paidia.experiment.run.runner import run_plan
from paidia.experiment.store import Store
from paidia.experiment.store.export import export
from paidia.experiment.store.merge import merge_stores
from paidia.games import load
from paidia.match.referee import play_match
from paidia.players.agent_player import AgentPlayer
from paidia.players.definition import AgentDefinition
from paidia.players.registry import KINDS, load_agent, make_player
from paidia.report.summary import group_cells, summarise

Played = Callable[[Path], list[tuple[object, ...]]]

PLAN = Plan(
    games=["vgdl:petri", "vgdl:ashfall"],
    agents=["random", AgentEntry(id="one-step", name="look-ahead")],
    levels=["0", "2"],
    sims=20,
    matches=3,
    seed=7,
    max_steps=300,
)


def run(plan: Plan, path: Path, workers: int = 1, **options: Any) -> Path:
    with Store(path, write=True) as store:
        run_plan(plan, store, backend=LocalBackend(workers), **options)
    return path


class Clock:
    """The referee's clock: it goes on only when a player says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        return self.now


class Counting(AgentPlayer):
    """Fewer simulations from tick to tick, two ticks over 20 ms, and a word about its parameters."""

    clock = Clock()

    def begin(self, game: Rules, role: int, *, state: Situation, seed: int, budget: Budget | None) -> None:
        self.n = 0

    def act(self, state: Situation, *, step: int, budget: Budget | None) -> Decision:
        self.n += 1
        self.clock.now += {2: 0.022, 3: 0.03}.get(self.n, 0.001)
        return Decision(0, simulations=100 // self.n)

    def trajectory(self, *, most_used: int = 20) -> dict[str, Any]:
        turns = [{"turn": t, "simulations": 3, "samples": [[1, 2], [3, 0]], "best": []} for t in range(self.n)]
        used = [{"values": ["0.6", "1"], "samples": self.n}, {"values": ["0.7", "1"], "samples": 2 * self.n}]
        parameters = [{"name": "K", "values": ["0.6", "0.7"]}, {"name": "D", "values": ["1", "2"]}]
        return {"controller": "fake", "parameters": parameters, "roles": [{"role": 0, "turns": turns, "most_used": used}]}


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> AgentDefinition:
    list(KINDS)  # all that register themselves have done so
    monkeypatch.setitem(KINDS._things, "counting", Counting)
    monkeypatch.setattr("paidia.match.referee.time", Counting.clock)
    return AgentDefinition(summary="", world="vgdl", kind="counting")


def cell(definition: AgentDefinition, budget: Budget, *, game: str = "vgdl:ashfall", **changes: Any) -> Cell:
    contender = Contender("fake", definition, budget, 0.5)
    base = {"game": game, "level": "1", "label": game, "n_roles": 1, "contenders": (contender,), "seed": 3, "max_steps": 12}
    return Cell(**{**base, **changes})


def test_a_row_is_what_the_referee_says(counting: AgentDefinition) -> None:
    place = cell(counting, Budget(seconds=0.02))
    row = play(place, 4, 0)
    player, game = Counting("", counting), load("vgdl:ashfall", level="1")
    record = play_match(game, [player], seed=place.match_seed(4), max_steps=12).record
    made = [100 // n for n in range(1, len(record.moves) + 1)]
    (side,) = row.sides
    assert (row.match["moves"], side["score"], row.points, [side["goal"]]) == (
        len(made), record.score, record.goals[0], record.goals,
    )  # fmt: skip
    assert (side["simulations"], side["median_simulations"]) == (sum(made), median(made))
    assert side["mean_simulations"] == pytest.approx(fmean(made))
    assert (side["overruns"], side["late_moves"], side["slowest_seconds"]) == (1, 2, pytest.approx(0.03))
    assert row.match["ending"] == record.ending
    (told,) = row.trajectories
    assert told is not None and told.simulations == 3 * len(made)
    assert told.combinations == [(["0.7", "1"], 2 * len(made)), (["0.6", "1"], len(made))]


def test_clocks_belong_to_time_budgets(counting: AgentDefinition) -> None:
    free = play(cell(counting, Budget(simulations=5)), 0, 0)
    assert (free.values("overruns"), free.values("late_moves")) == ([0], [None])
    strict = play(cell(counting, Budget(seconds=0.02), disqualify=True), 0, 0)
    assert [strict.match[name] for name in ("ending", "moves", "fault")] == ["disqualified", 2, 0] and strict.points == 0.0
    assert cell(counting, Budget(seconds=0.02)).key != cell(counting, Budget(seconds=0.02), disqualify=True).key


def test_workers_and_interruptions_do_not_change_results(tmp_path: Path, played: Played) -> None:
    one = run(PLAN, tmp_path / "one.sqlite")
    two = run(msgspec.structs.replace(PLAN, matches=1), tmp_path / "two.sqlite")
    run(PLAN, two, workers=2, seconds=0.0)
    run(PLAN, two, workers=2)
    assert played(one) == played(two)
    assert len(played(one)) == 2 * 2 * 2 * 3
    with Store(one) as store:
        joined = "match JOIN side USING (cell, pair, seat) JOIN cell ON cell.id = match.cell JOIN agent ON agent.id = cell.agent"
        scores = list(store.db.execute(f"SELECT label, level, agent.name, pair, score, moves FROM {joined}"))
    for label, level, name, pair, score, moves in scores:
        (where,) = [c for c in expand(PLAN) if (c.label, c.level, c.contenders[0].name) == (label, level, name)]
        player = make_player("random" if name == "random" else "one-step")
        game, seed = load(label, level=level), where.match_seed(pair)
        again = play_match(game, [player], seed=seed, budget=Budget(simulations=20), max_steps=300).record
        assert (again.score, len(again.moves)) == (score, moves)


def test_levels_are_pooled_and_ends_told_apart(tmp_path: Path) -> None:
    path = run(PLAN, tmp_path / "s.sqlite")
    with Store(path) as store:
        groups = group_cells(summarise(store))
        here = "SELECT cell.id FROM cell, agent WHERE agent.id = cell.agent AND name = 'random' AND label = 'vgdl:ashfall'"
        both = "match JOIN side USING (cell, pair, seat)"
        query = f"SELECT points, moves, ending, mean_simulations, score FROM {both} WHERE cell IN ({here})"
        rows = list(store.db.execute(query))
    assert len(groups) == 4 and all(group.n == 6 and group.video and group.opponent is None for group in groups)
    (own,) = [g for g in groups if (g.game, g.agent) == ("vgdl:ashfall", "random")]
    assert own.late == sum(p == 0.0 and (moves >= 2000 or ending == "tick limit") for p, moves, ending, _, _ in rows)
    assert own.wins == sum(p for p, *_ in rows)
    assert own.score.mean == pytest.approx(fmean(score for *_, score in rows))
    assert own.sum("mean_simulations") == sum(mean for _, _, _, mean, _ in rows) == 0.0  # it does not simulate
    look = next(g for g in groups if g.agent == "look-ahead")
    assert 0 < look.mean("mean_simulations") <= 20 and 0 < look.mean("median_simulations") <= 20
    assert look.sum("slowest_seconds") > 0


def test_budgets_of_each_game_and_scales(tmp_path: Path) -> None:
    (tmp_path / "b.csv").write_text("game,agent,value\nvgdl:petri,a,12.4\nvgdl:petri,b,30\n")
    plan = Plan(
        games=["vgdl:petri"],
        levels=["0"],
        agents=[AgentEntry(id="one-step", name="a"), AgentEntry(id="one-step", name="b", scale=10.0)],
        budget_table=BudgetTable(file="b.csv", agent="agent"),
    )
    budgets = [cell.contenders[0].budget for cell in expand(plan, folder=tmp_path)]
    assert budgets == [Budget(simulations=12), Budget(simulations=300)]
    other = msgspec.structs.replace(plan, agents=[AgentEntry(id="one-step", name="c")])
    with pytest.raises(RuleError, match="budget_table: no row for c in vgdl:petri"):
        expand(other, folder=tmp_path)


def test_agents_of_the_wrong_world_are_named(tmp_path: Path) -> None:
    for agent, reason in (("maastcts2", "knowledge is about sprites"), ("one-step", "it plays games of one role")):
        message = f"agent {agent}: cannot play hex@3x3: {reason}"
        plan = Plan(games=["hex@3"], agents=[agent], opponents=["random"], sims=5)
        with pytest.raises(RuleError, match=message):
            run(plan, tmp_path / "bad.sqlite")
    absent = Plan(games=["vgdl:petri"], levels=["0"], agents=["random", AgentEntry(id="no-such", available=False)])
    assert [cell.contenders[0].name for cell in expand(absent)] == ["random"]


#: The table of matches that stores had up to schema 3; columns that came with schemas 2 and 3.
OLD_MATCH = """CREATE TABLE old (
    cell INTEGER NOT NULL, pair INTEGER NOT NULL, seat INTEGER NOT NULL, seed INTEGER NOT NULL, goals TEXT NOT NULL,
    points REAL, moves INTEGER NOT NULL, simulations INTEGER NOT NULL, opponent_simulations INTEGER,
    median_simulations REAL NOT NULL, opponent_median_simulations REAL, median_rate REAL NOT NULL, opponent_median_rate REAL,
    overruns INTEGER NOT NULL, opponent_overruns INTEGER, score REAL, seconds REAL NOT NULL, ending TEXT NOT NULL,
    fault INTEGER, message TEXT NOT NULL, build INTEGER NOT NULL {more}, PRIMARY KEY (cell, pair, seat)
) WITHOUT ROWID"""
SINCE = {2: ["mean_simulations REAL", "slowest REAL"], 3: ["late_moves INTEGER"]}


def made_older(path: Path, schema: int) -> None:
    """Make a store what it was when matches had both sides in one row: before video games had columns of their own (1), before
    late moves were counted (2), and after (3).
    """
    db = sqlite3.connect(path, isolation_level=None)
    later = [column for since, columns in SINCE.items() if since <= schema for column in columns]
    more = [prefix + column for column in later for prefix in ("", "opponent_")]
    db.execute(OLD_MATCH.format(more="".join(f", {column}" for column in more)))
    names = [row[1] for row in db.execute("PRAGMA table_info(old)")]
    of_match = {row[1] for row in db.execute("PRAGMA table_info(match)")}
    new = {"median_rate": "sims_per_second", "slowest": "slowest_seconds"}
    values = []
    for name in names:
        plain = name.removeprefix("opponent_")
        side = "other" if name.startswith("opponent_") else "mine"
        values.append(f"match.{name}" if name in of_match else f"{side}.{new.get(plain, plain)}")
    place = "{0}.cell = match.cell AND {0}.pair = match.pair AND {0}.seat = match.seat AND {0}.side = {1}"
    joined = f"LEFT JOIN side AS mine ON {place.format('mine', 0)} LEFT JOIN side AS other ON {place.format('other', 1)}"
    db.execute(f"INSERT INTO old SELECT {', '.join(values)} FROM match {joined}")
    for table in ("match", "side", *(["trajectory"] if schema == 1 else [])):
        db.execute(f"DROP TABLE {table}")
    db.execute("ALTER TABLE old RENAME TO match")
    db.execute(f"PRAGMA user_version = {schema}")
    db.close()


@pytest.mark.parametrize("schema", [1, 2, 3])
def test_old_stores_open_grow_and_merge(tmp_path: Path, played: Played, schema: int) -> None:
    plan = Plan(games=["tic-tac-toe"], agents=["random"], opponents=[AgentEntry(id="random", name="other")], matches=10)
    old, new = run(plan, tmp_path / "old.sqlite"), run(plan, tmp_path / "new.sqlite")
    made_older(old, schema)
    with Store(old) as store:  # for reading, as it is
        (group,) = summarise(store)
        assert (group.n, group.late) == (10, 0)
        assert [[group.sum(name, side) for name in ("mean_simulations", "slowest_seconds", "late_moves")] for side in (0, 1)] == [
            [0.0, 0.0, 0.0], [0.0, 0.0, 0.0],
        ]  # fmt: skip
        assert export(store, tmp_path / "old.csv") == 10
        assert list(store.trajectories("none")) == []
    with Store(new) as store:
        assert export(store, tmp_path / "new.csv") == 10
        (same,) = summarise(store)
        assert (same.total, same.pairs, same.seats, same.mean("goal", 1)) == (
            group.total, group.pairs, group.seats, group.mean("goal", 1),
        )  # fmt: skip
    assert played(old) == played(new)
    with sqlite3.connect(old) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (schema,)
    db.close()
    merged = merge_stores(tmp_path / "all.sqlite", [old, new])
    assert (merged.added, merged.known, merged.different) == (10, 10, 0)
    assert played(tmp_path / "all.sqlite") == played(new)
    run(msgspec.structs.replace(plan, matches=14), old)
    assert played(old) == played(run(msgspec.structs.replace(plan, matches=14), new))


def test_old_games_of_one_and_of_three_roles(tmp_path: Path, played: Played) -> None:
    """The goal of a side follows from who played which role; a contender alone has no opponent's row."""
    plan = Plan(games=["gdl:chinese-checkers-3", "vgdl:petri"], agents=["random", AgentEntry(id="random", name="b")], matches=6,
                levels=[], max_steps=30)  # fmt: skip
    path = run(plan, tmp_path / "s.sqlite")
    before = played(path)
    made_older(path, 3)
    assert played(path) == before
    Store(path, write=True).close()
    assert played(path) == before


def test_a_store_gets_the_columns_of_new_measures(tmp_path: Path, played: Played) -> None:
    plan = Plan(games=["tic-tac-toe"], agents=["random"], opponents=[AgentEntry(id="random", name="other")], matches=4)
    path, other = run(plan, tmp_path / "s.sqlite"), tmp_path / "other.sqlite"
    db = sqlite3.connect(path)
    db.execute("ALTER TABLE side DROP COLUMN late_moves")
    db.execute("ALTER TABLE side DROP COLUMN slowest_seconds")
    db.commit()
    db.close()
    with Store(path) as store:
        assert summarise(store)[0].sum("slowest_seconds") == 0.0
        assert export(store, tmp_path / "s.csv") == 4
    assert merge_stores(other, [path]).added == 4
    run(msgspec.structs.replace(plan, matches=6), path)
    with Store(path) as store:
        assert store.db.execute("SELECT count(*), count(slowest_seconds) FROM side").fetchone() == (12, 4)


def test_trajectories_are_stored_merged_and_dropped(tmp_path: Path, counting: AgentDefinition) -> None:
    place = cell(counting, Budget(simulations=5))
    for name, pairs in (("a", (0, 1)), ("b", (1, 2))):
        with Store(tmp_path / name, write=True) as store:
            id = store.open_cell(place, plan="p")
            store.add([(id, pair, 0, play(place, pair, 0)) for pair in pairs])
    assert merge_stores(tmp_path / "a", [tmp_path / "b"]).added == 1
    with Store(tmp_path / "a", write=True) as store:
        told = list(store.trajectories(place.key))
        assert [each.controller for each in told] == ["fake"] * 3
        assert told[2] == play(place, 2, 0).trajectories[0]
        store.drop_after(1, 0)
        assert len(list(store.trajectories(place.key))) == 1
        store.db.execute("UPDATE trajectory SET data = ?", (b"x",))
        with pytest.raises(BadInput, match="cannot be read"):
            list(store.trajectories(place.key))


def test_every_run_can_be_exported(tmp_path: Path) -> None:
    with Store(run(PLAN, tmp_path / "s.sqlite")) as store:
        assert export(store, tmp_path / "all.csv") == 24
    with (tmp_path / "all.csv").open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert {row["level"] for row in rows} == {"0", "2"}
    assert all(row["score"] and row["slowest_seconds"] and row["mean_simulations"] and not row["opponent"] for row in rows)
    assert load_agent("random").kind in KINDS
