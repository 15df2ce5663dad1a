"""Assignments of roles, seeds and points."""

from itertools import product

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paidia.experiment.cells import assignments, definition_json
from paidia.experiment.expand import expand
from paidia.experiment.metrics import points
from paidia.experiment.plan import Plan
from paidia.players.definition import change
from paidia.players.registry import load_agent


@pytest.mark.parametrize("n_roles", [2, 3, 4, 5])
def test_assignments_are_all_but_the_uniform_ones(n_roles: int) -> None:
    everything = {a for a in product((0, 1), repeat=n_roles) if 0 < sum(a) < n_roles}
    found = assignments(n_roles)
    assert len(found) == len(everything) == 2**n_roles - 2
    assert set(found) == everything
    for one, mirrored in zip(found[::2], found[1::2], strict=True):
        assert all(a != b for a, b in zip(one, mirrored, strict=True))


def test_two_and_three_roles_as_the_papers_play_them() -> None:
    assert assignments(2) == [(0, 1), (1, 0)]
    assert len(assignments(3)) == 6


@given(st.lists(st.tuples(st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.integers(0, 1)), min_size=2, max_size=5))
def test_points_by_the_best_role_of_each_side(seats: list[tuple[float, int]]) -> None:
    goals, sides = [g for g, _ in seats], [s for _, s in seats]
    if len(set(sides)) < 2:
        return
    highest = max(goals)
    holders = {side for goal, side in seats if goal == highest}
    expected = 0.5 if holders == {0, 1} else 1.0 if holders == {0} else 0.0
    assert points(goals, sides) == expected
    assert points(goals, [1 - side for side in sides]) == 1.0 - expected


def test_points_of_one_player_are_its_goal() -> None:
    assert points([0.3], [0]) == 0.3


def test_seeds_differ_between_pairs_and_cells() -> None:
    plan = Plan(games=["tic-tac-toe", "hex@5"], agents=["random"], opponents=["uct"], sims=5)
    seeds = {cell.match_seed(pair) for cell in expand(plan) for pair in range(500)}
    assert len(seeds) == 1000
    assert all(0 <= seed < 2**63 for seed in seeds)


def test_another_name_for_a_setting_makes_no_other_agent() -> None:
    agent = load_agent("maastcts2")
    assert agent.switches
    renamed = msgspec.structs.replace(agent, switches={**agent.switches, "another": "D"})
    assert definition_json(renamed) == definition_json(agent)
    assert definition_json(change(agent, "nbp", "false")) != definition_json(agent)
