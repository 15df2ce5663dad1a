"""Small games in plain Python that exercise what boards do not: simultaneous moves, one role, three roles."""

from __future__ import annotations

from paidia.core.python.python_game import PythonGame, PythonState


class Duel(PythonState):
    """Two roles choose 0, 1 or 2 at the same time, three times; the sum of differences (mod 3 == 1 wins a point) decides."""

    def __init__(self, game: PythonGame) -> None:
        super().__init__(game)
        self.points = [0, 0]
        self.round = 0

    def legal_moves(self, role: int) -> list[int]:
        # The second role loses a choice in the last round, so that the two lists differ.
        return [0, 1] if role == 1 and self.round == 2 else [0, 1, 2]

    def apply(self, joint: tuple[int | None, ...]) -> None:
        first, second = joint
        assert first is not None and second is not None
        if (first - second) % 3 == 1:
            self.points[0] += 1
        elif (second - first) % 3 == 1:
            self.points[1] += 1
        self.round += 1

    def is_terminal(self) -> bool:
        return self.round == 3

    def goal_values(self) -> list[float]:
        mine, theirs = self.points
        share = 0.5 + (mine - theirs) / 6
        return [share, 1 - share]

    def assign(self, other: Duel) -> None:  # type: ignore[override]
        self.points = list(other.points)
        self.round = other.round

    def hash_key(self) -> tuple[int, ...]:
        return (*self.points, self.round)


class Countdown(PythonState):
    """n roles in turn take 1, 2 or 3 from a heap; who takes the last one gets 1, the role before it 0.5, others 0."""

    def __init__(self, game: PythonGame) -> None:
        super().__init__(game)
        self.heap = 11
        self.turn = 0

    def to_move(self) -> int:
        return self.turn

    def legal_moves(self, role: int) -> list[int]:
        return [m for m in range(3) if m < self.heap] if role == self.turn else []

    def apply(self, joint: tuple[int | None, ...]) -> None:
        move = joint[self.turn]
        assert move is not None
        self.heap -= move + 1
        self.turn = (self.turn + 1) % self.game.n_roles

    def is_terminal(self) -> bool:
        return self.heap == 0

    def goal_values(self) -> list[float]:
        goals = [0.0] * self.game.n_roles
        if self.heap == 0:
            last = (self.turn - 1) % self.game.n_roles
            goals[(last - 1) % self.game.n_roles] = 0.5
            goals[last] = 1.0
        return goals

    def assign(self, other: Countdown) -> None:  # type: ignore[override]
        self.heap, self.turn = other.heap, other.turn

    def hash_key(self) -> tuple[int, int]:
        return (self.heap, self.turn)


class DuelGame(PythonGame):
    def __init__(self) -> None:
        super().__init__("duel", ["left", "right"], 3)

    def initial_state(self) -> Duel:
        return Duel(self)


class CountdownGame(PythonGame):
    def __init__(self, n_roles: int) -> None:
        super().__init__(f"countdown-{n_roles}", [f"p{i}" for i in range(n_roles)], 3)

    def initial_state(self) -> Countdown:
        return Countdown(self)


class Arms(PythonState):
    """One role pulls one arm; its goal is written in the rules."""

    def __init__(self, game: ArmsGame) -> None:
        self.pulled: int | None = None

    def to_move(self) -> int:
        return 0

    def legal_moves(self, role: int) -> range:
        return range(self.game.n_moves)

    def apply(self, joint: tuple[int | None, ...]) -> None:
        self.pulled = joint[0]

    def is_terminal(self) -> bool:
        return self.pulled is not None

    def goal_values(self) -> list[float]:
        game = self.game
        assert isinstance(game, ArmsGame)
        return [0.0 if self.pulled is None else game.goals[self.pulled]]

    def assign(self, other: Arms) -> None:  # type: ignore[override]
        self.pulled = other.pulled

    def hash_key(self) -> int:
        return -2 if self.pulled is None else self.pulled


class ArmsGame(PythonGame):
    def __init__(self, *goals: float) -> None:
        super().__init__("arms", ["player"], len(goals))
        self.goals = goals

    def initial_state(self) -> Arms:
        return Arms(self)


class Matrix(PythonState):
    """Two roles choose a row and a column at the same time; the entry holds both goals."""

    def __init__(self, game: MatrixGame) -> None:
        self.joint: tuple[int | None, ...] = ()

    def legal_moves(self, role: int) -> range:
        game = self.game
        assert isinstance(game, MatrixGame)
        return range(len(game.entries[0]) if role else len(game.entries))

    def apply(self, joint: tuple[int | None, ...]) -> None:
        self.joint = joint

    def is_terminal(self) -> bool:
        return bool(self.joint)

    def goal_values(self) -> list[float]:
        game = self.game
        assert isinstance(game, MatrixGame)
        if not self.joint:
            return [0.0, 0.0]
        row, column = self.joint
        assert row is not None and column is not None
        return list(game.entries[row][column])

    def assign(self, other: Matrix) -> None:  # type: ignore[override]
        self.joint = other.joint

    def hash_key(self) -> tuple[int | None, ...]:
        return self.joint


class MatrixGame(PythonGame):
    def __init__(self, entries: list[list[tuple[float, float]]]) -> None:
        super().__init__("matrix", ["row", "column"], max(len(entries), len(entries[0])))
        self.entries = entries

    def initial_state(self) -> Matrix:
        return Matrix(self)
