"""Code that is not part of paidia: things in files of a user, and in installed packages.

A *place* names a thing in a file or a module: `my_file.py:Forward`, `my_package.playouts:Forward`. Wherever the name of a
strategy, a tuner or a kind of player is expected, a place may stand. Installed packages announce theirs by entry points:

    [project.entry-points."paidia.strategies"]
    forward = "my_package.playouts"          # a module that registers what it has when it is imported

in the groups `paidia.games` (a game, or what makes one, under its name), `paidia.strategies`, `paidia.tuners`, `paidia.players`
(modules that register) and `paidia.worlds` (a `World`).
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.metadata
import importlib.util
import logging
import re
import sys
import traceback
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from paidia.core.errors import BadInput, did_you_mean

__all__ = ["absolute", "announced", "files_in", "is_place", "load_announced", "load_file", "load_place"]

_PLACE = re.compile(r"(?P<file>.+\.py)(?::(?P<thing>\w+))?|(?P<module>[A-Za-z_]\w*(?:\.\w+)+):(?P<name>\w+)", re.DOTALL)


def is_place(text: str) -> bool:
    """Whether a text names a thing in a file or a module."""
    return _PLACE.fullmatch(text) is not None


def absolute(text: str, folder: Path) -> str:
    """A place whose file is meant from a folder, with the whole path; any other text as it is."""
    match = _PLACE.fullmatch(text)
    if match is None or match["file"] is None or not (folder / match["file"]).is_file():
        return text
    file = str((folder / match["file"]).resolve())
    return f"{file}:{match['thing']}" if match["thing"] else file


def files_in(value: Any) -> dict[str, str]:
    """The Python files that settings name anywhere (`my_file.py:Forward`), each with a digest of what is in it now."""
    if isinstance(value, dict):
        return {file: digest for entry in value.values() for file, digest in files_in(entry).items()}
    if isinstance(value, list | tuple):
        return {file: digest for entry in value for file, digest in files_in(entry).items()}
    match = _PLACE.fullmatch(value) if isinstance(value, str) else None
    if match is None or match["file"] is None or not Path(match["file"]).is_file():
        return {}
    return {match["file"]: hashlib.sha256(Path(match["file"]).read_bytes()).hexdigest()[:16]}


def load_place(text: str) -> Any:
    """The thing that a place names; of a file without a thing, its module."""
    match = _PLACE.fullmatch(text)
    if match is None:
        raise BadInput(f"{text!r} names nothing: write FILE.py:NAME or PACKAGE.MODULE:NAME")
    if match["file"] is not None:
        module, name = load_file(match["file"]), match["thing"]
    else:
        try:
            module, name = importlib.import_module(match["module"]), match["name"]
        except ImportError as error:
            raise BadInput(f"{text}: {error}") from None
    if name is None:
        return module
    try:
        return getattr(module, name)
    except AttributeError:
        known = [word for word in vars(module) if not word.startswith("_")]
        hint = did_you_mean(name, known, otherwise=f"it has {', '.join(known) or 'nothing'}")
        raise BadInput(f"{text}: there is no {name} in it; {hint}") from None


def load_file(file: str) -> ModuleType:
    """The module in a file, imported once, and again when the file has changed."""
    path = Path(file).resolve()
    try:
        changed = path.stat().st_mtime_ns
    except OSError as error:
        raise BadInput(f"cannot read {file}: {error.strerror or error}") from None
    return _load_file(path, changed)


@cache
def _load_file(path: Path, changed: int) -> ModuleType:
    name = f"paidia_file_{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise BadInput(f"{path}: not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # pickles of its classes look there
    try:
        spec.loader.exec_module(module)
    except SyntaxError as error:
        del sys.modules[name]
        raise BadInput(f"{path}:{error.lineno or 0}: {error.msg}") from None
    except Exception as error:
        del sys.modules[name]
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
        place = f"{path}:{lines[-1]}" if lines else str(path)
        raise BadInput(f"{place}: {type(error).__name__}: {error}") from None
    return module


def announced(group: str) -> dict[str, importlib.metadata.EntryPoint]:
    """What installed packages announce in a group, by name; of two with one name the first counts."""
    found: dict[str, importlib.metadata.EntryPoint] = {}
    for entry in importlib.metadata.entry_points(group=group):
        found.setdefault(entry.name, entry)
    return found


@cache
def load_announced(group: str) -> dict[str, Any]:
    """All things of a group, loaded. One that does not load is told in a warning and left out: it must not stop the others."""
    things = {}
    for name, entry in announced(group).items():
        try:
            things[name] = entry.load()
        except Exception as error:
            package = entry.dist.name if entry.dist else "?"
            logging.getLogger("paidia").warning(
                "plug-in %s of package %s does not load: %s: %s", name, package, type(error).__name__, error
            )
    return things
