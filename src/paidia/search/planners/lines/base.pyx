"""`LineSearch`: the frame of nested searches (see base.pxd).

A search of the highest level is repeated until the time is up; the best line of all is kept from one move of the game to the
next, so that what was found is played, unless something better turns up. Where a line is longer than 1,024 moves, the situation
after so many of them counts.
"""

from libc.math cimport INFINITY
from libc.stdlib cimport free
from libc.string cimport memcpy, memmove

from paidia.core.machine.memory cimport calloc
from paidia.core.model cimport MAX_ROLES, NO_MOVE, Rules, Situation, move_t

from paidia.core.errors import BadInput


cdef class LineSearch(RootSearch):
    """Looks for a line of moves to the end of the game."""

    def __init__(self, game, settings=None, *, controller=None):
        super().__init__(game, settings, controller=controller)
        if not 1 <= self.settings.level <= MOST_LEVELS:
            raise BadInput(f"level must lie between 1 and {MOST_LEVELS}, not {self.settings.level}")
        self.levels = self.settings.level
        self.lines = <Line*>calloc(self.levels + 1, sizeof(Line))
        self.boards = <void**>calloc(self.levels + 1, sizeof(void*))
        if self.lines == NULL or self.boards == NULL:
            raise MemoryError
        self.board_owners = [self.new_state() for _ in range(self.levels + 1)]
        for level in range(self.levels + 1):
            self.boards[<int>level] = <void*>self.board_owners[level]

    def __dealloc__(self):
        free(self.lines)
        free(self.boards)

    @classmethod
    def cannot_play(cls, Rules game not None):
        if game.n_roles > 1:
            return f"it plays games of one role, and {game.id} has {game.n_roles}"
        if not game.bounded or game.chance:
            return f"it plays games that end with a goal and know no chance, not {game.id}"
        return ""

    def reset(self):
        """No line is known."""
        RootSearch.reset(self)
        self.best.value, self.best.length = -INFINITY, 0

    cdef move_t decide(self) noexcept nogil:
        cdef int n = self.list_options(self.root)
        if n == 0:
            return NO_MOVE
        if self.started:        # the first move of the line has been played, or another one
            self.follow_up()
        self.over = False
        while not self.over:
            self.once()
            if self.lines[self.levels].length > 0 and self.lines[self.levels].value > self.best.value:
                self.best = self.lines[self.levels]
        return self.best.moves[0] if self.best.length else self.options[0].move

    cdef void follow_up(self) noexcept nogil:
        """Is the rest of the best line still one from here? Played, it must lead to its value."""
        cdef const move_t* legal = NULL
        cdef int i, k, n
        cdef bint known = self.best.length > 1
        if known:
            memmove(self.best.moves, self.best.moves + 1, (self.best.length - 1) * sizeof(move_t))
            self.best.length -= 1
            self.state.c_copy(self.root)
            for i in range(self.best.length):
                n = 0 if self.state.c_terminal() else self.state.c_legal(0, &legal)
                known = False
                for k in range(n):
                    known = known or legal[k] == self.best.moves[i]
                if not known:
                    break
                self.state.c_play(&self.best.moves[i])
            known = known and self.worth(self.state) == self.best.value
        if not known:
            self.best.value, self.best.length = -INFINITY, 0

    cdef double worth(self, Situation state) noexcept nogil:
        cdef double values[MAX_ROLES]
        state.c_values(values)
        return values[0]

    cdef void once(self) noexcept nogil:
        self.over = True

    cdef double finish(self, Situation state, move_t first) noexcept nogil:
        cdef double value = self.worth(state)
        cdef int i
        self.end_simulation(value)
        for i in range(self.n_options):
            if self.options[i].move == first:
                self.options[i].visits += 1
                self.options[i].value = max(self.options[i].value, value)
        return value

    cdef void extend(self, Line* line, int depth, move_t move, const Line* rest) noexcept nogil:
        cdef int n = min(rest.length, LONGEST - depth - 1)
        line.moves[depth] = move
        memcpy(line.moves + depth + 1, rest.moves, n * sizeof(move_t))
        line.length, line.value = depth + 1 + n, rest.value

    def notes(self):
        """The best line, and what it leads to."""
        return {
            "line": [self.move_name(self.best.moves[i]) for i in range(self.best.length)],
            "worth": self.best.value if self.best.length else None,
        }
