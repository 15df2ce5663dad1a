"""Try an installed paidia as its first user would: in an empty folder, through the command line and `import paidia`.

    python tools/try_wheel.py

Run it with the Python that paidia was installed for; the first thing that fails ends it with an error. It uses nothing but
paidia and its dependencies, so that a package that lacks one of them, a kernel or a data file is found out.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent

#: One command for each thing that needs other files of the package.
COMMANDS = [
    "--version",
    "agents",
    "play breakthrough --agents grave,uct --sims 20",
    "play gdl:knightthrough --agents p-base,mast --sims 10",
    "play vgdl:vault --agents maastcts2 --sims 10",
    "reproduce",
    "reproduce s002-t1 --sims 2 --scale 0.002 --seconds 5 --workers 1 --quiet",
]

SCRIPT = """
import importlib, pkgutil, paidia
for module in pkgutil.walk_packages(paidia.__path__, "paidia."):
    optional = ("paidia.connect", "paidia.web", "ray", "drawing", "__main__")
    if not any(word in module.name for word in optional):
        importlib.import_module(module.name)
found = paidia.search(paidia.load("connect4").initial_state(), "uct", sims=200)
assert found.simulations == 200, found
print(paidia.__file__)
"""


def main() -> None:
    """Every command, then the script."""
    alone = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "PAIDIA_REFERENCE", "PAIDIA_PAPERS"}}
    with tempfile.TemporaryDirectory() as folder:

        def call(*arguments: str) -> str:
            done = subprocess.run([sys.executable, *arguments], cwd=folder, env=alone, capture_output=True, text=True)
            if done.returncode:
                raise SystemExit(f"{' '.join(arguments)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
            return done.stdout

        place = Path(call("-c", SCRIPT).strip().splitlines()[-1])
        if SOURCE in place.parents and "site-packages" not in place.parts:
            raise SystemExit(f"that is the source tree, not an installed paidia: {place}")
        for command in COMMANDS:
            call("-m", "paidia", *command.split())
            print(f"paidia {command}", flush=True)


if __name__ == "__main__":
    main()
