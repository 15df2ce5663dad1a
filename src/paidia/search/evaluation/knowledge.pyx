"""Knowledge-Based Evaluation (KBE): a state is better the closer the avatar is to what proved good to meet.

    Eval(s) = sum over types i of w_i * (d_0(i) - d(i))

d_0(i) and d(i) are the distances from the avatar to the closest sprite of type i in the root and in s (width * height
where there is none or no way). The wall, avatars and what avatars create are left out, so are types with
abs(w_i) < 1e-4. A search normalises Eval to [0, 0.5] by the extremes so far and adds it to the plain evaluation X
where X did not change.

For every new collision of the avatar or its creation with type i in a simulated step that changed the worth by r:

    change_i += r;  n_i += 1
    w_i += (change_i / n_i - w_i) * rate_i;  rate_i = max(0.1, 0.75 * rate_i)

Soemers 2016, section 4.2.4. Rates start at 0.8, weights by category (table 4.1): static 0, NPC 0.1, movable 0.25,
resource 1, portal 1, when a type is first seen. Every tick adds 1e-4 to all weights.

By what a step is judged is the option `reward` (docs/readings.md#knowledge-change): the change of the score alone, of X with its
1e7 for the end as the thesis writes, or of the score with 1 for a win and -1 for a loss.

Not handled: what `distances` does not handle. A type first met in a collision and not to be seen afterwards (hidden,
or gone at once) starts as a static one. Evaluations where the avatar is gone or outside the level, or in which there
are more sprites than twice those of the root and 256, are 0. States of another game than the one begun are ignored.
"""

from cpython.object cimport PyObject
from libc.math cimport fabs
from libc.stdlib cimport free

cimport cython

from paidia.core.arcade cimport (
    ALL_CATEGORIES, AVATAR, FROM_AVATAR, IMMOVABLE, MOVABLE, N_CATEGORIES, NPC, PORTAL, RESOURCE, ArcadeGame, ArcadeState,
    Avatar, Collision, Seen,
)
from paidia.core.machine.memory cimport calloc, realloc
from paidia.core.model cimport LOST, WON, Rules, Situation
from paidia.search.evaluation.base cimport HUGE, Evaluation, plain_value
from paidia.search.evaluation.distances cimport OUTSIDE, Distances
from paidia.search.planners.foraging.interest cimport Interest, units_held
from paidia.search.frame.scale cimport forget_bounds, on_scale, widen
from paidia.search.frame.strategy cimport flag

from paidia.core.arcade import ArcadeGame as VideoGame
from paidia.core.errors import BadInput
from paidia.search.registry import EVALUATIONS

cdef double RELEVANT = 1e-4         # smallest weight that counts
cdef double PER_TICK = 1e-4
cdef double FIRST_RATE = 0.8
cdef double LAST_RATE = 0.1
cdef double RATE_DECAY = 0.75
cdef double HIGHEST = 0.5           # of a normalised evaluation: less than any change of a score
cdef int SPARE_SPRITES = 256

cdef double[N_CATEGORIES] FIRST_WEIGHT       # 0 unless set
FIRST_WEIGHT[<int>IMMOVABLE] = 0.0
FIRST_WEIGHT[<int>NPC] = 0.1
FIRST_WEIGHT[<int>MOVABLE] = 0.25
FIRST_WEIGHT[<int>RESOURCE] = 1.0
FIRST_WEIGHT[<int>PORTAL] = 1.0


cdef inline bint relevant(const Kind* kind) noexcept nogil:
    return kind.status == KNOWN and fabs(kind.weight) >= RELEVANT


cdef inline void first_sight(Kind* kind, int category, int categories) noexcept nogil:
    """Learn what the first and all sprites of a type are seen as; what an avatar was or created once stays left out."""
    if categories & (1 << AVATAR | 1 << FROM_AVATAR):
        kind.status = LEFT_OUT
    elif kind.status == UNSEEN:
        kind.status = KNOWN
        kind.weight = FIRST_WEIGHT[category]


