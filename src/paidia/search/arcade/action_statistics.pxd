# What is known of actions in cells, whatever the situation: the mean result of every action by the avatar's cell, and of
# sequences of such actions. Progressive history reads the former, N-gram selection (NST) both.

from libc.stdint cimport int32_t

from paidia.core.arcade cimport ArcadeGame, ArcadeState
from paidia.core.model cimport move_t
from paidia.core.rng cimport Rng
from paidia.search.arcade.open_loop cimport MAX_LENGTH
from paidia.search.simulation cimport Simulation
from paidia.search.statistics.ngrams cimport NgramTable

ctypedef struct Tally:
    double visits
    double total


cdef class FadingNgrams(NgramTable):
    # Multiply visits and sums; what has less than half a visit left is forgotten.
    cdef void fade(self, double factor) noexcept nogil


cdef class ActionStatistics:
    cdef int width, height, block
    cdef int32_t n_singles
    cdef Tally* singles             # by cell and action
    cdef FadingNgrams ngrams        # sequences of two and more
    cdef int longest
    cdef Simulation simulation      # the actions of the present one, as the table reads them
    cdef move_t moves[MAX_LENGTH]

    # The first number of the avatar's cell; add the action.
    cdef move_t cell(self, ArcadeState state) noexcept nogil
    # The mean result of an action in a cell, `unknown` if there is none.
    cdef double mean(self, move_t action_in_cell, double unknown) noexcept nogil
    # N-gram selection: the best action of a play-out after `step` actions, or a random one.
    cdef int choose(
        self, Rng* rng, ArcadeState state, int step, const move_t* actions, int n, double epsilon, int longest,
        double least, double unknown
    ) noexcept nogil
    # A simulation of so many actions, noted in `moves`, had this result.
    cdef void update(self, int length, double result) noexcept nogil
    cdef void fade(self, double factor) noexcept nogil
