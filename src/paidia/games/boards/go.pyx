# distutils: extra_compile_args = -O3
"""Go with area scoring and positional superko.

Players put a stone or pass, black first. Suicide is illegal, and so is a stone after which the board looks as
it did at any earlier time of the game (positional superko). Two passes in a row end the game, and so do
2 * rows * columns moves: it is then scored as it stands. A player's area is the own stones and the empty
regions that touch them alone (dead stones have to be captured); white adds the komi. Who has more wins; where
the komi allows it, equal areas are a draw.

The key leaves out what happened earlier, but for the number of moves and the cells that superko forbids right
now: move orders that meet share a key, and two states with one key always have the same legal moves. Later on
superko may tell such states apart all the same.
"""

from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from paidia.core.machine.bits cimport Bits, flip, lowest, mix, test
from paidia.core.machine.memory cimport calloc
from paidia.core.model cimport Situation, move_t, note_move
from paidia.core.machine.rng cimport Rng, rng_below, rng_next
from paidia.games.boards.stones cimport (
    MAX_CELLS, StonesGame, StonesState, capturing, cells_of, count, pick, place, playable, root_of, spread,
)

from paidia.core.errors import BadInput
from paidia.games.boards.catalogue import BOARDS, BoardGame
from paidia.games.boards.notation import read_count
from paidia.games.boards.stones import ROLES

ctypedef struct Rules:
    double komi
    int limit                           # moves after which the game is scored as it stands
    int n_slots                         # of the table of earlier positions; a power of two
    uint64_t stone[2][MAX_CELLS]        # what a stone contributes to the hash of a position


cdef class Go(StonesGame):
    """The rules of go on one board size."""

    cdef Rules rules

    def __init__(self, str id, int rows, int columns, *, double komi=7.5):
        super().__init__(rows, columns)
        cdef int role, cell, n_cells = rows * columns
        cdef Rng rng
        rng.state = 0x60
        for role in range(2):
            for cell in range(n_cells):
                self.rules.stone[role][cell] = rng_next(&rng)
        self.rules.komi = komi
        self.rules.limit = 2 * n_cells
        self.rules.n_slots = 1
        while self.rules.n_slots < 2 * (self.rules.limit + 1):
            self.rules.n_slots *= 2
        self.declare(id, ROLES, n_cells + 1, n_cells + 1, 256 * n_cells + 1)
        self.history = True

    def initial_state(self):
        return GoState(self)

    @property
    def n_words(self):
        return 4

    def move_name(self, int role, int move):
        return "pass" if move == self.grid.n_cells else StonesGame.move_name(self, role, move)


