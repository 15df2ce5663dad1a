"""The kit passes on right games, and every promise it checks can be broken and is then named."""

from __future__ import annotations

import contextlib
from collections.abc import Hashable, Sequence
from typing import Any

import pytest

from paidia.core.errors import IllegalMove
from paidia.core.game import Game
from paidia.core.python.python_game import PythonGame, PythonState
from paidia.games import load
from paidia.games.boards import BOARDS
from paidia.testing import check_game


class Heaps(PythonGame):
    """Nim with heaps of 3 and 4: move 10 * heap + n takes n; who takes the last one wins."""

    def __init__(self, state_class: type[HeapsState], **sizes: int) -> None:
        n_moves, max_legal = sizes.get("n_moves", 20), sizes.get("max_legal", 7)
        super().__init__("heaps", ["left", "right"], n_moves, max_legal=max_legal)
        self.state_class = state_class

    def initial_state(self) -> HeapsState:
        return self.state_class(self)

    def move_name(self, role: int, move: int) -> str:
        return f"{move // 10}-{move % 10}"


class HeapsState(PythonState):
    def __init__(self, game: Game) -> None:
        self.heaps = [3, 4]
        self.turn = 0

    def legal_moves(self, role: int) -> Sequence[int]:
        if role != self.turn:
            return []
        return [10 * heap + n for heap in (0, 1) for n in range(1, self.heaps[heap] + 1)]

    def apply(self, joint: tuple[int | None, ...]) -> None:
        move = joint[self.turn]
        assert move is not None
        self.heaps[move // 10] -= move % 10
        self.turn = 1 - self.turn

    def is_terminal(self) -> bool:
        return self.heaps == [0, 0]

    def goal_values(self) -> Sequence[float]:
        if not self.is_terminal():
            return [0.5, 0.5]
        return [1.0 * (self.turn == 1), 1.0 * (self.turn == 0)]

    def assign(self, other: Any) -> None:
        self.heaps = list(other.heaps)
        self.turn = other.turn

    def hash_key(self) -> Hashable:
        return (*self.heaps, self.turn)

    def to_move(self) -> int | None:
        return self.turn

    def draw(self) -> str:
        return f"heaps {self.heaps}, {self.turn} to move"


class Shapes(PythonGame):
    """Rock, paper, scissors for any number of roles, three times; who beats more often has more."""

    def __init__(self, n_roles: int) -> None:
        super().__init__(f"shapes-{n_roles}", [f"player{i}" for i in range(n_roles)], 3)

    def initial_state(self) -> ShapesState:
        return ShapesState(self)


class ShapesState(PythonState):
    def __init__(self, game: Game) -> None:
        self.rounds: list[tuple[int | None, ...]] = []

    def legal_moves(self, role: int) -> Sequence[int]:
        return [0, 1, 2]

    def apply(self, joint: tuple[int | None, ...]) -> None:
        self.rounds.append(joint)

    def is_terminal(self) -> bool:
        return len(self.rounds) == 3

    def goal_values(self) -> Sequence[float]:
        n = self.game.n_roles
        beaten = [
            sum((joint[role] - other) % 3 == 1 for joint in self.rounds for other in joint)  # type: ignore[operator]
            for role in range(n)
        ]
        return [count / (3 * n) for count in beaten]

    def assign(self, other: Any) -> None:
        self.rounds = list(other.rounds)

    def hash_key(self) -> Hashable:
        return tuple(self.rounds)

    def draw(self) -> str:
        return str(self.rounds)


@pytest.mark.parametrize("id", list(BOARDS.ids()))
def test_every_native_board_keeps_the_contract(id: str) -> None:
    check_game(load(id), walks=10)


@pytest.mark.parametrize(
    "id",
    [
        "atarigo@9",
        "atarigo-suicide@2x5",
        "nogo@2",
        "nogo@19",
        "misere-nogo@3x7",
        "go@2",
        "go@5x7",
        "go@13",
        "breakthrough@4x2",
        "knightthrough@10x9",
    ],
)
def test_other_sizes_keep_it_too(id: str) -> None:
    check_game(load(id), walks=5)


@pytest.mark.parametrize("game", [Heaps(HeapsState), Shapes(1), Shapes(2), Shapes(4)], ids=lambda g: g.id)
def test_python_games_keep_it(game: Game) -> None:
    check_game(game)


# ---------------------------------------------------------------- broken on purpose


class RepeatsMoves(HeapsState):
    def legal_moves(self, role: int) -> Sequence[int]:
        legal = list(super().legal_moves(role))
        return legal[:-1] + legal[:1] if len(legal) > 1 else legal


class ShuffledMoves(HeapsState):
    asked = 0

    def legal_moves(self, role: int) -> Sequence[int]:
        ShuffledMoves.asked += 1
        legal = list(super().legal_moves(role))
        return legal if ShuffledMoves.asked % 2 else legal[::-1]


class MovesOutOfRange(HeapsState):
    def legal_moves(self, role: int) -> Sequence[int]:
        return [*super().legal_moves(role), 99] if role == self.turn else []


class GoalsOutOfRange(HeapsState):
    def goal_values(self) -> Sequence[float]:
        return [100 * goal for goal in super().goal_values()]


class NeverEnds(HeapsState):
    def apply(self, joint: tuple[int | None, ...]) -> None:
        self.turn = 1 - self.turn


class Stuck(HeapsState):
    def apply(self, joint: tuple[int | None, ...]) -> None:
        if joint[self.turn] is not None:
            super().apply(joint)

    def is_terminal(self) -> bool:
        return False


class OverAtOnce(HeapsState):
    def is_terminal(self) -> bool:
        return True


class SharedCopies(HeapsState):
    def assign(self, other: Any) -> None:
        self.heaps = other.heaps
        self.turn = other.turn


class ForgetsTheTurn(HeapsState):
    def assign(self, other: Any) -> None:
        self.heaps = list(other.heaps)


class ConstantKey(HeapsState):
    def hash_key(self) -> Hashable:
        return 7


class KeyWithoutTurn(HeapsState):
    def hash_key(self) -> Hashable:
        return tuple(self.heaps)


class KeyOfThePath(HeapsState):
    """Tells move orders apart that lead to the same position."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.path: tuple[Any, ...] = ()

    def apply(self, joint: tuple[int | None, ...]) -> None:
        super().apply(joint)
        self.path += joint

    def assign(self, other: Any) -> None:
        super().assign(other)
        self.path = other.path

    def hash_key(self) -> Hashable:
        return self.path


class RandomRules(HeapsState):
    count = 0

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        RandomRules.count += 1
        self.heaps = [3, 4 - RandomRules.count % 2]


class AcceptsAnything(HeapsState):
    def play(self, joint: Any) -> None:
        with contextlib.suppress(IllegalMove):
            super().play(joint)


class RefusesButMoves(HeapsState):
    def play(self, joint: Any) -> None:
        try:
            super().play(joint)
        except IllegalMove:
            self.turn = 1 - self.turn
            raise


class NoDrawing(HeapsState):
    def draw(self) -> str:
        return None  # type: ignore[return-value]


class CodesOutOfRange(HeapsState):
    def move_code(self, role: int, move: int) -> int:
        return 1000


class Raises(HeapsState):
    def apply(self, joint: tuple[int | None, ...]) -> None:
        raise RuntimeError("the dog ate it")


class TakesTheFirst(HeapsState):
    """Its own playout starts with the first move always."""

    def random_playout(self, seed: int, limit: int = 100000, decisive: bool = False) -> int:
        if limit == 0 or self.terminal:
            return 0
        self.play(self.legal(self.turn)[0])
        return 1 + self.generic_playout(seed, limit - 1)


class StopsEarly(HeapsState):
    def random_playout(self, seed: int, limit: int = 100000, decisive: bool = False) -> int:
        return self.generic_playout(seed, min(limit, 1))


class IgnoresTheLimit(HeapsState):
    def random_playout(self, seed: int, limit: int = 100000, decisive: bool = False) -> int:
        return self.generic_playout(seed)


class IgnoresTheSeed(HeapsState):
    calls = 0

    def random_playout(self, seed: int, limit: int = 100000, decisive: bool = False) -> int:
        IgnoresTheSeed.calls += 1
        return self.generic_playout(IgnoresTheSeed.calls, limit)


class PrefersTheEnd(HeapsState):
    """Equal first moves, another result: takes whole heaps once it has begun."""

    def random_playout(self, seed: int, limit: int = 100000, decisive: bool = False) -> int:
        steps = self.generic_playout(seed, min(limit, 1))
        while steps < limit and not self.terminal:
            self.play(self.legal(self.turn)[-1])
            steps += 1
        return steps


class ForgetsTheLastMove(HeapsState):
    def recorded_playout(self, seed: int, limit: int = 1000, decisive: bool = False) -> tuple[list[tuple[int | None, ...]], int]:
        moves, drawn = super().recorded_playout(seed, limit, decisive)
        return moves[:-1], drawn


class TellsBothMove(HeapsState):
    def recorded_playout(self, seed: int, limit: int = 1000, decisive: bool = False) -> tuple[list[tuple[int | None, ...]], int]:
        moves, drawn = super().recorded_playout(seed, limit, decisive)
        return [(1, 1) for _ in moves], drawn


class RecordsAnotherGame(HeapsState):
    def recorded_playout(self, seed: int, limit: int = 1000, decisive: bool = False) -> tuple[list[tuple[int | None, ...]], int]:
        return super().recorded_playout(seed + 1, limit, decisive)


@pytest.mark.parametrize(
    ("state_class", "complaint"),
    [
        (RepeatsMoves, "repeated"),
        (ShuffledMoves, "initial states differ"),
        (MovesOutOfRange, "out of range"),
        (GoalsOutOfRange, r"\[0, 1\]"),
        (NeverEnds, "not over after 300"),
        (Stuck, "nobody has a legal move"),
        (OverAtOnce, "over before it starts"),
        (SharedCopies, "on a clone changed the original"),
        (ForgetsTheTurn, "into a used state differs|clone differs"),
        (ConstantKey, "not its key"),
        (KeyWithoutTurn, "also belongs"),
        (KeyOfThePath, "exchanged"),
        (RandomRules, "initial states differ"),
        (AcceptsAnything, "has to raise IllegalMove"),
        (RefusesButMoves, "was refused and yet changed"),
        (NoDrawing, "draw"),
        (CodesOutOfRange, "n_codes is 20"),
        (Raises, "the dog ate it"),
        (TakesTheFirst, "other odds|mean length"),
        (StopsEarly, "does not reach the end"),
        (IgnoresTheLimit, "with limit 0"),
        (IgnoresTheSeed, "two different games"),
        (PrefersTheEnd, "mean length"),
        (ForgetsTheLastMove, "lead to another position"),
        (TellsBothMove, "tells the move 1 of"),
        (RecordsAnotherGame, "is another game than"),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else "",
)
def test_a_broken_state_is_found(state_class: type[HeapsState], complaint: str) -> None:
    with pytest.raises(AssertionError, match=complaint):
        check_game(Heaps(state_class), bound=300)


class OneName(Heaps):
    def move_name(self, role: int, move: int) -> str:
        return f"heap {(move - 1) // 10}"


class WrongId(Heaps):
    def move_id(self, role: int, name: str) -> int:
        return 1


class NoName(Heaps):
    def move_name(self, role: int, move: int) -> str:
        return ""


class SameState(Heaps):
    only: HeapsState | None = None

    def initial_state(self) -> HeapsState:
        self.only = self.only or HeapsState(self)
        return self.only


class SameRoles(Heaps):
    def __init__(self, state_class: type[HeapsState]) -> None:
        PythonGame.__init__(self, "heaps", ["left", "left"], 20)
        self.state_class = state_class


@pytest.mark.parametrize(
    ("game", "complaint"),
    [
        (OneName(HeapsState), "both called"),
        (WrongId(HeapsState), "is 1, but it is the name of move"),
        (NoName(HeapsState), "name of move"),
        (SameState(HeapsState), "same object twice"),
        (SameRoles(HeapsState), "two roles have one name"),
        (Heaps(HeapsState, max_legal=3), "too many moves"),
        (Heaps(HeapsState, n_moves=12), "out of range"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Game) else "",
)
def test_broken_rules_are_found(game: Game, complaint: str) -> None:
    with pytest.raises(AssertionError, match=complaint):
        check_game(game)


def test_the_message_says_where() -> None:
    with pytest.raises(AssertionError, match=r"heaps, after \d+( \d+)*: goals lie in"):
        check_game(Heaps(_LateGoals))


class _LateGoals(HeapsState):
    def goal_values(self) -> Sequence[float]:
        return [2.0, 0.0] if self.is_terminal() else [0.5, 0.5]
