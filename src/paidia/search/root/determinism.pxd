# Deterministic game detection.

from libc.stdint cimport int64_t

from paidia.core.model cimport Situation
from paidia.core.machine.rng cimport Rng
from paidia.search.frame.clock cimport Clock

# Whether random sequences of actions, each played several times with other chance, always led to equal situations. `scratch`
# is overwritten; every call of the forward model is counted in `advances`.
cdef bint looks_deterministic(
    Situation root, Situation scratch, Rng* rng, const Clock* clock, int64_t* advances
) noexcept nogil
