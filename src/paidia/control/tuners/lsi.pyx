"""LSI, linear side information: learn what each value is worth, then draw good combinations and race them.

    generate   rounds in which every value is tried once in an otherwise random legal combination, until
               `generation` of the samples are used; then `candidates` draws, each setting one parameter after
               the other to a value drawn in proportion to its mean reward (duplicates collapse)
    evaluate   sequential halving over the candidates with the rest of the samples: in each of ceil(log2 n)
               iterations every candidate gets equally many samples, at least 1, and the better half stays
    then       the remaining combination is used for the rest of the game

Shleyfman, Komenda and Domshlak, "On combinatorial actions and CMABs with linear side information" (2014); as
in Sironi and Winands, "On-line parameter tuning for Monte-Carlo Tree Search in general game playing", section
4.2: 100,000 samples, 75 % for generation, 2,000 candidates. Means accumulate over the iterations; "unset" is
not a value to try, but follows from its switch. A slow game may end before the generation does, and has then
been played with random parameters.

per = "turn" starts anew in every turn, with `samples` simulations or, if `seconds` is above 0, with that
time, divided in the same way. estimate = true lets the player announce the number of simulations to expect
after its first search of the game, that of the start clock if there is one (`Lsi.expect`,
`expected_simulations`); until then `samples` holds. The estimate counts from the start of the game; `factor`
is 3 in the authors' later set-ups, so that the race of the candidates starts only in matches that last longer
than the simulated games.
"""

from libc.stdint cimport int64_t
from libc.stdlib cimport free
from typing import Literal

from paidia.control import CONTROLLERS
from paidia.control.bandit cimport Arm, arm_update, arms_reset, arms_sort
from paidia.control.combinations cimport (combos_draw, combos_genes, combos_high, combos_index,
                                          combos_low, combos_set, shuffle)
from paidia.control.settings import ControlSettings, positive, share
from paidia.control.tuner cimport Allocation, Tuner
from paidia.core.errors import BadInput
from paidia.core.machine.maths cimport prepare_counts
from paidia.core.machine.memory cimport calloc
from paidia.core.machine.rng cimport rng_below, rng_double

cdef extern from "<time.h>" nogil:
    cdef struct timespec:
        long long tv_sec
        long tv_nsec
    int timespec_get(timespec* ts, int base)
    int TIME_UTC


class LsiSettings(ControlSettings, frozen=True, kw_only=True):
    """The constants of the paper."""

    samples: int = 100_000
    generation: float = 0.75
    candidates: int = 2000
    per: Literal["game", "turn"] = "game"
    seconds: float = 0.0
    estimate: bool = False
    factor: float = 3.0

    def __post_init__(self):
        positive("samples", self.samples, at_least=1)
        share("generation", self.generation)
        positive("seconds", self.seconds)
        positive("factor", self.factor)
        if not 1 <= self.candidates <= 1_000_000:
            raise BadInput(f"candidates must be between 1 and a million, not {self.candidates}")
        if self.reward == "raw":
            raise BadInput("LSI draws in proportion to rewards, which must not be negative: it needs reward = \"scaled\"")
        if self.seconds and self.per != "turn":
            raise BadInput("seconds divides the time of a turn; it needs per = \"turn\"")


def expected_simulations(per_second, play_clock, turns, *, factor=3.0):
    """The samples to plan for after the start clock: speed * play clock * mean length of a game * factor."""
    return max(1, int(per_second * play_clock * turns * factor))


cdef double now() noexcept nogil:
    cdef timespec ts
    timespec_get(&ts, TIME_UTC)
    return ts.tv_sec + 1e-9 * ts.tv_nsec


cdef enum Phase:
    GENERATE
    EVALUATE
    DONE


