import numpy as np
import numpy.typing as npt

from paidia.core.budget import Budget
from paidia.core.control import Controller
from paidia.core.game import Game, State
from paidia.search.backup.base import Backup
from paidia.search.final_move.base import FinalMove
from paidia.search.parameters import Parameters
from paidia.search.playout.base import Playout
from paidia.search.result import RootMove, SearchResult
from paidia.search.selection.base import Selection
from paidia.search.statistics.actions import ActionTable
from paidia.search.statistics.ngrams import NgramTable
from paidia.search.tree import Tree

class Mcts:
    game: Game
    selection: Selection
    playout: Playout
    backup: Backup
    final_move: FinalMove
    controller: Controller
    tree: Tree
    actions: ActionTable | None
    ngrams: NgramTable | None
    parameters: Parameters
    reuse: bool
    keep_steps: int
    max_depth: int
    deepest: int
    def __init__(
        self,
        game: Game,
        *,
        selection: Selection,
        playout: Playout,
        backup: Backup,
        final_move: FinalMove,
        parameters: Parameters | None = ...,
        controller: Controller | None = ...,
        reuse: bool = ...,
        keep_steps: int = ...,
        max_depth: int = ...,
    ) -> None: ...
    @property
    def vectors(self) -> npt.NDArray[np.float64]: ...
    def begin_game(self, seed: int) -> None: ...
    def search(self, state: State, budget: Budget, *, role: int, step: int = ...) -> SearchResult: ...
    def root_moves(self, role: int) -> list[RootMove]: ...
