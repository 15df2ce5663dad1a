"""The page in a real browser: whole games by clicks and keys, records, trees, rules, experiments, layout."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest_web import Server, holds

Visit = Callable[..., Any]


def _start(page: Any, game: str, seats: list[dict[str, Any]], **more: Any) -> None:
    """A match, by the form of the page."""
    page.wait_for_selector("form")
    page.select_option("select >> nth=0", game)
    for number, seat in enumerate(seats):
        box = page.locator("fieldset").nth(number)
        box.locator("select").nth(0).select_option(seat["agent"])
        if "sims" in seat:
            box.locator("select").nth(1).select_option("sims")
            box.locator("input").nth(0).fill(str(seat["sims"]))
    if "size" in more:
        page.locator("label:has-text('board size') input").fill(more["size"])
    page.click("button:text-is('Start')")


def _play_out(page: Any, *, most: int = 200) -> int:
    """Click legal spots (and buttons where there are none) until the game is over; returns the clicks."""
    holds(page, "paidia.view.position")
    clicks = 0
    for clicks in range(most):
        holds(page, "paidia.view.over || paidia.view.humanMoves().length")
        if page.evaluate("() => Boolean(paidia.view.over)"):
            return clicks
        step = page.evaluate("() => paidia.view.position.step")
        before = page.evaluate("() => [paidia.view.position.step, paidia.view.board.path.length]")
        spots = page.locator(".spot.can:not(.from)")
        if spots.count():
            spots.nth((clicks * 7 + 3) % spots.count()).click(force=True)
        else:
            page.locator(".moves button").first.click()
        page.wait_for_function(
            "(was) => paidia.view.over || paidia.view.position.step > was[0] || paidia.view.board.path.length !== was[1]",
            arg=before,
        )
        if page.evaluate("() => paidia.view.position.step") == step and page.locator(".moves button").count() == 1:
            page.locator(".moves button").first.click()
    raise AssertionError("the game did not end")


def test_a_whole_game_of_connect_4_with_undo_and_hint(visit: Visit) -> None:
    page = visit()
    _start(page, "connect4", [{"agent": "human"}, {"agent": "uct", "sims": 100}])
    holds(page, "paidia.view.humanMoves?.().length")
    page.locator("[data-spot=d]").click()
    holds(page, "paidia.view.position.step === 2")
    page.click("button:text-is('Undo')")
    holds(page, "paidia.view.position.step === 0 && paidia.view.humanMoves().length")
    page.click("button:text-is('Hint')")
    holds(page, "document.getElementById('status').textContent.includes('of the visits')")
    assert _play_out(page) >= 4
    goals = page.evaluate("() => paidia.view.over.goals")
    assert sorted(goals) in ([0, 1], [0.5, 0.5])
    pieces = page.evaluate("() => paidia.view.position.scene.pieces.length")
    assert pieces == page.evaluate("() => paidia.view.steps")


def test_hex_by_clicks_with_the_sides_swapped(visit: Visit) -> None:
    page = visit()
    _start(page, "hex", [{"agent": "human"}, {"agent": "random"}], size="5")
    holds(page, "paidia.view.humanMoves?.().length")
    page.click("button:text-is('Swap seats')")
    holds(page, "paidia.view.seats[1] === 'human'")
    assert _play_out(page) >= 4
    assert sorted(page.evaluate("() => paidia.view.over.goals")) == [0, 1]  # hex knows no draws


def test_a_gdl_game_by_clicks_of_two_steps(visit: Visit) -> None:
    page = visit()
    _start(page, "gdl:breakthrough", [{"agent": "human"}, {"agent": "random"}])
    holds(page, "paidia.view.humanMoves?.().length")
    page.locator(".spot.can").first.click(force=True)
    assert page.locator(".spot.from").count() == 1 and page.locator(".spot.can").count() >= 1  # from, then to
    page.keyboard.press("Escape")
    assert _play_out(page) > 5


def test_simultaneous_moves_of_two_people_and_resigning(visit: Visit) -> None:
    page = visit()
    _start(page, "gdl:tron", [{"agent": "human"}, {"agent": "human"}])
    holds(page, "paidia.view.humanMoves?.().length")
    page.locator(".moves button").first.click()
    holds(page, "paidia.view.role === 1")
    page.locator(".moves button").first.click()
    holds(page, "paidia.view.position.step === 1")
    page.click("button:text-is('Resign')")
    holds(page, "paidia.view.over?.how === 'resigned'")


def test_a_clock_runs_out(visit: Visit) -> None:
    page = visit()
    page.wait_for_selector("form")
    page.locator("label:has-text('clock for people') input").fill("1")
    page.click("button:text-is('Start')")
    holds(page, "paidia.view.over?.how === 'time'")
    assert page.evaluate("() => paidia.view.over.goals") == [0, 1]


def test_a_video_game_by_keys(visit: Visit) -> None:
    page = visit()
    _start(page, "vgdl:ferry", [{"agent": "human"}])
    holds(page, "paidia.view.frames > 3")
    page.keyboard.down("ArrowRight")
    holds(page, "paidia.view.names.some((joint) => joint?.[0] === 'RIGHT')")
    page.keyboard.up("ArrowRight")
    holds(page, "paidia.view.names[paidia.view.names.length - 1]?.[0] === 'NIL'")
    holds(page, "paidia.view.frames > 25")
    drawn = page.evaluate(
        """() => { const c = document.querySelector('canvas'), seen = new Set();
        const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
        for (let i = 0; i < d.length; i += 4) seen.add(d[i] * 65536 + d[i + 1] * 256 + d[i + 2]);
        return seen.size }"""
    )
    assert drawn >= 4  # floor, water, avatar, something else


def test_two_agents_are_watched_and_the_tuner_shows_itself(visit: Visit) -> None:
    page = visit()
    page.wait_for_selector("form")
    page.select_option("select >> nth=0", "tic-tac-toe")
    page.locator("fieldset").nth(0).locator("select").nth(0).select_option("p-nmc")
    page.locator("fieldset").nth(1).locator("select").nth(0).select_option("uct")
    for number in range(2):
        page.locator("fieldset").nth(number).locator("input").nth(0).fill("300")
    page.locator("label:has-text('fixed parameters') input").check()
    page.click("button:text-is('Start')")
    holds(page, "paidia.view.over")
    assert page.evaluate("() => paidia.view.values.length") >= 4
    page.click("role=tab[name='Curve']")
    assert page.locator(".chart polyline").count() == 2
    page.click("role=tab[name='Tuner']")
    assert page.locator("figure").count() >= 2
    assert page.evaluate("() => paidia.view.agreed.length") >= 2
    assert "fixed parameters" in page.locator("section.card >> nth=1").inner_text()


def test_a_record_opens_steps_and_gives_a_link(visit: Visit, folder: Path) -> None:
    record = json.loads((folder / "match.json").read_text())
    page = visit("#/records")
    page.click("button:has-text('match.json')")
    holds(page, "paidia.view.table?.record && paidia.view.position?.step === 0")
    assert page.evaluate("() => paidia.view.steps") == len(record["moves"])
    for step in (1, 2, 3):
        page.keyboard.press(".")
        holds(page, f"paidia.view.position.step === {step}")
    page.keyboard.press(",")
    holds(page, "paidia.view.position.step === 2")
    page.locator("summary").click()
    page.locator("textarea").fill("a fine move")
    page.locator("textarea").blur()
    holds(page, "document.getElementById('status').textContent.includes('saved in match.json')")
    assert json.loads((folder / "match.json").read_text())["comments"] == {"2": "a fine move"}
    link = page.evaluate("() => paidia.view.copyLink()")
    expected = page.evaluate("() => paidia.view.position.scene.pieces")
    other = visit(link.partition("/#")[2].join(["#", ""]))
    holds(other, "paidia.view.position?.step === 2")
    assert other.evaluate("() => paidia.view.position.scene.pieces") == expected
    assert other.evaluate("() => paidia.view.comments['2']") == "a fine move"


def test_a_record_shows_what_its_agents_thought_and_is_played_again(visit: Visit, folder: Path) -> None:
    record = json.loads((folder / "match.json").read_text())
    page = visit("#/records")
    page.click("button:has-text('match.json')")
    holds(page, "paidia.view.table?.record && paidia.view.position?.step === 0")
    assert "signature" in page.locator("section.card >> nth=1").inner_text()
    page.evaluate("() => paidia.view.go(2)")  # red's turn, who searched
    holds(page, "paidia.view.position.step === 2")
    page.click("role=tab[name='Root']")
    rows = page.locator("section.card >> nth=1 >> tbody tr >> visible=true").all_inner_texts()
    best = max(record["details"]["roots"][2][0], key=lambda row: row["visits"])
    assert len(rows) == 7 and rows[0].split()[:2] == [best["move"], str(round(best["visits"]))]
    page.click("role=tab[name='Curve']")
    assert page.locator(".chart polyline").count() == 1  # one of the two searches
    page.click("role=tab[name='Record']")
    page.click("button:text-is('Play it again')")
    holds(page, "paidia.view.over && paidia.view.table && !paidia.view.table.record")
    assert page.evaluate("() => paidia.view.names") == record["moves"]


def test_a_video_record_opens(visit: Visit, folder: Path) -> None:
    page = visit("#/records")
    page.click("button:has-text('video.json')")
    holds(page, "paidia.view.table?.record && paidia.view.position?.step === 0")
    page.evaluate("() => paidia.view.go(20)")
    holds(page, "paidia.view.position.step === 20")


def test_two_searches_are_compared_and_the_tree_opens(visit: Visit) -> None:
    page = visit("#/table?game=connect4&seed=0&moves=d|%3B|d%3Bc|")
    holds(page, "paidia.view.position?.step === 3")
    page.click("role=tab[name='Search']")
    page.locator("label:has-text('simulations') input").last.fill("3000")
    page.click("text=Search as A")
    holds(page, "paidia.view.looks.a")
    page.locator("label:has-text('agent') select").last.select_option("uct")
    page.click("text=Search as B")
    holds(page, "paidia.view.looks.b")
    page.click("role=tab[name='Compare']")
    rows = page.locator("section.card >> nth=1 >> tr.pick")
    rows.first.wait_for()
    assert rows.count() == 7
    rows.first.click()
    page.wait_for_selector("text=back to before")
    page.click("role=tab[name='Tree']")
    page.wait_for_selector(".outline .row >> text=root")
    page.locator(".outline .row").nth(2).click()
    page.wait_for_selector("section.card >> nth=1 >> .board svg")


def test_a_tree_of_simultaneous_moves_opens_below_its_root(visit: Visit) -> None:
    page = visit("#/table?game=gdl:tron&seed=0")
    holds(page, "paidia.view.position")
    page.click("role=tab[name='Search']")
    page.locator("label:has-text('simulations') input").last.fill("2000")
    page.click("text=Search as A")
    holds(page, "paidia.view.looks.a")
    assert "AMAF" in page.locator("section.card >> nth=1 >> thead >> visible=true").inner_text()
    page.click("role=tab[name='Tree']")
    holds(page, "paidia.view.outline?.total > 1000")
    row = page.locator(".outline .row", has_text=" | ").nth(2)
    row.click()
    page.wait_for_selector("section.card >> nth=1 >> .board svg")
    assert " | " in page.locator("section.card >> nth=1 >> .board p").first.inner_text()


@pytest.mark.parametrize("nodes", [20_000, pytest.param(1_000_000, marks=pytest.mark.slow)])
def test_a_tree_of_a_million_nodes_scrolls_smoothly(visit: Visit, nodes: int) -> None:
    page = visit("#/table?game=connect5&seed=0")
    holds(page, "paidia.view.position")
    page.click("role=tab[name='Search']")
    page.locator("label:has-text('agent') select").last.select_option("uct")
    page.locator("label:has-text('simulations') input").last.fill(str(nodes * 21 // 20))
    page.click("text=Search as A")
    holds(page, "paidia.view.looks.a", timeout=300_000)
    assert page.evaluate("() => paidia.view.looks.a.nodes") >= nodes
    page.click("role=tab[name='Tree']")
    holds(page, f"paidia.view.outline?.total >= {nodes}", timeout=120_000)
    # The cost of drawing while scrolling, which is what the page adds to a frame; a busy machine must not decide.
    spent = page.evaluate(
        """async () => { const view = paidia.view.outline, box = view.scroller, times = [];
        for (let i = 0; i < 200; i++) {
            box.scrollTop = i < 100 ? i * 130 : (i - 99) * 230000;
            const t = performance.now();
            view.draw();
            box.offsetHeight;
            times.push(performance.now() - t);
            await new Promise((done) => setTimeout(done, 2));
        }
        times.sort((a, b) => a - b);
        return [times[100], times[190]] }"""
    )
    assert spent[0] < 20, f"half of the frames take longer than {spent[0]:.1f} ms"
    holds(page, f"paidia.view.outline.nodes.some(({{row}}) => row.index > {nodes * 9 // 10} && row.data)")


def test_rules_with_an_error_are_repaired_explained_and_played(visit: Visit) -> None:
    page = visit("#/rules")
    holds(page, "paidia.view.text?.value.includes('(role x)')")
    good = page.evaluate("() => paidia.view.text.value")
    wrong = good.replace("(role x) (role o)", "(role x) (role o)\n(<= (legal ?p oops) (role ?q))")
    page.locator("textarea >> nth=0").fill(wrong)
    page.wait_for_selector(".remarks .error")
    assert "7:" in page.locator(".remarks .error button").first.inner_text()
    assert "?p" in page.locator(".remarks .error").first.inner_text()
    assert page.locator("button:text-is('Play these rules')").is_disabled()
    page.locator("textarea >> nth=0").fill(good)
    page.wait_for_selector("text=no remarks")
    page.locator("form input >> nth=0").fill("(legal x (mark 1 1))")
    page.click("text=Explain")
    page.wait_for_selector(".proof .yes")
    assert "by the rule" in page.locator(".proof").first.inner_text()
    page.locator("form input >> nth=0").fill("(legal o (mark 1 1))")
    page.click("text=Explain")
    page.wait_for_selector(".proof .no")
    page.click("text=Play these rules")
    holds(page, "paidia.view.humanMoves?.().length")
    assert _play_out(page) >= 2


def test_a_live_experiment(visit: Visit, folder: Path) -> None:
    page = visit("#/lab")
    page.click("button:has-text('Run small.toml')")
    page.wait_for_selector("progress")
    page.wait_for_selector("h3:text-is('done')", timeout=120_000)
    page.locator(".heat td button").first.click()
    page.wait_for_selector("text=8 matches")
    page.click("button:text-is('replay') >> nth=0")
    holds(page, "paidia.view.over")
    assert page.evaluate("() => paidia.view.seats.includes('random')")
    assert (folder / "small.sqlite").exists()


PARTS = ["#/play", "#/table?game=hex&seed=0&moves=a1|%3B|b2", "#/rules", "#/lab", "#/records"]


@pytest.mark.parametrize("width", [390, 1280, 2560])
def test_nothing_is_wider_than_the_screen(visit: Visit, width: int) -> None:
    page = visit(PARTS[-1], width=width, height=860 if width > 400 else 780)
    page.wait_for_selector("section.card")
    for part in PARTS:
        page.evaluate("(part) => { globalThis.before = paidia.view; location.hash = part }", part)
        holds(page, "paidia.view !== before")
        page.wait_for_timeout(150)  # what the child says comes a little later
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width, part
        small = page.evaluate(
            """() => [...document.querySelectorAll('button, select, input')]
            .filter((n) => n.offsetParent && n.offsetHeight && n.offsetHeight < 13).length"""
        )
        assert small == 0, part


def test_dark_colours_differ_from_light_ones(visit: Visit) -> None:
    light, dark = (visit("#/play", color_scheme=scheme) for scheme in ("light", "dark"))
    colours = []
    for page in (light, dark):
        page.wait_for_selector("form")
        colours.append(page.evaluate("() => getComputedStyle(document.body).backgroundColor"))
    assert colours[0] != colours[1]


def test_the_page_is_small(visit: Visit, server: Server) -> None:
    page = visit()
    page.wait_for_selector(".board svg")
    for part in ("#/records", "#/rules", "#/lab", "#/table?game=tic-tac-toe&seed=0"):
        page.goto(server.address + part)
        page.wait_for_selector("section.card")
    sizes = page.evaluate(
        """() => ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
        .map((entry) => entry.encodedBodySize)"""
    )
    assert len(sizes) > 12 and 50_000 < sum(sizes) < 400_000


def test_everything_can_be_done_with_the_keyboard(visit: Visit) -> None:
    page = visit("#/play")
    page.wait_for_selector("form")
    page.focus("button:text-is('Start')")
    page.keyboard.press("Enter")
    holds(page, "paidia.view.humanMoves?.().length")
    page.locator("[data-spot=a]").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("() => document.activeElement.dataset.spot") == "b"
    page.keyboard.press("Enter")
    holds(page, "paidia.view.position.step >= 1")
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll('button, input, select, textarea, [role=button]')].filter((n) =>
        n.offsetParent !== null && !(n.textContent.trim() || n.getAttribute('aria-label') || n.labels?.length || n.title)
        ).length"""
    )
    assert unnamed == 0
