from paidia.core.game import Game, State

class Hex(Game):
    def __init__(self, id: str, side: int) -> None: ...

class HexState(State):
    def __init__(self, game: Hex) -> None: ...
