"""Rolling-horizon evolution: sequences of actions are evolved during a tick, the first action of the best is played.

    fitness = X of the situation after the sequence,    X = score, +-1e7 at a win or a loss

Perez-Liebana et al. 2013 (Rolling horizon evolution versus tree search); numbers and operators of Gaina et al. 2017
(Analysis of vanilla rolling horizon evolution parameters in general video game playing): 10 individuals of 14 actions,
1 elite, tournaments of 2, uniform crossover, 1 gene of each child drawn anew. A generation keeps the elites (with the
fitness they have) and replaces all others by children. With a population of one the child of a mutation takes the
place of its parent unless it is worse.

`shift_buffer` (Gaina, Lucas, Perez-Liebana 2017, Rolling horizon evolution enhancements): the population lives on
in the next tick, every sequence one action shorter at its front and with a random one at its end, and is evaluated anew.

A simulation is one evaluation of one sequence. `mutations` and `length` may be changed between evaluations: genes of a
child drawn anew (the part behind the point is the chance of one more), actions played of a sequence. Chance in the
game: one evaluation of each sequence, no resampling. Genes are moves at the root, waiting (NIL) is none of them.
Of equally fit sequences the one evaluated first is the best.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int64_t
from libc.string cimport memcpy

from paidia.core.model cimport NO_MOVE, move_t, play_alone
from paidia.core.machine.rng cimport rng_below, rng_double
from paidia.search.planners.base cimport RootSearch
from paidia.search.evaluation.base cimport plain_value
from paidia.search.frame.scale cimport Bounds, forget_bounds, on_scale, widen

import msgspec

from paidia.core.errors import BadInput
from paidia.search.registry import SEARCHES

cdef enum:
    MAX_POPULATION = 100
    MAX_LENGTH = 100
    MUTATIONS = 0           # places in the vector of parameters
    LENGTH = 1


class RheaSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`crossover` is "uniform", "one-point" or "none"; `length` is rounded down."""

    population: int = 10
    length: float = 14.0
    elites: int = 1
    tournament: int = 2
    mutations: float = 1.0
    crossover: str = "uniform"
    shift_buffer: bool = False


ctypedef struct Individual:
    double fitness
    move_t genes[MAX_LENGTH]


