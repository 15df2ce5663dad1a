"""A player that searches, as its definition says: in boards, GDL and video games alike."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from paidia.control.tuner import Tuner
from paidia.control.tuners.fixed import Fixed
from paidia.control.tuners.lsi import Lsi, expected_simulations
from paidia.core.budget import Budget
from paidia.core.errors import BadInput, PaidiaError
from paidia.core.game import State
from paidia.core.machine.alarm import Alarm
from paidia.core.model import Rules, Situation
from paidia.core.player import Decision
from paidia.players.agent_player import AgentPlayer
from paidia.players.build import build_search, check_definition
from paidia.players.definition import AgentDefinition
from paidia.players.learned_policy import learned_weights
from paidia.players.registry import KINDS
from paidia.search.frame.result import SearchResult
from paidia.search.frame.search import Search
from paidia.search.mcts import Mcts
from paidia.search.playout.ppa import Ppa

__all__ = ["SearchPlayer"]


@KINDS.register("search")
class SearchPlayer(AgentPlayer):
    """One search that lives through a match."""

    searches = own_search = True

    def __init__(self, name: str, definition: AgentDefinition) -> None:
        super().__init__(name, definition)
        try:  # a wrong name or option is told here, not in the middle of a match
            check_definition(definition)
        except PaidiaError as error:
            raise BadInput(f"agent {name}: {error}") from None
        self.search: Search | None = None
        self._alarm = Alarm()

    def cannot_play(self, game: Rules, budget: Budget | None) -> str | None:
        """See `Player`."""
        reason = super().cannot_play(game, budget)
        if reason is None and (self.search is None or self.search.game is not game):
            try:
                self.search = build_search(self.definition, game)
            except BadInput as error:
                reason = f"cannot play {game.id}: {error}"
        return reason

    def begin(self, game: Rules, role: int, *, state: Situation, seed: int, budget: Budget | None) -> None:
        """See `Player`."""
        if self.search is None or self.search.game is not game:
            self.search = build_search(self.definition, game)
        self.search.begin_game(seed)
        self._role = role
        self._announced = False
        with self._clock(budget):
            self._prepared = self.search.think_ahead(state, budget, role=role) if budget is not None else None

    def act(self, state: Situation, *, step: int, budget: Budget | None) -> Decision:
        """See `Player`."""
        assert self.search is not None, "begin() comes first"
        if budget is None:
            legal = state.legal(self._role)
            assert len(legal) <= 1, "a search needs a budget"
            return Decision(move=legal[0] if legal else None)
        if self._prepared is not None:
            self._announce(self._prepared, 0, budget)
        self._recall_policy(state, step)
        if self.definition.calls:
            budget = msgspec.structs.replace(budget, calls=self.definition.calls)
        with self._clock(budget):
            result = self.search.search(state, budget, role=self._role, step=step)
        self._announce(result, step, budget)
        value = next((row.mean for row in result.moves if row.move == result.move), None)
        if value is not None and not (state.game.bounded and 0.0 <= value <= 1.0):
            value = None  # scores are no estimate of a goal, nor is how planners put an end before and behind all others
        notes = {"depth": result.depth, "nodes": result.nodes, "steps": result.steps, "moves": self._rows(result), **result.notes}
        if "parameters" in notes:
            own = self._own_parameters()
            notes["parameters"] = {name: value for name, value in notes["parameters"].items() if name in own}
        return Decision(move=result.move, simulations=result.simulations, value=value, notes=notes)

    def _clock(self, budget: Budget | None) -> Alarm:
        """What ends a simulation of a slow game when time is up; fast ones end by themselves."""
        seconds = budget.seconds if budget is not None and not budget.simulations else 0.0
        self._alarm = Alarm(seconds=seconds)
        return self._alarm

    def stop(self) -> None:
        """See `Player`."""
        self._alarm.ring()
        if self.search is not None:
            self.search.stop()

    def _rows(self, result: SearchResult) -> list[dict[str, Any]]:
        assert self.search is not None
        names = (self.search.game.move_name(self._role, row.move) for row in result.moves)
        return [{**msgspec.to_builtins(row), "move": name} for name, row in zip(names, result.moves, strict=True)]

    def _own_parameters(self) -> set[str]:
        """The search parameters that the agent sets or lets a controller set; all others have their defaults."""
        controller = self.search.controller if self.search is not None else None
        controlled: Iterable[str] = ()
        if isinstance(controller, Tuner):
            controlled = controller.combinations.space.names
        elif isinstance(controller, Fixed):
            controlled = controller.settings.values
        return {*self.definition.parameters, *controlled}

    def _recall_policy(self, state: Situation, step: int) -> None:
        """A playout policy that is learned beforehand is there for the first two moves of a game."""
        for member in _members(self.search):
            playout = member.playout if isinstance(member, Mcts) else None
            if isinstance(playout, Ppa) and playout.learned and step < 2 and isinstance(state, State):
                playout.set_weights(learned_weights(self.definition, state, playout.learned))

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
        members = _members(self.search)
        expected = expected_simulations(speed / len(members), clock, length, factor=controller.settings.factor)
        for member in members:
            member.controller.expect(expected)  # type: ignore[attr-defined]

    def trajectory(self, *, most_used: int = 20) -> dict[str, Any] | None:
        """What the controller did in this match, None if it chooses nothing."""
        controller = self.search.controller if self.search is not None else None
        if not isinstance(controller, Tuner):
            return None
        plain: dict[str, Any] = msgspec.to_builtins(controller.trajectory(most_used=most_used))
        return plain


def _members(search: Search | None) -> list[Search]:
    """A search and those that help it in threads of their own."""
    return [] if search is None else [search, *search.helpers] if isinstance(search, Mcts) else [search]
