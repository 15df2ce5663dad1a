# distutils: extra_compile_args = -O1
"""`Rules` and `Situation`: what all forward models share (see model.pxd for the kernel side)."""

from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy

from paidia.core.machine.memory cimport malloc
from paidia.core.machine.rng cimport Rng, rng_below

from paidia.core.errors import BadInput, IllegalMove, PaidiaError
from paidia.core.picture import cells_in, svg, text_scene

cdef enum:
    LONGEST_REPR = 240

# What gets a game again by its id and level; the games set it, which nothing here may import.
_reload = None


def reload_with(function):
    """Say how a game is got again by `function(id, level)`: what pickles of games need."""
    global _reload
    _reload = function


def state_from(game, text):
    """The state of a game that a text describes: what a pickle calls."""
    return game.from_text(text)


cdef class Rules:
    """Immutable rules of a game, shared by all its situations."""

    cdef void declare_moves(self, str id, tuple roles, int n_moves, int max_legal, int n_codes) except *:
        if not 1 <= len(roles) <= MAX_ROLES:
            raise BadInput(f"{id}: a game has 1 to {MAX_ROLES} roles, not {len(roles)}")
        if n_moves < 1 or max_legal < 1 or n_codes < 0:
            raise BadInput(f"{id}: n_moves and max_legal are 1 or more, not {n_moves} and {max_legal}")
        self.id = id
        self.roles = roles
        self.n_roles = <int>len(roles)
        self.n_moves = n_moves
        self.max_legal = max_legal
        self.n_places = 1
        self.n_codes = n_codes if n_codes else n_moves

    def initial_state(self):
        """A new state at the start of the game."""
        raise NotImplementedError

    def check_role(self, int role):
        """Refuse a role that the game does not have."""
        if not 0 <= role < self.n_roles:
            raise BadInput(f"{self.id} has roles 0 to {self.n_roles - 1}, not {role}")

    def move_name(self, int role, int move):
        """The text of a move, as records and boards show it."""
        raise NotImplementedError

    def move_id(self, int role, str name):
        """The id of the move with this text (`IllegalMove` if there is none)."""
        cdef int move
        if not 0 <= role < self.n_roles:
            raise IllegalMove(f"{self.id} has roles 0 to {self.n_roles - 1}, not {role}")
        for move in range(self.n_moves):
            if self.move_name(role, move) == name:
                return move
        raise IllegalMove(f"{self.id}: role {self.roles[role]} has no move called {name!r}")

    def leaves(self, int places, double tau=0.0, *, bint decisive=False):
        """Random games from up to so many positions at once (`core.lanes.leaves`), None where the rules know no fast way.

        Args:
            places: How many positions.
            tau: Above 0 they learn which moves did well and prefer them; how much means have to differ to matter.
            decisive: Make moves that win at once, and those that the other would win by, as far as they are quickly seen.
        """
        return None

    def from_text(self, str text):
        """The state that `to_text` wrote; `BadInput` says what is wrong with a text."""
        raise BadInput(f"{self.id}: positions of this game cannot be written as text")

    @property
    def observation_shape(self):
        """Shape of what `Situation.observe` fills; None where the game does not show itself as numbers."""
        return None

    def like(self, other):
        """Whether another object holds the same rules."""
        return self is other or (
            type(self) is type(other) and self.id == other.id and self.roles == other.roles and self.n_moves == other.n_moves
            and getattr(self, "level", None) == getattr(other, "level", None)
        )

    def __reduce__(self):
        level = getattr(self, "level", None)
        try:
            again = _reload(self.id, level) if _reload is not None else None
        except PaidiaError as error:
            raise BadInput(f"{self.id}: a game is pickled by its id, and there is none with this one: {error}") from None
        if not self.like(again):
            raise BadInput(f"{self.id}: a game is pickled by its id, and what has this id is another game")
        return _reload, (self.id, level)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self     # nothing of it ever changes

    def __repr__(self):
        return f"<game {self.id}: {', '.join(self.roles)}>"


