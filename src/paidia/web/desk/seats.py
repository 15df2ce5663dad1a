"""Who sits at a table, and how an agent's answer is told to the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from paidia.control.tuner import Tuner
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.core.model import Rules, Situation
from paidia.core.player import Decision, Player
from paidia.core.text import printable
from paidia.match.clocks import clocks_for
from paidia.players.definition import AgentDefinition, change
from paidia.players.foreign import foreign_code
from paidia.players.registry import load_agent, parse_settings, player_of
from paidia.players.search_player import SearchPlayer

__all__ = ["HUMAN", "Seat", "read_agent", "read_budget", "tuner_story"]

HUMAN = "human"
MOST_SIMULATIONS = 100_000_000
MOST_SECONDS = 600.0


def read_agent(plain: dict[str, Any]) -> tuple[str, AgentDefinition]:
    """An agent as the page names it: an id with settings, or a whole definition. Files are not read here."""
    name = str(plain.get("agent", ""))
    if isinstance(plain.get("definition"), dict):
        try:
            definition = msgspec.convert({"summary": name, **plain["definition"]}, AgentDefinition)
        except msgspec.ValidationError as error:
            raise BadInput(f"not an agent: {error}") from None
    elif name.endswith(".toml"):
        raise BadInput("the page takes agents by id; paste the settings of your own one instead")
    else:
        definition = load_agent(name)
    settings = [line.strip() for line in str(plain.get("settings", "")).replace("\n", ",").split(",") if line.strip()]
    for key, value in parse_settings(settings).items():
        definition = change(definition, key, value)
    if code := foreign_code(definition):  # a page, a link or a record of somebody may have put it there
        raise BadInput(f"the page runs no code of others ({printable(', '.join(code))}); `paidia play` does")
    return name, definition


def read_budget(plain: dict[str, Any]) -> Budget | None:
    """`{"sims": N}` or `{"time": SECONDS}`."""
    sims, seconds = plain.get("sims") or 0, plain.get("time") or 0.0
    if not isinstance(sims, int) or not isinstance(seconds, int | float):
        raise BadInput("simulations and seconds are numbers")
    if sims > MOST_SIMULATIONS or seconds > MOST_SECONDS:
        raise BadInput(f"at most {MOST_SIMULATIONS:,} simulations or {MOST_SECONDS:g} seconds for a move")
    return Budget(simulations=sims, seconds=float(seconds)) if sims or seconds else None


class Seat:
    """One role's player: an agent, or a person (`player` is None)."""

    def __init__(self, plain: dict[str, Any]) -> None:
        self.plain = plain
        self.name = str(plain.get("agent", HUMAN))
        self.human = self.name == HUMAN
        self.budget = read_budget(plain)
        self.definition: AgentDefinition | None = None
        self.shadow = bool(plain.get("shadow"))
        if not self.human:
            self.name, self.definition = read_agent(plain)
        self.player: Player | None = None
        self.fixed: Player | None = None  # the same agent whose parameters nobody changes

    @property
    def ponders(self) -> bool:
        """Whether its agent searches in steps without a choice, too."""
        return self.definition is not None and self.definition.ponder

    def sit(self, game: Rules, role: int, state: Situation, seed: int, *, first: bool, ponders: Sequence[bool] = ()) -> None:
        """Begin a match, or go on in the middle of one; `ponders` says of all seats who does."""
        if self.definition is None:
            return
        self.role, self.clocks = role, clocks_for(game, self.budget).seated(ponders)
        self.player = self._begun(self.definition, game, role, state, seed, first)
        self.fixed = None
        if self.shadow and self.definition.control:
            fixed = msgspec.structs.replace(self.definition, control={})
            self.fixed = self._begun(fixed, game, role, state, seed, first)

    def _begun(self, definition: AgentDefinition, game: Rules, role: int, state: Situation, seed: int, first: bool) -> Player:
        player = player_of(definition, self.name)
        reason = player.cannot_play(game, self.budget)
        if reason is not None:
            raise BadInput(f"agent {self.name} {reason}")
        start = self.clocks.start_budget(0) if first else None
        player.begin(game, role, state=state.clone(), seed=seed, budget=start)
        return player

    def act(self, view: Situation, step: int) -> Decision:
        """What the agent decides."""
        assert self.player is not None
        choice = len(view.legal(self.role)) > 1 or view.game.chance
        budget = self.clocks.ask_budget(0, choice=choice, ponders=self.ponders)
        return self.player.act(view, step=step, budget=budget)

    @property
    def search(self) -> Any:
        """Its search, if it has one."""
        return self.player.search if isinstance(self.player, SearchPlayer) else None


def tuner_story(seat: Seat, role: int) -> dict[str, Any] | None:
    """What the on-line tuner of a seat did so far: shares of each value, turn by turn, and what it believes now."""
    search = seat.search
    if search is None or not isinstance(search.controller, Tuner):
        return None
    story = search.controller.trajectory(most_used=5)
    own = next((part for part in story.roles if part.role == role), None)
    if own is None:
        return None
    return {
        "controller": story.controller,
        "parameters": msgspec.to_builtins(story.parameters),
        "turns": [{"turn": turn.turn, "shares": turn.shares(), "best": turn.best} for turn in own.turns[-400:]],
        "most_used": msgspec.to_builtins(own.most_used),
    }
