from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from paidia.core.budget import Budget
from paidia.core.control import Controller
from paidia.core.model import Rules, Situation
from paidia.search.backup.base import Backup
from paidia.search.evaluation.base import Evaluation
from paidia.search.final_move.base import FinalMove
from paidia.search.frame.parameters import Parameters
from paidia.search.frame.search import Search
from paidia.search.nodes.tree import Tree
from paidia.search.playout.base import Playout
from paidia.search.pruning.base import Pruning
from paidia.search.repair.base import Repair
from paidia.search.root.base import RootStrategy
from paidia.search.selection.base import Selection
from paidia.search.statistics.actions import ActionTable
from paidia.search.statistics.ngrams import NgramTable

STATISTICS: set[str]

class Draws:
    def random(self) -> float: ...
    def below(self, n: int) -> int: ...

class Mcts(Search):
    selection: Selection
    playout: Playout
    backup: Backup
    final_move: FinalMove
    evaluation: Evaluation | None
    pruning: list[Pruning]
    roots: list[RootStrategy]
    repair: Repair | None
    tree: Tree
    actions: ActionTable | None
    ngrams: NgramTable | None
    parameters: Parameters
    reuse: bool
    use_start: bool
    keep_steps: int
    max_depth: int
    deepest: int
    deterministic: bool
    helpers: list[Mcts]
    shares: bool
    @property
    def in_waves(self) -> bool: ...
    @property
    def wave_seconds(self) -> float: ...
    def __init__(
        self,
        game: Rules,
        *,
        selection: Selection,
        playout: Playout,
        backup: Backup,
        final_move: FinalMove,
        evaluation: Evaluation | None = ...,
        pruning: Sequence[Pruning] = ...,
        root: Sequence[RootStrategy] = ...,
        repair: Repair | None = ...,
        parameters: Parameters | None = ...,
        controller: Controller | None = ...,
        tree: str = ...,
        expansion: str = ...,
        growth: str = ...,
        horizon: str = ...,
        decisive: bool = ...,
        use_start: bool = ...,
        reuse: bool = ...,
        keep_steps: int = ...,
        max_depth: int = ...,
        memory: int = ...,
    ) -> None: ...
    def recruit(self, helpers: Sequence[Mcts], parallel: str = ...) -> None: ...
    def help(self, state: Situation, budget: Budget, role: int, step: int, ahead: bool) -> None: ...
    @property
    def vectors(self) -> npt.NDArray[np.float64]: ...
    @property
    def extremes(self) -> tuple[float, float]: ...
