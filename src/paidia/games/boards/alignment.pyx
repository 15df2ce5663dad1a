# distutils: extra_compile_args = -O3
"""Tic-tac-toe, gomoku, connect five: place stones anywhere; k or more in a row win, a full board is a draw.

A move is its cell, row * columns + column, named by column letter and row number. The feature code of a
move is the move. A board is kept as lines: every row, column and diagonal is a small word for each player,
so a stone sets one bit in four words and only those four can hold a new run of k, or lack one stone for it.
"""

from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from paidia.core.machine.bits cimport lowest, mix
from paidia.core.model cimport Situation, move_t, note_move
from paidia.core.machine.rng cimport Rng, rng_below
from paidia.games.boards.grid cimport GridGame, GridState, share_goals

from paidia.games.boards.catalogue import BOARDS, BoardGame
from paidia.games.boards.pictures import line_scene, square_scene
from paidia.games.pieces import cross, ring, stone

cdef enum:
    MAX_CELLS = 361
    MAX_LINES = 112     # 19 rows, 19 columns, 37 diagonals each way
    WAYS = 4            # across, upright, rising, falling: a cell lies on one line of each
    MAX_K = 5

ctypedef struct Position:
    int mover
    int winner          # -1 while nobody has k in a row
    int left            # empty cells
    int last[2]         # where each role put its last stone, -1 before its first
    uint32_t stones[MAX_LINES][2]   # of each role in each line; last: a copy takes only the lines in use


ctypedef struct Rules:
    int rows
    int columns
    int k
    int first_column                # number of the line of column 0; rows come first
    int first_rising                # and of the diagonals, rising and falling to the right
    int first_falling
    int n_lines
    size_t position_bytes           # of a position up to its last line in use
    uint8_t row[MAX_CELLS]          # of every cell; a division would cost more than the four lines
    uint8_t column[MAX_CELLS]
    uint8_t line[MAX_CELLS][WAYS]   # the lines of every cell
    uint32_t inside[MAX_LINES]      # the places of a line that are on the board
    int16_t first[MAX_LINES]        # the cell at place 0 of a line, which may lie off the board
    int16_t step[MAX_LINES]         # and how much further the next one is
    Position start


ctypedef struct Threats:
    # Places where the last stone of a role lets it get k in a row, taken or not, on each of the four lines of that stone.
    uint8_t line[WAYS]
    uint32_t places[WAYS]


cdef inline uint32_t put(uint32_t* line, int place) noexcept nogil:
    line[0] |= (<uint32_t>1) << place
    return line[0]


cdef inline void place_stone(Position* p, const Rules* rules, int cell) noexcept nogil:
    """Put a stone of the mover on an empty cell and hand the turn over."""
    cdef int role = p.mover, row = rules.row[cell], column = rules.column[cell], _i
    cdef uint32_t across = put(&p.stones[row][role], column)
    cdef uint32_t upright = put(&p.stones[rules.first_column + column][role], row)
    cdef uint32_t rising = put(&p.stones[rules.first_rising + column - row][role], column)
    cdef uint32_t falling = put(&p.stones[rules.first_falling + column + row][role], column)
    for _i in range(rules.k - 1):
        across &= across >> 1
        upright &= upright >> 1
        rising &= rising >> 1
        falling &= falling >> 1
    if across | upright | rising | falling:
        p.winner = role
    p.left -= 1
    p.last[role] = cell
    p.mover = 1 - role


cdef inline void find_places(const Position* p, const Rules* rules, int role, Threats* threats, const int k) noexcept nogil:
    """The places on four lines, on the board, that make k in a row. Four lines at a time are one vector to the compiler."""
    cdef uint32_t line[WAYS]
    cdef uint32_t left[WAYS]            # a stones end just before a place
    cdef uint32_t right[MAX_K][WAYS]    # so many begin just after it
    cdef uint32_t found[WAYS]
    cdef int way, a
    for way in range(WAYS):
        line[way] = p.stones[threats.line[way]][role]
        left[way] = right[0][way] = ~(<uint32_t>0)
        found[way] = 0
    for a in range(1, k):
        for way in range(WAYS):
            right[a][way] = right[a - 1][way] & (line[way] >> a)
    for way in range(WAYS):
        found[way] = right[k - 1][way]
    for a in range(1, k):
        for way in range(WAYS):
            left[way] &= line[way] << a
            found[way] |= left[way] & right[k - 1 - a][way]
    for way in range(WAYS):
        threats.places[way] = found[way] & rules.inside[threats.line[way]]


cdef inline void find_threats(const Position* p, const Rules* rules, int role, int cell, Threats* threats) noexcept nogil:
    """What a stone of a role on a cell threatens."""
    memcpy(threats.line, rules.line[cell], sizeof(threats.line))
    if rules.k == 5:        # a constant that the compiler unrolls the loops with
        find_places(p, rules, role, threats, 5)
    else:
        find_places(p, rules, role, threats, rules.k)


