"""What a newcomer does first, each as a script of its own, run in an empty folder.

`PAIDIA_PYTHON` may name another interpreter: one of a virtual environment in which a wheel was installed. Then nothing of this
folder is on its path.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SCRIPTS = sorted((HERE / "scripts").glob("*.py"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_runs_in_an_empty_folder(script: Path, tmp_path: Path) -> None:
    other = os.environ.get("PAIDIA_PYTHON")
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    arguments = []
    if other is None:
        environment["PYTHONPATH"] = str(HERE.parent / "src")
        arguments = [str(HERE.parent / "papers")] if script.stem == "paper_table" else []
        if script.stem == "pettingzoo_loop":
            pytest.importorskip("pettingzoo")
        if script.stem == "pyspiel_loop":
            pytest.importorskip("pyspiel")
    run = [other or sys.executable, str(script), *arguments]
    told = subprocess.run(run, capture_output=True, text=True, cwd=tmp_path, env=environment, timeout=200)
    assert told.returncode == 0, told.stderr
    assert told.stdout.splitlines()[-1].startswith("done")
