# distutils: extra_compile_args = -O3
"""Breakthrough and knightthrough, plain and misere: pieces race forward to the last row.

Two rows of pieces on each side. A breakthrough pawn steps one row forward, straight (never capturing) or
diagonally (capturing what stands there); a knightthrough knight makes one of the four forward knight's jumps, capturing
what stands there. Who reaches the last row wins, and so does who captured everything; in the misere games both lose.

A move is from-cell * directions + direction; its feature code adds one bit: does it capture (PPAF).
"""

from libc.stdint cimport int16_t, int32_t, uint64_t
from libc.string cimport memset

from paidia.core.machine.bits cimport Bits, down, flip, lowest, mix, nth, popcount, test, up
from paidia.core.game cimport State
from paidia.core.model cimport Situation, move_t, note_move
from paidia.core.machine.rng cimport Rng, rng_below
from paidia.games.boards.grid cimport GridGame, GridState, holder, key_of

from paidia.core.errors import BadInput
from paidia.games.boards.catalogue import BOARDS, BoardGame
from paidia.games.boards.drawing import cell_name
from paidia.games.boards.notation import read_role
from paidia.games.boards.pictures import square_scene
from paidia.games.pieces import man

cdef enum:
    MAX_DIRECTIONS = 4
    MAX_PIECES = 38     # two rows of nineteen
    MAX_MOVES = 19 * 19 * MAX_DIRECTIONS

ctypedef struct Position:
    Bits pieces[2]
    int mover
    int winner          # -1 while the game goes on


ctypedef struct Rules:
    int rows
    int columns
    int n_words
    int n_directions
    bint misere
    int shift[MAX_DIRECTIONS]           # cells that a step forward in each direction covers, seen by role 0
    int mirrored[MAX_DIRECTIONS]        # the same for role 1, whose forward is down the board
    uint64_t barred[MAX_DIRECTIONS]     # all ones where a step cannot capture, else 0
    uint64_t last_row[2]                # cells that end the game, on a one-word board
    int16_t origin[MAX_MOVES]           # where each move starts
    int16_t target[2][MAX_MOVES]        # where each move of each role leads, -1 off the board
    Bits source[2][MAX_DIRECTIONS]      # cells from which the step stays on the board
    Bits last_step[2][MAX_DIRECTIONS]   # cells from which it leads to the last row
    Bits near[2]                        # cells from which some step does
    Position start


cdef inline bint keep_marked(
    Bits* from_cells, const Bits* marks, bint marked, const int n_directions, int n_words,
) noexcept nogil:
    """Leave the moves in each direction from marked cells, or from the others, if there are any."""
    cdef uint64_t flips = 0 if marked else ~(<uint64_t>0)
    cdef uint64_t found = 0
    cdef int d, i
    for d in range(n_directions):
        for i in range(n_words):
            found |= from_cells[d].w[i] & (marks[d].w[i] ^ flips)
    if found:
        for d in range(n_directions):
            for i in range(n_words):
                from_cells[d].w[i] &= marks[d].w[i] ^ flips
    return found != 0


cdef inline void keep_decisive(
    const Rules* rules, const Bits* own, const Bits* other, Bits* from_cells, const int n_directions, int role, int n_words,
) noexcept nogil:
    """Leave the decisive ones of the moves of a role: `from_cells` has the cells they start from, in each direction.

    A piece a step before its last row gets there whatever is done about it, but for its capture.
    """
    cdef Bits marks[MAX_DIRECTIONS]
    cdef Bits near
    cdef int d, i, many = 0
    if rules.misere:
        keep_marked(from_cells, rules.last_step[role], False, n_directions, n_words)
        return
    if holds(own, &rules.near[role], n_words) and keep_marked(from_cells, rules.last_step[role], True, n_directions, n_words):
        return
    for i in range(n_words):
        near.w[i] = other.w[i] & rules.near[1 - role].w[i]
        many += popcount(near.w[i])
    if many != 1:       # where there are two, one is left
        return
    for d in range(n_directions):
        for i in range(n_words):
            marks[d].w[i] = (
                down(&near, i, rules.shift[d], n_words) if role == 0 else up(&near, i, rules.mirrored[d])
            ) & ~rules.barred[d]
    keep_marked(from_cells, marks, True, n_directions, n_words)


cdef inline bint holds(const Bits* cells, const Bits* others, int n_words) noexcept nogil:
    """Whether two sets have a cell in common."""
    cdef uint64_t found = 0
    cdef int i
    for i in range(n_words):
        found |= cells.w[i] & others.w[i]
    return found != 0


