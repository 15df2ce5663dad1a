"""Strategies in plain Python, one for each phase: they keep the contract, decide as they should, and their mistakes are told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import paidia
from paidia.core.arcade import ArcadeGame
from paidia.core.budget import Budget
from paidia.core.model import Rules
from paidia.games import load, load_as
from paidia.search.backup.monte_carlo import MonteCarlo
from paidia.search.final_move.most_visits import MostVisits
from paidia.search.mcts import Mcts
from paidia.search.playout.uniform import Uniform
from paidia.search.selection.ucb1 import Ucb1
from paidia.testing import check_strategy


class Plain(paidia.PythonBackup):
    """The result as it is."""

    def counts(self, role: int, result: float, depth: int, length: int) -> float:
        return result


class Discounted(paidia.PythonBackup):
    """A result counts less the later it comes."""

    def counts(self, role: int, result: float, depth: int, length: int) -> float:
        return result * 0.9 ** (length - depth)


class Score(paidia.PythonEvaluation):
    """The score alone."""

    def worth(self, state: Any, role: int) -> float:
        return float(state.score)


class NoLeft(paidia.PythonPruning):
    """Leaves the first move out wherever there is another."""

    def keeps(self, state: Any, moves: Sequence[int]) -> Sequence[bool]:
        return [move != moves[0] for move in moves]


class NotTheFirst(paidia.PythonRoot):
    """The first move is unsafe."""

    def unsafe(self, state: Any, moves: Sequence[int]) -> Sequence[int]:
        return moves[:1]


class Capped(paidia.PythonRepair):
    """No simulation is worth more than 1."""

    def judge(self, state: Any, value: float) -> float | None:
        return 1.0 if value > 1 else None


VIDEO = load_as(ArcadeGame, "vgdl:museum")


def search(game: Rules, **parts: Any) -> Mcts:
    phases = {"selection": Ucb1(), "playout": Uniform(), "backup": MonteCarlo(), "final_move": MostVisits(), **parts}
    built = Mcts(game, **phases)
    built.begin_game(1)
    return built


@pytest.mark.parametrize("kind", [Plain, Discounted, NoLeft, NotTheFirst, Capped])
def test_they_keep_the_contract(kind: type[Any]) -> None:
    check_strategy(kind)


def test_an_evaluation_keeps_the_contract_where_there_is_a_score() -> None:
    check_strategy(Score, games=[VIDEO])


@pytest.mark.parametrize("kind", [Plain, Score, NoLeft, NotTheFirst, Capped])
def test_each_is_a_python_strategy(kind: type[Any]) -> None:
    assert isinstance(kind(), paidia.PythonStrategy)
    assert not isinstance(Ucb1(), paidia.PythonStrategy)


def test_a_backup_that_changes_nothing_is_the_plain_one() -> None:
    game = load("connect4@4x4")
    own, plain = search(game, backup=Plain()), search(game)
    for each in (own, plain):
        each.search(game.initial_state(), Budget(simulations=300))
    assert own.tree.arrays()["edges"].tobytes() == plain.tree.arrays()["edges"].tobytes()


def test_what_is_pruned_or_unsafe_is_not_chosen() -> None:
    state = VIDEO.initial_state(1)
    for part in ({"pruning": [NoLeft()]}, {"root": [NotTheFirst()]}):
        result = search(VIDEO, **part).search(state, Budget(simulations=200))
        rows = {row.move: row for row in result.moves}
        first = state.legal(0)[0]
        assert result.move != first
        assert rows[first].pruned and rows[first].visits <= 1 + 200 / 20


def test_a_repair_changes_what_counts() -> None:
    state = VIDEO.initial_state(1)
    capped = search(VIDEO, repair=Capped())
    capped.search(state, Budget(simulations=300))
    assert all(row.mean <= 1.0 for row in capped.root_moves(0))


@pytest.mark.parametrize(
    ("base", "method", "phase"),
    [
        (paidia.PythonBackup, "counts", "backup"),
        (paidia.PythonEvaluation, "worth", "evaluation"),
        (paidia.PythonPruning, "keeps", "pruning"),
        (paidia.PythonRoot, "unsafe", "root"),
        (paidia.PythonRepair, "judge", "repair"),
    ],
)
def test_what_they_raise_is_raised_by_the_search(base: type[Any], method: str, phase: str) -> None:
    def mistake(*arguments: Any) -> Any:
        raise RuntimeError("my mistake")

    strategy = type("Mistaken", (base,), {method: mistake})()
    built = search(VIDEO, **{phase: [strategy] if phase in ("pruning", "root") else strategy})
    with pytest.raises(RuntimeError, match="my mistake"):
        built.search(VIDEO.initial_state(1), Budget(simulations=50))
