"""Games in plain Python in a search: what their methods raise reaches the caller, and the search goes on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from oracles.small_games import CountdownGame, DuelGame
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.core.game import Game, State
from paidia.core.python.python_game import PythonGame, PythonState
from paidia.search.backup.monte_carlo import MonteCarlo
from paidia.search.final_move.most_visits import MostVisits
from paidia.search.mcts import Mcts
from paidia.search.playout.mast import Mast
from paidia.search.playout.ppa import Ppa
from paidia.search.playout.uniform import Uniform
from paidia.search.selection.grave import Grave
from paidia.search.selection.ucb1 import Ucb1
from paidia.testing import check_game
from paidia.testing.strategies import snapshot

METHODS = [
    "legal_moves", "apply", "is_terminal", "goal_values", "assign", "hash_key", "to_move", "move_code",
]  # fmt: skip


class Blown(Exception):
    pass


class Fuse:
    """Blows once, at the n-th call of one method, counted from when it was set."""

    def __init__(self) -> None:
        self.method, self.left = "", 0

    def set(self, method: str, call: int) -> None:
        self.method, self.left = method, call

    def count(self, method: str) -> None:
        if method == self.method and self.left > 0:
            self.left -= 1
            if self.left == 0:
                raise Blown(method)


def fused(state_class: type[PythonState], fuse: Fuse) -> type[PythonState]:
    """The state class with a fuse in every method."""

    def wrap(name: str) -> Callable[..., Any]:
        original = getattr(state_class, name)

        def method(self: PythonState, *arguments: Any) -> Any:
            fuse.count(name)
            return original(self, *arguments)

        return method

    return type("Fused", (state_class,), {name: wrap(name) for name in METHODS})


def fused_game(game: Any, fuse: Fuse) -> Game:
    state_class = fused(type(game.initial_state()), fuse)

    class FusedGame(type(game)):  # type: ignore[misc]
        def initial_state(self) -> PythonState:
            return state_class(self)

    return FusedGame(*([game.n_roles] if isinstance(game, CountdownGame) else []))


SEARCHES: dict[str, Callable[[Game], Mcts]] = {
    "uct": lambda game: Mcts(game, selection=Ucb1(), playout=Uniform(), backup=MonteCarlo(), final_move=MostVisits()),
    "grave": lambda game: Mcts(game, selection=Grave(), playout=Mast(), backup=MonteCarlo(), final_move=MostVisits()),
    "ppa": lambda game: Mcts(game, selection=Ucb1(), playout=Ppa(), backup=MonteCarlo(), final_move=MostVisits()),
}


#: Only PPA asks for codes.
CASES = [(kind, method) for kind in SEARCHES for method in METHODS if method != "move_code" or kind == "ppa"]


@pytest.mark.parametrize("call", [1, 2, 5, 20])
@pytest.mark.parametrize(("kind", "method"), CASES)
@pytest.mark.parametrize("game", [DuelGame(), CountdownGame(3)], ids=lambda game: game.id)
def test_an_exception_reaches_the_caller_and_the_search_goes_on(game: Any, kind: str, method: str, call: int) -> None:
    fuse = Fuse()
    rules = fused_game(game, fuse)
    search = SEARCHES[kind](rules)
    state = rules.initial_state()
    budget = Budget(simulations=100)
    search.begin_game(1)
    fresh = search.search(state, budget, role=0)
    tree = snapshot(search)

    search.begin_game(1)
    fuse.set(method, call)
    with pytest.raises(Blown, match=method):
        search.search(state, budget, role=0)
    assert fuse.left == 0
    again = search.search(state, budget, role=0)  # without begin_game: usable at once
    assert again.move in state.legal(0)
    assert sum(row.visits for row in again.moves) == 99  # nothing is left of the failed search
    search.begin_game(1)
    result = search.search(state, budget, role=0)  # with it: as if nothing had happened
    assert (result.move, result.moves, snapshot(search)) == (fresh.move, fresh.moves, tree)


@pytest.mark.parametrize("method", [m for m in METHODS if m not in ("hash_key", "move_code")])
def test_an_exception_in_a_playout_reaches_the_caller(method: str) -> None:
    fuse = Fuse()
    state = fused_game(CountdownGame(2), fuse).initial_state()
    fuse.set(method, 2)
    with pytest.raises(Blown, match=method):
        state.random_playouts(1, 5)
    assert state.random_playouts(1, 5) > 0


def test_a_failed_state_raises_once() -> None:
    fuse = Fuse()
    state = fused_game(CountdownGame(2), fuse).initial_state()
    fuse.set("legal_moves", 1)
    with pytest.raises(Blown):
        state.legal(0)
    assert state.legal(0) == [0, 1, 2]


def test_ctrl_c_inside_the_rules_ends_the_search() -> None:
    class Interrupted(type(CountdownGame(2).initial_state())):  # type: ignore[misc]
        def is_terminal(self) -> bool:
            raise KeyboardInterrupt

    class Rules(CountdownGame):
        def initial_state(self) -> Any:
            return Interrupted(self)

    with pytest.raises(KeyboardInterrupt):
        Rules(2).initial_state().random_playout(1)


# ---------------------------------------------------------------- answers that are out of range


class Wrong(PythonGame):
    """A game whose state answers whatever a test says."""

    def __init__(self, **answers: Any) -> None:
        super().__init__("wrong", ["a", "b"], 4, max_legal=2)
        self.answers = answers

    def initial_state(self) -> State:
        return WrongState(self)


class WrongState(PythonState):
    def __init__(self, game: Any) -> None:
        self.answers = game.answers
        self.steps = 0

    def legal_moves(self, role: int) -> Sequence[int]:
        return self.answers.get("legal_moves", [0, 1])

    def apply(self, joint: tuple[int | None, ...]) -> None:
        self.steps += 1

    def is_terminal(self) -> bool:
        return self.steps == 3

    def goal_values(self) -> Sequence[float]:
        return self.answers.get("goal_values", [0.5, 0.5])

    def assign(self, other: Any) -> None:
        self.steps = other.steps

    def hash_key(self) -> Any:
        return self.answers.get("hash_key", self.steps)

    def to_move(self) -> int | None:
        return self.answers.get("to_move")

    def move_code(self, role: int, move: int) -> int:
        return self.answers.get("move_code", 0)


def test_the_answers_are_right_where_nothing_is_wrong() -> None:
    state = Wrong().initial_state()
    assert (state.legal(0), state.goals, state.mover, state.codes(1)) == ([0, 1], [0.5, 0.5], None, [0, 0])


@pytest.mark.parametrize(
    ("answers", "read", "complaint"),
    [
        ({"legal_moves": [4]}, lambda s: s.legal(0), "gave 4: an id out of range"),
        ({"legal_moves": [-1]}, lambda s: s.legal(0), "gave -1"),
        ({"legal_moves": [0, 1, 2]}, lambda s: s.legal(0), "too many moves"),
        ({"legal_moves": ["a"]}, lambda s: s.legal(0), "not supported|str"),
        ({"legal_moves": None}, lambda s: s.legal(0), "not iterable"),
        ({"to_move": 2}, lambda s: s.mover, "which is not a role"),
        ({"to_move": -2}, lambda s: s.mover, "which is not a role"),
        ({"goal_values": [1.0]}, lambda s: s.goals, "1 goals for 2 roles"),
        ({"goal_values": [1.0, 0.0, 0.0]}, lambda s: s.goals, "3 goals for 2 roles"),
        ({"goal_values": ["x", "y"]}, lambda s: s.goals, "float|real number"),
        ({"hash_key": []}, lambda s: s.key, "unhashable"),
        ({"move_code": 4}, lambda s: s.codes(0), "n_codes is 4"),
        ({"move_code": -1}, lambda s: s.codes(0), "n_codes is 4"),
    ],
)
def test_an_answer_out_of_range_is_named(answers: dict[str, Any], read: Callable[[State], object], complaint: str) -> None:
    with pytest.raises((ValueError, TypeError, IndexError), match=complaint):
        read(Wrong(**answers).initial_state())


def test_what_is_not_overridden_says_so() -> None:
    class Empty(PythonGame):
        def initial_state(self) -> State:
            return PythonState(self)

    state = Empty("empty", ["a"], 1).initial_state()
    for name in ("goals", "key", "terminal"):
        with pytest.raises(NotImplementedError):
            getattr(state, name)
    for call in (state.clone, lambda: state.legal(0)):
        with pytest.raises(NotImplementedError):
            call()


@pytest.mark.parametrize("roles", [[], [f"r{i}" for i in range(17)]], ids=len)
def test_a_game_has_1_to_16_roles(roles: list[str]) -> None:
    with pytest.raises(BadInput, match="1 to 16 roles"):
        PythonGame("crowd", roles, 3)


@pytest.mark.parametrize("sizes", [{"n_moves": 0}, {"n_moves": -3}, {"n_moves": 3, "max_legal": -1}], ids=str)
def test_a_game_has_moves(sizes: dict[str, int]) -> None:
    with pytest.raises(BadInput, match="1 or more"):
        PythonGame("motionless", ["a"], **sizes)


@pytest.mark.parametrize("role", [-1, 2, 10**6])
def test_a_role_that_does_not_exist_is_refused(role: int) -> None:
    game = CountdownGame(2)
    with pytest.raises(BadInput, match="roles 0 to 1"):
        game.initial_state().legal(role)
    with pytest.raises(Exception, match="roles 0 to 1"):
        game.move_id(role, "0")


@pytest.mark.parametrize("n_roles", [1, 2, 5, 16])
def test_any_number_of_roles_keeps_the_contract(n_roles: int) -> None:
    check_game(CountdownGame(n_roles), walks=3, playouts=50)
