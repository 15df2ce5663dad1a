import msgspec

from paidia.core.model import Situation
from paidia.search.planners.lines.base import LineSearch

class ConstrainedSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    level: int = ...

class Constrained(LineSearch):
    def alternatives(self, state: Situation) -> tuple[dict[int, int], list[int]]: ...
