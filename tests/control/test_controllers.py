"""Every controller against the kit, and what is particular to one of them."""

import time

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paidia.control import CONTROLLERS, make_controller
from paidia.control.tuners.lsi import expected_simulations
from paidia.core.errors import BadInput, UnknownName
from paidia.testing.tuner_trial import TunerTrial
from paidia.testing.tuners import check_tuner

FOUR = ["K", "ref", "C", "epsilon"]
INF = float("inf")
DISCRETE = ["game-rnd", "turn-rnd", "sim-rnd", "mab", "he", "nmc", "local-nmc", "lsi", "ea", "ntbea", "ga", "cem", "spsa"]


def test_the_names_are_stable():
    assert list(CONTROLLERS) == sorted([*DISCRETE, "fixed", "state-rnd", "cma-es", "portfolio", "value-evolution"])


@pytest.mark.parametrize("parameters", [FOUR, ["C"], ["ref", "VO", "K"]], ids=["four", "one", "apart"])
@pytest.mark.parametrize("kind", DISCRETE)
def test_kit(kind, parameters):
    check_tuner(lambda: make_controller({"kind": kind, "parameters": parameters}))


@pytest.mark.parametrize(
    "table",
    [
        {"kind": "lsi", "samples": 150, "candidates": 10},
        {"kind": "lsi", "samples": 60, "per": "turn"},
        {"kind": "ea", "population": 6, "elite": 2},
        {"kind": "mab", "batch": 1},
        {"kind": "ntbea", "unseen": "lucas", "tuples": [1, 2]},
        {"kind": "nmc", "set": "range"},
        {"kind": "he", "set": "larger"},
    ],
)
def test_kit_with_other_settings(table):
    check_tuner(lambda: make_controller({"parameters": FOUR, **table}))


def test_kit_state_random():
    check_tuner(lambda: make_controller({"kind": "state-rnd", "parameters": FOUR}), legal=False)


MEMBERS = [
    {"K": 0, "C": 0.7, "epsilon": 0.4},
    {"K": 250, "ref": 50, "C": 0.2, "epsilon": 0.4},
    {"K": 10, "ref": 0, "C": 0.9, "epsilon": 0},
]


def test_kit_portfolio():
    check_tuner(lambda: make_controller({"kind": "portfolio", "members": MEMBERS}))


def test_kit_value_evolution():
    check_tuner(lambda: make_controller({"kind": "value-evolution", "parameters": FOUR, "generation": 50}), legal=False)


@pytest.mark.parametrize(
    ("table", "complaint"),
    [
        ({"kind": "portfolio"}, "two members"),
        ({"kind": "portfolio", "members": [{"K": 0, "C": 1}, {"K": 5}]}, "does not say what C is"),
        ({"kind": "portfolio", "members": [{"K": 0, "ref": 5}, {"K": 5, "ref": 5}]}, "means nothing while K is 0"),
        ({"kind": "portfolio", "members": [{"C": 1}, {"C": 1}]}, "are the same"),
        ({"kind": "portfolio", "members": [{"C": 1}, {"C": 2}], "parameters": ["C"]}, "leave 'parameters'"),
        ({"kind": "ga", "population": 1}, "population must be 2"),
        ({"kind": "cem", "elite": 40}, "larger than elite"),
        ({"kind": "spsa", "c": 0.0}, "c must be"),
        ({"kind": "value-evolution", "size": 2}, "size must be 3"),
    ],
)
def test_wrong_constants_of_the_newer_tuners(table, complaint):
    with pytest.raises(BadInput, match=complaint):
        make_controller({"parameters": ["C"], **table} if table["kind"] != "portfolio" else table)


def test_kit_cma_es():
    check_tuner(lambda: make_controller({"kind": "cma-es", "parameters": FOUR}), simulations=110, legal=False)


VALUES = st.sets(st.integers(0, 30), min_size=1, max_size=4).map(lambda v: sorted(map(float, v)))


