"""What the fluents of a GDL game mean to a person, found by their shape: boards, towers, lines, walls, counters.

Names say nothing in GDL, so a reader looks at what can hold (all fluents of the game) and at what did hold in some states:

    grid     two neighbouring arguments that run through consecutive numbers or letters, and something that stands there, at
             most once in each state; with one more argument for several boards, or two for a board of boards
    places   one argument that names places by letter and number: rows of different lengths are centred (a star)
    overlay  other relations over the same coordinates: pieces, marks, walls where the name has a side in it
    lines    four coordinates of points that lie beside each other
    point    two relations called x and y
    towers   a relation that puts each thing on at most one other

What is left is told in words. A reading may be wrong for a person; it never leaves out a fact.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations

__all__ = ["Fact", "Grid", "Reader", "Reading", "split_fact"]

Fact = tuple[str, ...]  # relation and arguments
Place = tuple[str, ...]  # coordinates in the order of a grid: boards, column, row

LONGEST_AXIS = 40
MOST_BOARDS = 12
LEAST_PLACES = 4
FEW = 12  # facts of a relation that are told one by one
SIDES = {
    "north": "n", "up": "n", "above": "n", "south": "s", "down": "s", "below": "s", "east": "e", "right": "e", "west": "w",
    "left": "w",
}  # fmt: skip


@lru_cache(maxsize=100_000)
def split_fact(text: str) -> Fact:
    """`(cell 1 2 (f x))` as ("cell", "1", "2", "(f x)")."""
    text = text.strip()
    if not text.startswith("("):
        return (text,)
    parts, depth, word = [], 0, ""
    for sign in text[1:-1] + " ":
        if sign == "(":
            depth += 1
        elif sign == ")":
            depth -= 1
        if sign.isspace() and depth == 0:
            if word:
                parts.append(word)
            word = ""
        else:
            word += sign
    return tuple(parts)


def axis_of(values: Iterable[str]) -> list[str] | None:
    """Coordinates in order, with those that lie between them; None if these are no coordinates."""
    names = set(values)
    if not 2 <= len(names) <= LONGEST_AXIS:
        return None
    if all(len(name) == 1 and name.isascii() and name.isalpha() for name in names):
        codes = sorted(map(ord, names))
        whole = [chr(code) for code in range(codes[0], codes[-1] + 1)]
    else:
        split = [re.fullmatch(r"([^\d]*)(\d{1,3})", name) for name in names]
        if not all(split) or len({match[1] for match in split if match}) != 1:
            return None
        numbers = sorted(int(match[2]) for match in split if match)
        prefix = next(match[1] for match in split if match)
        if any(f"{prefix}{number}" not in names for number in numbers):  # 01, 02
            return sorted(names)
        whole = [f"{prefix}{number}" for number in range(numbers[0], numbers[-1] + 1)]
    return whole if len(names) * 2 >= len(whole) else None


@dataclass(frozen=True)
class Shape:
    """Which arguments of a relation say where, and which say what."""

    boards: tuple[int, ...]
    column: int
    row: int
    content: tuple[int, ...]

    def place(self, fact: Fact) -> Place:
        return (*(fact[1 + i] for i in self.boards), fact[1 + self.column], fact[1 + self.row])

    def what(self, fact: Fact) -> str:
        return " ".join(fact[1 + i] for i in self.content)


@dataclass
class Grid:
    """A board, or several of the same size; coordinates are names."""

    columns: list[str]
    rows: list[str]  # the first is drawn at the bottom
    boards: list[list[str]]  # names of boards, by one or two coordinates
    places: set[Place]
    by_name: dict[str, Place] = field(default_factory=dict)  # where a place is one word
    centred: bool = False


@dataclass
class Reading:
    """A state as a person sees it."""

    pieces: dict[Place, list[str]] = field(default_factory=dict)
    marks: list[tuple[Place, str]] = field(default_factory=list)  # a place and the name of what holds there
    walls: list[tuple[Place, str, str]] = field(default_factory=list)  # a place, its side, and the name
    lines: list[tuple[Place, Place]] = field(default_factory=list)
    towers: list[list[str]] = field(default_factory=list)  # each from its ground up
    notes: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)  # the same as facts


class Reader:
    """How to read the states of one game.

    Args:
        domain: All that can hold; a state or several where nobody knows.
        states: Some states, which tell what is unique.
        roles: Names of the roles.
    """

    def __init__(self, domain: Iterable[str], states: Sequence[Sequence[str]], roles: Sequence[str] = ()) -> None:
        self.roles = set(roles)
        self._facts: dict[tuple[str, int], set[Fact]] = {}
        for fact in map(split_fact, domain):
            self._facts.setdefault((fact[0], len(fact) - 1), set()).add(fact)
        self._states = [[split_fact(text) for text in state] for state in states]
        self.grid: Grid | None = None
        self.shapes: dict[tuple[str, int], Shape] = {}
        self.walls: dict[tuple[str, int], str] = {}
        self.line: tuple[str, int] | None = None
        self.tower: tuple[str, int] | None = None
        self.point = False
        if not self._find_lines() and not self._find_grid() and not self._find_named_places():
            self._find_point()
        if self.grid is not None:
            self._find_overlays()
        self._find_tower()
        common = Counter(self._init_contents())
        self.empty = {
            name for name in common if name.lower() in ("b", "blank", "empty", "e", "_", "nil", "none", "dirt", "hole", "0", "")
        }
        if "hole" in self.empty and len(common) < 3 and "hole" not in self._first_contents():
            self.empty.discard("hole")
        if "0" in self.empty and len(common) < 2:
            self.empty.discard("0")

    # ------------------------------------------------------------------------------------------------ finding

    def _unique(self, key: tuple[str, int], columns: Sequence[int]) -> bool:
        """Whether in every state known these arguments are never twice the same."""
        for state in self._states:
            seen = [tuple(fact[1 + i] for i in columns) for fact in state if (fact[0], len(fact) - 1) == key]
            if len(set(seen)) < len(seen):
                return False
        return True

    def _axes(self, key: tuple[str, int]) -> list[list[str] | None]:
        facts = self._facts[key]
        return [axis_of(fact[1 + i] for fact in facts) for i in range(key[1])]

    def _find_grid(self) -> bool:
        best: tuple[tuple[int, int, int], tuple[str, int], Shape] | None = None
        for key in self._facts:
            shape = self._shape(key)
            if shape is None:
                continue
            facts = self._facts[key]
            places = {shape.place(fact) for fact in facts}
            named = any(not shape.what(fact).isdecimal() for fact in facts)
            worth = (len(places) if named else len(places) // 2, int(named), -len(shape.boards))
            if len(places) >= LEAST_PLACES and (best is None or worth > best[0]):
                best = worth, key, shape
        if best is None:
            return False
        _, key, shape = best
        facts = self._facts[key]
        axes = self._axes(key)
        boards = [axes[i] or sorted({fact[1 + i] for fact in facts}) for i in shape.boards]
        self.grid = Grid(axes[shape.column] or [], axes[shape.row] or [], boards, {shape.place(fact) for fact in facts})
        self.shapes[key] = shape
        return True

    def _shape(self, key: tuple[str, int]) -> Shape | None:
        """Where and what of a relation that describes a board with things on it."""
        n = key[1]
        if not 3 <= n <= 6:
            return None
        axes = self._axes(key)
        pairs = [(i, i + 1) for i in range(n - 1) if axes[i] and axes[i + 1]]
        sizes = [len({fact[1 + k] for fact in self._facts[key]}) for k in range(n)]
        if n == 5 and all(axes[:4]) and max(sizes[:4]) <= 4 and self._unique(key, (0, 1, 2, 3)):
            return Shape((0, 1), 2, 3, (4,))
        # the squarest board first: of (1 to 4, 1 to 3, 1 to 3) the first one counts boards
        pairs.sort(key=lambda pair: max(sizes[pair[0]], sizes[pair[1]]) / min(sizes[pair[0]], sizes[pair[1]]))
        for boards in range(2):
            for i, j in pairs:
                others = [k for k in range(n) if k not in (i, j)]
                for chosen in combinations(others, boards):
                    if len(chosen) == len(others) or any(not 2 <= sizes[k] <= MOST_BOARDS for k in chosen):
                        continue
                    if self._unique(key, (*chosen, i, j)):
                        return self._ordered(key, Shape(chosen, i, j, tuple(k for k in others if k not in chosen)))
        if n == 3 and pairs:  # several things in one place
            i, j = min(pairs, key=lambda pair: axes[3 - sum(pair)] is not None)
            return self._ordered(key, Shape((), i, j, (3 - i - j,)))
        return None

    def _ordered(self, key: tuple[str, int], shape: Shape) -> Shape:
        """Rows before columns where the names say so (`r1 c2`)."""
        sample = next(iter(self._facts[key]))
        if sample[1 + shape.column].lower().startswith("r") and sample[1 + shape.row].lower().startswith("c"):
            return Shape(shape.boards, shape.row, shape.column, shape.content)
        return shape

    def _find_named_places(self) -> bool:
        """A relation (cell c4 red) whose first argument is a letter with a number."""
        for key, facts in self._facts.items():
            if key[1] != 2:
                continue
            names = {fact[1] for fact in facts}
            split = [re.fullmatch(r"([a-z])(\d{1,2})", name) for name in names]
            if len(names) < 6 or not all(split):
                continue
            letters = axis_of({match[1] for match in split if match})
            numbers = axis_of({match[2] for match in split if match})
            if not letters or not numbers or not self._unique(key, (0,)):
                continue
            by_name: dict[str, Place] = {match[0]: (match[2], match[1]) for match in split if match}
            lengths = Counter(place[1] for place in by_name.values())
            centred = len(set(lengths.values())) > 1
            if not centred:
                by_name = {name: (place[1], place[0]) for name, place in by_name.items()}
                letters, numbers = numbers, letters
            self.grid = Grid(numbers, letters, [], set(by_name.values()), by_name, centred)
            self.shapes[key] = Shape((), 0, 0, (1,))
            return True
        return False

    def _find_point(self) -> bool:
        """Two relations of one argument, called x and y."""
        x, y = self._facts.get(("x", 1)), self._facts.get(("y", 1))
        columns, rows = (axis_of({fact[1] for fact in facts}) if facts else None for facts in (x, y))
        if columns is None or rows is None:
            return False
        self.grid = Grid(columns, rows, [], {(a, b) for a in columns for b in rows})
        self.point = True
        return True

    def _find_lines(self) -> bool:
        for key, facts in self._facts.items():
            axes = self._axes(key) if key[1] == 4 else []
            if not axes or not all(axes):
                continue
            columns = axis_of({x for fact in facts for x in (fact[1], fact[3])})
            rows = axis_of({y for fact in facts for y in (fact[2], fact[4])})
            if not columns or not rows:
                continue

            def apart(fact: Fact, columns: list[str] = columns, rows: list[str] = rows) -> int:
                across = abs(columns.index(fact[1]) - columns.index(fact[3]))
                return across + abs(rows.index(fact[2]) - rows.index(fact[4]))

            if all(apart(fact) == 1 for fact in facts):
                self.line = key
                self.grid = Grid(columns, rows, [], {(x, y) for x in columns for y in rows})
                return True
        return False

    def _find_overlays(self) -> None:
        grid = self.grid
        assert grid is not None
        for key, facts in self._facts.items():
            if key in self.shapes or key == self.line or grid.by_name:
                continue
            shape = self._overlay_shape(key, grid)
            if shape is None or not all(shape.place(fact) in grid.places for fact in facts):
                if shape is None or grid.boards:
                    continue
                inside = {shape.place(fact) for fact in facts}
                if not all(x in grid.columns and y in grid.rows for x, y in inside):
                    continue
                grid.places |= inside
            if shape.content and len({shape.what(fact) for fact in facts if shape.what(fact).isdecimal()}) > 10:
                continue
            self.shapes[key] = shape
            side = next((SIDES[word] for word in SIDES if word in key[0].lower()), "") if not shape.content else ""
            if side:
                self.walls[key] = side

    def _overlay_shape(self, key: tuple[str, int], grid: Grid) -> Shape | None:
        """Where the coordinates of another relation stand."""
        n, facts, depth = key[1], self._facts[key], len(grid.boards) + 2
        if n < depth or n > depth + 2:
            return None
        main = next(iter(self.shapes.values()), None)
        for start in range(n - depth + 1):
            window = tuple(range(start, start + depth))
            boards, (column, row) = window[:-2], window[-2:]
            if main is not None and main.column > main.row:
                column, row = row, column
            if main is not None and main.boards and main.boards[0] > main.column:
                boards, (column, row) = window[2:], window[:2]
            shape = Shape(boards, column, row, tuple(i for i in range(n) if i not in window))
            if all(
                fact[1 + column] in grid.columns
                and fact[1 + row] in grid.rows
                and all(fact[1 + i] in names for i, names in zip(boards, grid.boards, strict=True))
                for fact in facts
            ):
                return shape
        return None

    def _find_tower(self) -> None:
        for key, facts in self._facts.items():
            if key[1] != 2 or key in self.shapes:
                continue
            above, below = {fact[1] for fact in facts}, {fact[2] for fact in facts}
            if all(name.isdecimal() for name in above):
                continue
            if above & below and not above & self.roles and self._unique(key, (0,)) and self._unique(key, (1,)):
                self.tower = key
                return

    def _init_contents(self) -> list[str]:
        found = []
        for key, shape in self.shapes.items():
            if shape.content:
                found += [shape.what(fact) for fact in self._facts[key]]
        return found

    def _first_contents(self) -> set[str]:
        first = self._states[0] if self._states else []
        return {self.shapes[key].what(fact) for fact in first if (key := (fact[0], len(fact) - 1)) in self.shapes}

    # ------------------------------------------------------------------------------------------------ reading

    def read(self, fluents: Iterable[str], mover: str | None = None) -> Reading:
        """A state; `mover` is the role to move, so that it need not be told twice."""
        reading = Reading()
        other: dict[str, list[tuple[Fact, str]]] = {}
        chain: dict[str, str] = {}
        for text in fluents:
            fact = split_fact(text)
            key = (fact[0], len(fact) - 1)
            shape = self.shapes.get(key)
            if key == self.line:
                reading.lines.append(((fact[1], fact[2]), (fact[3], fact[4])))
            elif key == self.tower:
                chain[fact[2]] = fact[1]
            elif shape is None:
                other.setdefault(fact[0], []).append((fact, text))
            elif self.grid is not None:
                place = self.grid.by_name[fact[1]] if self.grid.by_name else shape.place(fact)
                if key in self.walls:
                    reading.walls.append((place, self.walls[key], fact[0]))
                elif not shape.content:
                    reading.marks.append((place, fact[0]))
                elif (what := shape.what(fact)) not in self.empty:
                    reading.pieces.setdefault(place, []).append(what)
        if self.tower is not None:
            reading.towers = self._towers(chain)
        if self.point and "x" in other and "y" in other:
            place = (other["x"][0][0][1], other["y"][0][0][1])
            reading.pieces[place] = [next(iter(sorted(self.roles)), "x")]
        for relation, facts in other.items():
            if len(facts) == 1 and facts[0][0][1:] == (mover,):
                continue
            if len(facts) > FEW:
                reading.notes.append(f"{relation}: {len(facts)} facts")
            else:
                reading.notes += [_words(fact) for fact, _ in facts]
            reading.text += [text for _, text in facts]
        return reading

    def _towers(self, chain: dict[str, str]) -> list[list[str]]:
        assert self.tower is not None
        facts = self._facts[self.tower]
        things = sorted({name for fact in facts for name in fact[1:]}, key=_natural)
        held = set(chain.values())
        found = []
        for ground in things:
            if ground in held:
                continue
            tower = [ground]
            while tower[-1] in chain and len(tower) <= len(things):
                tower.append(chain[tower[-1]])
            found.append(tower)
        return found


def _words(fact: Fact) -> str:
    return " ".join(fact) if len(fact) < 3 else f"{' '.join(fact[:-1])}: {fact[-1]}"


def _natural(text: str) -> list[tuple[int, int, str]]:
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.split(r"(\d+)", text)]
