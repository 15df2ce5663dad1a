# The contract of an evaluation strategy, and the plain value of a situation.

from paidia.core.model cimport LOST, MAX_ROLES, WON, Situation
from paidia.search.frame.simulation cimport Simulation
from paidia.search.frame.strategy cimport Strategy

cdef enum:
    HUGE = 10000000         # a win or a loss outweighs any score


cdef inline double score_of(Situation state, int role) noexcept nogil:
    """The score (or goal) alone."""
    cdef double values[MAX_ROLES]
    state.c_values(values)
    return values[role]


cdef inline double plain_value(Situation state, int role) noexcept nogil:
    """X: the score (or goal), far above or below all scores once the game is won or lost."""
    cdef int winner = state.c_winner(role)
    return score_of(state, role) + (HUGE if winner == WON else -HUGE if winner == LOST else 0)


cdef class Evaluation(Strategy):
    cdef bint watches           # wants to see every move that the search plays
    cdef double root_value      # plain value of the root; the search sets it
    cdef readonly bint bounded  # values are in [0, 1], as goals are
    cdef bint learns            # from simulations that go on to the end of the game, and wants to be told

    cdef double value(self, Situation state, int role) noexcept nogil
    # A playout has come to sim.limit at `state`: whether it goes on, up to a limit set anew, to learn what comes of it.
    cdef bint goes_on(self, Situation state, Simulation* sim) noexcept nogil
    # A move is about to be played in `state`; it was played.
    cdef void before(self, Situation state) noexcept nogil
    cdef void after(self, Situation state) noexcept nogil