@settings(max_examples=60, deadline=None)
@given(
    kind=st.sampled_from(DISCRETE),
    values=st.dictionaries(st.sampled_from([*FOUR, "T"]), VALUES, min_size=1),
    seed=st.integers(0, 2**32),
    goals=st.lists(st.sampled_from([0.0, 0.3, 0.5, 1.0]), min_size=80, max_size=80),
)
def test_every_combination_is_legal(kind, values, seed, goals):
    """Any values, also K without 0 and lists of a single value, and any rewards."""
    if "ref" in values and values.get("K") == [0.0]:
        values["K"] = [0.0, 1.0]  # ref would never have a meaning, which is refused
    if 0.0 in values.get("K", []) and "ref" in values:

        def legal(vector):
            return vector["ref"] == 0 if vector["K"] == 0 else vector["ref"] in values["ref"]
    else:

        def legal(vector):
            return True

    constants = {"samples": 50, "candidates": 5} if kind == "lsi" else {}
    constants |= {"population": 8, "elite": 3} if kind == "ea" else {}
    controller = make_controller({"kind": kind, "values": values, **constants})
    trial = TunerTrial(controller, seed=seed)
    trial.begin_turn(0)
    for goal in goals:
        vector = dict(zip(values, trial.choose()[0], strict=True))
        assert legal(vector)
        assert all(vector[name] in values[name] for name in values if name != "ref" or vector.get("K") != 0)
        assert controller.combinations.legal(controller.allocations[0].current())
        trial.reward([goal])


def test_fixed():
    fixed = make_controller({"kind": "fixed", "values": {"C": 0.9, "K": INF}})
    trial = TunerTrial(fixed, n_roles=2, names=["K", "ref", "C"])
    assert trial.choose() == [[INF, -1.0, 0.9]] * 2
    trial.reward([1, 0])
    assert trial.choose() == [[INF, -1.0, 0.9]] * 2


def test_per_game_and_per_turn_draws():
    """One draw for a game; one for each turn, and the start clock shares its number with the first."""
    for kind, expected in [("game-rnd", [0, 0, 0, 0, 0]), ("turn-rnd", [0, 0, 2, 3, 4])]:
        trial = TunerTrial(make_controller({"kind": kind, "parameters": FOUR}), seed=2)
        seen = []
        for turn in (0, 0, 1, 2, 3):
            trial.begin_turn(turn)
            vectors = []
            for _ in range(3):
                vectors.append(trial.choose()[0])
                trial.reward([0.5])
            assert vectors[0] == vectors[1] == vectors[2]
            seen.append(vectors[0])
        assert [seen.index(v) for v in seen] == expected


def test_weight_of_k_zero_per_simulation_and_per_state():
    """One combination in 73 against one value in 10; per state K = 0 meets a ref that is not unset."""
    n = 20_000
    trial = TunerTrial(make_controller({"kind": "sim-rnd", "parameters": FOUR}), seed=4)
    zeros = 0
    for _ in range(n):
        zeros += trial.choose()[0][0] == 0
        trial.reward([0])
    assert abs(zeros / n - 1 / 73) < 0.0035
    trial = TunerTrial(make_controller({"kind": "state-rnd", "parameters": FOUR}), n_roles=2, seed=4)
    assert trial.controller.per_state
    trial.choose()
    drawn = np.array([trial.fresh(1) for _ in range(n)])
    assert abs(np.mean(drawn[:, 0] == 0) - 1 / 10) < 0.009
    assert {v for k, v in drawn[:, :2].tolist() if k == 0} == {0, 50, 100, 250, 500, 1000, 10000, INF}
    for column, size in enumerate([10, 8, 9, 11]):
        _, counts = np.unique(drawn[:, column], return_counts=True)
        assert len(counts) == size
        assert np.abs(counts / n - 1 / size).max() < 0.01


def test_fresh_values_of_one_role_leave_the_others():
    trial = TunerTrial(make_controller({"kind": "state-rnd", "parameters": FOUR}), n_roles=2, seed=4)
    before = trial.choose()
    trial.fresh(0)
    assert trial.controller.allocations[1].current() is not None
    assert trial.fresh(0) != before[0]
    other = TunerTrial(make_controller({"kind": "state-rnd", "parameters": FOUR}), n_roles=2, seed=4)
    other.choose()
    assert other.fresh(1) == trial.fresh(1)


