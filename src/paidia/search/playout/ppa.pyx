# distutils: extra_compile_args = -O3
"""PPA, PPAF and PPAFM: a playout policy that adapts to the winner of every simulation.

Playout: move m is drawn with probability proportional to exp(kappa * w[code(m)]). Adapt, after each simulation, in
every state where the winner moved, over tree and playout (all probabilities from the old weights):

    w[code(played)] += alpha
    w[code(m)]      -= alpha * exp(w[code(m)]) / sum over legal m' of exp(w[code(m')])     for every legal m

PPA's code of a move is its location, PPAF's adds features of the move (`features`). PPAFM keeps the weights from one
move of the game to the next (`memory`), and may start a game from weights that were learned beforehand (`learned`).
Cazenave 2015 and 2016; Cazenave and Diemert 2017, algorithms 1-5; open points: docs/readings.md#ppa-constants and on.
Parameters: alpha, kappa.

In a draw nobody adapts; with more than two roles every role with the single highest goal does. What is adapted can be
limited to the playout (`adapt_tree=False`); in games with chance it always is.
"""

from libc.stdint cimport int32_t
from libc.stdlib cimport free
from libc.string cimport memcpy

from paidia.core.machine.memory cimport calloc, malloc, realloc
from paidia.core.model cimport NO_MOVE, Rules, Situation, move_t, moves_of
from paidia.core.machine.maths cimport exp
from paidia.core.machine.rng cimport rng_double
from paidia.search.frame.parameters cimport N_PARAMETERS, P_ALPHA, P_KAPPA
from paidia.search.playout.base cimport Playout
from paidia.search.frame.simulation cimport Simulation
from paidia.search.frame.strategy cimport flag

import numpy as np

from paidia.core.errors import BadInput
from paidia.search.registry import PLAYOUTS

ctypedef struct Choice:
    # One state in which a role chose: its codes in the log, and which of them was played.
    int32_t first
    int32_t n
    int32_t played
    int32_t role
    double total        # sum of exp(weight) over the legal moves, 0 if it is not known yet


