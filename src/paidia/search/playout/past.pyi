from paidia.search.playout.base import Playout

class Past(Playout):
    def __init__(self, *, least: float = ...) -> None: ...
