"""Forager: OLETS that learns what is worth going to and what kills, for games with chance.

    score of the end of a simulation  +=  pull * map(cell of the avatar)

with the map of `interest`: near things that raised the score or are unknown, away from where simulations died. `pull`
is below the smallest change of a score, so that real points always count for more. Of the actions at the root only
those count in the end whose first step was lost at most `risk` more often than that of the safest, whatever their
value: a tree that mixes in the best continuation thinks too well of narrow escapes.
"""

from libc.stdint cimport int64_t

from paidia.core.arcade cimport N_ACTIONS, Avatar
from paidia.core.model cimport LOST
from paidia.search.arcade.interest cimport Interest
from paidia.search.arcade.olets cimport Olets

import msgspec

from paidia.search.arcade.registry import ARCADE_SEARCHES

cdef enum:
    PULL = 2            # places in the vector of parameters
    RISK = 3


class ForagerSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first four are those of OLETS."""

    exploration: float = 1.0
    taboo: float = 0.1
    memory: int = 15
    terminal: float = 1000.0
    pull: float = 0.5
    risk: float = 0.02


cdef class Forager(Olets):
    """OLETS with a map of what is worth going to."""

    Settings = ForagerSettings
    PARAMETERS = ("exploration", "taboo", "pull", "risk")

    cdef Interest interest
    cdef Avatar before
    cdef double score_before
    cdef int collisions_before
    cdef int64_t tries[N_ACTIONS]       # first steps by action, and how many were lost
    cdef int64_t losses[N_ACTIONS]

    def reset(self):
        """Nothing is known of a new game."""
        Olets.reset(self)
        self.interest = Interest(self.game)

    cdef int decide(self) noexcept nogil:
        cdef int i
        for i in range(N_ACTIONS):
            self.tries[i] = self.losses[i] = 0
        self.interest.draw(self.root)
        return Olets.decide(self)

    cdef void stepped(self, int action, int depth) noexcept nogil:
        if depth == 1:
            self.tries[action] += 1
            self.losses[action] += self.state.c_winner(0) == LOST
            self.root.c_avatar(&self.before)
            self.score_before = self.root_score
            self.collisions_before = self.root.c_n_collisions()
        self.interest.learn(self.state, &self.before, self.score_before, self.collisions_before)
        self.state.c_avatar(&self.before)
        self.score_before = self.state.c_score()
        self.collisions_before = self.state.c_n_collisions()

    cdef double bonus(self) noexcept nogil:
        return 0.0 if self.state.c_terminal() else self.vector[PULL] * self.interest.at(self.state)

    cdef int final_action(self) noexcept nogil:
        """Leave risky actions out, then choose as OLETS does."""
        cdef int i, action
        cdef double least = 1.0
        for i in range(self.n):
            action = self.actions[i]
            if self.tries[action] > 0:
                least = min(least, <double>self.losses[action] / self.tries[action])
        for i in range(self.n):
            action = self.actions[i]
            if self.tries[action] > 0 and self.losses[action] > (least + self.vector[RISK]) * self.tries[action]:
                self.nodes[0].children[action] = -1
        return Olets.final_action(self)


ARCADE_SEARCHES.add("forager", Forager)
