"""The competition's ranking, worked out by hand."""

import pytest

from paidia.report.arcade import arcade_tables, loss_kinds
from paidia.report.ranking import ranking, ranking_tables
from paidia.report.summary import Group


def group(
    game: str, agent: str, wins: int, score: float, ticks: float, *, n: int = 10, budget: str = "0.04 s", late: int = 0
) -> Group:
    return Group(
        game=game, agent=agent, opponent=None, budget=budget, cells=(f"{game}{agent}{budget}",), n=n, total=float(wins),
        squares=float(wins), wins=wins, draws=0, losses=n - wins, early=0, failed=0,
        match={"moves": ticks * n, "seconds": 1.0}, scores=(n, score * n, score * score * n), pairs=(0, 0.0, 0.0),
        sides=({"median_simulations": 50.0 * n, "mean_simulations": 60.0 * n, "slowest_seconds": 0.0412},),
        seats=((n, float(wins)),), late=late,
    )  # fmt: skip


def test_wins_then_score_then_ticks() -> None:
    groups = [
        group("g1", "a", 5, 1.0, 900),  # most wins
        group("g1", "b", 4, 9.0, 100),  # fewer wins, whatever the score; before c by score
        group("g1", "c", 4, 8.0, 50),
        group("g2", "a", 0, 2.0, 300),
        group("g2", "b", 0, 2.0, 200),  # same wins and score, fewer ticks
        group("g2", "c", 0, 1.0, 10),
    ]
    standings = ranking(groups)
    assert [(s.place, s.agent, s.points) for s in standings] == [(1, "a", 25 + 18), (1, "b", 18 + 25), (3, "c", 15 + 15)]
    assert standings[0].places == {"g1": 1, "g2": 2}
    points, games = ranking_tables(groups)
    assert [row[:4] for row in points.texts] == [["1", "a", "43", "1"], ["1", "b", "43", "1"], ["3", "c", "30", "0"]]
    assert games.texts == [["g1", "25", "18", "15"], ["g2", "18", "25", "15"]]


def test_ties_share_places_and_points_add_up() -> None:
    tied = [group("g", name, 3, 1.5, 100) for name in ("a", "b", "c")] + [group("g", "d", 1, 9.0, 10)]
    assert {s.agent: (s.place, s.points) for s in ranking(tied)} == {
        **{name: (1, pytest.approx((25 + 18 + 15) / 3)) for name in "abc"},
        "d": (4, 12.0),
    }
    groups = [
        group("g1", "a", 9, 0.0, 1), group("g1", "b", 8, 0.0, 1), group("g1", "c", 7, 0.0, 1),
        group("g2", "b", 9, 0.0, 1), group("g2", "c", 8, 0.0, 1), group("g2", "x0", 7, 0.0, 1),
        group("g2", "x1", 6, 0.0, 1), group("g2", "a", 1, 0.0, 1), group("g3", "c", 9, 0.0, 1), group("g3", "a", 8, 0.0, 1),
    ]  # fmt: skip
    found = {s.agent: (s.points, list(s.places.values()).count(1)) for s in ranking(groups)}
    assert found == {"a": (25 + 10 + 18, 1), "b": (18 + 25, 1), "c": (15 + 18 + 25, 1), "x0": (15, 0), "x1": (12, 0)}
    assert [s.agent for s in ranking(groups)] == ["c", "a", "b", "x0", "x1"]


def test_of_equal_sums_more_first_places_win() -> None:
    """a and b have 40 each: a by 25 + 15, b by 18 + 12 + 10."""
    order = {"g1": "acb", "g2": "xyabz", "g3": "uvwxb"}
    groups = []
    for game, names in order.items():
        groups += [group(game, name, 10 - place, 0.0, 1) for place, name in enumerate(names)]
    found = {s.agent: s for s in ranking(groups)}
    assert found["a"].points == 25 + 15 and found["b"].points == 15 + 12 + 10
    groups.append(group("g4", "q", 9, 0.0, 1))
    groups += [group("g4", name, 8 - i, 0.0, 1) for i, name in enumerate("rstuvwxb")]  # b is ninth: 2 points
    groups += [group("g5", name, 10 - i, 0.0, 1) for i, name in enumerate("qrstuvwxyb")]  # and tenth: 1
    found = {s.agent: s for s in ranking(groups)}
    assert found["a"].points == found["b"].points == 40
    assert found["a"].place < found["b"].place


def test_eleven_agents_and_budgets() -> None:
    groups = [group("g", f"n{i:02}", 20 - i, 0.0, 1, n=20) for i in range(12)]
    assert [s.points for s in ranking(groups)] == [25, 18, 15, 12, 10, 8, 6, 4, 2, 1, 0, 0]
    assert [s.place for s in ranking(groups)] == list(range(1, 13))
    two = ranking([group("g", "a", 5, 0.0, 1), group("g", "a", 6, 0.0, 1, budget="0.1 s")])
    assert [s.agent for s in two] == ["a (0.1 s)", "a (0.04 s)"]
    assert ranking_tables([group("g", "a", 5, 0.0, 1)]) == []


def test_how_runs_ended() -> None:
    """Wilson's intervals, which neither leave the range nor vanish."""
    own = group("g", "a", 40, 2.0, 1500, n=100, late=60)
    kinds = loss_kinds(own)
    assert [kinds[k].mean for k in ("won", "lost early", "lost on time")] == [0.4, 0.0, 0.6]
    assert (kinds["won"].low, kinds["won"].high) == pytest.approx((0.3094, 0.4980), abs=1e-4)
    assert 0 < kinds["lost early"].high < 0.05
    (table,) = arcade_tables([own])
    shares = ["40.0 (30.9 to 49.8)", "0.0 (0.0 to 3.7)", "60.0 (50.2 to 69.1)"]
    assert table.texts[0][:9] == ["g", "a", "0.04 s", "100", *shares, "2.00", "1,500"]
    assert table.texts[0][9:12] == ["50.0", "60.0", "41.2"]
