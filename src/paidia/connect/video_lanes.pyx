"""Many copies of one video game side by side, stepped and observed in one kernel call: what vector environments stand on.

Each lane is a state of the game with a generator of its own. What can be seen is written straight into one array; a lane
whose game is over starts anew with the next step. A random policy can be run inside the kernel, for throughput and for data.
"""

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcmp, memcpy, memset

from paidia.core.arcade cimport N_ACTIONS, NIL
from paidia.core.machine.memory cimport calloc
from paidia.core.model cimport move_t
from paidia.core.machine.rng cimport Rng, rng_below, rng_next
from paidia.games.vgdl.engine.game cimport VgdlGame, VgdlState, fill_fixtures, fill_ids, fill_moving
from paidia.games.vgdl.engine.kernel cimport advance, copy_block, seed_generator
from paidia.games.vgdl.engine.layout cimport Sim, Type, at

from paidia.core.arcade import ACTIONS
from paidia.core.errors import BadInput


cdef class VideoLanes:
    """Lanes of one game; all arrays are filled in place by every call.

    Attributes:
        actions: Names of the actions: NIL, then those of the avatar.
        observations: (lanes, height, width, types) bytes, or (lanes, height, width) with `ids`.
        rewards: Change of the score in the last step.
        over: Whether the game has ended with the last step.
        scores: The score; winners: 1 won, 0 lost, -1 open; ticks: completed ticks.

    One thread at a time: another is told that the lanes are busy.
    """

    cdef readonly VgdlGame game
    cdef readonly int n
    cdef readonly bint ids
    cdef readonly tuple actions
    cdef readonly object observations, rewards, over, scores, winners, ticks
    cdef list states                    # keeps the memory of `sims` alive
    cdef Sim** sims
    cdef Rng* seeds                     # of each lane: where the seeds of its games come from
    cdef uint8_t* standing              # of each lane: what of the fixtures can be seen ..
    cdef uint64_t* alive                # .. and those that it was made of
    cdef Rng policy
    cdef bint busy
    cdef int number[N_ACTIONS]          # of each action in the game
    cdef int n_actions
    cdef size_t size                    # bytes of an observation
    cdef uint8_t[::1] _seen
    cdef double[::1] _rewards, _scores
    cdef uint8_t[::1] _over
    cdef int64_t[::1] _winners, _ticks

    def __init__(self, VgdlGame game not None, int lanes, *, bint ids=False):
        cdef VgdlState state
        cdef int i
        if not 1 <= lanes <= 1 << 20:
            raise BadInput(f"there are 1 to {1 << 20} lanes, not {lanes}")
        if game.n_roles != 1:
            raise BadInput(f"{game.id} is a game for two players, and lanes play games for one")
        self.game, self.n, self.ids = game, lanes, ids
        self.actions = ("NIL", *(name for name in game.initial_state().actions if name != "NIL"))
        self.n_actions = len(self.actions)
        for i, name in enumerate(self.actions):
            self.number[i] = ACTIONS.index(name)
        shape = game.observation_shape[:2] if ids else game.observation_shape
        self.observations = np.zeros((lanes, *shape), np.uint8)
        self.size = self.observations[0].size
        self.rewards, self.scores = np.zeros(lanes), np.zeros(lanes)
        self.over = np.zeros(lanes, np.bool_)
        self.winners, self.ticks = np.full(lanes, -1, np.int64), np.zeros(lanes, np.int64)
        self._seen, self._rewards, self._scores = self.observations.reshape(-1), self.rewards, self.scores
        self._over, self._winners, self._ticks = self.over.view(np.uint8), self.winners, self.ticks
        self.states = [game.initial_state(0) for _ in range(lanes)]
        self.sims = <Sim**>calloc(lanes, sizeof(Sim*))
        self.seeds = <Rng*>calloc(lanes, sizeof(Rng))
        self.standing = <uint8_t*>calloc(lanes, game.height * game.width * len(game.types))
        self.alive = <uint64_t*>calloc(lanes, sizeof(uint64_t) * (game.rules.n_words + 1))
        if self.sims == NULL or self.seeds == NULL or self.standing == NULL or self.alive == NULL:
            raise MemoryError
        for i in range(lanes):
            state = self.states[i]
            self.sims[i] = &state.sim
        self.reset(0)

    def __dealloc__(self):
        free(self.sims)
        free(self.seeds)
        free(self.standing)
        free(self.alive)

    cdef int check_idle(self) except -1:
        if self.busy:
            raise BadInput("these lanes are busy: another thread steps them; make lanes for each thread")
        return 0

    def reset(self, seed, lanes=None):
        """Start games anew: lane i with what follows from `seed` (a number, or one for each lane); `lanes` says which."""
        cdef int i
        cdef Rng rng
        self.check_idle()
        if isinstance(seed, int):
            rng.state = seed & ((1 << 64) - 1)
            seeds = [rng_next(&rng) for _ in range(self.n)]
        else:
            seeds = list(seed)
            if len(seeds) != self.n:
                raise BadInput(f"there are {self.n} lanes, not {len(seeds)}: one seed for each")
        wanted = np.ones(self.n, np.bool_) if lanes is None else np.asarray(lanes, np.bool_)
        if wanted.shape != (self.n,):
            raise BadInput(f"which lanes to reset is said by {self.n} truth values")
        for i in range(self.n):
            if wanted[i]:
                self.seeds[i].state = int(seeds[i]) & ((1 << 64) - 1)
                self.begin(i)

    cdef void begin(self, int i) noexcept nogil:
        copy_block(self.sims[i], &self.game.start)
        seed_generator(self.sims[i], rng_next(&self.seeds[i]))
        self._rewards[i] = 0.0
        self._over[i] = 0
        self.look(i)

    cdef inline void look(self, int i) noexcept nogil:
        """Write what lane i shows and what is to be known of it."""
        cdef Sim* g = self.sims[i]
        cdef size_t words = sizeof(uint64_t) * g.rules.n_words
        cdef uint8_t* standing = self.standing + i * self.size
        cdef uint64_t* alive = self.alive + i * (g.rules.n_words + 1)
        self._scores[i] = g.h.score[0]
        self._winners[i] = g.h.winner[0]
        self._ticks[i] = g.h.tick
        if self.ids:
            fill_ids(g, &self._seen[i * self.size])
            return
        # Fixtures only ever vanish, and seldom: they are drawn anew when one has.
        if alive[g.rules.n_words] == 0 or memcmp(alive, g.alive, words) != 0:
            memset(standing, 0, self.size)
            fill_fixtures(g, standing)
            memcpy(alive, g.alive, words)
            alive[g.rules.n_words] = 1
        memcpy(&self._seen[i * self.size], standing, self.size)
        fill_moving(g, &self._seen[i * self.size])

    cdef inline void step_lane(self, int i, int action) noexcept nogil:
        """One tick; an action that the avatar does not have now counts as NIL."""
        cdef Sim* g = self.sims[i]
        cdef const Type* t
        cdef double before = g.h.score[0]
        cdef int k
        cdef move_t played = NIL
        if self._over[i]:
            self.begin(i)
            return
        if action != NIL and g.h.avatar[0] >= 0:
            t = &g.rules.types[at(g, g.h.avatar[0]).type]
            for k in range(t.n_actions):
                if t.actions[k] == action:
                    played = action
        advance(g, &played)
        self._rewards[i] = g.h.score[0] - before
        self._over[i] = g.h.ended
        self.look(i)

    def step(self, actions):
        """One step in every lane, by the number of an action in `actions`; a lane that was over starts anew instead."""
        cdef int64_t[::1] chosen
        cdef int i
        numbers = np.array(actions, np.int64)       # our own: what was looked through cannot change any more
        if numbers.shape != (self.n,):
            raise BadInput(f"there are {self.n} lanes, and an action for each is needed, not {numbers.shape}")
        if numbers.min() < 0 or numbers.max() >= self.n_actions:
            raise BadInput(f"actions are 0 to {self.n_actions - 1} ({', '.join(self.actions)})")
        chosen = numbers
        self.check_idle()
        self.busy = True
        with nogil:
            for i in range(self.n):
                self.step_lane(i, self.number[chosen[i]])
        self.busy = False

    def begin_over(self):
        """Start the next game at once in every lane that is over."""
        cdef int i
        self.check_idle()
        self.busy = True
        with nogil:
            for i in range(self.n):
                if self._over[i]:
                    self.begin(i)
        self.busy = False

    def random_steps(self, int steps, seed=None):
        """So many steps in every lane with uniformly random actions, all observed; returns how many steps that were."""
        cdef int i, _k
        self.check_idle()
        if seed is not None:
            self.policy.state = seed
        self.busy = True
        with nogil:
            for _k in range(steps):
                for i in range(self.n):
                    self.step_lane(i, self.number[rng_below(&self.policy, self.n_actions)])
        self.busy = False
        return steps * self.n

    def state(self, int lane):
        """A copy of the situation in a lane."""
        if not 0 <= lane < self.n:
            raise BadInput(f"lanes are 0 to {self.n - 1}, not {lane}")
        self.check_idle()
        return self.states[lane].copy()

    def put(self, int lane, VgdlState state not None):
        """Go on in a lane from a situation of the same game."""
        if not 0 <= lane < self.n:
            raise BadInput(f"lanes are 0 to {self.n - 1}, not {lane}")
        self.check_idle()
        self.states[lane].copy_from(state)
        self._rewards[lane] = 0.0
        self._over[lane] = state.sim.h.ended
        self.look(lane)
