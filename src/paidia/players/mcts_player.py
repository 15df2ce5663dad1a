"""A player that searches: Monte-Carlo Tree Search composed as its definition says."""

from __future__ import annotations

from typing import Any

import msgspec

from paidia.control import make_controller
from paidia.control.lsi import Lsi, expected_simulations
from paidia.control.tuner import Tuner
from paidia.core.budget import Budget
from paidia.core.control import Controller
from paidia.core.errors import BadInput, PaidiaError
from paidia.core.game import Game, State
from paidia.core.model import Rules, Situation
from paidia.core.player import Decision
from paidia.players.agent_player import AgentPlayer
from paidia.players.definition import PHASES, AgentDefinition, SearchDefinition
from paidia.players.learned_policy import learned_weights
from paidia.players.registry import KINDS
from paidia.search.mcts import Mcts
from paidia.search.playout.ppa import Ppa
from paidia.search.registry import BACKUPS, FINAL_MOVES, PLAYOUTS, SELECTIONS, make_strategy
from paidia.search.result import SearchResult

__all__ = ["MctsPlayer", "build_search"]

_REGISTRIES = dict(zip(PHASES, (SELECTIONS, PLAYOUTS, BACKUPS, FINAL_MOVES), strict=True))


def build_search(definition: AgentDefinition, game: Game) -> Mcts:
    """The search that an agent's definition describes, for one game."""
    search = definition.search
    return Mcts(
        game,
        **_strategies(search),
        parameters=definition.search_parameters(),
        controller=_controller(definition),
        reuse=search.reuse,
        keep_steps=search.keep_steps,
        max_depth=search.max_depth,
    )


def _strategies(search: SearchDefinition) -> dict[str, Any]:
    for phase in search.options:
        if phase not in _REGISTRIES:
            raise BadInput(f"options are for the phases {', '.join(PHASES)}, not for {phase!r}")
    return {
        phase: make_strategy(registry, getattr(search, phase), dict(search.options.get(phase, {})))
        for phase, registry in _REGISTRIES.items()
    }


def _controller(definition: AgentDefinition) -> Controller | None:
    return make_controller(definition.control) if definition.control else None


@KINDS.register("mcts")
class MctsPlayer(AgentPlayer):
    """One search that lives through a match."""

    plays = Game
    elsewhere = "does not play video games"
    searches = True

    def __init__(self, name: str, definition: AgentDefinition) -> None:
        super().__init__(name, definition)
        try:  # a wrong name or option is told here, not in the middle of a match
            _strategies(definition.search)
            _controller(definition)
        except PaidiaError as error:
            raise BadInput(f"agent {name}: {error}") from None
        self.search: Mcts | None = None

    def begin(self, game: Rules, role: int, *, state: Situation, seed: int, budget: Budget | None) -> None:
        """See `Player`."""
        assert isinstance(game, Game) and isinstance(state, State)
        if self.search is None or self.search.game is not game:
            self.search = build_search(self.definition, game)
        self.search.begin_game(seed)
        self._role = role
        self._announced = False
        self._prepared = self.search.search(state, budget, role=role) if budget is not None else None

    def act(self, state: Situation, *, step: int, budget: Budget | None) -> Decision:
        """See `Player`."""
        assert self.search is not None and isinstance(state, State), "begin() comes first"
        legal = state.legal(self._role)
        if len(legal) <= 1 and not self.definition.ponder:
            return Decision(move=legal[0] if legal else None)
        assert budget is not None, "a search needs a budget"
        if self._prepared is not None:
            self._announce(self._prepared, 0, budget)
        playout = self.search.playout
        if isinstance(playout, Ppa) and playout.learned and step < 2:
            playout.set_weights(learned_weights(self.definition, state, playout.learned))
        result = self.search.search(state, budget, role=self._role, step=step)
        self._announce(result, step, budget)
        value = next((row.mean for row in result.moves if row.move == result.move), None)
        notes = {"depth": result.depth, "nodes": result.nodes}
        return Decision(move=result.move, simulations=result.simulations, value=value, notes=notes)

    def _announce(self, result: SearchResult, step: int, budget: Budget) -> None:
        """After the first search of a game tell a controller that plans ahead how many simulations it can expect."""
        assert self.search is not None
        controller = self.search.controller
        if self._announced or not isinstance(controller, Lsi) or not result.simulations:
            return
        self._announced = True
        speed, clock = float(budget.simulations), 1.0
        if not budget.simulations:
            speed, clock = result.simulations / max(result.seconds, 1e-9), budget.seconds
        length = step + result.steps / result.simulations
        controller.expect(expected_simulations(speed, clock, length, factor=controller.settings.factor))

    def trajectory(self, *, most_used: int = 20) -> dict[str, Any] | None:
        """What the controller did in this match, None if it chooses nothing."""
        controller = self.search.controller if self.search is not None else None
        if not isinstance(controller, Tuner):
            return None
        plain: dict[str, Any] = msgspec.to_builtins(controller.trajectory(most_used=most_used))
        return plain
