from paidia.core.game import Game, State

class Connect4(Game):
    def __init__(self, id: str, rows: int, columns: int) -> None: ...

class Connect4State(State):
    def __init__(self, game: Connect4) -> None: ...
