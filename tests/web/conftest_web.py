"""A server in a process of its own, and a browser that visits it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the page needs paidia[web]")
pytest.importorskip("uvicorn", reason="the page needs paidia[web]")
pytest.importorskip("websockets", reason="the page needs paidia[web]")

CHROMIUM = next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None)

PLAN = """name = "small"
games = ["tic-tac-toe"]
agents = ["uct"]
opponents = ["random"]
matches = 8
sims = 50
"""


class Server:
    """`paidia web` as a user starts it."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "paidia", "web", *arguments, "--port", "0"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True,
        )  # fmt: skip
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().strip()
        assert self.address.startswith("http://127.0.0.1:"), self.address
        self.port = int(self.address.split(":")[2].split("/")[0])
        self.token = self.address.rstrip("/").rpartition("/")[2]
        self.host = f"127.0.0.1:{self.port}"

    def children(self) -> list[int]:
        """Processes of desks that work for it."""
        found = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True, check=False)
        return [int(word) for word in found.stdout.split()]

    def memory(self) -> int:
        """Bytes of the server process."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the user lets the page see."""
    folder = tmp_path_factory.mktemp("mine")
    (folder / "small.toml").write_text(PLAN)
    command = [sys.executable, "-m", "paidia", "play", "connect4", "--agents", "uct,random", "--sims", "50", "--seed", "3"]
    subprocess.run([*command, "--record", str(folder / "match.json"), "--json"], check=True, capture_output=True)
    command = [sys.executable, "-m", "paidia", "play", "vgdl:ferry", "--agents", "one-step", "--sims", "10"]
    subprocess.run([*command, "--record", str(folder / "video.json"), "--json"], check=True, capture_output=True)
    return folder


@pytest.fixture(scope="session")
def server(folder: Path) -> Iterator[Server]:
    server = Server(str(folder))
    yield server
    server.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("no Chromium: apt-get install chromium (tests of the page are skipped)")
    playwright = pytest.importorskip("playwright.sync_api", reason="pip install playwright")
    with playwright.sync_playwright() as player:
        browser = player.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def visit(browser: Any, server: Server) -> Iterator[Callable[..., Any]]:
    """Opens a part of the page; at the end nothing may have gone wrong in it, and nothing been asked of anybody else."""
    contexts, wrong = [], []

    def open_page(part: str = "#/play", *, width: int = 1280, height: int = 900, **more: Any) -> Any:
        context = browser.new_context(viewport={"width": width, "height": height}, **more)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda request: wrong.append(request.url) if server.host not in request.url else None)
        page.goto(server.address + part)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not wrong, wrong


def holds(page: Any, condition: str, *, timeout: float = 60_000) -> None:
    """Wait until a condition in the page is true."""
    page.wait_for_function(f"() => Boolean({condition})", timeout=timeout)
