"""What an agent is, as a TOML file says it: a typed, frozen structure; an unknown key is an error."""

from __future__ import annotations

from typing import Any

import msgspec

from paidia.core.errors import BadInput, did_you_mean
from paidia.search.parameters import NAMES, Parameters

__all__ = ["AgentDefinition", "SearchDefinition", "change"]

Value = bool | int | float | str


class SearchDefinition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the search of an agent is composed.

    Attributes:
        selection: Name of the selection strategy.
        playout: Name of the playout strategy.
        backup: Name of the backup strategy.
        final_move: Name of the final-move strategy.
        reuse: Keep the tree between moves.
        keep_steps: With `reuse`: drop nodes that were not visited in this many steps.
        max_depth: Longest simulation in joint moves.
        options: Options of each phase's strategy, e.g. `options.playout.decay = 0.5`.
    """

    selection: str = "ucb1"
    playout: str = "uniform"
    backup: str = "monte-carlo"
    final_move: str = "most-visits"
    reuse: bool = True
    keep_steps: int = 2
    max_depth: int = 500
    options: dict[str, dict[str, Value]] = {}

    def __post_init__(self) -> None:
        if not 1 <= self.max_depth <= 1_000_000:
            raise BadInput(f"max_depth is a number of joint moves from 1 to 1,000,000, not {self.max_depth}")
        if not 0 <= self.keep_steps <= 1_000_000:
            raise BadInput(f"keep_steps is a number of steps from 0 to 1,000,000, not {self.keep_steps}")


class AgentDefinition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One agent.

    Attributes:
        summary: One line for the list of agents.
        world: Which games it plays: "abstract" (boards and GDL), "vgdl" or "any".
        paper: Where it comes from, and the tables in which it appears.
        kind: Which kind of player it is (`players.registry.KINDS`).
        ponder: Search also in steps where there is nothing to choose.
        search: How its search is composed.
        parameters: Search parameters that differ from the defaults of `search.parameters.Parameters`.
        control: Who sets parameters while it plays: `kind` and the settings of that controller.
        arcade: Of a player of video games (kind "arcade"): its `search` and the settings of that search.
    """

    summary: str
    world: str = "abstract"
    paper: str = ""
    kind: str = "mcts"
    ponder: bool = False
    search: SearchDefinition = SearchDefinition()
    parameters: dict[str, float | str] = {}
    control: dict[str, Any] = {}
    arcade: dict[str, Any] = {}

    def __post_init__(self) -> None:
        if self.kind == "mcts":
            self.search_parameters()

    def search_parameters(self) -> Parameters:
        """All search parameters: the defaults with the agent's own values."""
        values = {}
        for name, value in self.parameters.items():
            if isinstance(value, str) and value != "inf":
                raise BadInput(f"parameter {name} takes a number or inf, not {value!r}")
            values[name] = float(value) if isinstance(value, str) else value
        return Parameters().replace(**values)


PHASES = ("selection", "playout", "backup", "final_move")


def change(agent: AgentDefinition, key: str, value: Value) -> AgentDefinition:
    """The agent with one setting changed, as `--set KEY=VALUE` does.

    KEY is a search parameter (`C`), a part of the search (`reuse`, `playout`), an option of a phase's strategy
    (`playout.decay`), a setting of the controller (`control.neighbours`), or `ponder`. Of a player of video games it is a
    setting of its search or of its controller.
    """
    if agent.kind == "arcade":
        return _change_arcade(agent, key, value)
    if key in NAMES:
        return msgspec.structs.replace(agent, parameters={**agent.parameters, key: value})
    phase, dot, option = key.partition(".")
    if dot and phase in PHASES:
        options = {**agent.search.options, phase: {**agent.search.options.get(phase, {}), option: value}}
        return _checked(agent, {"search": {"options": options}}, key)
    if dot and phase == "control":
        return _checked(agent, {"control": {**agent.control, option: value}}, key)
    if key in SearchDefinition.__struct_fields__ and key != "options":
        return _checked(agent, {"search": {key: value}}, key)
    if key == "ponder":
        return _checked(agent, {"ponder": value}, key)
    known = [*NAMES, *SearchDefinition.__struct_fields__, "ponder", *(f"{p}.OPTION" for p in PHASES), "control.SETTING"]
    known.remove("options")
    spelt = [f"{name}.{option}" for name in (*PHASES, "control")] if dot else known
    hint = did_you_mean(key, spelt, otherwise=f"known: {', '.join(known)}", most=1 if dot else 3)
    raise BadInput(f"an agent has no setting {key!r}; {hint}")


def _change_arcade(agent: AgentDefinition, key: str, value: Value) -> AgentDefinition:
    """Which settings the search has, it knows itself: a wrong one is told when the player is made."""
    table, dot, option = key.partition(".")
    if not dot:
        return msgspec.structs.replace(agent, arcade={**agent.arcade, key: value})
    if table == "control":
        return msgspec.structs.replace(agent, control={**agent.control, option: value})
    raise BadInput(f"a player of video games has no setting {key!r}; known: settings of its search, control.SETTING")


def _checked(agent: AgentDefinition, changes: dict[str, Any], key: str) -> AgentDefinition:
    """Apply changes with the same type checks as a file would get."""
    plain = msgspec.to_builtins(agent)
    for name, value in changes.items():
        plain[name] = {**plain[name], **value} if name == "search" else value
    try:
        return msgspec.convert(plain, AgentDefinition)
    except msgspec.ValidationError as error:
        raise BadInput(f"setting {key!r}: {error}") from None