cdef class Situation:
    """One mutable position or situation of a game."""

    cdef void fail(self, object error) noexcept:
        if not self.failed:
            self.failed, self.error = True, error

    cdef int c_mover(self) noexcept nogil:
        return -1

    cdef int c_legal(self, int role, const move_t** moves) noexcept nogil:
        return 0

    cdef int c_decisive(self, int role, const move_t** moves) noexcept nogil:
        return self.c_legal(role, moves)

    cdef int c_distance(self, int role) noexcept nogil:
        return -1

    cdef void c_play(self, const move_t* joint) noexcept nogil:
        pass

    cdef bint c_terminal(self) noexcept nogil:
        return True

    cdef void c_values(self, double* values) noexcept nogil:
        pass

    cdef int c_winner(self, int role) noexcept nogil:
        return OPEN

    cdef void c_copy(self, Situation other) noexcept nogil:
        pass

    cdef void c_seed(self, uint64_t seed) noexcept nogil:
        pass

    cdef uint64_t c_key(self) noexcept nogil:
        return 0

    cdef int c_place(self) noexcept nogil:
        return 0

    cdef void c_codes(self, int role, const move_t* moves, int n, int32_t* codes) noexcept nogil:
        cdef int i
        cdef int32_t first = self.c_place() * self.game.n_moves
        for i in range(n):
            codes[i] = first + moves[i]

    cdef int c_atoms(self, int32_t* out) noexcept nogil:
        return 0

    cdef int c_playout(self, Rng* rng, int limit, move_t* played) noexcept nogil:
        return plain_playout(self, rng, limit, played, False)

    cdef int c_decisive_playout(self, Rng* rng, int limit, move_t* played) noexcept nogil:
        return plain_playout(self, rng, limit, played, True)

    # ---------------------------------------------------------------- the same in Python

    @property
    def mover(self):
        """The one role that acts here, or None where several may act (or the game is over)."""
        cdef int role = self.c_mover()
        self.check()
        return role if role >= 0 and not self.c_terminal() else None

    def legal(self, int role):
        """The legal moves of a role, in the order of the rules; empty where the role does not act."""
        cdef const move_t* moves = NULL
        cdef int n, i
        self._check_role(role)
        if self.c_terminal():
            self.check()
            return []
        if self.c_mover() >= 0 and self.c_mover() != role:
            return []
        n = self.c_legal(role, &moves)
        self.check()
        return [moves[i] for i in range(n)]

    def decisive(self, int role):
        """The legal moves of a role without those that a look of two plies rules out, where the game is quick to tell."""
        cdef const move_t* moves = NULL
        cdef int n, i
        if not self.legal(role):
            return []
        n = self.c_decisive(role, &moves)
        self.check()
        return [moves[i] for i in range(n)]

    def distance(self, int role):
        """The fewest further moves of a role with which it has won if the other one passes; -1 where that is not known."""
        self._check_role(role)
        return self.c_distance(role)

    def play(self, joint):
        """Play a joint move: one entry per role (None where it does not act), or the mover's move alone."""
        cdef move_t entries[MAX_ROLES]
        cdef int role
        if self.c_terminal():
            self.check()
            raise IllegalMove(f"{self.game.id}: the game is over")
        if isinstance(joint, int):
            if self.mover is None:
                raise IllegalMove(f"{self.game.id}: several roles act here; give a move for each of {self.game.roles}")
            alone = joint
            joint = [None] * self.game.n_roles
            joint[self.mover] = alone
        if len(joint) != self.game.n_roles:
            raise IllegalMove(f"{self.game.id}: a joint move has {self.game.n_roles} entries, not {len(joint)}")
        for role in range(self.game.n_roles):
            entries[role] = self._checked_move(role, joint[role])
        self.c_play(entries)
        self.check()

    def _checked_move(self, int role, move):
        legal = self.legal(role)
        if move is None or move == NO_MOVE:
            if len(legal) <= 1:     # nothing to choose: the single move, where there is one
                return legal[0] if legal else NO_MOVE
            raise IllegalMove(f"{self.game.id}: role {self.game.roles[role]} has to move")
        if move not in legal:
            raise IllegalMove(f"{self.game.id}: {move!r} is not a legal move of role {self.game.roles[role]} here")
        return move

    @property
    def terminal(self):
        """Whether the game is over."""
        over = self.c_terminal()
        self.check()
        return over

    @property
    def values(self):
        """What the situation is worth to every role: its goal in [0, 1], or a score."""
        cdef double values[MAX_ROLES]
        cdef int role
        for role in range(MAX_ROLES):
            values[role] = 0.0
        self.c_values(values)
        self.check()
        return [values[role] for role in range(self.game.n_roles)]

    @property
    def key(self):
        """A 64-bit number that is equal for equal positions."""
        key = self.c_key()
        self.check()
        return key

    def codes(self, int role):
        """The feature code of every legal move of a role, in the order of `legal`."""
        cdef const move_t* moves = NULL
        cdef list out = []
        cdef int n = len(self.legal(role))
        cdef int i
        cdef int32_t code
        if n:
            self.c_legal(role, &moves)
        for i in range(n):
            self.c_codes(role, moves + i, 1, &code)
            out.append(code)
        self.check()
        return out

    def random_playout(self, uint64_t seed, int limit=100000, bint decisive=False):
        """Play to the end at random, as the search does; returns the number of joint moves.

        Args:
            seed: Of the generator.
            limit: Joint moves at most.
            decisive: With decisive moves alone.
        """
        cdef Rng rng
        rng.state = seed
        cdef int steps
        steps = self.c_decisive_playout(&rng, limit, NULL) if decisive else self.c_playout(&rng, limit, NULL)
        self.check()
        return steps

    def recorded_playout(self, uint64_t seed, int limit=1000, bint decisive=False):
        """Play to the end at random like `random_playout`; returns the joint moves, and the generator's state after them."""
        cdef Rng rng
        cdef int n_roles = self.game.n_roles, steps, i, role
        cdef move_t* played
        if not 0 <= limit <= 1 << 20:
            raise BadInput(f"limit is a number of joint moves, 0 to {1 << 20}, not {limit}")
        played = <move_t*>malloc((<size_t>limit + 1) * n_roles * sizeof(move_t))
        if played == NULL:
            raise MemoryError
        rng.state = seed
        try:
            steps = self.c_decisive_playout(&rng, limit, played) if decisive else self.c_playout(&rng, limit, played)
            self.check()
            return [
                tuple([None if played[i * n_roles + role] == NO_MOVE else played[i * n_roles + role] for role in range(n_roles)])
                for i in range(steps)
            ], rng.state
        finally:
            free(played)

    def random_playouts(self, uint64_t seed, int n, int limit=100000):
        """Play to the end at random from here, n times; returns the number of joint moves. This state stays as it is."""
        cdef Rng rng
        cdef Situation scratch = self.clone()
        cdef int _i
        cdef long long steps = 0
        cdef double values[MAX_ROLES]
        rng.state = seed
        for _i in range(n):
            scratch.c_copy(self)
            steps += scratch.c_playout(&rng, limit, NULL)
            scratch.c_values(values)
        scratch.check()
        return steps

    def copies(self, int n):
        """Copy this state n times into another (what `paidia bench` times)."""
        cdef Situation scratch = self.clone()
        cdef int _i
        for _i in range(n):
            scratch.c_copy(self)
        scratch.check()

    def generic_playout(self, uint64_t seed, int limit=100000, bint decisive=False):
        """The default playout of the contract, whatever the game's own is: what the two are compared with."""
        cdef Rng rng
        rng.state = seed
        cdef int steps
        steps = plain_playout(self, &rng, limit, NULL, decisive)
        self.check()
        return steps

    def clone(self):
        """An independent copy."""
        other = self.game.initial_state()
        other.copy_from(self)
        return other

    def copy_from(self, Situation other not None):
        """Become a copy of another state of the same game."""
        if other.game is not self.game:
            raise BadInput("states of different games cannot be copied into each other")
        self.c_copy(other)
        self.check()

    def image(self):
        """All of this situation, its generator included, as bytes for `take_image` in another process; None where a game has
        no such form. Games without chance need none: their moves lead everywhere.
        """
        return None

    def take_image(self, data):
        """Become the situation of the same game that gave this image."""
        raise BadInput(f"{self.game.id}: its situations have no images")

    def seed(self, uint64_t seed):
        """Start the generator anew, in games that have one."""
        self.c_seed(seed)

    def atoms(self):
        """The facts that hold here, as numbers below `game.n_atoms`; empty where a game does not tell."""
        cdef int i, n
        cdef int32_t* out = <int32_t*>malloc((self.game.n_atoms + 1) * sizeof(int32_t))
        if out == NULL:
            raise MemoryError
        try:
            n = self.c_atoms(out)
            self.check()
            return [out[i] for i in range(n)]
        finally:
            free(out)

    def draw(self):
        """The position as text for a person."""
        return f"{self.game.id} (no drawing)"

    def caption(self):
        """Whose turn it is, in words."""
        if self.terminal:
            return "game over"
        mover = self.mover
        return "all move at once" if mover is None else f"{self.game.roles[mover]} to move"

    def picture(self):
        """The position as a `core.picture.Scene`; as text where a game draws nothing else."""
        return text_scene(self.draw(), caption=self.caption())

    def touched(self, int role, int move):
        """The spots of the picture that a move is about, in the order in which a person points at them."""
        return cells_in(self.game.move_name(role, move))

    def _repr_svg_(self):
        """The picture that a notebook shows."""
        return svg(self.picture())

    def check(self):
        """Raise what a situation written in Python has raised inside a kernel."""
        if self.failed:
            error, self.error, self.failed = self.error, None, False
            raise error

    def _check_role(self, int role):
        if not 0 <= role < self.game.n_roles:
            self.game.check_role(role)

    def __str__(self):
        return self.draw()

    # ---------------------------------------------------------------- a state is a value

    def to_text(self):
        """The whole situation in a line of text, from which `game.from_text` makes an equal one."""
        raise BadInput(f"{self.game.id}: positions of this game cannot be written as text")

    def observe(self, out):
        """Fill an array of bytes of the shape `game.observation_shape` with what can be seen."""
        raise BadInput(f"{self.game.id} does not show itself as numbers")

    def copy(self):
        """An independent copy, generator included."""
        return self.clone()

    def __copy__(self):
        return self.clone()

    def __deepcopy__(self, memo):
        return self.clone()

    def __reduce__(self):
        return state_from, (self.game, self.to_text())

    def _same(self, other):
        """Whether another state of the same rules, with the same key, is the same in every respect."""
        return self.to_text() == other.to_text()

    def __eq__(self, other):
        if self is other:
            return True
        if type(self) is not type(other):
            return NotImplemented
        return self.game.like(other.game) and self.key == other.key and self._same(other)

    def __hash__(self):
        # A state can be played on: one that serves as a key must not be.
        return hash((self.game.id, self.key))

    def __repr__(self):
        try:
            text = self.to_text()
        except BadInput:
            text = self.draw()
        return f"<{self.game.id}: {text if len(text) <= LONGEST_REPR else text[:LONGEST_REPR] + ' ...'}>"


cdef int plain_playout(Situation situation, Rng* rng, int limit, move_t* played, bint decisive) noexcept nogil:
    cdef move_t joint[MAX_ROLES]
    cdef int n_roles = situation.game.n_roles, steps = 0, role, mover
    for role in range(MAX_ROLES):
        joint[role] = NO_MOVE
    while steps < limit and not situation.c_terminal():
        mover = situation.c_mover()
        if mover >= 0:
            joint[mover] = drawn(situation, mover, rng, decisive)
        else:
            for role in range(n_roles):
                joint[role] = drawn(situation, role, rng, decisive)
        situation.c_play(joint)
        if played != NULL:
            memcpy(played + <Py_ssize_t>steps * n_roles, joint, n_roles * sizeof(move_t))
        if mover >= 0:
            joint[mover] = NO_MOVE
        steps += 1
    return steps


cdef inline move_t drawn(Situation situation, int role, Rng* rng, bint decisive) noexcept nogil:
    """A random move of a role. A single decisive move is played without a draw, as by a playout that chooses."""
    cdef const move_t* moves = NULL
    cdef int n = moves_of(situation, role, decisive, &moves)
    if n == 0:
        return NO_MOVE
    return moves[0] if decisive and n == 1 else moves[rng_below(rng, n)]
