"""`check_arcade_game`: what every video game must obey, whatever it is about."""

from __future__ import annotations

import random

from paidia.core.arcade import ACTIONS, ArcadeGame, ArcadeState

__all__ = ["check_arcade_game"]


def check_arcade_game(game: ArcadeGame, *, games: int = 5, ticks: int = 60, seed: int = 1) -> None:
    """Check a video game by random play; what breaks the contract raises an AssertionError that says what and where.

    Args:
        game: Rules and level.
        games: How many are played.
        ticks: At most so long each.
        seed: Of the actions.
    """
    assert game.roles == ("avatar",) and game.n_moves == len(ACTIONS), f"{game.id}: a video game has one role and six actions"
    assert game.chance and not game.bounded, f"{game.id}: its states have a generator, its scores no bounds"
    draws = random.Random(seed)
    for number in range(games):
        state = game.initial_state(number)
        other = state.clone()
        for tick in range(ticks):
            _look(game, state, f"{game.id}, game {number}, tick {tick}")
            if state.terminal:
                break
            action = draws.choice([*state.actions, "NIL"])
            before = state.clone()
            state.play(action)
            other.play(action)
            assert (state.key, state.score) == (other.key, other.score), (
                f"{game.id}, game {number}, tick {tick}: two states with the same generator went apart after {action}"
            )
            before.copy_from(state)
            assert before.key == state.key, f"{game.id}, game {number}, tick {tick}: a copy has another key"


def _look(game: ArcadeGame, state: ArcadeState, where: str) -> None:
    actions = state.actions
    assert "NIL" not in actions and len(set(actions)) == len(actions), f"{where}: actions are listed once each, NIL is not"
    assert not (state.terminal and actions), f"{where}: the game is over, and there are actions"
    assert (state.winner == -1) == (not state.terminal), f"{where}: who won is known exactly when the game is over"
    for category, type, _, x, y in state.seen():
        assert 0 <= category < 7 and 0 <= type < len(game.types), f"{where}: a sprite of category {category} and type {type}"
        assert -game.block < x <= game.width * game.block * 2 and -game.block < y <= game.height * game.block * 2, (
            f"{where}: a sprite of type {game.types[type]} at {x}, {y}"
        )
