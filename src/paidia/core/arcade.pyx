# distutils: extra_compile_args = -O1
"""`ArcadeGame` and `ArcadeState`: video games (see arcade.pxd, and model.pxd for what they share with abstract games)."""

from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport free

from paidia.core.machine.memory cimport malloc
from paidia.core.model cimport MAX_ROLES, Rules, Situation, move_t

from paidia.core.errors import BadInput

# Names by number: a name stands at the place that its number in arcade.pxd says.
ACTIONS = tuple(action.name for action in sorted(Action))
CATEGORIES = tuple(category.name.lower() for category in sorted(Category))
# of two sprites in a cell the one whose category comes later is drawn
DRAWN = ("immovable", "portal", "resource", "movable", "npc", "from_avatar", "avatar")


def action_id(action):
    """The number of an action given by name or number."""
    if isinstance(action, str):
        if action.upper() in ACTIONS:
            return ACTIONS.index(action.upper())
    elif 0 <= action < N_ACTIONS:
        return int(action)
    raise BadInput(f"{action!r} is no action; the actions are {', '.join(ACTIONS)}")


cdef class ArcadeGame(Rules):
    """Immutable rules and level of a video game, shared by all its states."""

    cdef void declare(
        self, str id, str level, tuple types, int width, int height, int block, int max_ticks, bint stochastic,
        tuple roles=("avatar",)
    ) except *:
        self.declare_moves(id, roles, N_ACTIONS, N_ACTIONS, width * height * N_ACTIONS)
        self.n_places = width * height if len(roles) == 1 else 1        # two avatars stand in two places
        self.bounded = False
        self.chance = True
        self.level = level
        self.types = types
        self.width = width
        self.height = height
        self.block = block
        self.max_ticks = max_ticks
        self.stochastic = stochastic

    def initial_state(self, seed=0):
        """A new state at the start of the level."""
        raise NotImplementedError

    def move_name(self, int role, int move):
        return ACTIONS[move] if 0 <= move < <int>len(ACTIONS) else f"no-move-{move}"

    @property
    def observation_shape(self):
        """Cells by types: 1 where a visible sprite of the type covers a part of the cell."""
        return self.height, self.width, len(self.types)

    def __repr__(self):
        return f"<arcade game {self.id}, level {self.level}: {self.width} x {self.height}>"


