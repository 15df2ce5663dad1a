"""FAST (Features-to-Action Sampling Technique): playouts prefer moves that bring about facts that games are won with.

TD(lambda) learns for each role what each fact is worth: V(s) is the sum of the weights of the facts that hold in s, and after a
simulation with the states s_0 .. s_T and the result z

    G_t = (1 - trace) V(s_t+1) + trace G_t+1,    G_T-1 = z - 1/2
    w_f += rate / |s_t| * (G_t - V(s_t))         for every fact f of s_t, all with the weights from before

The value of a move is what it changes: the weights of the facts that it has brought about so far and that do not hold, less
those of the facts that it has ended and that hold. Drawn by Gibbs sampling: P(a) proportional to exp(value(a) / tau).

Finnsson and Bjornsson 2010 (Learning simulation control in general game-playing agents), where features are pieces and their
cells, found by templates in the rules, and a move's value that of its two cells and of what it captures. Here facts are the
features, and what a move does to them is observed (docs/readings.md#other-playouts). Needs rules that tell their facts, without
chance. Parameter: tau.
"""

from libc.stdint cimport int32_t
from libc.stdlib cimport free
from libc.string cimport memset

from paidia.core.machine.memory cimport calloc, malloc, realloc
from paidia.core.model cimport NO_MOVE, Rules, Situation, move_t
from paidia.search.frame.parameters cimport N_PARAMETERS, P_TAU
from paidia.search.playout.base cimport Playout
from paidia.search.playout.gibbs cimport gibbs_choice
from paidia.search.frame.simulation cimport Simulation

from paidia.search.playout.base import without_facts
from paidia.search.registry import PLAYOUTS

cdef enum:
    MOST_EFFECTS = 16           # facts that a move is remembered to bring about, and to end

ctypedef struct Effects:
    int32_t n_added
    int32_t n_ended
    int32_t added[MOST_EFFECTS]
    int32_t ended[MOST_EFFECTS]


