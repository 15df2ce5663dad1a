"""No memory in the C++ of the GDL kernels: whichever `new` fails, the process lives, says MemoryError or is right all the same,
and goes on afterwards. (`core/machine/memory` counts what kernels take from C; `new` is replaced for a process of its own.)
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import paidia

NEW = """
#include <cstdlib>
#include <new>
static long first_to_fail = 0, made = 0;
extern "C" void arm(long n) { made = 0; first_to_fail = n; }
extern "C" long disarm() { first_to_fail = 0; return made; }
void* operator new(std::size_t size) {
    void* block = first_to_fail && ++made >= first_to_fail ? nullptr : std::malloc(size ? size : 1);
    if (!block) throw std::bad_alloc();
    return block;
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
"""

ATTACK = """
import ctypes, sys
from paidia.core.errors import BadInput
from paidia.games.gdl.interpreter.interpreter import load as interpret
from paidia.games.gdl.language.rules import parse_sheet
from paidia.games.gdl.lanes.compile.build import build_program
from paidia.games.gdl.library import LIBRARY
from paidia.games.gdl.net.ground import NetLimits, ground
from paidia.games.gdl.net.kernel import NetGame
from paidia.games.gdl.net.machine import Machine
from paidia.games.gdl.net.net import build_net

library = ctypes.CDLL(sys.argv[1])
sheet = parse_sheet(LIBRARY.text("tic-tac-toe"))
rules = ground(sheet, NetLimits())
game = interpret(sheet, "t")

def played(game):
    state = game.initial_state()
    copy = state.clone()
    length = copy.random_playout(1)
    goals = copy.goals
    copy.copy_from(state)
    for _ in range(3):
        copy.play([legal[0] if (legal := copy.legal(role)) else None for role in range(2)])
    return length, goals, copy.to_text(), game.from_text(copy.to_text()).legal(0)

WORK = {
    "interpreted": lambda: played(game),
    "prepared": lambda: played(interpret(sheet, "t")),
    "net": lambda: played(NetGame("t", Machine(build_net(sheet, rules, NetLimits())))),
    "lanes": lambda: build_program(NetGame("t", Machine(build_net(sheet, rules, NetLimits())))).n_fluents,
}
work = WORK[sys.argv[2]]
want = work()
n = failed = 0
while True:
    n += 1 + n // int(sys.argv[3])
    library.arm(n)
    try:
        told = work()
    except MemoryError:
        told = None
    except BadInput as error:
        assert "memory" in str(error), error
        told = None
    made = library.disarm()
    assert told is None or told == want, (n, told)
    if n % 7 == 0:
        assert work() == want, n
    if made < n:
        break
    failed += told is None
assert told == want
print(made, failed)
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("c++") or shutil.which("g++")
    if compiler is None or not sys.platform.startswith("linux") or os.environ.get("PAIDIA_SANITIZED"):
        pytest.skip("`new` is replaced with a compiler and the dynamic linker of Linux, where no sanitizer does so too")
    folder = tmp_path_factory.mktemp("new")
    (folder / "new.cpp").write_text(NEW)
    subprocess.run([compiler, "-shared", "-fPIC", "-o", folder / "new.so", folder / "new.cpp"], check=True)
    return folder / "new.so"


@pytest.mark.parametrize(("work", "few"), [("interpreted", 40), ("prepared", 12), ("net", 12), ("lanes", 6)])
def test_whichever_allocation_fails(library: Path, work: str, few: int) -> None:
    here = {**os.environ, "LD_PRELOAD": str(library), "PYTHONPATH": str(Path(paidia.__file__).parent.parent)}
    done = subprocess.run([sys.executable, "-c", ATTACK, library, work, str(few)], env=here, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    assert not done.stderr, "what went wrong was told to nobody but the terminal"
    made, failed = map(int, done.stdout.split())
    assert made > 50 and failed > 10
