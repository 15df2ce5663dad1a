"""A package that can be called: `paidia.search` is where searches live, and `paidia.search(state, ...)` searches."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any

__all__ = ["make_callable"]


class _Callable(ModuleType):
    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """The function of `paidia.api` with the package's own name."""
        return getattr(importlib.import_module("paidia.api"), self.__name__.rpartition(".")[2])(*arguments, **options)


def make_callable(name: str) -> None:
    """Let a call of the package `name` mean the function of the public face that has the same name."""
    sys.modules[name].__class__ = _Callable
