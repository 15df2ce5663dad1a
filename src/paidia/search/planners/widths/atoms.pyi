from typing import Self

from paidia.core.model import Rules, Situation

FACINGS: tuple[str | None, ...]

class Atoms:
    game: Rules
    sprites: bool
    room: int
    n_codes: int
    first_avatar: int
    n: int
    has_avatar: bool
    def __new__(cls, game: Rules) -> Self: ...
    @staticmethod
    def cannot_read(game: Rules) -> str: ...
    def of(self, state: Situation, *, changing: bool = ...) -> set[tuple[str | int | None, ...]]: ...
    def decode(self, code: int) -> tuple[str | int | None, ...]: ...