cdef class Fast(Playout):
    """FAST.

    Options:
        rate: Learning rate of TD(lambda).
        trace: Its lambda.
    """

    records = True
    options = ("rate", "trace")

    cdef double rate, trace
    cdef int n_roles, n_facts, n_moves
    cdef double* weights        # of fact f for role r: [r * n_facts + f]
    cdef double* fresh          # the same after this simulation
    cdef double* values         # of the legal moves
    cdef double* worth          # V of each state of the simulation
    cdef move_t* places         # 0, 1, 2, ...
    cdef Effects* effects       # of move m of role r: [r * n_moves + m]
    cdef int32_t* log           # the facts of all states of a simulation, one after the other
    cdef int32_t* starts        # where each state's begin, and the end
    cdef int log_capacity, states_capacity
    cdef int32_t* seen          # the last mark of each fact
    cdef int32_t mark
    cdef Situation scratch

    def __init__(self, *, double rate=0.1, double trace=0.9):
        if not 0.0 <= rate <= 1.0:
            raise ValueError(f"rate is a number from 0 to 1, not {rate}")
        if not 0.0 <= trace <= 1.0:
            raise ValueError(f"trace is a number from 0 to 1, not {trace}")
        self.rate, self.trace = rate, trace

    def __dealloc__(self):
        self._free()

    cdef void _free(self) noexcept:
        free(self.weights)
        free(self.fresh)
        free(self.values)
        free(self.worth)
        free(self.places)
        free(self.effects)
        free(self.log)
        free(self.starts)
        free(self.seen)
        self.weights = self.fresh = self.values = self.worth = NULL
        self.places = NULL
        self.effects = NULL
        self.log = self.starts = self.seen = NULL

    def cannot_play(self, Rules game not None):
        return without_facts("fast", game)

    def begin_game(self, Rules game not None):
        cdef int i
        cdef size_t size = <size_t>game.n_roles * game.n_atoms
        self._free()
        self.n_roles, self.n_facts, self.n_moves = game.n_roles, game.n_atoms, game.n_moves
        self.log_capacity, self.states_capacity = max(4096, 2 * game.n_atoms), 256
        self.weights = <double*>calloc(size, sizeof(double))
        self.fresh = <double*>calloc(size, sizeof(double))
        self.values = <double*>malloc((game.max_legal + 1) * sizeof(double))
        self.worth = <double*>malloc(self.states_capacity * sizeof(double))
        self.places = <move_t*>malloc((game.max_legal + 1) * sizeof(move_t))
        self.effects = <Effects*>calloc(<size_t>game.n_roles * game.n_moves, sizeof(Effects))
        self.log = <int32_t*>malloc(self.log_capacity * sizeof(int32_t))
        self.starts = <int32_t*>malloc((self.states_capacity + 1) * sizeof(int32_t))
        self.seen = <int32_t*>calloc(game.n_atoms, sizeof(int32_t))
        if (self.weights == NULL or self.fresh == NULL or self.values == NULL or self.worth == NULL or self.places == NULL
                or self.effects == NULL or self.log == NULL or self.starts == NULL or self.seen == NULL):
            raise MemoryError()
        self.mark = 0
        for i in range(game.max_legal + 1):
            self.places[i] = i
        self.scratch = game.initial_state()

    cdef int choose(self, Situation state, Simulation* sim, int role, const move_t* moves, int n) noexcept nogil:
        cdef const double* w = self.weights + <Py_ssize_t>role * self.n_facts
        cdef const Effects* effects
        cdef int i, k, n_facts = state.c_atoms(self.log)
        self.mark_facts(self.log, n_facts)
        for i in range(n):
            effects = &self.effects[<Py_ssize_t>role * self.n_moves + moves[i]]
            self.values[i] = 0.0
            for k in range(effects.n_added):
                if self.seen[effects.added[k]] != self.mark:
                    self.values[i] += w[effects.added[k]]
            for k in range(effects.n_ended):
                if self.seen[effects.ended[k]] == self.mark:
                    self.values[i] -= w[effects.ended[k]]
        return gibbs_choice(self.values, self.places, n, sim.vectors[role * N_PARAMETERS + P_TAU], sim)

    cdef void mark_facts(self, const int32_t* facts, int n) noexcept nogil:
        """Make `seen` the set of these facts."""
        cdef int i
        if self.mark == 0x7FFFFFFF:
            memset(self.seen, 0, self.n_facts * sizeof(int32_t))
            self.mark = 0
        self.mark += 1
        for i in range(n):
            self.seen[facts[i]] = self.mark

    cdef void after_simulation(self, Situation root, Simulation* sim) noexcept nogil:
        cdef int role
        if not self.replay(root, sim):
            return
        for role in range(self.n_roles):
            self.learn(role, sim.length, sim.goals[role] - 0.5)

    cdef bint replay(self, Situation root, Simulation* sim) noexcept nogil:
        """Write down the facts of all states, and what moves did to them; False if memory is out."""
        cdef int step, role
        cdef move_t* joint
        cdef void* block
        if sim.length + 1 > self.states_capacity:
            block = realloc(self.worth, 2 * (sim.length + 1) * sizeof(double))
            if block == NULL:
                return False
            self.worth = <double*>block
            block = realloc(self.starts, (2 * (sim.length + 1) + 1) * sizeof(int32_t))
            if block == NULL:
                return False
            self.starts = <int32_t*>block
            self.states_capacity = 2 * (sim.length + 1)
        self.scratch.c_copy(root)
        self.starts[0] = 0
        for step in range(sim.length + 1):
            if self.starts[step] + self.n_facts > self.log_capacity:
                block = realloc(self.log, 2 * (self.log_capacity + self.n_facts) * sizeof(int32_t))
                if block == NULL:
                    return False
                self.log = <int32_t*>block
                self.log_capacity = 2 * (self.log_capacity + self.n_facts)
            self.starts[step + 1] = self.starts[step] + self.scratch.c_atoms(self.log + self.starts[step])
            if step < sim.length:
                joint = sim.moves + <Py_ssize_t>step * sim.n_roles
                self.scratch.c_play(joint)
        for step in range(sim.length):
            joint = sim.moves + <Py_ssize_t>step * sim.n_roles
            for role in range(self.n_roles):
                if joint[role] != NO_MOVE:
                    self.observe(&self.effects[<Py_ssize_t>role * self.n_moves + joint[role]], step)
        return True

    cdef void observe(self, Effects* effects, int step) noexcept nogil:
        """What came and what went in one step."""
        cdef int i
        self.mark_facts(self.log + self.starts[step], self.starts[step + 1] - self.starts[step])
        for i in range(self.starts[step + 1], self.starts[step + 2]):
            if self.seen[self.log[i]] != self.mark:
                effects.n_added = remember(effects.added, effects.n_added, self.log[i])
        self.mark_facts(self.log + self.starts[step + 1], self.starts[step + 2] - self.starts[step + 1])
        for i in range(self.starts[step], self.starts[step + 1]):
            if self.seen[self.log[i]] != self.mark:
                effects.n_ended = remember(effects.ended, effects.n_ended, self.log[i])

    cdef void learn(self, int role, int last, double result) noexcept nogil:
        """TD(lambda) from the end to the start."""
        cdef double* w = self.weights + <Py_ssize_t>role * self.n_facts
        cdef double* fresh = self.fresh + <Py_ssize_t>role * self.n_facts
        cdef double returned = result, step
        cdef int t, i
        for t in range(last):
            self.worth[t] = 0.0
            for i in range(self.starts[t], self.starts[t + 1]):
                self.worth[t] += w[self.log[i]]
        for t in range(last - 1, -1, -1):
            if t < last - 1:
                returned = (1.0 - self.trace) * self.worth[t + 1] + self.trace * returned
            if self.starts[t + 1] > self.starts[t]:
                step = self.rate / (self.starts[t + 1] - self.starts[t]) * (returned - self.worth[t])
                for i in range(self.starts[t], self.starts[t + 1]):
                    fresh[self.log[i]] += step
        for t in range(last):
            for i in range(self.starts[t], self.starts[t + 1]):
                w[self.log[i]] = fresh[self.log[i]]


cdef inline int remember(int32_t* facts, int n, int32_t fact) noexcept nogil:
    """Put a fact into a short list, if it is not there and there is room; the new length."""
    cdef int i
    for i in range(n):
        if facts[i] == fact:
            return n
    if n == MOST_EFFECTS:
        return n
    facts[n] = fact
    return n + 1


PLAYOUTS.add("fast", Fast)
