import msgspec

from paidia.search.planners.two_queues import TwoQueues

class PlannerSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    patience: int = ...
    hold: int = ...
    max_states: int = ...

class Planner(TwoQueues):
    failures: int
    to_the_end: bool
