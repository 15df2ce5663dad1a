"""States of GDL games for people: as a picture, as text, and which spots of the picture a move is about."""

from __future__ import annotations

import math
import random
import re
from collections import Counter, OrderedDict
from typing import Any

from paidia.core.picture import Piece, Scene, Shape, Spot
from paidia.games.gdl.looks import colour_of, symbol_of
from paidia.games.gdl.reader import Fact, Grid, Place, Reader, Reading, split_fact

__all__ = ["draw_fluents", "draw_state", "read_game", "state_scene", "touched_spots"]

CELL, EDGE, GAP = 40.0, 20.0, 24.0
WALK = 60  # states that a reader looks at
_readers: OrderedDict[int, tuple[Any, Reader]] = OrderedDict()


def read_game(state: Any) -> Reader:
    """The reader of a state's game: made once, as long as few other games are looked at."""
    game = state.game
    found = _readers.get(id(game))
    if found is None or found[0] is not game:
        states = _walk(game)
        machine = getattr(game, "machine", None)
        domain = [*machine.net.fluents, *machine.net.constant] if machine is not None else {f for s in states for f in s}
        found = _readers[id(game)] = game, Reader(domain, states, game.roles)
        while len(_readers) > 8:
            _readers.popitem(last=False)
    return found[1]


def _walk(game: Any) -> list[list[str]]:
    """The facts of some states, by random moves."""
    rng = random.Random(1)
    state = game.initial_state()
    found = [state.fluents()]
    while len(found) < WALK and not state.terminal:
        moves = [state.legal(role) for role in range(game.n_roles)]
        state.play([rng.choice(legal) if legal else None for legal in moves])
        found.append(state.fluents())
    return found


def _mover(state: Any) -> str | None:
    return None if state.terminal or state.mover is None else str(state.game.roles[state.mover])


# ------------------------------------------------------------------------------------------------ places in the plane


