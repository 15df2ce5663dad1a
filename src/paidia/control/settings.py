"""`ControlSettings`: the `[control]` table of an agent, the same for every controller but for its constants.

[control]
kind = "ntbea"
parameters = ["K", "ref", "C", "epsilon"]
set = "original"
C = 0.2
neighbours = 5
"""

from __future__ import annotations

from typing import Literal

import msgspec

from paidia.control.sets import GRAVE_SWITCH, value_set
from paidia.control.space import Parameter, Space
from paidia.core.errors import BadInput

__all__ = ["ControlSettings", "positive", "share"]


class ControlSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which parameters a controller may change.

    Attributes:
        parameters: Their names, in order; by default those of `values`.
        set: The named set their values come from (see sets.py).
        values: Values of single parameters that are not to come from the set, or are not in it.
        reward: What a simulation is worth where values have no bounds: its result on the scale of all results of the game
            ("scaled"), or as it is ("raw"), a win or a loss with its 1e7 (docs/readings.md#tuner-reward).
    """

    parameters: tuple[str, ...] = ()
    set: str = "original"
    values: dict[str, tuple[float, ...]] = {}
    reward: Literal["scaled", "raw"] = "scaled"

    def space(self) -> Space:
        """The space these settings describe."""
        own = {name: Parameter(name, values) for name, values in self.values.items()}
        base = value_set(self.set)
        names = self.parameters or tuple(own)
        unused = sorted(set(own) - set(names))
        if unused:
            raise BadInput(f"values are given for {unused[0]}, but 'parameters' does not name it")
        return Space(tuple(own.get(name) or base[name] for name in names), (GRAVE_SWITCH,))


def positive(name: str, value: float, *, at_least: float = 0) -> None:
    """Refuse a constant that is too small, infinite or not a number."""
    if not at_least <= value < float("inf"):
        raise BadInput(f"{name} must be {at_least:g} or larger, not {value:g}")


def share(name: str, value: float) -> None:
    """Refuse a constant outside 0 to 1."""
    if not 0 <= value <= 1:
        raise BadInput(f"{name} must be between 0 and 1, not {value:g}")
