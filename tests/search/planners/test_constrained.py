"""Most constrained first: what moves take away, the choice among them, and the puzzles that it is for."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from paidia.core.budget import Budget
from paidia.core.game import State
from paidia.games import load
from paidia.games.gdl.language.rules import parse_sheet
from paidia.games.gdl.load import load_game
from paidia.players.registry import load_agent
from paidia.search.planners.lines.constrained import Constrained
from paidia.testing import check_search

#: A Latin square of four rows and columns, its diagonal given; a digit may be written where neither row nor column has it.
LATIN = """
(role writer) (num 1) (num 2) (num 3) (num 4)
(<= (init (cell ?x ?y b)) (num ?x) (num ?y) (distinct ?x ?y))
(init (cell 1 1 1)) (init (cell 2 2 2)) (init (cell 3 3 3)) (init (cell 4 4 4)) (init (step 0))
(<= (legal writer (mark ?x ?y ?n)) (true (cell ?x ?y b)) (num ?n) (not (row ?x ?n)) (not (col ?y ?n)))
(<= (row ?x ?n) (true (cell ?x ?y ?n)) (num ?n))
(<= (col ?y ?n) (true (cell ?x ?y ?n)) (num ?n))
(<= (next (cell ?x ?y ?n)) (does writer (mark ?x ?y ?n)))
(<= (next (cell ?x ?y ?n)) (true (cell ?x ?y ?n)) (distinct ?n b))
(<= (next (cell ?x ?y b)) (true (cell ?x ?y b)) (does writer (mark ?u ?v ?n)) (distinct ?x ?u))
(<= (next (cell ?x ?y b)) (true (cell ?x ?y b)) (does writer (mark ?u ?v ?n)) (distinct ?y ?v))
(<= (next (step ?m)) (true (step ?n)) (after ?n ?m))
(after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6) (after 6 7) (after 7 8) (after 8 9) (after 9 10)
(after 10 11) (after 11 12)
(<= open (true (cell ?x ?y b)))
(<= playable (legal writer ?m))
(<= terminal (not playable))
(<= (goal writer 100) (not open))
(<= (goal writer 0) open)
"""


@pytest.fixture(scope="module")
def latin() -> State:
    state = load_game(parse_sheet(LATIN), "latin").initial_state()
    assert isinstance(state, State)
    return state


def slow_alternatives(state: State, known: dict[int, set[int]]) -> tuple[dict[int, int], list[list[int]]]:
    """Facts by how many legal moves take them away, and for each of the tightest the moves that do.

    What a move takes away is what it took away where it was legal first (`known`).
    """
    here, legal = set(state.atoms()), state.legal(0)
    for move in legal:
        later = state.clone()
        later.play(move)
        known.setdefault(move, here - set(later.atoms()))
    ways = Counter(fact for move in legal for fact in known[move] & here)
    least = min(ways.values(), default=0)
    return dict(ways), [sorted(move for move in legal if fact in known[move]) for fact in ways if ways[fact] == least]


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10**6), moves=st.integers(0, 11))
def test_alternatives_equal_the_oracle(latin: State, seed: int, moves: int) -> None:
    state = latin.clone()
    search = Constrained(state.game)
    search.begin_game(seed)
    known: dict[int, set[int]] = {}
    for number in range(moves + 1):
        if state.terminal:
            break
        ways, chosen = search.alternatives(state)
        expected, groups = slow_alternatives(state, known)
        assert ways == expected
        assert chosen in groups
        legal = state.legal(0)
        state.play(legal[(seed + number) % len(legal)])


def test_it_fills_a_latin_square(latin: State) -> None:
    """Few random playouts fill it; half of these do."""

    def filled(play: bool) -> int:
        total = 0
        for seed in range(40):
            search = Constrained(latin.game)
            search.begin_game(seed)
            if play:
                total += search.search(latin.clone(), Budget(simulations=1)).notes["worth"] == 1.0
            else:
                state = latin.clone()
                source = random.Random(seed)
                while not state.terminal:
                    state.play(source.choice(state.legal(0)))
                total += state.values[0] == 1.0
        return total

    assert filled(True) >= 20 > 2 * filled(False)


def test_the_line_is_played_and_no_time_is_lost(latin: State) -> None:
    search = Constrained(latin.game)
    search.begin_game(1)
    state = latin.clone()
    first = search.search(state.clone(), Budget(simulations=200))
    assert first.notes["worth"] == 1.0 and first.simulations < 200
    assert first.move is not None
    state.play(first.move)
    while not state.terminal:
        result = search.search(state.clone(), Budget(simulations=200), step=1)
        assert result.simulations == 0 and result.move is not None
        state.play(result.move)
    assert state.values[0] == 1.0


def test_it_is_a_search_like_others() -> None:
    assert load_agent("constrained").planner["kind"] == "constrained"
    check_search(lambda game: Constrained(game), games=[load("gdl:eight-puzzle")])
    assert "2" in Constrained.cannot_play(load("connect4"))
