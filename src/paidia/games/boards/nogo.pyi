from paidia.games.boards.stones import StonesGame, StonesState

class Nogo(StonesGame):
    def __init__(self, id: str, rows: int, columns: int, *, misere: bool = ...) -> None: ...

class NogoState(StonesState):
    def __init__(self, game: Nogo) -> None: ...