cdef inline int completing(const Position* p, const Rules* rules, const Threats* threats) noexcept nogil:
    """An empty cell among these; -1 if there is none."""
    cdef int way, line
    cdef uint32_t places
    for way in range(WAYS):
        if threats.places[way]:
            line = threats.line[way]
            places = threats.places[way] & ~(p.stones[line][0] | p.stones[line][1])
            if places:
                return rules.first[line] + lowest(places) * rules.step[line]
    return -1


cdef class Alignment(GridGame):
    """The rules of one k-in-a-row game on one board size."""

    cdef Rules rules

    def __init__(self, str id, int rows, int columns, int k, *, tuple roles=("black", "white")):
        cdef Rules* rules = &self.rules
        cdef int cell, way, line
        if k > MAX_K:
            raise ValueError(f"{MAX_K} in a row at most, not {k}")
        rules.rows, rules.columns, rules.k = rows, columns, k
        rules.first_column = rows
        rules.first_rising = rows + columns + rows - 1      # column - row begins below 0
        rules.first_falling = rules.first_rising + columns
        rules.position_bytes = sizeof(Position) - sizeof(rules.start.stones)
        rules.n_lines = rules.first_falling + rows + columns - 1
        rules.position_bytes += rules.n_lines * sizeof(rules.start.stones[0])
        for cell in range(rows * columns):
            row, column = divmod(cell, columns)
            rules.row[cell], rules.column[cell] = row, column
            for way, (line, place, step) in enumerate((
                (row, column, 1),
                (rules.first_column + column, row, columns),
                (rules.first_rising + column - row, column, columns + 1),
                (rules.first_falling + column + row, column, 1 - columns),
            )):
                rules.line[cell][way] = line
                rules.inside[line] |= (<uint32_t>1) << <int>place
                rules.first[line], rules.step[line] = cell - place * step, step
        rules.start.winner = rules.start.last[0] = rules.start.last[1] = -1
        rules.start.left = rows * columns
        self.declare_grid(rows, columns)
        self.declare(id, roles, rows * columns, rows * columns)
        self.decisive = True

    def initial_state(self):
        return AlignmentState(self)

    def from_text(self, str text):
        """The board, the role to move, and the role that has won (- if nobody has)."""
        return self.replay(text, f"{self.rules.k} in a row")


