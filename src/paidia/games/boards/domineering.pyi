from paidia.core.game import Game, State

class Domineering(Game):
    def __init__(self, id: str, rows: int, columns: int, *, misere: bool = ..., neighbourhood: int = ...) -> None: ...

class DomineeringState(State):
    def __init__(self, game: Domineering) -> None: ...
