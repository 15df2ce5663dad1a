"""Pictures of intervals say what they show, whatever things are called."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

pytest.importorskip("matplotlib")

from paidia.report.drawing.plots import LONGEST, Bar, interval_plot, scatter_plot, short
from paidia.report.statistics import Interval, wilson


def share(wins: int, n: int) -> Interval:
    return wilson(n, wins).scaled(100.0)


def texts(svg: str) -> list[str]:
    """All text of a picture; that it is well-formed is part of it."""
    return ["".join(element.itertext()).strip() for element in ElementTree.fromstring(svg).iter() if element.tag.endswith("text")]


def test_names_are_text() -> None:
    """No formula, no markup, no escape sequence; what is too long keeps both its ends."""
    names = ["$x_1^2$", "</text><script>1</script>", "\x1b[31mred", "a" * 40 + "b" * 40, "{b} [/x] :ferry:"]
    shown = texts(interval_plot([Bar(name, share(3, 10)) for name in names], title="costs $5 & $6"))
    assert {"$x_1^2$", "</text><script>1</script>", "{b} [/x] :ferry:", "costs $5 & $6"} <= set(shown)
    long = next(text for text in shown if text.startswith("aaaa"))
    assert len(long) == LONGEST and long.endswith("b" * 10) and "…" in long
    assert "\x1b" not in "".join(shown)
    points = [("$a$", 1.0, 2.0), ("b_c", 2.0, 3.0)]
    assert {"$a$", "b_c", "$x$", "y"} <= set(texts(scatter_plot(points, title="", x="$x$", y="y")))


def test_the_legend_names_what_is_there() -> None:
    bars = [Bar("a", share(5, 50), share(6, 50), "agree"), Bar("b", share(5, 50), share(40, 50), "disagree")]
    shown = texts(interval_plot(bars, title="t"))
    assert {"ours, agrees", "ours, disagrees", "paper, with its own interval"} <= set(shown)
    assert "ours, undecided" not in shown
    assert "paper, with its own interval" not in texts(interval_plot([Bar("a", share(5, 50))], title="t"))


@pytest.mark.parametrize(("wins", "n"), [(4, 4), (0, 2), (1, 1), (50, 100)])
def test_shares_are_drawn_between_0_and_100(wins: int, n: int) -> None:
    shown = texts(interval_plot([Bar("a", share(wins, n))], title="t"))
    ticks = [float(text.replace("−", "-")) for text in shown if re.fullmatch(r"[−-]?[0-9.]+", text)]
    assert ticks and min(ticks) >= 0 and max(ticks) <= 100


def test_short_names_stay() -> None:
    assert short("vgdl:ferry") == "vgdl:ferry" and short("a\nb") == "a b"
