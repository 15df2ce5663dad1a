# Novelty within a stage of a game: situations with equal score, resources and numbers of sprites.

from libc.stdint cimport uint64_t

from paidia.core.model cimport Situation
from paidia.search.planners.widths.atoms cimport Atoms
from paidia.search.nodes.pool cimport KeySet


cdef inline uint64_t mixed(uint64_t z) noexcept nogil:
    """64 bits well stirred, for keys made of several numbers."""
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return z ^ (z >> 31)


cdef class Stages:
    cdef Atoms atoms
    cdef KeySet tuples          # atoms and pairs met, each with its stage
    cdef int n_types

    # Forget everything.
    cdef void forget(self) noexcept nogil
    # NEW_ATOM, NEW_AVATAR_PAIR or NOT_NOVEL, and remember the situation. Where things come and go by themselves
    # (not `still`) their numbers say nothing and make no stage.
    cdef int rank(self, Situation state, bint still) noexcept nogil
