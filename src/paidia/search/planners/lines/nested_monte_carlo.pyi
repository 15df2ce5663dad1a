import msgspec

from paidia.search.planners.lines.base import LineSearch

class NestedMonteCarloSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    level: int = ...

class NestedMonteCarlo(LineSearch): ...
