"""What adaptive agents did: condensed without losing a count, added up whatever the lengths of the matches."""

from collections import Counter
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paidia.core.budget import Budget
from paidia.core.model import Situation
from paidia.core.player import Decision, Player
from paidia.experiment.trajectories import MOST_PARTS, Condensed, add_up, condense

VALUES = [["0.6", "0.7", "0.8"], ["1", "2"]]


class Tells(Player):
    name = "tells"

    def __init__(self, told: Any) -> None:
        self.told = told

    def act(self, state: Situation, *, step: int, budget: Budget | None) -> Decision:
        raise NotImplementedError

    def trajectory(self, *, most_used: int = 20) -> Any:
        if isinstance(self.told, Exception):
            raise self.told
        return self.told


def told(turns: list[tuple[int, list[list[int]]]], used: dict[tuple[str, str], int] | None = None) -> dict[str, Any]:
    return {
        "controller": "ntbea",
        "parameters": [{"name": "K", "values": VALUES[0]}, {"name": "D", "values": VALUES[1]}],
        "roles": [
            {
                "role": 0,
                "turns": [{"turn": t, "simulations": sum(s[0]), "samples": s, "best": []} for t, s in turns],
                "most_used": [{"values": list(v), "samples": n} for v, n in (used or {}).items()],
            }
        ],
    }


counts = st.tuples(*(st.lists(st.integers(0, 9), min_size=len(v), max_size=len(v)) for v in VALUES)).map(list)
matches = st.dictionaries(st.integers(0, 3000), counts, min_size=1, max_size=30).map(lambda turns: sorted(turns.items()))
combinations = st.dictionaries(st.tuples(*(st.sampled_from(v) for v in VALUES)), st.integers(1, 99))


@given(st.lists(st.tuples(matches, combinations), min_size=1, max_size=6))
def test_no_count_is_lost(games: list[tuple[list[tuple[int, list[list[int]]]], dict[tuple[str, str], int]]]) -> None:
    parts = [condense(Tells(told(turns, used))) for turns, used in games]
    whole = add_up(part for part in parts if part is not None)
    assert whole is not None
    last = max(turn for turns, _ in games for turn, _ in turns)
    assert whole.width * MOST_PARTS > last and (whole.width == 1 or whole.width * MOST_PARTS // 2 <= last)
    expected: dict[int, list[list[int]]] = {}
    for turns, _ in games:
        for turn, samples in turns:
            part = expected.setdefault(turn // whole.width, [[0] * len(v) for v in VALUES])
            for own, more in zip(part, samples, strict=True):
                own[:] = [a + b for a, b in zip(own, more, strict=True)]
    empty = [[0] * len(v) for v in VALUES]
    assert whole.parts == [expected.get(i, empty) for i in range(1 + last // whole.width)]
    total: Counter[tuple[str, ...]] = Counter()
    for _, used in games:
        total.update(used)
    assert {tuple(v): n for v, n in whole.combinations} == dict(total)
    assert [n for _, n in whole.combinations] == sorted(total.values(), reverse=True)


def test_other_spaces_are_left_out() -> None:
    one = condense(Tells(told([(0, [[1, 0, 0], [1, 0]])])))
    assert one is not None
    other = msgspec.structs.replace(one, parameters=["C", "D"])
    assert add_up([one, other, one]) == msgspec.structs.replace(one, parts=[[[2, 0, 0], [2, 0]]])
    assert add_up([]) is None


@pytest.mark.parametrize(
    "bad",
    [None, {}, RuntimeError("no"), "text", told([]), told([(0, [[1], [1, 0]])]), {**told([]), "roles": []}],
)
def test_what_cannot_be_understood_is_left_out(bad: Any) -> None:
    assert condense(Tells(bad)) is None


def test_all_combinations_are_asked_for_where_they_can_be() -> None:
    class Generous(Tells):
        def trajectory(self, *, most_used: int = 1) -> Any:
            used = {("0.6", "1"): 3, ("0.7", "1"): 2, ("0.8", "2"): 1}
            return told([(0, [[3, 2, 1], [5, 1]])], dict(list(used.items())[:most_used]))

    found = condense(Generous(None))
    assert found is not None and len(found.combinations) == 3


def test_it_becomes_a_trajectory_again() -> None:
    first = condense(Tells(told([(0, [[1, 2, 0], [3, 0]]), (1, [[0, 0, 4], [2, 2]])], {("0.6", "1"): 3})))
    assert isinstance(first, Condensed)
    assert condense(Tells(first.plain())) == first
    assert condense(object()) is None