@cython.final
cdef class Knowledge:
    """What a search knows about the types of one game.

    Args:
        table: Whether distances are remembered (see `Distances`).
    """

    def __cinit__(self, *, bint table=True):
        self.distances = Distances(table=table)
        forget_bounds(&self.bounds)

    def __dealloc__(self):
        self.release()

    cdef void release(self) noexcept:
        free(self.kinds)
        free(self.seen)
        free(self.collisions)
        self.kinds = NULL
        self.seen = NULL
        self.collisions = NULL
        self.n_types = self.n_room = self.n_collisions_room = 0

    def begin_game(self, ArcadeGame game not None, ArcadeState state not None):
        """Forget everything and look at the first state of a game."""
        cdef int i
        if state.game is not game:
            raise BadInput(f"the first state belongs to {state.game!r}, not to {game!r}: take it from game.initial_state()")
        self.release()
        self.game = None
        self.distances.begin_game(game, state)
        forget_bounds(&self.bounds)
        # A step rarely brings more collisions than one for each pair of a few active types and a passive one.
        room = 4 * len(game.types) + 64
        self.kinds = <Kind*>calloc(len(game.types) + 1, sizeof(Kind))
        self.collisions = <Collision*>calloc(room, sizeof(Collision))
        if self.kinds == NULL or self.collisions == NULL or not self.make_room(state.c_seen(ALL_CATEGORIES, NULL, 0)):
            raise MemoryError
        self.n_types, self.n_collisions_room = len(game.types), room
        self.game = game
        for i in range(self.n_types):
            self.kinds[i].rate = FIRST_RATE
            if game.types[i] == "wall":
                self.kinds[i].status = LEFT_OUT
        self.measure(state, True)
        for i in range(self.n_types):
            self.kinds[i].at_root = self.kinds[i].now

    cdef bint same_game(self, ArcadeState state) noexcept nogil:
        """Whether a state is one of the game that was begun: the types of others are no places in `kinds`."""
        return <PyObject*>state.game == <PyObject*>self.game

    cdef bint make_room(self, int n_sprites) noexcept nogil:
        """Room for twice so many sprites, so that a simulation may create some."""
        cdef int room = 2 * n_sprites + SPARE_SPRITES
        cdef void* grown
        if room <= self.n_room:
            return True
        grown = realloc(self.seen, room * sizeof(Seen))
        if grown == NULL:
            return False
        self.seen = <Seen*>grown
        self.n_room = room
        return True

    cpdef void begin_tick(self, ArcadeState root) noexcept nogil:
        cdef int i
        cdef bint measured
        if not self.same_game(root):
            return
        self.make_room(root.c_seen(ALL_CATEGORIES, NULL, 0))
        measured = self.measure(root, True)
        for i in range(self.n_types):
            self.kinds[i].at_root = self.kinds[i].now if measured else self.distances.bound
            if self.kinds[i].status == KNOWN:
                self.kinds[i].weight += PER_TICK

    cdef bint measure(self, ArcadeState state, bint everything) noexcept nogil:
        """Set `now` of every type that counts (or of all); False if the avatar or the sprites have no place."""
        cdef Avatar avatar
        cdef int i = 0, type, first, categories, n, start
        cdef Kind* kind
        if not self.same_game(state):
            return False
        n = state.c_seen(ALL_CATEGORIES, self.seen, self.n_room)
        state.c_avatar(&avatar)
        start = OUTSIDE if avatar.type < 0 else self.distances.place(avatar.x, avatar.y)
        for type in range(self.n_types):
            self.kinds[type].now = self.distances.bound
        if n > self.n_room:
            return False
        while i < n:
            type = self.seen[i].type
            kind = &self.kinds[type]
            first = i
            if kind.status == LEFT_OUT or (kind.status == KNOWN and not everything and not relevant(kind)):
                while i < n and self.seen[i].type == type:
                    i += 1
                continue
            categories = 0
            while i < n and self.seen[i].type == type:
                categories |= 1 << self.seen[i].category
                i += 1
            first_sight(kind, self.seen[first].category, categories)
            if kind.status == KNOWN and (everything or relevant(kind)):
                kind.now = self.distances.closest(start, self.seen + first, i - first)
        return start != OUTSIDE

    cpdef int observe(self, ArcadeState after, int before, double delta) noexcept nogil:
        cdef int total = after.c_n_collisions(), n = total - before, i
        cdef Kind* kind
        if n <= 0 or not self.same_game(after):
            return total
        n = after.c_collisions(min(n, self.n_collisions_room), self.collisions)
        for i in range(n):
            self.kinds[self.collisions[i].active].status = LEFT_OUT
            kind = &self.kinds[self.collisions[i].passive]
            if kind.status == UNSEEN:
                self.meet(after, self.collisions[i].passive)
            if kind.status != KNOWN:
                continue
            kind.change += delta
            kind.collisions += 1
            kind.weight += (kind.change / kind.collisions - kind.weight) * kind.rate
            kind.rate = max(LAST_RATE, RATE_DECAY * kind.rate)
        return total

    cdef void meet(self, ArcadeState state, int type) noexcept nogil:
        """Find out what a type is that was met before it was seen."""
        cdef int i, n = min(state.c_seen(ALL_CATEGORIES, self.seen, self.n_room), self.n_room)
        cdef int category = IMMOVABLE, categories = 0
        for i in range(n):
            if self.seen[i].type == type:
                category = self.seen[i].category
                categories |= 1 << category
        first_sight(&self.kinds[type], category, categories)

    cpdef double evaluate(self, ArcadeState state) noexcept nogil:
        cdef int i
        cdef const Kind* kind
        cdef double total = 0.0
        if not self.measure(state, False):
            return 0.0
        for i in range(self.n_types):
            kind = &self.kinds[i]
            if relevant(kind):
                total += kind.weight * (kind.at_root - kind.now)
        return total

    cpdef double normalised(self, double raw) noexcept nogil:
        widen(&self.bounds, raw)
        return HIGHEST * on_scale(&self.bounds, raw) if self.bounds.high > self.bounds.low else 0.0

    # ---------------------------------------------------------------- for people and tests

    def weights(self):
        """The weight of every type that was seen or met and is not left out, by name."""
        cdef int i
        return {self.game.types[i]: self.kinds[i].weight for i in range(self.n_types) if self.kinds[i].status == KNOWN}

    def root_distances(self):
        """The distance to the closest sprite of every such type in the root, by name."""
        cdef int i
        return {self.game.types[i]: self.kinds[i].at_root for i in range(self.n_types) if self.kinds[i].status == KNOWN}

    def repeat_evaluate(self, ArcadeState state not None, int times):
        """Evaluate a state so many times, to measure what it costs."""
        cdef int _
        with nogil:
            for _ in range(times):
                self.evaluate(state)


