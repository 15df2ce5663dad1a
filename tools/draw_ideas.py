"""Draws what four enhancements of searches for video games do, as SVG that is readable on light and dark pages.

python tools/draw_ideas.py        # docs/images/ideas/*.svg
"""

from __future__ import annotations

from html import escape
from itertools import pairwise
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "images" / "ideas"

STYLE = """
text { font: 14px system-ui, sans-serif; fill: #1a1a1a; text-anchor: middle; }
.left { text-anchor: start; } .small { font-size: 12px; } .head { font-weight: 600; font-size: 15px; }
.node { fill: #ffffff; stroke: #1a1a1a; stroke-width: 1.6; }
.good { fill: #b9dcf2; } .bad { fill: #f6c39e; } .old { fill: #e3e3e3; }
.edge { stroke: #1a1a1a; stroke-width: 1.6; fill: none; } .main { stroke: #0072b2; stroke-width: 3; }
.gone { stroke-dasharray: 4 4; opacity: 0.55; } .cross { stroke: #d55e00; stroke-width: 3; }
.back { stroke: #0072b2; stroke-width: 2; fill: none; stroke-dasharray: 2 4; } .tip { fill: #0072b2; }
@media (prefers-color-scheme: dark) {
  text { fill: #e8e8e8; }
  .node { fill: #22262b; stroke: #e8e8e8; }
  .good { fill: #1f5b82; } .bad { fill: #8a4312; } .old { fill: #4a4f55; }
  .edge { stroke: #e8e8e8; } .main, .back { stroke: #56b4e9; } .tip { fill: #56b4e9; } .cross { stroke: #ff9a4d; }
}
"""


class Picture:
    """Shapes in the order in which they are drawn; edges lie below nodes."""

    def __init__(self, width: int, height: int, title: str) -> None:
        self.size, self.title = (width, height), title
        self.below: list[str] = []
        self.above: list[str] = []

    def text(self, x: float, y: float, words: str, kind: str = "") -> None:
        """Words, centred unless they are "left"."""
        self.above.append(f'<text x="{x}" y="{y}" class="{kind}">{escape(words)}</text>')

    def node(self, x: float, y: float, words: str = "", kind: str = "", radius: int = 19) -> tuple[float, float]:
        """A circle with a word in it; its place."""
        self.above.append(f'<circle cx="{x}" cy="{y}" r="{radius}" class="node {kind}"/>')
        if words:
            self.text(x, y + 4.5, words, "small" if len(words) > 2 else "")
        return x, y

    def edge(self, start: tuple[float, float], end: tuple[float, float], kind: str = "") -> None:
        """A line between two places."""
        self.below.append(f'<path d="M{start[0]} {start[1]} L{end[0]} {end[1]}" class="edge {kind}"/>')

    def cross(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """On the edge to what is left out."""
        x, y, r = start[0] + 0.6 * (end[0] - start[0]), start[1] + 0.6 * (end[1] - start[1]), 8
        self.above.append(f'<path d="M{x - r} {y - r} L{x + r} {y + r} M{x + r} {y - r} L{x - r} {y + r}" class="cross"/>')

    def back(self, points: list[tuple[float, float]]) -> None:
        """A dotted way of a result, which ends to the left."""
        way = " L".join(f"{x} {y}" for x, y in points)
        self.below.append(f'<path d="M{way}" class="back"/>')
        x, y = points[-1]
        self.above.append(f'<path d="M{x + 12} {y - 6} L{x} {y} L{x + 12} {y + 6} Z" class="tip"/>')

    def svg(self) -> str:
        """The whole picture."""
        width, height = self.size
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
                f' role="img" aria-label="{escape(self.title, quote=True)}">',
                f"<title>{escape(self.title)}</title>",
                f"<style>{STYLE}</style>",
                *self.below,
                *self.above,
                "</svg>\n",
            ]
        )


def initialization() -> Picture:
    """Every action is tried three times before the first simulation."""
    picture = Picture(640, 290, "Breadth-first tree initialization: every action is tried three times, unsafe ones are left out")
    root = picture.node(320, 40, "now")
    for i, (action, ends) in enumerate((("left", "000"), ("up", "0x0"), ("right", "000"), ("wait", "xx0"))):
        x = 95 + 150 * i
        losses = ends.count("x")
        picture.edge(root, (x, 120), "gone" if losses else "")
        for j, end in enumerate(ends):
            picture.edge((x, 120), (x - 40 + 40 * j, 195), "gone" if losses else "")
            picture.node(x - 40 + 40 * j, 195, "lost" if end == "x" else "", "bad" if end == "x" else "good", 17)
        picture.node(x, 120, action, "" if losses else "good", 22)
        if losses:
            picture.cross(root, (x, 120))
        picture.text(x, 242, f"{losses} of 3 lost", "small")
    picture.text(
        320, 276, "only actions with the fewest losses are searched; their states wait in the tree for simulations", "small"
    )
    return picture


