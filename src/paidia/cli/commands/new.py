"""`paidia new`: a game, strategy, tuner or agent of your own, to start from."""

from __future__ import annotations

import keyword
import re
from pathlib import Path
from typing import Literal

from paidia.cli.output import note
from paidia.cli.templates import TEMPLATES
from paidia.core.errors import BadInput
from paidia.core.files import write_text


def run(kind: Literal["game", "strategy", "tuner", "agent"], name: str, *, folder: Path = Path()) -> None:
    """Write a small game, strategy, tuner or agent that works as it stands, and its test.

    Args:
        kind: What to write.
        name: Its name: small letters, digits and _ or -.
        folder: Where to.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_-]{0,60}", name) or keyword.iskeyword(name):
        raise BadInput(f"a name has small letters, digits, _ and -, and starts with a letter: not {name!r}")
    ending, text, test = TEMPLATES[kind]
    stem = name if ending == ".toml" else name.replace("-", "_")
    words = re.split(r"[-_]", name)
    file, test_file = folder / f"{stem}{ending}", folder / f"test_{name.replace('-', '_')}.py"
    for path in (file, test_file):
        if path.exists():
            raise BadInput(f"{path} is already there; choose another name, or another --folder")
    parts = {"name": stem, "Name": "".join(map(str.capitalize, words)), "title": " ".join(words).capitalize()}
    here = 'str(Path(__file__).with_name("' + file.name + '"))'
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_text(file, text.format(**parts))
        filled = test.format(**parts, file="HERE").replace("'HERE'", here)
        write_text(test_file, f"from pathlib import Path\n\n{filled}")
    except OSError as error:
        raise BadInput(f"cannot write to {folder}: {error.strerror or error}") from None
    note(f"{file} is ready; test it with: pytest {test_file}")
