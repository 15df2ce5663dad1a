# Loss avoidance: what happens instead of backing up a loss that a play-out ran into.

from paidia.search.arcade.open_loop cimport OpenLoop

# The present simulation of `search` ended in a loss worth `lost`: look for a way around it. The search's path and
# tree are changed to what is to be backed up; returns its value.
cdef double avoid_loss(OpenLoop search, double lost) noexcept nogil
