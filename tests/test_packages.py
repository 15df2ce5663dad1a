"""What people install: the source distribution is whole, and the wheel made from it works in an empty environment.

The kernels are not compiled again for it. A kernel is known by the contents of all files it is made of (see setup.py): if the
source distribution holds the same files, those compiled in this repository are taken; a missing or different one would be
compiled there, which is slower, and fails if something is missing.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]
KERNELS = ROOT / "build" / "kernels.json"
SCRIPTS = sorted((ROOT / "tests" / "scripts").glob("*.py"))
EXTRAS = ("rl", "openspiel")
#: In the continuous integration nothing is linked: pip installs.
COMPLETE = bool(os.environ.get("PAIDIA_COMPLETE"))
MADE = {".so", ".pyd", ".c", ".cpp", ".pyc"}  # what is made from the sources

pytestmark = pytest.mark.skipif(not KERNELS.exists(), reason="kernels were not compiled in place here: `make build`")


def setup(folder: Path, *arguments: object) -> str:
    """Runs a command of setup.py."""
    command = [sys.executable, "setup.py", *map(str, arguments)]
    environment = {**os.environ, "PAIDIA_OPT": "0"}  # whatever is compiled in place will do
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked source distribution."""
    folder = tmp_path_factory.mktemp("source")
    setup(ROOT, "-q", "egg_info", "--egg-base", folder, "sdist", "--formats", "gztar", "-d", folder)
    (packed,) = folder.glob("*.tar.gz")
    assert packed.stat().st_size < 5_000_000
    with tarfile.open(packed) as tar:
        tar.extractall(folder, filter="data")
    (unpacked,) = folder.glob("paidia-*/")
    return unpacked


@pytest.fixture(scope="module")
def wheel(sources: Path) -> Path:
    """The wheel, made from the source distribution."""
    for kernel in (file for file in (ROOT / "src").rglob("*") if file.suffix in {".so", ".pyd"}):
        shutil.copy(kernel, sources / kernel.relative_to(ROOT))
    (sources / "build").mkdir()
    shutil.copy(KERNELS, sources / "build")
    said = setup(sources, "-q", "bdist_wheel", "-d", sources.parent)
    assert "compiling" not in said, f"the source distribution differs from the repository, or kernels are out of date: {said}"
    (made,) = sources.parent.glob("*.whl")
    return made


def test_the_source_distribution_holds_every_source(sources: Path) -> None:
    for top in ("src", "papers", "tests", "examples", "tools", "docs", "benchmarks"):
        for file in (ROOT / top).rglob("*"):
            generated = file.suffix in MADE or file.name == "all.pxi" or "__pycache__" in file.parts or ".egg-info" in str(file)
            assert (sources / file.relative_to(ROOT)).is_file() != generated or file.is_dir(), file
    for name in ("pyproject.toml", "setup.py", "Makefile", "README.md", "LICENSE", "MANIFEST.in"):
        assert (sources / name).is_file()


def test_the_wheel_holds_what_runs_and_nothing_that_was_needed_to_make_it(wheel: Path) -> None:
    assert wheel.stat().st_size < 8_000_000
    with zipfile.ZipFile(wheel) as zipped:
        names = {Path(name) for name in zipped.namelist()}
    assert not [name for name in names if name.suffix in {".c", ".cpp", ".pyx", ".pxi"}]
    kernels = {name.with_name(name.name.split(".")[0]) for name in names if name.suffix in {".so", ".pyd"}}
    written = {file.relative_to(ROOT / "src").with_suffix("") for file in (ROOT / "src").rglob("*.pyx")}
    assert kernels == written | {Path("paidia/_cyutility")}
    data = [
        file for file in (ROOT / "src" / "paidia").rglob("*") if file.suffix in {".toml", ".kif", ".txt", ".pyi", ".pxd", ".py"}
    ]
    assert {file.relative_to(ROOT / "src") for file in data} <= names
    papers = [file for file in (ROOT / "papers").rglob("*") if file.suffix in {".toml", ".csv"}]
    plans = {Path("paidia") / file.relative_to(ROOT) for file in papers}
    assert plans and plans <= names


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an empty environment in which the wheel was installed with some extras.

    What the wheel asks for is linked from where it is installed already. In the continuous integration pip installs all of it.
    """
    home = tmp_path_factory.mktemp("environment")
    if COMPLETE:
        subprocess.run([sys.executable, "-m", "venv", home], check=True)
        python = next(home.glob("[bS]*/python*"))
        install = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", f"{wheel}[{','.join(EXTRAS)}]"]
        subprocess.run(install, check=True)
        return python
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", home], check=True)
    python = next(home.glob("[bS]*/python*"))
    (packages,) = (Path(path) for path in _ask(python, "import site; print(site.getsitepackages()[0])"))
    with zipfile.ZipFile(wheel) as zipped:
        zipped.extractall(packages)
    for name in _dependencies("paidia", *EXTRAS):
        _link(name, packages)
    return python


@pytest.mark.longer
def test_an_empty_environment_with_the_wheel_plays(python: Path, tmp_path: Path) -> None:
    done = subprocess.run([python, ROOT / "tools" / "try_wheel.py"], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_first_script_runs_in_an_empty_folder(script: Path, python: Path, tmp_path: Path) -> None:
    """What a newcomer does first, with the installed package and nothing of this folder in reach."""
    alone = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "PAIDIA_REFERENCE", "PAIDIA_PAPERS"}}
    if script.stem == "pettingzoo_loop":
        pytest.importorskip("pettingzoo")
    if script.stem == "pyspiel_loop":
        pytest.importorskip("pyspiel")
    told = subprocess.run([python, script], capture_output=True, text=True, cwd=tmp_path, env=alone, timeout=400)
    assert told.returncode == 0, told.stderr
    assert told.stdout.splitlines()[-1].startswith("done")


def _ask(python: Path, script: str) -> list[str]:
    return subprocess.run([python, "-c", script], capture_output=True, text=True, check=True).stdout.split()


def _dependencies(name: str, *extras: str) -> set[str]:
    """What an installed distribution needs with some extras, and what that needs; extras that are not here are left out."""
    found: set[str] = set()
    asked = [(name, ("", *extras))]
    while asked:
        owner, kinds = asked.pop()
        try:
            lines = distribution(owner).requires or ()
        except PackageNotFoundError:
            found.discard(owner)
            continue
        for needed in map(Requirement, lines):
            wanted = needed.marker is None or any(needed.marker.evaluate({"extra": extra}) for extra in kinds)
            if wanted and needed.name not in found:
                found.add(needed.name)
                asked.append((needed.name, ("", *needed.extras)))
    return found


def _link(name: str, packages: Path) -> None:
    """Makes an installed distribution importable from another place too."""
    installed = distribution(name)
    for top in {Path(str(file)).parts[0] for file in installed.files or () if ".." not in Path(str(file)).parts}:
        place = packages / top
        if top != "__pycache__" and not place.exists():
            place.symlink_to(Path(str(installed.locate_file(top))))
