"""The CUDA code without a GPU: a C++ compiler reads it through a few definitions, one thread after the other."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import paidia
from oracles.gdl_sheets import SHEETS, sheet_of
from paidia.games.gdl.lanes.compile.build import build_program
from paidia.games.gdl.lanes.gpu.kernels import COMMON, HEADER
from paidia.games.gdl.lanes.gpu.source import cuda_source
from paidia.games.gdl.lanes.gpu.table import table_of
from paidia.games.gdl.lanes.playouts import play_games
from paidia.games.gdl.lanes.portable import Op, random_state
from paidia.games.gdl.lanes.processor.engine import Engine
from paidia.games.gdl.lanes.program import LaneProgram
from paidia.games.gdl.load import load_game

COMPILER = shutil.which("g++")
pytestmark = pytest.mark.skipif(COMPILER is None, reason="no C++ compiler")

#: What CUDA has and C++ has not. A warp is a single thread here, so what its threads vote on is what this one says.
SHIM = """
#include <stdint.h>
typedef uint32_t u32;
typedef unsigned long long u64;
#define ALL 0xFFFFFFFFu
#define __global__
#define __device__
#define __launch_bounds__(a, b)
static struct { u32 x, y; } threadIdx, blockIdx, blockDim = {1, 1}, gridDim = {1, 1};
static inline int __popc(u32 x) { return __builtin_popcount(x); }
static inline int __any_sync(u32, u32 x) { return x != 0; }
template <typename T> static inline T __shfl_sync(u32, T x, u32) { return x; }
template <typename T> static inline void atomicAdd(T* where, T what) { *where += what; }
static inline void lut(u32& f, u32 a, u32 b, u32 c, u32 table) {
    f = 0;
    for (int i = 0; i < 32; i++) f |= (table >> ((a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1)) & 1) << i;
}
#define LUT(f, a, b, c, table) lut(f, a, b, c, table)
#define DRAW(r, x) \\
    do { const u32 low = (u32)x, high = (u32)(x >> 32); r = low ^ high; x = (u64)low * 4294883355ull + high; } while (0)
"""


def compiled(text: str, folder: Path) -> ctypes.CDLL:
    source, library = folder / "lanes.cpp", folder / "lanes.so"
    source.write_text(SHIM + text.removeprefix(HEADER))
    command = [str(COMPILER), "-O0", "-w", "-shared", "-fPIC", "-o", str(library), str(source)]
    subprocess.run(command, check=True, timeout=120)
    return ctypes.CDLL(str(library))


def program_of(name: str) -> LaneProgram:
    return build_program(load_game(sheet_of(name), name))


def totals(program: LaneProgram, words: int) -> tuple[int, int, list[int], list[float]]:
    tally = play_games(Engine(program), 32 * words * 4, seed=9, lanes=32 * words, threads=1)
    return tally.games, tally.steps, list(tally.goal_count[: len(program.goal_role)]), list(tally.goal_sum)


@pytest.mark.parametrize("name", [name for name in SHEETS if name != "maze"])
def test_refill_plays_the_games_of_the_processor(name: str, tmp_path: Path) -> None:
    program = program_of(name)
    library = compiled(cuda_source(program, kernels=("refill", "leaf")), tmp_path)
    words = 8
    rngs = random_state(9, words)
    counts, several = np.zeros(2 + len(program.goal_role), np.uint64), np.zeros(len(program.roles))
    # The kernel takes its word from blockIdx and threadIdx: one word at a time, each with its own generator.
    for word in range(words):
        library.refill(
            ctypes.c_void_p(rngs.ctypes.data + 8 * word), 1, 100_000, 2, counts.ctypes.data_as(ctypes.c_void_p),
            several.ctypes.data_as(ctypes.c_void_p), None,
        )  # fmt: skip
    games, steps, goals, sums = totals(program, words)
    assert [int(x) for x in counts] == [games, steps, *goals]
    assert several == pytest.approx(sums)


@pytest.mark.parametrize("name", SHEETS)
def test_the_table_form_plays_them_too(name: str, tmp_path: Path) -> None:
    program = program_of(name)
    library = compiled(COMMON, tmp_path)
    words = 4
    table = table_of(program)
    rngs = random_state(9, words)
    counts, several = np.zeros(2 + len(program.goal_role), np.uint64), np.zeros(len(program.roles))
    planes = np.zeros(table["n_planes"], np.uint32)

    def address(array: np.ndarray | None) -> ctypes.c_void_p:
        return ctypes.c_void_p(None if array is None else array.ctypes.data)

    look, move, goals = (
        None if table.get(part) is None else np.ascontiguousarray(table[part]) for part in ("look", "move", "goals")
    )
    for word in range(words):
        library.table_refill(
            ctypes.c_void_p(rngs.ctypes.data + 8 * word), 1, 100_000, 2, address(counts), address(several), address(planes),
            address(look), address(move), address(goals), program.n_fluents, program.n_random, table["over"], table["goals_at"],
            len(program.goal_role), address(table["role"]), address(table["value"]), address(table["initial"]),
        )  # fmt: skip
    games, steps, counted, sums = totals(program, words)
    assert [int(x) for x in counts] == [games, steps, *counted]
    assert several == pytest.approx(sums)


def test_operations_have_one_order():
    header = Path(paidia.__file__).with_name("games") / "gdl" / "lanes" / "operations.h"
    assert re.findall(r"^ +LANES_(\w+)", header.read_text(), re.MULTILINE) == [op.name for op in Op]
    assert [op.value for op in Op] == list(range(len(Op)))


def test_table_kernel_names_every_operation():
    cases = set(re.findall(r"case (\w+):", COMMON))
    assert cases == {op.name for op in Op} - {"MARK", "STOP"}  # parts are cut beforehand; at the end it returns
