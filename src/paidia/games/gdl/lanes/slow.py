"""A lane program in plain numpy, one operation after the other: what the fast back ends are compared with."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paidia.games.gdl.lanes.portable import Op
from paidia.games.gdl.lanes.program import Routine

__all__ = ["run_routine"]


def run_routine(
    routine: Routine, planes: NDArray[np.uint32], *, part: int | None = None, values: dict[int, NDArray[np.uint32]] | None = None
) -> None:
    """Run a routine, or one part of it, on planes (n_planes, words), which are changed.

    Args:
        routine: The routine.
        planes: Inputs and outputs.
        part: Stop after this part, having skipped those before; what they made comes in `values`.
        values: What has been made, by value; filled in.
    """
    made: dict[int, NDArray[np.uint32]] = {} if values is None else values
    for i in range(routine.n_inputs):
        made[i] = planes[i].copy() if i not in made else made[i]
    rows = [tuple(int(x) for x in row) for row in routine.rows]
    at = _start_of(rows, part)
    loop = 0
    changed = False
    while at < len(rows):
        op, value, a, b, c = rows[at]
        at += 1
        if op == Op.MARK:
            if part is not None and a == part:
                return
        elif op == Op.LOOP:
            loop, changed = at, False
        elif op == Op.GROW or op == Op.GROW_NOT:
            new = made[value] | (made[a] if op == Op.GROW else ~made[a])
            changed = changed or bool((new != made[value]).any())
            made[value] = new
        elif op == Op.END:
            if changed:
                at, changed = loop, False
        elif op == Op.OUT or op == Op.OUT_NOT:
            planes[b] = made[a] if op == Op.OUT else ~made[a]
        else:
            made[value] = _computed(op, made, a, b, c, planes.shape[1])


def _start_of(rows: list[tuple[int, ...]], part: int | None) -> int:
    if not part:
        return 0
    return 1 + next(i for i, row in enumerate(rows) if row[0] == Op.MARK and row[2] == part - 1)


def _computed(op: int, made: dict[int, NDArray[np.uint32]], i: int, j: int, k: int, words: int) -> NDArray[np.uint32]:
    zero = np.zeros(words, np.uint32)
    a, b, c = (made.get(value, zero) for value in (i, j, k))
    match op:
        case Op.ZERO:
            found = zero
        case Op.NOT:
            found = ~a
        case Op.AND:
            found = a & b
        case Op.ANDNOT:
            found = ~a & b
        case Op.OR:
            found = a | b
        case Op.XOR:
            found = a ^ b
        case Op.XOR3:
            found = a ^ b ^ c
        case Op.MAJORITY:
            found = (a & b) | (a & c) | (b & c)
        case Op.MAJORITY_NOT:
            found = (~a & b) | (~a & c) | (b & c)
        case Op.SELECT:
            found = (a & b) | (~a & c)
        case Op.SELECT_NOT:
            found = (a & ~b) | (~a & c)
        case _:
            raise ValueError(f"no operation {op}")
    return found
