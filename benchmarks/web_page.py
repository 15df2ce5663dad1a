"""How soon the page can be used, and how smoothly a tree of a million nodes scrolls.

    python benchmarks/web_page.py [VISITS]

Times on the wall in Chromium without a graphics card; measure on a quiet machine. Needs playwright and Chromium.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from statistics import median

from playwright.sync_api import Page, sync_playwright

#: Frames of a page that does nothing, of one that scrolls, and what drawing adds to a frame.
SCROLL = """async (moves) => { const view = paidia.view.outline, box = view.scroller, times = [], spent = [];
    const draw = view.draw.bind(view);
    view.draw = () => { const began = performance.now(); draw(); spent.push(performance.now() - began); };
    let last = await new Promise(requestAnimationFrame);
    for (let i = 0; i < 240; i++) {
        if (moves) box.scrollTop = i < 120 ? i * 130 : (i - 119) * box.scrollHeight / 121;
        const now = await new Promise(requestAnimationFrame);
        times.push(now - last);
        last = now;
    }
    view.draw = draw;
    return [times, spent] }"""


def main(visits: int) -> None:
    server = subprocess.Popen([sys.executable, "-m", "paidia", "web", "--port", "0"], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    began = time.monotonic()
    address = server.stdout.readline().strip()
    print(f"address after {time.monotonic() - began:.2f} s")
    try:
        with sync_playwright() as player:
            browser = player.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            forms, boards = [], []
            for _ in range(visits):
                page = browser.new_context().new_page()
                page.goto(address)
                page.wait_for_selector("form")
                forms.append(page.evaluate("() => performance.now()"))
                page.wait_for_selector(".board svg")
                boards.append(page.evaluate("() => performance.now()"))
                page.context.close()
            for name, times in (("form", forms), ("board", boards)):
                spread = f"{min(times):.0f} / {median(times):.0f} / {max(times):.0f}"
                print(f"{name} after {spread} ms (least, median, most of {visits} visits)")
            for simulations in (3_000, 1_050_000):
                _scroll(browser.new_page(), address, simulations)
            browser.close()
    finally:
        server.terminate()
        server.wait()


def _scroll(page: Page, address: str, simulations: int) -> None:
    page.set_default_timeout(600_000)
    page.goto(f"{address}#/table?game=connect5&seed=0")
    page.wait_for_function("() => Boolean(paidia.view.position)")
    page.click("role=tab[name='Search']")
    page.locator("label:has-text('agent') select").last.select_option("uct")
    page.locator("label:has-text('simulations') input").last.fill(str(simulations))
    page.click("text=Search as A")
    page.wait_for_function("() => Boolean(paidia.view.looks.a)")
    began = time.monotonic()
    page.click("role=tab[name='Tree']")
    page.wait_for_function("() => paidia.view.outline?.total > 1")
    print(f"outline of {page.evaluate('() => paidia.view.outline.total'):,} nodes after {time.monotonic() - began:.1f} s")
    for moves in (False, True):
        times, spent = page.evaluate(SCROLL, moves)
        late, rate = sum(each > 20 for each in times), 1000 * len(times) / sum(times)
        what = f"scrolling, drawing takes {median(spent):.2f} ms" if moves else "at rest"
        print(f"  {what}: {rate:.1f} frames a second, median {median(times):.1f} ms, {late} of {len(times)} over 20 ms")
    page.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
