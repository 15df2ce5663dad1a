# distutils: extra_compile_args = -O3
"""What the games of the go family share: the grid, the stones on it, codes of moves, drawing.

The kernels are in stones.pxd. A move is a cell, 8 * row + column on an 8x8 board. Its feature code is
cell * 256 + the four neighbours as digits of base 4, each empty 0, black 1, white 2 or off the board 3.
"""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy

from paidia.core.machine.bits cimport MAX_WORDS, Bits, flip, lowest, mix
from paidia.core.machine.memory cimport calloc
from paidia.core.model cimport Situation, move_t
from paidia.games.boards.grid cimport GridGame, GridState, holder, key_of, share_goals

from paidia.core.errors import BadInput
from paidia.games.boards.notation import read_role
from paidia.games.boards.pictures import line_scene
from paidia.games.pieces import stone

ROLES = ("black", "white")


cdef class StonesGame(GridGame):
    """The rules that the games of the go family share."""

    def __init__(self, int rows, int columns):
        cdef Grid* grid = &self.grid
        cdef int cell, k, n_cells = rows * columns
        if rows < 1 or columns < 1 or n_cells > MAX_CELLS:
            raise ValueError(f"a board has 1 to {MAX_CELLS} cells, not {rows}x{columns}")
        self.declare_grid(rows, columns)
        grid.rows, grid.columns, grid.n_cells = rows, columns, n_cells
        grid.n_words = (n_cells + 63) // 64
        grid.block_bytes = n_cells * <int>(
            grid.n_words * sizeof(uint64_t) + sizeof(uint16_t) + sizeof(uint8_t)
        )
        grid.offset[:] = [-columns, -1, 1, columns]
        for cell in range(n_cells):
            row, column = divmod(cell, columns)
            flip(&grid.board, cell)
            if column > 0:
                flip(&grid.has_left, cell)
            if column < columns - 1:
                flip(&grid.has_right, cell)
            for k, inside in enumerate((row > 0, column > 0, column < columns - 1, row < rows - 1)):
                if not inside:
                    grid.pattern[cell] |= EDGE << (2 * k)

    def from_text(self, str text):
        """The board, the role to move, and the role that has won (- while the game goes on)."""
        cdef StonesState state = self.initial_state()
        pieces, mover, words = self.read(text, self.n_words)
        state.put(pieces, mover)
        state.read_words(words)
        return state

    @property
    def n_words(self):
        """Number of words that follow the board and the role to move in a text."""
        return 1


cdef class StonesState(GridState):
    """One position of a game of the go family."""

    def __cinit__(self, StonesGame game not None):
        cdef Stones* stones = &self.stones
        cdef int n_cells = game.grid.n_cells
        self.game = game
        self.grid = &game.grid
        self.winner = -1
        stones.strings = <uint64_t*>calloc(1, game.grid.block_bytes)
        if stones.strings == NULL:
            raise MemoryError
        stones.parent = <uint16_t*>(stones.strings + n_cells * game.grid.n_words)
        stones.pattern = <uint8_t*>(stones.parent + n_cells)
        stones.empty = game.grid.board
        memcpy(stones.pattern, game.grid.pattern, n_cells)

    def __dealloc__(self):
        free(self.stones.strings)

    cdef int c_mover(self) noexcept nogil:
        return self.mover

    cdef int c_legal(self, int role, const move_t** moves) noexcept nogil:
        moves[0] = self.moves
        return self.list_cells(&self.open) if role == self.mover else 0

    cdef int list_cells(self, const Bits* cells) noexcept nogil:
        cdef int i, n = 0
        cdef uint64_t word
        for i in range(self.grid.n_words):
            word = cells.w[i]
            while word:
                self.moves[n] = 64 * i + lowest(word)
                word &= word - 1
                n += 1
        return n

    cdef bint c_terminal(self) noexcept nogil:
        return self.winner >= 0

    cdef void c_goals(self, double* goals) noexcept nogil:
        share_goals(goals, self.winner)

    cdef void c_copy(self, Situation other) noexcept nogil:
        copy_stones(self.grid, &self.stones, &(<StonesState>other).stones)
        self.mover = (<StonesState>other).mover
        self.winner = (<StonesState>other).winner
        self.open = (<StonesState>other).open

    cdef uint64_t c_key(self) noexcept nogil:
        # What comes first is spread out, or cells cancel it.
        return key_of(mix(3 * self.mover + self.winner + 1, 0), self.stones.of, self.grid.n_words)

    cdef void c_codes(self, int role, const move_t* moves, int n, int32_t* codes) noexcept nogil:
        cdef int i
        for i in range(n):
            codes[i] = 256 * moves[i] + self.stones.pattern[moves[i]]

    def put(self, pieces, int mover):
        """Become the position with these stones and the role to move."""
        cdef int role, row, column, k
        for role in range(2):
            for k in range(MAX_WORDS):
                self.stones.of[role].w[k] = 0
            for row, column in zip(*pieces[:, :, role].nonzero()):
                flip(&self.stones.of[role], row * self.grid.columns + column)
        self.mover = mover
        rebuild(self.grid, &self.stones)

    def read_words(self, words):
        """Take over what the words after the role to move say; the stones are in their places."""
        self.find_moves()       # which may see that the game is over
        winner = read_role(self.game, words[0], "the winner", nobody="-")
        if self.winner not in (-1, winner):
            raise BadInput(f"{self.game.id}: {self.game.roles[self.winner]} has won here, since the role to move cannot")
        self.winner = winner

    def find_moves(self):
        """Bring what follows from the stones and the mover up to date."""

    cdef int c_content(self, int row, int column) noexcept nogil:
        cdef int cell = row * self.grid.columns + column
        return holder(self.stones.of, cell)

    @property
    def winning_role(self):
        return self.winner

    def picture(self):
        return line_scene(
            self.grid.rows, self.grid.columns, self.content, (stone("black"), stone("white")), caption=self.caption())
