"""How a person may write a move."""

from __future__ import annotations

import pytest

from paidia.cli.human import find_move

NAMES = ["(mark 1 1)", "(mark 1 2)", "noop", "A1-b2", "a1-c3"]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("(mark 1 2)", [1]),  # as it is shown
        ("MARK 1 2", [1]),  # in any case, without brackets
        ("mark  1,2", [1]),
        ("noop", [2]),
        ("n", [2]),  # a beginning that only one has
        ("a1 b2", [3]),
        ("a1-b", [3]),
        ("a1", [3, 4]),  # not clear: nothing is played
        ("mark", [0, 1]),
        ("2", [1]),  # its number in the list
        ("#5", [4]),
        ("6", []),
        ("0", []),
        ("9" * 5000, []),  # more digits than Python reads
        ("()", []),
        ("", []),
        ("x", []),
    ],
)
def test_any_form_that_is_clear(text: str, meant: list[int]) -> None:
    assert find_move(text, NAMES) == meant


def test_a_number_may_be_a_move() -> None:
    assert find_move("2", ["3", "2", "21"]) == [1]
