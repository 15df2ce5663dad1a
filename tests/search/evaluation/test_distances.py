"""Distances in a level, against plain breadth-first search."""

from __future__ import annotations

import random
from collections import deque

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paidia.core.arcade import ArcadeGame
from paidia.core.errors import BadInput
from paidia.games import catalogue, load_as
from paidia.search.evaluation.distances import Distances

Cell = tuple[int, int]
LIBRARY = [info.id for info in catalogue() if info.id.startswith("vgdl:")]

SNAKE = """
...............
wwwwwwwwwwwwww.
...............
.wwwwwwwwwwwwww
...............
wwwwwwwwwwwwww.
...............
"""


def walls_of(drawing: str) -> tuple[int, int, set[Cell]]:
    rows = drawing.split()
    return len(rows[0]), len(rows), {(x, y) for y, row in enumerate(rows) for x, c in enumerate(row) if c == "w"}


def breadth_first(width: int, height: int, walls: set[Cell], start: Cell) -> dict[Cell, int]:
    """Moves from a cell to every cell that can be reached."""
    reached = {start: 0}
    queue = deque([start] if start not in walls else [])
    while queue:
        x, y = queue.popleft()
        for near in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
            if 0 <= near[0] < width and 0 <= near[1] < height and near not in walls and near not in reached:
                reached[near] = reached[x, y] + 1
                queue.append(near)
    return reached


def grid(width: int, height: int, walls: set[Cell], *, table: bool = True) -> Distances:
    distances = Distances(table=table)
    distances.set_grid(width, height, walls)
    return distances


@st.composite
def levels(draw: st.DrawFn, side: int = 12) -> tuple[int, int, set[Cell]]:
    width, height = draw(st.integers(1, side)), draw(st.integers(1, side))
    density = draw(st.sampled_from([0.0, 0.15, 0.3, 0.45]))
    random = draw(st.randoms(use_true_random=False))
    return width, height, {(x, y) for x in range(width) for y in range(height) if random.random() < density}


@settings(max_examples=80, deadline=None)
@given(levels(), st.data())
def test_a_star_finds_shortest_ways(level: tuple[int, int, set[Cell]], data: st.DataObject) -> None:
    width, height, walls = level
    distances = grid(*level)
    assert distances.bound == width * height
    start = data.draw(st.tuples(st.integers(0, width - 1), st.integers(0, height - 1)))
    reached = breadth_first(width, height, walls, start)
    for y in range(height):
        for x in range(width):
            assert distances.between(*start, x, y, distances.bound + 1) == reached.get((x, y), width * height)


@settings(max_examples=80, deadline=None)
@given(levels(), st.data())
def test_a_cutoff_is_enough_to_know_that_it_is_reached(level: tuple[int, int, set[Cell]], data: st.DataObject) -> None:
    width, height, walls = level
    distances = grid(*level)
    start = data.draw(st.tuples(st.integers(0, width - 1), st.integers(0, height - 1)))
    cutoff = data.draw(st.integers(0, width + height))
    for goal, moves in breadth_first(width, height, walls, start).items():
        told = distances.between(*start, *goal, cutoff)
        assert told == moves if moves < cutoff else cutoff <= told <= moves


@settings(max_examples=80, deadline=None)
@given(levels(), st.data())
def test_the_closest_by_table_and_by_search(level: tuple[int, int, set[Cell]], data: st.DataObject) -> None:
    width, height, walls = level
    cells = st.tuples(st.integers(0, width - 1), st.integers(0, height - 1))
    start, others = data.draw(cells), data.draw(st.lists(cells, max_size=12))
    reached = breadth_first(width, height, walls, start)
    best = min((reached.get(other, width * height) for other in others), default=width * height)
    tabled, searched = grid(*level), grid(*level, table=False)
    assert tabled.tabled and not searched.tabled
    for _ in range(2):  # the second answer comes from what the first one left
        assert tabled.closest_of(start, others) == best
        assert searched.closest_of(start, others) == best
    assert tabled.n_searches == 0


def test_a_long_way_round_goes_through_the_heap() -> None:
    width, height, walls = walls_of(SNAKE)
    distances = grid(width, height, walls)
    reached = breadth_first(width, height, walls, (0, 0))
    assert reached[0, 6] == 62 > 6 + 4  # far above what the stacks hold
    assert distances.between(0, 0, 0, 6, 1000) == 62
    assert distances.between(0, 6, 0, 0, 1000) == 62
    assert distances.between(0, 0, 0, 6, 20) == 20


