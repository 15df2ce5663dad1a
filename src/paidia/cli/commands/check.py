"""`paidia check`: is a rule file right?"""

from __future__ import annotations

from pathlib import Path

from paidia.cli.output import note, say
from paidia.core.errors import BadInput, PaidiaError, RuleError
from paidia.core.files import write_file
from paidia.games import worlds
from paidia.games.gdl.language.check import Advice
from paidia.games.gdl.language.format import format_file
from paidia.games.world import World


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
    if not worlds()["gdl"].is_file(str(file)):
        raise BadInput(f"{file}: only GDL sheets (.kif) can be formatted")
    text = format_file(file)
    if not write:
        print(text, end="")
        return
    write_file(file, text.encode())


def _check(file: Path) -> int:
    """Report on one file; the number of its errors."""
    try:
        findings = _world(file).check(file)
    except PaidiaError as error:
        findings = [error]
    errors = sum(not isinstance(finding, Advice) for finding in findings)
    for finding in findings:
        text = str(finding)
        if not isinstance(finding, RuleError) and str(file) not in text:
            text = f"{file}: {text}"
        note(text)
    if not errors:
        say(f"{file}: ok" + (f", {len(findings)} remark(s)" if findings else ""))
    return errors


def _world(file: Path) -> World:
    for world in worlds().values():
        if world.is_file(str(file)):
            return world
    raise BadInput(f"{file}: not a rule file; GDL sheets end in .kif, VGDL descriptions in .txt")
