"""One definition for a setting: a table as TOML gives it becomes a typed, frozen structure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from paidia.core.errors import BadInput, did_you_mean

__all__ = ["read_settings"]

S = TypeVar("S", bound=msgspec.Struct)


def read_settings(kind: type[S], table: Mapping[str, Any], *, where: str) -> S:
    """Turn a table as TOML gives it into settings of type `kind`; `where` names the table in errors."""
    known = kind.__struct_fields__
    for key in table:
        if key not in known:
            hint = did_you_mean(key, known, otherwise=f"it has {', '.join(known)}", most=1)
            raise BadInput(f"{where} has no setting {key!r}; {hint}")
    try:
        return msgspec.convert(dict(table), kind)
    except msgspec.ValidationError as error:
        raise BadInput(f"{where}: {error}") from None
