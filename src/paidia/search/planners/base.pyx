# distutils: extra_compile_args = -O1
"""`RootSearch`: the frame of searches that compare the moves at the root (see base.pxd)."""

from libc.math cimport INFINITY
from libc.stdlib cimport free

from paidia.core.arcade cimport NIL
from paidia.core.machine.memory cimport calloc
from paidia.core.model cimport Situation, move_t

from paidia.core.arcade import ArcadeGame
from paidia.search.frame.result import RootMove


cdef class RootSearch(Search):
    """Compares the moves of one role."""

    def __init__(self, game, settings=None, *, controller=None):
        super().__init__(game, settings, controller=controller)
        self.sprites = isinstance(game, ArcadeGame)
        self.options = <Option*>calloc(game.max_legal + 1, sizeof(Option))
        if self.options == NULL:
            raise MemoryError
        self.state = self.new_state()

    def __dealloc__(self):
        free(self.options)

    def reset(self):
        """Nothing is known of the root."""
        self.n_options = 0

    cdef int list_moves(self, Situation state, move_t* out) noexcept nogil:
        cdef const move_t* moves = NULL
        cdef int i, n
        if state.c_terminal():
            return 0
        n = state.c_legal(0, &moves)
        for i in range(n):
            out[i] = moves[i]
        if self.with_nil:
            out[n] = NIL
            n += 1
        return n

    cdef int list_options(self, Situation start) noexcept nogil:
        cdef const move_t* moves = NULL
        cdef int i, n = start.c_legal(0, &moves)
        cdef bint with_nil = self.with_nil and not start.c_terminal()
        for i in range(n + with_nil):
            self.options[i].move = moves[i] if i < n else NIL
            self.options[i].visits = self.options[i].tries = self.options[i].losses = 0
            self.options[i].value = -INFINITY
            self.options[i].safe = True
        self.n_options = n + with_nil
        return self.n_options

    def root_moves(self, int role=0):
        """Simulations behind each move, and what they say of it."""
        return [
            RootMove(self.options[i].move, self.options[i].visits + self.options[i].tries, self._value_of(i),
                     not self.options[i].safe)
            for i in range(self.n_options)
        ]

    def _value_of(self, int i):
        """What is known of the i-th move of the root."""
        return self.options[i].value if self.options[i].visits else 0.0
