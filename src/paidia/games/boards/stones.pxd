# Stones, strings and liberties for the games of the go family, on bit sets.
#
# A string (stones of one colour that hang together) is a set of cells, found through union-find; its
# liberties are the empty cells beside it, worked out when needed. All that legality asks of a string is
# whether it has one liberty or more, so we keep, per colour, the stones whose string has a single liberty
# ("in atari"). The cells where a colour may play then follow for the whole board from one spread of bits
# (see `playable`).
#
# Every function takes n_words, so that a caller which passes a literal 1 gets code made for up to 64 cells.

from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy

from paidia.core.machine.bits cimport Bits, down, flip, lowest, popcount, nth, test, up
from paidia.core.model cimport move_t
from paidia.games.boards.grid cimport GridGame, GridState

cdef enum:
    MAX_CELLS = 361
    EDGE = 3            # what a neighbour off the board counts as in a pattern; 0 is empty, 1 black, 2 white


ctypedef struct Grid:
    int rows
    int columns
    int n_cells
    int n_words
    int block_bytes                 # of the three arrays of Stones together
    int offset[4]                   # from a cell to its neighbours; number 3 - k is opposite to k
    Bits board                      # every cell
    Bits has_left
    Bits has_right
    uint8_t pattern[MAX_CELLS]      # of each cell on the empty board


ctypedef struct Stones:
    Bits of[2]                      # the stones of each role
    Bits atari[2]                   # those of them whose string has one liberty
    Bits empty
    uint64_t* strings               # n_words for each cell: the cells of the string whose root it is
    uint16_t* parent                # union-find over stones
    uint8_t* pattern                # of each cell: what its neighbours hold, two bits for each


cdef inline void spread(const Grid* grid, const Bits* cells, Bits* beside, int n_words) noexcept nogil:
    """All cells beside those of a set (bits off the board may be among them)."""
    cdef int i
    for i in range(n_words):
        beside.w[i] = (
            down(cells, i, grid.columns, n_words) | up(cells, i, grid.columns)
            | (down(cells, i, 1, n_words) & grid.has_right.w[i]) | (up(cells, i, 1) & grid.has_left.w[i])
        )


cdef inline Bits* cells_of(const Stones* stones, int root, int n_words) noexcept nogil:
    """The cells of a string; only the first n_words of them are there."""
    return <Bits*>(stones.strings + root * n_words)


cdef inline int root_of(Stones* stones, int cell) noexcept nogil:
    """The root of the string that a stone belongs to."""
    cdef uint16_t* parent = stones.parent
    while parent[cell] != cell:
        parent[cell] = parent[parent[cell]]
        cell = parent[cell]
    return cell


cdef inline int liberties(const Grid* grid, const Stones* stones, int root, int n_words) noexcept nogil:
    """Liberties of a string: 0, 1, or 2 for any larger number."""
    cdef Bits beside
    cdef uint64_t word, one = 0, more = 0
    cdef int i
    spread(grid, cells_of(stones, root, n_words), &beside, n_words)
    for i in range(n_words):
        word = beside.w[i] & stones.empty.w[i]
        more |= word & (word - 1)
        if one != 0:
            more |= word
        one |= word
    return 2 if more != 0 else 1 if one != 0 else 0


cdef inline void remove(
    const Grid* grid, Stones* stones, int role, const Bits* taken, int n_words,
) noexcept nogil:
    """Take captured stones of a role off the board."""
    cdef Bits beside
    cdef Bits* cells
    cdef uint64_t word
    cdef int i, k, j, cell
    for i in range(n_words):
        word = taken.w[i]
        while word:
            cell = 64 * i + lowest(word)
            word &= word - 1
            for k in range(4):
                if (grid.pattern[cell] >> (2 * k)) & 3 != EDGE:
                    stones.pattern[cell + grid.offset[k]] ^= (role + 1) << (2 * (3 - k))
        stones.of[role].w[i] &= ~taken.w[i]
        stones.atari[role].w[i] &= ~taken.w[i]
        stones.empty.w[i] |= taken.w[i]
    # A string in atari beside the captured stones has gained a liberty and has two or more now.
    spread(grid, taken, &beside, n_words)
    for i in range(n_words):
        while beside.w[i] & stones.atari[1 - role].w[i]:
            cell = 64 * i + lowest(beside.w[i] & stones.atari[1 - role].w[i])
            cells = cells_of(stones, root_of(stones, cell), n_words)
            for j in range(n_words):
                stones.atari[1 - role].w[j] &= ~cells.w[j]


