"""The documentation: the site builds without a warning, and what it shows can be done."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import warm
from docs.pages import COMPLETE, ROOT


@pytest.mark.slow
def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs")
    pytest.importorskip("mkdocs_jupyter")
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    (tmp_path / "src").symlink_to(ROOT / "src")
    subprocess.run([sys.executable, str(ROOT / "tools" / "write_reference.py"), str(tmp_path / "docs" / "reference")], check=True)
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(ROOT / "src")}
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "-q", "-d", str(tmp_path / "site")]
    told = subprocess.run(build, capture_output=True, text=True, cwd=tmp_path, env=environment)
    assert told.returncode == 0 and "WARNING" not in told.stderr, told.stderr
    for page in ("index", "reference/python", "reference/command_line", "tutorials/teacher"):
        assert (tmp_path / "site" / f"{page}.html").stat().st_size > 5000
    assert "initial_state" in (tmp_path / "site" / "reference" / "python.html").read_text(encoding="utf-8")


@pytest.mark.longer
@pytest.mark.parametrize("name", ["researcher", "teacher", "competitor", "rl_engineer"])
def test_a_tutorial_runs_from_top_to_bottom(name: str, tmp_path: Path) -> None:
    """Its cells as one script; in the continuous integration in a notebook's own kernel, too."""
    book = ROOT / "docs" / "tutorials" / f"{name}.ipynb"
    cells = [cell for cell in json.loads(book.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert cells and not any(cell["outputs"] for cell in cells)
    (tmp_path / "cells").write_text("\n".join("".join(cell["source"]) for cell in cells))
    (tmp_path / "book.py").write_text(
        'if __name__ == "__main__":\n    exec(open("cells").read(), globals())\n'
    )  # workers import it
    code, said = warm.run("book.py", cwd=tmp_path, env={"PYTHONPATH": str(ROOT / "src")})
    assert code == 0, said
    if COMPLETE:
        pytest.importorskip("nbclient")
        pytest.importorskip("ipykernel")
        script = (
            "import nbformat, nbclient, sys\n"
            "nbclient.NotebookClient(nbformat.read(sys.argv[1], 4), timeout=200, kernel_name='python3').execute()\n"
        )
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
        told = subprocess.run(
            [sys.executable, "-c", script, str(book)], capture_output=True, text=True, cwd=ROOT, env=environment
        )
        assert told.returncode == 0, told.stderr[-2000:]
