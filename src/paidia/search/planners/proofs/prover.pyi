import msgspec

from paidia.search.frame.search import Search

class ProverSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    memory: int = ...

class Prover(Search):
    low: float
    high: float
    zero_sum: bool
    @property
    def proven(self) -> float | None: ...
    @property
    def lost_moves(self) -> list[int]: ...