cdef inline int place(
    const Grid* grid, Stones* stones, int role, int cell, Bits* taken, int n_words,
) noexcept nogil:
    """Put a stone of a role on an empty cell and take what it captures (written to `taken`).

    Returns 1 if it captured, -1 if its own string is left without liberties (the stones stay), else 0.
    """
    cdef int pattern = stones.pattern[cell], colour = role + 1
    cdef int k, i, digit, beside, other, free, root = cell
    cdef bint captured = False
    cdef Bits* cells = cells_of(stones, cell, n_words)
    cdef Bits* others
    stones.parent[cell] = cell
    for i in range(n_words):
        cells.w[i] = 0
        taken.w[i] = 0
    flip(cells, cell)
    flip(&stones.empty, cell)
    flip(&stones.of[role], cell)
    for k in range(4):
        digit = (pattern >> (2 * k)) & 3
        if digit == EDGE:
            continue
        beside = cell + grid.offset[k]
        stones.pattern[beside] ^= colour << (2 * (3 - k))
        if digit == 0:
            continue
        other = root_of(stones, beside)
        others = cells_of(stones, other, n_words)
        if digit == colour:
            if other == root:
                continue
            if root == cell:        # join the neighbour's string rather than the other way: shorter paths
                root, other = other, root
                cells, others = others, cells
            stones.parent[other] = root
            for i in range(n_words):
                cells.w[i] |= others.w[i]
        else:
            free = liberties(grid, stones, other, n_words)
            if free == 1:
                for i in range(n_words):
                    stones.atari[1 - role].w[i] |= others.w[i]
            elif free == 0:
                captured = True
                for i in range(n_words):
                    taken.w[i] |= others.w[i]
    if captured:
        remove(grid, stones, 1 - role, taken, n_words)
    free = liberties(grid, stones, root, n_words)
    for i in range(n_words):
        stones.atari[role].w[i] &= ~cells.w[i]
        if free == 1:
            stones.atari[role].w[i] |= cells.w[i]
    return 1 if captured else -1 if free == 0 else 0


cdef inline void playable(
    const Grid* grid, const Stones* stones, int role, Bits* cells, int n_words,
) noexcept nogil:
    """The cells where a stone of a role captures or keeps a liberty: all moves but suicide.

    An empty cell is one of them if beside it is an empty cell, an own string with a liberty to spare, or a
    string of the other role whose last liberty it is.
    """
    cdef Bits support
    cdef int i
    for i in range(n_words):
        support.w[i] = stones.of[role].w[i] & ~stones.atari[role].w[i]
        support.w[i] |= stones.atari[1 - role].w[i] | stones.empty.w[i]
    spread(grid, &support, cells, n_words)
    for i in range(n_words):
        cells.w[i] &= stones.empty.w[i]


cdef inline void capturing(
    const Grid* grid, const Stones* stones, int role, Bits* cells, int n_words,
) noexcept nogil:
    """The cells where a stone of a role captures: the last liberties of the other role's strings."""
    cdef int i
    spread(grid, &stones.atari[1 - role], cells, n_words)
    for i in range(n_words):
        cells.w[i] &= stones.empty.w[i]


cdef inline bint keeps_two(const Grid* grid, Stones* stones, int role, int cell, int n_words) noexcept nogil:
    """Whether a stone of a role on an empty cell, which captures nothing, leaves its string two liberties or more."""
    cdef Bits string, beside
    cdef const Bits* cells
    cdef int pattern = stones.pattern[cell], k, i, found = 0
    for i in range(n_words):
        string.w[i] = 0
    flip(&string, cell)
    for k in range(4):
        if (pattern >> (2 * k)) & 3 == role + 1:
            cells = cells_of(stones, root_of(stones, cell + grid.offset[k]), n_words)
            for i in range(n_words):
                string.w[i] |= cells.w[i]
    spread(grid, &string, &beside, n_words)
    for i in range(n_words):
        found += popcount(beside.w[i] & stones.empty.w[i] & ~string.w[i])
    return found >= 2


