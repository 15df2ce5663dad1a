"""Compare every `.pyi` with the kernel beside it (mypy's stubtest): what Python is told about a kernel is what it finds there.

    python tools/check_stubs.py

A stub tells what Python code calls; a kernel may have more (methods that only kernels and tests use), so what a stub leaves
out is no error; nor is that no class can inherit from two kernels' classes, which all of them would have to say.
`stubs_allowed.txt` beside this file lists the exceptions, each with its reason.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1] / "src"
ALLOWED = Path(__file__).with_name("stubs_allowed.txt")


def main() -> None:
    """Exit with stubtest's code."""
    stubs = sorted(SOURCE.rglob("*.pyi"))
    modules = [".".join(stub.relative_to(SOURCE).with_suffix("").parts) for stub in stubs]
    options = ["--ignore-missing-stub", "--ignore-disjoint-bases", "--concise", "--allowlist", str(ALLOWED)]
    raise SystemExit(subprocess.run([sys.executable, "-m", "mypy.stubtest", *options, *modules]).returncode)


if __name__ == "__main__":
    main()
