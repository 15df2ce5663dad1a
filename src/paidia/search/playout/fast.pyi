from paidia.search.playout.base import Playout

class Fast(Playout):
    def __init__(self, *, rate: float = ..., trace: float = ...) -> None: ...