cdef class KnowledgeEvaluation(Evaluation):
    """The plain value, and what knowledge adds to it where it did not change.

    Three ideas of the thesis' section 6.3 can be added, all 0 or off in the thesis' own agents (docs/readings.md#knowledge-more):

        resources * max(0, min(1, units held now - units in the root))      as YBCriber does, by an amount that is not public
        - danger * share of the simulated steps into the avatar's cell that were lost     (an influence map that fades)
        traversable: ways go around types that mostly stopped the avatar when they met

    Options:
        always: Knowledge also where the plain value changed.
        resources: What a unit of a resource is worth, 0 to 0.5.
        danger: What the share of deaths in a cell costs, 0 to 0.5.
        traversable: Whether ways avoid what was learnt to block them.
        reward: By what a collision is judged: the change of the "score", of the plain "value" (the text of the thesis), or of
            the score with 1 more for a win and 1 less for a loss ("ends", the author's later program).
    """

    options = ("always", "reward", "resources", "danger", "traversable")

    cdef readonly Knowledge knowledge
    cdef bint always
    cdef double end                 # what a win counts in a reward
    cdef int met_before
    cdef double resources, danger
    cdef bint traversable
    cdef Interest interest          # what is learnt about cells and obstacles; None if nobody asks
    cdef Avatar avatar_before
    cdef double score_before
    cdef int held_at_root
    cdef object obstacles           # the cells that ways go around, besides walls
    cdef object walls

    def __init__(
        self, *, always=False, str reward="ends", double resources=0.0, double danger=0.0, traversable=False,
    ):
        ends = {"score": 0.0, "value": <double>HUGE, "ends": 1.0}
        if reward not in ends:
            raise ValueError(f"reward is one of {', '.join(ends)}, not {reward!r}")
        for name, factor in (("resources", resources), ("danger", danger)):
            if not 0.0 <= factor <= 0.5:
                raise ValueError(f"{name} is a factor from 0 to 0.5, as real changes of the score count for more, not {factor}")
        self.always, self.end = flag("always", always), ends[reward]
        self.resources, self.danger, self.traversable = resources, danger, flag("traversable", traversable)
        self.watches = True

    def cannot_play(self, Rules game not None):
        """It knows sprites, and one avatar."""
        if not isinstance(game, VideoGame):
            return f"knowledge is about sprites, and {game.id} has none"
        return "" if game.n_roles == 1 else f"knowledge is about one avatar, and {game.id} has {game.n_roles}"

    def begin_game(self, Rules game not None):
        self.knowledge = self.interest = None
        self.obstacles = frozenset()

    def begin_search(self, Situation root not None, int role):
        if self.knowledge is None:
            self.knowledge = Knowledge()
            self.knowledge.begin_game(root.game, root)
            if self.danger > 0.0 or self.traversable:
                self.interest = Interest(root.game)
                wall = root.game.types.index("wall") if "wall" in root.game.types else -1
                self.walls = self._cells(root, {wall})
        self.held_at_root = units_held(<ArcadeState>root, self.knowledge.n_types)
        if self.traversable:
            self._learn_ways(root)
        if not self.ahead:
            if self.interest is not None:
                self.interest.fade()
            self.knowledge.begin_tick(<ArcadeState>root)

    def _cells(self, root, types):
        block = root.game.block
        return frozenset((x // block, y // block) for _, type, _, x, y in root.seen() if type in types)

    def _learn_ways(self, root):
        """Where something stands that mostly stopped the avatar there is no way; the sprites themselves can still be reached."""
        blocking = {type for type in range(len(root.game.types)) if self.interest.blocks(type)}
        cells = self._cells(root, blocking) - self.walls
        if cells != self.obstacles:
            self.obstacles = cells
            self.knowledge.distances.set_obstacles(self.walls, cells)

    def notes(self):
        return {"weights": self.knowledge.weights()}

    cdef double value(self, Situation state, int role) noexcept nogil:
        cdef double value = plain_value(state, role)
        cdef Avatar avatar
        cdef int place, gained
        if self.always or value == self.root_value:
            value += self.knowledge.normalised(self.knowledge.evaluate(<ArcadeState>state))
            if self.resources > 0.0:
                gained = units_held(<ArcadeState>state, self.knowledge.n_types) - self.held_at_root
                value += self.resources * max(0, min(1, gained))
            if self.danger > 0.0:
                (<ArcadeState>state).c_avatar(&avatar)
                place = self.interest.cell(avatar.x, avatar.y) if avatar.type >= 0 else -1
                if place >= 0:
                    value -= self.danger * self.interest.danger(place)
        return value

    cdef void before(self, Situation state) noexcept nogil:
        self.score_before = (<ArcadeState>state).c_score()
        self.met_before = (<ArcadeState>state).c_n_collisions()
        if self.interest is not None:
            (<ArcadeState>state).c_avatar(&self.avatar_before)

    cdef void after(self, Situation state) noexcept nogil:
        cdef int winner
        cdef double reward
        if self.interest is not None:
            self.interest.learn(<ArcadeState>state, &self.avatar_before, self.score_before, self.met_before)
        if (<ArcadeState>state).c_n_collisions() == self.met_before:
            return                          # nothing to judge
        winner = state.c_winner(0)          # nobody steps on where a game is over, so this step has ended it
        reward = (<ArcadeState>state).c_score() + (self.end if winner == WON else -self.end if winner == LOST else 0.0)
        self.knowledge.observe(<ArcadeState>state, self.met_before, reward - self.score_before)


EVALUATIONS.add("knowledge", KnowledgeEvaluation)
