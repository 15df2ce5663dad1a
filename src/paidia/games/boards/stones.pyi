from paidia.core.game import Game, State

ROLES: tuple[str, ...]

class StonesGame(Game):
    def __init__(self, rows: int, columns: int) -> None: ...

class StonesState(State):
    def below(self) -> str: ...
