# distutils: extra_compile_args = -O1
"""Deterministic game detection (DGD): equal sequences of actions must lead to equal situations.

Random sequences are played several times from the first situation of a game, each time with a chance of its own; the game
counts as deterministic if every repetition ends in an equal situation and no NPC is ever seen. Then other strategies trust
what they have seen (statistics kept between searches do not fade, one look at each move is enough), and the value of a move is
mixed with its highest result:

    Q' = (1 - mixmax) * Q + mixmax * highest

Soemers 2016, section 4.2.5.
# Its numbers: docs/readings.md#determinism. When the time is up before it is known, the answer is no.
"""

from libc.stdint cimport int64_t, uint64_t

from paidia.core.arcade cimport NIL, NPC, ArcadeState
from paidia.core.model cimport Rules, Situation, move_t, play_alone
from paidia.core.machine.rng cimport Rng, rng_below, rng_next
from paidia.search.frame.clock cimport Clock, clock_late
from paidia.search.root.base cimport RootStrategy

from paidia.search.registry import ROOTS

cdef enum:
    SEQUENCES = 5       # random sequences of actions that are tried
    LENGTH = 5          # actions in each
    REPETITIONS = 3     # runs of each, every one with a chance of its own


cdef bint looks_deterministic(
    Situation root, Situation scratch, Rng* rng, const Clock* clock, int64_t* advances
) noexcept nogil:
    cdef move_t sequence[LENGTH]
    cdef const move_t* actions = NULL
    cdef uint64_t key = 0
    cdef int _, run, step, n
    if not root.game.chance:
        return True
    if (<ArcadeState>root).c_seen(1 << NPC, NULL, 0) > 0:
        return False
    for _ in range(SEQUENCES):
        for run in range(REPETITIONS):
            if clock_late(clock):
                return False
            scratch.c_copy(root)
            scratch.c_seed(rng_next(rng))
            for step in range(LENGTH):
                if run == 0:
                    n = scratch.c_legal(0, &actions)
                    sequence[step] = actions[rng_below(rng, n)] if n > 0 else NIL
                play_alone(scratch, sequence[step])
                advances[0] += 1
                if (<ArcadeState>scratch).c_seen(1 << NPC, NULL, 0) > 0:
                    return False
            if run == 0:
                key = scratch.c_key()
            elif scratch.c_key() != key:
                return False
    return True


cdef class Determinism(RootStrategy):
    """Finds out once per game whether chance plays a part.

    Options:
        mixmax: Share of the highest result in the value of a move, in a deterministic game.
    """

    needs = ("sequences", "weights")
    options = ("mixmax",)

    cdef double mixmax
    cdef bint classified

    def __init__(self, *, double mixmax=0.25):
        if not 0.0 <= mixmax <= 1.0:
            raise ValueError(f"mixmax is a share from 0 to 1, not {mixmax}")
        self.mixmax = mixmax

    def cannot_play(self, Rules game not None):
        """It tries the moves of one role."""
        return "" if game.n_roles == 1 else f"the test for chance is for games of one role, and {game.id} has {game.n_roles}"

    def begin_game(self, Rules game not None):
        self.classified = False

    cdef void look(self) noexcept nogil:
        if self.classified:
            return
        self.classified = True
        self.search.deterministic = looks_deterministic(
            self.search.root, self.search.state, &self.search.sim.rng, &self.search.clock, &self.search.steps)
        self.search.sim.mixmax = self.mixmax if self.search.deterministic else 0.0

    def notes(self):
        return {"deterministic": self.search.deterministic}


def detect(ArcadeState state not None, *, uint64_t seed=0):
    """Whether a game looks deterministic from here, for people and tests."""
    cdef Rng rng
    cdef Clock clock
    cdef int64_t advances = 0
    rng.state = seed
    clock.deadline = 0.0
    return looks_deterministic(state, state.copy(), &rng, &clock, &advances)


ROOTS.add("determinism", Determinism)
