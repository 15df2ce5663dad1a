"""How often play-outs are lost, and what avoiding losses does: counted, correlated, drawn."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from oracles.sequences import thesis_search
from oracles.slow_open_loop import SlowMcts
from oracles.thesis_settings import MctsSettings
from paidia.core.arcade import ArcadeGame
from paidia.core.budget import Budget
from paidia.experiment.plan import AgentEntry, Plan
from paidia.experiment.run.local import LocalBackend
from paidia.experiment.run.runner import run_plan
from paidia.experiment.store import Store
from paidia.games import load_as
from paidia.games.vgdl.engine.game import VgdlGame
from paidia.report.losses import LossPoint, correlation, loss_points
from paidia.report.page import write_report
from paidia.report.summary import group_cells, summarise


class Counting(SlowMcts):
    """The slow search that also counts how often it avoids a loss."""

    lost = 0

    def avoid_loss(self, played: list[str], lost: float) -> float:
        self.lost += 1
        return super().avoid_loss(played, lost)


@pytest.mark.parametrize("name", ["vgdl:archipelago", "vgdl:ashfall", "vgdl:museum"])
def test_lost_playouts_are_counted(name: str) -> None:
    game = load_as(ArcadeGame, name)
    assert isinstance(game, VgdlGame)
    state, settings = game.initial_state(3), MctsSettings(la=True)
    fast, slow = thesis_search(game, settings), Counting(game, state, 5, settings)
    fast.begin_game(5)
    total = 0
    for step in range(3):
        slow.lost = 0
        action = slow.choose(state, 80)
        result = fast.search(state, Budget(simulations=80), step=step)
        assert result.notes["lost_playouts"] == slow.lost
        total += slow.lost
        state.play(action)
        if state.terminal:
            break
    assert total > 0 or name != "vgdl:archipelago"


def test_pearson_by_hand() -> None:
    points = [LossPoint("a", 1.0, 2.0), LossPoint("b", 2.0, 1.0), LossPoint("c", 3.0, 4.0), LossPoint("d", 4.0, 3.0)]
    r, p = correlation(points)
    assert r == pytest.approx(0.6)  # 3 / 5: covariance 3, both variances 5
    assert p == pytest.approx(0.4)  # t = 0.6 sqrt(2) / 0.8 = 1.0607 with 2 degrees of freedom
    r, p = correlation([LossPoint(str(i), float(i), 2.0 * i + 1) for i in range(10)])
    assert r == pytest.approx(1.0) and p == pytest.approx(0.0)
    for few in (points[:2], [LossPoint(str(i), 5.0, float(i)) for i in range(4)]):
        assert all(math.isnan(value) for value in correlation(few))


def test_a_report_has_the_table_and_the_scatter_plot(tmp_path: Path) -> None:
    plan = Plan(
        games=["vgdl:archipelago", "vgdl:ashfall", "vgdl:petri"],
        agents=[
            AgentEntry(id="mcts-thesis", name="BFTI", settings={"bfti": True}),
            AgentEntry(id="mcts-thesis", name="LA", settings={"bfti": True, "la": True}),
        ],
        levels=["0"],
        sims=12,
        matches=2,
        max_steps=40,
        name="losses",
    )
    with Store(tmp_path / "losses.sqlite", write=True) as store:
        run_plan(plan, store, backend=LocalBackend(1))
        groups = group_cells(summarise(store))
        points = {point.game: point for point in loss_points(groups)}
        assert set(points) == {"vgdl:archipelago", "vgdl:ashfall", "vgdl:petri"} and points["vgdl:archipelago"].lost > 0
        own = next(group for group in groups if (group.game, group.agent) == ("vgdl:archipelago", "LA"))
        assert points["vgdl:archipelago"].lost == pytest.approx(100 * own.sum("lost_playouts") / own.sum("simulations"))
        tables = write_report(store, tmp_path / "out")
    assert "lost-simulations" in {table.name for table in tables}
    assert "simulations with a lost play-out in %" in (tmp_path / "out" / "report.html").read_text()
    assert (tmp_path / "out" / "lost-simulations.csv").is_file()
