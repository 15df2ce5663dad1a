"""Nested rollout policy adaptation for games of one role: a playout policy learns the best line of each level.

    level 0    a playout: move m is drawn with probability proportional to exp(w[code(m)])
    level n    `iterations` times: a search of level n - 1 that starts with this level's policy; a line at least as good as the
               best becomes the best; the policy learns the best line

Learning a line: in every position of it, with all probabilities from the policy before,

    w[code(played)] += alpha
    w[code(m)]      -= alpha * exp(w[code(m)]) / sum over legal m' of exp(w[code(m')])      for every legal m

Rosin 2011 (Nested rollout policy adaptation for Monte-Carlo tree search): alpha 1, 100 iterations. Codes are those of the
rules' move features, as in PPAF. Every search of the highest level starts with a policy of zeros. Settings: level (2),
iterations, alpha. A simulation is one playout.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from paidia.core.machine.maths cimport exp
from paidia.core.machine.memory cimport calloc
from paidia.core.model cimport Situation, move_t
from paidia.core.machine.rng cimport rng_double
from paidia.search.planners.lines.base cimport LONGEST, Line, LineSearch

import msgspec

from paidia.core.errors import BadInput
from paidia.search.registry import SEARCHES


class NestedRolloutPolicySettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Nesting, and how fast a policy learns."""

    level: int = 2
    iterations: int = 100
    alpha: float = 1.0


cdef class NestedRolloutPolicy(LineSearch):
    """Nested rollout policy adaptation."""

    Settings = NestedRolloutPolicySettings

    cdef double* policies           # weight of code c at level l: [l * n_codes + c]
    cdef double* fresh              # the policy that is being made
    cdef int32_t* codes             # of the legal moves
    cdef double* powers
    cdef int n_codes, iterations
    cdef double alpha

    def __init__(self, game, settings=None, *, controller=None):
        super().__init__(game, settings, controller=controller)
        if not 1 <= self.settings.iterations <= 1_000_000:
            raise BadInput(f"iterations must lie between 1 and a million, not {self.settings.iterations}")
        if not 0 <= self.settings.alpha <= 100:
            raise BadInput(f"alpha must lie between 0 and 100, not {self.settings.alpha:g}")
        self.n_codes, self.iterations, self.alpha = game.n_codes, self.settings.iterations, self.settings.alpha
        self.policies = <double*>calloc(<size_t>self.n_codes * (self.levels + 1), sizeof(double))
        self.fresh = <double*>calloc(self.n_codes, sizeof(double))
        self.codes = <int32_t*>calloc(game.max_legal + 1, sizeof(int32_t))
        self.powers = <double*>calloc(game.max_legal + 1, sizeof(double))
        if self.policies == NULL or self.fresh == NULL or self.codes == NULL or self.powers == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.policies)
        free(self.fresh)
        free(self.codes)
        free(self.powers)

    cdef void once(self) noexcept nogil:
        memset(self.policy(self.levels), 0, self.n_codes * sizeof(double))
        self.nest(self.levels)

    cdef double* policy(self, int level) noexcept nogil:
        return self.policies + <Py_ssize_t>level * self.n_codes

    cdef void nest(self, int level) noexcept nogil:
        cdef Line* line = &self.lines[level]
        cdef int _
        if level == 0:
            self.play_out()
            return
        line.value, line.length = -INFINITY, 0
        for _ in range(self.iterations):
            memcpy(self.policy(level - 1), self.policy(level), self.n_codes * sizeof(double))
            self.nest(level - 1)
            if self.lines[level - 1].length > 0 and self.lines[level - 1].value >= line.value:
                line[0] = self.lines[level - 1]
            if self.over:
                return
            self.learn(self.policy(level), line)

    cdef int legal_powers(self, Situation state, const double* policy, const move_t** legal, double* total) noexcept nogil:
        """exp(weight) of each legal move, and their sum."""
        cdef int i, n = state.c_legal(0, legal)
        state.c_codes(0, legal[0], n, self.codes)
        total[0] = 0.0
        for i in range(n):
            self.powers[i] = exp(policy[self.codes[i]])
            total[0] += self.powers[i]
        return n

    cdef void play_out(self) noexcept nogil:
        """Level 0."""
        cdef Line* line = &self.lines[0]
        cdef const move_t* legal = NULL
        cdef double total = 0.0, rest
        cdef int i, n
        line.value, line.length = -INFINITY, 0
        if not self.next_simulation():
            self.over = True
            return
        (<Situation>self.boards[0]).c_copy(self.root)
        while line.length < LONGEST and not (<Situation>self.boards[0]).c_terminal():
            n = self.legal_powers(<Situation>self.boards[0], self.policy(0), &legal, &total)
            rest = rng_double(&self.rng) * total
            i = 0
            while i < n - 1 and rest >= self.powers[i]:
                rest -= self.powers[i]
                i += 1
            line.moves[line.length] = legal[i]
            (<Situation>self.boards[0]).c_play(&line.moves[line.length])
            self.steps += 1
            line.length += 1
        line.value = self.finish(<Situation>self.boards[0], line.moves[0] if line.length else -1)

    cdef void learn(self, double* policy, const Line* line) noexcept nogil:
        cdef const move_t* legal = NULL
        cdef double total = 0.0
        cdef int step, i, n
        cdef move_t move
        memcpy(self.fresh, policy, self.n_codes * sizeof(double))
        (<Situation>self.boards[0]).c_copy(self.root)
        for step in range(line.length):
            n = self.legal_powers(<Situation>self.boards[0], policy, &legal, &total)
            for i in range(n):
                self.fresh[self.codes[i]] -= self.alpha * self.powers[i] / total
                if legal[i] == line.moves[step]:
                    self.fresh[self.codes[i]] += self.alpha
            move = line.moves[step]
            (<Situation>self.boards[0]).c_play(&move)
        memcpy(policy, self.fresh, self.n_codes * sizeof(double))


SEARCHES.add("nested-rollout-policy", NestedRolloutPolicy)
