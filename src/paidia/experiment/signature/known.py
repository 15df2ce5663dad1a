"""Parts of the signature without playing their suites each time: a version of paidia has one signature as long as its files are
the same. They are remembered in the user's cache (`XDG_CACHE_HOME`, or `~/.cache`), under a number that all files of the package
go into; where that cannot be written, they are simply found out again.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import msgspec

import paidia
from paidia.core.files import replacing
from paidia.experiment.signature.suite import part

__all__ = ["known_parts"]


def known_parts(names: Iterable[str]) -> dict[str, int]:
    """Some parts of the signature by name."""
    return {name: _known(name) for name in names}


@cache
def _known(name: str) -> int:
    file = _file()
    known: dict[str, int] = {}
    with contextlib.suppress(OSError, msgspec.DecodeError, UnicodeDecodeError):
        known = msgspec.json.decode(file.read_bytes(), type=dict[str, int])
    if name not in known:
        known[name] = part(name)
        with contextlib.suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
            with replacing(file, lasting=False) as fresh:
                fresh.write_bytes(msgspec.json.encode(known))
    return known[name]


@cache
def _file() -> Path:
    """Where the parts of this very package are kept."""
    folder = Path(paidia.__file__).parent
    digest = hashlib.sha256(paidia.__version__.encode())
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".so", ".pyd", ".py", ".toml", ".kif", ".txt"):
            facts = path.stat()
            digest.update(f"{path.relative_to(folder)} {facts.st_size} {facts.st_mtime_ns}\n".encode())
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(base) / "paidia" / f"signature-{digest.hexdigest()[:16]}.json"
