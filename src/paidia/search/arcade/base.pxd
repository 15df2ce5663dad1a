# `ArcadeSearch`: what every real-time search has. A new one is a subclass that says `prepare` (if it uses the time
# before the game), `decide` and `rows`, names its settings and parameters, and registers itself.

from libc.stdint cimport int64_t

from paidia.core.arcade cimport ArcadeGame, ArcadeState
from paidia.core.control cimport Controller
from paidia.core.rng cimport Rng
from paidia.search.arcade.clock cimport TickClock

cdef enum:
    MAX_ARCADE_PARAMETERS = 16


cdef class ArcadeSearch:
    cdef readonly object settings
    cdef readonly Controller controller     # never None; the plain one changes nothing
    cdef readonly ArcadeGame game           # since begin_game
    cdef ArcadeState root                   # where this tick starts; a search may copy it, never change it
    cdef Rng rng
    cdef TickClock clock
    cdef double vector[MAX_ARCADE_PARAMETERS]   # of the present simulation, in the order of PARAMETERS
    cdef int width
    cdef readonly int64_t advances          # calls of the forward model in this tick; subclasses count them

    # The start clock runs: think ahead from `root`, or return at once.
    cdef void prepare(self) noexcept nogil
    # Think from `root` until `next_simulation` says no; the action to play.
    cdef int decide(self) noexcept nogil
    # Whether there is time for one more simulation; if so its parameters are in `vector`.
    cdef bint next_simulation(self) noexcept nogil
    # What the simulation was worth, in [0, 1], for who sets the parameters.
    cdef void end_simulation(self, double reward) noexcept nogil
    # Make `state` a copy of another with a future of its own.
    cdef void branch(self, ArcadeState state, ArcadeState origin) noexcept nogil