cdef class ArcadeState(Situation):
    """One mutable situation of a video game."""

    cdef int c_mover(self) noexcept nogil:
        return 0 if self.game.n_roles == 1 else -1

    cdef void c_values(self, double* values) noexcept nogil:
        values[0] = self.c_score()

    cdef int c_place(self) noexcept nogil:
        """The avatar's cell, 0 once it is gone."""
        cdef Avatar avatar
        if self.game.n_places == 1:
            return 0
        self.c_avatar(&avatar)
        if avatar.type < 0:
            return 0
        return (
            max(0, min(avatar.y // (<ArcadeGame>self.game).block, (<ArcadeGame>self.game).height - 1))
            * (<ArcadeGame>self.game).width
            + max(0, min(avatar.x // (<ArcadeGame>self.game).block, (<ArcadeGame>self.game).width - 1))
        )

    cdef double c_score(self) noexcept nogil:
        return 0.0

    cdef int c_tick(self) noexcept nogil:
        return 0

    cdef bint c_alive(self, int role) noexcept nogil:
        return False

    cdef void c_avatar(self, Avatar* out) noexcept nogil:
        out.type = -1

    cdef int c_resource(self, int type) noexcept nogil:
        return 0

    cdef int c_count(self, int type) noexcept nogil:
        return 0

    cdef int c_seen(self, unsigned int categories, Seen* out, int limit) noexcept nogil:
        return 0

    cdef int c_n_collisions(self) noexcept nogil:
        return 0

    cdef int c_collisions(self, int n, Collision* out) noexcept nogil:
        return 0

    # ---------------------------------------------------------------- the same in Python

    @property
    def actions(self):
        """Names of the avatar's actions, without NIL."""
        cdef const move_t* actions = NULL
        cdef int i, n = self.c_legal(0, &actions)
        return [ACTIONS[actions[i]] for i in range(n)]

    def advance(self, action):
        """Play one tick with an action, given by name or number, or one for each of two players; one that the avatar does
        not list is not refused.
        """
        cdef move_t chosen[MAX_ROLES]
        cdef int role
        for role, one in enumerate(self._joint(action)):
            chosen[role] = action_id(one)
        self.c_play(chosen)

    def _joint(self, joint):
        """An entry for each role."""
        joint = list(joint) if isinstance(joint, (list, tuple)) else [joint]
        if len(joint) != self.game.n_roles:
            raise BadInput(f"{self.game.id} has {self.game.n_roles} players: give an action for each, not {len(joint)}")
        return joint

    def play(self, joint):
        """Play one tick as the game itself does: an action that the avatar does not list counts as NIL."""
        chosen = []
        for role, one in enumerate(self._joint(joint)):
            action = NIL if one is None else action_id(one)
            chosen.append(action if action in self.legal(role) else NIL)
        self.advance(chosen)

    @property
    def winner(self):
        """1 won, 0 lost, -1 open."""
        return self.c_winner(0)

    @property
    def score(self):
        """The avatar's score."""
        return self.c_score()

    @property
    def scores(self):
        """The score of each player."""
        cdef double values[MAX_ROLES]
        cdef int role
        self.c_values(values)
        return [values[role] for role in range(self.game.n_roles)]

    @property
    def winners(self):
        """For each player 1 won, 0 lost, -1 open."""
        cdef int role
        return [self.c_winner(role) for role in range(self.game.n_roles)]

    def alive_as(self, int role):
        """Whether a player's avatar has not been killed."""
        self._check_role(role)
        return self.c_alive(role)

    @property
    def tick(self):
        """Number of completed ticks."""
        return self.c_tick()

    @property
    def alive(self):
        """Whether the avatar has not been killed."""
        return self.c_alive(0)

    def count(self, int type):
        """Living sprites of exactly one type."""
        if not 0 <= type < len(self.game.types):
            raise BadInput(f"{self.game.id} has sprite types 0 to {len(self.game.types) - 1}, not {type}")
        return self.c_count(type)

    def seen(self, categories=ALL_CATEGORIES):
        """The visible sprites as tuples (category, type, id, x, y)."""
        cdef int i, n = self.c_seen(categories, NULL, 0)
        cdef Seen* out = <Seen*>malloc((n + 1) * sizeof(Seen))
        if out == NULL:
            raise MemoryError
        try:
            self.c_seen(categories, out, n)
            return [(out[i].category, out[i].type, out[i].id, out[i].x, out[i].y) for i in range(n)]
        finally:
            free(out)

    def observe(self, uint8_t[:, :, ::1] out):
        """Fill an array (height, width, types): 1 where a visible sprite of the type covers a part of the cell."""
        cdef ArcadeGame game = <ArcadeGame>self.game
        cdef int i, row, column, n = self.c_seen(ALL_CATEGORIES, NULL, 0)
        cdef Seen* seen
        if (out.shape[0], out.shape[1], out.shape[2]) != game.observation_shape:
            raise BadInput(f"an observation of {game.id} has the shape {game.observation_shape}")
        seen = <Seen*>malloc((n + 1) * sizeof(Seen))
        if seen == NULL:
            raise MemoryError
        out[:, :, :] = 0
        self.c_seen(ALL_CATEGORIES, seen, n)
        for i in range(n):
            for row in range(max(0, seen[i].y // game.block), min(game.height, (seen[i].y + 2 * game.block - 1) // game.block)):
                for column in range(
                    max(0, seen[i].x // game.block), min(game.width, (seen[i].x + 2 * game.block - 1) // game.block)
                ):
                    out[row, column, seen[i].type] = 1
        free(seen)
        self.check()

    def play_number(self, int action):
        """Play one tick with an action by its number, NIL where the avatar does not have it; returns the change of the score."""
        before = self.score
        self.play(action)
        return self.score - before

    def resource(self, int type):
        """How much of the resource of a type the avatar holds."""
        return self.c_resource(type)

    def draw(self):
        """The level as text: @ is the avatar, # a wall, other sprites show the first letter of their type."""
        cells = [[" "] * self.game.width for _ in range(self.game.height)]
        rank = [[-1] * self.game.width for _ in range(self.game.height)]
        for category, type, _, x, y in self.seen():
            column, row = x // self.game.block, y // self.game.block
            if not (0 <= column < self.game.width and 0 <= row < self.game.height):
                continue
            height = DRAWN.index(CATEGORIES[category])
            if height >= rank[row][column]:
                name = self.game.types[type]
                cells[row][column] = "@" if category == AVATAR else "#" if name == "wall" else name[0]
                rank[row][column] = height
        return "\n".join("".join(row) for row in cells)

    def random_run(self, uint64_t seed, int ticks):
        """Play random actions (NIL included) for so many ticks or to the end; returns the ticks played."""
        cdef const move_t* actions = NULL
        cdef int n, played = 0, pick, role
        cdef move_t joint[MAX_ROLES]
        cdef uint64_t z = seed
        while played < ticks and not self.c_terminal():
            for role in range(self.game.n_roles):
                z = z * <uint64_t>6364136223846793005 + <uint64_t>1442695040888963407
                n = self.c_legal(role, &actions)
                pick = <int>(((z >> 33) * <uint64_t>(n + 1)) >> 31)
                joint[role] = actions[pick] if pick < n else NIL
            self.c_play(joint)
            played += 1
        return played
