from paidia.core.game import Game, State

class Reversi(Game):
    def __init__(self, id: str, rows: int, columns: int) -> None: ...

class ReversiState(State):
    def __init__(self, game: Reversi) -> None: ...
