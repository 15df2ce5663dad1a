"""What all tests share."""

from __future__ import annotations

import importlib.util
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from paidia.cli.main import main

# Speed is a benchmark, never a test: a busy machine must not make a property fail.
settings.register_profile("paidia", deadline=None)
settings.load_profile("paidia")

# A shell without job control makes what it starts in the background deaf to Ctrl-C, and tests press it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

_BESIDE = Path(__file__).resolve().parent.parent.parent / "shared"
if _BESIDE.is_dir():
    os.environ.setdefault("PAIDIA_REFERENCE", str(_BESIDE))


def reference_dir() -> Path | None:
    """The folder of reference data (rule sheets of others, golden records), if there is one."""
    named = os.environ.get("PAIDIA_REFERENCE")
    return Path(named) if named and Path(named).is_dir() else None


@pytest.fixture(scope="session")
def reference() -> Path:
    folder = reference_dir()
    if folder is None:
        pytest.skip("no reference data: set PAIDIA_REFERENCE to its folder")
    return folder


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Calls the command line as a user does: exit code, standard output and standard error."""

    def call(*arguments: object) -> tuple[int, str, str]:
        code = 0
        try:
            main([str(argument) for argument in arguments])
        except SystemExit as stop:
            code = int(stop.code or 0)
        out, err = capsys.readouterr()
        return code, out, err

    return call


#: The continuous integration runs the long forms, too (`make complete`).
COMPLETE = bool(os.environ.get("PAIDIA_COMPLETE"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long tests wait until everything is asked for."""
    for item in items:
        if not COMPLETE and item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.skip(reason="long: `make complete`, or PAIDIA_COMPLETE=1"))


#: What tests skip without, but not in the continuous integration (PAIDIA_COMPLETE=1): there nothing that is promised is skipped.
PROMISED = ("PIL", "cma", "gymnasium", "matplotlib", "optuna", "pettingzoo", "playwright", "polars", "pyspiel", "ray", "scipy",
            "starlette", "uvicorn", "websockets")  # fmt: skip


def pytest_sessionstart(session: pytest.Session) -> None:
    """Refuse an incomplete set of packages where completeness was asked for."""
    missing = [name for name in PROMISED if importlib.util.find_spec(name) is None]
    if COMPLETE and missing:
        raise pytest.UsageError(
            f"PAIDIA_COMPLETE: tests would be skipped for lack of {', '.join(missing)}; `make tools` installs them"
        )
