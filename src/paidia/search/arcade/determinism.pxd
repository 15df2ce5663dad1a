# Whether a game looks deterministic: deterministic game detection of Soemers 2016, section 4.2.5.

from libc.stdint cimport int64_t

from paidia.core.arcade cimport ArcadeState
from paidia.core.rng cimport Rng
from paidia.search.arcade.clock cimport TickClock

cdef enum:
    SEQUENCES = 5       # random sequences of actions that are tried
    LENGTH = 5          # actions in each
    REPETITIONS = 3     # runs of each, every one with a chance of its own

# Play random sequences several times from `root`; the game is deterministic if every repetition ends in an equal
# situation and no NPC is ever seen. `scratch` is overwritten; every call of the forward model is counted in
# `advances`. When the time of `clock` is up the answer is no.
cdef bint looks_deterministic(
    ArcadeState root, ArcadeState scratch, Rng* rng, const TickClock* clock, int64_t* advances
) noexcept nogil
