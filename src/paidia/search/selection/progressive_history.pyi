from paidia.search.selection.base import Selection

class ProgressiveHistory(Selection):
    def __init__(self, *, ties: str = ..., decay: float = ...) -> None: ...
