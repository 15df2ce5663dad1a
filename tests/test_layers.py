"""The import rules hold in Cython files too (import-linter reads only Python)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "paidia"

#: package -> the packages of ours that its kernels may import, besides itself
ALLOWED = {"core": set(), "games": {"core"}, "search": {"core"}, "control": {"core"}, "testing": {"core", "control", "search"}}

KERNELS = sorted(path for ending in ("*.pyx", "*.pxd") for path in SOURCE.rglob(ending) if path.parent != SOURCE)


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_kernel_imports_only_what_its_layer_may(path: Path) -> None:
    package = path.relative_to(SOURCE).parts[0]
    assert package in ALLOWED, f"kernels live in {', '.join(ALLOWED)}"
    named = set(re.findall(r"^\s*(?:from|cimport|import)\s+paidia\.(\w+)", path.read_text(), flags=re.MULTILINE))
    assert named <= ALLOWED[package] | {package}


def test_every_kernel_tells_python_its_types() -> None:
    missing = [path.name for path in KERNELS if path.suffix == ".pyx" and not path.with_suffix(".pyi").exists()]
    assert missing == []