cdef class GoState(StonesState):
    """One position of go, with the hashes of all earlier ones."""

    cdef const Rules* rules
    cdef uint64_t hash          # of the stones on the board
    cdef uint64_t* seen         # open addressing: hashes of all positions of this game, 0 in a free slot
    cdef int passes             # in a row, just now
    cdef int ply
    cdef bint captured          # whether anything was ever captured: before that, no position can come back

    def __cinit__(self, Go game not None):
        self.rules = &game.rules
        self.seen = <uint64_t*>calloc(game.rules.n_slots, sizeof(uint64_t))
        if self.seen == NULL:
            raise MemoryError
        self.hash = 0x9E3779B97F4A7C15      # the empty board; anything but 0
        self.remember()
        playable(self.grid, &self.stones, self.mover, &self.open, self.grid.n_words)

    def __dealloc__(self):
        free(self.seen)

    cdef inline void remember(self) noexcept nogil:
        cdef int slot = self.hash & (self.rules.n_slots - 1)
        while self.seen[slot] != 0:
            slot = (slot + 1) & (self.rules.n_slots - 1)
        self.seen[slot] = self.hash

    cdef inline bint repeats(self, int cell, bint captures) noexcept nogil:
        """Whether a stone of the mover on this cell, which may capture or not, brings a position back."""
        cdef uint64_t after = self.hash ^ self.rules.stone[self.mover][cell]
        cdef int slot
        if captures:
            after ^= self.captures_hash(cell)
        slot = after & (self.rules.n_slots - 1)
        while self.seen[slot] != 0:
            if self.seen[slot] == after:
                return True
            slot = (slot + 1) & (self.rules.n_slots - 1)
        return False

    cdef void forbidden(self, Bits* cells) noexcept nogil:
        """The cells among the open ones that superko forbids."""
        cdef Bits captures
        cdef uint64_t word
        cdef int i, cell, n_words = self.grid.n_words
        capturing(self.grid, &self.stones, self.mover, &captures, n_words)
        for i in range(n_words):
            cells.w[i] = 0
            word = self.open.w[i] if self.captured else 0
            while word:
                cell = 64 * i + lowest(word)
                word &= word - 1
                if self.repeats(cell, test(&captures, cell)):
                    flip(cells, cell)

    cdef inline uint64_t captures_hash(self, int cell) noexcept nogil:
        """What the stones that the mover would capture from this cell contribute to the hash."""
        cdef int other = 1 - self.mover, n_words = self.grid.n_words
        cdef int k, i, beside
        cdef bint any_capture = False
        cdef Bits taken
        cdef const Bits* cells
        for k in range(4):
            if (self.stones.pattern[cell] >> (2 * k)) & 3 != other + 1:
                continue
            beside = cell + self.grid.offset[k]
            if not test(&self.stones.atari[other], beside):
                continue
            cells = cells_of(&self.stones, root_of(&self.stones, beside), n_words)
            for i in range(n_words):
                taken.w[i] = cells.w[i] | (taken.w[i] if any_capture else 0)
            any_capture = True
        return self.stones_hash(other, &taken) if any_capture else 0

    cdef inline uint64_t stones_hash(self, int role, const Bits* cells) noexcept nogil:
        cdef uint64_t word, hash = 0
        cdef int i
        for i in range(self.grid.n_words):
            word = cells.w[i]
            while word:
                hash ^= self.rules.stone[role][64 * i + lowest(word)]
                word &= word - 1
        return hash

    cdef int c_legal(self, int role, const move_t** moves) noexcept nogil:
        cdef Bits forbidden
        cdef int i, n = 0
        cdef uint64_t word
        moves[0] = self.moves
        if role != self.mover:
            return 0
        self.forbidden(&forbidden)
        for i in range(self.grid.n_words):
            word = self.open.w[i] & ~forbidden.w[i]
            while word:
                self.moves[n] = 64 * i + lowest(word)
                word &= word - 1
                n += 1
        self.moves[n] = self.grid.n_cells
        return n + 1

    cdef inline void step(self, int cell, int n_words) noexcept nogil:
        cdef Bits taken
        cdef int role = self.mover
        self.ply += 1
        self.mover = 1 - role
        if cell == self.grid.n_cells:
            self.passes += 1
        else:
            self.passes = 0
            self.hash ^= self.rules.stone[role][cell]
            if place(self.grid, &self.stones, role, cell, &taken, n_words) > 0:
                self.captured = True
                self.hash ^= self.stones_hash(1 - role, &taken)
            self.remember()
        playable(self.grid, &self.stones, self.mover, &self.open, n_words)

    cdef void c_play(self, const move_t* joint) noexcept nogil:
        if self.grid.n_words == 1:
            self.step(joint[self.mover], 1)
        else:
            self.step(joint[self.mover], self.grid.n_words)

    cdef inline int run(self, Rng* rng, int limit, move_t* played, int n_words) noexcept nogil:
        cdef int cell, n, steps = 0
        while self.passes < 2 and self.ply < self.rules.limit and steps < limit:
            n = count(&self.open, n_words)
            while True:
                cell = rng_below(rng, n + 1)
                cell = pick(&self.open, cell, n_words) if cell < n else self.grid.n_cells
                if cell == self.grid.n_cells or not self.captured or not self.repeats(cell, True):
                    break
            note_move(played, steps, self.mover, cell)
            self.step(cell, n_words)
            steps += 1
        return steps

    cdef int c_playout(self, Rng* rng, int limit, move_t* played) noexcept nogil:
        # Draws again where superko forbids the cell, instead of looking at every cell first.
        if self.grid.n_words == 1:
            return self.run(rng, limit, played, 1)
        if self.grid.n_words == 2:
            return self.run(rng, limit, played, 2)
        return self.run(rng, limit, played, self.grid.n_words)

    cdef bint c_terminal(self) noexcept nogil:
        return self.passes == 2 or self.ply >= self.rules.limit

    cdef void reach(self, int role, Bits* reached) noexcept nogil:
        """The stones of a role and all empty cells with a way to them through empty cells."""
        cdef Bits beside
        cdef uint64_t more, grown = 1
        cdef int i
        reached[0] = self.stones.of[role]
        while grown:
            grown = 0
            spread(self.grid, reached, &beside, self.grid.n_words)
            for i in range(self.grid.n_words):
                more = beside.w[i] & self.stones.empty.w[i] & ~reached.w[i]
                reached.w[i] |= more
                grown |= more

    cdef double lead(self) noexcept nogil:
        """Area of black minus area of white, minus the komi."""
        cdef Bits reached[2]
        cdef int i, area = 0
        cdef uint64_t both
        self.reach(0, &reached[0])
        self.reach(1, &reached[1])
        for i in range(self.grid.n_words):
            both = reached[0].w[i] & reached[1].w[i]
            reached[0].w[i] &= ~both
            reached[1].w[i] &= ~both
        area = count(&reached[0], self.grid.n_words) - count(&reached[1], self.grid.n_words)
        return area - self.rules.komi

    cdef void c_goals(self, double* goals) noexcept nogil:
        cdef double lead = self.lead()
        goals[0] = 1.0 if lead > 0 else 0.0 if lead < 0 else 0.5
        goals[1] = 1.0 - goals[0]

    cdef void c_copy(self, Situation other) noexcept nogil:
        StonesState.c_copy(self, other)
        self.hash = (<GoState>other).hash
        self.passes = (<GoState>other).passes
        self.ply = (<GoState>other).ply
        self.captured = (<GoState>other).captured
        memcpy(self.seen, (<GoState>other).seen, self.rules.n_slots * sizeof(uint64_t))

    cdef uint64_t c_key(self) noexcept nogil:
        cdef uint64_t key = mix(self.hash, self.mover + 2 * self.passes + 8 * self.ply)
        cdef Bits forbidden
        cdef int i
        if self.captured:
            self.forbidden(&forbidden)
            for i in range(self.grid.n_words):
                if forbidden.w[i]:
                    key = mix(key + i, forbidden.w[i])
        return key

    cdef void c_codes(self, int role, const move_t* moves, int n, int32_t* codes) noexcept nogil:
        if n > 0 and moves[n - 1] == self.grid.n_cells:
            n -= 1
            codes[n] = 256 * self.grid.n_cells
        StonesState.c_codes(self, role, moves, n, codes)

    def words(self):
        """Passes in a row, moves played, whether anything was captured, and earlier positions.

        Superko forbids what has been on the board before; earlier positions are written as their hashes, parted by commas.
        """
        cdef int i
        seen = sorted([self.seen[i] for i in range(self.rules.n_slots) if self.seen[i]])
        earlier = ",".join(f"{hash:016x}" for hash in seen)
        return [self.passes, self.ply, "captured" if self.captured else "-", earlier]

    def read_words(self, words):
        cdef uint64_t hash = 0x9E3779B97F4A7C15
        passes, ply, captured, earlier = words
        self.passes = read_count(self.game, passes, "the number of passes in a row", 2)
        self.ply = read_count(self.game, ply, "the number of moves", self.rules.limit)
        if captured not in ("captured", "-"):
            raise BadInput(f"{self.game.id}: whether a stone was ever captured is said by captured or -, not {captured!r}")
        self.captured = captured != "-"
        hash ^= self.stones_hash(0, &self.stones.of[0]) ^ self.stones_hash(1, &self.stones.of[1])
        memset(self.seen, 0, self.rules.n_slots * sizeof(uint64_t))
        try:
            hashes = {int(word, 16) for word in earlier.split(",")} - {0}
        except ValueError:
            raise BadInput(f"{self.game.id}: earlier positions are numbers of 16 digits parted by commas: {earlier!r}") from None
        if len(hashes) > self.rules.limit or max(hashes, default=0) >= 1 << 64:
            raise BadInput(f"{self.game.id}: a game has at most {self.rules.limit} positions, each a number of 16 digits")
        for earlier in sorted(hashes | {hash}):
            self.hash = earlier
            self.remember()
        self.hash = hash
        playable(self.grid, &self.stones, self.mover, &self.open, self.grid.n_words)

    def below(self):
        lead = self.lead()
        score = f"{ROLES[lead < 0]} leads by {abs(lead):g}" if lead else "equal areas"
        if self.c_terminal():
            return f"game over after {self.ply} moves; {score}"
        after = " after a pass" if self.passes else ""
        return f"move {self.ply + 1}: {StonesState.below(self)}{after}; {score}"


BOARDS.add(BoardGame(
    id="go", summary="area scoring, komi 7.5, positional superko", roles=ROLES, rows=9, columns=9, make=Go,
))