cdef inline uint64_t random_ply(
    const Rules* rules, Bits* own, Bits* other, Rng* rng, const int n_directions, const int role, const bint decisive,
    move_t* move,
) noexcept nogil:
    """One random move on a one-word board, picked by number instead of from a list; returns the target cell."""
    cdef Bits from_cells[MAX_DIRECTIONS]
    cdef uint64_t blocked, target
    cdef int before[MAX_DIRECTIONS + 1]     # moves in the directions before each
    cdef int d, k, pick, cell
    before[0] = 0
    for d in range(n_directions):
        blocked = own.w[0] | (other.w[0] & rules.barred[d])
        blocked = blocked >> rules.shift[d] if role == 0 else blocked << rules.mirrored[d]
        from_cells[d].w[0] = own.w[0] & rules.source[role][d].w[0] & ~blocked
    if decisive:
        keep_decisive(rules, own, other, from_cells, n_directions, role, 1)
    for d in range(n_directions):
        before[d + 1] = before[d] + popcount(from_cells[d].w[0])
    pick = rng_below(rng, before[n_directions])
    d = 0
    for k in range(1, n_directions):
        d += pick >= before[k]
    cell = nth(from_cells[d].w[0], pick - before[d])
    target = (<uint64_t>1) << (cell + rules.shift[d] if role == 0 else cell - rules.mirrored[d])
    own.w[0] ^= ((<uint64_t>1) << cell) | target
    other.w[0] &= ~target
    move[0] = cell * n_directions + d
    return target


cdef inline int word_playout(
    const Rules* rules, Position* p, Rng* rng, int limit, move_t* played, const int n_directions, const bint decisive,
) noexcept nogil:
    """A random game on a one-word board. The constants let the compiler unroll all loops and keep all in registers."""
    cdef Bits white, black
    cdef Rng own_rng = rng[0]
    cdef int steps = 0, role = p.mover, winner = p.winner
    cdef uint64_t target
    cdef move_t move
    white.w[0], black.w[0] = p.pieces[0].w[0], p.pieces[1].w[0]
    while steps < limit and winner < 0:
        if role == 0:
            role = 1
            target = random_ply(rules, &white, &black, &own_rng, n_directions, 0, decisive, &move)
            if target & rules.last_row[0] or black.w[0] == 0:
                winner = 0
        else:
            role = 0
            target = random_ply(rules, &black, &white, &own_rng, n_directions, 1, decisive, &move)
            if target & rules.last_row[1] or white.w[0] == 0:
                winner = 1
        note_move(played, steps, 1 - role, move)
        steps += 1
    p.winner = winner
    rng[0] = own_rng
    p.pieces[0].w[0] = white.w[0]
    p.pieces[1].w[0] = black.w[0]
    p.mover = role
    return steps


cdef inline uint64_t sources(const Rules* rules, const Position* p, int role, int d, int i, const int n_words) noexcept nogil:
    """Word i of the cells from which `role` can move in direction d."""
    cdef const Bits* own = &p.pieces[role]
    cdef const Bits* other = &p.pieces[1 - role]
    cdef Bits taken
    cdef int k
    cdef uint64_t blocked
    if n_words == 1:
        blocked = own.w[0] | (other.w[0] & rules.barred[d])
        blocked = blocked >> rules.shift[d] if role == 0 else blocked << rules.mirrored[d]
        return own.w[0] & rules.source[role][d].w[0] & ~blocked
    for k in range(n_words):
        taken.w[k] = own.w[k] | (other.w[k] & rules.barred[d])
    blocked = down(&taken, i, rules.shift[d], n_words) if role == 0 else up(&taken, i, rules.mirrored[d])
    return own.w[i] & rules.source[role][d].w[i] & ~blocked


cdef inline bint arrived(const Rules* rules, int role, int cell) noexcept nogil:
    """Whether a cell is on the last row of a role."""
    return cell >= (rules.rows - 1) * rules.columns if role == 0 else cell < rules.columns


cdef inline void advance(const Rules* rules, Position* p, move_t move) noexcept nogil:
    """Play a move of the mover."""
    cdef int role = p.mover, other = 1 - role
    cdef int target = rules.target[role][move], i
    cdef uint64_t left = 0
    flip(&p.pieces[role], rules.origin[move])
    flip(&p.pieces[role], target)
    if test(&p.pieces[other], target):
        flip(&p.pieces[other], target)
        for i in range(rules.n_words):
            left |= p.pieces[other].w[i]
        if left == 0:
            p.winner = role
    if arrived(rules, role, target):
        p.winner = role
    p.mover = other


