# distutils: extra_compile_args = -O3
"""Domineering, plain and misere: one player lays dominoes upright, the other lays them flat.

Who cannot move loses; in the misere game wins. A move is the lower (upright) or left (flat) cell of the
domino, named by both cells. Its feature code (for PPAF) is cell * 64 + which of the six cells beside the
domino's edges are occupied, where off the board counts as occupied; `domineering-10` looks at the four
corner cells as well: cell * 1024 + mask. Low bits first: before and behind the domino along its length, the
two cells on its left or lower side, the two on the other side, then the corners.
"""

from libc.stdint cimport int32_t, uint64_t

from paidia.core.machine.bits cimport Bits, down, flip, lowest, mix, nth, popcount, test, up
from paidia.core.game cimport State
from paidia.core.model cimport Situation, move_t, note_move
from paidia.core.machine.rng cimport Rng, rng_below
from paidia.games.boards.grid cimport GridGame, GridState, holder

from paidia.core.errors import BadInput
from paidia.games.boards.catalogue import BOARDS, BoardGame
from paidia.games.boards.drawing import cell_name
from paidia.games.boards.pictures import square_scene
from paidia.games.pieces import domino

cdef enum:
    MAX_CELLS = 361
    MAX_NEAR = 10

# The cells around a domino as (steps along it, steps across it) from its first cell.
NEAR = ((-1, 0), (2, 0), (0, -1), (1, -1), (0, 1), (1, 1), (-1, -1), (2, -1), (-1, 1), (2, 1))

ctypedef struct Position:
    Bits dominoes[2]    # cells each role has covered
    int mover


ctypedef struct Rules:
    int rows
    int columns
    int n_words
    int n_near          # 6 or 10 cells in the feature code
    bint misere
    int length[2]                   # from the first to the second cell of a domino of each role
    Bits first[2]                   # cells where a domino of each role may begin
    int near[2][MAX_NEAR]           # from the first cell to each cell around
    Bits outside[2][MAX_NEAR]       # first cells for which that cell is off the board


cdef inline uint64_t moves_in(const Bits* taken, const Rules* rules, int role, int i) noexcept nogil:
    """Word i of the first cells of all moves of a role."""
    return ~(taken.w[i] | down(taken, i, rules.length[role], rules.n_words)) & rules.first[role].w[i]


cdef class Domineering(GridGame):
    """The rules of domineering on one board size."""

    cdef Rules rules

    def __init__(self, str id, int rows, int columns, *, bint misere=False, int neighbourhood=6):
        """`neighbourhood` is the number of cells around the domino that its feature code tells, 6 or 10."""
        cdef Rules* rules = &self.rules
        cdef int role, k, row, column, along, across, up_by, right_by
        if neighbourhood not in (6, MAX_NEAR):
            raise ValueError(f"a domino has 6 or {MAX_NEAR} cells around it, not {neighbourhood}")
        rules.rows, rules.columns, rules.misere, rules.n_near = rows, columns, misere, neighbourhood
        rules.n_words = (rows * columns + 63) // 64
        self.declare_grid(rows, columns, "|-")
        self.declare(
            id, ("vertical", "horizontal"), rows * columns,
            max((rows - 1) * columns, rows * (columns - 1)), rows * columns << neighbourhood,
        )
        rules.length[0], rules.length[1] = columns, 1
        for role in range(2):
            for row in range(rows - (role == 0)):
                for column in range(columns - (role == 1)):
                    flip(&rules.first[role], row * columns + column)
            for k in range(neighbourhood):
                along, across = NEAR[k]
                up_by, right_by = (along, across) if role == 0 else (across, along)
                rules.near[role][k] = up_by * columns + right_by
                for row in range(rows):
                    for column in range(columns):
                        if not (0 <= row + up_by < rows and 0 <= column + right_by < columns):
                            flip(&rules.outside[role][k], row * columns + column)

    def initial_state(self):
        return DomineeringState(self)

    def move_name(self, int role, int move):
        cdef int columns = self.rules.columns
        self.check_role(role)
        if not 0 <= move < self.n_moves or not test(&self.rules.first[role], move):
            return f"off-board-{move}"
        second = move + self.rules.length[role]
        return cell_name(*divmod(move, columns)) + cell_name(*divmod(second, columns))

    def from_text(self, str text):
        """The board and the role to move."""
        cdef DomineeringState state = DomineeringState(self)
        cdef int role, row, column
        pieces, state.p.mover, _ = self.read(text)
        for role in range(2):
            if pieces[:, :, role].sum() % 2:
                raise BadInput(f"{self.id}: a domino covers two cells, so {self.roles[role]} cannot have an odd number")
            for row, column in zip(*pieces[:, :, role].nonzero()):
                flip(&state.p.dominoes[role], row * self.rules.columns + column)
        return state


