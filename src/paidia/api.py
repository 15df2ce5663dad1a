"""What `import paidia` offers: load a game, name an agent, play, search, run a plan, report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from paidia.core.arcade import ArcadeGame
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.core.game import Game
from paidia.core.model import Rules, Situation
from paidia.core.player import Player
from paidia.games import load as load_game
from paidia.match.clocks import clocks_for
from paidia.match.details import Notebook
from paidia.match.referee import play_match
from paidia.match.result import MatchResult
from paidia.players.build import search_for
from paidia.players.definition import AgentDefinition, Value, change
from paidia.players.registry import load_agent, player_of
from paidia.search.frame.result import SearchResult

__all__ = ["Agent", "agent", "load", "play", "report", "run", "search"]


def load(spec: str, *, level: int | str | None = None) -> Game | ArcadeGame:
    """The game that `spec` names.

    Args:
        spec: An id of `paidia games` (`connect4`, `breakthrough@6x5`, `gdl:checkers`, `vgdl:museum`), or the path of a rule file.
        level: Of a video game: its number, or the path of a level file.
    """
    return load_game(spec, level=None if level is None else str(level))


class Agent(msgspec.Struct, frozen=True):
    """An agent with its settings; it can be made to play any number of matches."""

    name: str
    definition: AgentDefinition

    def player(self) -> Player:
        """A fresh player."""
        return player_of(self.definition, self.name)


def agent(id: str, /, **settings: Value) -> Agent:
    """An agent by its id of `paidia agents`, or by the path of its TOML file, with some settings changed.

    `agent("grave", C=0.3, **{"playout.decay": 0.5})` is what `--set C=0.3 --set playout.decay=0.5` is on the command line.
    """
    definition = load_agent(id)
    for key, value in settings.items():
        definition = change(definition, key, value)
    return Agent(id, definition)


def _budget(sims: int | None, time: float | None) -> Budget | None:
    if sims is not None and time is not None:
        raise BadInput("give either sims or time, not both")
    if sims is None and time is None:
        return None
    return Budget(simulations=sims or 0, seconds=time or 0.0)


def _agent(who: str | Agent) -> Agent:
    return agent(who) if isinstance(who, str) else who


def play(
    game: str | Rules,
    agents: str | Agent | Player | Sequence[str | Agent | Player],
    *,
    sims: int | None = None,
    time: float | None = None,
    start_time: float | None = None,
    seed: int = 0,
    max_steps: int = 100_000,
) -> MatchResult:
    """Play one match.

    Args:
        game: A game, or what `load` takes.
        agents: One for each role: an id, an `Agent`, or a player of your own.
        sims: Simulations per move: reproducible.
        time: Seconds per move, or per tick of a video game.
        start_time: Seconds before the first move; 0, or 1 in a video game, if not given.
        seed: Same seed and simulations, same match.
        max_steps: A match that lasts longer is stopped.
    """
    rules = load(game) if isinstance(game, str) else game
    seats = [agents] if isinstance(agents, str | Agent | Player) else list(agents)
    players = [seat if isinstance(seat, Player) else _agent(seat).player() for seat in seats]
    clocks = clocks_for(rules, _budget(sims, time), start=None if start_time is None else (start_time,))
    notebook = Notebook(rules.n_roles)
    result = play_match(rules, players, seed=seed, clocks=clocks, max_steps=max_steps, thoughts=notebook.think)
    return notebook.complete(result, players, clocks, max_steps=max_steps)


def search(
    state: Situation,
    who: str | Agent,
    *,
    sims: int | None = None,
    time: float | None = None,
    role: int | None = None,
    seed: int = 0,
    threads: int | None = None,
) -> SearchResult:
    """Search from a state as an agent does; the state is not changed.

    Args:
        state: Where to search from.
        who: The agent.
        sims: Simulations: reproducible.
        time: Seconds.
        role: Whose move is wanted; the role to move if left out.
        seed: Same seed and simulations, same result.
        threads: Threads that search together, if not as many as the agent says; the result is the same for the same seed with one
            alone, and with `agent(ID, parallel="root")`.
    """
    budget = _budget(sims, time)
    if budget is None:
        raise BadInput("a search needs a budget: give sims or time")
    definition = _agent(who).definition
    changed = definition if threads is None else change(definition, "threads", threads)
    found = search_for(changed, state.game, _agent(who).name)
    found.begin_game(seed)
    seat = role if role is not None else state.mover or 0
    result = found.search(state, budget, role=seat)
    names = {row.move: state.game.move_name(seat, row.move) for row in result.moves}
    return msgspec.structs.replace(result, notes={"names": names, **result.notes})


def run(plan: str | Path, *, store: str | Path | None = None, workers: int | None = None) -> Path:
    """Run a plan (a TOML file), or the part of it that its store does not yet have; returns the store."""
    from paidia.experiment.run.file import run_file

    return run_file(Path(plan), store=Path(store) if store is not None else None, workers=workers).store


def report(store: str | Path) -> list[dict[str, object]]:
    """The results of a store, a row for each pairing, as plain data: what tables and data frames are made of."""
    from paidia.experiment.store.store import Store
    from paidia.report.summary import group_cells, summarise

    with Store(Path(store)) as results:
        rows: list[dict[str, object]] = msgspec.to_builtins(group_cells(summarise(results)))
    return rows
