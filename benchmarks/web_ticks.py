"""Late ticks of a 40 ms video game with and without a page that watches it, in turns on the same machine.

    python benchmarks/web_ticks.py [ROUNDS]

Without: `play_match` in a process of its own. With: `paidia web`, watched by Chromium. A tick is late when the agent took
more than 40 ms for it. Needs playwright and Chromium.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

from playwright.sync_api import sync_playwright

GAME, AGENT, TICKS = "vgdl:museum", "sample-mcts", 150
ALONE = f"""
import json
from paidia.core.budget import Budget
from paidia.games import load
from paidia.match.referee import play_match
from paidia.players.registry import make_player
late = ticks = seed = 0
while ticks < {TICKS}:
    asked = play_match(
        load({GAME!r}), [make_player({AGENT!r})], budget=Budget(seconds=0.04), seed=seed, max_steps={TICKS} - ticks
    ).asked[0]
    late, ticks, seed = late + sum(one.seconds > 0.04 for one in asked), ticks + len(asked), seed + 1
print(json.dumps([late, ticks]))
"""


def main(rounds: int) -> None:
    server = subprocess.Popen([sys.executable, "-m", "paidia", "web", "--port", "0"], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    address = server.stdout.readline().strip()
    totals = {"without": [0, 0], "with": [0, 0]}
    try:
        with sync_playwright() as player:
            browser = player.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            for _ in range(rounds):
                told = subprocess.run([sys.executable, "-c", ALONE], capture_output=True, text=True, check=True).stdout
                _add(totals["without"], json.loads(told))
                seed = ticks = 0
                while ticks < TICKS:
                    late, n, _ = counted = _watched(browser, address, seed, TICKS - ticks)
                    _add(totals["with"], counted)
                    ticks, seed = ticks + n, seed + 1
            browser.close()
    finally:
        server.terminate()
        server.wait()
    for name, (late, ticks) in totals.items():
        print(f"{name} a viewer: {late} of {ticks} ticks late ({100 * late / ticks:.1f} %)")


def _watched(browser, address: str, seed: int, most: int) -> tuple[int, int, int]:
    page = browser.new_page()
    page.set_default_timeout(120_000)
    page.goto(address)
    page.wait_for_selector("form")
    page.select_option("select >> nth=0", GAME)
    page.locator("fieldset select >> nth=0").select_option(AGENT)
    page.locator("label:has-text('seed') input").fill(str(seed))
    page.click("button:text-is('Start')")
    condition = f"() => paidia.view.over || paidia.view.step >= {most}"
    page.wait_for_function(condition, polling=1000)  # asking at every frame would make the browser draw 60 of them
    text = page.locator(".caption").first.inner_text()
    frames = page.evaluate("() => paidia.view.frames")
    page.close()
    late, _, ticks = text.rpartition("; ")[2].partition(" late of ")
    return int(late), int(ticks), frames


def _add(total: list[int], counted) -> None:
    total[0] += counted[0]
    total[1] += counted[1]


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
