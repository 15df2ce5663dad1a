"""STATE-RND in a search: fresh values in every state of a simulation, or at each read, in the tree and in the playout."""

from __future__ import annotations

from typing import Any

import pytest

from oracles.slow_mcts import SlowMcts
from oracles.small_games import CountdownGame, DuelGame
from oracles.splitmix import SplitMix
from oracles.trees import shape, tree_of
from paidia.control import make_controller
from paidia.core.budget import Budget
from paidia.core.game import Game
from paidia.core.seeds import spawn
from paidia.games import load
from paidia.search.backup.monte_carlo import MonteCarlo
from paidia.search.final_move.most_visits import MostVisits
from paidia.search.frame.parameters import Parameters
from paidia.search.mcts import Mcts
from paidia.search.playout.mast import Mast
from paidia.search.playout.nst import Nst
from paidia.search.registry import SELECTIONS

INF = float("inf")
VALUES = {"K": [0.0, 10.0, 250.0, INF], "ref": [0.0, 5.0, INF], "C": [0.1, 0.4, 0.9], "epsilon": [0.0, 0.5, 1.0], "T": [0.0, 3.0]}
PLAYOUTS: dict[str, Any] = {"mast": Mast, "nst": Nst}


class PerState(SlowMcts):
    """Draws every parameter in each node for every role, and in a playout for roles that choose; each has its own generator."""

    def __init__(self, *arguments: Any, seed: int, reads: bool, **named: Any) -> None:
        super().__init__(*arguments, seed=seed, **named)
        self.reads = reads
        self.base = self.p
        self.sources = [SplitMix(spawn(spawn(seed, 1), role)) for role in range(self.game.n_roles)]
        self.states = [0] * self.game.n_roles

    def at_state(self, role: int) -> None:
        drawn = {name: values[self.sources[role].below(len(values))] for name, values in VALUES.items()}
        self.p = self.of_role[role] = self.base.replace(**drawn)
        self.states[role] += 1

    def at_read(self, role: int) -> None:
        if self.reads:
            self.at_state(role)


@pytest.mark.parametrize("playout", ["mast", "nst"])
@pytest.mark.parametrize("selection", ["grave", "ucb1", "ucb1-tuned", "progressive-history"])
@pytest.mark.parametrize(
    "game", [load("tic-tac-toe"), load("connect4@4x4"), DuelGame(), CountdownGame(3)], ids=lambda game: game.id
)
@pytest.mark.parametrize("draw", ["read", "state"])
def test_values_are_drawn_once_per_role_and_state_or_for_each_move_valued(
    game: Game, selection: str, playout: str, draw: str
) -> None:
    parameters = Parameters(nmin=2, fpu=1.0)
    controller = make_controller({"kind": "state-rnd", "values": VALUES, "draw": draw})
    fast = Mcts(
        game,
        selection=SELECTIONS[selection](),
        playout=PLAYOUTS[playout](),
        backup=MonteCarlo(),
        final_move=MostVisits(),
        parameters=parameters,
        controller=controller,
    )
    fast.begin_game(5)
    slow = PerState(game, selection=selection, playout=playout, parameters=parameters, seed=5, reads=draw == "read")
    state = game.initial_state()
    fast.search(state, Budget(simulations=300), role=0)
    slow.search(state, 300)
    assert tree_of(fast) == {key: shape(node) for key, node in slow.nodes.items()}
    record = controller.trajectory()  # type: ignore[attr-defined]
    for role in range(game.n_roles):
        assert sum(record.roles[role].turns[0].samples[0]) == slow.states[role]
