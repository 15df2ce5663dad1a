"""A player of games that hide something: it samples what may be the case, searches each as if it were known, and votes.

Perfect-information Monte-Carlo: particles are states that fit all that the player has seen. After each step every particle moves
on, with the player's own move and uniformly random ones of all others, and stays if the player would have seen the same. For a
move, `worlds` of them are drawn; the budget is divided among those that differ, each is searched with everything in sight, and
the move with the highest mean value over all worlds is played, ties at random.

Ginsberg 2001 (GIB); for GDL-II Schofield, Cerexhe and Thielscher 2012 (HyperPlay). It has their known weakness: it believes that
it will know everything later, so it never pays for information, and opponents are taken to move at random
(docs/readings.md#hidden).
"""

from __future__ import annotations

import random
from typing import cast

from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.core.hidden import Glimpse, HiddenSituation, hides
from paidia.core.model import Rules, Situation
from paidia.core.player import Decision
from paidia.players.build import build_search
from paidia.players.registry import KINDS
from paidia.players.search_player import SearchPlayer
from paidia.search.frame.result import SearchResult

__all__ = ["PimcPlayer"]

PARTICLES = 200
TRIES = 40  # for each particle that is wanted
WORLDS = 20


@KINDS.register("pimc")
class PimcPlayer(SearchPlayer):
    """Samples worlds; in games that hide nothing it is the search alone."""

    partial_information = True

    def begin(self, game: Rules, role: int, *, state: Situation, seed: int, budget: Budget | None) -> None:
        """See `Player`."""
        if not hides(game):
            super().begin(game, role, state=state, seed=seed, budget=budget)
            return
        if self.search is None or self.search.game is not game:
            self.search = build_search(self.definition, game)
        self._role, self._random = role, random.Random(seed)
        self.particles: list[Situation] = [game.initial_state()]
        self._done = 0  # steps that the particles have gone

    def act(self, state: Situation, *, step: int, budget: Budget | None) -> Decision:
        """See `Player`."""
        assert self.search is not None, "begin() comes first"
        if not hides(self.search.game):
            return super().act(state, step=step, budget=budget)
        glimpse = cast(Glimpse, state)
        for number in range(self._done, len(glimpse.percepts)):
            self._advance(glimpse, number)
        self._done = len(glimpse.percepts)
        legal = glimpse.legal(self._role)
        if len(legal) <= 1:
            return Decision(move=legal[0] if legal else None)
        assert budget is not None, "a search needs a budget"
        return self._vote(legal, budget)

    def _advance(self, glimpse: Glimpse, number: int) -> None:
        """Move the particles on by one step; if none is left, start again from the beginning of the match."""
        found: list[Situation] = []
        for _ in range(TRIES if self.particles else 0):
            found += self._moved(glimpse, number, self._random.choices(self.particles, k=PARTICLES))
            if len(found) >= PARTICLES:
                break
        if not found:
            found = [glimpse.game.initial_state()]
            for past in range(number + 1):
                found = self._moved(glimpse, past, self._random.choices(found, k=TRIES * PARTICLES)) if found else []
        self.particles = found[:PARTICLES]

    def _moved(self, glimpse: Glimpse, number: int, particles: list[Situation]) -> list[Situation]:
        """Those of the particles, one step on, in which the player would have seen what it saw."""
        kept = []
        own, seen = glimpse.moves[number], list(glimpse.percepts[number])
        for particle in particles:
            if particle.terminal or (own is not None and own not in particle.legal(self._role)):
                continue
            joint = []
            for role in range(glimpse.game.n_roles):
                moves = particle.legal(role)
                joint.append(own if role == self._role else self._random.choice(moves) if moves else None)
            after = particle.clone()
            after.seed(self._random.getrandbits(63))
            after.play(joint)
            if cast(HiddenSituation, after).percepts(self._role) == seen:
                kept.append(after)
        return kept

    def _vote(self, legal: list[int], budget: Budget) -> Decision:
        """Search the worlds, each with its share of the budget."""
        assert self.search is not None
        wanted = self.definition.worlds or WORLDS
        fitting = [p for p in self.particles if not p.terminal and p.legal(self._role) == legal]
        if not fitting:  # nothing that we can think of explains what was seen
            return Decision(move=self._random.choice(legal), notes={"worlds": 0})
        drawn: dict[int, tuple[Situation, int]] = {}
        for world in self._random.choices(fitting, k=wanted):
            drawn[world.key] = (world, drawn.get(world.key, (world, 0))[1] + 1)
        values = dict.fromkeys(legal, 0.0)
        simulations = 0
        for world, count in drawn.values():
            share = count / wanted
            result = self._search(world, budget, share)
            simulations += result.simulations
            for row in result.moves:
                values[row.move] += share * row.mean
        best = max(values.values())
        move = self._random.choice([move for move in legal if values[move] == best])
        told = [{"move": self.search.game.move_name(self._role, m), "mean": value} for m, value in values.items()]
        return Decision(move=move, simulations=simulations, value=best, notes={"worlds": len(drawn), "values": told})

    def _search(self, world: Situation, budget: Budget, share: float) -> SearchResult:
        assert self.search is not None
        self.search.begin_game(self._random.getrandbits(63))
        if budget.simulations:
            part = Budget(simulations=max(1, round(budget.simulations * share)))
        elif budget.seconds:
            part = Budget(seconds=budget.seconds * share)
        else:
            raise BadInput("a search needs a budget")
        return self.search.search(world, part, role=self._role)
