"""`check_search`: what every search must obey, whatever it thinks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from paidia.core.arcade import ArcadeGame
from paidia.core.budget import Budget
from paidia.core.game import Game
from paidia.core.model import Rules, Situation
from paidia.games import load_as
from paidia.search.frame.search import Search

__all__ = ["check_search"]


def check_search(
    make: Callable[[Rules], Search], *, games: Sequence[Rules] | None = None, simulations: int = 60, steps: int = 4, seed: int = 1
) -> None:
    """Check a search; what breaks the contract raises an AssertionError that says what and where.

    Args:
        make: The class of the search, or a function that makes one for a game.
        games: What to search; a video game and a puzzle if left out. Games that it cannot play are left out.
        simulations: Of each search.
        steps: Moves that are played in each game.
        seed: Of the searches.
    """
    chosen = games or [load_as(ArcadeGame, "vgdl:museum"), load_as(Game, "gdl:eight-puzzle"), load_as(Game, "tic-tac-toe")]
    able = [game for game in chosen if not _cannot(make, game)]
    assert able, "it can play none of these games: " + ", ".join(game.id for game in chosen)
    for game in able:
        first = _moves(make(game), game, simulations, steps, seed)
        assert first == _moves(make(game), game, simulations, steps, seed), f"{game.id}: the same seed gave other moves"
        search = make(game)
        _moves(search, game, simulations, 2, seed + 1)
        assert first == _moves(search, game, simulations, steps, seed), f"{game.id}: it remembers an earlier game"


def _cannot(make: Callable[[Rules], Search], game: Rules) -> str:
    reason = getattr(make, "cannot_play", None)
    return str(reason(game)) if reason is not None else ""


def _moves(search: Search, game: Rules, simulations: int, steps: int, seed: int) -> list[int | None]:
    """What it plays from the start of a game."""
    search.begin_game(seed)
    state: Situation = game.initial_state()
    budget = Budget(simulations=simulations)
    search.think_ahead(state, budget)
    played: list[int | None] = []
    for step in range(steps):
        if state.terminal:
            break
        key, role = state.key, state.mover or 0
        result = search.search(state, budget, role=role, step=step)
        where = f"{game.id}, step {step}"
        assert state.key == key, f"{where}: it changed the state that it was given"
        assert 0 < result.simulations <= simulations, f"{where}: {result.simulations} simulations of {simulations}"
        legal = state.legal(role)
        waits = result.move is None and (game.chance or len(legal) <= 1)
        assert waits or result.move in [*legal, *([0] if game.chance else [])], f"{where}: {result.move!r} is not legal"
        played.append(result.move)
        state.play([result.move if seat == role else None for seat in range(game.n_roles)])
    return played
