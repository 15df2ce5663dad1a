"""Perft: how many sequences of joint moves there are of each length, and how many states they lead to.

The name is the chess programmers' (performance test): two sets of rules that agree on these counts are very
likely the same game. Terminal states are not expanded. A state met again at the same depth (told by its key)
is not searched again, so games with many transpositions can be counted deeply; where a key leaves out
history, as in go, `paths` may be off from the first such meeting on.
"""

from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport rint
from libc.stdint cimport uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from paidia.core.game cimport Game, State
from paidia.core.machine.memory cimport calloc, realloc
from paidia.core.model cimport MAX_ROLES, NO_MOVE, move_t
from paidia.games.key_table cimport KeyTable

from typing import TypedDict

from paidia.core.errors import BadInput

cdef enum:
    MAX_DEPTH = 1000

cdef enum Stop:
    GOING
    NO_MEMORY
    TOO_MANY            # a count does not fit in 64 bits
    INTERRUPTED
    FAILED              # a state written in Python raised


class PerftRow(TypedDict):
    """The counts of one depth; goals are on GDL's scale of 0 to 100."""

    depth: int
    paths: int
    states: int
    terminal_paths: int
    goal_sums: list[float]


cdef class Progress:
    # Shared by all levels: memory in use, and why to stop.
    cdef size_t used
    cdef size_t allowed
    cdef uint64_t visits
    cdef int stop
    cdef object error

    cdef void interrupt(self) noexcept nogil:
        with gil:
            try:
                PyErr_CheckSignals()
            except BaseException as error:
                self.error = error
                self.stop = INTERRUPTED


