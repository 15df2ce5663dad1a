import msgspec

from paidia.search.arcade.open_loop import OpenLoop

class MctsSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    C: float = 0.6
    depth: int = 10

class ArcadeMcts(OpenLoop): ...
