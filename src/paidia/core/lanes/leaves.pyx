# distutils: extra_compile_args = -O1
"""`Leaves`: random games from many positions at once (see leaves.pxd)."""

from libc.stdint cimport uint64_t

from paidia.core.machine.now cimport now
from paidia.core.model cimport MAX_ROLES, Situation

from paidia.core.errors import BadInput

#: Joint moves after which a random game counts as endless.
LONGEST = 100_000


cdef class Leaves:
    """The base: what a search asks of rules that play many positions on together.

    Attributes:
        most: Positions at most.
    """

    def means(self, states, *, seed, limit=None, seconds=None):
        """The mean goals of random games from each of some positions of one game, a list for each; None if time ran out.

        Args:
            states: The positions.
            seed: Same seed and positions, same games.
            limit: Joint moves after which games end, with the goals of where they are. Without it one that lasts longer than
                100,000 is an error.
            seconds: Time for them; without it as long as it takes.
        """
        cdef double goals[MAX_ROLES]
        cdef Situation state
        cdef int place, n = len(states), longest = LONGEST if limit is None else limit
        cdef double deadline = 0.0 if seconds is None else now() + seconds
        cdef bint done
        if not 1 <= n <= self.most:
            raise BadInput(f"there is room for 1 to {self.most} positions, not {n}")
        if longest < 0:
            raise BadInput(f"a limit is a number of joint moves, not {limit}")
        self.seed(<uint64_t>(int(seed) & 0xFFFFFFFFFFFFFFFF))
        self.begin(n)
        for place, state in enumerate(states):
            if state is None or not self.takes(state):
                raise BadInput("these positions are of another game")
            self.put(place, state)
        with nogil:
            done = self.play(n, longest, deadline)
        if not done:
            return None
        if limit is None and not self.ended:
            raise BadInput(f"{states[0].game.id}: a random game lasts longer than {LONGEST:,} joint moves")
        found = []
        for place, state in enumerate(states):
            self.results(place, goals)
            found.append([goals[role] for role in range(state.game.n_roles)])
        return found

    def takes(self, Situation state not None):
        """Whether a position belongs to the game."""
        return False

    def learn_pace(self, double lasted, double aside):
        """What a wave is taken to last, after one whose games took so long, and all else so long for each simulation."""
        self.took(lasted, aside)

    cdef void forget(self) noexcept nogil:
        pass

    cdef void seed(self, uint64_t seed) noexcept nogil:
        pass

    cdef void begin(self, int places) noexcept nogil:
        pass

    cdef void put(self, int place, Situation state) noexcept nogil:
        pass

    cdef bint play(self, int n, int limit, double deadline) noexcept nogil:
        return False

    cdef void results(self, int place, double* goals) noexcept nogil:
        pass

    cdef double expected(self, int places) noexcept nogil:
        return self.lasted + places * self.aside

    cdef void took(self, double lasted, double aside) noexcept nogil:
        # A wave in which the tree grew, or the machine had other things to do, does not speak for those that follow.
        self.lasted = lasted if self.lasted <= 0.0 else min(lasted, 2.0 * self.lasted)
        self.aside = aside if self.aside <= 0.0 else min(aside, 2.0 * self.aside)

    cdef bint fit(self, int places, double most) noexcept nogil:
        if self.lasted <= 0.0 or self.expected(places) <= most:
            self.passed = self.patience = 0
            return True
        # What is known may be out of date: after 1, 2, 4, ... searches it is forgotten.
        self.passed += 1
        if self.passed <= self.patience:
            return False
        self.lasted = self.aside = 0.0
        self.passed, self.patience = 0, 2 * self.patience + 1
        return True