cdef class DomineeringState(GridState):
    """One position of domineering."""

    cdef const Rules* rules
    cdef Position p
    cdef move_t moves[MAX_CELLS]

    def __init__(self, Domineering game not None):
        self.game = game
        self.rules = &game.rules

    cdef int c_mover(self) noexcept nogil:
        return self.p.mover

    cdef inline void taken(self, Bits* cells) noexcept nogil:
        cdef int i
        for i in range(self.rules.n_words):
            cells.w[i] = self.p.dominoes[0].w[i] | self.p.dominoes[1].w[i]

    cdef int c_legal(self, int role, const move_t** moves) noexcept nogil:
        cdef const Rules* rules = self.rules
        cdef int i, n = 0
        cdef uint64_t cells
        cdef Bits taken
        moves[0] = self.moves
        if role != self.p.mover:
            return 0
        self.taken(&taken)
        for i in range(rules.n_words):
            cells = moves_in(&taken, rules, role, i)
            while cells:
                self.moves[n] = 64 * i + lowest(cells)
                n += 1
                cells &= cells - 1
        return n

    cdef void c_play(self, const move_t* joint) noexcept nogil:
        cdef int role = self.p.mover
        flip(&self.p.dominoes[role], joint[role])
        flip(&self.p.dominoes[role], joint[role] + self.rules.length[role])
        self.p.mover = 1 - role

    cdef bint c_terminal(self) noexcept nogil:
        cdef const Rules* rules = self.rules
        cdef int role = self.p.mover, i
        cdef Bits taken
        self.taken(&taken)
        for i in range(rules.n_words):
            if moves_in(&taken, rules, role, i):
                return False
        return True

    cdef void c_goals(self, double* goals) noexcept nogil:
        goals[0] = goals[1] = 0.5
        if self.c_terminal():
            goals[self.p.mover] = 1.0 if self.rules.misere else 0.0
            goals[1 - self.p.mover] = 0.0 if self.rules.misere else 1.0

    cdef void c_copy(self, Situation other) noexcept nogil:
        self.p = (<DomineeringState>other).p

    cdef uint64_t c_key(self) noexcept nogil:
        # What matters from here on is which cells are taken, not by whom.
        cdef uint64_t key = mix(self.p.mover, 0)
        cdef int i
        for i in range(self.rules.n_words):
            key = mix(key, self.p.dominoes[0].w[i] | self.p.dominoes[1].w[i])
        return key

    cdef void c_codes(self, int role, const move_t* moves, int n, int32_t* codes) noexcept nogil:
        # Moves the whole board once for every cell around, then reads one bit of each for every move.
        cdef const Rules* rules = self.rules
        cdef Bits taken
        cdef Bits near[MAX_NEAR]
        cdef int i, k, shift, code, n_near = rules.n_near
        self.taken(&taken)
        for k in range(n_near):
            shift = rules.near[role][k]
            for i in range(rules.n_words):
                near[k].w[i] = rules.outside[role][k].w[i] | (
                    down(&taken, i, shift, rules.n_words) if shift > 0 else up(&taken, i, -shift)
                )
        for i in range(n):
            code = moves[i] << n_near
            for k in range(n_near):
                code |= test(&near[k], moves[i]) << k
            codes[i] = code

    cdef int c_playout(self, Rng* rng, int limit, move_t* played) noexcept nogil:
        # The same draws in the same order as the default playout, without ever writing a list of moves.
        cdef const Rules* rules = self.rules
        cdef int mover = self.p.mover, steps = 0, cell
        cdef uint64_t dominoes[2]
        cdef uint64_t moves, taken, laid
        cdef Rng local = rng[0]
        if rules.n_words > 1:
            return State.c_playout(self, rng, limit, played)
        dominoes[0] = self.p.dominoes[0].w[0]
        dominoes[1] = self.p.dominoes[1].w[0]
        taken = dominoes[0] | dominoes[1]
        while steps < limit:
            moves = ~(taken | (taken >> rules.length[mover])) & rules.first[mover].w[0]
            if moves == 0:
                break
            cell = nth(moves, rng_below(&local, popcount(moves)))
            note_move(played, steps, mover, cell)
            laid = (<uint64_t>1) << cell
            laid |= laid << rules.length[mover]
            taken |= laid
            dominoes[mover] |= laid
            mover = 1 - mover
            steps += 1
        self.p.dominoes[0].w[0] = dominoes[0]
        self.p.dominoes[1].w[0] = dominoes[1]
        self.p.mover = mover
        rng[0] = local
        return steps

    cdef int c_content(self, int row, int column) noexcept nogil:
        cdef int cell = row * self.rules.columns + column
        return holder(self.p.dominoes, cell)

    def words(self):
        return []

    def picture(self):
        return square_scene(
            self.rules.rows, self.rules.columns, self.content,
            (domino("blue", upright=True), domino("orange", upright=False)), caption=self.caption(), checkered=False,
        )


def _register(id, summary, misere, neighbourhood):
    BOARDS.add(BoardGame(
        id=id, summary=summary, roles=("vertical", "horizontal"),
        make=lambda id, rows, columns: Domineering(
            id, rows, columns, misere=misere, neighbourhood=neighbourhood),
    ))


_register("domineering", "upright against flat dominoes, who cannot move loses", False, 6)
_register("misere-domineering", "domineering, but who cannot move wins", True, 6)
_register("domineering-10", "domineering with ten cells in the feature code", False, 10)
_register("misere-domineering-10", "misere domineering with ten cells in the feature code", True, 10)
