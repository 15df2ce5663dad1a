"""The parameter space: counts of the papers, numbering, legality."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paidia.control.combinations import Combinations
from paidia.control.sets import GRAVE_SWITCH, SETS, value_set
from paidia.control.space import Parameter, Space, Switch
from paidia.core.errors import BadInput, UnknownName

FOUR = ["K", "ref", "C", "epsilon"]
SIX = [*FOUR, "VO", "T"]


@pytest.mark.parametrize(
    ("name", "parameters", "count"),
    [
        ("original", FOUR[:2], 73),
        ("original", FOUR, 7_227),
        ("original", SIX, 433_620),
        ("larger", FOUR, 108_885),
        ("range", FOUR, 7_920),
        ("sa-mcts", ["K", "D"], 225),
    ],
)
def test_counts_of_the_papers(name, parameters, count):
    assert len(Combinations(SETS[name].only(parameters))) == count


def test_values_of_the_papers():
    original = SETS["original"]
    assert original["C"].values == (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
    assert original["epsilon"].values == (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
    assert [len(p.values) for p in SETS["larger"].parameters] == [20, 16, 17, 21]
    assert SETS["larger"]["epsilon"].values[:3] == (0.0, 0.05, 0.1)
    assert SETS["range"]["C"].values == (0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8)
    assert math.isinf(original["K"].values[-1])
    assert original["K"].bounds == (0, 2000)


def test_a_lone_parameter_has_no_unset():
    """SIM-RND_K changes K alone, SIM-RND with ref alone has no K = 0 to switch it off."""
    assert len(Combinations(SETS["original"].only(["K"]))) == 10
    assert SETS["original"].only(["ref"]).labels()[0][:3] == ["0", "50", "100"]
    assert SETS["range"].only(["K", "ref"]).labels()[1][0] == "500"


@st.composite
def spaces(draw):
    """Spaces of up to five parameters with up to two switches."""
    d = draw(st.integers(1, 5))
    names = [f"p{i}" for i in range(d)]
    sizes = [draw(st.integers(1, 4)) for _ in names]
    order = draw(st.permutations(range(d)))
    switches = [Switch(names[order[2 * k]], 0.0, names[order[2 * k + 1]]) for k in range(draw(st.integers(0, d // 2)))]
    for switch in switches:
        i = names.index(switch.parameter)
        sizes[i] = max(2, sizes[i])  # a switch that is always off is refused
    values = [tuple(float(v) for v in range(size)) for size in sizes]
    return Space(tuple(map(Parameter, names, values)), tuple(switches))


def legal_by_the_rule(space, genes):
    labels = space.labels()
    chosen = {n: labels[i][g] for i, (n, g) in enumerate(zip(space.names, genes, strict=True))}
    switches = space.active_switches
    return all((float(chosen[s.parameter]) == s.off) == (chosen[s.silences] == "unset") for s in switches)


@given(spaces())
def test_the_numbers_are_exactly_the_legal_combinations(space):
    numbered = Combinations(space)
    every = list(itertools.product(*(range(len(v)) for v in space.labels())))
    legal = [list(g) for g in every if legal_by_the_rule(space, g)]
    assert [list(g) for g in every if numbered.legal(g)] == legal
    assert len(numbered) == len(legal)
    assert sorted(numbered.genes(i) for i in range(len(numbered))) == sorted(legal)
    assert all(numbered.genes(numbered.index(g)) == g for g in legal)
    for genes in every:
        if not numbered.legal(genes):
            with pytest.raises(ValueError, match="not a legal combination"):
                numbered.index(genes)


@given(spaces(), st.integers(0, 2**64 - 1))
def test_draws_and_mutations_are_legal(space, seed):
    numbered = Combinations(space)
    for genes in numbered.draw(seed, 20):
        assert numbered.legal(genes)
        mutant = numbered.mutate(genes, seed)
        assert numbered.legal(mutant)
        changed = [n for n, a, b in zip(space.names, genes, mutant, strict=True) if a != b]
        pairs = [{s.parameter, s.silences} for s in space.active_switches]
        assert len(changed) <= 1 or set(changed) in pairs, "one parameter, and its partner at most"


def test_draws_are_uniform_over_combinations():
    numbered = Combinations(SETS["original"].only(["K", "ref"]))
    counts = [0] * 73
    n = 73_000
    for genes in numbered.draw(99, n):
        counts[numbered.index(genes)] += 1
    chi = sum((c - n / 73) ** 2 / (n / 73) for c in counts)
    assert 37 < chi < 118, "the chi-square with 72 degrees of freedom is outside its 99.9 % interval"


def test_mutations_reach_k_zero_from_both_sides():
    """K and ref would block each other if a mutation did not repair the partner."""
    numbered = Combinations(SETS["original"].only(FOUR))
    on, off = [3, 2, 0, 0], [0, 0, 0, 0]
    from_on = [numbered.mutate(on, seed) for seed in range(4000)]
    from_off = [numbered.mutate(off, seed) for seed in range(4000)]
    to_off = sum(g[0] == 0 for g in from_on) / 4000
    to_on = sum(g[0] != 0 for g in from_off) / 4000
    assert abs(to_off - (1 / 10 + 1 / 9) / 4) < 0.015
    assert abs(to_on - (9 / 10 + 8 / 9) / 4) < 0.025
    assert {g[1] for g in from_off if g[0]} == set(range(1, 9))


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Parameter("K", (1.0, 1.0)), "ascending"),
        (lambda: Parameter("K", (float("nan"),)), "nan"),
        (lambda: Parameter("K"), "range"),
        (lambda: Parameter("K", low=2, high=1), "range"),
        (lambda: Parameter("K", low=0, high=float("inf")), "range"),
        (lambda: Space(()), "no parameter"),
        (lambda: Space((Parameter("K", (1.0,)), Parameter("K", (2.0,)))), "twice"),
        (lambda: Space(tuple(Parameter(f"p{i}", (1.0,)) for i in range(17))), "too many"),
        (lambda: Space((Parameter("K", (-1.0, 0.0)), Parameter("ref", (1.0,))), (GRAVE_SWITCH,)), "first value"),
        (lambda: Space((Parameter("K", (0.0,)), Parameter("ref", (1.0,))), (GRAVE_SWITCH,)), "leave it out"),
        (
            lambda: Space(
                (Parameter("a", (0.0, 1.0)), Parameter("b", (0.0, 1.0)), Parameter("c", (0.0, 1.0))),
                (Switch("a", 0.0, "b"), Switch("b", 0.0, "c")),
            ),
            "two switches",
        ),
        (lambda: Combinations(SETS["continuous"]), "only cma-es"),
        (lambda: Combinations(Space(tuple(Parameter(f"p{i}", tuple(range(99))) for i in range(16)))), "too many"),
    ],
)
def test_what_is_refused(build, message):
    with pytest.raises(BadInput, match=message):
        build()


def test_unknown_names_have_a_hint():
    with pytest.raises(UnknownName, match="'original'"):
        value_set("orignal")
    with pytest.raises(UnknownName, match="'epsilon'"):
        SETS["original"].only(["epsilom"])
