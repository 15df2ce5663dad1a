"""The pages for people: every file, folder and anchor that they name exists."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("papers/*/*.md")])
TOPS = ("src", "tests", "docs", "papers", "tools", "examples", "benchmarks", ".github")
SOURCE = r"\.(?:py|pyx|pxd|pxi|pyi|h|toml|md|csv|kif|json)"

#: Named as examples of what a reader makes, or of another place than this repository.
ELSEWHERE = re.compile(r"^(~|/|\.\./|\.venv/|build/|my[_-]|http|results?/|gvgai/|gdl/base|paidia/[\w-]+-v0|.*(DIR|FILE|PATH)\b)")


@cache
def paths() -> list[str]:
    """Everything in the repository, files with and without their suffix."""
    found = [path.relative_to(ROOT) for top in TOPS for path in (ROOT / top).rglob("*") if "__pycache__" not in path.parts]
    found += [path.relative_to(ROOT) for path in ROOT.iterdir()] + [Path(top) for top in TOPS]
    return sorted({PurePosixPath(each).as_posix() for path in found for each in (path, path.with_suffix(""))})


def is_there(name: str) -> bool:
    """Whether a path, or the end of one, is in the repository; words in capitals stand for any name."""
    pattern = re.sub(r"\b[A-Z]{4,}\b|[sN]NNN", "*", name.strip("/"))
    if "*" in pattern:
        return any(fnmatchcase(path, pattern) or fnmatchcase(path, f"*/{pattern}") for path in paths())
    return any(path == pattern or path.endswith(f"/{pattern}") for path in paths())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_files_that_a_page_names_exist(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    named = re.findall(r"`([\w.*-]+(?:/[\w.*|\\-]*)+|[\w-]+" + SOURCE + r")`", text)
    wanted = {each for name in named for each in alternatives(name) if not ELSEWHERE.match(each)}
    assert sorted(name for name in wanted if not is_there(name)) == []


def alternatives(name: str) -> list[str]:
    """`a/b|c/d` names a/b/d and a/c/d."""
    ways = [""]
    for part in name.replace("\\|", "|").split("/"):
        ways = [f"{way}/{choice}" if way else choice for way in ways for choice in part.split("|")]
    return ways


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_of_a_page_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = page if not name else page.parent / name
        assert file.exists(), target
        if anchor and file.suffix == ".md":
            assert anchor in anchors(file), target


@cache
def anchors(file: Path) -> set[str]:
    text = file.read_text(encoding="utf-8")
    headings = (
        re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in re.findall(r"^#+ (.*)$", text, re.M)
    )
    return {*re.findall(r'<a id="([^"]+)"', text), *headings}


def test_a_paper_is_named_by_its_title_not_by_one_of_its_tables() -> None:
    titles = [page.read_text(encoding="utf-8").splitlines()[0] for page in ROOT.glob("docs/results/*.md")]
    assert titles
    assert [title for title in titles if re.search(r"(table|figure|section|chapter) [\d.]+\w*$", title)] == []


def test_tests_that_a_page_names_exist() -> None:
    named = {name for page in PAGES for name in re.findall(r"`(tests/[\w/]+\.py::\w+)`", page.read_text(encoding="utf-8"))}
    assert len(named) > 50
    for name in named:
        file, _, test = name.partition("::")
        assert re.search(rf"^def {test}\(", (ROOT / file).read_text(encoding="utf-8"), re.M), name
