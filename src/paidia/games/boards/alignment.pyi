from paidia.core.game import Game, State

class Alignment(Game):
    def __init__(self, id: str, rows: int, columns: int, k: int, *, roles: tuple[str, str] = ...) -> None: ...

class AlignmentState(State):
    def __init__(self, game: Alignment) -> None: ...
