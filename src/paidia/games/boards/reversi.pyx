# distutils: extra_compile_args = -O3
"""Reversi (Othello): a disc must flank, and turns over, runs of the other colour; most discs at the end win.

The four middle cells start taken crosswise and black begins. Who can turn nothing over has to pass; the
game ends when neither can. Goals: 1 for more discs, 0.5 each for as many. A move is its cell, row * columns
+ column, named by column letter and row number; the last id is `pass`. The feature code of a move is the
move.

Runs are found for all cells at once by flooding: from one player's discs, step by step through the other's
discs in one of the eight directions. A flood never enters the outer columns on the way sideways, so it
cannot wrap around the board.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from paidia.core.machine.bits cimport Bits, down, flip, lowest, mix, nth, popcount, up
from paidia.core.game cimport State
from paidia.core.model cimport Situation, move_t, note_move
from paidia.core.machine.rng cimport Rng, rng_below, rng_next
from paidia.games.boards.grid cimport GridGame, GridState, holder, key_of

from paidia.games.boards.catalogue import BOARDS, BoardGame
from paidia.games.boards.drawing import cell_name
from paidia.games.boards.pictures import square_scene
from paidia.games.pieces import stone

cdef enum:
    MAX_CELLS = 256

ctypedef struct Position:
    Bits discs[2]
    Bits moves          # cells where the mover can play; none if it has to pass or the game is over
    int mover
    bint can_move       # whether there is any such cell
    bint over


ctypedef struct Rules:
    int rows
    int columns
    int longest         # discs that one run can turn over
    int n_words
    Bits board
    Bits inner          # without the left and right columns
    Position start


# The floods take the board's numbers one by one: given as constants, a small board stays in registers.

cdef inline uint64_t shifted(const Bits* cells, int i, int k, bint upwards, int n_words) noexcept nogil:
    return up(cells, i, k) if upwards else down(cells, i, k, n_words)


cdef inline void flood(
    const Bits* source, const Bits* through, Bits* reached, int k, bint upwards, int longest, int n_words,
) noexcept nogil:
    """The cells of `through` that the source reaches in one direction; two single steps, then two at a time.

    Words are updated in place: one that already holds its new cells can only speed its neighbour's flood up.
    """
    cdef Bits pairs
    cdef int i, _done
    for i in range(n_words):
        reached.w[i] = through.w[i] & shifted(source, i, k, upwards, n_words)
        pairs.w[i] = through.w[i] & shifted(through, i, k, upwards, n_words)
    for i in range(n_words):
        reached.w[i] |= through.w[i] & shifted(reached, i, k, upwards, n_words)
    for _done in range(2, longest, 2):
        for i in range(n_words):
            reached.w[i] |= pairs.w[i] & shifted(reached, i, 2 * k, upwards, n_words)


cdef inline void add_moves(
    const Bits* own, const Bits* through, Bits* moves, int k, bint upwards, int longest, int n_words,
) noexcept nogil:
    """Add the cells just behind the runs in one direction."""
    cdef Bits reached
    cdef int i
    flood(own, through, &reached, k, upwards, longest, n_words)
    for i in range(n_words):
        moves.w[i] |= shifted(&reached, i, k, upwards, n_words)


cdef inline bint find_moves(
    const Bits* own, const Bits* other, Bits* moves, const Rules* rules,
    int columns, int longest, int n_words,
) noexcept nogil:
    """All cells where `own` may play; returns whether there is any."""
    cdef Bits sideways
    cdef uint64_t found = 0
    cdef int i
    for i in range(n_words):
        sideways.w[i] = other.w[i] & rules.inner.w[i]
        moves.w[i] = 0
    add_moves(own, &sideways, moves, 1, True, longest, n_words)
    add_moves(own, &sideways, moves, 1, False, longest, n_words)
    add_moves(own, other, moves, columns, True, longest, n_words)
    add_moves(own, other, moves, columns, False, longest, n_words)
    add_moves(own, &sideways, moves, columns - 1, True, longest, n_words)
    add_moves(own, &sideways, moves, columns - 1, False, longest, n_words)
    add_moves(own, &sideways, moves, columns + 1, True, longest, n_words)
    add_moves(own, &sideways, moves, columns + 1, False, longest, n_words)
    for i in range(n_words):
        moves.w[i] &= rules.board.w[i] & ~(own.w[i] | other.w[i])
        found |= moves.w[i]
    return found != 0


cdef inline void add_turned(
    const Bits* disc, const Bits* own, const Bits* through, Bits* turned,
    int k, bint upwards, int longest, int n_words,
) noexcept nogil:
    """Add the run that a new disc flanks in one direction."""
    cdef Bits run
    cdef uint64_t flanked = 0
    cdef int i
    flood(disc, through, &run, k, upwards, longest, n_words)
    for i in range(n_words):
        flanked |= shifted(&run, i, k, upwards, n_words) & own.w[i]
    for i in range(n_words):
        turned.w[i] |= run.w[i] if flanked else 0


cdef inline void put_disc(
    const Bits* disc, Bits* own, Bits* other, const Rules* rules, int columns, int longest, int n_words,
) noexcept nogil:
    """Place a disc and turn over what it flanks."""
    cdef Bits sideways, turned
    cdef int i
    for i in range(n_words):
        sideways.w[i] = other.w[i] & rules.inner.w[i]
        turned.w[i] = 0
    add_turned(disc, own, &sideways, &turned, 1, True, longest, n_words)
    add_turned(disc, own, &sideways, &turned, 1, False, longest, n_words)
    add_turned(disc, own, other, &turned, columns, True, longest, n_words)
    add_turned(disc, own, other, &turned, columns, False, longest, n_words)
    add_turned(disc, own, &sideways, &turned, columns - 1, True, longest, n_words)
    add_turned(disc, own, &sideways, &turned, columns - 1, False, longest, n_words)
    add_turned(disc, own, &sideways, &turned, columns + 1, True, longest, n_words)
    add_turned(disc, own, &sideways, &turned, columns + 1, False, longest, n_words)
    for i in range(n_words):
        own.w[i] |= disc.w[i] | turned.w[i]
        other.w[i] &= ~turned.w[i]


cdef inline void hand_over(
    Position* p, const Rules* rules, int columns, int longest, int n_words,
) noexcept nogil:
    """The other role is to move: find its moves, or see that the game is over."""
    cdef Bits moves
    cdef int role = 1 - p.mover
    p.mover = role
    p.can_move = find_moves(&p.discs[role], &p.discs[1 - role], &p.moves, rules, columns, longest, n_words)
    if not p.can_move:
        p.over = not find_moves(&p.discs[1 - role], &p.discs[role], &moves, rules, columns, longest, n_words)


cdef class Reversi(GridGame):
    """The rules of reversi on one board size."""

    cdef Rules rules

    def __init__(self, str id, int rows, int columns):
        cdef Rules* rules = &self.rules
        cdef int row, column, cell
        rules.rows = rows
        rules.columns = columns
        rules.longest = max(rows, columns) - 2
        rules.n_words = (rows * columns + 63) // 64
        for row in range(rows):
            for column in range(columns):
                flip(&rules.board, row * columns + column)
                if 0 < column < columns - 1:
                    flip(&rules.inner, row * columns + column)
        cell = (rows // 2 - 1) * columns + columns // 2 - 1     # lower left of the four in the middle
        flip(&rules.start.discs[0], cell + 1)
        flip(&rules.start.discs[0], cell + columns)
        flip(&rules.start.discs[1], cell)
        flip(&rules.start.discs[1], cell + columns + 1)
        rules.start.can_move = find_moves(
            &rules.start.discs[0], &rules.start.discs[1], &rules.start.moves, rules,
            columns, rules.longest, rules.n_words,
        )
        self.declare_grid(rows, columns)
        self.declare(id, ("black", "white"), rows * columns + 1, rows * columns)

    def initial_state(self):
        return ReversiState(self)

    def move_name(self, int role, int move):
        return "pass" if move == self.n_moves - 1 else cell_name(*divmod(move, self.rules.columns))

    def from_text(self, str text):
        """The board and the role to move."""
        cdef ReversiState state = ReversiState(self)
        cdef int role, row, column
        pieces, mover, _ = self.read(text)
        memset(&state.p, 0, sizeof(Position))
        state.p.mover = 1 - mover
        for role in range(2):
            for row, column in zip(*pieces[:, :, role].nonzero()):
                flip(&state.p.discs[role], row * self.rules.columns + column)
        hand_over(&state.p, &self.rules, self.rules.columns, self.rules.longest, self.rules.n_words)
        return state


cdef class ReversiState(GridState):
    """One position of reversi."""

    cdef const Rules* rules
    cdef Position p
    cdef move_t moves[MAX_CELLS]
    cdef move_t pass_move

    def __init__(self, Reversi game not None):
        self.game = game
        self.rules = &game.rules
        self.p = game.rules.start
        self.pass_move = game.n_moves - 1

    cdef int c_mover(self) noexcept nogil:
        return self.p.mover

    cdef int c_legal(self, int role, const move_t** moves) noexcept nogil:
        cdef int i, n = 0
        cdef uint64_t cells
        moves[0] = self.moves
        if role != self.p.mover or self.p.over:
            return 0
        if not self.p.can_move:
            self.moves[0] = self.pass_move
            return 1
        for i in range(self.rules.n_words):
            cells = self.p.moves.w[i]
            while cells:
                self.moves[n] = 64 * i + lowest(cells)
                n += 1
                cells &= cells - 1
        return n

    cdef void c_play(self, const move_t* joint) noexcept nogil:
        # Constants unroll the loops of the floods: all on the usual board, those over words on small ones.
        cdef const Rules* rules = self.rules
        cdef move_t move = joint[self.p.mover]
        if rules.rows == 8 and rules.columns == 8:
            self.step(move, 8, 6, 1)
        elif rules.n_words == 1:
            self.step(move, rules.columns, rules.longest, 1)
        elif rules.n_words == 2:
            self.step(move, rules.columns, rules.longest, 2)
        else:
            self.step(move, rules.columns, rules.longest, rules.n_words)

    cdef inline void step(self, move_t move, int columns, int longest, int n_words) noexcept nogil:
        cdef Bits disc
        cdef int role = self.p.mover, i
        if move != self.pass_move:
            for i in range(n_words):
                disc.w[i] = 0
            flip(&disc, move)
            put_disc(
                &disc, &self.p.discs[role], &self.p.discs[1 - role], self.rules, columns, longest, n_words)
        hand_over(&self.p, self.rules, columns, longest, n_words)

    cdef bint c_terminal(self) noexcept nogil:
        return self.p.over

    cdef void c_goals(self, double* goals) noexcept nogil:
        cdef int lead = 0, i
        goals[0] = goals[1] = 0.5
        if not self.p.over:
            return
        for i in range(self.rules.n_words):
            lead += popcount(self.p.discs[0].w[i]) - popcount(self.p.discs[1].w[i])
        if lead != 0:
            goals[0] = 1.0 if lead > 0 else 0.0
            goals[1] = 1.0 - goals[0]

    cdef void c_copy(self, Situation other) noexcept nogil:
        self.p = (<ReversiState>other).p

    cdef uint64_t c_key(self) noexcept nogil:
        return key_of(mix(self.p.mover, 0), self.p.discs, self.rules.n_words)

    cdef int c_playout(self, Rng* rng, int limit, move_t* played) noexcept nogil:
        cdef const Rules* rules = self.rules
        if rules.n_words > 1:
            return State.c_playout(self, rng, limit, played)
        if rules.rows == 8 and rules.columns == 8:
            return self.playout(rng, limit, played, 8, 6, 1)
        return self.playout(rng, limit, played, rules.columns, rules.longest, 1)

    cdef inline int playout(self, Rng* rng, int limit, move_t* played, int columns, int longest, int n_words) noexcept nogil:
        """The default playout on a board of one word with the same draws, but no list of moves."""
        cdef const Rules* rules = self.rules
        cdef Bits own, other, moves, disc, unused
        cdef uint64_t swapped
        cdef int mover = self.p.mover, steps = 0, cell
        cdef bint can_move = self.p.can_move, over = self.p.over
        cdef Rng local = rng[0]
        own.w[0] = self.p.discs[mover].w[0]
        other.w[0] = self.p.discs[1 - mover].w[0]
        moves.w[0] = self.p.moves.w[0]
        while steps < limit and not over:
            if can_move:
                cell = nth(moves.w[0], rng_below(&local, popcount(moves.w[0])))
                disc.w[0] = (<uint64_t>1) << cell
                put_disc(&disc, &own, &other, rules, columns, longest, n_words)
            else:
                cell = self.pass_move
                rng_next(&local)
            note_move(played, steps, mover ^ (steps & 1), cell)
            swapped = own.w[0]
            own.w[0] = other.w[0]
            other.w[0] = swapped
            steps += 1
            can_move = find_moves(&own, &other, &moves, rules, columns, longest, n_words)
            if not can_move:
                over = not find_moves(&other, &own, &unused, rules, columns, longest, n_words)
        mover ^= steps & 1
        self.p.discs[mover].w[0] = own.w[0]
        self.p.discs[1 - mover].w[0] = other.w[0]
        self.p.moves.w[0] = moves.w[0]
        self.p.mover, self.p.can_move, self.p.over = mover, can_move, over
        rng[0] = local
        return steps

    cdef int c_content(self, int row, int column) noexcept nogil:
        cdef int cell = row * self.rules.columns + column
        return holder(self.p.discs, cell)

    def words(self):
        return []

    def picture(self):
        return square_scene(
            self.rules.rows, self.rules.columns, self.content, (stone("black"), stone("white")), caption=self.caption(),
            checkered=False,
        )


BOARDS.add(BoardGame(
    id="reversi", summary="flank and turn over; most discs win", roles=("black", "white"), smallest=(4, 4),
    largest=(16, 16), step=2, make=Reversi,
))
