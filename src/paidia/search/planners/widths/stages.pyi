from typing import Self

from paidia.core.model import Rules

class Stages:
    def __new__(cls, game: Rules) -> Self: ...
