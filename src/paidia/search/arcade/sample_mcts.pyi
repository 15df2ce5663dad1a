import msgspec

from paidia.search.arcade.open_loop import OpenLoop

class SampleSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    K: float = 1.4
    D: float = 10.0

class SampleMcts(OpenLoop): ...
