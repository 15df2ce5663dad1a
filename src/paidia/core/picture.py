"""The plainest picture of a situation: its drawing as text, in SVG. Notebooks show it."""

from __future__ import annotations

from html import escape

__all__ = ["text_svg"]

WIDTH, HEIGHT, MARGIN = 9.6, 19, 8  # pixels of a character, and around the text


def text_svg(text: str) -> str:
    """Lines of text as an SVG picture."""
    lines = text.splitlines() or [""]
    width = max(len(line) for line in lines) * WIDTH + 2 * MARGIN
    height = len(lines) * HEIGHT + 2 * MARGIN
    rows = "".join(
        f'<text x="{MARGIN}" y="{MARGIN + HEIGHT * (i + 0.75):g}" xml:space="preserve">{escape(line)}</text>'
        for i, line in enumerate(lines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}">'
        f'<rect width="100%" height="100%" fill="#ffffff"/>'
        f'<g font-family="monospace" font-size="16" fill="#111111">{rows}</g></svg>'
    )
