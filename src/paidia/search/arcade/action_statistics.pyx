"""Mean results of actions and of sequences of actions, by the cell in which the avatar was (see action_statistics.pxd).

    NST: with probability epsilon a random action, else the one with the highest mean of the means of
         <a>, <a_-1, a>, <a_-2, a_-1, a>, ...

Sequences of two and more count only if they were seen k times, and none longer than one that was seen too rarely. An action
without data is worth the highest result of the game so far. All visits and sums are multiplied by a factor after each tick.

Soemers 2016, sections 4.2.1 and 4.2.2. So that memory stays bounded, a sequence whose visits have faded below one half is
forgotten (it could not reach k by itself any more); single actions are kept.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport calloc, free

from paidia.core.arcade cimport N_ACTIONS, ArcadeGame, ArcadeState, Avatar
from paidia.core.model cimport move_t
from paidia.core.rng cimport Rng, rng_below, rng_double
from paidia.search.statistics.ngrams cimport MAX_N, Ngram

cdef double FORGOTTEN = 0.5         # visits of a sequence
cdef double VANISHED = 1e-9         # visits of a single action that say nothing any more
cdef uint64_t SMALLEST = 1 << 12    # slots of the table


cdef class FadingNgrams(NgramTable):
    """The table of sequences, fading between ticks."""

    cdef void fade(self, double factor) noexcept nogil:
        cdef uint64_t at, left = 0, slots = SMALLEST
        cdef Ngram* fresh
        for at in range(self.mask + 1):
            if self.slots[at].key != 0:
                self.slots[at].visits *= factor
                self.slots[at].sum *= factor
                if self.slots[at].visits < FORGOTTEN:
                    self.slots[at].visits = 0.0
                else:
                    left += 1
        while slots < 4 * left:
            slots *= 2
        fresh = <Ngram*>calloc(slots, sizeof(Ngram))
        if fresh != NULL:
            self._move_to(fresh, slots - 1)


cdef class ActionStatistics:
    """What one game has taught about actions in cells."""

    def __cinit__(self, ArcadeGame game not None, int longest):
        self.width, self.height, self.block = game.width, game.height, game.block
        self.n_singles = game.width * game.height * N_ACTIONS
        self.singles = <Tally*>calloc(max(1, self.n_singles), sizeof(Tally))
        if self.singles == NULL:
            raise MemoryError
        self.longest = min(longest, MAX_N)
        self.ngrams = FadingNgrams(max(1, self.longest))
        self.simulation.n_roles = 1
        self.simulation.moves = self.moves

    def __dealloc__(self):
        free(self.singles)

    cdef move_t cell(self, ArcadeState state) noexcept nogil:
        cdef Avatar avatar
        cdef int column, row
        state.c_avatar(&avatar)
        if avatar.type < 0:
            return 0
        column = max(0, min(avatar.x // self.block, self.width - 1))
        row = max(0, min(avatar.y // self.block, self.height - 1))
        return (row * self.width + column) * N_ACTIONS

    cdef double mean(self, move_t action_in_cell, double unknown) noexcept nogil:
        cdef const Tally* tally = &self.singles[action_in_cell]
        return tally.total / tally.visits if tally.visits > 0 else unknown

    cdef int choose(
        self, Rng* rng, ArcadeState state, int step, const move_t* actions, int n, double epsilon, int longest,
        double least, double unknown
    ) noexcept nogil:
        cdef uint64_t contexts[MAX_N]
        cdef const Ngram* ngram
        cdef const Tally* tally
        cdef double total, value, best = -INFINITY
        cdef int i, length, known, n_contexts, chosen = 0, equal = 0
        cdef move_t cell
        if rng_double(rng) < epsilon:
            return actions[rng_below(rng, n)]
        cell = self.cell(state)
        n_contexts = min(self.ngrams.contexts(&self.simulation, step, 0, contexts), longest)
        for i in range(n):
            tally = &self.singles[cell + actions[i]]
            value = unknown
            if tally.visits > 0:
                total = tally.total / tally.visits
                known = 1
                for length in range(1, n_contexts):
                    ngram = self.ngrams.find(contexts[length], cell + actions[i])
                    if ngram == NULL or ngram.visits < least:
                        break
                    total += ngram.sum / ngram.visits
                    known += 1
                value = total / known
            if value > best:
                best, chosen, equal = value, i, 1
            elif value == best:
                equal += 1
                if rng_below(rng, equal) == 0:
                    chosen = i
        return actions[chosen]

    cdef void update(self, int length, double result) noexcept nogil:
        cdef uint64_t contexts[MAX_N]
        cdef Ngram* ngram
        cdef int step, i, n
        for step in range(length):
            self.singles[self.moves[step]].visits += 1.0
            self.singles[self.moves[step]].total += result
            if self.longest == 1:
                continue
            n = self.ngrams.contexts(&self.simulation, step, 0, contexts)
            for i in range(1, n):
                ngram = self.ngrams.claim(contexts[i], self.moves[step])
                if ngram != NULL:
                    ngram.visits += 1.0
                    ngram.sum += result

    cdef void fade(self, double factor) noexcept nogil:
        cdef int32_t i
        for i in range(self.n_singles):
            self.singles[i].visits *= factor
            self.singles[i].total *= factor
            if self.singles[i].visits < VANISHED:
                self.singles[i].visits = self.singles[i].total = 0.0
        self.ngrams.fade(factor)

    def known(self):
        """Visits and sum of results of every (cell, action) with data."""
        cdef int32_t i
        return {
            divmod(i, N_ACTIONS): (self.singles[i].visits, self.singles[i].total)
            for i in range(self.n_singles) if self.singles[i].visits > 0
        }

    def sequences(self):
        """How many sequences of two and more are remembered."""
        return len(self.ngrams)
