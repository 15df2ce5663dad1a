"""The n-th set bit: what every processor computes, and the instruction that some have for it."""

from __future__ import annotations

import ctypes
import random
import shutil
import subprocess
from pathlib import Path

import pytest

import paidia

SOURCE = """
#include "paidia/core/machine/bits.h"
int chosen(uint64_t x, int n) { return paidia_nth(x, n); }
int portable(uint64_t x, int n) {
    int had = paidia_has_pdep, place;
    paidia_has_pdep = 0;
    place = paidia_nth(x, n);
    paidia_has_pdep = had;
    return place;
}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler to build the header alone with")
    folder = tmp_path_factory.mktemp("bits")
    (folder / "bits.c").write_text(SOURCE)
    include = Path(paidia.__file__).parents[1]
    flags = ["-O2", "-shared", "-fPIC", f"-I{include}"]
    subprocess.run([compiler, *flags, "-o", str(folder / "bits.so"), str(folder / "bits.c")], check=True)
    loaded = ctypes.CDLL(str(folder / "bits.so"))
    for name in ("portable", "chosen"):
        function = getattr(loaded, name)
        function.argtypes, function.restype = [ctypes.c_uint64, ctypes.c_int], ctypes.c_int
    return loaded


@pytest.mark.parametrize("name", ["portable", "chosen"])
def test_nth(library, name):
    rng = random.Random(1)
    words = [2**64 - 1, 1, 2**63, 0x8000000000000001, 0xFF, 0xFF << 56]
    words += [rng.getrandbits(64) & rng.getrandbits(64) for _ in range(500)]
    words += [rng.getrandbits(64) | rng.getrandbits(64) for _ in range(500)]
    words += [sum(1 << rng.randrange(64) for _ in range(3)) % 2**64 for _ in range(200)]
    for word in filter(None, words):
        places = [place for place in range(64) if word >> place & 1]
        assert [getattr(library, name)(word, n) for n in range(len(places))] == places
