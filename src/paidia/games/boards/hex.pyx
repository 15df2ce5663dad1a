# distutils: extra_compile_args = -O3
"""Hex: red joins the bottom edge to the top edge, blue the left edge to the right edge; one of them succeeds.

Stones go on any empty cell and never move; there is no swap rule. A cell touches the cells left, right,
above, below, and (drawn as a slanted grid) those above left and below right. A move is its cell, row * side
+ column, named by column letter and row number; row 1 is at the bottom. The feature code of a move is the
move.

A stone that is connected to its role's first edge (bottom or left) is marked as joined. A new stone beside
a joined one joins too, and with it all stones it now connects; the game is over when one of them touches
the far edge. Every stone joins at most once, so this costs little more than placing the stones.
"""

from libc.stdint cimport int16_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

from paidia.core.machine.bits cimport mix
from paidia.core.model cimport Situation, move_t, note_move
from paidia.core.machine.rng cimport Rng, rng_below
from paidia.games.boards.grid cimport GridGame, GridState, share_goals

from paidia.games.boards.catalogue import BOARDS, BoardGame
from paidia.games.boards.pictures import hex_scene
from paidia.games.pieces import disc

cdef enum:
    MAX_CELLS = 361
    MAX_NODES = 441     # a board with a border
    # What stands on a node; to the first three, the role (0 or 1) is added.
    STONE = 0
    JOINED = 2          # a stone connected to the first edge, and that edge itself
    FAR = 4             # the edge on the other side
    EMPTY = 6
    NOBODY = 7          # the four corners of the border


ctypedef struct Position:
    uint64_t stones     # a sum over all stones; equal for equal boards
    int mover
    int winner          # -1 while the game goes on
    uint8_t nodes[MAX_NODES]        # last, so that a copy takes only the nodes in use


ctypedef struct Rules:
    int side
    int step[6]                     # from a node to those it touches
    int16_t node[MAX_CELLS]         # the node of every cell
    size_t position_bytes
    Position start


cdef inline bint join(uint8_t* nodes, const Rules* rules, int node, int role) noexcept nogil:
    """Mark a stone and all it is connected to as joined; returns whether they touch the far edge."""
    cdef int16_t todo[MAX_CELLS]
    cdef int n = 1, i, other
    cdef uint8_t content
    cdef bint across = False
    todo[0] = node
    nodes[node] = JOINED + role
    while n > 0:
        n -= 1
        node = todo[n]
        for i in range(6):
            other = node + rules.step[i]
            content = nodes[other]
            if content == STONE + role:
                nodes[other] = JOINED + role
                todo[n] = other
                n += 1
            elif content == FAR + role:
                across = True
    return across


cdef inline void place_stone(Position* p, const Rules* rules, int cell) noexcept nogil:
    """Put a stone of the mover on an empty cell and hand the turn over."""
    cdef int role = p.mover, here = rules.node[cell], i
    cdef bint beside_joined = False
    for i in range(6):
        beside_joined |= p.nodes[here + rules.step[i]] == JOINED + role
    p.nodes[here] = STONE + role
    if beside_joined and join(p.nodes, rules, here, role):
        p.winner = role
    p.stones += mix(0, 2 * cell + role + 1)
    p.mover = 1 - role


cdef inline void reach_back(const Position* p, const Rules* rules, int role, uint8_t* reached) noexcept nogil:
    """Mark what is connected to a role's far edge, and that edge: 1 in `reached`, which is 0 everywhere."""
    cdef int16_t todo[MAX_NODES]
    cdef int width = rules.side + 2, n = 0, i, node, other
    for i in range(1, width - 1):
        todo[n] = (width - 1) * width + i if role == 0 else i * width + width - 1
        reached[todo[n]] = 1
        n += 1
    while n > 0:
        n -= 1
        node = todo[n]
        for i in range(6):
            other = node + rules.step[i]
            if 0 <= other < width * width and p.nodes[other] == STONE + role and not reached[other]:
                reached[other] = 1
                todo[n] = other
                n += 1


cdef inline int stones_needed(const Position* p, const Rules* rules, int role) noexcept nogil:
    """The fewest stones with which a role would have joined its edges; -1 if the other one has."""
    cdef uint8_t seen[MAX_NODES]
    cdef int16_t now[MAX_NODES]         # with so many stones
    cdef int16_t later[MAX_NODES]       # and with one more
    cdef int width = rules.side + 2, n = 0, n_later = 0, stones = 0, i, node, other
    cdef uint8_t content
    memset(seen, 0, width * width)
    for i in range(rules.side * rules.side):
        node = rules.node[i]
        content = p.nodes[node]
        if content == JOINED + role:
            seen[node] = 1
            now[n] = node
            n += 1
        elif content == EMPTY and (i < rules.side if role == 0 else i % rules.side == 0):       # beside the first edge
            seen[node] = 1
            later[n_later] = node
            n_later += 1
    while n > 0 or n_later > 0:
        while n > 0:
            n -= 1
            node = now[n]
            for i in range(6):
                other = node + rules.step[i]
                content = p.nodes[other]
                if content == FAR + role:
                    return stones
                if seen[other]:
                    continue
                if content == EMPTY:
                    seen[other] = 1
                    later[n_later] = other
                    n_later += 1
                elif content == STONE + role:
                    seen[other] = 1
                    now[n] = other
                    n += 1
        memcpy(now, later, n_later * sizeof(int16_t))
        n, n_later = n_later, 0
        stones += 1
    return -1


