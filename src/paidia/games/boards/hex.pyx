"""Hex: red joins the bottom edge to the top edge, blue the left edge to the right edge; one of them succeeds.

Stones go on any empty cell and never move; there is no swap rule. A cell touches the cells left, right,
above, below, and (drawn as a slanted grid) those above left and below right. A move is its cell, row * side
+ column, named by column letter and row number; row 1 is at the bottom. The feature code of a move is the
move.

Stones of one colour that touch are joined in a union-find forest. The four edges are its first four nodes
and always the roots of what touches them, so the game is over when a stone joins two of them.
"""

from libc.stdint cimport int16_t, uint64_t
from libc.string cimport memcpy

from paidia.core.bits cimport lowest, mix
from paidia.core.game cimport Game, State, move_t
from paidia.core.rng cimport Rng, rng_below

from paidia.games.boards.catalogue import BOARDS, BoardGame
from paidia.games.boards.drawing import cell_name

cdef enum:
    MAX_SIDE = 19
    MAX_CELLS = 361
    EDGES = 4           # nodes 0 and 1: red's edges; 2 and 3: blue's
    MAX_NODES = 445     # the edges and a board with a border
    EMPTY = 2
    NOBODY = 3          # the four corners of the border

ctypedef struct Node:
    int16_t parent      # in the forest; a root is its own parent, and never larger than its children
    int16_t colour      # the role whose stone stands here, EMPTY or NOBODY


ctypedef struct Position:
    uint64_t stones     # a sum over all stones; equal for equal boards
    int mover
    int winner          # -1 while the game goes on
    Node nodes[MAX_NODES]       # last, so that a copy takes only the nodes in use


ctypedef struct Rules:
    int side
    int step[6]                     # from a node to those it touches, in circular order
    int arcs[64]                    # for each set of those six: one of every unbroken arc, as bits
    int16_t node[MAX_CELLS]         # the node of every cell
    size_t position_bytes
    Position start


cdef inline int root(Node* nodes, int i) noexcept nogil:
    """The root of a node's tree; halves the path on its way."""
    while nodes[i].parent != i:
        nodes[i].parent = nodes[nodes[i].parent].parent
        i = nodes[i].parent
    return i


cdef inline void place_stone(Position* p, const Rules* rules, int cell) noexcept nogil:
    """Put a stone of the mover on an empty cell, join it to its neighbours and hand the turn over."""
    # Neighbours that touch each other are joined already, so one of every arc will do.
    cdef int role = p.mover, here = rules.node[cell], top = here, other, i, own = 0
    cdef uint64_t arcs
    cdef Node* nodes = p.nodes
    nodes[here].colour = role
    for i in range(6):
        own |= (nodes[here + rules.step[i]].colour == role) << i
    arcs = rules.arcs[own]
    while arcs:
        other = root(nodes, here + rules.step[lowest(arcs)])
        arcs &= arcs - 1
        if other < top:
            nodes[top].parent = other
            top, other = other, top
        elif other > top:
            nodes[other].parent = top
        if other < EDGES and other != top:
            p.winner = role
    p.stones += mix(0, 2 * cell + role + 1)
    p.mover = 1 - role


cdef class Hex(Game):
    """The rules of hex on one board size."""

    cdef Rules rules

    def __init__(self, str id, int side):
        cdef Rules* rules = &self.rules
        cdef Position* start = &rules.start
        cdef int row, column, i, width = side + 2
        rules.side = side
        rules.step[:] = [1, width, width - 1, -1, -width, -width + 1]
        for i in range(64):
            rules.arcs[i] = i & ~((i << 1) | (i >> 5)) if i < 63 else 1
        rules.position_bytes = sizeof(Position) - sizeof(start.nodes) + (EDGES + width * width) * sizeof(Node)
        for i in range(MAX_NODES):
            start.nodes[i].parent = i
        for row in range(width):
            for column in range(width):
                i = EDGES + row * width + column
                upright, across = row in (0, width - 1), column in (0, width - 1)
                if upright and across:
                    start.nodes[i].colour = NOBODY
                elif upright:
                    start.nodes[i].colour, start.nodes[i].parent = 0, 0 if row == 0 else 1
                elif across:
                    start.nodes[i].colour, start.nodes[i].parent = 1, 2 if column == 0 else 3
                else:
                    start.nodes[i].colour = EMPTY
                    rules.node[(row - 1) * side + column - 1] = i
        start.winner = -1
        self.declare(id, ("red", "blue"), side * side, side * side)

    def initial_state(self):
        return HexState(self)

    def move_name(self, int role, int move):
        return cell_name(*divmod(move, self.rules.side))


cdef class HexState(State):
    """One position of hex."""

    cdef const Rules* rules
    cdef Position p
    cdef move_t moves[MAX_CELLS]

    def __init__(self, Hex game):
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
        cdef int cell, n = 0
        for cell in range(self.rules.side * self.rules.side):
            self.moves[n] = cell
            n += self.p.nodes[self.rules.node[cell]].colour == EMPTY
        return n

    cdef void c_play(self, const move_t* joint) noexcept nogil:
        place_stone(&self.p, self.rules, joint[self.p.mover])

    cdef bint c_terminal(self) noexcept nogil:
        return self.p.winner >= 0

    cdef void c_goals(self, double* goals) noexcept nogil:
        goals[0] = goals[1] = 0.5
        if self.p.winner >= 0:
            goals[self.p.winner] = 1.0
            goals[1 - self.p.winner] = 0.0

    cdef void c_copy(self, State other) noexcept nogil:
        memcpy(&self.p, &(<HexState>other).p, self.rules.position_bytes)

    cdef uint64_t c_key(self) noexcept nogil:
        return mix(self.p.mover, self.p.stones)

    cdef int c_playout(self, Rng* rng, int limit) noexcept nogil:
        # Lists the empty cells once; a drawn cell is replaced by the last of the list.
        cdef int n, pick, cell, steps = 0
        if self.p.winner >= 0:
            return 0
        n = self.empty_cells()
        while steps < limit and self.p.winner < 0:
            pick = rng_below(rng, n)
            cell = self.moves[pick]
            n -= 1
            self.moves[pick] = self.moves[n]
            place_stone(&self.p, self.rules, cell)
            steps += 1
        return steps

    def draw(self):
        cdef int side = self.rules.side
        width = len(str(side))
        lines = []
        for row in reversed(range(side)):       # every row is shifted by half a cell against the next one
            cells = [self.p.nodes[self.rules.node[row * side + column]].colour for column in range(side)]
            lines.append(" " * row + f"{row + 1:>{width}} " + " ".join("xo."[colour] for colour in cells))
        turn = f"{self.game.roles[self.p.mover]} ({'xo'[self.p.mover]}) to move"
        lines.append(" " * width + " ".join(chr(ord("a") + column) for column in range(side)))
        lines.append("game over" if self.p.winner >= 0 else turn)
        return "\n".join(lines)


BOARDS.add(BoardGame(
    id="hex", summary="join your two edges", roles=("red", "blue"), rows=11, columns=11, square=True,
    make=lambda id, rows, columns: Hex(id, rows),
))