class _Layout:
    """Where the places of a grid lie."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.width, self.height = CELL * len(grid.columns), CELL * len(grid.rows)
        self.nested = len(grid.boards) == 2
        n = len(grid.boards[0]) if grid.boards else 1
        self.across = n if self.nested else min(n, max(2, math.ceil(math.sqrt(n)))) if n > 1 else 1
        self.lengths = Counter(place[-1] for place in grid.places)
        self.first = {
            row: min(grid.columns.index(place[-2]) for place in grid.places if place[-1] == row) for row in self.lengths
        }

    def origin(self, boards: tuple[str, ...]) -> tuple[float, float]:
        """The upper left corner of a board."""
        if not boards:
            return EDGE, EDGE / 2
        number = self.grid.boards[0].index(boards[0])
        column, row = number % self.across, number // self.across
        if self.nested:
            column, row = number, len(self.grid.boards[1]) - 1 - self.grid.boards[1].index(boards[1])
        gap = GAP / 3 if self.nested else GAP * 1.4
        return EDGE + column * (self.width + gap), EDGE / 2 + row * (self.height + gap)

    def at(self, place: Place) -> tuple[float, float]:
        """The upper left corner of a cell."""
        x, y = self.origin(place[:-2])
        column, row = self.grid.columns.index(place[-2]), self.grid.rows.index(place[-1])
        shift = 0.0
        if self.grid.centred:
            shift = (len(self.grid.columns) - self.lengths[place[-1]]) / 2 - self.first[place[-1]]
        return x + CELL * (column + shift), y + CELL * (len(self.grid.rows) - 1 - row)

    def size(self) -> tuple[float, float]:
        corners = [self.origin(place[:-2]) for place in self.grid.places] or [(EDGE, EDGE / 2)]
        below = GAP * 1.4 if self.grid.boards and not self.nested else EDGE
        return max(x for x, _ in corners) + self.width + EDGE / 2, max(y for _, y in corners) + self.height + below


def _spot_id(place: Place) -> str:
    return ",".join(place)


def state_scene(state: Any) -> Scene:
    """The picture of a state."""
    reader = read_game(state)
    reading = reader.read(state.fluents(), _mover(state))
    roles = state.game.roles
    if reader.grid is None:
        if reading.towers:
            return _tower_scene(reader, reading, state.caption())
        return _card_scene(reading, state.caption())
    return _grid_scene(reader, reading, roles, state.caption())


def _grid_scene(reader: Reader, reading: Reading, roles: tuple[str, ...], caption: str) -> Scene:
    grid = reader.grid
    assert grid is not None
    layout = _Layout(grid)
    dots = reader.line is not None
    shapes, spots = _board(grid, layout, dots)
    names: dict[str, str] = {}
    symbols: dict[str, list[Shape]] = {}
    pieces: list[Piece] = []
    over: list[Shape] = []
    for place, marks in _grouped(reading.marks).items():
        x, y = layout.at(place)
        colour = colour_of(marks[0], roles)
        shapes.append(Shape("rect", [x + 3, y + 3, CELL - 6, CELL - 6], stroke=colour, width=3.0))
        over.append(Shape("text", [x + CELL / 2, y + CELL - 6], fill="muted", text=marks[0][:8], size=8.0))
    for place, contents in reading.pieces.items():
        x, y = layout.at(place)
        if dots:  # what a box holds stands between four points
            x, y = x + CELL / 2, y - CELL / 2
        side = CELL if len(contents) == 1 else CELL / 2
        for number, what in enumerate(contents[:4]):
            if what not in names:
                names[what] = str(len(names))
                symbols[names[what]] = symbol_of(what, roles)
            pieces.append(Piece(names[what], x + side * (number % 2), y + side * (number // 2), side))
    for place, side_of, name in reading.walls:
        over += _wall(*layout.at(place), side_of, name)
    for one, other in reading.lines:
        (x, y), (u, v) = layout.at(one), layout.at(other)
        half = CELL / 2
        over.append(Shape("line", [x + half, y + half, u + half, v + half], stroke="blue", width=5.0))
    width, height = layout.size()
    if reading.towers:
        reading.notes += ["; ".join(" < ".join(tower) for tower in reading.towers)]
    return Scene(
        width, height, shapes=shapes, symbols=symbols, pieces=pieces, over=over, spots=spots, caption=caption, notes=reading.notes
    )


def _grouped(marks: list[tuple[Place, str]]) -> dict[Place, list[str]]:
    found: dict[Place, list[str]] = {}
    for place, name in marks:
        found.setdefault(place, []).append(name)
    return found


def _board(grid: Grid, layout: _Layout, dots: bool) -> tuple[list[Shape], dict[str, Spot]]:
    """The empty board, and its places to point at."""
    shapes: list[Shape] = []
    spots = {}
    half = CELL / 2
    full = len(grid.places) == len(grid.columns) * len(grid.rows) * math.prod(len(names) for names in grid.boards)
    if not full and not grid.centred and not dots and len(grid.places) * 2 == len(grid.columns) * len(grid.rows):
        x, y = layout.origin(())  # every other cell is one: the others are squares nobody stands on
        shapes.append(Shape("rect", [x, y, layout.width, layout.height], fill="board", stroke="line", width=1.0))
    for place in sorted(grid.places, key=lambda place: (layout.at(place)[1], layout.at(place)[0])):
        x, y = layout.at(place)
        label = _named(grid, place)
        spots[_spot_id(place)] = Spot(x, y, CELL, CELL, label)
        if grid.centred:
            shapes.append(
                Shape("ellipse", [x + half, y + half, 0.44 * CELL, 0.44 * CELL], fill="board", stroke="line", width=1.0)
            )
        elif dots:
            shapes.append(Shape("ellipse", [x + half, y + half, 3.5, 3.5], fill="ink"))
        else:
            even = (grid.columns.index(place[-2]) + grid.rows.index(place[-1])) % 2 == 0
            fill = "shade" if even or (not full and not grid.boards) else "board"
            shapes.append(Shape("rect", [x, y, CELL, CELL], fill=fill, stroke="line", width=1.0))
    for boards in sorted({place[:-2] for place in grid.places}):
        x, y = layout.origin(boards)
        if boards:
            shapes.append(Shape("rect", [x, y, layout.width, layout.height], stroke="ink", width=2.0))
            if not layout.nested:
                shapes.append(
                    Shape("text", [x + layout.width / 2, y + layout.height + 26], fill="ink", text=" ".join(boards), size=12.0)
                )
        if not grid.by_name and not layout.nested:
            for number, name in enumerate(grid.columns):
                at = [x + CELL * number + half, y + layout.height + 11]
                shapes.append(Shape("text", at, fill="muted", text=name, size=11.0))
            for number, name in enumerate(grid.rows):
                at = [x - EDGE / 2, y + CELL * (len(grid.rows) - 1 - number) + half]
                shapes.append(Shape("text", at, fill="muted", text=name, size=11.0))
    return shapes, spots


def _named(grid: Grid, place: Place) -> str:
    if grid.by_name:
        return next(name for name, own in grid.by_name.items() if own == place)
    return " ".join(place)


def _wall(x: float, y: float, side: str, name: str) -> list[Shape]:
    ends = {"n": [0, 0, 1, 0], "s": [0, 1, 1, 1], "e": [1, 0, 1, 1], "w": [0, 0, 0, 1]}[side]
    at = [x + CELL * ends[0], y + CELL * ends[1], x + CELL * ends[2], y + CELL * ends[3]]
    compared = re.search(r"(?:^|[^a-z])(lt|gt)(?:[^a-z]|$)", name.lower())
    if compared:  # a relation between neighbours: a sign between them
        middle = [(at[0] + at[2]) / 2, (at[1] + at[3]) / 2]
        less = compared[1] == "lt"
        sign = ("<" if less else ">") if side in "ew" else ("∧" if less == (side == "s") else "∨")
        return [Shape("ellipse", [*middle, 8, 8], fill="paper"), Shape("text", middle, fill="mark", text=sign, size=16.0)]
    return [Shape("line", at, stroke="wall", width=5.0)]


def _tower_scene(reader: Reader, reading: Reading, caption: str) -> Scene:
    """Things on things."""
    things = {name for tower in reading.towers for name in tower}
    sizes = {name: int(found[0]) for name in things if (found := re.findall(r"\d+$", name))}
    grounds = {name for name in things if sum(name in tower[1:] for tower in reading.towers) == 0}
    wide, high = 120.0, 28.0
    tallest = max(3, len(things) - 1)
    shapes = []
    for number, tower in enumerate(reading.towers):
        x = 10 + number * (wide + 10)
        for level, name in enumerate(tower):
            share = 1.0
            if name in sizes and name not in grounds:
                share = 0.35 + 0.6 * sizes[name] / max(sizes.values())
            y = 10 + high * (tallest - level)
            fill = "shade" if name in grounds and len(tower) > 1 else "board"
            shapes.append(
                Shape("rect", [x + wide * (1 - share) / 2, y, wide * share, high - 3], fill=fill, stroke="line", width=1.5)
            )
            shapes.append(Shape("text", [x + wide / 2, y + high / 2], fill="ink", text=name[:14], size=13.0))
    width = 10 + len(reading.towers) * (wide + 10)
    return Scene(width, 20 + high * (tallest + 1), shapes=shapes, caption=caption, notes=reading.notes)


def _card_scene(reading: Reading, caption: str) -> Scene:
    """What has no board: facts as cards, numbers as rows of dots."""
    shapes = []
    width, y = 340.0, 10.0
    for note in reading.notes:
        label, _, number = note.rpartition(" ")
        if ":" in note and number.isdecimal() and int(number) <= 20:
            shapes.append(Shape("text", [12, y + 14], fill="ink", text=label.rstrip(":")[:22], size=13.0, start=True))
            for dot in range(int(number)):
                at = [180 + 15 * (dot % 10), y + 8 + 13 * (dot // 10), 5, 5]
                shapes.append(Shape("ellipse", at, fill="blue"))
            shapes.append(Shape("text", [165, y + 14], fill="muted", text=number, size=13.0))
            y += 32
        else:
            shapes.append(Shape("rect", [8, y, width - 16, 24], fill="board", stroke="line", width=1.0))
            shapes.append(Shape("text", [16, y + 12], fill="ink", text=note[:40], size=13.0, start=True))
            y += 30
    return Scene(width, max(60.0, y + 6), shapes=shapes, caption=caption)


# ------------------------------------------------------------------------------------------------ moves


def touched_spots(state: Any, role: int, move: int) -> list[str]:
    """The spots that a move names: every run of arguments that are coordinates; a column where it names no row."""
    grid = read_game(state).grid
    if grid is None:
        return []
    fact = split_fact(state.game.move_name(role, move))
    if grid.by_name:
        return [_spot_id(grid.by_name[word]) for word in fact[1:] if word in grid.by_name]
    found = _pairs(grid, fact)
    return found or _column(grid, fact, state)


def _pairs(grid: Grid, fact: Fact) -> list[str]:
    found = []
    depth = 2 + len(grid.boards)
    i = 1
    while i + depth <= len(fact):
        window = fact[i : i + depth]
        place = next(
            (own for own in (window, (*window[2:], *window[:2]), (*window[:-2], window[-1], window[-2])) if own in grid.places),
            None,
        )
        if place is not None:
            found.append(_spot_id(place))
            i += depth
        else:
            i += 1
    return found


def _column(grid: Grid, fact: Fact, state: Any) -> list[str]:
    """`(drop 3)`: the highest place of a column stands for all of it; the page takes any of them."""
    words = fact[1:]
    column = next((word for word in words if word in grid.columns), None)
    if column is None or len(words) > 2:
        return []
    boards = tuple(word for word in words if grid.boards and word in grid.boards[0])[-1:] if grid.boards else ()
    return [f"{','.join((*boards, column))},*"]


# ------------------------------------------------------------------------------------------------ text


def draw_state(state: Any) -> str:
    """A state as text: boards, then whose turn it is and what else holds."""
    reader = read_game(state)
    return _text(reader, reader.read(state.fluents(), _mover(state)), state.caption())


def draw_fluents(fluents: list[str]) -> str:
    """Facts as text, of which nothing else is known."""
    reader = Reader(fluents, [fluents])
    return _text(reader, reader.read(fluents), "")


def _text(reader: Reader, reading: Reading, caption: str) -> str:
    lines: list[str] = []
    if reader.grid is not None:
        lines += _boards_text(reader.grid, reading)
    lines += [" < ".join(tower) for tower in reading.towers]
    for name, places in _by_name(reading).items():
        lines += _side_by_side([f"{name}:", *places])
    lines += [caption] if caption else []
    lines += _side_by_side(reading.text)
    return "\n".join(lines)


def _by_name(reading: Reading) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for place, _, name in reading.walls:
        found.setdefault(name, []).append(" ".join(place))
    for place, name in reading.marks:
        found.setdefault(name, []).append(" ".join(place))
    for one, other in reading.lines:
        found.setdefault("lines", []).append(f"{' '.join(one)} - {' '.join(other)}")
    return found


def _boards_text(grid: Grid, reading: Reading) -> list[str]:
    names = {what for contents in reading.pieces.values() for what in contents}
    signs = _signs(names)
    at = {place: "/".join(signs[what] for what in contents) for place, contents in reading.pieces.items()}
    lines: list[str] = []
    rows = grid.rows[::-1]
    for boards in sorted({place[:-2] for place in grid.places}):
        if boards:
            lines.append(f"-- {' '.join(boards)}")
        width = max(map(len, [*(sign for place, sign in at.items() if place[:-2] == boards), *grid.columns]))
        margin = max(map(len, rows))
        for y in rows:
            cells = [
                at.get((*boards, x, y), "." if (*boards, x, y) in grid.places or not grid.boards else " ") for x in grid.columns
            ]
            if grid.centred:
                cells = [at.get((x, y), ".") for x in grid.columns if (x, y) in grid.places]
            shift = " " * ((width + 1) * (len(grid.columns) - len(cells)) // 2)
            lines.append((f"{y:>{margin}} {shift}" + " ".join(f"{cell:>{width}}" for cell in cells)).rstrip())
        if not grid.centred:
            lines.append(" " * margin + " " + " ".join(f"{x:>{width}}" for x in grid.columns))
    return lines


def _signs(names: set[str]) -> dict[str, str]:
    """Short names: as many letters as it takes to tell them apart."""
    real = sorted(names)
    for length in range(1, 5):
        short = {name: name[:length] for name in real}
        if max(Counter(short.values()).values(), default=0) <= 1:
            return short
    return {name: name for name in real}


def _side_by_side(facts: list[str]) -> list[str]:
    """Facts side by side, none broken over lines."""
    lines: list[str] = []
    for fact in facts:
        if lines and len(lines[-1]) + len(fact) <= 98:
            lines[-1] += f"  {fact}"
        else:
            lines.append(fact)
    return lines
