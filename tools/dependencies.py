"""Print the requirements of the extras named, one per line, for `pip install`; `build` is what compiles paidia."""

import sys
import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())
extras = {**project["project"]["optional-dependencies"], "build": project["build-system"]["requires"]}
print("\n".join(dict.fromkeys(requirement for extra in sys.argv[1:] for requirement in extras[extra])))
