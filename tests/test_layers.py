"""The import rules hold in Cython files too (import-linter reads only Python)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "paidia"

#: package -> the packages of ours that its kernels may import, besides itself
ALLOWED = {
    "core": set(),
    "games": {"core"},
    "search": {"core"},
    "control": {"core"},
    "connect": {"core", "games"},
    "testing": {"core", "control", "search"},
}

KERNELS = sorted(path for ending in ("*.pyx", "*.pxd") for path in SOURCE.rglob(ending) if path.parent != SOURCE)


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_kernel_imports_only_what_its_layer_may(path: Path) -> None:
    package = path.relative_to(SOURCE).parts[0]
    assert package in ALLOWED, f"kernels live in {', '.join(ALLOWED)}"
    named = set(re.findall(r"^\s*(?:from|cimport|import)\s+paidia\.(\w+)", path.read_text(), flags=re.MULTILINE))
    assert named <= ALLOWED[package] | {package}


def test_every_kernel_that_python_calls_tells_its_types() -> None:
    callers = "".join(path.read_text(encoding="utf-8") for ending in ("*.py", "*.pyi") for path in SOURCE.rglob(ending))
    imported = {f"{place}.{name}" for place, name in re.findall(r"from (paidia[\w.]*) import (\w+)", callers)}
    imported |= set(re.findall(r"(?:from|import) (paidia[\w.]*)", callers))
    silent = [path for path in KERNELS if path.suffix == ".pyx" and not path.with_suffix(".pyi").exists()]
    names = [".".join(("paidia", *path.relative_to(SOURCE).with_suffix("").parts)) for path in silent]
    assert [name for name in names if name in imported] == []
