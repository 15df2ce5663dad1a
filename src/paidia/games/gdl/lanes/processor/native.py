"""Lane programs as compiled code, where a C compiler is found.

The text that is compiled holds operations on numbered planes and nothing else: no word of a rule sheet comes near it. The
compiler runs in a child process with limits of time, memory and output; what it made is kept in a folder that only its
owner may write to, under a digest of text and compiler, and read again from there.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from paidia.games.gdl.lanes.portable import Op
from paidia.games.gdl.lanes.processor.engine import widths
from paidia.games.gdl.lanes.program import LaneProgram, Routine

__all__ = ["NativeCode", "compile_program", "find_compiler"]

#: Statements of a function: compilers take more than twice as long for twice as many.
CHUNK = 400
#: Operations of a routine that is still worth compiling.
MOST_OPERATIONS = 40_000
#: Limits of the compiler: seconds of processor time, bytes of memory, bytes of output.
LIMITS = (120, 3 << 30, 1 << 27)
#: How the text is made; a new way has a new number, so that old code is not taken for new.
VERSION = 1

TWO: dict[int, str] = {Op.AND: "{} & {}", Op.ANDNOT: "~{} & {}", Op.OR: "{} | {}", Op.XOR: "{} ^ {}"}
THREE: dict[int, str] = {
    Op.XOR3: "{0} ^ {1} ^ {2}",
    Op.MAJORITY: "({0} & {1}) | ({2} & ({0} ^ {1}))",
    Op.MAJORITY_NOT: "({1} & {2}) | (~{0} & ({1} ^ {2}))",
    Op.SELECT: "({0} & {1}) | (~{0} & {2})",
    Op.SELECT_NOT: "(~{1} & {0}) | (~{0} & {2})",
}


class NativeCode:
    """Compiled routines of a program.

    Attributes:
        words: Name of the words it was compiled for.
        lanes: Lanes of a block.
        planes: By routine: planes of a block.
        address: By routine, or part of one: address of its function.
    """

    def __init__(self, library: Path, words: str, lanes: int, planes: dict[str, int]) -> None:
        self.words = words
        self.lanes = lanes
        self.planes = planes
        self._library = ctypes.CDLL(str(library))
        self.address: dict[str, int] = {}
        for name in planes:
            for part in (f"{name}_0", f"{name}_1") if name in ("step", "leaf") else (name,):
                self.address[part] = ctypes.cast(getattr(self._library, f"lanes_{part}"), ctypes.c_void_p).value or 0


def compile_program(
    program: LaneProgram, *, routines: tuple[str, ...] = ("step", "goals"), only_kept: bool = False
) -> NativeCode | None:
    """Compile some routines of a program, or take them from the folder of kept code.

    Args:
        program: The program.
        routines: Which ones.
        only_kept: Compile nothing anew.

    Returns:
        None where there is no compiler, a routine is too large or has loops, or the compiler came to a limit.
    """
    compiler = find_compiler()
    if compiler is None:
        return None
    small = [
        name for name in routines if len(getattr(program, name).rows) <= MOST_OPERATIONS and not getattr(program, name).has_loops
    ]
    if "step" in routines and "step" not in small:
        return None
    words, lanes = native_words()
    writer = Writer(lanes // 8)
    planes = {name: writer.routine(name, getattr(program, name)) for name in small}
    text = writer.text()
    flags = ["-O1", "-fPIC", "-shared", "-fno-math-errno", "-w", *{"avx2": ["-mavx2"], "avx512": ["-mavx512f"]}.get(words, [])]
    key = hashlib.sha256("\0".join([str(VERSION), compiler_version(compiler), *flags, text]).encode()).hexdigest()
    folder = kept_folder()
    library = folder / f"{key}.so"
    if not _trusted(library) and (only_kept or not _compile(compiler, flags, text, library)):
        return None
    return NativeCode(library, words, lanes, planes)


def native_words() -> tuple[str, int]:
    """The widest words of this machine, and the lanes of one."""
    name = widths()[-1][0]
    return next((word, lanes) for word, lanes in widths() if word == name)


@cache
def find_compiler() -> str | None:
    """The C compiler, if there is one; PAIDIA_CC names another, or none if empty."""
    named = os.environ.get("PAIDIA_CC")
    if named is not None:
        return shutil.which(named) if named else None
    return next((found for name in ("cc", "gcc", "clang") if (found := shutil.which(name))), None)


@cache
def compiler_version(compiler: str) -> str:
    done = subprocess.run([compiler, "--version"], capture_output=True, text=True, timeout=20, check=False)
    return done.stdout.partition("\n")[0]


def kept_folder() -> Path:
    """Where compiled code is kept, for its owner alone."""
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = base / "paidia" / "lanes"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def _trusted(library: Path) -> bool:
    """Whether the file is there and nobody else can have written it."""
    for path in (library.parent, library):
        try:
            found = path.stat()
        except OSError:
            return False
        if hasattr(os, "getuid") and (found.st_uid != os.getuid() or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)):
            return False
    return True


def _compile(compiler: str, flags: list[str], text: str, library: Path) -> bool:
    with tempfile.TemporaryDirectory(prefix="paidia-lanes-") as folder:
        source, made = Path(folder) / "lanes.c", Path(folder) / "lanes.so"
        source.write_text(text)
        command = [sys.executable, "-I", str(Path(__file__).with_name("compiling.py")), *map(str, LIMITS)]
        command += [compiler, *flags, "-o", str(made), str(source)]
        try:
            done = subprocess.run(command, capture_output=True, timeout=2 * LIMITS[0], check=False)
        except subprocess.TimeoutExpired:
            return False
        if done.returncode or not made.exists():
            return False
        waiting = library.with_suffix(f".{os.getpid()}")
        shutil.copyfile(made, waiting)
        waiting.chmod(0o600)
        waiting.replace(library)
    return True


class Writer:
    """C text of routines."""

    def __init__(self, width: int) -> None:
        """`width`: bytes of a plane."""
        self.lines = [f"typedef unsigned long long V __attribute__((vector_size({width})));"]

    def text(self) -> str:
        return "\n".join(self.lines) + "\n"

    def routine(self, name: str, routine: Routine) -> int:
        """Add a routine; returns the planes it takes."""
        rows = routine.rows
        parts = (
            np.cumsum(rows[:, 0] == Op.MARK) - (rows[:, 0] == Op.MARK) if name in ("step", "leaf") else np.zeros(len(rows), int)
        )
        chunks: list[tuple[int, Any]] = []  # part, rows
        for part in range(int(parts.max()) + 1 if len(rows) else 1):
            mine = rows[parts == part]
            mine = mine[mine[:, 0] != Op.MARK]
            if part > 0 and not len(mine) and part > 1:
                continue
            chunks += [(part, mine[at : at + CHUNK]) for at in range(0, len(mine), CHUNK)] or [(part, mine)]
        crossing, n_planes = self._crossing(routine, [chunk for _, chunk in chunks])
        for number, (_, chunk) in enumerate(chunks):
            self._chunk(f"{name}_c{number}", routine, chunk, crossing)
        for part in (0, 1) if name in ("step", "leaf") else (0,):
            function = f"lanes_{name}_{part}" if name in ("step", "leaf") else f"lanes_{name}"
            calls = " ".join(f"{name}_c{number}(p);" for number, (owner, _) in enumerate(chunks) if owner == part)
            self.lines.append(f"void {function}(V* p) {{ {calls} }}")
        return n_planes

    @staticmethod
    def _crossing(routine: Routine, chunks: list[Any]) -> tuple[dict[int, int], int]:
        """Planes for the values that one chunk makes and another reads; planes are used again when nobody reads them any more."""
        made: dict[int, int] = {}
        last: dict[int, int] = {}
        for number, chunk in enumerate(chunks):
            for op, value, *inputs in chunk.tolist():
                for read in inputs[: _n_read(op)]:
                    if read >= routine.n_inputs and made[read] != number:
                        last[read] = number
                if op <= Op.ZERO:
                    made[value] = number
        ending: dict[int, list[int]] = {}
        for value, number in last.items():
            ending.setdefault(number, []).append(value)
        by_chunk: dict[int, list[int]] = {}
        for value in last:
            by_chunk.setdefault(made[value], []).append(value)
        place: dict[int, int] = {}
        free: list[int] = []
        top = routine.n_planes
        for number in range(len(chunks)):
            for value in by_chunk.get(number, ()):
                if free:
                    place[value] = free.pop()
                else:
                    place[value] = top
                    top += 1
            free += [place[value] for value in ending.get(number, ())]
        return place, top

    def _chunk(self, name: str, routine: Routine, chunk: Any, crossing: dict[int, int]) -> None:
        here: set[int] = set()
        lines = [f"static __attribute__((noinline)) void {name}(V* p) {{"]

        def read(value: int) -> str:
            if value not in here:
                here.add(value)
                lines.append(f"const V v{value} = p[{value if value < routine.n_inputs else crossing[value]}];")
            return f"v{value}"

        for op, value, i, j, k in chunk.tolist():
            if op in (Op.OUT, Op.OUT_NOT):
                found = read(i)
                lines.append(f"p[{j}] = {'~' if op == Op.OUT_NOT else ''}{found};")
                continue
            if op == Op.ZERO:
                made = "(V){0}"
            elif op == Op.NOT:
                made = "~" + read(i)
            elif op in TWO:
                made = TWO[op].format(read(i), read(j))
            else:
                made = THREE[op].format(read(i), read(j), read(k))
            lines.append(f"const V v{value} = {made};")
            here.add(value)
            if value in crossing:
                lines.append(f"p[{crossing[value]}] = v{value};")
        lines.append("}")
        self.lines.append("\n".join(lines))


def _n_read(op: int) -> int:
    if op <= Op.XOR:
        return 2
    if op <= Op.SELECT_NOT:
        return 3
    return 1 if op in (Op.NOT, Op.OUT, Op.OUT_NOT) else 0