cdef inline void roomy(const Grid* grid, const Stones* stones, Bits* cells, int n_words) noexcept nogil:
    """The empty cells with two or more empty cells beside them."""
    cdef uint64_t below, above, right, left
    cdef int i
    for i in range(n_words):
        below, above = down(&stones.empty, i, grid.columns, n_words), up(&stones.empty, i, grid.columns)
        right = down(&stones.empty, i, 1, n_words) & grid.has_right.w[i]
        left = up(&stones.empty, i, 1) & grid.has_left.w[i]
        cells.w[i] = stones.empty.w[i] & ((below & above) | (right & left) | ((below | above) & (right | left)))


cdef inline int count(const Bits* cells, int n_words) noexcept nogil:
    cdef int i, n = 0
    for i in range(n_words):
        n += popcount(cells.w[i])
    return n


cdef inline int pick(const Bits* cells, int n, int n_words) noexcept nogil:
    """The n-th cell of a set, counted from 0."""
    cdef int i, here
    for i in range(n_words - 1):
        here = popcount(cells.w[i])
        if n < here:
            return 64 * i + nth(cells.w[i], n)
        n -= here
    return 64 * (n_words - 1) + nth(cells.w[n_words - 1], n)


cdef inline void copy_stones(const Grid* grid, Stones* to, const Stones* source) noexcept nogil:
    to.of[0] = source.of[0]
    to.of[1] = source.of[1]
    to.atari[0] = source.atari[0]
    to.atari[1] = source.atari[1]
    to.empty = source.empty
    memcpy(to.strings, source.strings, grid.block_bytes)


cdef inline void rebuild(const Grid* grid, Stones* stones) noexcept nogil:
    """Everything that follows from the stones of the two roles."""
    cdef int n_words = grid.n_words
    cdef int role, cell, k, i, beside, root, other
    cdef Bits* cells
    cdef Bits* others
    memcpy(stones.pattern, grid.pattern, grid.n_cells)
    for i in range(n_words):
        stones.empty.w[i] = grid.board.w[i] & ~(stones.of[0].w[i] | stones.of[1].w[i])
        stones.atari[0].w[i] = stones.atari[1].w[i] = 0
    for role in range(2):
        for cell in range(grid.n_cells):
            if not test(&stones.of[role], cell):
                continue
            stones.parent[cell] = cell
            cells = cells_of(stones, cell, n_words)
            for i in range(n_words):
                cells.w[i] = 0
            flip(cells, cell)
            for k in range(4):
                if (grid.pattern[cell] >> (2 * k)) & 3 == EDGE:
                    continue
                beside = cell + grid.offset[k]
                stones.pattern[beside] |= (role + 1) << (2 * (3 - k))
                if beside > cell or not test(&stones.of[role], beside):
                    continue
                root, other = root_of(stones, cell), root_of(stones, beside)
                if root == other:
                    continue
                stones.parent[root] = other
                cells, others = cells_of(stones, root, n_words), cells_of(stones, other, n_words)
                for i in range(n_words):
                    others.w[i] |= cells.w[i]
    for role in range(2):
        for cell in range(grid.n_cells):
            if test(&stones.of[role], cell) and stones.parent[cell] == cell and liberties(grid, stones, cell, n_words) == 1:
                cells = cells_of(stones, cell, n_words)
                for i in range(n_words):
                    stones.atari[role].w[i] |= cells.w[i]


cdef class StonesGame(GridGame):
    # Rules of a game of the family: the grid. A move is the cell a stone is put on.
    cdef Grid grid


cdef class StonesState(GridState):
    # What the games of the family share of a position. Black is role 0 and starts.
    cdef const Grid* grid
    cdef Stones stones
    cdef int mover
    cdef int winner         # -1 while the game goes on
    cdef Bits open          # where the mover may play; the games keep it up to date
    cdef move_t moves[MAX_CELLS + 1]

    cdef int list_cells(self, const Bits* cells) noexcept nogil        # write them into `moves`; returns how many
