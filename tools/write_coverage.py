"""Writes docs/coverage.md from docs/coverage.toml, and tells which of the files, tests and commands it names are missing.

python tools/write_coverage.py [--strict]

What is on its way (`building`) may be missing; with --strict it may not, and no note may say that something is being built.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from functools import cache
from pathlib import Path

import msgspec

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "docs" / "coverage.toml"
PAGE = ROOT / "docs" / "coverage.md"

PARTS = {
    "SYS": "Systems", "AGT": "Agents", "TEC": "Techniques", "GAM": "Games", "EXP": "Experiments", "TAB": "Tables",
    "FIG": "Figures", "CTX": "Context and future work",
}  # fmt: skip
HEAD = """\
# Coverage: what the five papers describe, and where it is

One row for each thing that the papers (see [readings.md](readings.md)) describe, name or print. *Shown by* is a test or a command
that shows it; *differs* says how it differs from the paper or where that is decided (R numbers are entries of
[readings.md](readings.md)). Written by `python tools/write_coverage.py` from `docs/coverage.toml`; a test keeps both in step with
the repository."""


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One row of the checklist.

    Attributes:
        title: What it is, in a few words.
        where: Files and folders in which it lives.
        shows: Tests (FILE or FILE::TEST) and commands that show it.
        building: Files that are on their way.
        note: How it differs.
    """

    title: str
    where: list[str]
    shows: list[str]
    building: list[str] = []
    note: str = ""


def read() -> dict[str, Row]:
    """All rows."""
    return msgspec.convert(tomllib.loads(DATA.read_text(encoding="utf-8")), dict[str, Row])


def problems(rows: dict[str, Row], *, strict: bool = False) -> list[str]:
    """What the rows name and the repository does not have."""
    found = []
    for id, row in rows.items():
        found += [f"{id}: there is no {path}" for path in row.where if not (ROOT / path).exists()]
        found += [f"{id}: {shows}: {problem}" for shows in row.shows if (problem := wrong(shows))]
        if not row.where and not row.building:
            found.append(f"{id}: says nowhere where it lives")
        if strict:
            found += [f"{id}: {path} is not there yet" for path in row.building if not (ROOT / path).exists()]
            if "being built" in row.note:
                found.append(f"{id}: its note says that something is being built")
    return found


def wrong(shows: str) -> str:
    """What is wrong with a test or command, "" if nothing."""
    if shows.startswith("paidia "):
        return wrong_command(shows.split()[1:])
    file, _, test = shows.partition("::")
    path = ROOT / file
    if not path.is_file():
        return "there is no such file"
    if test and not re.search(rf"^def {re.escape(test)}\(", path.read_text(encoding="utf-8"), re.MULTILINE):
        return "there is no such test"
    return ""


def wrong_command(words: list[str]) -> str:
    """A command exists, a table it reproduces is known, and a file it names is there."""
    name, *rest = words
    if not (ROOT / "src" / "paidia" / "cli" / "commands" / f"{name}.py").is_file():
        return "there is no such command"
    if name == "reproduce" and rest[:1] and rest[0] not in table_ids():
        return "there is no such table"
    return next((f"there is no {word}" for word in rest if "/" in word and not (ROOT / word).exists()), "")


@cache
def table_ids() -> set[str]:
    """The ids of all tables of the papers."""
    plans = (tomllib.loads(file.read_text(encoding="utf-8")) for file in (ROOT / "papers").glob("*/*.toml"))
    return {plan["paper"]["table"] for plan in plans if "paper" in plan}


def page(rows: dict[str, Row]) -> str:
    """The whole page."""
    lines = [HEAD]
    for part, title in PARTS.items():
        own = {id: row for id, row in rows.items() if id.startswith(part)}
        lines += [
            f"\n## {title} ({len(own)})\n",
            "| row | what | where | shown by | differs |",
            "| --- | --- | --- | --- | --- |",
        ]
        for id, row in own.items():
            where = [*row.where, *(path for path in row.building if (ROOT / path).exists())]
            waiting = [f"being built: `{path}`" for path in row.building if not (ROOT / path).exists()]
            cells = [id, row.title, ", ".join(f"`{short(path)}`" for path in where), ", ".join(f"`{show}`" for show in row.shows)]
            lines.append(f"| {' | '.join([*cells, '; '.join(filter(None, [row.note, *waiting]))])} |".replace("  ", " "))
    return "\n".join(lines) + "\n"


def short(path: str) -> str:
    """A path as the pages name it: inside the package without its root."""
    return path.removeprefix("src/paidia/")


def main() -> None:
    """Write the page, and say what is missing."""
    parser = argparse.ArgumentParser(description="Write docs/coverage.md.")
    parser.add_argument("--strict", action="store_true", help="nothing may be on its way any more")
    strict = parser.parse_args().strict
    rows = read()
    PAGE.write_text(page(rows), encoding="utf-8")
    found = problems(rows, strict=strict)
    for each in found:
        print(each)
    print(f"written: {PAGE.relative_to(ROOT)}, {len(rows)} rows, {len(found)} problems")
    if found:
        sys.exit(1)


if __name__ == "__main__":
    main()
