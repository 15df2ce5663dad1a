"""`paidia conform`: replay golden data of reference reasoners and engines."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Literal

from paidia.cli.output import note, print_json, say
from paidia.core.errors import BadInput


def run(world: Literal["gdl", "vgdl"], rules: Path, golden: Path, /, *, json: bool = False) -> None:
    """Replay golden data and compare; exits with 1 where anything differs.

    Args:
        world: Whose rules: gdl or vgdl.
        rules: Folder of the rule files.
        golden: Folder of the golden data.
        json: Print one JSON document.
    """
    for folder in (rules, golden):
        if not folder.is_dir():
            raise BadInput(f"{folder}: no such folder")
    module = importlib.import_module("paidia.games.gdl.conform" if world == "gdl" else "paidia.games.vgdl.views.conform")
    passed, failures = 0, []
    for id, ok, message in module.conform(rules, golden):
        passed += ok
        if not ok:
            failures.append({"record": id, "message": message})
            note(f"differs: {id}: {message}")
    if json:
        print_json({"passed": passed, "failed": len(failures), "failures": failures})
    else:
        say(f"{passed} passed, {len(failures)} failed")
    if failures:
        raise SystemExit(1)
