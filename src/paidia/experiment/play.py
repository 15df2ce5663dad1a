"""One match of a cell, from its place to the row that is kept of it, in every world."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import lru_cache

import msgspec

from paidia.core.model import Rules, Situation
from paidia.experiment.cells import Cell, Contender
from paidia.experiment.metrics import PlayedMatch
from paidia.experiment.row import Row
from paidia.experiment.trajectories import condense
from paidia.games import load, worlds
from paidia.match.clocks import Clocks, clocks_for
from paidia.match.details import Notebook
from paidia.match.record import MatchRecord
from paidia.match.referee import play_match
from paidia.match.result import MatchResult
from paidia.players.agent_player import AgentPlayer
from paidia.players.registry import KINDS, player_of

__all__ = ["cell_clocks", "cell_game", "play", "play_until", "record", "warm_up"]


def play(cell: Cell, pair: int, seat: int) -> Row:
    """Play the match at one place of a cell, with fresh players: nothing learned in an earlier match may reach a later one."""
    game, players, clocks = _seated(cell, seat)
    seed, assignment = cell.match_seed(pair), cell.seats[seat]
    began = time.perf_counter()
    result = play_match(game, players, seed=seed, clocks=clocks, max_steps=cell.max_steps)
    played = PlayedMatch(result, assignment, clocks.move_clock, time.perf_counter() - began)
    first = [assignment.index(side) for side in range(len(cell.contenders))]  # a contender tells of its first role
    return Row.of(seed, played, [condense(players[role], role) for role in first])


def play_until(cell: Cell, pair: int, seat: int, steps: int) -> tuple[MatchResult, Situation | None]:
    """The same match for so many joint moves at most, and where it stands then; None if nobody has moved."""
    game, players, clocks = _seated(cell, seat)
    last: list[Situation] = []

    def watch(state: Situation, step: int, joint: Sequence[int | None]) -> None:
        last[:] = [state]

    result = play_match(game, players, seed=cell.match_seed(pair), clocks=clocks, max_steps=steps, watch=watch)
    return result, last[0] if last else None


def record(cell: Cell, pair: int, seat: int) -> MatchRecord:
    """The same match as a record with all that is needed to repeat it (`paidia play --repeat`); it is played for that."""
    game, players, clocks = _seated(cell, seat)
    notebook = Notebook(game.n_roles)
    result = play_match(
        game, players, seed=cell.match_seed(pair), clocks=clocks, max_steps=cell.max_steps, thoughts=notebook.think
    )
    return notebook.complete(result, players, clocks, max_steps=cell.max_steps).record


def _seated(cell: Cell, seat: int) -> tuple[Rules, list[AgentPlayer], Clocks]:
    """The game, a fresh player for each role and their clocks."""
    game = cell_game(cell)
    contenders = [cell.contenders[side] for side in cell.seats[seat]]
    return game, [player_of(each.definition, each.name) for each in contenders], cell_clocks(cell, game, contenders)


def cell_game(cell: Cell) -> Rules:
    """The game of a cell: read once, whatever happens to its files during a run."""
    return _game(cell.game, cell.level)


@lru_cache(maxsize=512)
def _game(spec: str, level: str | None) -> Rules:
    return load(spec, level=level)


def cell_clocks(cell: Cell, game: Rules, contenders: Sequence[Contender]) -> Clocks:
    """The clocks of a match, with a contender for each role."""
    budgets = [contender.budget for contender in contenders]
    clocks = clocks_for(game, *budgets, start=[c.start_time for c in contenders], disqualify=cell.disqualify)
    return msgspec.structs.replace(clocks, start_moves=cell.start_moves) if cell.start_moves else clocks


def warm_up() -> None:
    """Import what matches need: that takes a second, which is none of the first match."""
    worlds()
    list(KINDS)
