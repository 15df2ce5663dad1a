"""Forager: OLETS that learns what is worth going to and what kills, for games with chance.

    score of the end of a simulation  +=  pull * map(cell of the avatar)

with the map of `interest`: near things that raised the score or are unknown, away from where simulations died. `pull`
is below the smallest change of a score, so that real points always count for more. Of the actions at the root only
those count in the end whose first step was lost at most `risk` more often than that of the safest, whatever their
value: a tree that mixes in the best continuation thinks too well of narrow escapes.
"""

from paidia.core.arcade cimport ArcadeState
from paidia.core.model cimport LOST, move_t
from paidia.search.planners.base cimport Option
from paidia.search.planners.foraging.interest cimport Interest
from paidia.search.planners.foraging.olets cimport Olets

from paidia.core.arcade import ArcadeGame
from paidia.search.planners.foraging.olets import OletsSettings
from paidia.search.registry import SEARCHES


class ForagerSettings(OletsSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Those of OLETS, and how much the map counts."""

    pull: float = 0.5
    risk: float = 0.02


cdef class Forager(Olets):
    """OLETS with a map of what is worth going to."""

    Settings = ForagerSettings
    PARAMETERS = ("exploration", "taboo", "pull", "risk")

    @classmethod
    def cannot_play(cls, game):
        """Its map is one of cells and sprites."""
        reason = f"it learns what sprites are worth going to, and {game.id} has none"
        return Olets.cannot_play(game) or ("" if isinstance(game, ArcadeGame) else reason)

    def reset(self):
        """Nothing is known of a new game."""
        Olets.reset(self)
        self.interest = Interest(self.game)

    cdef move_t decide(self) noexcept nogil:
        self.interest.draw(<ArcadeState>self.root)
        return Olets.decide(self)

    cdef void stepped(self, move_t action, int depth) noexcept nogil:
        cdef int i
        if depth == 1:
            for i in range(self.n_options):
                if self.options[i].move == action:
                    self.options[i].tries += 1
                    self.options[i].losses += (<ArcadeState>self.state).c_winner(0) == LOST
            (<ArcadeState>self.root).c_avatar(&self.before)
            self.score_before = self.root_score
            self.collisions_before = (<ArcadeState>self.root).c_n_collisions()
        self.interest.learn((<ArcadeState>self.state), &self.before, self.score_before, self.collisions_before)
        (<ArcadeState>self.state).c_avatar(&self.before)
        self.score_before = (<ArcadeState>self.state).c_score()
        self.collisions_before = (<ArcadeState>self.state).c_n_collisions()

    cdef double bonus(self) noexcept nogil:
        return 0.0 if self.state.c_terminal() else self.vector[PULL] * self.interest.at(<ArcadeState>self.state)

    cdef move_t final_move(self) noexcept nogil:
        """Leave risky moves out, then choose as OLETS does."""
        cdef int i
        cdef double least = 1.0
        cdef const Option* option
        for i in range(self.n_options):
            option = &self.options[i]
            if option.tries > 0:
                least = min(least, <double>option.losses / option.tries)
        for i in range(self.n_options):
            option = &self.options[i]
            if option.tries > 0 and option.losses > (least + self.vector[RISK]) * option.tries:
                self.children[option.move] = -1
        return Olets.final_move(self)


SEARCHES.add("forager", Forager)