def test_the_heap_keeps_its_order_in_mazes() -> None:
    """Winding ways of very different lengths, so that the heap holds many different f at once."""
    rng = random.Random(5)
    for _ in range(40):
        width, height, start = 31, 29, (15, 14)
        walls = {(x, y) for x in range(width) for y in range(height) if rng.random() < 0.36} - {start}
        distances = grid(width, height, walls)
        for goal, moves in breadth_first(width, height, walls, start).items():
            assert distances.between(*start, *goal, 10**6) == moves
            assert distances.between(*goal, *start, 10**6) == moves


def test_several_sprites_in_a_cell_are_one() -> None:
    distances = grid(*walls_of(SNAKE), table=False)
    assert distances.closest_of((0, 0), [(0, 6), (0, 6), (0, 4), (0, 6), (0, 4)]) == 32
    assert distances.n_searches == 2


def test_other_colours_are_not_searched() -> None:
    distances = grid(*walls_of("..w..\n..w..\n..w.."))
    assert distances.between(0, 0, 4, 0, 1000) == 15
    assert distances.n_searches == 0
    assert distances.between(0, 0, 1, 2, 1000) == 3
    assert distances.n_searches == 1


def test_the_closest_needs_one_search_on_an_open_map() -> None:
    distances = grid(20, 20, set(), table=False)
    assert distances.closest_of((0, 0), [(19, 19), (5, 5), (0, 3), (7, 0), (0, 3)]) == 3
    assert distances.n_searches == 1


def test_walls_and_the_outside_lead_nowhere() -> None:
    for table in (True, False):
        distances = grid(*walls_of(".w.\n..."), table=table)
        assert distances.closest_of((1, 0), [(1, 0)]) == 0
        assert distances.closest_of((1, 0), [(0, 0), (1, 1)]) == 6
        assert distances.closest_of((0, 0), [(1, 0)]) == 6
        assert distances.closest_of((3, 0), [(3, 0), (0, 0)]) == 6
        assert distances.closest_of((0, 0), [(-1, 0), (0, 2), (9, 9)]) == 6
        assert distances.between(-1, 0, 0, 0, 99) == distances.between(0, 0, 0, 2, 99) == 6
        assert distances.closest_of((0, 0), []) == 6


@settings(max_examples=300, deadline=None)
@given(st.integers(1, 4096), st.integers(1, 400), st.data())
def test_pixels_belong_to_cells(block: int, width: int, data: st.DataObject) -> None:
    distances = Distances()
    distances.set_grid(width, 1, (), block=block)
    edge = data.draw(st.integers(0, width)) * block
    x = edge + data.draw(st.sampled_from([-1, 0, 1, block // 2]))
    column = 0 if x < 0 and x > -block else x // block
    inside = 0 <= column < width
    assert distances.closest_of((0, 0), [(x, 0)]) == (column if inside else width)


def test_a_grid_that_is_none_is_refused() -> None:
    for width, height, block in ((0, 3, 1), (3, 0, 1), (3, 3, 0), (400, 400, 100_000)):
        with pytest.raises(BadInput, match=f"{width} x {height} cells of {block} pixels"):
            Distances().set_grid(width, height, (), block=block)


def test_a_big_level_has_no_table() -> None:
    width, height, walls = 90, 80, {(x, y) for x in range(1, 89) for y in range(1, 80, 4)}
    distances = grid(width, height, walls)
    assert not distances.tabled
    reached = breadth_first(width, height, walls, (44, 2))
    others = [(44, 7), (45, 78), (40, 10)]
    assert distances.closest_of((44, 2), others) == min(reached[other] for other in others)


def test_only_the_type_named_wall_blocks() -> None:
    for name in LIBRARY:
        game = load_as(ArcadeGame, name, level="0")
        state = game.initial_state()
        distances = Distances()
        distances.begin_game(game, state)
        walls = {(x // game.block, y // game.block) for _, type, _, x, y in state.seen() if game.types[type] == "wall"}
        assert (distances.width, distances.height) == (game.width, game.height)
        reached = breadth_first(game.width, game.height, walls, (game.width // 2, game.height // 2))
        for y in range(game.height):
            for x in range(game.width):
                moves = reached.get((x, y), distances.bound)
                assert distances.between(game.width // 2, game.height // 2, x, y, 10**6) == moves
