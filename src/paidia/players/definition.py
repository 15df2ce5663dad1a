"""What an agent is, as a TOML file says it: a typed, frozen structure; an unknown key is an error."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from paidia.core.errors import BadInput, did_you_mean
from paidia.search.frame.parameters import NAMES, Parameters
from paidia.search.registry import (
    BACKUPS,
    EVALUATIONS,
    FINAL_MOVES,
    PLAYOUTS,
    PRUNINGS,
    REPAIRS,
    ROOTS,
    SEARCHES,
    SELECTIONS,
)
from paidia.search.threads.together import MODES, MOST_THREADS

__all__ = ["PHASES", "AgentDefinition", "SearchDefinition", "change"]

Value = bool | int | float | str

#: phase of the tree search -> its strategies; `root` takes several
PHASES = {
    "selection": SELECTIONS,
    "playout": PLAYOUTS,
    "backup": BACKUPS,
    "final_move": FINAL_MOVES,
    "evaluation": EVALUATIONS,
    "pruning": PRUNINGS,
    "repair": REPAIRS,
    "root": ROOTS,
}


#: Settings of the player around the search.
_OF_THE_PLAYER = ("ponder", "calls", "isolated", "memory_limit", "time_limit")


class SearchDefinition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the tree search of an agent is composed (`search.mcts.Mcts`).

    Attributes:
        selection: Name of the selection strategy.
        playout: Name of the playout strategy.
        backup: Name of the backup strategy.
        final_move: Name of the final-move strategy.
        evaluation: Name of the evaluation strategy; "": goals, or the plain value in video games.
        pruning: Name of the pruning strategy, "" for none.
        repair: Name of the repair strategy, "" for none.
        root: Names of the root strategies.
        tree: "positions" or "sequences"; "": whichever the game and the strategies need.
        expansion: Who tries moves that were never tried: "selection" or "playout".
        growth: Nodes that a simulation adds: "one", or one for every move of the "playout".
        horizon: From where the parameter D counts: the "leaf" of the tree or the "root".
        decisive: Leave out moves that a look of two plies rules out, where the rules are quick to tell.
        use_start: Search in the time before the first move.
        reuse: Keep a tree of positions between moves.
        keep_steps: With `reuse`: drop nodes that were not visited in this many steps.
        max_depth: Longest simulation in joint moves.
        memory: Megabytes that tree and statistics may have; 0 is a share of the machine.
        threads: How many threads search together.
        parallel: How they do: all in one "tree", or each from the "root" in one of its own, which is reproducible; "": in one
            tree where the search allows it (`search.together`).
        options: Options of strategies: by phase (`options.playout.decay = 0.5`), or by the name of a strategy, which counts only
            where it is used (`options.mast.decay = 0.5`).
    """

    selection: str = "ucb1"
    playout: str = "uniform"
    backup: str = "monte-carlo"
    final_move: str = "most-visits"
    evaluation: str = ""
    pruning: str = ""
    repair: str = ""
    root: list[str] = []
    tree: str = ""
    expansion: str = "selection"
    growth: str = "one"
    horizon: str = "leaf"
    decisive: bool = False
    use_start: bool = True
    reuse: bool = True
    keep_steps: int = 2
    max_depth: int = 500
    memory: int = 0
    threads: int = 1
    parallel: str = ""
    options: dict[str, dict[str, Value]] = {}

    def __post_init__(self) -> None:
        if not 1 <= self.max_depth <= 1_000_000:
            raise BadInput(f"max_depth is a number of joint moves from 1 to 1,000,000, not {self.max_depth}")
        if not 0 <= self.memory <= 1_000_000:
            raise BadInput(f"memory is a number of megabytes from 0 to 1,000,000, not {self.memory}")
        if not 1 <= self.threads <= MOST_THREADS:
            raise BadInput(f"threads is a number of threads from 1 to {MOST_THREADS}, not {self.threads}")
        if self.parallel not in MODES:
            raise BadInput(f"parallel is {' or '.join(repr(mode) for mode in MODES if mode)}, not {self.parallel!r}")
        if not 0 <= self.keep_steps <= 1_000_000:
            raise BadInput(f"keep_steps is a number of steps from 0 to 1,000,000, not {self.keep_steps}")

    def strategies(self) -> Iterator[tuple[str, str, dict[str, Value]]]:
        """Phase, name and options of every strategy."""
        for phase in PHASES:
            names = self.root if phase == "root" else [getattr(self, phase)]
            for name in names:
                if name:
                    yield phase, name, {**self.options.get(name, {}), **self.options.get(phase, {})}


