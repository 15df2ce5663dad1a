# distutils: extra_compile_args = -O3
"""Connect four: discs fall down the columns; four in a row in any direction win, a full board is a draw.

A move is its column, named by its letter. Cells are bits in column order with one guard bit on top of each
column, so that a run of four is found by shifting a player's whole board against itself and a full column
shows as a carry into its guard. The feature code of a move is the move.
"""

from libc.stdint cimport uint64_t

from paidia.core.machine.bits cimport Bits, down, flip, mix, popcount
from paidia.core.game cimport State
from paidia.core.model cimport Situation, move_t, note_move
from paidia.core.machine.rng cimport Rng, rng_next
from paidia.games.boards.grid cimport GridGame, GridState, holder, key_of, share_goals

from paidia.games.boards.catalogue import BOARDS, BoardGame
from paidia.games.boards.pictures import frame_scene
from paidia.games.pieces import disc

cdef enum:
    MAX_SIDE = 19

ctypedef struct Position:
    Bits discs[2]
    int left            # empty cells
    int mover
    int winner          # -1 while nobody has four in a row


ctypedef struct Rules:
    int rows
    int columns
    int n_words
    uint64_t bottom[MAX_SIDE]       # on a board of one word: the lowest cell of each column
    uint64_t column[MAX_SIDE]       # and all its cells, without the guard
    uint64_t bottoms                # all the lowest cells
    uint64_t cells                  # and all cells
    Position start


cdef inline uint64_t four(uint64_t discs, int column_bits) noexcept nogil:
    """Not 0 if a board of one word holds four in a row; `column_bits` = rows + 1."""
    cdef uint64_t up = discs & (discs >> 1)
    cdef uint64_t across = discs & (discs >> column_bits)
    cdef uint64_t rising = discs & (discs >> (column_bits + 1))
    cdef uint64_t falling = discs & (discs >> (column_bits - 1))
    return (
        (up & (up >> 2)) | (across & (across >> (2 * column_bits)))
        | (rising & (rising >> (2 * column_bits + 2))) | (falling & (falling >> (2 * column_bits - 2)))
    )


cdef inline bint four_in_line(const Bits* discs, int step, int n_words) noexcept nogil:
    """Whether a board of several words holds four in a row in one direction."""
    cdef Bits pairs
    cdef int i
    for i in range(n_words):
        pairs.w[i] = discs.w[i] & down(discs, i, step, n_words)
    for i in range(n_words):
        if pairs.w[i] & down(&pairs, i, 2 * step, n_words):
            return True
    return False


cdef inline int height(const Position* p, const Rules* rules, int column) noexcept nogil:
    """How many discs lie in a column: its bits, which may stand astride two words, counted."""
    cdef int first = column * (rules.rows + 1)
    cdef int i = first >> 6, k = first & 63
    cdef uint64_t discs = (p.discs[0].w[i] | p.discs[1].w[i]) >> k
    if k + rules.rows > 64:
        discs |= (p.discs[0].w[i + 1] | p.discs[1].w[i + 1]) << (64 - k)
    return popcount(discs & (((<uint64_t>1) << rules.rows) - 1))


cdef inline uint64_t landing(uint64_t discs, const Rules* rules, int column) noexcept nogil:
    """On a board of one word: the cell in which the next disc of a column comes to lie, 0 if it is full."""
    return (discs + rules.bottom[column]) & rules.column[column]


cdef inline uint64_t beside_three(uint64_t discs, int step) noexcept nogil:
    """The cells, on the board or not, that make four in a row in one direction."""
    cdef uint64_t below = (discs << step) & (discs << (2 * step)), above = (discs >> step) & (discs >> (2 * step))
    return (below & ((discs << (3 * step)) | (discs >> step))) | (above & ((discs >> (3 * step)) | (discs << step)))


cdef inline uint64_t completing(uint64_t discs, int column_bits) noexcept nogil:
    """The cells of a board of one word that would make four in a row."""
    return (
        ((discs << 1) & (discs << 2) & (discs << 3)) | beside_three(discs, column_bits)
        | beside_three(discs, column_bits + 1) | beside_three(discs, column_bits - 1)
    )


cdef class Connect4(GridGame):
    """The rules of connect four on one board size."""

    cdef Rules rules

    def __init__(self, str id, int rows, int columns):
        cdef Rules* rules = &self.rules
        cdef int column
        rules.rows, rules.columns = rows, columns
        rules.n_words = ((rows + 1) * columns + 63) // 64
        self.declare_grid(rows, columns)
        self.declare(id, ("red", "yellow"), columns, columns)
        self.decisive = rules.n_words == 1
        if rules.n_words == 1:
            for column in range(columns):
                rules.bottom[column] = (<uint64_t>1) << (column * (rows + 1))
                rules.column[column] = rules.bottom[column] * (((<uint64_t>1) << rows) - 1)
                rules.bottoms |= rules.bottom[column]
                rules.cells |= rules.column[column]
        rules.start.left = rows * columns
        rules.start.winner = -1

    def initial_state(self):
        return Connect4State(self)

    def move_name(self, int role, int move):
        return chr(ord("a") + move)

    def from_text(self, str text):
        """The board, the role to move, and the role that has won (- if nobody has)."""
        return self.replay(text, "four in a row")


