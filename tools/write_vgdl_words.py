"""Write docs/vgdl_words.md, the list of all VGDL words with their parameters, from the units of the engine."""

from __future__ import annotations

from pathlib import Path

from paidia.games.vgdl.language.word_list import page

if __name__ == "__main__":
    (Path(__file__).resolve().parent.parent / "docs" / "vgdl_words.md").write_text(page(), encoding="utf-8")
