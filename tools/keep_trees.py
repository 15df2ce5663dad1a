"""Keeps what `paidia tree papers/s004/search-trees.toml -o FOLDER` measured, and draws the trees of figures 8 to 11 small enough
to be kept: the trees of the first match, three agents side by side.

    python tools/keep_trees.py FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

from paidia.experiment.expand import expand
from paidia.experiment.plan import load_plan
from paidia.experiment.studies.trees import grow_trees
from paidia.report.drawing.trees import draw_growth

PAPER = Path(__file__).resolve().parent.parent / "papers" / "s004"
FIGURES = {"gdl:breakthrough": 8, "gdl:knightthrough": 9, "gdl:quad": 10, "gdl:connect4": 11}
WIDTH, SHADES = 1260, 16


def main() -> None:
    """Copy the numbers, draw the trees."""
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    (PAPER / "trees.csv").write_bytes((Path(sys.argv[1]) / "turns.csv").read_bytes())
    file = PAPER / "search-trees.toml"
    cells = expand(load_plan(file), folder=PAPER, file=str(file), alone=True)
    for game, number in FIGURES.items():
        with TemporaryDirectory() as folder:
            drawn = []
            for cell in (cell for cell in cells if cell.label == game):
                _, growth, _ = grow_trees(cell, 0, turns=0, draw=0)
                assert growth is not None
                drawn.append(Path(folder) / f"{len(drawn)}.png")
                draw_growth(growth, drawn[-1], title=f"{game}, {cell.contenders[0].name}")
            parts = [Image.open(each).convert("L") for each in drawn]
            width, height = parts[0].size
            whole = Image.new("L", (width * len(parts), height), 255)
            for i, part in enumerate(parts):
                whole.paste(part, (i * width, 0))
        small = whole.resize((WIDTH, height * WIDTH // (width * len(parts))), Image.Resampling.LANCZOS).quantize(SHADES)
        small.save(PAPER / f"fig{number}-{game.removeprefix('gdl:')}.png", optimize=True)
    print("written: papers/s004/trees.csv and fig*.png; make docs shows them")


if __name__ == "__main__":
    main()
