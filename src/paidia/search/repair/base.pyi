from typing import Any

from paidia.search.frame.strategy import Strategy

class Repair(Strategy): ...

class PythonRepair(Repair):
    def judge(self, state: Any, value: float) -> float | None: ...
