from paidia.games.boards.stones import StonesGame, StonesState

class Atarigo(StonesGame):
    def __init__(self, id: str, rows: int, columns: int, *, suicide: bool = ...) -> None: ...

class AtarigoState(StonesState):
    def __init__(self, game: Atarigo) -> None: ...
