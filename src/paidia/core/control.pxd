# Who sets the search parameters, and when. A search calls its controller around every simulation; a controller
# sees parameter vectors and rewards, never the search.


cdef class Controller:
    cdef readonly bint per_state    # wants `fresh` in every state of a simulation
    cdef readonly bint per_read     # and at a node of the tree once for each move that is valued
    cdef readonly bint raw          # wants results as they are, not on a scale, where values have no bounds

    # Write the parameters of the next simulation; role r's vector starts at vectors + r * width.
    cdef void begin_simulation(self, double* vectors, int width) noexcept nogil
    # The goals in [0, 1] that the simulation ended with, one per role; with `raw` its results.
    cdef void end_simulation(self, const double* goals) noexcept nogil
    # Only with per_state: new values for one role. Called in every node of the tree for each role, and in every state of the
    # playout for each role that has a choice, before anything reads the role's vector there.
    cdef void fresh(self, int role, double* vector) noexcept nogil