cdef class AlignmentState(GridState):
    """One position of a k-in-a-row game."""

    cdef const Rules* rules
    cdef Position p
    cdef move_t moves[MAX_CELLS]

    def __init__(self, Alignment game not None):
        self.game = game
        self.rules = &game.rules
        self.p = game.rules.start

    cdef int c_mover(self) noexcept nogil:
        return self.p.mover

    cdef int c_legal(self, int role, const move_t** moves) noexcept nogil:
        moves[0] = self.moves
        return self.empty_cells() if role == self.p.mover else 0

    cdef inline int empty_cells(self) noexcept nogil:
        """Write the empty cells into the buffer of moves; returns how many."""
        cdef int row, columns = self.rules.columns, n = 0
        cdef uint64_t empty
        for row in range(self.rules.rows):
            empty = ~(self.p.stones[row][0] | self.p.stones[row][1]) & (((<uint64_t>1) << columns) - 1)
            while empty:
                self.moves[n] = row * columns + lowest(empty)
                n += 1
                empty &= empty - 1
        return n

    cdef inline int completing_beside(self, int role, int cell) noexcept nogil:
        """An empty cell where a role gets k in a row, on a line with this cell; -1 if there is none."""
        cdef Threats threats
        if cell < 0:
            return -1
        find_threats(&self.p, self.rules, role, cell, &threats)
        return completing(&self.p, self.rules, &threats)

    cdef int completing_anywhere(self, int role) noexcept nogil:
        """The same on any line."""
        cdef Threats threats
        cdef int group, way, cell
        for group in range((self.rules.n_lines + WAYS - 1) // WAYS):
            for way in range(WAYS):
                threats.line[way] = WAYS * group + way      # what is behind the last line holds no stones
            find_places(&self.p, self.rules, role, &threats, self.rules.k)
            cell = completing(&self.p, self.rules, &threats)
            if cell >= 0:
                return cell
        return -1

    cdef int c_decisive(self, int role, const move_t** moves) noexcept nogil:
        cdef int cell, older
        moves[0] = self.moves
        if role != self.p.mover:
            return 0
        cell = self.completing_beside(role, self.p.last[role])
        if cell < 0:
            cell = self.completing_beside(1 - role, self.p.last[1 - role])
            older = self.completing_anywhere(role) if cell >= 0 else -1
            cell = older if older >= 0 else cell
        if cell < 0:
            return self.empty_cells()
        self.moves[0] = cell
        return 1

    cdef void c_play(self, const move_t* joint) noexcept nogil:
        place_stone(&self.p, self.rules, joint[self.p.mover])

    cdef bint c_terminal(self) noexcept nogil:
        return self.p.winner >= 0 or self.p.left == 0

    cdef void c_goals(self, double* goals) noexcept nogil:
        share_goals(goals, self.p.winner)

    cdef void c_copy(self, Situation other) noexcept nogil:
        memcpy(&self.p, &(<AlignmentState>other).p, self.rules.position_bytes)

    cdef uint64_t c_key(self) noexcept nogil:
        cdef uint64_t key = mix(self.p.mover, 0)
        cdef int row
        for row in range(self.rules.rows):
            key = mix(key, (<uint64_t>self.p.stones[row][0] << 32) | self.p.stones[row][1])
        return key

    cdef int c_playout(self, Rng* rng, int limit, move_t* played) noexcept nogil:
        # Lists the empty cells once; a drawn cell is replaced by the last of the list.
        cdef int n, pick, cell, steps = 0
        if self.p.winner >= 0:
            return 0
        n = self.empty_cells()
        while steps < limit and n > 0:
            pick = rng_below(rng, n)
            cell = self.moves[pick]
            n -= 1
            self.moves[pick] = self.moves[n]
            note_move(played, steps, self.p.mover, cell)
            place_stone(&self.p, self.rules, cell)
            steps += 1
            if self.p.winner >= 0:
                break
        return steps

    cdef int c_decisive_playout(self, Rng* rng, int limit, move_t* played) noexcept nogil:
        # As above. What a stone threatens is looked for when it is put, and older threats but once for each role: whoever has a
        # new one wins with it or loses it to the next stone.
        cdef Threats threats[2]
        cdef bint looked[2]
        cdef uint16_t where[MAX_CELLS]      # in the list, of each empty cell
        cdef int n, i, pick, cell, older, role, steps = 0
        if self.p.winner >= 0:
            return 0
        n = self.empty_cells()
        for i in range(n):
            where[self.moves[i]] = i
        for role in range(2):
            looked[role] = False
            memset(&threats[role], 0, sizeof(Threats))
            if self.p.last[role] >= 0:
                find_threats(&self.p, self.rules, role, self.p.last[role], &threats[role])
        while steps < limit and n > 0:
            role = self.p.mover
            cell = completing(&self.p, self.rules, &threats[role])
            if cell < 0:
                cell = completing(&self.p, self.rules, &threats[1 - role])
                if cell >= 0 and not looked[role]:
                    looked[role] = True
                    older = self.completing_anywhere(role)
                    cell = older if older >= 0 else cell
            if cell >= 0:
                pick = where[cell]
            else:
                pick = rng_below(rng, n) if n > 1 else 0
                cell = self.moves[pick]
            n -= 1
            self.moves[pick] = self.moves[n]
            where[self.moves[n]] = pick
            note_move(played, steps, role, cell)
            place_stone(&self.p, self.rules, cell)
            steps += 1
            if self.p.winner >= 0:
                break
            find_threats(&self.p, self.rules, role, cell, &threats[role])
        return steps

    cdef int c_content(self, int row, int column) noexcept nogil:
        return 0 if (self.p.stones[row][0] >> column) & 1 else 1 if (self.p.stones[row][1] >> column) & 1 else -1

    cdef void c_put(self, int role, int row, int column) noexcept nogil:
        self.p.mover = role
        place_stone(&self.p, self.rules, row * self.rules.columns + column)

    cdef void c_hand_over(self, int role) noexcept nogil:
        self.p.mover = role

    @property
    def winning_role(self):
        return self.p.winner

    def picture(self):
        cdef int rows = self.rules.rows, columns = self.rules.columns
        if self.game.roles[0] == "black":
            return line_scene(rows, columns, self.content, (stone("black"), stone("white")), caption=self.caption())
        return square_scene(
            rows, columns, self.content, (cross("blue"), ring("red")), caption=self.caption(), checkered=False)


def _register(id, summary, k, side, largest, roles):
    BOARDS.add(BoardGame(
        id=id, summary=summary, roles=roles, rows=side, columns=side,
        smallest=(k, k), largest=(largest, largest),
        make=lambda id, rows, columns: Alignment(id, rows, columns, k, roles=roles),
    ))


_register("tic-tac-toe", "three in a row on nine cells", 3, 3, 3, ("x", "o"))
_register("gomoku", "five or more in a row win", 5, 15, 19, ("black", "white"))
_register("connect5", "five or more in a row on a small board", 5, 8, 19, ("x", "o"))