cdef class Ppa(Playout):
    """PPA, PPAF, PPAFM.

    Options:
        features: Codes with the features of the move (PPAF) instead of its location alone (PPA).
        memory: Keep the weights between the moves of a game (PPAFM).
        learned: Playouts for learning the weights of a game's first search: that many from each position with fewer than two
            moves played; 0 starts with uniform weights.
        adapt_tree: Learn from the moves in the tree as well as from those of the playout.
    """

    records = True
    options = ("features", "memory", "learned", "adapt_tree")

    cdef readonly bint features, memory, adapt_tree
    cdef readonly int learned
    cdef int n_codes, n_roles
    cdef double* weights        # of code c of role r: [r * n_codes + c]
    cdef double* powers         # exp(kappa * weight), kept ready: no exp in the inner loop
    cdef double* policy         # exp(weight), which adaptation uses: the same array while kappa is 1
    cdef double* own_policy     # another one for when it is not
    cdef double* values         # powers of the legal moves, or weights on their way to become powers
    cdef int32_t* touched       # entries that the present adaptation changes, each once
    cdef int32_t* last_touched  # the adaptation that touched an entry last
    cdef int n_touched, adaptation
    cdef double kappa           # the value that `powers` was made with
    # What the present simulation chose from.
    cdef int32_t* log
    cdef int log_used, log_capacity
    cdef Choice* choices
    cdef int n_choices, choices_capacity
    cdef Situation scratch          # replays the tree part
    cdef bint full              # out of memory: stop learning, go on playing

    def __init__(self, *, features=True, memory=False, learned=0, adapt_tree=True):
        if not isinstance(learned, int) or learned < 0:
            raise ValueError(f"learned is a number of playouts, not {learned!r}")
        self.features, self.memory = flag("features", features), flag("memory", memory)
        self.learned, self.adapt_tree = learned, flag("adapt_tree", adapt_tree)
        self.kappa = 1.0

    def __dealloc__(self):
        self._free()

    cdef void _free(self) noexcept:
        free(self.weights)
        free(self.powers)
        free(self.own_policy)
        free(self.values)
        free(self.touched)
        free(self.last_touched)
        free(self.log)
        free(self.choices)
        self.weights = self.powers = self.policy = self.own_policy = self.values = NULL
        self.log = self.touched = self.last_touched = NULL
        self.choices = NULL

    def begin_game(self, Rules game not None):
        self._free()
        self.n_roles = game.n_roles
        self.n_codes = game.n_codes if self.features else game.n_moves
        cdef size_t size = <size_t>self.n_roles * self.n_codes
        self.log_capacity, self.choices_capacity = 4096, 256
        self.weights = <double*>calloc(size, sizeof(double))
        self.powers = <double*>calloc(size, sizeof(double))
        self.own_policy = <double*>calloc(size, sizeof(double))
        self.values = <double*>malloc((size + game.max_legal + 1) * sizeof(double))
        self.touched = <int32_t*>malloc((size + 1) * sizeof(int32_t))
        self.last_touched = <int32_t*>calloc(size, sizeof(int32_t))
        self.log = <int32_t*>malloc(self.log_capacity * sizeof(int32_t))
        self.choices = <Choice*>malloc(self.choices_capacity * sizeof(Choice))
        if (self.weights == NULL or self.powers == NULL or self.own_policy == NULL or self.values == NULL or self.touched == NULL
                or self.last_touched == NULL or self.log == NULL or self.choices == NULL):
            raise MemoryError()
        self.scratch = game.initial_state()
        self.n_choices = self.log_used = self.adaptation = 0
        self.full = False
        self.reset()

    def begin_turn(self, int step):
        if not self.memory:
            self.reset()

    def reset(self):
        """Uniform weights."""
        self.set_weights(np.zeros((self.n_roles, self.n_codes)))

    def get_weights(self):
        """A copy of the weights, an array [role, code]."""
        cdef Py_ssize_t size = <Py_ssize_t>self.n_roles * self.n_codes
        return np.asarray(<double[:size]>self.weights).reshape(self.n_roles, self.n_codes).copy()

    def set_weights(self, weights):
        """Use these weights from now on."""
        cdef double[:, ::1] given = np.ascontiguousarray(weights, dtype=np.float64)
        cdef int role, code
        if given.shape[0] != self.n_roles or given.shape[1] != self.n_codes:
            raise BadInput(f"weights of shape {(given.shape[0], given.shape[1])}, not {(self.n_roles, self.n_codes)}")
        for role in range(self.n_roles):
            for code in range(self.n_codes):
                self.weights[role * self.n_codes + code] = given[role, code]
        self.reheat(self.kappa)

    cdef bint room(self, int n) noexcept nogil:
        """Make room in the log for one more choice among n moves."""
        cdef void* block
        if self.log_used + n > self.log_capacity:
            block = realloc(self.log, 2 * (<size_t>self.log_used + n) * sizeof(int32_t))
            if block == NULL:
                self.full = True
                return False
            self.log = <int32_t*>block
            self.log_capacity = 2 * (self.log_used + n)
        if self.n_choices == self.choices_capacity:
            block = realloc(self.choices, 2 * <size_t>self.choices_capacity * sizeof(Choice))
            if block == NULL:
                self.full = True
                return False
            self.choices = <Choice*>block
            self.choices_capacity *= 2
        return True

    cdef inline const int32_t* note(self, Situation state, int role, const move_t* moves, int n) noexcept nogil:
        """Write the codes of the legal moves into the log as a new choice; returns where they stand."""
        cdef int32_t* codes
        cdef Choice* choice
        if self.log_used + n > self.log_capacity or self.n_choices == self.choices_capacity:
            if not self.room(n):
                return NULL
        codes = self.log + self.log_used
        if self.features:
            state.c_codes(role, moves, n, codes)
        else:
            memcpy(codes, moves, n * sizeof(int32_t))
        choice = &self.choices[self.n_choices]
        choice.first, choice.n, choice.role, choice.played, choice.total = self.log_used, n, role, 0, 0.0
        self.log_used += n
        self.n_choices += 1
        return codes

    cdef void run(self, Situation state, Simulation* sim) noexcept nogil:
        self.n_choices = self.log_used = 0
        Playout.run(self, state, sim)

    cdef int choose(self, Situation state, Simulation* sim, int role, const move_t* moves, int n) noexcept nogil:
        cdef double* powers = self.powers + <Py_ssize_t>role * self.n_codes
        cdef double* values = self.values
        cdef const int32_t* codes
        cdef double total = 0.0, rest, two, four
        cdef long long passed = 0
        cdef int i
        if sim.vectors[role * N_PARAMETERS + P_KAPPA] != self.kappa:
            self.reheat(sim.vectors[role * N_PARAMETERS + P_KAPPA])
        codes = self.note(state, role, moves, n)
        if codes == NULL:
            return 0
        # Running totals, four moves at a time: additions that wait for each other are what this loop would cost. Then the
        # totals that the draw has passed are counted, without a branch to mispredict.
        for i in range(0, n - 3, 4):
            two = powers[codes[i]] + powers[codes[i + 1]]
            four = two + (powers[codes[i + 2]] + powers[codes[i + 3]])
            values[i] = total + powers[codes[i]]
            values[i + 1] = total + two
            values[i + 2] = total + (two + powers[codes[i + 2]])
            total += four
            values[i + 3] = total
        for i in range(n & ~3, n):
            total += powers[codes[i]]
            values[i] = total
        rest = rng_double(&sim.rng) * total
        for i in range(n):
            passed += values[i] <= rest
        i = <int>min(passed, n - 1)
        self.choices[self.n_choices - 1].played = i
        if self.kappa == 1.0:
            self.choices[self.n_choices - 1].total = total
        return i

    cdef void reheat(self, double kappa) noexcept nogil:
        """Make all powers anew: there are other weights, or a controller changed kappa."""
        cdef Py_ssize_t i
        self.kappa = kappa
        self.policy = self.powers if kappa == 1.0 else self.own_policy
        for i in range(<Py_ssize_t>self.n_roles * self.n_codes):
            self.set_powers(i)

    cdef inline void set_powers(self, Py_ssize_t entry) noexcept nogil:
        self.powers[entry] = exp(self.kappa * self.weights[entry])
        if self.policy != self.powers:
            self.policy[entry] = exp(self.weights[entry])

    cdef void after_simulation(self, Situation root, Simulation* sim) noexcept nogil:
        cdef int winner = sole_winner(sim)
        cdef int i
        cdef double alpha
        if winner < 0 or self.full:
            return
        if sim.length == sim.tree_length:       # the simulation ended in the tree: no playout ran
            self.n_choices = self.log_used = 0
        if self.adapt_tree and not self.search.game.chance:     # with chance the same moves lead elsewhere
            self.note_tree(root, sim, winner)
        self.n_touched = 0
        self.adaptation += 1
        alpha = sim.vectors[winner * N_PARAMETERS + P_ALPHA]
        for i in range(self.n_choices):
            if self.choices[i].role == winner:
                self.adapt(&self.choices[i], alpha)
        self.renew_touched()

    cdef void renew_touched(self) noexcept nogil:
        """The powers of all entries that changed, gathered first so that the compiler can compute several at once."""
        cdef int i
        if self.policy != self.powers:
            for i in range(self.n_touched):
                self.set_powers(self.touched[i])
            return
        for i in range(self.n_touched):
            self.values[i] = self.weights[self.touched[i]]
        for i in range(self.n_touched):
            self.values[i] = exp(self.values[i])
        for i in range(self.n_touched):
            self.powers[self.touched[i]] = self.values[i]

    cdef void note_tree(self, Situation root, Simulation* sim, int winner) noexcept nogil:
        """Append the winner's choices in the tree, found by playing them again."""
        cdef const move_t* moves = NULL
        cdef const move_t* joint
        cdef int step, n, i
        self.scratch.c_copy(root)
        for step in range(sim.tree_length):
            joint = sim.moves + step * sim.n_roles
            if joint[winner] != NO_MOVE:
                n = moves_of(self.scratch, winner, sim.decisive, &moves)
                if n > 1 and self.note(self.scratch, winner, moves, n) != NULL:
                    for i in range(n):
                        if moves[i] == joint[winner]:
                            self.choices[self.n_choices - 1].played = i
                            break
            self.scratch.c_play(joint)
        if self.scratch.failed:
            with gil:
                self.fail(self.scratch.error)
                self.scratch.failed, self.scratch.error = False, None

    cdef inline void adapt(self, const Choice* choice, double alpha) noexcept nogil:
        # All probabilities come from the policy, which stays as it is until every choice has been learned.
        cdef Py_ssize_t base = <Py_ssize_t>choice.role * self.n_codes, entry
        cdef const int32_t* codes = self.log + choice.first
        cdef double scale, total = choice.total
        cdef int i, touched = self.n_touched
        if total == 0.0:        # noted in the tree, or drawn with another kappa than 1
            for i in range(choice.n):
                total += self.policy[base + codes[i]]
        scale = alpha / total
        for i in range(choice.n):
            entry = base + codes[i]
            self.weights[entry] -= scale * self.policy[entry]
            self.touched[touched] = <int32_t>entry
            touched += self.last_touched[entry] != self.adaptation
            self.last_touched[entry] = self.adaptation
        self.n_touched = touched
        self.weights[base + codes[choice.played]] += alpha


cdef inline int sole_winner(const Simulation* sim) noexcept nogil:
    """The one role with the highest goal, or -1. A role that plays alone wins where its goal is above one half."""
    cdef int role, winner = 0
    cdef bint alone = sim.n_roles > 1 or sim.goals[0] > 0.5
    for role in range(1, sim.n_roles):
        if sim.goals[role] > sim.goals[winner]:
            winner, alone = role, True
        elif sim.goals[role] == sim.goals[winner]:
            alone = False
    return winner if alone else -1


PLAYOUTS.add("ppa", Ppa)
