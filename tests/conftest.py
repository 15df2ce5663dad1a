"""Fixtures for all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def reference() -> Path:
    """The folder of reference rules and golden data; tests that need it are skipped where it is absent."""
    folder = Path(os.environ.get("PAIDIA_REFERENCE") or Path(__file__).resolve().parents[2] / "shared")
    if not folder.is_dir():
        pytest.skip("reference data not found: set PAIDIA_REFERENCE to its folder")
    return folder
