"""Last good reply: a playout answers the move just played as it was last answered in a simulation that was won.

After each simulation every role remembers each of its moves, in tree and playout, as the reply to the joint move before it, if
it won (a goal above 1/2); with `forgetting` it drops what it remembers if it lost with it (below 1/2). In a playout a role plays
the reply to the last two joint moves (`length` 2), else that to the last one, if there is one and it is legal; else a uniformly
random move.

Drake 2009 (The last-good-reply policy for Monte-Carlo Go: LGR-1 and LGR-2); Baier and Drake 2010 (The power of forgetting:
LGRF-1 and LGRF-2). Replies live as long as a game (docs/readings.md#other-playouts). No parameters.
"""

from libc.stdint cimport uint64_t

from paidia.core.machine.bits cimport mix
from paidia.core.model cimport NO_MOVE, Rules, Situation, move_t
from paidia.core.machine.rng cimport rng_below
from paidia.search.playout.base cimport Playout
from paidia.search.frame.simulation cimport Simulation
from paidia.search.statistics.ngrams cimport Ngram, NgramTable
from paidia.search.frame.strategy cimport flag

from paidia.search.registry import PLAYOUTS


cdef class LastGoodReply(Playout):
    """Last good reply, with and without forgetting.

    Options:
        length: How many joint moves a reply answers: 1, or 2 with those to one where two are unknown.
        forgetting: Drop a reply that was part of a loss.
    """

    records = True
    options = ("length", "forgetting")

    cdef int longest
    cdef bint forgetting
    cdef NgramTable replies         # context -> the move as `sum`, none without visits

    def __init__(self, *, length=1, forgetting=False):
        if length not in (1, 2) or isinstance(length, bool):
            raise ValueError(f"length is 1 or 2, not {length!r}")
        self.longest, self.forgetting = length, flag("forgetting", forgetting)
        self.replies = NgramTable(1)

    def begin_game(self, Rules game not None):
        self.replies.clear()

    cdef uint64_t context(self, const Simulation* sim, int step, int role, int length) noexcept nogil:
        """What a role answers at `step`: the `length` joint moves before."""
        cdef uint64_t context = mix(mix(<uint64_t>role + 1, 0), <uint64_t>length)
        cdef Py_ssize_t at
        for at in range(<Py_ssize_t>(step - length) * sim.n_roles, <Py_ssize_t>step * sim.n_roles):
            context = mix(context, <uint64_t>(sim.keys[at] + 2))
        return context

    cdef int choose(self, Situation state, Simulation* sim, int role, const move_t* moves, int n) noexcept nogil:
        cdef const Ngram* reply
        cdef int length, i
        for length in range(self.longest, 0, -1):
            if sim.length < length:
                continue
            reply = self.replies.find(self.context(sim, sim.length, role, length), 0)
            if reply != NULL and reply.visits > 0.0:
                for i in range(n):
                    if moves[i] == <move_t>reply.sum:
                        return i
        return rng_below(&sim.rng, n)

    cdef void after_simulation(self, Situation root, Simulation* sim) noexcept nogil:
        cdef int step, role, length
        cdef move_t move
        cdef Ngram* reply
        for step in range(1, sim.length):
            for role in range(sim.n_roles):
                move = sim.moves[step * sim.n_roles + role]
                if move == NO_MOVE or sim.goals[role] == 0.5 or (sim.goals[role] < 0.5 and not self.forgetting):
                    continue
                for length in range(1, min(self.longest, step) + 1):
                    reply = self.replies.claim(self.context(sim, step, role, length), 0)
                    if reply == NULL:
                        continue
                    if sim.goals[role] > 0.5:
                        reply.visits, reply.sum = 1.0, move
                    elif reply.visits > 0.0 and <move_t>reply.sum == move:
                        reply.visits = 0.0


PLAYOUTS.add("last-good-reply", LastGoodReply)
