# distutils: extra_compile_args = -O1
"""The shell that all boards share (see grid.pxd): names of cells, planes, texts and drawings.

The planes of a board are bytes: one for the pieces of each role, and one that is all ones when the second role is to move.
"""

from libc.stdint cimport uint8_t

from paidia.core.game cimport Game, State

from paidia.core.errors import BadInput
from paidia.games.boards.drawing import cell_name, draw_grid
from paidia.games.boards.notation import read_board, read_role, write_board

cdef enum:
    N_PLANES = 3


cdef class GridGame(Game):
    """The rules of a game of two roles on a grid."""

    cdef void declare_grid(self, int rows, int columns, str symbols="xo") except *:
        self.rows, self.columns, self.symbols = rows, columns, symbols

    def move_name(self, int role, int move):
        """A move is a cell, unless a game says otherwise."""
        return cell_name(*divmod(move, self.columns))

    @property
    def observation_shape(self):
        return self.rows, self.columns, N_PLANES

    def read(self, str text, int words=0):
        """The pieces (rows x columns x 2), the role to move and the further words of a text."""
        return read_board(self, text, self.symbols, words)

    def replay(self, str text, str feat):
        """The position in which pieces were put one by one; its last word is the role that has won, - if nobody has.

        `feat` says what the winner has done, for an error.
        """
        cdef GridState state = self.initial_state()
        pieces, mover, (winner,) = self.read(text, 1)
        for row, column, role in zip(*pieces.nonzero()):        # from the lowest row up
            state.c_put(role, row, column)
            if state.c_content(row, column) != role:
                raise BadInput(f"{self.id}: a disc hangs in the air in {text!r}")
        state.c_hand_over(mover)
        if state.winning_role != read_role(self, winner, "the winner", nobody="-"):
            raise BadInput(f"{self.id}: {winner!r} is not who has {feat} in {text!r}")
        return state


cdef class GridState(State):
    """One position of a game on a grid."""

    cdef int c_content(self, int row, int column) noexcept nogil:
        return -1

    cdef void c_put(self, int role, int row, int column) noexcept nogil:
        pass

    cdef void c_hand_over(self, int role) noexcept nogil:
        pass

    @property
    def winning_role(self):
        """The role that the rules name as the winner, or -1."""
        return -1

    def content(self, int row, int column):
        """The role whose piece is here, or -1."""
        cdef GridGame game = <GridGame>self.game
        if not (0 <= row < game.rows and 0 <= column < game.columns):
            raise BadInput(f"{game.id} has {game.rows} rows and {game.columns} columns, and no cell ({row}, {column})")
        return self.c_content(row, column)

    def observe(self, uint8_t[:, :, ::1] out):
        cdef GridGame game = <GridGame>self.game
        cdef int row, column, content, mover = self.c_mover()
        if out.shape[0] != game.rows or out.shape[1] != game.columns or out.shape[2] != N_PLANES:
            raise ValueError(f"the planes of this board are an array of {game.rows} x {game.columns} x {N_PLANES} bytes")
        for row in range(game.rows):
            for column in range(game.columns):
                content = self.c_content(row, column)
                out[row, column, 0] = content == 0
                out[row, column, 1] = content == 1
                out[row, column, 2] = mover

    def words(self):
        """What a text says after the board and the role to move: here, who has won."""
        return [self.game.roles[self.winning_role] if self.winning_role >= 0 else "-"]

    def to_text(self):
        return write_board(self, self.game.symbols, *self.words())

    def below(self):
        """The line below a drawing."""
        mover = self.c_mover()
        return "game over" if self.c_terminal() else f"{self.game.roles[mover]} ({self.game.symbols[mover]}) to move"

    def draw(self):
        symbols = "." + self.game.symbols
        return draw_grid(
            self.game.rows, self.game.columns, lambda row, column: symbols[self.c_content(row, column) + 1], below=self.below())
