# Breadth-first tree initialisation with safety prepruning.

from paidia.search.arcade.open_loop cimport OpenLoop

# Try every action at the root up to `tries` times and put what comes out into the tree.
cdef void initialise(OpenLoop search, int tries) noexcept nogil
