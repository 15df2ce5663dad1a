"""Take the pictures of the page that README and docs/web.md show: `python tools/draw_web.py` (needs Chromium and playwright)."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

IMAGES = Path(__file__).parent.parent / "docs" / "images"
WIDTH, HEIGHT = 1200, 760


def search(page: Page) -> None:
    page.wait_for_function("() => Boolean(paidia.view.position)")
    page.click("role=tab[name='Search']")
    page.click("text=Search as A")
    page.wait_for_function("() => Boolean(paidia.view.looks.a)")


def tuner(page: Page) -> None:
    page.wait_for_selector("form")
    page.select_option("select >> nth=0", "connect4")
    for number, agent in enumerate(("p-nmc", "uct")):
        page.locator("fieldset").nth(number).locator("select").nth(0).select_option(agent)
    page.locator("label:has-text('fixed parameters') input").check()
    page.click("button:text-is('Start')")
    page.wait_for_function("() => paidia.view.steps > 9")
    page.click("role=tab[name='Tuner']")


def video(page: Page) -> None:
    page.wait_for_selector("form")
    page.select_option("select >> nth=0", "vgdl:museum")
    page.locator('label:has-text("agent\'s thoughts") input').check()
    page.click("text=Watch two agents")
    page.wait_for_function("() => paidia.view.frames > 30")


PICTURES = {
    "web-search": ("#/table?game=hex&seed=0&moves=f6|%3B|e7%3Bg5|%3B|d8", search),
    "web-tuner": ("#/play", tuner),
    "web-video": ("#/play", video),
}


def main() -> None:
    browser_path = shutil.which("chromium")
    server = subprocess.Popen(
        [sys.executable, "-m", "paidia", "web", "--port", "0"], stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert server.stdout is not None
    address = server.stdout.readline().strip()
    try:
        with sync_playwright() as player:
            browser = player.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
            for name, (part, act) in PICTURES.items():
                page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
                page.set_default_timeout(120_000)
                page.goto(address + part)
                act(page)
                page.wait_for_timeout(400)
                page.screenshot(path=IMAGES / f"{name}.png")
                _shrink(IMAGES / f"{name}.png")
                page.close()
            browser.close()
    finally:
        server.terminate()
        server.wait()


def _shrink(file: Path) -> None:
    """128 colours are enough for pictures of boards and tables."""
    from PIL import Image

    with Image.open(file) as picture:
        small = picture.convert("RGB").quantize(128)
    small.save(file, optimize=True)


if __name__ == "__main__":
    main()