cdef class Race(GridGame):
    """The rules of one race game on one board size."""

    cdef Rules rules
    cdef readonly str man           # what its pieces look like

    def __init__(self, str id, int rows, int columns, tuple steps, *, bint misere=False):
        """`steps` are (rows forward, columns right, may capture)."""
        cdef int role, d, row, column, cell, forward, right, n_directions = <int>len(steps)
        cdef Rules* rules = &self.rules
        rules.rows, rules.columns, rules.misere = rows, columns, misere
        rules.n_words = (rows * columns + 63) // 64
        rules.n_directions = n_directions
        self.man = "knight" if any(abs(right) > 1 for _, right, _ in steps) else "pawn"
        self.declare_grid(rows, columns, "ox")
        self.declare(
            id, ("white", "black"), rows * columns * n_directions, 2 * columns * n_directions,
            2 * rows * columns * n_directions,
        )
        self.decisive = True
        for d in range(n_directions):
            forward, right, captures = steps[d]
            rules.barred[d] = 0 if captures else ~(<uint64_t>0)
            rules.shift[d] = forward * columns + right
            rules.mirrored[d] = forward * columns - right
            for row in range(rows):
                for column in range(columns):
                    cell = row * columns + column
                    rules.origin[cell * n_directions + d] = cell
                    rules.target[0][cell * n_directions + d] = rules.target[1][cell * n_directions + d] = -1
                    if not 0 <= column + right < columns:
                        continue
                    if row + forward < rows:
                        flip(&rules.source[0][d], cell)
                        rules.target[0][cell * n_directions + d] = cell + rules.shift[d]
                    if row - forward >= 0:
                        flip(&rules.source[1][d], cell)
                        rules.target[1][cell * n_directions + d] = cell - rules.mirrored[d]
                    for role, last in ((0, row + forward == rows - 1), (1, row == forward)):
                        if last:
                            flip(&rules.last_step[role][d], cell)
                            rules.near[role].w[cell >> 6] |= (<uint64_t>1) << (cell & 63)
        for role in range(2):
            for row in ((0, 1), (rows - 1, rows - 2))[role]:
                for column in range(columns):
                    flip(&rules.start.pieces[role], row * columns + column)
        for column in range(columns if rules.n_words == 1 else 0):
            rules.last_row[0] |= (<uint64_t>1) << ((rows - 1) * columns + column)
            rules.last_row[1] |= (<uint64_t>1) << column
        rules.start.winner = -1

    def initial_state(self):
        return RaceState(self)

    def move_name(self, int role, int move):
        cdef int columns = self.rules.columns
        self.check_role(role)
        if not 0 <= move < self.n_moves or self.rules.target[role][move] < 0:
            return f"off-board-{move}"
        cell, target = self.rules.origin[move], self.rules.target[role][move]
        return cell_name(*divmod(cell, columns)) + cell_name(*divmod(target, columns))

    def from_text(self, str text):
        """The board, the role to move, and the role that has won (- while the game goes on)."""
        cdef RaceState state = RaceState(self)
        cdef int role, row, column
        pieces, mover, (winner,) = self.read(text, 1)
        memset(&state.p, 0, sizeof(Position))
        state.p.mover = mover
        state.p.winner = read_role(self, winner, "the winner", nobody="-")
        for role in range(2):
            if pieces[:, :, role].sum() > 2 * self.rules.columns:
                raise BadInput(f"{self.id}: a role has at most {2 * self.rules.columns} pieces")
            for row, column in zip(*pieces[:, :, role].nonzero()):
                flip(&state.p.pieces[role], row * self.rules.columns + column)
        if state.p.winner < 0 and not state.legal(mover):
            raise BadInput(f"{self.id}: {self.roles[mover]} cannot move in {text!r}")
        return state


