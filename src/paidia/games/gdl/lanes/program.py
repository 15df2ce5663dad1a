"""A lane program: operations on planes, and what the planes mean.

A plane holds one bit for each lane; lane i is bit i % 32 of word i // 32, the words little-endian, so that words of any width
make the same plane. The first planes are inputs. Operations are rows (operation, value, a, b, c) over values, each made once;
back ends give values to planes or to registers as they like.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from paidia.core.errors import BadInput
from paidia.core.files import replacing
from paidia.games.gdl.lanes.portable import ROUTINES, Op

__all__ = ["LaneProgram", "Planes", "Routine"]

Rows = NDArray[np.int32]


class Routine(msgspec.Struct, frozen=True):
    """A piece of straight code.

    Attributes:
        rows: Operations, an array of int32 (n, 5).
        n_inputs: Planes 0 .. n_inputs - 1 are inputs.
        n_planes: Planes of inputs and outputs together.
    """

    rows: Any
    n_inputs: int
    n_planes: int

    @property
    def size(self) -> int:
        """Operations that compute something."""
        return int((self.rows[:, 0] <= Op.ZERO).sum())

    @property
    def has_loops(self) -> bool:
        return bool((self.rows[:, 0] == Op.LOOP).any())


class Planes(msgspec.Struct, frozen=True):
    """Where what stands among the planes of a routine: first plane and number."""

    first: int
    n: int

    @property
    def end(self) -> int:
        return self.first + self.n


class LaneProgram(msgspec.Struct, frozen=True):
    """All that lanes of a game need.

    Attributes:
        name: The game.
        roles: Its roles.
        fluents: Text of each fluent, by plane.
        moves: By role: text of each move.
        initial: By fluent: whether it holds at the start.
        step: One random joint move, or a new start where the game is over. Planes: fluents, random, over, counts, goals. Its
            first part ends where `over`, `counts` and `goals` are known; the second changes the fluents.
        n_random: Random planes of a step.
        counts: By choice: number of bits of "how many moves are legal"; choices stand in this order among the planes.
        goal_role: By goal: its role.
        goal_value: By goal: its value in 0 .. 1.
        goals_in_step: Whether `step` has goals among its planes; if not, they are worth computing only now and then.
        goals: Planes: fluents, goals.
        leaf: As `step`, but where the game is over everything stays as it is, and without goals.
        look: What a situation is like. Planes: fluents, legal moves over all roles, over, goals.
        play: A joint move that is given, and what comes of it. Planes: fluents, legal moves, bits of each action, low ones first;
            then illegal, over, goals. Fluents and legal moves become the next ones, or those of a new start where the game is
            over. Where an action is no legal move, `illegal` holds and the first legal one is played.
        actions: By action of a joint move: how many moves it chooses from. Where roles take turns there is one, that of the role
            to move; else one for each role.
        initial_legal: By move that the actions choose from: whether it is legal at the start.
        controls: The fluents that say whose turn it is, one for each role; empty where roles do not take turns.
        n_tastes: Where `leaf` is guided, the number of moves over all roles, else 0. It has a plane for each behind the random
            ones: lanes in which the move is preferred; and one behind the counts: lanes in which it is made. The choice is
            among the legal moves that are preferred, or among all where none is. A move that was made because it decides the
            game (`build_leaves`) does not count as made: nothing is to be learned of it.
    """

    name: str
    roles: list[str]
    fluents: list[str]
    moves: list[list[str]]
    initial: list[bool]
    step: Routine
    n_random: int
    counts: list[int]
    goal_role: list[int]
    goal_value: list[float]
    goals_in_step: bool
    goals: Routine
    leaf: Routine
    look: Routine
    play: Routine
    actions: list[int]
    initial_legal: list[bool]
    controls: list[int]
    n_tastes: int = 0

    @property
    def n_fluents(self) -> int:
        return len(self.fluents)

    @property
    def n_moves(self) -> int:
        return sum(len(moves) for moves in self.moves)

    @property
    def over_plane(self) -> int:
        """`over` in `step`."""
        return self.n_fluents + self.n_random

    @property
    def leaf_over(self) -> int:
        """`over` in `leaf`."""
        return self.over_plane + self.n_tastes

    @property
    def made_planes(self) -> Planes:
        """The moves made in `leaf`, where it is guided."""
        return Planes(self.leaf_over + 1 + sum(self.counts), self.n_tastes)

    @property
    def count_planes(self) -> Planes:
        return Planes(self.over_plane + 1, sum(self.counts))

    @property
    def goal_planes(self) -> Planes:
        """Goals in `step`, where it has them."""
        return Planes(self.count_planes.end, len(self.goal_role) if self.goals_in_step else 0)

    @property
    def action_bits(self) -> list[int]:
        """By action: bits of a move's number."""
        return [max(1, (n - 1).bit_length()) for n in self.actions]

    @property
    def digest(self) -> str:
        """Identity of the code."""
        found = hashlib.sha256()
        for routine in (getattr(self, name) for name in ROUTINES):
            found.update(np.ascontiguousarray(routine.rows).tobytes())
            found.update(f"{routine.n_inputs} {routine.n_planes};".encode())
        found.update(repr((self.initial, self.n_random, self.counts, self.goal_role, self.goal_value)).encode())
        return found.hexdigest()

    def save(self, path: str | Path) -> None:
        """Write the program to a file that `load` reads; numpy alone can read it too."""
        routines: dict[str, Routine] = {name: getattr(self, name) for name in ROUTINES}
        facts = {field: getattr(self, field) for field in self.__struct_fields__ if field not in routines} | {
            name: [routine.n_inputs, routine.n_planes] for name, routine in routines.items()
        }
        arrays: dict[str, Any] = {f"{name}_rows": routine.rows for name, routine in routines.items()}
        with replacing(Path(path)) as fresh, fresh.open("wb") as file:
            np.savez_compressed(file, facts=np.frombuffer(msgspec.json.encode(facts), np.uint8), **arrays)

    @classmethod
    def load(cls, path: str | Path) -> LaneProgram:
        """A program from a file that `save` wrote."""
        try:
            with np.load(path, allow_pickle=False) as found:
                facts = msgspec.json.decode(found["facts"].tobytes())
                for name in ROUTINES:
                    n_inputs, n_planes = facts[name]
                    facts[name] = Routine(checked_rows(found[f"{name}_rows"], n_inputs, n_planes), n_inputs, n_planes)
                return cls(**facts)
        except (OSError, ValueError, KeyError, TypeError, msgspec.DecodeError) as error:
            raise BadInput(f"{path}: no lane program: {error}") from None


