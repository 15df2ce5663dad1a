from paidia.search.playout.base import Playout

class Nst(Playout):
    def __init__(self, *, decay: float = ..., rounded: bool = ..., ties: str = ...) -> None: ...
