"""The value sets of the papers, by name.

`original`, `larger` and `range` are tables 1 and 11 of the study on randomization (Sironi and Winands);
`continuous` is the box in which CMA-ES moves; `sa-mcts` is the space of self-adaptive MCTS for video games
(225 combinations). The bounds of VO and T in `continuous` are ours: the papers tune these two on lists only; so is
`maastcts2`: the paper that tunes this agent for video games names neither the parameters nor their values
(docs/readings.md#maastcts2-parameters).
"""

from __future__ import annotations

from paidia.control.space import Parameter, Space, Switch
from paidia.core.errors import UnknownName

__all__ = ["SETS", "value_set"]

INF = float("inf")
GRAVE_SWITCH = Switch(parameter="K", off=0.0, silences="ref")


def _steps(first: int, last: int, step: int, per: int) -> tuple[float, ...]:
    """first/per, (first+step)/per, ..., last/per: divided once, so that 0.3 is the number that 0.3 means."""
    return tuple(n / per for n in range(first, last + 1, step))


def _space(**values: tuple[float, ...]) -> Space:
    return Space(tuple(Parameter(name, v) for name, v in values.items()), (GRAVE_SWITCH,))


SETS: dict[str, Space] = {
    "original": _space(
        K=(0, 10, 50, 100, 250, 500, 750, 1000, 2000, INF),
        ref=(0, 50, 100, 250, 500, 1000, 10000, INF),
        C=_steps(1, 9, 1, 10),
        epsilon=_steps(0, 10, 1, 10),
        VO=(0.001, 0.005, 0.01, 0.015, 0.02, 0.025),
        T=(0, 5, 10, 20, 30, 40, 50, 100, 200, INF),
    ),
    "larger": _space(
        K=(0, 5, 10, 25, 50, 75, 100, 250, 500, 750, 1000, 1500, 2000, 2500, 3000, 3500, 4000, 4500, 5000, INF),
        ref=(0, 25, 50, 75, 100, 250, 500, 750, 1000, 2500, 5000, 7500, 10000, 15000, 20000, INF),
        C=_steps(10, 90, 5, 100),
        epsilon=_steps(0, 100, 5, 100),
    ),
    "range": _space(
        K=(50, 100, 250, 500, 750, 1000, 1500, 2000, 2500, 3000),
        ref=(500, 750, 1000, 2500, 5000, 7500, 10000, INF),
        C=_steps(2, 18, 2, 10),
        epsilon=_steps(25, 75, 5, 100),
    ),
    "continuous": Space(
        (
            Parameter("K", low=0, high=2000),
            Parameter("ref", low=0, high=10000),
            Parameter("C", low=0, high=1),
            Parameter("epsilon", low=0, high=1),
            Parameter("VO", low=0, high=0.025),
            Parameter("T", low=0, high=200),
        )
    ),
    "sa-mcts": Space(
        (
            Parameter("K", _steps(6, 20, 1, 10)),
            Parameter("D", tuple(float(n) for n in range(1, 16))),
        )
    ),
    "maastcts2": Space(
        (
            Parameter("C", _steps(2, 20, 2, 10)),
            Parameter("W", (0, 0.25, 0.5, 1, 2, 4, 8)),
            Parameter("epsilon", _steps(0, 10, 1, 10)),
            Parameter("n", (1, 2, 3, 4)),
            Parameter("nmin", (1, 3, 5, 7, 10, 15)),
        )
    ),
}


def value_set(name: str) -> Space:
    """The set called `name`."""
    try:
        return SETS[name]
    except KeyError:
        raise UnknownName("set of parameter values", name, SETS) from None