def loss_avoidance() -> Picture:
    """A lost play-out is mended at its last step."""
    picture = Picture(640, 335, "Loss avoidance: where a play-out is lost, the other actions of its last step are tried")
    chain = [picture.node(250, 40, "root"), picture.node(205, 100, "", "good"), picture.node(250, 160), picture.node(295, 220)]
    for start, end in pairwise(chain):
        picture.edge(start, end, "main" if start[1] < 100 else "")
    picture.text(330, 74, "in the tree", "left small")
    picture.text(330, 150, "play-out, at random", "left small")
    last = chain[-1]
    for x, words, kind in ((175, "-9", "bad"), (255, "+1", ""), (335, "+4", "good"), (415, "0", "")):
        picture.edge(last, (x, 285), "main" if words == "+4" else "gone" if kind == "bad" else "")
        picture.node(x, 285, words, kind)
    picture.text(100, 276, "the play-out", "small")
    picture.text(100, 294, "ended here: lost", "small")
    picture.back([(335, 306), (335, 318), (520, 318), (520, 40), (273, 40)])
    picture.text(530, 160, "the best of the", "left small")
    picture.text(530, 178, "others counts", "left small")
    picture.text(530, 196, "instead", "left small")
    return picture


def novelty() -> Picture:
    """Children that show nothing new are skipped."""
    picture = Picture(640, 300, "Novelty-based pruning: children in which nothing is true that was not true nearby are skipped")
    root = picture.node(300, 45, "a", "", 24)
    picture.text(340, 40, "true here: the avatar is at a", "left small")
    children = [(110, "b", True), (235, "a", False), (360, "c k", True), (485, "a k", False)]
    for x, words, new in children:
        picture.edge(root, (x, 140), "" if new else "gone")
        picture.node(x, 140, words, "good" if new else "old", 24)
        if not new:
            picture.cross(root, (x, 140))
    for x, words in ((110, "new: b"), (235, "not new"), (360, "new: c, key"), (485, "a, key: both seen")):
        picture.text(x + 30, 145, words, "left small")
    for x, words, new in ((70, "d", True), (150, "c", False), (320, "e k", True), (400, "c", False)):
        parent = (110, 140) if x < 200 else (360, 140)
        picture.edge(parent, (x, 230), "" if new else "gone")
        picture.node(x, 230, words, "good" if new else "old", 21)
        if not new:
            picture.cross(parent, (x, 230))
    picture.text(320, 285, "compared with: siblings to the left, the parent, its siblings, and so on up to the root", "small")
    return picture


def tree_reuse() -> Picture:
    """The subtree of what was played goes on."""
    picture = Picture(640, 300, "Tree reuse: the subtree of the action that was played becomes the next tree, with faded counts")
    picture.text(165, 24, "tick t", "head")
    picture.text(490, 24, "tick t + 1", "head")
    root = picture.node(165, 60, "100")
    for x, visits, played in ((65, "15", False), (165, "60", True), (265, "25", False)):
        picture.edge(root, (x, 140), "main" if played else "gone")
        for dx, below in ((-30, "20"), (30, "40")) if played else ((-22, ""), (22, "")):
            picture.edge((x, 140), (x + dx, 220), "main" if played else "gone")
            picture.node(x + dx, 220, below, "good" if played else "old", 19 if played else 13)
        picture.node(x, 140, visits, "good" if played else "old")
    picture.text(165, 268, "played: the middle action", "small")
    picture.below.append('<path d="M320 140 L386 140" class="edge main"/>')
    picture.above.append('<path d="M384 133 L398 140 L384 147 Z" class="tip"/>')
    picture.text(355, 124, "× 0.6", "")
    top = picture.node(490, 60, "36", "good")
    for x, visits in ((440, "12"), (540, "24")):
        picture.edge(top, (x, 140), "main")
        picture.node(x, 140, visits, "good")
        for dx in (-22, 22):
            picture.edge((x, 140), (x + dx, 220))
            picture.node(x + dx, 220, "", "", 13)
    picture.text(490, 268, "old counts weigh less than new ones", "small")
    return picture


def main() -> None:
    """Write all pictures."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for draw in (initialization, loss_avoidance, novelty, tree_reuse):
        (FOLDER / f"{draw.__name__}.svg").write_text(draw().svg(), encoding="utf-8")
    print(f"written: {FOLDER.relative_to(FOLDER.parents[2])}/*.svg")


if __name__ == "__main__":
    main()
