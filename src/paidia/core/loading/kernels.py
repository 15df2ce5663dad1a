"""A kernel that is not compiled says so: its name, and what compiles it.

In a checkout `make demo` compiles what a first look needs, and `make build` everything; a folder that was copied without its
compiled files has none. Python would only say that there is no such module, and a registry would find fewer names than there are.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec
from pathlib import Path
from types import ModuleType

from paidia.core.errors import PaidiaError

__all__ = ["NotCompiled", "check_compiled", "watch_imports"]

PACKAGE = Path(__file__).parents[2]


class NotCompiled(PaidiaError, ImportError):
    """A part of paidia that has not been compiled yet."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is not compiled yet: `make build` in {PACKAGE.parents[1]} compiles what is missing")


class _Kernels(MetaPathFinder):
    """Asked last, for what nobody else found."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name.startswith("paidia.") and PACKAGE.joinpath(*name.split(".")[1:]).with_suffix(".pyx").is_file():
            raise NotCompiled(name)
        return None


def watch_imports() -> None:
    """From now on an import of a kernel that is not compiled raises `NotCompiled`."""
    if not any(isinstance(finder, _Kernels) for finder in sys.meta_path):
        sys.meta_path.append(_Kernels())


def check_compiled(package: ModuleType) -> None:
    """Refuse a package of which a kernel is missing: a list of what it holds would be wrong."""
    for folder in map(Path, package.__path__):
        for source in sorted(folder.glob("*.pyx")):
            if not any(source.with_name(source.stem + suffix).exists() for suffix in EXTENSION_SUFFIXES):
                raise NotCompiled(f"{package.__name__}.{source.stem}")
