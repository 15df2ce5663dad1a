"""Proofs beside the play: where a game is small enough, a part of every clock goes to the prover.

Whether it is small enough is told by what random games are like: as many of them as there are ways through the rest of the game,
`branching ** (length - step)`, must be no more than a power of ten. Of a game that is smaller still most of the start clock goes
to proofs first. Once a value is proven, all that is needed goes into holding it: no other agent may throw it away. Where nothing
is proven of the position but that some of its moves bring nothing, none of those is played.
"""

from __future__ import annotations

import math
import time

from paidia.core.budget import Budget
from paidia.core.model import Rules, Situation
from paidia.players.champion.features import Features
from paidia.search.frame.result import SearchResult

__all__ = ["Proofs"]

#: Powers of ten of ways through a game, up to which a proof is tried.
REACH = 20.0
#: Those up to which a proof is likely enough for this share of the start clock.
SMALL, FIRST = 18.0, 0.6
#: Where answers rest on regions (`Rules.monotone`) most ways need not be gone: so much of the power counts.
REGIONS = 0.7
#: Share of a move's clock for holding what has been proven.
HOLD = 0.8
#: A position of a proof takes a small part of the time of a simulation; in a budget of simulations so many count as one.
POSITIONS = 8


class Proofs:
    """The proofs of one match.

    Attributes:
        value: What was last proven, for the role that plays; None if nothing was.
        least: What it is proven to get at least.
    """

    def __init__(self, game: Rules, role: int, seed: int) -> None:
        from paidia.search.planners.proofs.prover import Prover  # a kernel that looking at agents should not wait for

        self._prover = None if Prover.cannot_play(game) else Prover(game)
        self._role = role
        self._part = REGIONS if game.monotone else 1.0
        self.value: float | None = None
        self.least = 0.0
        if self._prover is not None:
            self._prover.begin_game(seed)

    def near(self, found: Features | None, step: int) -> bool:
        """Whether a proof is worth a try at this step of the game."""
        if self._prover is None or found is None or found.together or not found.deterministic:
            return False
        return self.least > 0.0 or self._ways(found, step) <= REACH

    def first_share(self, found: Features, usual: float) -> float:
        """The share of the start clock that a proof is worth."""
        return max(usual, FIRST) if self._ways(found, 0) <= SMALL else usual

    def _ways(self, found: Features, step: int) -> float:
        """The power of ten of ways through the rest of the game."""
        return self._part * max(1.0, found.length - step) * math.log10(max(2.0, found.branching))

    def instead(self, move: int | None) -> int | None:
        """What to play instead of a move that is proven to bring nothing, where another is not; else None."""
        if self._prover is None or move not in self._prover.lost_moves:
            return None
        lost = set(self._prover.lost_moves)
        left = [each for each in self._prover.root_moves(self._role) if each.move not in lost]
        return max(left, key=lambda each: each.mean).move if left else None

    def look(self, state: Situation, step: int, budget: Budget, share: float) -> tuple[SearchResult, Budget]:
        """Try to prove what a position is worth with a share of a budget; returns what came of it, and what is left."""
        assert self._prover is not None
        if self.least:
            share = max(share, HOLD)
        began = time.perf_counter()
        if budget.simulations:
            part = Budget(simulations=max(1, int(share * budget.simulations * POSITIONS)))
        else:
            part = Budget(seconds=share * budget.seconds)
        result = self._prover.search(state, part, role=self._role, step=step)
        self.value = self._prover.proven
        self.least = self._prover.low if self._prover.zero_sum else 0.0
        if budget.simulations:
            return result, Budget(simulations=max(1, budget.simulations - math.ceil(result.simulations / POSITIONS)))
        return result, Budget(seconds=max(0.001, budget.seconds - (time.perf_counter() - began)))

    def words(self) -> str:
        """What is proven."""
        if self.value is None:
            return f"proven to be worth {100 * self.least:g} of 100 at least"
        return "proven to be won" if self.value == 1.0 else f"proven to be worth {100 * self.value:g} of 100"

    def stop(self) -> None:
        """End a search in another thread."""
        if self._prover is not None:
            self._prover.stop()
