"""Deterministic game detection: equal sequences of actions must lead to equal situations (see determinism.pxd)."""

from libc.stdint cimport int64_t, uint64_t

from paidia.core.arcade cimport NIL, NPC, ArcadeState
from paidia.core.model cimport move_t, play_alone
from paidia.core.rng cimport Rng, rng_below, rng_next
from paidia.search.arcade.clock cimport TickClock, clock_late


cdef bint looks_deterministic(
    ArcadeState root, ArcadeState scratch, Rng* rng, const TickClock* clock, int64_t* advances
) noexcept nogil:
    cdef move_t sequence[LENGTH]
    cdef const move_t* actions = NULL
    cdef uint64_t key = 0
    cdef int _, run, step, n
    if root.c_seen(1 << NPC, NULL, 0) > 0:
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
                if scratch.c_seen(1 << NPC, NULL, 0) > 0:
                    return False
            if run == 0:
                key = scratch.c_key()
            elif scratch.c_key() != key:
                return False
    return True


def detect(ArcadeState state, *, uint64_t seed=0):
    """Whether a game looks deterministic from here, for people and tests."""
    cdef Rng rng
    cdef TickClock clock
    cdef int64_t advances = 0
    rng.state = seed
    clock.deadline = 0.0
    return looks_deterministic(state, state.copy(), &rng, &clock, &advances)
