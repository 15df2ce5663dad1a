from typing import Any

from paidia.search.frame.strategy import Strategy

class Evaluation(Strategy):
    @property
    def bounded(self) -> bool: ...

class PythonEvaluation(Evaluation):
    def worth(self, state: Any, role: int) -> float: ...
