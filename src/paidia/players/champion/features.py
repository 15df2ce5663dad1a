"""A look at a game before it is played: how many roles, who acts when, chance, and what a few random games are like.

Length, branching and goals mean what they mean in `paidia describe`, which plays many more games: joint moves of a uniformly
random game from the start, legal moves where a role has a choice (roles with exactly one move included, as there), and the mean
goal of each role.
"""

from __future__ import annotations

import random
from typing import Any

import msgspec

from paidia.core.arcade import ArcadeState
from paidia.core.model import Situation
from paidia.players.champion.meter import Meter
from paidia.search.root.determinism import detect

__all__ = ["Features", "goals_of", "look"]

#: Random games at most, and joint moves of one of them.
GAMES, LONGEST = 40, 500


class Features(msgspec.Struct, frozen=True):
    """What is known of a game.

    Attributes:
        roles: How many.
        video: It has a score without bounds, and a clock that ticks.
        together: Several roles had a choice at the same time in some random game.
        deterministic: Equal moves lead to equal states, as far as was tried.
        games: Random games that these numbers rest on.
        length: Mean number of joint moves; a game longer than the limit counts with that.
        branching: Mean number of legal moves where a role acts.
        goals: Mean goal of each role; of a video game the share of wins.
        ended: Share of the random games that ended by the rules before the limit.
    """

    roles: int
    video: bool
    together: bool
    deterministic: bool
    games: int
    length: float
    branching: float
    goals: list[float]
    ended: float

    def words(self) -> str:
        """In a sentence."""
        kind = "video game" if self.video else "puzzle" if self.roles == 1 else f"game of {self.roles} roles"
        moves = ", all at once" if self.together else ", in turn" if self.roles > 1 else ""
        chance = "deterministic" if self.deterministic else "with chance"
        goals = " ".join(f"{goal:.2f}" for goal in self.goals)
        return (
            f"{kind}{moves}, {chance}; {self.games} random games: {self.length:.0f} moves, branching {self.branching:.1f}, "
            f"goals {goals}"
        )


def look(state: Situation, meter: Meter, seed: int, *, games: int = GAMES, longest: int = LONGEST) -> Features:
    """Play random games from a state, as many as the meter has room for; one at least, which the clock may cut short."""
    rules = state.game
    source = random.Random(seed)
    deterministic = not rules.chance
    if isinstance(state, ArcadeState) and rules.chance and rules.n_roles == 1:
        deterministic = detect(state.clone(), seed=source.getrandbits(63))
    together = False
    played = ended = steps = choices = legal = 0
    goals = [0.0] * rules.n_roles
    while played < games and (played == 0 or not meter.empty):
        here = state.clone()
        if rules.chance:
            here.seed(source.getrandbits(63))
        length = 0
        while not here.terminal and length < longest and (meter.counted or not meter.empty):
            moves = [here.legal(role) for role in range(rules.n_roles)]
            acting = [own for own in moves if own]
            together = together or sum(len(own) > 1 for own in moves) > 1
            choices += len(acting)
            legal += sum(map(len, acting))
            joint: list[Any] = [source.choice(own) if own else None for own in moves]
            here.play(joint)
            length += 1
        played += 1
        meter.count(1)
        steps += length
        ended += here.terminal
        for role, goal in enumerate(goals_of(here)):
            goals[role] += goal
    return Features(
        roles=rules.n_roles,
        video=isinstance(state, ArcadeState),
        together=together,
        deterministic=deterministic,
        games=played,
        length=steps / played,
        branching=legal / max(1, choices),
        goals=[goal / played for goal in goals],
        ended=ended / played,
    )


def goals_of(state: Situation) -> list[float]:
    """The goal of each role; in a video game 1 for who has won."""
    if isinstance(state, ArcadeState):
        return [float(winner == 1) for winner in state.winners]
    return [float(value) for value in state.values]
