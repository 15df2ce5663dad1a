"""Print the requirements of paidia and of the extras named, one per line, for `pip install`; `build` is what compiles it."""

import sys
import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())
extras = {**project["project"]["optional-dependencies"], "build": project["build-system"]["requires"]}
wanted = list(project["project"]["dependencies"])
for extra in sys.argv[1:]:
    wanted += extras[extra]
print("\n".join(dict.fromkeys(wanted)))
