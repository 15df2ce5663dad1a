"""Lane programs on the processor: interpreted over wide words, or as compiled code (native.py). See lanes.h.

A kernel is built again when lanes.h changes, or what it includes (extern from "paidia/games/gdl/lanes/processor/kernel.h",
extern from "paidia/games/gdl/lanes/operations.h").
"""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset


from paidia.core.errors import BadInput
from paidia.games.gdl.lanes.portable import random_state
from paidia.games.gdl.lanes.compile.schedule import allocate, in_runs, pack


def widths():
    """What this machine can do: (name of the words, lanes of a block), the widest words last."""
    cdef LanesWidth found[8]
    cdef int n = lanes_widths(found), i
    return [(found[i].name.decode(), found[i].lanes) for i in range(n)]


cdef class Tally:
    """What came of some games.

    Attributes:
        games: Games to their end.
        cut: Games that were stopped because they were too long; they count nowhere else.
        steps: Joint moves in all games.
        shortest, longest: Joint moves of a game.
        square: Sum of the squared lengths.
        decisions: States in which somebody moved.
        legal: Legal moves in them, over all choices.
        goal_count: By goal: how often it was the only one of its role.
        goal_sum, goal_square, goal_best: By role, where it had several: sum of their means, of the squares, how many were 1.
    """

    cdef LanesTally c
    cdef readonly object goal_count, goal_sum, goal_square, goal_best

    def __init__(self, int n_goals, int n_roles):
        cdef int64_t[::1] counts
        cdef double[::1] sums, squares, bests
        memset(&self.c, 0, sizeof(LanesTally))
        self.c.shortest = (<int64_t>1) << 60
        self.goal_count = np.zeros(n_goals + 1, np.int64)
        self.goal_sum, self.goal_square, self.goal_best = np.zeros(n_roles), np.zeros(n_roles), np.zeros(n_roles)
        counts, sums, squares, bests = self.goal_count, self.goal_sum, self.goal_square, self.goal_best
        self.c.goal_count, self.c.goal_sum, self.c.goal_square, self.c.goal_best = &counts[0], &sums[0], &squares[0], &bests[0]

    @property
    def games(self):
        return self.c.games

    @property
    def cut(self):
        return self.c.cut

    @property
    def steps(self):
        return self.c.steps

    @property
    def shortest(self):
        return self.c.shortest

    @property
    def longest(self):
        return self.c.longest

    @property
    def square(self):
        return self.c.square

    @property
    def decisions(self):
        return self.c.decisions

    @property
    def legal(self):
        return self.c.legal

    def add(self, Tally other not None):
        """Add the games of another tally."""
        self.c.games += other.c.games
        self.c.cut += other.c.cut
        self.c.steps += other.c.steps
        self.c.square += other.c.square
        self.c.decisions += other.c.decisions
        self.c.legal += other.c.legal
        self.c.shortest = min(self.c.shortest, other.c.shortest)
        self.c.longest = max(self.c.longest, other.c.longest)
        self.goal_count += other.goal_count
        self.goal_sum += other.goal_sum
        self.goal_square += other.goal_square
        self.goal_best += other.goal_best


