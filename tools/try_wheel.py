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
    "agents",
    "play breakthrough --agents grave,uct --sims 20",
    "play gdl:knightthrough --agents p-base,mast --sims 10",
    "play vgdl:vault --agents maastcts2 --sims 10",
    "reproduce",
    "reproduce s002-t1 --sims 2 --scale 0.001 --seconds 1 --workers 1 --quiet",
]

SCRIPT = """
import importlib, pkgutil, sys, paidia
from paidia.cli.main import main
for module in pkgutil.walk_packages(paidia.__path__, "paidia."):
    optional = ("paidia.connect", "paidia.web", "ray", "drawing", "__main__")
    if not any(word in module.name for word in optional):
        importlib.import_module(module.name)
found = paidia.search(paidia.load("connect4").initial_state(), "uct", sims=200)
assert found.simulations == 200, found
if __name__ == "__main__":
    for command in sys.argv[1:]:
        try:
            main(command.split())
        except SystemExit as end:
            if end.code:
                raise SystemExit(f"paidia {command}: exit code {end.code}")
    print(paidia.__file__)
"""


def main() -> None:
    """One process for everything, and a second one in which the command that was installed is started."""
    alone = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "PAIDIA_REFERENCE", "PAIDIA_PAPERS"}}
    with tempfile.TemporaryDirectory() as folder:

        def call(*arguments: str) -> str:
            done = subprocess.run([sys.executable, *arguments], cwd=folder, env=alone, capture_output=True, text=True)
            if done.returncode:
                raise SystemExit(f"{' '.join(arguments)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
            return done.stdout

        script = Path(folder, "everything.py")  # a file, because workers import what started them
        script.write_text(SCRIPT)
        place = Path(call(str(script), *COMMANDS).strip().splitlines()[-1])
        if SOURCE in place.parents and "site-packages" not in place.parts:
            raise SystemExit(f"that is the source tree, not an installed paidia: {place}")
        print(call("-m", "paidia", "--version"), *COMMANDS, sep="\npaidia ")


if __name__ == "__main__":
    main()
