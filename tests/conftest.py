"""What all tests share."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from hypothesis import settings

from paidia.cli.main import main

# Speed is a benchmark, never a test: a busy machine must not make a property fail.
settings.register_profile("paidia", deadline=None)
settings.load_profile("paidia")

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


#: In the continuous integration nothing that is promised may be skipped: a package that is missing is a failure.
_COMPLETE = bool(os.environ.get("PAIDIA_COMPLETE"))
_MISSING = ("could not import", "is not installed")


def _missing(report: pytest.TestReport | pytest.CollectReport) -> bool:
    return _COMPLETE and report.skipped and any(words in str(report.longrepr) for words in _MISSING)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if _missing(report):
        report.outcome = "failed"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if _missing(report):
        report.outcome, report.longrepr = "failed", str(report.longrepr)
    return report
