"""Pieces as symbols: drawings in a square of side 1 that boards and GDL games share (see `core.picture`)."""

from __future__ import annotations

from paidia.core.picture import Shape

__all__ = ["MEN", "contrast", "cross", "disc", "domino", "man", "ring", "stone", "tile"]

#: Which pieces carry a ring: colours that some people cannot tell from another one, so that colour is never all there is.
RINGED = {"blue", "yellow", "green", "teal", "purple"}

#: Silhouettes of chessmen, in a square of side 1.
MEN: dict[str, list[float]] = {
    "pawn": [0.25, 0.85, 0.75, 0.85, 0.68, 0.72, 0.58, 0.5, 0.68, 0.36, 0.62, 0.22, 0.5, 0.16, 0.38, 0.22, 0.32, 0.36,
             0.42, 0.5, 0.32, 0.72],
    "rook": [0.22, 0.85, 0.78, 0.85, 0.72, 0.72, 0.68, 0.42, 0.76, 0.36, 0.76, 0.16, 0.63, 0.16, 0.63, 0.25, 0.56, 0.25,
             0.56, 0.16, 0.44, 0.16, 0.44, 0.25, 0.37, 0.25, 0.37, 0.16, 0.24, 0.16, 0.24, 0.36, 0.32, 0.42, 0.28, 0.72],
    "knight": [0.26, 0.85, 0.78, 0.85, 0.76, 0.55, 0.68, 0.32, 0.54, 0.2, 0.5, 0.1, 0.43, 0.2, 0.34, 0.3, 0.2, 0.5, 0.24, 0.6,
               0.34, 0.58, 0.48, 0.48, 0.44, 0.6, 0.32, 0.72],
    "bishop": [0.24, 0.85, 0.76, 0.85, 0.66, 0.74, 0.58, 0.64, 0.68, 0.46, 0.62, 0.3, 0.54, 0.2, 0.54, 0.12, 0.46, 0.12,
               0.46, 0.2, 0.38, 0.3, 0.32, 0.46, 0.42, 0.64, 0.34, 0.74],
    "queen": [0.24, 0.85, 0.76, 0.85, 0.7, 0.68, 0.86, 0.28, 0.66, 0.46, 0.64, 0.16, 0.5, 0.42, 0.36, 0.16, 0.34, 0.46, 0.14,
              0.28, 0.3, 0.68],
    "king": [0.24, 0.85, 0.76, 0.85, 0.72, 0.7, 0.82, 0.5, 0.74, 0.36, 0.56, 0.38, 0.56, 0.28, 0.66, 0.28, 0.66, 0.19, 0.56,
             0.19, 0.56, 0.1, 0.44, 0.1, 0.44, 0.19, 0.34, 0.19, 0.34, 0.28, 0.44, 0.28, 0.44, 0.38, 0.26, 0.36, 0.18, 0.5,
             0.28, 0.7],
}  # fmt: skip


def contrast(colour: str) -> str:
    """A colour that can be read on another one."""
    return "white" if colour in ("black", "red", "blue", "green", "purple", "brown", "wall", "frame") else "black"


def disc(colour: str, label: str = "") -> list[Shape]:
    """A flat disc, with up to three letters on it."""
    marks = [Shape("ellipse", [0.5, 0.5, 0.4, 0.4], fill=colour, stroke="black", width=0.03)]
    if label:
        size = {1: 0.44, 2: 0.36}.get(len(label), 0.27)
        marks.append(Shape("text", [0.5, 0.5], fill=contrast(colour), text=label, size=size))
    elif colour in RINGED:
        marks.append(Shape("ellipse", [0.5, 0.5, 0.24, 0.24], stroke=contrast(colour), width=0.035))
    return marks


def stone(colour: str) -> list[Shape]:
    """A stone of go."""
    shine = "gray" if colour == "black" else "white"
    return [
        Shape("ellipse", [0.5, 0.5, 0.46, 0.46], fill=colour, stroke="black", width=0.03),
        Shape("ellipse", [0.38, 0.36, 0.12, 0.09], fill=shine),
    ]


def cross(colour: str) -> list[Shape]:
    """The x of tic-tac-toe."""
    return [Shape("line", at, stroke=colour, width=0.13) for at in ([0.22, 0.22, 0.78, 0.78], [0.78, 0.22, 0.22, 0.78])]


def ring(colour: str) -> list[Shape]:
    """The o of tic-tac-toe."""
    return [Shape("ellipse", [0.5, 0.5, 0.3, 0.3], stroke=colour, width=0.13)]


def man(kind: str, colour: str) -> list[Shape]:
    """A chessman."""
    outline = "white" if colour == "black" else "black"
    return [Shape("polygon", MEN[kind], fill=colour, stroke=outline, width=0.035)]


def tile(colour: str, label: str = "", *, text: str = "") -> list[Shape]:
    """A square tile with a short word on it."""
    marks = [Shape("rect", [0.06, 0.06, 0.88, 0.88], fill=colour, stroke="black", width=0.02)]
    if label:
        size = min(0.5, 1.15 / max(2, len(label)))
        marks.append(Shape("text", [0.5, 0.5], fill=text or contrast(colour), text=label, size=size))
    return marks


def domino(colour: str, *, upright: bool) -> list[Shape]:
    """Half a domino: its bar tells which way it lies."""
    bar = [0.4, 0.0, 0.2, 1.0] if upright else [0.0, 0.4, 1.0, 0.2]
    body = [0.1, 0.0, 0.8, 1.0] if upright else [0.0, 0.1, 1.0, 0.8]
    return [Shape("rect", body, fill=colour), Shape("rect", bar, fill=contrast(colour))]
