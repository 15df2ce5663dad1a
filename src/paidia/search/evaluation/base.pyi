from typing import Any

from paidia.search.frame.strategy import Strategy

class Evaluation(Strategy): ...

class PythonEvaluation(Evaluation):
    def worth(self, state: Any, role: int) -> float: ...
