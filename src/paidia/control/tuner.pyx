"""`Tuner` and `Allocation`: the frame of every controller that chooses combinations (see tuner.pxd).

Before each simulation every role's allocation chooses its combination; after it every role's allocation gets
the goal of its own role. Statistics live for one game, the start clock included, and are never forgotten in
between.
"""

from libc.stdlib cimport free

import numpy as np

from paidia.control.combinations cimport combos_index
from paidia.core.machine.memory cimport calloc
from paidia.control.trajectory import (
    CombinationCount, ParameterValues, RoleTrajectory, Trajectory, TurnRecord,
)
from paidia.core.errors import BadInput, did_you_mean
from paidia.core.seeds import spawn

# A table with an entry per combination, and one per role, must fit into memory.
MAX_TABLE = 1 << 22


def check_table(combinations):
    """Refuse a space that is too large for strategies with an entry for each combination."""
    if len(combinations) > MAX_TABLE:
        raise BadInput(f"{len(combinations):,} combinations are too many for this controller, which has "
                       f"a table of them; {MAX_TABLE:,} are possible: give fewer parameters or fewer values")
    return combinations


def columns_of(wanted, names):
    """The column of each wanted parameter in a vector described by `names`."""
    for name in wanted:
        if name not in names:
            hint = did_you_mean(name, names, otherwise=f"it has {', '.join(names) or 'none'}", most=1)
            raise BadInput(f"the search has no parameter {name!r} to control; {hint}")
    return [names.index(name) for name in wanted]


cdef class Allocation:
    """How one role distributes the simulations over the combinations."""

    def __init__(self, Combinations combinations not None, seed):
        self.combinations = combinations
        self.space = &combinations.c
        self.rng.state = seed

    cdef void choose(self) noexcept nogil:
        pass

    cdef void update(self, double reward) noexcept nogil:
        pass

    cdef void write(self, const int* columns, double* vector) noexcept nogil:
        cdef const Combos* c = self.space
        cdef int i
        for i in range(c.d):
            vector[columns[i]] = c.values[c.first[i] + self.genes[i]]

    def begin_turn(self, int turn):
        """The search of a turn starts."""

    def best(self):
        """The genes of the best combination so far, or None if nothing was learned (yet)."""
        return None

    def current(self):
        """The genes in use."""
        return [self.genes[i] for i in range(self.space.d)]


cdef class Tuner(Controller):
    """A controller that chooses a combination for each role before every `batch` simulations."""

    def __init__(self, settings):
        self.settings = settings
        self.combinations = self.number(settings.space())
        self.raw = settings.reward == "raw"
        self.batch = 1
        self.allocations = []
        self.turns = []
        self.bests = []

    def __dealloc__(self):
        free(self.role)

    def number(self, space):
        """The numbered combinations of the space."""
        return Combinations(space)

    def allocate(self, seed):
        """A new allocation for one role."""
        raise NotImplementedError

    def begin_game(self, int n_roles, list names, seed):
        """Forget everything; every role gets a new allocation with a seed of its own."""
        cdef int i
        columns = columns_of(self.combinations.space.names, names)
        for i in range(self.combinations.c.d):
            self.columns[i] = columns[i]
        self.allocations = [self.allocate(spawn(seed, role)) for role in range(n_roles)]
        free(self.role)
        self.n_roles = 0
        self.role = <void**>calloc(max(1, n_roles), sizeof(void*))
        if self.role == NULL:
            raise MemoryError
        for i in range(n_roles):
            self.role[i] = <void*>self.allocations[i]
        self.n_roles = n_roles
        self.n_combinations = self.combinations.c.count if self.combinations.c.count <= MAX_TABLE else 0
        self.value_counts = np.zeros((n_roles, self.combinations.c.n_values), np.uint32)
        self.combination_counts = np.zeros((n_roles, max(1, self.n_combinations)), np.uint32)
        self.value_count = &self.value_counts[0, 0] if n_roles else NULL
        self.combination_count = &self.combination_counts[0, 0] if n_roles and self.n_combinations else NULL
        self.simulations = 0
        self.left = 0
        self.turns = []
        self.bests = []

    def begin_turn(self, int turn):
        """Close the record of the turn before, open one for this; a turn searched twice has one record."""
        cdef Py_ssize_t n = len(self.turns)
        if n == 0 or self.turns[n - 1][0] != turn:
            if n:
                self.bests.append(self._best())
            self.turns.append((turn, self.simulations, np.array(self.value_counts)))
        for allocation in self.allocations:
            allocation.begin_turn(turn)

    cdef void begin_simulation(self, double* vectors, int width) noexcept nogil:
        cdef int r
        cdef bint due = self.left == 0
        if due:
            self.left = self.batch
        for r in range(self.n_roles):
            if due:
                (<Allocation>self.role[r]).choose()
            (<Allocation>self.role[r]).write(self.columns, vectors + r * width)
            self.record(r, (<Allocation>self.role[r]).genes)

    cdef void end_simulation(self, const double* goals) noexcept nogil:
        cdef int r
        for r in range(self.n_roles):
            (<Allocation>self.role[r]).update(goals[r])
        self.left -= 1
        self.simulations += 1

    cdef void record(self, int role, const int* genes) noexcept nogil:
        cdef const Combos* c = &self.combinations.c
        cdef uint32_t* counts = self.value_count + role * c.n_values
        cdef int i
        for i in range(c.d):
            counts[c.first[i] + genes[i]] += 1
        if self.combination_count != NULL:
            self.combination_count[role * self.n_combinations + combos_index(c, genes)] += 1

    def _best(self):
        return [a.best() for a in self.allocations]

    def combination_samples(self, int role):
        """How many simulations of this game used each combination, by its number."""
        if not self.n_combinations:
            raise BadInput(f"with {len(self.combinations):,} combinations single ones are not counted")
        if not 0 <= role < self.n_roles:
            raise BadInput(f"there are roles 0 to {self.n_roles - 1}, not {role}")
        return np.array(self.combination_counts[role])

    def trajectory(self, *, int most_used=20):
        """The record of this game (see trajectory.py), with the `most_used` combinations of each role."""
        c = self.combinations
        edges = [c.c.first[i] for i in range(c.c.d)] + [c.c.n_values]
        starts = [*self.turns, (None, self.simulations, np.array(self.value_counts))]
        bests = [*self.bests, self._best()]
        roles = []
        for role in range(self.n_roles):
            turns = []
            for (turn, done, counts), (_, after, later), best in zip(starts, starts[1:], bests):
                used = (later[role] - counts[role]).tolist()
                turns.append(TurnRecord(
                    turn, after - done,
                    [used[a:b] for a, b in zip(edges, edges[1:])],
                    [] if best[role] is None else c.labels(best[role]),
                ))
            roles.append(RoleTrajectory(role, turns, self._most_used(role, most_used)))
        return Trajectory(
            type(self).__name__,
            [ParameterValues(*pair) for pair in zip(c.space.names, c.space.labels())],
            roles,
        )

    def _most_used(self, int role, most):
        if not self.n_combinations:
            return []
        counts = np.asarray(self.combination_counts[role])
        used = np.flatnonzero(counts)
        top = used[np.argsort(-counts[used].astype(np.int64), kind="stable")[:most]]
        return [CombinationCount(self.combinations.labels(self.combinations.genes(int(i))), int(counts[i])) for i in top]
