import msgspec

from paidia.core.control import Controller

class FixedSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    values: dict[str, float] = {}

class Fixed(Controller):
    Settings: type[FixedSettings]
    settings: FixedSettings
    def __init__(self, settings: FixedSettings) -> None: ...
