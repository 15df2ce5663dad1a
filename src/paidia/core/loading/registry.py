"""Registration beside the code: a new game, strategy or agent is one file, and no central list knows it.

    SELECTIONS: Registry[Selection] = Registry("selection strategy", package="paidia.search.selection")

    @SELECTIONS.register("ucb1")          # in search/selection/ucb1.py(x)
    class Ucb1(Selection): ...

Looking a name up imports every module of the registry's packages once, so that each has had its chance to register, and the
modules that installed packages announce, where it has a group of them: then a place (`my_file.py:Forward`, see `plugins`) is a
name as well.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from paidia.core.errors import UnknownName
from paidia.core.loading.kernels import check_compiled
from paidia.core.loading.plugins import is_place, load_announced, load_place

__all__ = ["Registry"]

T = TypeVar("T")


class Registry(Generic[T]):
    """Names -> things of one kind, filled by the modules of one package, or of several."""

    def __init__(self, kind: str, *, package: str | tuple[str, ...], announced: str = "") -> None:
        self.kind = kind
        self.announced = announced  # the group of entry points
        self.packages = (package,) if isinstance(package, str) else package
        self._things: dict[str, T] = {}
        self._loaded = False

    def register(self, name: str) -> Callable[[T], T]:
        """A decorator that enters its object under `name`; a name can be taken once only."""

        def enter(thing: T) -> T:
            self.add(name, thing)
            return thing

        return enter

    def add(self, name: str, thing: T) -> None:
        """Enter `thing` under `name` (the form for Cython classes, which take no decorators)."""
        if name in self._things:
            raise ValueError(f"{self.kind} {name!r} is registered twice")
        self._things[name] = thing

    def _load(self) -> None:
        if self._loaded:
            return
        self._loaded = True
        try:
            for name in self.packages:
                package = importlib.import_module(name)
                for module in pkgutil.iter_modules(package.__path__, name + "."):
                    importlib.import_module(module.name)
            if self.announced:
                load_announced(self.announced)
        except BaseException:  # a module that does not import is told every time, not only the first
            self._loaded = False
            raise

    def __getitem__(self, name: str) -> T:
        if self.announced and is_place(name):
            thing: T = load_place(name)
            return thing
        self._load()
        try:
            return self._things[name]
        except KeyError:
            self._check_whole()
            raise UnknownName(self.kind, name, self._things) from None

    def __contains__(self, name: object) -> bool:
        if self.announced and isinstance(name, str) and is_place(name):
            return True
        self._load()
        if name not in self._things:
            self._check_whole()
        return name in self._things

    def _check_whole(self) -> None:
        """Refuse to say what there is not, or all that there is, while a module is not compiled."""
        for name in self.packages:
            check_compiled(importlib.import_module(name))

    def __iter__(self) -> Iterator[str]:
        self._load()
        self._check_whole()
        return iter(sorted(self._things))
