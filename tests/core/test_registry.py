"""Registries: one file is one entry, and no list knows it."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from paidia.core.errors import UnknownName
from paidia.core.loading.registry import Registry

COUNT = itertools.count()
Packages = Callable[..., Registry[object]]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Packages:
    """Makes a package of modules from their texts, and the registry that they fill."""

    def make(**modules: str) -> Registry[object]:
        name = f"registered_{next(COUNT)}"
        folder = tmp_path / name
        folder.mkdir()
        (folder / "__init__.py").write_text(
            f"from paidia.core.loading.registry import Registry\nTHINGS = Registry('thing', package={name!r})\n"
        )
        for module, text in modules.items():
            (folder / f"{module}.py").write_text(f"from {name} import THINGS\n{text}\n")
        monkeypatch.syspath_prepend(tmp_path)
        registry: Registry[object] = __import__(name).THINGS
        return registry

    return make


def test_looking_up_imports_every_module_once(package: Packages) -> None:
    things = package(one="THINGS.add('a', 1)", two="@THINGS.register('b')\nclass B: pass")
    assert things["a"] == 1
    assert list(things) == ["a", "b"]
    assert things["b"].__name__ == "B"  # type: ignore[attr-defined]
    assert "a" in things and "c" not in things and 3 not in things


def test_a_new_file_is_a_new_entry(package: Packages) -> None:
    assert list(package(one="")) == []
    assert list(package(one="", another="THINGS.add('x', 0)")) == ["x"]


def test_a_name_is_taken_once(package: Packages) -> None:
    things = package(one="THINGS.add('a', 1)")
    assert "a" in things
    with pytest.raises(ValueError, match="thing 'a' is registered twice"):
        things.add("a", 2)
    with pytest.raises(ValueError, match="registered twice"):
        things.register("a")(3)
    assert things["a"] == 1


def test_an_unknown_name_offers_the_nearest(package: Packages) -> None:
    things = package(one="THINGS.add('monte-carlo', 1)\nTHINGS.add('temporal', 2)")
    with pytest.raises(UnknownName, match="unknown thing 'montecarlo'; did you mean 'monte-carlo'"):
        things["montecarlo"]


def test_a_module_that_does_not_import_is_told_every_time(package: Packages) -> None:
    things = package(broken="raise RuntimeError('half a file')")
    for _ in range(2):
        with pytest.raises(RuntimeError, match="half a file"):
            things["a"]
    broken = Path(sys.modules[things.packages[0]].__file__ or "").parent / "broken.py"
    broken.write_text(f"from {things.packages[0]} import THINGS\nTHINGS.add('a', 1)")
    assert things["a"] == 1