cdef class Rhea(RootSearch):
    """Evolves sequences of actions."""

    Settings = RheaSettings
    PARAMETERS = ("mutations", "length")

    cdef Bounds bounds
    cdef Individual people[MAX_POPULATION]
    cdef Individual children[MAX_POPULATION]
    cdef Individual best            # of this tick
    cdef int size, elites, tournament, crossover
    cdef bint shift
    cdef bint settled               # the population has lived through a tick
    cdef readonly int64_t generations

    def __init__(self, game, settings=None, *, controller=None):
        super().__init__(game, settings, controller=controller)
        s = self.settings
        if not 1 <= s.population <= MAX_POPULATION:
            raise BadInput(f"population must lie between 1 and {MAX_POPULATION}, not {s.population}")
        if not 1 <= s.length <= MAX_LENGTH:
            raise BadInput(f"length must lie between 1 and {MAX_LENGTH}, not {s.length:g}")
        if not 0 <= s.elites < max(2, s.population):
            raise BadInput(f"elites must lie between 0 and {s.population - 1}, not {s.elites}")
        if s.tournament < 1 or s.mutations < 0:
            raise BadInput("tournament must be 1 or more, mutations 0 or more")
        kinds = ("none", "uniform", "one-point")
        if s.crossover not in kinds:
            raise BadInput(f"crossover must be one of {', '.join(kinds)}, not {s.crossover!r}")
        self.size, self.elites, self.tournament = s.population, s.elites, s.tournament
        self.crossover, self.shift = kinds.index(s.crossover), s.shift_buffer

    def reset(self):
        """Nobody lives yet."""
        RootSearch.reset(self)
        self.settled = False
        forget_bounds(&self.bounds)

    cdef move_t decide(self) noexcept nogil:
        cdef int i
        if self.list_options(self.root) == 0:
            self.settled = False
            return NO_MOVE
        self.generations = 0
        self.best.fitness = -INFINITY
        self.best.genes[0] = self.random_gene()
        for i in range(self.size):
            self.settle(&self.people[i])
        self.settled = True
        for i in range(self.size):
            if not self.evaluate(&self.people[i]):
                return self.best.genes[0]
        while self.breed():
            self.generations += 1
        return self.best.genes[0]

    cdef int length(self) noexcept nogil:
        return min(max(<int>self.vector[LENGTH], 1), <int>MAX_LENGTH)

    cdef move_t random_gene(self) noexcept nogil:
        return self.options[rng_below(&self.rng, self.n_options)].move

    cdef void settle(self, Individual* one) noexcept nogil:
        """A sequence for a new tick: the old one moved up by one action, or a random one."""
        cdef int i, k
        cdef bint known
        one.fitness = -INFINITY
        for i in range(MAX_LENGTH):
            if not (self.shift and self.settled and i + 1 < MAX_LENGTH):
                one.genes[i] = self.random_gene()
                continue
            one.genes[i] = one.genes[i + 1]
            known = False       # the avatar may have changed and with it its actions
            for k in range(self.n_options):
                known = known or self.options[k].move == one.genes[i]
            if not known:
                one.genes[i] = self.random_gene()
        if self.shift and self.settled:
            one.genes[self.length() - 1] = self.random_gene()

    cdef bint evaluate(self, Individual* one) noexcept nogil:
        """Play a sequence; False if there is no time for it."""
        cdef int i
        if not self.next_simulation():
            return False
        self.branch(self.state, self.root)
        for i in range(self.length()):
            if self.state.c_terminal():
                break
            play_alone(self.state, self.playable(one.genes[i]))
            self.steps += 1
        one.fitness = plain_value(self.state, 0)
        widen(&self.bounds, one.fitness)
        self.end_simulation(one.fitness if self.controller.raw else on_scale(&self.bounds, one.fitness))
        for i in range(self.n_options):
            if self.options[i].move == one.genes[0]:
                self.options[i].visits += 1
                self.options[i].value = max(self.options[i].value, one.fitness)
        if one.fitness > self.best.fitness:
            self.best = one[0]
        return True

    cdef move_t playable(self, move_t gene) noexcept nogil:
        """What a gene means here: where moves come and go, one that is not legal stands for one that is."""
        cdef const move_t* moves = NULL
        cdef int i, n
        if self.sprites:
            return gene
        n = self.state.c_legal(0, &moves)
        for i in range(n):
            if moves[i] == gene:
                return gene
        return moves[gene % n] if n > 0 else NO_MOVE

    cdef bint breed(self) noexcept nogil:
        """One generation; False if the time was up before its end."""
        cdef int i
        if self.size == 1:
            self.children[0] = self.people[0]
            self.mutate(&self.children[0])
            if not self.evaluate(&self.children[0]):
                return False
            if self.children[0].fitness >= self.people[0].fitness:
                self.people[0] = self.children[0]
            return True
        self.sort()
        for i in range(self.elites, self.size):
            self.cross(&self.children[i])
            self.mutate(&self.children[i])
            if not self.evaluate(&self.children[i]):
                # The next tick goes on with the children there are.
                memcpy(&self.people[self.elites], &self.children[self.elites], (i - self.elites) * sizeof(Individual))
                return False
        memcpy(&self.people[self.elites], &self.children[self.elites], (self.size - self.elites) * sizeof(Individual))
        return True

    cdef void sort(self) noexcept nogil:
        """By fitness, the best in front; a stable insertion sort of a few."""
        cdef int i, k
        cdef Individual one
        for i in range(1, self.size):
            one = self.people[i]
            k = i
            while k > 0 and self.people[k - 1].fitness < one.fitness:
                self.people[k] = self.people[k - 1]
                k -= 1
            self.people[k] = one

    cdef int parent(self) noexcept nogil:
        """The winner of a tournament: the people are sorted, so the smallest place wins."""
        cdef int _, place = rng_below(&self.rng, self.size)
        for _ in range(1, self.tournament):
            place = min(place, <int>rng_below(&self.rng, self.size))
        return place

    cdef void cross(self, Individual* child) noexcept nogil:
        cdef const Individual* one = &self.people[self.parent()]
        cdef const Individual* other
        cdef int i, cut, length = self.length()
        child[0] = one[0]
        if self.crossover == 0:
            return
        other = &self.people[self.parent()]
        if self.crossover == 1:
            for i in range(length):
                if rng_below(&self.rng, 2):
                    child.genes[i] = other.genes[i]
        else:
            cut = rng_below(&self.rng, length)
            for i in range(cut, length):
                child.genes[i] = other.genes[i]

    cdef void mutate(self, Individual* child) noexcept nogil:
        cdef int _, place, n = <int>self.vector[MUTATIONS]
        if rng_double(&self.rng) < self.vector[MUTATIONS] - n:
            n += 1
        for _ in range(n):
            place = rng_below(&self.rng, self.length())
            child.genes[place] = self.random_gene()

    def population(self):
        """The sequences that live now: (fitness, actions)."""
        length = int(self.settings.length)
        return [
            (self.people[i].fitness, [self.people[i].genes[k] for k in range(length)]) for i in range(self.size)
        ]

    def notes(self):
        """The best sequence found."""
        length = int(self.settings.length)
        return {
            "generations": self.generations,
            "plan": [self.move_name(self.best.genes[i]) for i in range(length)] if self.best.fitness > -INFINITY else [],
        }


SEARCHES.add("rhea", Rhea)