def checked_rows(rows: Rows, n_inputs: int, n_planes: int) -> Rows:
    """The rows, if all they read has been made before and all they write exists (`ValueError` if not)."""
    if rows.ndim != 2 or rows.shape[1] != 5 or rows.dtype != np.int32 or not 0 <= n_inputs <= n_planes:
        raise ValueError("operations are rows of five numbers")
    op, value = rows[:, 0], rows[:, 1]
    if len(rows) and not (op.min() >= 0 and op.max() <= Op.END):
        raise ValueError("an operation that does not exist")
    makes = op <= Op.ZERO
    if not (value[makes] == n_inputs + np.arange(int(makes.sum()))).all():
        raise ValueError("values are not numbered in order")
    before = n_inputs + np.cumsum(makes) - makes  # values that exist before each row
    n_read = np.select(
        [op <= Op.XOR, op <= Op.SELECT_NOT, np.isin(op, (Op.NOT, Op.OUT, Op.OUT_NOT, Op.GROW, Op.GROW_NOT))], [2, 3, 1], 0
    )
    for k in range(3):
        read = rows[n_read > k, 2 + k]
        if ((read < 0) | (read >= before[n_read > k])).any():
            raise ValueError("an operation reads what has not been made")
    out = np.isin(op, (Op.OUT, Op.OUT_NOT))
    if ((rows[out, 3] < 0) | (rows[out, 3] >= n_planes)).any():
        raise ValueError("an operation writes to a plane that does not exist")
    grown = np.isin(op, (Op.GROW, Op.GROW_NOT))
    if ((value[grown] < n_inputs) | (value[grown] >= before[grown])).any():
        raise ValueError("a loop grows what has not been made")
    ends = op[np.isin(op, (Op.LOOP, Op.END))]
    if len(ends) % 2 or (ends[::2] != Op.LOOP).any() or (ends[1::2] != Op.END).any():
        raise ValueError("loops without beginning or end")
    return rows
