# `Search`: what every search has, whatever it searches. A new one is a subclass that says `decide` (and `prepare`, if it uses
# the time before the game), names its settings and parameters, and registers itself.

from libc.stdint cimport int64_t

from paidia.core.control cimport Controller
from paidia.core.model cimport Rules, Situation, move_t
from paidia.core.machine.rng cimport Rng
from paidia.search.frame.clock cimport Clock


cdef class Search:
    cdef readonly Rules game
    cdef readonly object settings
    cdef readonly Controller controller     # never None; the plain one changes nothing
    cdef Situation root                     # where the present search starts; it is never changed
    cdef readonly int role                  # whose move is wanted
    cdef readonly int step                  # joint moves played in the game so far
    cdef bint started                       # there was a search in this game
    cdef bint busy                          # it searches now, perhaps in another thread
    cdef bint stopping                      # it was asked to end
    cdef bint helping                       # it works in a thread of its own for another search, which looks after signals
    cdef object budget                      # of the present search
    cdef Rng rng
    cdef Clock clock
    cdef double* vector                     # parameters of role r: vector + r * width
    cdef int width
    cdef list states                        # that rules written in Python may have raised in
    cdef object error                       # to be raised when the search has stopped
    cdef readonly int64_t steps             # joint moves of the last search, all simulations together
    cdef int64_t most_steps                 # no simulation begins after so many; 0: no such limit

    # The start clock runs: think ahead from `root`, or return at once.
    cdef void prepare(self) noexcept nogil
    # Think from `root` until `next_simulation` says no; the move to play, NO_MOVE if there is none.
    cdef move_t decide(self) noexcept nogil
    # Whether there is time for one more simulation; if so its parameters are in `vector`.
    cdef bint next_simulation(self) noexcept nogil
    # What the simulation was worth, in [0, 1], for who sets the parameters: of a search with one role.
    cdef void end_simulation(self, double reward) noexcept nogil
    # Make `state` a copy of another, with a future of its own where there is chance.
    cdef void branch(self, Situation state, Situation origin) noexcept nogil
    cdef bint undisturbed(self) noexcept
