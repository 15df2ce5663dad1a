# A GDL game on its propositional net.

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t

from paidia.core.game cimport Game, State
from paidia.core.model cimport MAX_ROLES, move_t
from paidia.core.machine.rng cimport Rng
from paidia.games.gdl.net.effects cimport Effects, EffectTable
from paidia.games.gdl.net.machine cimport Machine, Tables


cdef class NetGame(Game):
    cdef readonly Machine machine
    cdef readonly EffectTable table
    cdef list _moves            # by role: texts
    cdef list _numbers          # by role: text in lower case -> move


cdef class NetState(State):
    cdef const Tables* t
    cdef EffectTable table
    cdef uint8_t* block         # all that makes the position; see machine.pxd
    cdef uint64_t* legal_words
    cdef uint16_t* counter
    cdef uint8_t* value

    # Follows from the block.
    cdef bint over
    cdef int mover
    cdef int n_legal[MAX_ROLES]
    cdef int32_t group_of[MAX_ROLES]    # the one group with all legal moves of a role, or -1 where there are several

    # Scratch, worthless between calls. It comes when first needed: states that are only stored have none.
    cdef int32_t* queue         # ring of nodes that flip, or may have to
    cdef uint32_t queue_mask
    cdef uint8_t* memo          # value of gates evaluated on demand ..
    cdef uint32_t* stamp        # .. in the position with this number
    cdef uint32_t now
    cdef uint8_t* own           # values of the gates that effects bring along; 2: not evaluated yet
    cdef int32_t own_room
    cdef move_t* lists          # legal moves by role, written out when asked for
    cdef uint32_t listed        # roles whose list is written

    cdef bint holds(self, int32_t literal) noexcept nogil
    cdef bint condition(self, const Effects* effects, int32_t literal) noexcept nogil
    cdef bint active(self, int32_t group) noexcept nogil
    cdef int count(self, int32_t group) noexcept nogil
    cdef move_t nth_legal(self, int role, int n) noexcept nogil
    cdef void write_list(self, int role) noexcept nogil
    cdef void look(self) noexcept nogil
