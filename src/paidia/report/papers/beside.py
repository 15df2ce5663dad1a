"""TOML files of lists beside a paper's plans: `claims.toml`, `explained.toml`."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TypeVar, get_args

import msgspec

from paidia.core.errors import RuleError, unknown_key

__all__ = ["read_lists"]

Lists = TypeVar("Lists", bound=msgspec.Struct)


def read_lists(file: Path, kind: type[Lists], whole: str) -> Lists:
    """A file whose keys are lists of structs; empty ones if it is not there.

    Args:
        file: Where it should be.
        kind: What it holds.
        whole: What to call it in an error.
    """
    if not file.exists():
        return kind()
    try:
        return msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), kind)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise RuleError(f"cannot read it: {error}", file=str(file)) from None
    except msgspec.ValidationError as error:
        keys = {"$": _keys(kind)}
        for field in msgspec.structs.fields(kind):
            (entry,) = get_args(field.type)
            keys[field.encode_name] = _keys(entry)
        raise RuleError(unknown_key(str(error), keys, whole=whole) or f"not {whole}: {error}", file=str(file)) from None


def _keys(kind: type[msgspec.Struct]) -> list[str]:
    return [field.encode_name for field in msgspec.structs.fields(kind)]
