from paidia.search.playout.base cimport Playout


cdef class Uniform(Playout):
    pass
