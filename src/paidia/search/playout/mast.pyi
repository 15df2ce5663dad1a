from paidia.search.playout.base import Playout

class Mast(Playout):
    def __init__(self, *, decay: float = ..., gibbs: bool = ...) -> None: ...