def test_lsi_budget_of_the_paper():
    """38 values, 1,973 rounds in 75,000 samples; halving within the other 25,000; then one combination."""
    controller = make_controller({"kind": "lsi", "parameters": FOUR})
    trial = TunerTrial(controller, seed=1)
    chances = np.full((1, 7227), 0.5)
    used = trial.run(chances, 110_000)[:, 0]
    generation, rest = used[: 1973 * 38], used[1973 * 38 :]
    values = np.array([controller.combinations.genes(int(i)) for i in generation])
    shares = [np.bincount(values[:, i], minlength=s) for i, s in enumerate(controller.combinations.sizes())]
    # A value is under test in every round, and in the rest of the combinations by chance.
    assert all(counts[counts > 0].min() >= 1973 for counts in shares)
    candidates = len(set(rest[:2000].tolist()))
    assert 1500 < candidates <= 2000
    sizes, total, n = [], 0, len(np.unique(rest))
    rounds = int(np.ceil(np.log2(n)))
    while n > 1:
        sizes.append(n)
        total += n * max(1, 25_000 // rounds // n)
        n = -(-n // 2)
    assert total <= 25_000
    assert len(set(rest[total:].tolist())) == 1, "one combination is left"
    assert len(set(rest[total - 2 : total].tolist())) == 2, "and not before"


def test_lsi_can_be_told_what_to_expect():
    def end_of_generation(controller):
        trial = TunerTrial(controller, seed=1)
        for _ in range(76):
            trial.choose()
            trial.reward([0.5])
        controller.expect(400)
        for _ in range(1500):
            trial.choose()
            trial.reward([0.5])
        trial.begin_turn(1)
        return controller.trajectory(most_used=1).roles[0].most_used[0].samples

    estimate = make_controller({"kind": "lsi", "parameters": FOUR, "candidates": 20, "estimate": True})
    planned = make_controller({"kind": "lsi", "parameters": FOUR, "candidates": 20})
    assert end_of_generation(estimate) > 1000, "400 samples leave one combination for the rest"
    assert end_of_generation(planned) < 100, "100,000 samples do not end so soon"
    assert expected_simulations(1000, 2.0, 30) == 180_000


def test_lsi_by_time():
    """With a time per turn all phases pass within it, and the next turn starts anew."""
    controller = make_controller({"kind": "lsi", "parameters": ["K", "ref"], "per": "turn", "seconds": 0.05})
    trial = TunerTrial(controller, seed=1)
    for turn in (1, 2):
        trial.begin_turn(turn)
        first = trial.run(np.full((1, 73), 0.5), 300)
        assert len(np.unique(first)) > 30
        over = time.monotonic() + 0.1  # twice the time of a turn, however many simulations that is on this machine
        while time.monotonic() < over:
            trial.seconds(10_000)
        assert len(np.unique(trial.run(np.full((1, 73), 0.5), 50))) == 1


def test_cma_es_moves_towards_the_reward():
    """Rewards rise with epsilon and fall with C: the mean of the last points is on the right side of both."""
    ends = []
    for seed in range(3):
        trial = TunerTrial(make_controller({"kind": "cma-es", "parameters": ["C", "epsilon"]}), seed=seed)
        points = []
        for _ in range(1600):
            C, epsilon = trial.choose()[0]
            points.append((C, epsilon))
            trial.reward([0.5 + 0.5 * (epsilon - C)])
        assert np.all((np.array(points) >= 0) & (np.array(points) <= 1))
        ends.append(np.mean(points[-200:], axis=0))
    assert np.mean(ends, axis=0)[0] < 0.1
    assert np.mean(ends, axis=0)[1] > 0.9


def test_cma_es_takes_the_box_of_the_paper_or_of_a_list():
    trial = TunerTrial(make_controller({"kind": "cma-es", "parameters": FOUR}), seed=1)
    points = []
    for _ in range(400):
        points.append(trial.choose()[0])
        trial.reward([0.5])
    assert np.all(np.min(points, axis=0) >= 0)
    assert np.all(np.max(points, axis=0) <= [2000, 10000, 1, 1])
    assert np.all(np.max(points, axis=0) > [1000, 5000, 0.5, 0.5])
    listed = make_controller({"kind": "cma-es", "values": {"K": [0.6, 0.7, 2.0]}})
    assert 0.6 <= TunerTrial(listed, seed=1).choose()[0][0] <= 2.0


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({}, "needs a kind"),
        ({"kind": "ntbea", "parameters": FOUR, "neighbors": 5}, "'neighbours'"),
        ({"kind": "ntbea", "parameters": FOUR, "neighbours": "five"}, "neighbours"),
        ({"kind": "ntbea", "parameters": FOUR, "neighbours": 0}, "between 1 and"),
        ({"kind": "ntbea", "parameters": FOUR, "unseen": "never"}, "unseen"),
        ({"kind": "ntbea", "parameters": FOUR, "tuples": [7]}, "cannot be formed"),
        ({"kind": "ntbea", "parameters": FOUR, "tuples": [], "full_tuple": False}, "cannot be formed"),
        ({"kind": "mab", "parameters": FOUR, "batch": 0}, "batch must be 1"),
        ({"kind": "mab", "parameters": FOUR, "C": -1}, "C must be 0"),
        ({"kind": "nmc", "parameters": FOUR, "epsilon0": 1.5}, "between 0 and 1"),
        ({"kind": "ea", "parameters": FOUR, "elite": 50}, "larger than elite"),
        ({"kind": "lsi", "parameters": FOUR, "seconds": 1.0}, 'per = "turn"'),
        ({"kind": "lsi", "parameters": FOUR, "candidates": 0}, "candidates"),
        ({"kind": "lsi", "parameters": FOUR, "reward": "raw"}, "must not be negative"),
        ({"kind": "sim-rnd"}, "no parameter"),
        ({"kind": "sim-rnd", "parameters": ["K"], "values": {"C": [1]}}, "does not name"),
        ({"kind": "sim-rnd", "parameters": ["K"], "set": "continuous"}, "only cma-es"),
        ({"kind": "cma-es", "values": {"K": [1.0]}}, "single value"),
        ({"kind": "cma-es", "parameters": FOUR, "population": 1}, "population"),
        ({"kind": "fixed", "values": {"K": float("nan")}}, "nan"),
        ({"kind": "nmc", "values": {f"p{i}": list(range(20)) for i in range(6)}}, "too many for this controller"),
    ],
)
def test_bad_settings(table, message):
    with pytest.raises(BadInput, match=message):
        make_controller(table)


