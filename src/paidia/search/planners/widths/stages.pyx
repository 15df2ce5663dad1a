# distutils: extra_compile_args = -O1
"""Novelty within a stage of a game (see stages.pxd), after the best-first width search of Lipovetzky and Geffner 2017."""

from libc.stdint cimport int64_t, uint64_t

from paidia.core.arcade cimport ArcadeState
from paidia.core.model cimport Rules, Situation
from paidia.search.evaluation.base cimport score_of
from paidia.search.planners.widths.novelty cimport NEW_ATOM, NEW_AVATAR_PAIR, NOT_NOVEL


cdef class Stages:
    """A memory of atoms, and of pairs with the avatar's, by stage; once it is full everything unknown stays new."""

    def __cinit__(self, Rules game not None):
        self.atoms = Atoms(game)
        self.tuples = KeySet(slots=1 << 20)
        self.n_types = len(game.types) if self.atoms.sprites else 0

    cdef void forget(self) noexcept nogil:
        self.tuples.forget()

    cdef int rank(self, Situation state, bint still) noexcept nogil:
        cdef uint64_t stage, front
        cdef int i, found = NOT_NOVEL
        stage = mixed(<uint64_t><int64_t>(score_of(state, 0) * 16) + 1)
        for i in range(self.n_types):
            stage = mixed(stage + <uint64_t>(<ArcadeState>state).c_resource(i))
            if still:
                stage = mixed(stage + <uint64_t>(<ArcadeState>state).c_count(i))
        self.atoms.read(state, True)
        if self.atoms.has_avatar:
            front = mixed(stage + <uint64_t>self.atoms.atoms[0])
            for i in range(1, self.atoms.n):
                if self.tuples.add(mixed(front + <uint64_t>self.atoms.atoms[i])):
                    found = NEW_AVATAR_PAIR
        for i in range(self.atoms.n):
            if self.tuples.add(mixed(stage ^ <uint64_t>self.atoms.atoms[i])):
                found = NEW_ATOM
        return found