cdef class Connect4State(GridState):
    """One position of connect four."""

    cdef const Rules* rules
    cdef Position p
    cdef move_t moves[MAX_SIDE]

    def __init__(self, Connect4 game not None):
        self.game = game
        self.rules = &game.rules
        self.p = game.rules.start

    cdef int c_mover(self) noexcept nogil:
        return self.p.mover

    cdef int c_legal(self, int role, const move_t** moves) noexcept nogil:
        cdef int column, n = 0
        cdef uint64_t discs
        moves[0] = self.moves
        if role != self.p.mover:
            return 0
        if self.rules.n_words == 1:
            discs = self.p.discs[0].w[0] | self.p.discs[1].w[0]
            for column in range(self.rules.columns):
                self.moves[n] = column
                n += landing(discs, self.rules, column) != 0
            return n
        for column in range(self.rules.columns):
            self.moves[n] = column
            n += height(&self.p, self.rules, column) < self.rules.rows
        return n

    cdef int c_decisive(self, int role, const move_t** moves) noexcept nogil:
        cdef const Rules* rules = self.rules
        cdef uint64_t own, other, cells, wins, drop
        cdef int column, n = 0
        if not self.game.decisive or role != self.p.mover:
            return self.c_legal(role, moves)
        moves[0] = self.moves
        own, other = self.p.discs[role].w[0], self.p.discs[1 - role].w[0]
        cells = ((own | other) + rules.bottoms) & rules.cells       # where the next discs come to lie
        wins = rules.cells & (completing(other, 7) if rules.rows == 6 else completing(other, rules.rows + 1))
        drop = cells & (completing(own, 7) if rules.rows == 6 else completing(own, rules.rows + 1))
        if drop == 0:
            drop = cells & wins         # or the other role puts a disc there
            if drop == 0:
                drop = cells & ~(wins >> 1)     # nor below such a cell
        if drop:
            cells = drop
        for column in range(rules.columns):
            self.moves[n] = column
            n += cells & rules.column[column] != 0
        return n

    cdef void c_play(self, const move_t* joint) noexcept nogil:
        cdef const Rules* rules = self.rules
        cdef int role = self.p.mover, column = joint[role], column_bits = rules.rows + 1
        cdef Bits* discs = &self.p.discs[role]
        self.p.left -= 1
        self.p.mover = 1 - role
        if rules.n_words == 1:
            discs.w[0] |= landing(discs.w[0] | self.p.discs[1 - role].w[0], rules, column)
            if four(discs.w[0], 7) if column_bits == 7 else four(discs.w[0], column_bits):      # immediate shifts
                self.p.winner = role
            return
        flip(discs, column * column_bits + height(&self.p, rules, column))
        if (
            four_in_line(discs, 1, rules.n_words) or four_in_line(discs, column_bits, rules.n_words)
            or four_in_line(discs, column_bits + 1, rules.n_words)
            or four_in_line(discs, column_bits - 1, rules.n_words)
        ):
            self.p.winner = role

    cdef bint c_terminal(self) noexcept nogil:
        return self.p.winner >= 0 or self.p.left == 0

    cdef void c_goals(self, double* goals) noexcept nogil:
        share_goals(goals, self.p.winner)

    cdef void c_copy(self, Situation other) noexcept nogil:
        self.p = (<Connect4State>other).p

    cdef uint64_t c_key(self) noexcept nogil:
        return key_of(mix(self.p.mover, 0), self.p.discs, self.rules.n_words)

    cdef int c_playout(self, Rng* rng, int limit, move_t* played) noexcept nogil:
        # Constants for the usual board give the win test immediate shifts.
        if self.rules.n_words > 1:
            return State.c_playout(self, rng, limit, played)
        if self.rules.rows == 6 and self.rules.columns == 7:
            return self.playout(rng, limit, played, 6, 7)
        return self.playout(rng, limit, played, self.rules.rows, self.rules.columns)

    cdef inline int playout(self, Rng* rng, int limit, move_t* played, int rows, int columns) noexcept nogil:
        """A board of one word: draw columns until one is open, which is uniform over the open ones."""
        cdef const Rules* rules = self.rules
        cdef int mover = self.p.mover, left = self.p.left, steps = 0, column
        cdef uint64_t own = self.p.discs[mover].w[0], other = self.p.discs[1 - mover].w[0], drop
        cdef Rng local = rng[0]
        if self.p.winner >= 0:
            return 0
        if limit > left:
            limit = left
        while steps < limit:
            column = <int>(((rng_next(&local) >> 32) * <uint64_t>columns) >> 32)
            drop = landing(own | other, rules, column)
            if drop == 0:
                continue
            note_move(played, steps, mover ^ (steps & 1), column)
            steps += 1
            drop |= own
            own = other
            other = drop
            if four(drop, rows + 1):
                self.p.winner = mover ^ ((steps - 1) & 1)
                break
        mover ^= steps & 1
        self.p.mover = mover
        self.p.left = left - steps
        self.p.discs[mover].w[0] = own
        self.p.discs[1 - mover].w[0] = other
        rng[0] = local
        return steps

    cdef int c_content(self, int row, int column) noexcept nogil:
        cdef int cell = column * (self.rules.rows + 1) + row
        return holder(self.p.discs, cell)

    cdef void c_put(self, int role, int row, int column) noexcept nogil:
        cdef move_t joint[2]
        joint[0] = joint[1] = column
        self.p.mover = role
        self.c_play(joint)

    cdef void c_hand_over(self, int role) noexcept nogil:
        self.p.mover = role

    @property
    def winning_role(self):
        return self.p.winner

    def picture(self):
        return frame_scene(
            self.rules.rows, self.rules.columns, self.content, (disc("red"), disc("yellow")), caption=self.caption())

    def touched(self, int role, int move):
        return [self.game.move_name(role, move)]


BOARDS.add(BoardGame(
    id="connect4", summary="drop discs, four in a row win", roles=("red", "yellow"), rows=6, columns=7,
    smallest=(4, 4), make=Connect4,
))
