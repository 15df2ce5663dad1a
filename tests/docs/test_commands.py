"""Every command of README and docs is run, with a small budget."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from docs.pages import PAGES, ROOT, blocks, command_lines
from paidia.cli.main import build_app, main
from warm import nest

COMMANDS = {tuple(words): page.name for page in PAGES for words in command_lines(page)}

#: What makes a command short: options that are set, or added.
SHORT: dict[str, dict[str, str]] = {
    "play": {"--sims": "5", "--time": "0.01"},
    "tree": {"--sims": "20", "--turns": "2", "--matches": "1"},
    "bench": {"--seconds": "0.01"},
    "describe": {"--playouts": "1000"},
    "gauntlet": {"--seconds": "0.3", "--workers": "1"},
    "run": {"--workers": "1"},
    "tune": {"--workers": "1"},
    "reproduce": {"--sims": "2", "--scale": "0.001", "--seconds": "0.5", "--workers": "1"},
}
ADDED = {"bench", "run", "tune", "reproduce", "describe", "gauntlet"}


def shortened(words: list[str]) -> list[str]:
    """The same command with a small budget, and nobody to type at it."""
    command, words = words[0], list(words)
    if "--estimate" in words or "--until-decided" in words:
        hours = {"--until-decided": "0.00001", "--store": "."}
        words = [hours.get(before, word) for before, word in zip(["", *words], words, strict=False)]
        return [*words, "--workers", "1", *(["--seconds", "0.1"] if "--estimate" in words else [])]
    if command == "perft":
        return [*words[:-1], "2"]
    for flag, value in SHORT.get(command, {}).items():
        if flag in words:
            words[words.index(flag) + 1] = value
        elif command in ADDED and len(words) > 1:
            words += [flag, value]
    if command == "play" and not {"--sims", "--time", "--record", "--repeat"} & set(words):
        words += ["--sims", "5"]
    if command == "reproduce" and "--time" in words:
        words[words.index("--time") + 1] = "0.001"
        at = words.index("--sims")
        del words[at : at + 2]
    return [re.sub(r"\bhuman\b", "random", word) for word in words if word != "--watch"]


def test_there_are_commands_to_try() -> None:
    assert len(COMMANDS) > 30


@pytest.mark.parametrize("words", COMMANDS, ids=[f"{page}-{' '.join(words)}"[:70] for words, page in COMMANDS.items()])
def test_a_command_of_the_pages_can_be_typed(words: tuple[str, ...], desk: Path) -> None:
    command, bound, _ = build_app().parse_args(list(words), exit_on_error=False, print_error=False)
    assert command is not None and bound is not None
    if words[0] in ("serve", "web"):
        _serve(list(words), desk)
        return
    if words[0] == "signature":  # plays all its suites: tests/cli/test_commands.py does
        return
    if "my_game.py" in words:
        main(["new", "game", "my_game"])
    if words[0] == "run":
        (desk / words[1]).with_suffix(".sqlite").unlink()
    if words[0] == "play" and {"--record", "--repeat"} & set(words) and "--agents" not in words:
        agents = "ntbea-4,p-base" if "--parameters" in words else "uct,uct"
        main(["play", words[1], "--agents", agents, "--sims", "5", "--record", "match.json"])
    if words[0] == "reproduce" and "--save" in words:
        shutil.copytree(ROOT / "papers" / "s002", desk / "papers" / "s002")
        words = (*words, "--papers", "papers")
    main(shortened(list(words)))
    if words[0] == "reproduce" and "--save" in words:
        measured = (desk / "papers" / "s002" / "measured.csv").read_text()
        assert measured != (ROOT / "papers" / "s002" / "measured.csv").read_text()


def _serve(words: list[str], desk: Path) -> None:
    """A command that waits for others: it says where, and ends when it is interrupted."""
    if "--port" in words:
        words[words.index("--port") + 1] = "0"
    else:
        words += ["--port", "0"]
    words = [str(desk / word[2:]) if word.startswith("~/") else word for word in words]  # as a shell does
    said = desk / "said"
    environment = {**os.environ, "BROWSER": f"{sys.executable} -c pass"}
    process = nest().start(words, env=environment, cwd=desk, said=said)
    until = time.monotonic() + 60
    while "127.0.0.1" not in (text := said.read_text() if said.exists() else ""):
        assert time.monotonic() < until and nest().poll(process) is None, text
        time.sleep(0.02)
    code = None
    while code is None:  # an interrupt that falls into a finalizer is lost in Python: whoever sits there presses again
        assert time.monotonic() < until, said.read_text()
        os.kill(process, signal.SIGINT)
        again = time.monotonic() + 3
        while (code := nest().poll(process)) is None and time.monotonic() < again:
            time.sleep(0.01)
    assert code in (0, 130), said.read_text()


#: Lines that are no command of paidia, and why they are not run here.
OTHERS = {
    "make": "what runs these tests, and tests/test_packages.py its demo",
    "pip": "tests/test_packages.py installs the wheel",
    "RAY_ADDRESS=head:6379": "needs other machines; tests/experiment starts a Ray of its own",
}


def test_other_lines_are_pictures_or_known() -> None:
    for page in PAGES:
        for line in (line for text in blocks(page, "") for line in text.splitlines()):
            if re.match(r"(\S+=\S+ )?[a-z_]+ \S", line) and not line.startswith("paidia "):
                assert line.split()[0] in OTHERS, f"{page.name}: {line}"


def test_a_console_block_is_what_a_shell_does(desk: Path) -> None:
    (desk / "bin").mkdir()
    (desk / "bin" / "paidia").write_text(f'#!/bin/sh\nexec {sys.executable} -m paidia "$@"\n')
    (desk / "bin" / "paidia").chmod(0o755)
    environment = {**os.environ, "PATH": f"{desk / 'bin'}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT / "src")}
    found = [
        line[2:] for page in PAGES for text in blocks(page, "console") for line in text.splitlines() if line.startswith("$ ")
    ]
    assert found
    for line in found:
        told = subprocess.run(["sh", "-c", line], capture_output=True, text=True, cwd=desk, env=environment, timeout=120)
        assert told.returncode == 0 and told.stdout and "error" not in told.stdout, told.stderr