cdef class Hex(GridGame):
    """The rules of hex on one board size."""

    cdef Rules rules

    def __init__(self, str id, int side):
        cdef Rules* rules = &self.rules
        cdef Position* start = &rules.start
        cdef int row, column, i, width = side + 2
        rules.side = side
        rules.step[:] = [1, width, width - 1, -1, -width, -width + 1]
        rules.position_bytes = sizeof(Position) - sizeof(start.nodes) + width * width
        for row in range(width):
            for column in range(width):
                i = row * width + column
                upright, across = row in (0, width - 1), column in (0, width - 1)
                if upright and across:
                    start.nodes[i] = NOBODY
                elif upright:
                    start.nodes[i] = JOINED if row == 0 else FAR
                elif across:
                    start.nodes[i] = (JOINED if column == 0 else FAR) + 1
                else:
                    start.nodes[i] = EMPTY
                    rules.node[(row - 1) * side + column - 1] = i
        start.winner = -1
        self.declare_grid(side, side)      # `decisive` is for proofs alone: playouts gain too little from it
        self.declare(id, ("red", "blue"), side * side, side * side)
        self.monotone = True

    def initial_state(self):
        return HexState(self)

    def from_text(self, str text):
        """The board, the role to move, and the role that has won (- while nobody has)."""
        return self.replay(text, "joined two edges")


cdef class HexState(GridState):
    """One position of hex."""

    cdef const Rules* rules
    cdef Position p
    cdef move_t moves[MAX_CELLS]

    def __init__(self, Hex game not None):
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
            n += self.p.nodes[self.rules.node[cell]] == EMPTY
        return n

    cdef int winning_cells(self, int role) noexcept nogil:
        """Write the empty cells that join the two edges of a role into the buffer of moves; returns how many."""
        cdef uint8_t reached[MAX_NODES]
        cdef int cell, i, node, n = 0
        cdef bint joined, far
        memset(reached, 0, (self.rules.side + 2) * (self.rules.side + 2))
        reach_back(&self.p, self.rules, role, reached)
        for cell in range(self.rules.side * self.rules.side):
            node = self.rules.node[cell]
            if self.p.nodes[node] != EMPTY:
                continue
            joined = far = False
            for i in range(6):
                joined |= self.p.nodes[node + self.rules.step[i]] == JOINED + role
                far |= reached[node + self.rules.step[i]]
            self.moves[n] = cell
            n += joined and far
        return n

    cdef int c_decisive(self, int role, const move_t** moves) noexcept nogil:
        cdef int n
        moves[0] = self.moves
        if role != self.p.mover:
            return 0
        n = self.winning_cells(role)
        if n == 0:
            n = self.winning_cells(1 - role)        # to be taken from it
        return n if n else self.empty_cells()

    cdef int c_distance(self, int role) noexcept nogil:
        return stones_needed(&self.p, self.rules, role)

    cdef void c_play(self, const move_t* joint) noexcept nogil:
        place_stone(&self.p, self.rules, joint[self.p.mover])

    cdef bint c_terminal(self) noexcept nogil:
        return self.p.winner >= 0

    cdef void c_goals(self, double* goals) noexcept nogil:
        share_goals(goals, self.p.winner)

    cdef void c_copy(self, Situation other) noexcept nogil:
        memcpy(&self.p, &(<HexState>other).p, self.rules.position_bytes)

    cdef uint64_t c_key(self) noexcept nogil:
        return mix(self.p.mover, self.p.stones)

    cdef int c_playout(self, Rng* rng, int limit, move_t* played) noexcept nogil:
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
            note_move(played, steps, self.p.mover, cell)
            place_stone(&self.p, self.rules, cell)
            steps += 1
        return steps

    cdef int c_content(self, int row, int column) noexcept nogil:
        cdef int content = self.p.nodes[self.rules.node[row * self.rules.side + column]]
        return -1 if content == EMPTY else content % 2

    cdef void c_put(self, int role, int row, int column) noexcept nogil:
        self.p.mover = role
        place_stone(&self.p, self.rules, row * self.rules.side + column)

    cdef void c_hand_over(self, int role) noexcept nogil:
        self.p.mover = role

    @property
    def winning_role(self):
        return self.p.winner

    def draw(self):
        cdef int side = self.rules.side
        width = len(str(side))
        lines = []
        for row in reversed(range(side)):       # every row is shifted by half a cell against the next one
            cells = " ".join(".xo"[self.content(row, column) + 1] for column in range(side))
            lines.append(" " * row + f"{row + 1:>{width}} " + cells)
        lines.append(" " * width + " ".join(chr(ord("a") + column) for column in range(side)))
        lines.append(self.below())
        return "\n".join(lines)

    def picture(self):
        return hex_scene(
            self.rules.side, self.content, (disc("red"), disc("blue")), caption=self.caption(), colours=("red", "blue"))


BOARDS.add(BoardGame(
    id="hex", summary="join your two edges", roles=("red", "blue"), rows=11, columns=11, square=True,
    make=lambda id, rows, columns: Hex(id, rows),
))
