"""Every number that a search reads, in one documented structure.

A search keeps one flat vector of these per role and reads it anew in every simulation, so that a controller may change any
of them between simulations (`Mcts.vectors`). The order of the fields is the order of the vector (parameters.pxd).
"""

from __future__ import annotations

import math
from typing import Any

import msgspec

from paidia.core.errors import BadInput, did_you_mean

__all__ = ["NAMES", "Parameters"]


class Parameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The search parameters of one role. Values of moves are means of goals in [0, 1].

    Attributes:
        C: Exploration constant of UCB1.
        K: Equivalence parameter of (G/H)RAVE: 0 switches it off, inf trusts AMAF alone. In `sample` selection the exploration
            constant, by the name that its papers give it.
        ref: Visits that a node needs to lend its AMAF table: 0 is RAVE, inf is HRAVE (the root's table), else GRAVE.
        epsilon: Probability of a uniformly random move in MAST and NST playouts.
        VO: Value offset: selection draws among the moves whose value is within VO of the best.
        T: In a node with fewer than T visits the playout strategy chooses the move instead of selection.
        fpu: First-play value of a move without visits; inf makes unvisited moves go first.
        fpu_amaf: Exploration term of an unvisited move that has an AMAF value.
        tau: Temperature of Gibbs sampling in MAST, on the scale of goals in [0, 1].
        W: Weight of Progressive History.
        n: Longest N-gram of NST.
        nmin: Visits that an N-gram longer than 1 needs to count in NST.
        alpha: Learning rate of PPA.
        kappa: Factor on the weights in the playouts of PPA (k in the paper).
        D: Horizon: a simulation ends so many steps after it has left the tree, or after the root (see the search). 0: at the
            end of the game, or after 10 steps where values have no bounds (video games).
    """

    C: float = 0.4
    K: float = 250.0
    ref: float = 50.0
    epsilon: float = 0.4
    VO: float = 0.0
    T: float = 0.0
    fpu: float = math.inf
    fpu_amaf: float = 1.0
    tau: float = 0.1
    W: float = 1.0
    n: float = 3.0
    nmin: float = 7.0
    alpha: float = 0.32
    kappa: float = 1.0
    D: float = 0.0

    def __post_init__(self) -> None:
        for name in NAMES:
            value = getattr(self, name)
            if math.isnan(value) or value < 0:
                raise BadInput(f"parameter {name} must be 0 or larger, not {value}")
        if self.epsilon > 1:
            raise BadInput(f"parameter epsilon is a probability, not {self.epsilon}")
        if self.tau == 0:
            raise BadInput("parameter tau is a temperature and must be above 0")
        if not 0 <= self.D <= 1024 or int(self.D) != self.D:
            raise BadInput(f"parameter D is a number of steps, 0 to 1024, not {self.D}")
        if not 1 <= self.n <= 4 or self.n != int(self.n):
            raise BadInput(f"parameter n is a length of N-grams, 1 to 4, not {self.n}")

    def vector(self) -> list[float]:
        """The values in the order of a search's vector."""
        return [float(getattr(self, name)) for name in NAMES]

    def replace(self, **changes: Any) -> Parameters:
        """The same with other values; an unknown name is an error that offers the nearest."""
        for name, value in changes.items():
            if name not in NAMES:
                hint = did_you_mean(name, NAMES, otherwise=f"there are {', '.join(NAMES)}")
                raise BadInput(f"there is no search parameter {name!r}; {hint}")
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise BadInput(f"parameter {name} takes a number, not {value!r}")
        return msgspec.structs.replace(self, **{name: float(value) for name, value in changes.items()})


NAMES: tuple[str, ...] = Parameters.__struct_fields__
