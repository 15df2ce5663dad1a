"""The reference node of GRAVE: the closest node on the path with enough visits, whoever is to move there."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from paidia.core.budget import Budget
from paidia.core.game import Game, State
from paidia.core.python.python_game import PythonGame, PythonState
from paidia.games import load
from paidia.search.backup.monte_carlo import MonteCarlo
from paidia.search.final_move.most_visits import MostVisits
from paidia.search.frame.parameters import Parameters
from paidia.search.mcts import Mcts
from paidia.search.playout.uniform import Uniform
from paidia.search.selection.grave import Grave

INF = float("inf")


def grave(game: Game, **parameters: float) -> Mcts:
    search = Mcts(
        game,
        selection=Grave(),
        playout=Uniform(),
        backup=MonteCarlo(),
        final_move=MostVisits(),
        parameters=Parameters(**parameters),
    )
    search.begin_game(3)
    return search


def tree(game: Game, simulations: int, **parameters: float) -> dict[int, tuple[int, int]]:
    """Visits and number of edges of every node, by its key."""
    search = grave(game, **parameters)
    search.search(game.initial_state(), Budget(simulations=simulations), role=0)
    nodes = search.tree.arrays()["nodes"]
    return {int(node["key"]): (int(node["visits"]), int(node["n_edges"])) for node in nodes}


@pytest.mark.parametrize("game", ["breakthrough@5x5", "connect4", "go@5x5"])
def test_the_reference_matters_even_if_all_moves_are_tried_first(game: str) -> None:
    """With C = 1000 and huge first-play values a node's own table and the root's were the same thing as long as only nodes of
    the role itself could serve: its first choice below the root came before any of them had data of other moves."""
    wide = {"C": 1000.0, "K": 1e9, "fpu": 1e6, "fpu_amaf": 1e6}
    own, root = (tree(load(game), 2_000, ref=ref, **wide) for ref in (0.0, INF))
    assert own != root


class Logged(PythonGame):
    """Four plies, left and right in turn with three moves each; every simulation is written down as the moves it played."""

    def __init__(self) -> None:
        super().__init__("logged", ["left", "right"], 3)
        self.simulations: list[tuple[int, ...]] = []

    def initial_state(self) -> State:
        return _LoggedState(self)


class _LoggedState(PythonState):
    def __init__(self, game: Game) -> None:
        self.moves: tuple[int, ...] = ()

    def to_move(self) -> int:
        return len(self.moves) % 2

    def legal_moves(self, role: int) -> Sequence[int]:
        return range(3) if role == len(self.moves) % 2 else ()

    def apply(self, joint: tuple[int | None, ...]) -> None:
        self.moves = (*self.moves, next(move for move in joint if move is not None))
        if len(self.moves) == 4:
            assert isinstance(self.game, Logged)
            self.game.simulations.append(self.moves)

    def is_terminal(self) -> bool:
        return len(self.moves) == 4

    def goal_values(self) -> Sequence[float]:
        return goals(self.moves)

    def assign(self, other: Any) -> None:
        self.moves = other.moves

    def hash_key(self) -> tuple[int, ...]:
        return self.moves

    def draw(self) -> str:
        return str(self.moves)


def goals(moves: tuple[int, ...]) -> tuple[float, float]:
    """No two lines are worth quite the same, and a good move is good anywhere."""
    right = (moves[1] * 7 + moves[3] * 11 + moves[0] * moves[3] * 3 + moves[2] % 2 * 5) % 13 / 13
    return 1.0 - right, right


@pytest.mark.parametrize("ref", [0.0, 3.0, 8.0, 20.0, INF])
def test_every_choice_is_the_best_by_the_reference_that_the_paper_names(ref: float) -> None:
    """With K = inf a move is worth its AMAF mean, and exploration once it was tried. Recomputed from all simulations:
    visits of a position are the simulations that chose in it, its AMAF values the means over those that came through it since
    it is in the tree."""
    game = Logged()
    search = grave(game, C=0.4, K=INF, ref=ref, fpu=0.6, fpu_amaf=0.0)
    search.search(game.initial_state(), Budget(simulations=600), role=0)
    since: dict[tuple[int, ...], int] = {}
    visits: Counter[Any] = Counter()
    by_other = 0
    for number, played in enumerate(game.simulations[:600]):
        reference: list[tuple[int, ...]] = [(), ()]
        path = []
        for ply in range(4):
            here, role = played[:ply], ply % 2
            if here not in since:
                since[here] = number
                break
            path.append(here)
            for each in range(2):
                if not ply or visits[here] >= ref:
                    reference[each] = here
            chosen = reference[role]
            means = amaf(game.simulations[since[chosen] : number], chosen, role)
            values = []
            for move in range(3):
                tried = visits[(*here, move), "tried"]
                explore = 0.4 * math.sqrt(math.log(max(1, visits[here])) / tried) if tried else 0.0
                values.append(means[move] + explore if move in means else 0.6)
            assert values[played[ply]] == pytest.approx(max(values), abs=1e-6)
            by_other += len(chosen) % 2 != role
        for here in path:
            visits[here] += 1
            visits[played[: len(here) + 1], "tried"] += 1
    assert by_other > 20 or ref == 0.0  # the opponent's nodes served


def amaf(simulations: list[tuple[int, ...]], node: tuple[int, ...], role: int) -> dict[int, float]:
    """Means of a role's moves over what simulations through a node played from there on."""
    values: dict[int, list[float]] = {}
    for played in simulations:
        if played[: len(node)] == node:
            for ply in range(len(node), 4):
                if ply % 2 == role:
                    values.setdefault(played[ply], []).append(goals(played)[role])
    return {move: float(np.mean(found)) for move, found in values.items()}
