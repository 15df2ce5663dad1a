"""PAST (Predicate-Average Sampling Technique): playouts prefer moves that did well while a fact held that holds now.

For every pair of a fact and a move of a role, the mean result of the simulations in which the role played the move while the
fact held. In a playout the value of a move is the highest mean of its pairs with the facts that hold, of those with at least
`least` visits; without any, the move's own mean (MAST). Drawn by Gibbs sampling: P(a) proportional to exp(value(a) / tau).

Finnsson and Bjornsson 2010 (Learning simulation control in general game-playing agents); `least` is ours
(docs/readings.md#other-playouts). Needs rules that tell their facts, without chance: simulations are played again to learn from
them. Parameter: tau.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport free

from paidia.core.machine.bits cimport mix
from paidia.core.machine.memory cimport malloc
from paidia.core.model cimport NO_MOVE, Rules, Situation, move_t
from paidia.search.frame.parameters cimport N_PARAMETERS, P_TAU
from paidia.search.playout.base cimport Playout
from paidia.search.playout.gibbs cimport gibbs_choice, spread
from paidia.search.frame.simulation cimport Simulation
from paidia.search.statistics.actions cimport means_here
from paidia.search.statistics.ngrams cimport Ngram, NgramTable

from paidia.search.playout.base import without_facts
from paidia.search.registry import PLAYOUTS


cdef class Past(Playout):
    """PAST.

    Options:
        least: Visits that a pair of fact and move needs to count.
    """

    needs = ("actions",)
    records = True
    options = ("least",)

    cdef double least
    cdef NgramTable pairs           # context: role and fact
    cdef int32_t* facts             # of the present state
    cdef double* values             # of the legal moves
    cdef move_t* places             # 0, 1, 2, ...: Gibbs sampling looks a move's value up
    cdef Situation scratch

    def __init__(self, *, double least=3.0):
        if not least >= 1.0:
            raise ValueError(f"least is a number of visits, 1 or more, not {least}")
        self.least = least
        self.pairs = NgramTable(1)

    def __dealloc__(self):
        self._free()

    cdef void _free(self) noexcept:
        free(self.facts)
        free(self.values)
        free(self.places)

    def cannot_play(self, Rules game not None):
        return without_facts("past", game)

    def begin_game(self, Rules game not None):
        cdef int i
        self._free()
        self.facts = <int32_t*>malloc((game.n_atoms + 1) * sizeof(int32_t))
        self.values = <double*>malloc((game.max_legal + 1) * sizeof(double))
        self.places = <move_t*>malloc((game.max_legal + 1) * sizeof(move_t))
        if self.facts == NULL or self.values == NULL or self.places == NULL:
            raise MemoryError()
        for i in range(game.max_legal + 1):
            self.places[i] = i
        self.scratch = game.initial_state()
        self.pairs.clear()

    cdef int choose(self, Situation state, Simulation* sim, int role, const move_t* moves, int n) noexcept nogil:
        cdef const double* means = means_here(self.actions, role, sim)
        cdef const Ngram* pair
        cdef int n_facts = state.c_atoms(self.facts), f, i
        cdef uint64_t context
        for i in range(n):
            self.values[i] = -INFINITY
        for f in range(n_facts):
            context = mix(mix(<uint64_t>role + 1, 0), <uint64_t>self.facts[f] + 1)
            for i in range(n):
                pair = self.pairs.find(context, moves[i])
                if pair != NULL and pair.visits >= self.least:
                    self.values[i] = max(self.values[i], pair.sum / pair.visits)
        for i in range(n):
            if self.values[i] == -INFINITY:
                self.values[i] = means[moves[i]]
        return gibbs_choice(self.values, self.places, n, sim.vectors[role * N_PARAMETERS + P_TAU] * spread(sim), sim)

    cdef void after_simulation(self, Situation root, Simulation* sim) noexcept nogil:
        cdef int step, role, f, n_facts
        cdef move_t* joint
        cdef Ngram* pair
        self.scratch.c_copy(root)
        for step in range(sim.length):
            joint = sim.moves + <Py_ssize_t>step * sim.n_roles
            n_facts = self.scratch.c_atoms(self.facts)
            for role in range(sim.n_roles):
                if joint[role] == NO_MOVE:
                    continue
                for f in range(n_facts):
                    pair = self.pairs.claim(
                        mix(mix(<uint64_t>role + 1, 0), <uint64_t>self.facts[f] + 1), joint[role])
                    if pair != NULL:
                        pair.visits += 1.0
                        pair.sum += sim.results[role]
            self.scratch.c_play(joint)


PLAYOUTS.add("past", Past)
