"""One-step look-ahead: every action is tried in turn, again and again, and the best mean of the next situation is taken.

    value(a) = mean over tries of X(s'),    X = score, +-1e7 at a win or a loss

The framework's sample agent of this name tries each action once; here the whole budget is used, which matters where
chance decides. NIL is not tried. Equal means are decided at random.
"""

from paidia.core.model cimport NO_MOVE, move_t, play_alone
from paidia.search.frame.choice cimport Best, no_offer, offer
from paidia.search.evaluation.base cimport plain_value
from paidia.search.planners.base cimport RootSearch

from paidia.search.registry import SEARCHES


cdef class OneStep(RootSearch):
    """Looks one step ahead."""

    cdef move_t decide(self) noexcept nogil:
        cdef Best best = no_offer(NO_MOVE)
        cdef int i = 0, n = self.list_options(self.root)
        for i in range(n):
            self.options[i].value = 0.0
        i = 0
        while n > 0 and self.next_simulation():
            self.branch(self.state, self.root)
            play_alone(self.state, self.options[i].move)
            self.steps += 1
            self.options[i].visits += 1
            self.options[i].value += plain_value(self.state, 0)
            i = i + 1 if i + 1 < n else 0
        for i in range(n):
            if self.options[i].visits > 0:
                offer(&best, &self.rng, self.options[i].value / self.options[i].visits, self.options[i].move)
        return best.chosen

    def _value_of(self, int i):
        """The mean of the tries."""
        return self.options[i].value / max(1, self.options[i].visits)


SEARCHES.add("one-step", OneStep)