def test_unknown_names():
    with pytest.raises(UnknownName, match="'ntbea'"):
        make_controller({"kind": "ntbe"})
    with pytest.raises(UnknownName, match="'original'"):
        make_controller({"kind": "ntbea", "parameters": FOUR, "set": "orginal"})
    with pytest.raises(BadInput, match="did you mean 'C'"):
        TunerTrial(make_controller({"kind": "sim-rnd", "values": {"c": [1]}}), names=["C", "K"])
    with pytest.raises(BadInput, match="no parameter 'K'"):
        TunerTrial(make_controller({"kind": "fixed", "values": {"K": 1}}), names=["C"])


def test_settings_are_frozen_and_can_be_written_back():
    for kind in CONTROLLERS:
        table = {"values": {"K": 1.0}} if kind == "fixed" else {"parameters": ["C", "epsilon"]}
        if kind == "portfolio":
            table = {"members": [{"K": 0.0, "C": 0.7}, {"K": 250.0, "C": 0.2}]}
        controller = make_controller({"kind": kind, **table})
        again = make_controller({"kind": kind, **msgspec.to_builtins(controller.settings)})
        assert again.settings == controller.settings
        with pytest.raises(AttributeError):
            controller.settings.values = {}


def test_the_papers_constants_are_the_defaults():
    def constants(kind):
        settings = msgspec.to_builtins(make_controller({"kind": kind, "parameters": FOUR}).settings)
        return {k: v for k, v in settings.items() if k not in {"parameters", "set", "values", "reward"}}

    assert constants("mab") == {"C": 0.7, "first_play": 1.0, "batch": 10}
    assert constants("he") == {"C": 0.7, "first_play": 1.0}
    assert constants("nmc") == {"epsilon0": 0.75, "C_local": 0.7, "C_global": 0.7, "first_play": 1.0}
    assert constants("local-nmc")["epsilon0"] == 1.0
    assert constants("lsi") == {
        "samples": 100_000,
        "generation": 0.75,
        "candidates": 2000,
        "per": "game",
        "seconds": 0.0,
        "estimate": False,
        "factor": 3.0,
    }
    assert constants("ea") == {"population": 50, "elite": 25, "crossover": 0.5}
    assert constants("ntbea") == {"neighbours": 5, "C": 0.2, "tuples": (1,), "full_tuple": True, "unseen": "skip"}
