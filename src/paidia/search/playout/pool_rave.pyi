from paidia.search.playout.base import Playout

class PoolRave(Playout):
    def __init__(self, *, size: int = ..., share: float = ..., least: float = ...) -> None: ...
