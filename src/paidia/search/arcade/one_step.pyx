"""One-step look-ahead: every action is tried in turn, again and again, and the best mean of the next situation is taken.

    value(a) = mean over tries of X(s'),    X = score, +-1e7 at a win or a loss

The framework's sample agent of this name tries each action once; here the whole budget is used, which matters where
chance decides. NIL is not tried. Equal means are decided at random.
"""

from libc.stdint cimport int64_t

from paidia.core.arcade cimport N_ACTIONS, NIL, ArcadeState
from paidia.core.model cimport move_t, play_alone
from paidia.search.arcade.base cimport ArcadeSearch
from paidia.search.arcade.choice cimport Best, no_offer, offer
from paidia.search.arcade.evaluation cimport raw_value

from paidia.search.arcade.registry import ARCADE_SEARCHES
from paidia.search.arcade.result import ActionRow


cdef class OneStep(ArcadeSearch):
    """Looks one tick ahead."""

    cdef ArcadeState state
    cdef move_t actions[N_ACTIONS]
    cdef int n
    cdef int64_t visits[N_ACTIONS]      # by place in `actions`
    cdef double sums[N_ACTIONS]

    def reset(self):
        """One state serves all tries."""
        self.state = self.game.initial_state()
        self.n = 0

    cdef int decide(self) noexcept nogil:
        cdef const move_t* actions = NULL
        cdef Best best = no_offer(NIL)
        cdef int i
        self.n = self.root.c_legal(0, &actions)
        for i in range(self.n):
            self.actions[i] = actions[i]
            self.visits[i] = 0
            self.sums[i] = 0.0
        i = 0
        while self.n > 0 and self.next_simulation():
            self.branch(self.state, self.root)
            play_alone(self.state, self.actions[i])
            self.advances += 1
            self.visits[i] += 1
            self.sums[i] += raw_value(self.state)
            i = i + 1 if i + 1 < self.n else 0
        for i in range(self.n):
            if self.visits[i] > 0:
                offer(&best, &self.rng, self.sums[i] / self.visits[i], self.actions[i])
        return best.chosen

    def rows(self):
        """The tries and the mean of each action."""
        return [
            ActionRow(self.action_name(self.actions[i]), self.visits[i], self.sums[i] / max(1, self.visits[i]))
            for i in range(self.n)
        ]


ARCADE_SEARCHES.add("one-step", OneStep)
