from paidia.core.arcade import ArcadeGame, ArcadeState

FACINGS: tuple[str | None, ...]

class Atoms:
    game: ArcadeGame
    n_codes: int
    first_avatar: int
    n: int
    has_avatar: bool
    def __init__(self, game: ArcadeGame) -> None: ...
    def of(self, state: ArcadeState, *, changing: bool = ...) -> set[tuple[str | int | None, ...]]: ...
    def decode(self, code: int) -> tuple[str | int | None, ...]: ...
