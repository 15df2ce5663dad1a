"""`check_tuner`: what every controller must keep to, whatever its strategy.

    from paidia.testing import check_tuner
    check_tuner(lambda: make_controller({"kind": "ntbea", "parameters": ["K", "ref"]}))

A controller that fails raises `AssertionError` with what it did. `top_share` measures how well a tuner
learns.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from paidia.control.tuner import Tuner
from paidia.testing.tuner_trial import TunerTrial

__all__ = ["check_tuner", "top_share"]

Goals = Callable[[int, Sequence[float]], float]


def check_tuner(make: Callable[[], Tuner], *, simulations: int = 400, legal: bool = True) -> None:
    """Check a controller on games of one to three roles.

    Args:
        make: A new controller, always with the same settings.
        simulations: How many to run in each check.
        legal: Whether every combination must be legal and discrete (not real numbers or draws per state).
    """
    for n_roles in (1, 2, 3):
        for goal in (0.0, 1.0):
            _play(make(), n_roles, 1, simulations, lambda role, vector, goal=goal: goal)  # type: ignore[misc]
        _check_vectors(make(), n_roles, simulations, legal)
    _check_seeds(make, simulations)
    _check_independence(make, simulations)
    _check_record(make(), simulations)


def top_share(tuner: Tuner, chances: npt.NDArray[np.float64], *, simulations: int, seed: int, top: float = 0.01) -> float:
    """The share of the last quarter of the simulations that used one of the best combinations.

    Args:
        tuner: A controller of one role; every simulation is won or lost.
        chances: The chance to win with each combination.
        simulations: How many to run.
        seed: For the tuner and, apart from it, for the results.
        top: Which share of all combinations counts as the best; uniform choice would reach this share.
    """
    best = np.zeros(len(chances), bool)
    best[np.argsort(-chances)[: round(top * len(chances))]] = True
    used = TunerTrial(tuner, seed=seed).run(chances[None, :].copy(), simulations, seed=seed + 1)[:, 0]
    return float(best[used[-(simulations // 4) :]].mean())


def _noisy(seed: int) -> Goals:
    source = random.Random(seed)
    return lambda role, vector: source.choice([0.0, 0.25, 0.5, 1.0])


def _play(
    tuner: Tuner, n_roles: int, seed: int, simulations: int, goal: Goals, trial: TunerTrial | None = None
) -> list[list[list[float]]]:
    trial = trial or TunerTrial(tuner, n_roles=n_roles, seed=seed)
    chosen = []
    for step in range(simulations):
        if step % 100 == 0:
            trial.begin_turn(step // 100)
        vectors = trial.choose()
        chosen.append(vectors)
        trial.reward([goal(role, vector) for role, vector in enumerate(vectors)])
    return chosen


def _check_vectors(tuner: Tuner, n_roles: int, simulations: int, legal: bool) -> None:
    """Only the named columns are written, wherever they are, and only with values that go together."""
    space = tuner.combinations.space
    names = ["x", *reversed(space.names), "y"]
    trial = TunerTrial(tuner, n_roles=n_roles, seed=3, names=names)
    columns = [names.index(name) for name in space.names]
    silenced = {s.silences: s for s in space.active_switches}
    for vectors in _play(tuner, n_roles, 3, simulations, _noisy(3), trial):
        for vector in vectors:
            assert vector[0] == vector[-1] == -1.0, "a column was written that the controller was not given"
            values = dict(zip(space.names, (vector[c] for c in columns), strict=True))
            if not legal:
                continue
            for parameter in space.parameters:
                switch = silenced.get(parameter.name)
                if switch is not None and values[switch.parameter] == switch.off:
                    assert values[parameter.name] == 0.0, f"{parameter.name} is unset: {values}"
                else:
                    assert values[parameter.name] in parameter.values, f"{parameter.name}: {values}"
    if legal:
        for allocation in tuner.allocations:
            assert tuner.combinations.legal(allocation.current())


def _check_seeds(make: Callable[[], Tuner], simulations: int) -> None:
    """The same seed gives the same choices, also in a second game; another seed gives others."""
    tuner = make()
    first = _play(tuner, 2, 11, simulations, _noisy(1))
    assert _play(make(), 2, 11, simulations, _noisy(1)) == first, "the same seed gave other choices"
    _play(tuner, 2, 12, simulations, _noisy(2))
    assert _play(tuner, 2, 11, simulations, _noisy(1)) == first, "something of an earlier game was kept"
    assert _play(make(), 2, 13, simulations, _noisy(1)) != first, "the seed has no effect"


def _check_independence(make: Callable[[], Tuner], simulations: int) -> None:
    """What happens to one role does not touch another, and two roles do not choose alike."""

    def other_role_wins(role: int, vector: Sequence[float]) -> float:
        return 1.0 if role else float(sum(vector) % 2 < 1)

    def other_role_loses(role: int, vector: Sequence[float]) -> float:
        return 0.0 if role else float(sum(vector) % 2 < 1)

    won = _play(make(), 2, 5, simulations, other_role_wins)
    lost = _play(make(), 2, 5, simulations, other_role_loses)
    assert [v[0] for v in won] == [v[0] for v in lost], "the rewards of one role changed the other"
    assert [v[0] for v in won] != [v[1] for v in won], "two roles made the same random choices"


def _check_record(tuner: Tuner, simulations: int) -> None:
    """The trajectory accounts for every simulation, turn by turn."""
    _play(tuner, 2, 8, simulations, _noisy(4))
    record = tuner.trajectory()
    assert [p.name for p in record.parameters] == tuner.combinations.space.names
    for role in record.roles:
        assert [t.turn for t in role.turns] == list(range(-(-simulations // 100)))
        assert sum(t.simulations for t in role.turns) == simulations
        for turn in role.turns:
            for counts, parameter in zip(turn.samples, record.parameters, strict=True):
                assert len(counts) == len(parameter.values)
                assert sum(counts) == turn.simulations