cdef class Level:
    # One depth: a scratch state, the level below, and what lies below each distinct state met at this depth.
    # What lies below a state is a tally: for each depth from its own on, paths and terminal paths in
    # `counts`, the goals of the roles in `goals`.
    cdef State state
    cdef Level below            # None at the last depth
    cdef Progress progress
    cdef int n_roles
    cdef int n_depths           # rows of a tally
    cdef uint64_t* counts       # the tally being made: (paths, terminal paths) per row
    cdef double* goals
    cdef KeyTable states        # those met at this depth
    cdef size_t room            # tallies that the two arrays below can hold
    cdef uint64_t* all_counts
    cdef double* all_goals

    def __cinit__(self, Game game, Level below, Progress progress):
        self.state = game.initial_state()
        self.below = below
        self.progress = progress
        self.n_roles = game.n_roles
        self.n_depths = 1 if below is None else below.n_depths + 1
        self.states = KeyTable()
        self.counts = <uint64_t*>calloc(2 * self.n_depths, sizeof(uint64_t))
        self.goals = <double*>calloc(self.n_roles * self.n_depths, sizeof(double))
        if self.counts == NULL or self.goals == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.counts)
        free(self.goals)
        free(self.all_counts)
        free(self.all_goals)

    cdef bint reserve(self, size_t n_bytes) noexcept nogil:
        self.progress.used += n_bytes
        if self.progress.used > self.progress.allowed:
            self.progress.stop = NO_MEMORY
            return False
        return True

    cdef bint grow_tallies(self) noexcept nogil:
        cdef size_t room = 2 * self.room if self.room else 64
        cdef size_t count_bytes = room * self.n_depths * 2 * sizeof(uint64_t)
        cdef size_t goal_bytes = room * self.n_depths * self.n_roles * sizeof(double)
        cdef void* grown
        if not self.reserve((count_bytes + goal_bytes) // 2):
            return False
        grown = realloc(self.all_counts, count_bytes)
        if grown != NULL:
            self.all_counts = <uint64_t*>grown
            grown = realloc(self.all_goals, goal_bytes)
        if grown == NULL:
            self.progress.stop = NO_MEMORY
            return False
        self.all_goals = <double*>grown
        self.room = room
        return True

    cdef void remember(self, uint64_t key) noexcept nogil:
        """Enter a state that was not met before, with the tally just made."""
        if self.states.full():
            if not self.reserve(self.states.size()):
                return
            if not self.states.grow():
                self.progress.stop = NO_MEMORY
                return
        if self.n_depths > 1:       # a tally of the last depth is made again sooner than found
            if self.states.n == self.room and not self.grow_tallies():
                return
            memcpy(
                self.all_counts + self.states.n * self.n_depths * 2, self.counts,
                self.n_depths * 2 * sizeof(uint64_t),
            )
            memcpy(
                self.all_goals + self.states.n * self.n_depths * self.n_roles, self.goals,
                self.n_depths * self.n_roles * sizeof(double),
            )
        self.states.enter(key)

    cdef void visit(self) noexcept nogil:
        """Leave the tally of the present state in `counts` and `goals`."""
        cdef uint64_t key = self.state.c_key()
        cdef size_t entry = self.states.find(key)
        self.progress.visits += 1
        if self.progress.visits & 0xFFFF == 0:
            self.progress.interrupt()
        if entry != 0 and self.n_depths > 1:
            memcpy(
                self.counts, self.all_counts + (entry - 1) * self.n_depths * 2,
                self.n_depths * 2 * sizeof(uint64_t),
            )
            memcpy(
                self.goals, self.all_goals + (entry - 1) * self.n_depths * self.n_roles,
                self.n_depths * self.n_roles * sizeof(double),
            )
            return
        memset(self.counts, 0, self.n_depths * 2 * sizeof(uint64_t))
        memset(self.goals, 0, self.n_depths * self.n_roles * sizeof(double))
        self.counts[0] = 1
        if self.state.c_terminal():
            self.end_here()
        elif self.n_depths > 1:
            self.expand()
        if self.state.failed:
            self.progress.stop = FAILED
        if entry == 0 and self.progress.stop == GOING:
            self.remember(key)

    cdef void end_here(self) noexcept nogil:
        cdef double goals[MAX_ROLES]
        cdef int role
        self.counts[1] = 1
        self.state.c_goals(goals)
        for role in range(self.n_roles):    # goals are hundredths as a rule: rounding keeps their sums whole
            self.goals[role] = rint(goals[role] * 1e6) / 1e4

    cdef void expand(self) noexcept nogil:
        """Visit the state below after each joint move and add up what it finds."""
        cdef const move_t* moves[MAX_ROLES]
        cdef int n[MAX_ROLES]
        cdef int at[MAX_ROLES]
        cdef move_t joint[MAX_ROLES]
        cdef int role, total = 0, mover = self.state.c_mover()
        for role in range(self.n_roles):
            at[role] = n[role] = 0
            joint[role] = NO_MOVE
            if mover < 0 or role == mover:
                n[role] = self.state.c_legal(role, &moves[role])
                total += n[role]
                if n[role] > 0:
                    joint[role] = moves[role][0]
        if total == 0:
            return
        while True:
            self.below.state.c_copy(self.state)
            self.below.state.c_play(joint)
            self.below.visit()
            self.add_below()
            if self.progress.stop != GOING:
                return
            role = self.n_roles - 1
            while role >= 0:        # the next joint move, as an odometer counts
                at[role] += 1
                if at[role] < n[role]:
                    joint[role] = moves[role][at[role]]
                    break
                at[role] = 0
                if n[role] > 0:
                    joint[role] = moves[role][0]
                role -= 1
            if role < 0:
                return

    cdef void add_below(self) noexcept nogil:
        cdef int i
        for i in range(2 * self.below.n_depths):
            self.counts[2 + i] += self.below.counts[i]
            if self.counts[2 + i] < self.below.counts[i]:
                self.progress.stop = TOO_MANY
        for i in range(self.n_roles * self.below.n_depths):
            self.goals[self.n_roles + i] += self.below.goals[i]


def perft(Game game not None, depth, *, double memory=2e9):
    """Count the sequences of joint moves from the start of a game.

    Args:
        game: The rules.
        depth: Longest sequence; the counts of all shorter ones come with it.
        memory: Bytes that the states met may take, at most; more is an error.

    Returns:
        One row per depth from 0 on: `paths`, the sequences of that many joint moves; `states`, the distinct
        states they lead to; `terminal_paths`, those that end the game exactly there; `goal_sums`, the sum of
        each role's goals (0 to 100) over the latter.
    """
    cdef Progress progress = Progress()
    cdef Level level = None
    check_bounds(depth, memory)
    progress.allowed = <size_t>memory
    levels = []
    for _ in range(depth + 1):
        level = Level(game, level, progress)
        levels.insert(0, level)
    with nogil:
        level.visit()
    _raise_for(progress, game, depth, levels)
    return [_row(level, i, levels[i]) for i in range(depth + 1)]


def _raise_for(Progress progress, Game game, int depth, list levels):
    cdef Level level
    if progress.stop == INTERRUPTED:
        raise progress.error
    for level in levels:
        level.state.check()
    if progress.stop == NO_MEMORY:
        raise too_large(game, depth, progress.allowed)
    if progress.stop == TOO_MANY:
        raise too_many(game, depth)


def check_bounds(depth, memory):
    """Refuse a depth or a number of bytes that no perft has."""
    if not 0 <= depth <= MAX_DEPTH:
        raise BadInput(f"a perft depth is 0 to {MAX_DEPTH}, not {depth}")
    if not 0 < memory < 1e15:
        raise BadInput(f"the memory of a perft is a number of bytes above 0, not {memory:g}")


def too_large(game, depth, memory):
    """The error of a perft whose states take more than so many bytes."""
    where = f"perft of {game.id} to depth {depth}"
    return BadInput(f"{where} needs more than {memory / 1e6:g} MB; take a smaller depth or allow more memory")


def too_many(game, depth):
    """The error of a perft whose counts do not fit in 64 bits."""
    return BadInput(f"perft of {game.id} to depth {depth} counts more than 2**64 paths; take a smaller depth")


def row_of(depth, paths, states, terminal_paths, goal_sums):
    """A row; sums that are whole numbers are written so."""
    return PerftRow(
        depth=depth,
        paths=paths,
        states=states,
        terminal_paths=terminal_paths,
        goal_sums=[int(goal) if goal == int(goal) else goal for goal in goal_sums],
    )


def _row(Level top, int depth, Level here):
    cdef int role
    sums = [top.goals[depth * top.n_roles + role] for role in range(top.n_roles)]
    return row_of(depth, top.counts[2 * depth], here.states.n, top.counts[2 * depth + 1], sums)
