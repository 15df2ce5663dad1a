"""Everything that fuzzing ever found stays right, and a short round of fresh cases runs with every suite."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from fuzz_targets import EXPECTED, TARGETS, seeds
from fuzzing import fuzz, mutate, run_case

CORPUS = Path(__file__).parent / "corpus"
CASES = int(os.environ.get("PAIDIA_FUZZ_CASES", "150"))
FOUND = sorted(file for file in CORPUS.glob("*/*"))


@pytest.mark.parametrize("file", FOUND, ids=lambda file: f"{file.parent.name}-{file.name}")
def test_what_was_found_stays_right(file: Path) -> None:
    _, find = run_case(TARGETS[file.parent.name], file.read_bytes(), EXPECTED.get(file.parent.name, ()))
    assert find is None, find.what


@pytest.mark.parametrize("name", TARGETS)
def test_fresh_cases(name: str) -> None:
    cases = CASES // 3 if name in ("command", "gdl", "sheet") else CASES  # they take longest
    number, outcomes, finds = fuzz(TARGETS[name], seeds(name), cases=cases, seed=1, expected=EXPECTED.get(name, ()), traced=0.05)
    assert number == cases
    assert outcomes > 1
    assert not finds, f"{finds[0].what}\n{finds[0].data[:2000]!r}"


def test_the_fuzzer_finds_what_there_is() -> None:
    """A target with three faults, of which one needs two changes, the first of them told by what the target says."""

    def target(data: bytes) -> str:
        if b"[" in data:
            raise KeyError("one")
        if b"?x" in data and b"role" in data:
            raise ZeroDivisionError
        if len(data) > 600:
            raise MemoryError
        return "half of it" if b"?x" in data else "nothing"

    _, outcomes, finds = fuzz(target, [b"some words (here) 12"], cases=2_000, seed=2)
    found = {find.what.strip().splitlines()[-1].split(":")[0] for find in finds}
    assert found == {"KeyError", "ZeroDivisionError", "MemoryError"}
    assert outcomes == 5


def test_mutations_are_repeatable() -> None:
    pool = [b"abc def", b"(role x)"]
    assert [mutate(pool[0], pool, random.Random(i)) for i in range(50)] == [
        mutate(pool[0], pool, random.Random(i)) for i in range(50)
    ]
