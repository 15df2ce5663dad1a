from paidia.search.playout.base import Playout

class LastGoodReply(Playout):
    def __init__(self, *, length: int = ..., forgetting: bool = ...) -> None: ...