cdef class RaceState(GridState):
    """One position of a race game."""

    cdef const Rules* rules
    cdef Position p
    cdef move_t moves[MAX_PIECES * MAX_DIRECTIONS]

    def __init__(self, Race game not None):
        self.game = game
        self.rules = &game.rules
        self.p = game.rules.start

    cdef int c_mover(self) noexcept nogil:
        return self.p.mover

    cdef int c_legal(self, int role, const move_t** moves) noexcept nogil:
        moves[0] = self.moves
        if role != self.p.mover:
            return 0
        return self.write_moves(role, False)

    cdef int c_decisive(self, int role, const move_t** moves) noexcept nogil:
        moves[0] = self.moves
        return self.write_moves(role, True) if role == self.p.mover else 0

    cdef inline int write_moves(self, int role, const bint decisive) noexcept nogil:
        if self.rules.n_directions == 3:    # a constant that the compiler unrolls the loops with
            return self.list_moves(role, 3, 1, decisive) if self.rules.n_words == 1 else self.list_moves(
                role, 3, self.rules.n_words, decisive)
        return self.list_moves(role, 4, 1, decisive) if self.rules.n_words == 1 else self.list_moves(
            role, 4, self.rules.n_words, decisive)

    cdef inline int list_moves(self, int role, const int n_directions, const int n_words, const bint decisive) noexcept nogil:
        """Write the moves of a role, or the decisive ones of them, into the buffer; returns how many."""
        cdef Bits from_cells[MAX_DIRECTIONS]
        cdef uint64_t any_cells
        cdef int i, d, bit, first, n = 0
        for d in range(n_directions):
            for i in range(n_words):
                from_cells[d].w[i] = sources(self.rules, &self.p, role, d, i, n_words)
        if decisive:
            keep_decisive(self.rules, &self.p.pieces[role], &self.p.pieces[1 - role], from_cells, n_directions, role, n_words)
        for i in range(n_words):
            any_cells = 0
            for d in range(n_directions):
                any_cells |= from_cells[d].w[i]
            while any_cells:
                bit = lowest(any_cells)
                any_cells &= any_cells - 1
                first = (64 * i + bit) * n_directions
                for d in range(n_directions):
                    self.moves[n] = first + d
                    n += (from_cells[d].w[i] >> bit) & 1
        return n

    cdef void c_play(self, const move_t* joint) noexcept nogil:
        advance(self.rules, &self.p, joint[self.p.mover])

    cdef bint c_terminal(self) noexcept nogil:
        return self.p.winner >= 0

    cdef void c_goals(self, double* goals) noexcept nogil:
        if self.p.winner < 0:
            goals[0] = goals[1] = 0.5
        else:
            goals[self.p.winner] = 0.0 if self.rules.misere else 1.0
            goals[1 - self.p.winner] = 1.0 if self.rules.misere else 0.0

    cdef void c_copy(self, Situation other) noexcept nogil:
        self.p = (<RaceState>other).p

    cdef uint64_t c_key(self) noexcept nogil:
        return key_of(mix(self.p.mover, 0), self.p.pieces, self.rules.n_words)

    cdef void c_codes(self, int role, const move_t* moves, int n, int32_t* codes) noexcept nogil:
        cdef const int16_t* target = self.rules.target[role]
        cdef uint64_t other = self.p.pieces[1 - role].w[0]
        cdef int i
        if self.rules.n_words == 1:
            for i in range(n):
                codes[i] = 2 * moves[i] + <int>((other >> target[moves[i]]) & 1)
        else:
            for i in range(n):
                codes[i] = 2 * moves[i] + test(&self.p.pieces[1 - role], target[moves[i]])

    cdef int c_playout(self, Rng* rng, int limit, move_t* played) noexcept nogil:
        if self.rules.n_words > 1:
            return State.c_playout(self, rng, limit, played)
        return self.quick_playout(rng, limit, played, False)

    cdef int c_decisive_playout(self, Rng* rng, int limit, move_t* played) noexcept nogil:
        if self.rules.n_words > 1:
            return State.c_decisive_playout(self, rng, limit, played)
        return self.quick_playout(rng, limit, played, True)

    cdef inline int quick_playout(self, Rng* rng, int limit, move_t* played, const bint decisive) noexcept nogil:
        if self.rules.n_directions == 3:    # a constant that the compiler unrolls the loops with
            return word_playout(self.rules, &self.p, rng, limit, played, 3, decisive)
        return word_playout(self.rules, &self.p, rng, limit, played, 4, decisive)

    cdef int c_content(self, int row, int column) noexcept nogil:
        cdef int cell = row * self.rules.columns + column
        return holder(self.p.pieces, cell)

    @property
    def winning_role(self):
        return self.p.winner

    def picture(self):
        kind = (<Race>self.game).man
        return square_scene(
            self.rules.rows, self.rules.columns, self.content, (man(kind, "white"), man(kind, "black")), caption=self.caption())


PAWN = ((1, -1, True), (1, 0, False), (1, 1, True))
KNIGHT = ((1, -2, True), (2, -1, True), (2, 1, True), (1, 2, True))


def _register(id, summary, steps, misere, smallest):
    BOARDS.add(BoardGame(
        id=id, summary=summary, roles=("white", "black"), smallest=smallest,
        make=lambda id, rows, columns: Race(id, rows, columns, steps, misere=misere),
    ))


_register("breakthrough", "pawns race to the last row", PAWN, False, (4, 2))
_register("misere-breakthrough", "breakthrough, but who gets there loses", PAWN, True, (4, 2))
_register("knightthrough", "knights race to the last row", KNIGHT, False, (4, 4))
_register("misere-knightthrough", "knightthrough, but who gets there loses", KNIGHT, True, (4, 4))