class AgentDefinition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One agent.

    Attributes:
        summary: One line for the list of agents.
        world: Where it is at home: "abstract" (boards and GDL), "vgdl" or "any". It plays every world its parts can play.
        paper: Where it comes from, and the tables in which it appears.
        kind: Which kind of player it is (`players.registry.KINDS`).
        ponder: Search also in steps where there is nothing to choose.
        calls: Joint moves that it may play on copies for a move, besides the budget that it is given; 0 for no such limit.
        worlds: How many worlds a player samples that knows a part of the state only; its own number if 0.
        search: How its tree search is composed.
        planner: Another search in the place of the tree search: its name as `kind`, and its settings.
        player: Settings of the kind of player itself, where it has some.
        parameters: Search parameters that differ from the defaults of `search.parameters.Parameters`.
        source: Of kind "python": the file and the name of a subclass of `Player` in it, `mine.py:Greedy`.
        digest: Of kind "python": identity of the file's text.
        isolated: It plays in a process of its own, with limits; whatever happens there is a lost match and nothing else.
        memory_limit: GiB that this process may use.
        time_limit: Seconds that a call may last beyond its clock before the process is ended.
        control: Who sets parameters while it plays: `kind` and the settings of that controller.
        switches: Other names for settings, as a paper calls them: NAME -> the setting, several settings, or for each value the
            settings that it means.
    """

    summary: str
    world: str = "abstract"
    paper: str = ""
    kind: str = "search"
    ponder: bool = False
    calls: int = 0
    worlds: int = 0
    search: SearchDefinition = SearchDefinition()
    planner: dict[str, Any] = {}
    player: dict[str, Any] = {}
    parameters: dict[str, float | str] = {}
    control: dict[str, Any] = {}
    source: str = ""
    digest: str = ""
    isolated: bool = False
    memory_limit: float = 4.0
    time_limit: float = 60.0
    switches: dict[str, str | list[str] | dict[str, dict[str, Value]]] = {}

    def __post_init__(self) -> None:
        if not 0 <= self.calls < 2**63:
            raise BadInput(f"calls is a number of forward-model calls, 0 for no limit, not {self.calls}")
        self.search_parameters()
        if not 0.25 <= self.memory_limit <= 1e6:
            raise BadInput(f"memory_limit is a number of GiB from 0.25 up, not {self.memory_limit:g}")
        if not 0.1 <= self.time_limit <= 1e6:
            raise BadInput(f"time_limit is a number of seconds from 0.1 up, not {self.time_limit:g}")

    def search_parameters(self) -> Parameters:
        """All search parameters: the defaults with the agent's own values."""
        values = {}
        for name, value in self.parameters.items():
            if isinstance(value, str) and value != "inf":
                raise BadInput(f"parameter {name} takes a number or inf, not {value!r}")
            values[name] = float(value) if isinstance(value, str) else value
        return Parameters().replace(**values)


def change(agent: AgentDefinition, key: str, value: Value) -> AgentDefinition:
    """The agent with one setting changed, as `--set KEY=VALUE` does.

    KEY is a switch of the agent (`nbp`), a search parameter (`C`), a part of the search (`reuse`, `playout`, `root.bfti`), an
    option of a strategy (`playout.decay`, `bfti.looks`), a setting of the controller (`control.neighbours`), `ponder`, `calls`,
    or what holds for an agent in a process of its own (`isolated`, `memory_limit`, `time_limit`). Of a planner it is a setting of
    its search or of its controller.
    """
    if key in agent.switches:
        return _switch(agent, key, value)
    table, dot, option = key.partition(".")
    if dot and table == "control":
        return _checked(agent, {"control": {**agent.control, option: value}}, key)
    if dot and table == "player":
        if option not in agent.player:
            hint = did_you_mean(option, agent.player, otherwise=f"known: {', '.join(agent.player) or 'none'}")
            raise BadInput(f"this kind of player has no setting {option!r}; {hint}")
        return _checked(agent, {"player": {**agent.player, option: value}}, key)
    if key in _OF_THE_PLAYER:
        return _checked(agent, {key: value}, key)
    if agent.planner:
        return _change_planner(agent, key, value)
    if key in NAMES:
        return msgspec.structs.replace(agent, parameters={**agent.parameters, key: value})
    if table == "root" and dot:
        others = [name for name in agent.search.root if name != option]
        return _checked(agent, {"search": {"root": [*others, option] if value else others}}, key)
    if dot and (table in PHASES or any(table in registry for registry in PHASES.values())):
        options = {**agent.search.options, table: {**agent.search.options.get(table, {}), option: value}}
        return _checked(agent, {"search": {"options": options}}, key)
    if key in SearchDefinition.__struct_fields__ and key not in ("options", "root"):
        return _checked(agent, {"search": {key: value}}, key)
    known = [*agent.switches, *NAMES, *SearchDefinition.__struct_fields__, *_OF_THE_PLAYER]
    known += [*(f"{phase}.OPTION" for phase in PHASES), "control.SETTING"]
    spelt = [f"{name}.{option}" for name in (*PHASES, "control")] if dot else known
    hint = did_you_mean(key, spelt, otherwise=f"known: {', '.join(known)}", most=1 if dot else 3)
    raise BadInput(f"an agent has no setting {key!r}; {hint}")


def _switch(agent: AgentDefinition, key: str, value: Value) -> AgentDefinition:
    """A name of the agent's own: one setting, several, or what each of its values means."""
    meaning = agent.switches[key]
    if isinstance(meaning, dict):
        word = str(value).lower() if isinstance(value, bool) else str(value)
        if word not in meaning:
            raise BadInput(f"{key} is one of {', '.join(meaning)}, not {word}")
        changes: dict[str, Value] = meaning[word]
    else:
        changes = dict.fromkeys([meaning] if isinstance(meaning, str) else meaning, value)
    for name, new in changes.items():
        agent = change(agent, name, new)
    return agent


def _change_planner(agent: AgentDefinition, key: str, value: Value) -> AgentDefinition:
    kind = SEARCHES[str(agent.planner.get("kind"))]
    if key not in kind.Settings.__struct_fields__:
        known = [*kind.Settings.__struct_fields__, "control.SETTING", *_OF_THE_PLAYER]
        hint = did_you_mean(key, known, otherwise=f"known: {', '.join(known)}")
        raise BadInput(f"an agent that searches by {agent.planner['kind']!r} has no setting {key!r}; {hint}")
    return msgspec.structs.replace(agent, planner={**agent.planner, key: value})


def _checked(agent: AgentDefinition, changes: dict[str, Any], key: str) -> AgentDefinition:
    """Apply changes with the same type checks as a file would get."""
    plain = msgspec.to_builtins(agent)
    for name, value in changes.items():
        plain[name] = {**plain[name], **value} if name == "search" else value
    try:
        return msgspec.convert(plain, AgentDefinition)
    except msgspec.ValidationError as error:
        raise BadInput(f"setting {key!r}: {error}") from None
