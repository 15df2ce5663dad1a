# `ArcadeMcts`: the search of the thesis and the switches of its enhancements, as C values.

from libc.stdint cimport int32_t

from paidia.core.model cimport move_t
from paidia.search.arcade.action_statistics cimport ActionStatistics
from paidia.search.arcade.knowledge cimport Knowledge
from paidia.search.arcade.novelty_pruning cimport NoveltyPruning
from paidia.search.arcade.open_loop cimport MAX_LENGTH, OpenLoop


cdef class ArcadeMcts(OpenLoop):
    cdef bint bfti, la, nbp, ph, nst, tr, kbe, dgd, tr_bfti, kbe_always
    cdef int td                     # see temporal_difference.pxd
    cdef int bfti_states
    cdef double gamma, decay, td_lambda, mixmax

    cdef readonly NoveltyPruning novelty
    cdef readonly ActionStatistics statistics       # of ph and nst
    cdef readonly Knowledge knowledge
    cdef bint before_the_game, classified
    cdef readonly bint deterministic
    cdef double root_value          # X(s_0)
    cdef double values[MAX_LENGTH + 1]      # with td: X of the situations of the present simulation
    cdef int last_tick              # of the tree, and the action that was chosen then
    cdef int last_action

    cdef bint reuse(self) noexcept nogil
    cdef bint complete(self, int32_t node, const move_t* actions, int n) noexcept nogil
    cdef double child_value(self, int32_t child) noexcept nogil
    cdef int candidates(self, int32_t node, const move_t* actions, int n, move_t* out) noexcept nogil
    cdef double final_value(self, int32_t child) noexcept nogil
    cdef int best_child(self, bint pruned) noexcept nogil