cdef class Engine:
    """A lane program ready to run in blocks of lanes.

    Attributes:
        program: The program.
        lanes: Lanes of a block.
        name: Of the words.
        planes: By routine: planes of a block.
    """

    def __init__(self, program, *, words=None, lanes=None, native=None):
        """Choose words and size of a block; by default the widest words, and blocks whose planes stay near the processor.

        Args:
            program: The program.
            words: Name of the words, of `widths`.
            lanes: Lanes of a block.
            native: Compiled code (`native.NativeCode`), for its own words and lanes.
        """
        cdef LanesWidth found[8]
        cdef int n = lanes_widths(found), i, chosen = -1
        cdef int32_t[::1] ints
        cdef double[::1] doubles
        cdef uint8_t[::1] bytes_
        self.program = program
        self.planes = {}
        self.kept = []
        self.native = native
        if native is not None:
            words, lanes = native.words, native.lanes
        step = self.ordered(program.step) if native is None or "step" not in native.planes else None
        n_planes = program.step.n_planes if step is None else step[1]
        for i in range(n):
            if (words is None or found[i].name.decode() == words) and (lanes is None or found[i].lanes == lanes):
                large = n_planes * found[i].lanes // 8 > CACHE
                if lanes is None and chosen >= 0 and found[i].name == found[chosen].name and large:
                    continue
                chosen = i
        if chosen < 0:
            raise BadInput(f"no lanes with words {words!r} in blocks of {lanes} here; there are {widths()}")
        self.width = found[chosen]
        self.name, self.lanes = self.width.name.decode(), self.width.lanes
        cdef LanesGame* game = &self.game
        game.n_fluents, game.n_random = program.n_fluents, program.n_random
        game.over = program.over_plane
        game.counts, game.n_counts = program.count_planes.first, program.count_planes.n
        game.goals_at = program.goal_planes.first if program.goals_in_step else -1
        game.n_goals, game.n_roles = len(program.goal_role), len(program.roles)
        ints = self.keep([1 << bit for bits in program.counts for bit in range(bits)], np.int32)
        game.count_weight = &ints[0]
        ints = self.keep(program.goal_role, np.int32)
        game.goal_role = &ints[0]
        doubles = self.keep(program.goal_value, np.float64)
        game.goal_value = &doubles[0]
        bytes_ = self.keep(program.initial, np.uint8)
        game.initial = &bytes_[0]
        self.load(&game.look, "step", 0, step)
        self.load(&game.move, "step", 1, step)
        leaf = None
        if native is None or "leaf" not in native.planes:
            leaf = self.ordered(program.leaf)
        self.load(&self.leaf_look, "leaf", 0, leaf)
        self.load(&self.leaf_move, "leaf", 1, leaf)
        self.load(&game.goals, "goals", -1, None)
        self.load(&self.look_all, "look", -1, None)
        self.load(&self.play_moves, "play", -1, None)
        game.step_planes, game.goal_planes = self.planes["step"], max(self.planes["goals"], game.n_goals + 1)

    def keep(self, values, kind):
        """An array that lives as long as the engine; never empty, so that it has an address."""
        array = np.array([*values, 0], kind)
        self.kept.append(array)
        return array

    @staticmethod
    def ordered(routine):
        """Operations over planes in runs, and how many planes they take."""
        return allocate(in_runs(routine.rows, routine.n_inputs, WINDOW), routine.n_inputs, routine.n_planes)

    cdef int assign(self, LanesRoutine* routine, packed, int first) except -1:
        cdef int32_t[:, ::1] view = packed
        self.kept.append(packed)
        routine.ops = <const LanesOp*>&view[first, 0]
        routine.n_ops = <int32_t>view.shape[0] - first
        routine.code = NULL
        return 0

    cdef int load(self, LanesRoutine* routine, str name, int part, ordered) except -1:
        """Compiled code of a routine or of a part of it, or operations to be interpreted."""
        if self.native is not None and name in self.native.planes:
            self.planes[name] = self.native.planes[name]
            routine.ops = NULL
            routine.code = <LanesCode><size_t>self.native.address[name if part < 0 else f"{name}_{part}"]
            return 0
        rows, self.planes[name] = self.ordered(getattr(self.program, name)) if ordered is None else ordered
        packed, parts = pack(rows, self.lanes // 8)
        return self.assign(routine, packed, parts[max(0, part)])

    def tally(self):
        return Tally(self.game.n_goals, self.game.n_roles)

    def play_block(self, seed, int block, quota, int64_t limit=100_000, bint branching=True):
        """Play games in one block of lanes.

        Args:
            seed: Of the random planes.
            block: Which block: its first lane is block * lanes.
            quota: By lane of the block: how many games (int32).
            limit: A game that lasts about that many joint moves is stopped.
            branching: Whether legal moves are counted too.
        """
        cdef LanesGame game = self.game
        cdef uint64_t[::1] state = random_state(seed, self.lanes // 32, block * (self.lanes // 32))
        cdef int32_t[::1] games = np.ascontiguousarray(quota, np.int32)
        cdef Tally tally = self.tally()
        cdef int failed
        if games.shape[0] != self.lanes:
            raise ValueError(f"a quota for each of {self.lanes} lanes, not {games.shape[0]}")
        if not branching:
            game.n_counts = 0
        with nogil:
            failed = self.width.play(&game, &state[0], &games[0], limit, &tally.c)
        if failed:
            raise MemoryError
        return tally

    def block(self, str routine):
        """Planes for a block of lanes in a routine, as 64-lane words (planes, lanes / 64), all 0."""
        return aligned((self.planes[routine], self.lanes // 64))

    def run(self, str routine, uint64_t[:, ::1] planes):
        """Run a routine ("step_0", "step_1", "leaf_0", "leaf_1", "goals", "look", "play") on planes of one block."""
        cdef LanesRoutine* code = self.routine(routine)
        cdef void* address = &planes[0, 0]
        with nogil:
            self.width.run(code, address)

    def draw(self, uint64_t[::1] state, uint64_t[:, ::1] planes, int first, int n):
        """The next n random planes of a block, to `planes` from `first` on; `state` is dealt (`deal`)."""
        if n:
            self.width.draw(&state[0], &planes[first, 0], n)

    def play_actions(self, uint64_t[:, :, ::1] planes, const int32_t[:, ::1] actions, int first, int last):
        """Play actions from outside in some blocks.

        Args:
            planes: By block: fluents, legal moves, then what `play` tells: illegal, over, goals; all are changed.
            actions: By lane and action: the number of a move. Lanes without a row play their first legal move.
            first, last: Blocks first .. last - 1.
        """
        cdef uint64_t[:, ::1] scratch = self.block("play")
        cdef int n_inputs = self.program.play.n_inputs, n_state = self.program.n_fluents + sum(self.program.actions)
        cdef int n_told = self.program.play.n_planes - n_inputs
        cdef int32_t[::1] bits = np.array([*self.program.action_bits, 0], np.int32)
        cdef int n_actions = actions.shape[1], words = self.lanes // 64
        cdef size_t row = sizeof(uint64_t) * words
        cdef int64_t lanes = actions.shape[0], lane, base
        cdef uint64_t packed[32]
        cdef uint32_t said
        cdef int block, action, bit, w, k, at
        with nogil:
            for block in range(first, last):
                memcpy(&scratch[0, 0], &planes[block, 0, 0], n_state * row)
                at = n_state
                for action in range(n_actions):
                    for w in range(words):
                        memset(packed, 0, sizeof(packed))
                        base = <int64_t>block * self.lanes + 64 * w
                        for k in range(64):
                            lane = base + k
                            said = <uint32_t>actions[lane, action] if lane < lanes else 0
                            for bit in range(bits[action]):
                                packed[bit] |= <uint64_t>(said >> bit & 1) << k
                        for bit in range(bits[action]):
                            scratch[at + bit, w] = packed[bit]
                    at += bits[action]
                self.width.run(&self.play_moves, &scratch[0, 0])
                memcpy(&planes[block, 0, 0], &scratch[0, 0], n_state * row)
                memcpy(&planes[block, n_state, 0], &scratch[n_inputs, 0], n_told * row)

    cdef LanesRoutine* routine(self, str name) except NULL:
        if name == "step_0":
            return &self.game.look
        if name == "step_1":
            return &self.game.move
        if name == "leaf_0":
            return &self.leaf_look
        if name == "leaf_1":
            return &self.leaf_move
        if name == "goals":
            return &self.game.goals
        if name == "look":
            return &self.look_all
        if name == "play":
            return &self.play_moves
        raise ValueError(f"no routine {name!r}")


#: Operations that are put in another order among themselves.
WINDOW = 400

#: Bytes of planes above which blocks get smaller. Wide blocks pay far beyond the caches next to a core, since an operation is
#: read once for all lanes of a block: 100,000 games of a chess sheet take 27, 19 and 17 s with 256, 512 and 1024 lanes.
CACHE = 1 << 24


def aligned(shape):
    """Zeros of 64-bit words that begin at a multiple of 64 bytes."""
    n = int(np.prod(shape))
    raw = np.zeros(n + 8, np.uint64)
    skip = (-raw.ctypes.data % 64) // 8
    return raw[skip:skip + n].reshape(shape)
