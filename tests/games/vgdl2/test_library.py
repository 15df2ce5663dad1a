"""The games for two that come with paidia: levels that load, matches on record, agents that play them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paidia.cli.main import main
from paidia.core.arcade import ArcadeGame
from paidia.core.budget import Budget
from paidia.experiment.expand import expand
from paidia.experiment.plan import Plan
from paidia.experiment.run.local import LocalBackend
from paidia.experiment.run.runner import run_plan
from paidia.experiment.store import Store
from paidia.games import catalogue, find, load, load_as
from paidia.games.vgdl.language.check import check_file
from paidia.games.vgdl.library import TWO_PLAYERS, levels_of
from paidia.games.vgdl2 import WORLD
from paidia.match.record import MatchRecord, replay
from paidia.match.referee import play_match
from paidia.players.registry import make_player
from paidia.report.drawing.frames import svg_frame
from paidia.report.summary import group_cells, summarise

GAMES = sorted(WORLD.ids())
RECORDS = Path(__file__).parent / "records"


def test_there_are_enough_games_and_levels() -> None:
    assert len(GAMES) >= 5
    listed = {info.id: info for info in catalogue() if info.world == "vgdl2"}
    assert set(listed) == {f"vgdl2:{name}" for name in GAMES}
    for name in GAMES:
        info = listed[f"vgdl2:{name}"]
        assert info.roles == ["first", "second"] and info.levels == 5 and info.summary
        assert check_file(TWO_PLAYERS / name / f"{name}.txt") == []
        assert find(f"vgdl2:{name}").levels() == [str(number) for number in range(5)]
        for path in levels_of(TWO_PLAYERS / name / f"{name}.txt"):
            assert load(f"vgdl2:{name}", level=path.stem[-1]).n_roles == 2


@pytest.mark.parametrize("name", GAMES)
def test_a_recorded_match_is_played_again(name: str) -> None:
    record = MatchRecord.from_json((RECORDS / f"{name}.json").read_bytes())
    game = load_as(ArcadeGame, f"vgdl2:{name}", level=record.level)
    state = replay(record, game)
    assert state.terminal and isinstance(record.score, list) and len(record.score) == 2


def test_the_records_show_a_win_for_each_side_and_one_for_both() -> None:
    goals = [tuple(MatchRecord.from_json((RECORDS / f"{name}.json").read_bytes()).goals) for name in GAMES]
    assert {(1.0, 0.0), (1.0, 1.0)} <= set(goals)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("agent", ["uct", "grave", "mast", "nst", "p-nmc", "progressive-history", "ucb1-tuned", "sim-rnd-4"])
def test_the_agents_of_boards_play_them(name: str, agent: str) -> None:
    game = load(f"vgdl2:{name}", level="1")
    players = [make_player(agent), make_player("random")]
    budget = Budget(simulations=20)
    results = [play_match(game, players, seed=3, budget=budget, max_steps=12) for _ in range(2)]
    assert results[0].record.moves == results[1].record.moves and results[0].record.ending in ("terminal", "tick limit")
    assert all(count == 20 for count, _ in results[0].record.simulations)


def test_search_is_better_than_chance() -> None:
    """In the games of one against one; 16 matches on both seats."""
    won = 0.0
    for name in ("vineyard", "furrows"):
        game = load(f"vgdl2:{name}")
        for seed in range(4):
            for seat in (0, 1):
                players = [make_player("uct"), make_player("random")]
                result = play_match(game, players[:: 1 - 2 * seat], seed=seed, budget=Budget(simulations=40))
                won += result.goals[seat] > result.goals[1 - seat]
    assert won >= 13


def test_experiments_benchmarks_and_stores_take_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = Plan(
        games=["vgdl2:furrows"], agents=["uct", "mast"], opponents=["random"], levels=["0", "3"], sims=8, matches=2, name="two"
    )
    with Store(tmp_path / "two.sqlite", write=True) as store:
        run_plan(plan, store, backend=LocalBackend(1))
        groups = group_cells(summarise(store))
        assert {(group.agent, group.opponent, group.n) for group in groups} == {("uct", "random", 4), ("mast", "random", 4)}
        assert all(group.video and len(group.sides) == 2 for group in groups)
        scores = store.db.execute("SELECT score FROM side").fetchall()
        assert len(scores) == 16 and all(score is not None for (score,) in scores)
    clocked = Plan(games=["vgdl2:furrows"], agents=["uct"], opponents=["random"], time=0.04, disqualify=True, levels=["0"])
    assert all(cell.disqualify for cell in expand(clocked))
    main(["bench", "vgdl2:furrows", "--seconds", "0.02", "--json"])
    (rates,) = json.loads(capsys.readouterr().out)
    assert rates["game"] == "vgdl2:furrows" and rates["playouts_per_s"] > 0 and rates["sims_per_tick"] > 0


@pytest.mark.parametrize("name", GAMES)
def test_they_can_be_drawn(name: str) -> None:
    game = load_as(ArcadeGame, f"vgdl2:{name}")
    assert "<svg" in svg_frame(game.initial_state())  # type: ignore[arg-type]
