"""Strategies in plain Python: one base class for each phase of the tree search, to be subclassed.

`PythonStrategy` is any of them, for `isinstance` and type hints. A final move is plain Python anyway (`FinalMove`).
"""

from __future__ import annotations

from paidia.search.backup.base import PythonBackup
from paidia.search.evaluation.base import PythonEvaluation
from paidia.search.playout.base import PythonPlayout
from paidia.search.pruning.base import PythonPruning
from paidia.search.repair.base import PythonRepair
from paidia.search.root.base import PythonRoot
from paidia.search.selection.base import PythonSelection

__all__ = [
    "PythonBackup",
    "PythonEvaluation",
    "PythonPlayout",
    "PythonPruning",
    "PythonRepair",
    "PythonRoot",
    "PythonSelection",
    "PythonStrategy",
]

PythonStrategy = PythonSelection | PythonPlayout | PythonBackup | PythonEvaluation | PythonPruning | PythonRoot | PythonRepair
