"""What all tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def reference_dir() -> Path | None:
    """The folder of reference data (rule sheets of others, golden records), if there is one."""
    named = os.environ.get("PAIDIA_REFERENCE")
    folder = Path(named) if named else Path(__file__).resolve().parent.parent.parent / "shared"
    return folder if folder.is_dir() else None


@pytest.fixture(scope="session")
def reference() -> Path:
    folder = reference_dir()
    if folder is None:
        pytest.skip("no reference data: set PAIDIA_REFERENCE to its folder")
    return folder