cdef class SideInformation(Allocation):
    """The two phases of one role."""

    cdef Arm* values                        # what is known of each value
    cdef int* tests                         # numbers of the values to try, in the order of this round
    cdef int* parameter_of                  # of each value
    cdef int n_tests
    cdef int place                          # in `tests` or `order`, of what is in use
    cdef int64_t* candidates                # numbers of combinations
    cdef int64_t* seen                      # hash table of them, number + 1
    cdef Arm* results                       # of the candidates
    cdef int* order                         # the candidates still in the race come first
    cdef int* scratch
    cdef int n, n_first                     # candidates in the race, and at its start
    cdef int most, seen_mask
    cdef int iteration, passes              # of the halving; passes left in this iteration
    cdef Phase phase
    cdef double samples, generation         # the budget, and the share of it for the first phase
    cdef double used                        # samples of the first phase
    cdef bint per_turn
    cdef double seconds, started

    def __init__(self, combinations, seed, settings):
        Allocation.__init__(self, combinations, seed)
        cdef int i, g
        self.samples = settings.samples
        self.generation = settings.generation
        self.per_turn = settings.per == "turn"
        self.seconds = settings.seconds
        self.most = settings.candidates
        self.seen_mask = 1
        while self.seen_mask < 2 * self.most:
            self.seen_mask *= 2
        self.seen_mask -= 1
        self.values = <Arm*>calloc(self.space.n_values, sizeof(Arm))
        self.tests = <int*>calloc(self.space.n_values, sizeof(int))
        self.parameter_of = <int*>calloc(self.space.n_values, sizeof(int))
        self.candidates = <int64_t*>calloc(self.most, sizeof(int64_t))
        self.seen = <int64_t*>calloc(self.seen_mask + 1, sizeof(int64_t))
        self.results = <Arm*>calloc(self.most, sizeof(Arm))
        self.order = <int*>calloc(self.most, sizeof(int))
        self.scratch = <int*>calloc(self.most, sizeof(int))
        if not (self.values and self.tests and self.parameter_of and self.candidates and self.seen
                and self.results and self.order and self.scratch):
            raise MemoryError
        for i in range(self.space.d):
            for g in range(self.space.size[i]):
                self.parameter_of[self.space.first[i] + g] = i
                if g >= self.space.low[i]:
                    self.tests[self.n_tests] = self.space.first[i] + g
                    self.n_tests += 1
        self.restart()

    def __dealloc__(self):
        free(self.values)
        free(self.tests)
        free(self.parameter_of)
        free(self.candidates)
        free(self.seen)
        free(self.results)
        free(self.order)
        free(self.scratch)

    def begin_turn(self, int turn):
        """Start anew, if the budget is one of a turn."""
        if self.per_turn:
            self.restart()

    def expect(self, simulations):
        """Plan for so many samples in all."""
        self.samples = simulations

    cdef void restart(self) noexcept nogil:
        arms_reset(self.values, self.space.n_values, 0)
        self.phase = GENERATE
        self.used = 0
        self.place = self.n_tests               # a round is over: the next choice begins one
        self.started = now() if self.seconds > 0 else 0

    cdef void choose(self) noexcept nogil:
        cdef int value, i
        if self.phase == GENERATE:
            if self.place == self.n_tests and self.round_fits():
                shuffle(self.tests, self.n_tests, &self.rng)
                self.place = 0
            if self.place == self.n_tests or (self.seconds > 0 and self.elapsed() >= self.generation):
                self.draw_candidates()
            else:
                value = self.tests[self.place]
                i = self.parameter_of[value]
                combos_draw(self.space, &self.rng, self.genes)
                combos_set(self.space, i, value - self.space.first[i], &self.rng, self.genes)
                return
        if self.phase == EVALUATE:
            if self.place == self.n or (self.seconds > 0 and self.iteration_over()):
                self.next_pass()
        if self.phase == EVALUATE:
            combos_genes(self.space, self.candidates[self.order[self.place]], self.genes)

    cdef void update(self, double reward) noexcept nogil:
        if self.phase == GENERATE:
            arm_update(&self.values[self.tests[self.place]], reward)
            self.used += 1
            self.place += 1
        elif self.phase == EVALUATE:
            arm_update(&self.results[self.order[self.place]], reward)
            self.place += 1

    cdef double elapsed(self) noexcept nogil:
        """Share of the time that is gone."""
        return (now() - self.started) / self.seconds

    cdef bint round_fits(self) noexcept nogil:
        return self.seconds > 0 or self.used + self.n_tests <= <int64_t>(self.samples * self.generation)

    cdef void draw_candidates(self) noexcept nogil:
        """The race begins: up to `most` different combinations, drawn by what their values are worth."""
        cdef int k
        cdef int64_t index
        for k in range(self.seen_mask + 1):
            self.seen[k] = 0
        self.n = 0
        for _ in range(self.most):
            self.draw_one()
            index = combos_index(self.space, self.genes)
            if self.is_new(index):
                self.candidates[self.n] = index
                self.order[self.n] = self.n
                self.n += 1
        arms_reset(self.results, self.n, 0)
        self.n_first = self.n
        self.iteration = 0
        self.phase = EVALUATE
        self.begin_iteration()

    cdef void draw_one(self) noexcept nogil:
        cdef int i, g, n_free, value
        cdef int pick = 0
        cdef double total, weight
        cdef bint any_weight
        for i in range(self.space.d):
            self.genes[i] = -1
        while True:
            total = 0
            n_free = 0
            for i in range(self.space.d):
                if self.genes[i] < 0:
                    for g in range(self.lowest(i), combos_high(self.space, i, self.genes)):
                        total += self.values[self.space.first[i] + g].mean
                        n_free += 1
            if n_free == 0:
                return
            any_weight = total > 0
            weight = rng_double(&self.rng) * total if any_weight else rng_below(&self.rng, n_free)
            for i in range(self.space.d):
                if self.genes[i] < 0:
                    for g in range(self.lowest(i), combos_high(self.space, i, self.genes)):
                        value = self.space.first[i] + g
                        if not any_weight or self.values[value].mean > 0:
                            pick = value
                            weight -= self.values[value].mean if any_weight else 1
                            if weight < 0:
                                break
                    if weight < 0:
                        break
            i = self.parameter_of[pick]
            self.genes[i] = pick - self.space.first[i]
            if self.genes[i] == 0:
                self.genes[self.space.partner[i]] = 0

    cdef int lowest(self, int i) noexcept nogil:
        """The first value of parameter i that can be drawn: never "unset", which follows from its switch."""
        return max(self.space.low[i], combos_low(self.space, i, self.genes))

    cdef bint is_new(self, int64_t index) noexcept nogil:
        cdef int k = <int>(index * <int64_t>0x9E3779B1 & self.seen_mask)
        while self.seen[k]:
            if self.seen[k] == index + 1:
                return False
            k = (k + 1) & self.seen_mask
        self.seen[k] = index + 1
        return True

    cdef int iterations(self) noexcept nogil:
        """ceil(log2) of the candidates."""
        cdef int n = 0
        while (1 << n) < self.n_first:
            n += 1
        return n

    cdef void begin_iteration(self) noexcept nogil:
        cdef int64_t rest
        if self.n == 1:
            combos_genes(self.space, self.candidates[self.order[0]], self.genes)
            self.phase = DONE
            return
        rest = <int64_t>self.samples - <int64_t>(self.samples * self.generation)
        self.passes = max(1, <int>(rest // self.iterations() // self.n))
        self.place = 0
        shuffle(self.order, self.n, &self.rng)

    cdef bint iteration_over(self) noexcept nogil:
        cdef double rest = 1 - self.generation
        return self.elapsed() >= self.generation + rest * (self.iteration + 1) / self.iterations()

    cdef void next_pass(self) noexcept nogil:
        """Every candidate had its turn: once more, or the better half goes on."""
        self.passes -= 1
        if self.passes > 0 and self.seconds <= 0 or self.seconds > 0 and not self.iteration_over():
            self.place = 0
            shuffle(self.order, self.n, &self.rng)
            return
        arms_sort(self.order, self.n, self.results, self.scratch)
        self.n = (self.n + 1) // 2
        self.iteration += 1
        self.begin_iteration()

    def best(self):
        """The candidate with the highest mean among those in the race; None before it."""
        if self.phase == GENERATE:
            return None
        if self.phase == DONE:
            return self.current()
        cdef int k, ahead = self.order[0]
        for k in range(1, self.n):
            if self.results[self.order[k]].mean > self.results[ahead].mean:
                ahead = self.order[k]
        return self.combinations.genes(self.candidates[ahead])


cdef class Lsi(Tuner):
    """Linear side information for each role."""

    Settings = LsiSettings

    def allocate(self, seed):
        return SideInformation(self.combinations, seed, self.settings)

    @property
    def planned(self):
        """The samples that the first role plans for, None before a game."""
        return (<SideInformation>self.allocations[0]).samples if self.allocations else None

    def expect(self, simulations):
        """The player's forecast of the simulations in this game; used if the settings ask for an estimate."""
        if self.settings.estimate:
            for allocation in self.allocations:
                allocation.expect(simulations)


prepare_counts()
CONTROLLERS.add("lsi", Lsi)
