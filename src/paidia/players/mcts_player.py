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
from paidia.core.player import Decision
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
class MctsPlayer:
    """One search that lives through a match."""

    def __init__(self, name: str, definition: AgentDefinition, budget: Budget | None) -> None:
        if budget is None:
            raise BadInput(f"agent {name} searches and needs a budget: give --sims N or --time SECONDS")
        try:  # a wrong name or option is told here, not in the middle of a match
            _strategies(definition.search)
            _controller(definition)
        except PaidiaError as error:
            raise BadInput(f"agent {name}: {error}") from None
        self.name = name
        self.definition = definition
        self.budget = budget
        self.search: Mcts | None = None

    def begin(self, game: Game, role: int, *, seed: int, start_clock: float) -> None:
        if self.search is None or self.search.game is not game:
            self.search = build_search(self.definition, game)
        self.search.begin_game(seed)
        self._role = role
        self._announced = False
        if start_clock > 0:
            result = self.search.search(game.initial_state(), Budget(seconds=start_clock), role=role)
            self._announce(result, 0)

    def act(self, state: State, step: int) -> Decision:
        assert self.search is not None, "begin() comes first"
        legal = state.legal(self._role)
        if len(legal) <= 1 and not self.definition.ponder:
            return Decision(move=legal[0] if legal else None)
        playout = self.search.playout
        if isinstance(playout, Ppa) and playout.learned and step < 2:
            playout.set_weights(learned_weights(self.definition, state, playout.learned))
        result = self.search.search(state, self.budget, role=self._role, step=step)
        self._announce(result, step)
        value = next((row.mean for row in result.moves if row.move == result.move), None)
        notes = {"depth": result.depth, "nodes": result.nodes}
        return Decision(move=result.move, simulations=result.simulations, value=value, notes=notes)

    def _announce(self, result: SearchResult, step: int) -> None:
        """After the first search of a game tell a controller that plans ahead how many simulations it can expect."""
        assert self.search is not None
        controller = self.search.controller
        if self._announced or not isinstance(controller, Lsi) or not result.simulations:
            return
        self._announced = True
        speed, clock = float(self.budget.simulations), 1.0
        if not self.budget.simulations:
            speed, clock = result.simulations / max(result.seconds, 1e-9), self.budget.seconds
        length = step + result.steps / result.simulations
        controller.expect(expected_simulations(speed, clock, length, factor=controller.settings.factor))

    def end(self, goals: list[float]) -> None:
        pass

    def trajectory(self, *, most_used: int = 20) -> dict[str, Any] | None:
        """What the controller did in this match, None if it chooses nothing."""
        controller = self.search.controller if self.search is not None else None
        if not isinstance(controller, Tuner):
            return None
        plain: dict[str, Any] = msgspec.to_builtins(controller.trajectory(most_used=most_used))
        return plain
