"""`paidia check`: is a rule file right?"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

from paidia.core.errors import BadInput, PaidiaError, RuleError
from paidia.games.gdl.language.check import Advice
from paidia.games.gdl.language.format import format_file

# Which world reads a kind of file; its module `check` has `check_file(path)`, which returns all findings.
_WORLDS = {".kif": "gdl", ".gdl": "gdl", ".txt": "vgdl"}


def run(*files: Path, format: bool = False, write: bool = False) -> None:
    """Check rule files; every finding is a line `file:line:column: message`. Exits with 2 where one is an error.

    Args:
        files: GDL rule sheets (.kif) or VGDL descriptions (.txt).
        format: Print each GDL sheet in the common style, instead of checking it.
        write: With --format: rewrite the files in that style instead of printing them.
    """
    if not files:
        raise BadInput("name at least one rule file, such as `paidia check game.kif`")
    if write and not format:
        raise BadInput("--write goes with --format")
    errors = 0
    for file in files:
        if format:
            _format(file, write)
        else:
            errors += _check(file)
    if errors:
        raise SystemExit(2)


def _format(file: Path, write: bool) -> None:
    if _WORLDS.get(file.suffix.lower()) != "gdl":
        raise BadInput(f"{file}: only GDL sheets (.kif) can be formatted")
    text = format_file(file)
    if not write:
        print(text, end="")
        return
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{file}: {error.strerror or error}") from None


def _check(file: Path) -> int:
    """Report on one file; the number of its errors."""
    try:
        findings: list[PaidiaError] = list(_checker(file).check_file(file))
    except PaidiaError as error:
        findings = [error]
    errors = sum(not isinstance(finding, Advice) for finding in findings)
    for finding in findings:
        text = str(finding)
        if not isinstance(finding, RuleError) and str(file) not in text:
            text = f"{file}: {text}"
        print(text, file=sys.stderr)
    if not errors:
        print(f"{file}: ok" + (f", {len(findings)} remark(s)" if findings else ""))
    return errors


def _checker(file: Path) -> ModuleType:
    world = _WORLDS.get(file.suffix.lower())
    if world is None:
        raise BadInput(f"{file}: not a rule file; GDL sheets end in .kif, VGDL descriptions in .txt")
    try:
        return importlib.import_module(f"paidia.games.{world}.language.check")
    except ModuleNotFoundError:
        raise BadInput(f"{file}: this version of paidia has no checker for {world} files") from None
