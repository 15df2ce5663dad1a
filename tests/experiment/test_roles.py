"""Games of three roles and of one: who gets which points and simulations."""

import json

import pytest

import paidia.experiment.play
from paidia.core.budget import Budget
from paidia.core.python.python_game import PythonGame, PythonState
from paidia.experiment.cells import Cell, Contender
from paidia.experiment.play import play
from paidia.players.registry import load_agent


class HighestNumber(PythonGame):
    """Each role in turn names a number from 0 to 3, twice; whoever has the highest sum wins (alone: the share of it)."""

    def __init__(self, n_roles: int) -> None:
        super().__init__("highest", [f"r{i}" for i in range(n_roles)], 4)

    def initial_state(self) -> PythonState:
        return HighestState(self)


class HighestState(PythonState):
    def __init__(self, game: HighestNumber) -> None:
        self.said: list[int] = []

    def to_move(self) -> int:
        return len(self.said) % self.game.n_roles

    def legal_moves(self, role: int) -> list[int]:
        return [0, 1, 2, 3] if role == self.to_move() else []

    def apply(self, joint: tuple[int | None, ...]) -> None:
        self.said.append(joint[self.to_move()])

    def is_terminal(self) -> bool:
        return len(self.said) == 2 * self.game.n_roles

    def goal_values(self) -> list[float]:
        return [sum(self.said[role :: self.game.n_roles]) / 6 for role in range(self.game.n_roles)]

    def assign(self, other: PythonState) -> None:
        self.said = list(other.said)

    def hash_key(self) -> tuple[int, ...]:
        return tuple(self.said)


def cell(n_roles: int, names: list[str]) -> Cell:
    return Cell(
        game="highest",
        level=None,
        label="highest",
        n_roles=n_roles,
        contenders=tuple(Contender(name, load_agent(name), Budget(simulations=300), 0.0) for name in names),
        seed=0,
        max_steps=100,
    )


def test_three_roles(monkeypatch: pytest.MonkeyPatch) -> None:
    """UCT finds 3 and 3, random seldom does: it never loses, whichever seats it has, and the simulations are its own."""
    game = HighestNumber(3)
    monkeypatch.setattr(paidia.experiment.play, "_game", lambda spec, level: game)
    both = cell(3, ["uct", "random"])
    assert len(both.seats) == 6
    for seat, assignment in enumerate(both.seats):
        row = play(both, 0, seat)
        goals = json.loads(str(row.match["goals"]))
        assert len(goals) == 3
        assert [goal for goal, side in zip(goals, assignment, strict=True) if side == 0] == [1.0] * assignment.count(0)
        assert row.points == (0.5 if 1.0 in [g for g, s in zip(goals, assignment, strict=True) if s] else 1.0)
        assert row.values("points") == [row.points, 1.0 - row.points]
        assert row.values("goal") == [1.0, max(g for g, s in zip(goals, assignment, strict=True) if s)]
        assert row.values("simulations") == [600 * assignment.count(0), 0]
        assert row.values("median_simulations") == [300.0, 0.0]
        assert row.match["moves"] == 6


def test_one_role(monkeypatch: pytest.MonkeyPatch) -> None:
    game = HighestNumber(1)
    monkeypatch.setattr(paidia.experiment.play, "_game", lambda spec, level: game)
    alone = cell(1, ["uct"])
    assert alone.seats == [(0,)]
    row = play(alone, 0, 0)
    assert (row.match["goals"], row.points, row.values("simulations")) == ("[1.0]", 1.0, [600])
