"""`Space`: the parameters that a controller may change, the values each may take, and which go together.

A parameter has a finite, ascending list of values (infinity included), or a range for controllers that work
on real numbers. A `Switch` says that one parameter has no meaning while another holds a certain value:
GRAVE's `ref` while `K` is 0. The silenced parameter then has an extra value "unset", legal exactly when its
switch is off, so that the combinations with K = 0 count once and not once for every `ref` (Sironi and
Winands, section 5.1 of the study on randomization).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import pairwise

import msgspec

from paidia.core.errors import BadInput, UnknownName

__all__ = ["MAX_PARAMETERS", "Parameter", "Space", "Switch"]

MAX_PARAMETERS = 16  # the kernels keep a combination in a fixed array of this size


class Parameter(msgspec.Struct, frozen=True):
    """A name with its feasible values, or with a range (`low`, `high`) and no values."""

    name: str
    values: tuple[float, ...] = ()
    low: float = 0.0
    high: float = 0.0

    def __post_init__(self) -> None:
        if any(math.isnan(v) for v in self.values):
            raise BadInput(f"parameter {self.name}: 'nan' is not a value")
        if any(a >= b for a, b in pairwise(self.values)):
            raise BadInput(f"parameter {self.name}: its values must be in ascending order, each once")
        if not self.values and not -math.inf < self.low < self.high < math.inf:
            raise BadInput(f"parameter {self.name} needs a list of values, or a range with low < high")

    @property
    def bounds(self) -> tuple[float, float]:
        """The smallest and the largest finite value."""
        if not self.values:
            return self.low, self.high
        finite = [v for v in self.values if math.isfinite(v)] or [0.0]
        return finite[0], finite[-1]


class Switch(msgspec.Struct, frozen=True):
    """While `parameter` has the value `off`, the parameter `silences` means nothing and must be unset."""

    parameter: str
    off: float
    silences: str


class Space(msgspec.Struct, frozen=True):
    """Parameters in a fixed order, and the switches between them."""

    parameters: tuple[Parameter, ...]
    switches: tuple[Switch, ...] = ()

    def __post_init__(self) -> None:
        names = self.names
        if not names:
            raise BadInput('no parameter to change: name at least one, as in parameters = ["K", "ref"]')
        if len(names) > MAX_PARAMETERS:
            raise BadInput(f"{len(names)} parameters are too many; at most {MAX_PARAMETERS} can be changed")
        twice = sorted({n for n in names if names.count(n) > 1})
        if twice:
            raise BadInput(f"parameter {twice[0]} is named twice")
        seen: set[str] = set()
        for switch in self.active_switches:
            if seen & {switch.parameter, switch.silences}:
                raise BadInput(f"{switch.parameter} or {switch.silences} takes part in two switches")
            seen |= {switch.parameter, switch.silences}
            if len(self[switch.parameter].values) == 1:
                raise BadInput(
                    f"{switch.parameter} can only be {switch.off:g}, so {switch.silences} "
                    f"is never used: leave it out or give {switch.parameter} more values"
                )
            if self[switch.parameter].values[0] != switch.off:
                raise BadInput(f"{switch.off:g} must be the first value of {switch.parameter}: it switches {switch.silences} off")

    def __getitem__(self, name: str) -> Parameter:
        for parameter in self.parameters:
            if parameter.name == name:
                return parameter
        raise UnknownName("parameter", name, self.names)

    @property
    def names(self) -> list[str]:
        """The names in order."""
        return [p.name for p in self.parameters]

    @property
    def active_switches(self) -> tuple[Switch, ...]:
        """Those whose both parameters are here and whose off value can be taken."""
        names = set(self.names)
        return tuple(
            s
            for s in self.switches
            if s.parameter in names and s.silences in names and s.off in self[s.parameter].values and self[s.silences].values
        )

    @property
    def discrete(self) -> bool:
        """Whether every parameter has a list of values."""
        return all(p.values for p in self.parameters)

    def only(self, names: Iterable[str]) -> Space:
        """The same space with the named parameters alone, in the order of `names`."""
        return Space(tuple(self[name] for name in names), self.switches)

    def labels(self) -> list[list[str]]:
        """The values of each parameter as text, in the order of the genes; "unset" comes first."""
        silenced = {s.silences for s in self.active_switches}
        return [["unset"] * (p.name in silenced) + [f"{v:g}" for v in p.values] for p in self.parameters]
