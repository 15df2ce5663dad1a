"""The earlier form of knowledge-based evaluation, with distances as the crow flies and a reward for new experience.

    value = X + beta * dD + alpha * dZ      where X did not change, else X

    dZ = sum over types i met on the way:   Z_i now if it was never met before, else Z_i now / Z_i before - 1
    dD = sum over types i:                  1 - D_i now / D_i in the root,
                                            if i was never met before, or meeting it changed the score for the better on average

Z_i counts all collisions of the avatar or its shots with type i in simulations, D_i is the distance from the avatar to the
closest sprite of the type. Soemers 2016, equation 4.5, with alpha = 0.66 and beta = 0.33, after Perez, Samothrakis and Lucas
2014, who also give dZ and dD. Soemers tells of a later idea (Van Eeden 2015) that draws the avatar to types that were met
rarely: with `rare` dD also counts types that were met less than half as often as the mean type; how rare is rare is our guess
(docs/readings.md#knowledge-2014).

Not handled: games of more than one avatar. Types are left out as in `knowledge`; a type that is not there in the root or in the
situation counts nothing.
"""

from libc.math cimport INFINITY, sqrt
from libc.stdlib cimport free

from paidia.core.arcade cimport ALL_CATEGORIES, AVATAR, FROM_AVATAR, ArcadeState, Avatar, Collision, Seen
from paidia.core.machine.memory cimport calloc, malloc
from paidia.core.model cimport Rules, Situation
from paidia.search.evaluation.base cimport Evaluation, plain_value

from paidia.core.arcade import ArcadeGame as VideoGame
from paidia.search.registry import EVALUATIONS
from paidia.search.frame.strategy cimport flag

cdef enum:
    MOST_SEEN = 10001       # no game has more sprites
    MOST_MET = 512          # collisions of one simulation that are looked at

ctypedef struct Known:
    double met          # Z: collisions in all simulations
    double change       # of the score, summed over them
    double at_root      # distance, infinite where there is none
    double now
    double new          # collisions of the simulation that is judged
    bint left_out


cdef class EarlierKnowledge(Evaluation):
    """The plain value, and where it did not change new experience and the way to what is good or unknown.

    Options:
        alpha: Weight of new experience.
        beta: Weight of getting closer.
        rare: Whether what was met rarely attracts as well.
    """

    options = ("alpha", "beta", "rare")

    cdef double alpha, beta
    cdef bint rare
    cdef Known* known
    cdef int n_types
    cdef Seen* seen
    cdef Collision* met
    cdef int met_at_root, met_before
    cdef double score_before
    cdef tuple names

    def __init__(self, *, double alpha=0.66, double beta=0.33, rare=False):
        if not (0.0 <= alpha < INFINITY and 0.0 <= beta < INFINITY):
            raise ValueError(f"alpha and beta are weights of 0 and more, not {alpha} and {beta}")
        self.alpha, self.beta, self.rare = alpha, beta, flag("rare", rare)
        self.watches = True

    def __dealloc__(self):
        free(self.known)
        free(self.seen)
        free(self.met)

    def cannot_play(self, Rules game not None):
        """It knows sprites, and one avatar."""
        if not isinstance(game, VideoGame):
            return f"knowledge is about sprites, and {game.id} has none"
        return "" if game.n_roles == 1 else f"knowledge is about one avatar, and {game.id} has {game.n_roles}"

    def begin_game(self, Rules game not None):
        cdef int i
        free(self.known)
        free(self.seen)
        free(self.met)
        self.names = tuple(game.types)
        self.n_types = len(self.names)
        self.known = <Known*>calloc(self.n_types + 1, sizeof(Known))
        self.seen = <Seen*>malloc(MOST_SEEN * sizeof(Seen))
        self.met = <Collision*>malloc(MOST_MET * sizeof(Collision))
        if self.known == NULL or self.seen == NULL or self.met == NULL:
            raise MemoryError
        for i in range(self.n_types):
            self.known[i].left_out = self.names[i] == "wall"

    def begin_search(self, Situation root not None, int role):
        cdef int i
        self.met_at_root = (<ArcadeState>root).c_n_collisions()
        self.measure(<ArcadeState>root)
        for i in range(self.n_types):
            self.known[i].at_root = self.known[i].now

    def notes(self):
        """How often each type was met, and what that changed the score by on average."""
        cdef int i
        return {"met": {
            self.names[i]: [self.known[i].met, self.known[i].change / self.known[i].met]
            for i in range(self.n_types) if self.known[i].met and not self.known[i].left_out}}

    cdef void measure(self, ArcadeState state) noexcept nogil:
        """Set `now` of every type."""
        cdef Avatar avatar
        cdef int i, n = min(state.c_seen(ALL_CATEGORIES, self.seen, MOST_SEEN), <int>MOST_SEEN)
        cdef double dx, dy
        cdef Known* known
        state.c_avatar(&avatar)
        for i in range(self.n_types):
            self.known[i].now = INFINITY
        for i in range(n):
            known = &self.known[self.seen[i].type]
            if self.seen[i].category == AVATAR or self.seen[i].category == FROM_AVATAR:
                known.left_out = True
            if avatar.type >= 0:
                dx, dy = self.seen[i].x - avatar.x, self.seen[i].y - avatar.y
                known.now = min(known.now, sqrt(dx * dx + dy * dy))

    cdef void before(self, Situation state) noexcept nogil:
        self.met_before = (<ArcadeState>state).c_n_collisions()
        self.score_before = (<ArcadeState>state).c_score()

    cdef void after(self, Situation state) noexcept nogil:
        cdef int i, n = (<ArcadeState>state).c_n_collisions() - self.met_before
        cdef double change = (<ArcadeState>state).c_score() - self.score_before
        if n <= 0:
            return
        n = (<ArcadeState>state).c_collisions(min(n, <int>MOST_MET), self.met)
        for i in range(n):
            self.known[self.met[i].active].left_out = True
            self.known[self.met[i].passive].met += 1.0
            self.known[self.met[i].passive].change += change

    cdef double value(self, Situation state, int role) noexcept nogil:
        cdef double value = plain_value(state, role), experience = 0.0, nearer = 0.0, before, mean = 0.0
        cdef int i, n, kinds = 0
        cdef Known* known
        if value != self.root_value:
            return value
        for i in range(self.n_types):
            known = &self.known[i]
            known.new = 0.0
            if not known.left_out and known.met > 0.0:
                mean += known.met
                kinds += 1
        mean = mean / kinds if kinds else 0.0
        n = (<ArcadeState>state).c_n_collisions() - self.met_at_root
        n = (<ArcadeState>state).c_collisions(min(max(n, 0), <int>MOST_MET), self.met)
        for i in range(n):
            self.known[self.met[i].passive].new += 1.0
        self.measure(<ArcadeState>state)
        for i in range(self.n_types):
            known = &self.known[i]
            if known.left_out:
                continue
            before = max(0.0, known.met - known.new)
            if known.new > 0.0:
                experience += known.met if before == 0.0 else known.met / before - 1.0
            if known.now == INFINITY or known.at_root == INFINITY or known.at_root == 0.0:
                continue
            if before == 0.0 or known.change / known.met > 0.0 or (self.rare and known.met < 0.5 * mean):
                nearer += 1.0 - known.now / known.at_root
        return value + self.beta * nearer + self.alpha * experience


EVALUATIONS.add("knowledge-2014", EarlierKnowledge)
