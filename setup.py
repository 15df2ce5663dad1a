"""Builds every `.pyx` below `src/paidia`; a new kernel file needs no entry here."""

import os
import platform
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

ROOT = Path(__file__).parent.resolve()
os.chdir(ROOT)

# No -march=native: what we ship runs on every machine of the platform. x86-64-v2 (2009, with a population count) is what
# numpy's own wheels ask for, so nobody is shut out by it.
# -ffp-contract=off keeps results bit-equal between machines with and without fused multiply-add.
COMPILE = (
    ["/O2"]
    if sys.platform == "win32"
    else [
        "-O3",
        "-fno-math-errno",
        "-fno-trapping-math",
        "-ffp-contract=off",
        "-Wno-unreachable-code",
    ]
)

if platform.machine().lower() in {"x86_64", "amd64"} and sys.platform != "win32":
    COMPILE.append("-march=x86-64-v2")


def extension(path: Path) -> Extension:
    """The extension module for one `.pyx`, named by its place in the package."""
    name = ".".join(path.relative_to("src").with_suffix("").parts)
    headers = [str(header) for header in path.parent.glob("*.h")]
    return Extension(name, [str(path)], extra_compile_args=COMPILE, depends=headers, include_dirs=["src"])


def gather(folder: Path) -> None:
    """Write `all.pxi`, which includes every other `.pxi` of a folder: a new unit there needs no entry anywhere either."""
    units = sorted(unit.name for unit in folder.glob("*.pxi") if unit.name != "all.pxi")
    text = "".join(f'include "{name}"\n' for name in units)
    everything = folder / "all.pxi"
    if not everything.exists() or everything.read_text() != text:
        everything.write_text(text)


for folder in {unit.parent for unit in Path("src").rglob("*.pxi")}:
    gather(folder)

workers = os.cpu_count() or 1
setup(
    ext_modules=cythonize(
        [extension(path) for path in sorted(Path("src").rglob("*.pyx"))],
        include_path=["src"],
        nthreads=0 if sys.platform == "win32" else workers,
        compiler_directives={
            "language_level": 3,
            "boundscheck": False,
            "wraparound": False,
            "cdivision": True,
            "initializedcheck": False,
            "embedsignature": True,
            "freethreading_compatible": False,
        },
    ),
    options={"build_ext": {"parallel": workers}},
)
