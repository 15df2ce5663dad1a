# distutils: language = c++
# distutils: extra_compile_args = -O3
"""Plays a GDL game on its net: only what a move changes is evaluated.

Every kept gate counts its false inputs and flips when the count reaches or leaves zero. A joint move's effects are looked up
(effects.pyx), the fluents that change flip, and the flips run through the gates; legal moves are bits that follow
their gates. Goals and the conditions of effects are evaluated only when asked for, once a position.
"""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from paidia.core.machine.bits cimport lowest, popcount
from paidia.core.game cimport Game, State
from paidia.core.machine.memory cimport calloc, malloc, realloc
from paidia.core.model cimport MAX_ROLES, NO_MOVE, Situation, move_t
from paidia.core.machine.rng cimport Rng, rng_below
from paidia.games.gdl.net.effects cimport Effects, EffectTable
from paidia.games.gdl.net.machine cimport LoopGroup, Machine, MoveGroup, Node, Tables

from paidia.core.errors import BadInput, IllegalMove
from paidia.games.gdl.language.facts import read_facts
from paidia.games.gdl.pictures import draw_state, state_scene, touched_spots


cdef inline int nth_bit(uint64_t word, int n) noexcept nogil:
    """Index of the n-th set bit, counted from 0: halving, then one by one."""
    cdef int at = 0, here, right
    cdef int half = 32
    while half >= 8:
        here = popcount(word & (((<uint64_t>1) << half) - 1))
        right = n >= here
        n -= here * right
        at += half * right
        word >>= half * right
        half >>= 1
    while n > 0:
        word &= word - 1
        n -= 1
    return at + lowest(word)


cdef class NetGame(Game):
    """The rules of a game as a net."""

    def __init__(self, str id, Machine machine not None):
        cdef int n_moves = 0
        self._moves = machine.net.moves
        for moves in self._moves:
            n_moves = max(n_moves, len(moves))
        self.declare(id, machine.net.roles, n_moves, n_moves)
        self.n_atoms = machine.tables.n_fluents
        self.machine = machine
        self.table = EffectTable(machine)
        self._numbers = [{text.lower(): move for move, text in enumerate(moves)} for moves in self._moves]

    def initial_state(self):
        return NetState(self)

    def leaves(self, int places, double tau=0.0, *, bint decisive=False):
        from paidia.games.gdl.lanes.waves import leaves_of      # made only where somebody asks

        return leaves_of(self, places, tau, decisive=decisive)

    def move_name(self, int role, int move):
        """The move's term as KIF text."""
        self.check_role(role)
        moves = self._moves[role]
        return moves[move] if 0 <= move < len(moves) else f"no-move-{move}"

    def move_id(self, int role, str name):
        self.check_role(role)
        try:
            return self._numbers[role][" ".join(name.lower().split())]
        except KeyError:
            raise IllegalMove(f"{self.id}: role {self.roles[role]} has no move called {name!r}") from None

    @property
    def observation_shape(self):
        """A byte for each fluent that can change, in the order of `fluent_names`."""
        return (self.n_atoms,)

    @property
    def fluent_names(self):
        """The fluents that can change, as KIF text."""
        return tuple(self.machine.net.fluents)

    def from_text(self, str text):
        """The position in which exactly these facts hold; the game must be able to reach it."""
        cdef NetState state = NetState(self)
        facts = read_facts(text, self.id)
        numbers = {name.lower(): number for number, name in enumerate(self.machine.net.fluents)}
        constant = {name.lower() for name in self.machine.net.constant}
        if strange := [facts[fact] for fact in facts if fact not in numbers and fact not in constant]:
            raise BadInput(f"{self.id}: {strange[0]} never holds in this game")
        if missing := [name for name in self.machine.net.constant if name.lower() not in facts]:
            raise BadInput(f"{self.id}: {missing[0]} always holds in this game, and the text leaves it out")
        state.become({numbers[fact] for fact in facts if fact in numbers})
        return state


cdef class NetState(State):
    """One position of a game."""

    def __cinit__(self, NetGame game not None):
        cdef const Tables* t = &game.machine.tables
        cdef size_t size = 1
        self.game = game
        self.t = t
        self.table = game.table
        while size < <size_t>t.n_known + 1:     # a place for every node, and one that `collect` writes ahead
            size *= 2
        self.block = <uint8_t*>malloc(t.block_size)
        self.queue_mask = <uint32_t>(size - 1)
        self.now = 1
        self.lists = <move_t*>malloc((t.first_move[t.n_roles] + 1) * sizeof(move_t))
        self.own_room = 64
        self.own = <uint8_t*>malloc(self.own_room)
        if self.block == NULL or self.lists == NULL or self.own == NULL:
            raise MemoryError
        self.legal_words = <uint64_t*>(self.block + t.legal_at)
        self.counter = <uint16_t*>(self.block + t.counter_at)
        self.value = self.block + t.value_at
        memcpy(self.block, game.machine.start.data(), t.block_size)
        self.look()

    def __dealloc__(self):
        free(self.block)
        free(self.queue)
        free(self.memo)
        free(self.stamp)
        free(self.lists)
        free(self.own)

    # ---------------------------------------------------------------- the contract

    cdef int c_mover(self) noexcept nogil:
        return self.mover

    cdef int c_legal(self, int role, const move_t** moves) noexcept nogil:
        if not self.listed >> role & 1:
            self.write_list(role)
        moves[0] = self.lists + self.t.first_move[role]
        return self.n_legal[role]

    cdef void c_play(self, const move_t* joint) noexcept nogil:
        cdef move_t full[MAX_ROLES]
        cdef int role
        for role in range(self.t.n_roles):
            if joint[role] == NO_MOVE or (self.mover >= 0 and role != self.mover):
                full[role] = self.nth_legal(role, 0)
            else:
                full[role] = joint[role]
        step(self, full)

    cdef bint c_terminal(self) noexcept nogil:
        return self.over

    cdef void c_goals(self, double* goals) noexcept nogil:
        cdef const Tables* t = self.t
        cdef int n[MAX_ROLES]
        cdef int role, i
        for role in range(t.n_roles):
            goals[role] = 0.0
            n[role] = 0
        if self.stamp == NULL and not need_scratch(self):
            return
        for i in range(t.n_goals):
            if self.holds(t.goal[i]):
                goals[t.goal_role[i]] += t.goal_value[i]
                n[t.goal_role[i]] += 1
        for role in range(t.n_roles):
            if n[role] > 1:         # the rules should not say so, but some do
                goals[role] /= n[role]

    cdef void c_copy(self, Situation other) noexcept nogil:
        memcpy(self.block, (<NetState>other).block, self.t.block_size)
        self.over = (<NetState>other).over
        self.mover = (<NetState>other).mover
        memcpy(self.n_legal, (<NetState>other).n_legal, self.t.n_roles * sizeof(int))
        memcpy(self.group_of, (<NetState>other).group_of, self.t.n_roles * sizeof(int32_t))
        self.listed = 0
        self.now += 1

    cdef uint64_t c_key(self) noexcept nogil:
        return (<uint64_t*>self.block)[0]

    cdef int c_atoms(self, int32_t* out) noexcept nogil:
        """Fluent i is fact i; those that always hold are no news and have no number."""
        cdef int i, n = 0
        for i in range(self.t.n_fluents):
            out[n] = i
            n += self.value[1 + i]
        return n

    cdef int c_playout(self, Rng* rng, int limit, move_t* played) noexcept nogil:
        cdef move_t joint[MAX_ROLES]
        cdef int steps = 0, role, n
        while steps < limit and not self.over:
            for role in range(self.t.n_roles):
                n = self.n_legal[role]
                joint[role] = self.nth_legal(role, 0 if n == 1 else <int>rng_below(rng, n))
            if played != NULL:      # who can only wait while another one moves does not move
                for role in range(self.t.n_roles):
                    played[steps * self.t.n_roles + role] = joint[role] if self.mover < 0 or role == self.mover else NO_MOVE
            step(self, joint)
            steps += 1
        return steps

    # ---------------------------------------------------------------- moves

    cdef inline bint active(self, int32_t group) noexcept nogil:
        cdef const MoveGroup* g = self.t.group + group
        cdef int32_t i
        if self.value[g.guard >> 1] == (g.guard & 1):
            return False
        for i in range(g.more_guards, g.more_guards + g.n_more):
            if self.value[self.t.guard[i] >> 1] == (self.t.guard[i] & 1):
                return False
        return True

    cdef inline int count(self, int32_t group) noexcept nogil:
        """How many moves of a group are legal, given its guards."""
        cdef const uint64_t* word = self.legal_words + self.t.group[group].word
        cdef int32_t i
        cdef int n = 0
        for i in range(self.t.group[group].n_words):
            n += popcount(word[i])
        return n

    cdef inline move_t nth_legal(self, int role, int n) noexcept nogil:
        """The n-th legal move of a role, counted from 0."""
        cdef const Tables* t = self.t
        cdef const MoveGroup* g
        cdef int32_t group = self.group_of[role], word
        cdef uint64_t bits
        cdef int here
        if group < 0:
            group = t.group_first[role]
            while not self.active(group) or n >= self.count(group):
                if self.active(group):
                    n -= self.count(group)
                group += 1
        g = t.group + group
        if g.idle:
            return t.move[g.move]
        word = g.word
        while True:
            bits = self.legal_words[word]
            here = popcount(bits)
            if n < here:
                return t.move[g.move + 64 * (word - g.word) + nth_bit(bits, n)]
            n -= here
            word += 1

    cdef void write_list(self, int role) noexcept nogil:
        cdef const Tables* t = self.t
        cdef move_t* out = self.lists + t.first_move[role]
        cdef const int32_t* moves
        cdef int32_t group, word
        cdef uint64_t bits
        for group in range(t.group_first[role], t.group_first[role + 1]):
            if not self.active(group):
                continue
            moves = t.move + t.group[group].move
            for word in range(t.group[group].word, t.group[group].word + t.group[group].n_words):
                bits = self.legal_words[word]
                while bits:
                    out[0] = moves[lowest(bits)]
                    out += 1
                    bits &= bits - 1
                moves += 64
        self.listed |= <uint32_t>1 << role

    cdef void look(self) noexcept nogil:
        """Whose turn it is, and whether the game is over."""
        cdef const Tables* t = self.t
        cdef int role, n, here, choosing = 0, acting = 0, chooser = -1, actor = -1
        cdef int32_t group, only
        cdef bint idle, over = self.value[t.terminal >> 1] ^ (t.terminal & 1)
        for role in range(t.n_roles):
            n = 0
            only = -1
            idle = True
            for group in range(t.group_first[role], t.group_first[role + 1]):
                if not self.active(group):
                    continue
                here = self.count(group)
                if here:
                    only = group if n == 0 else -1
                    n += here
                    idle = idle and t.group[group].idle
            self.n_legal[role] = n
            self.group_of[role] = only
            if n == 0:
                over = True
            elif n > 1:
                choosing += 1
                chooser = role
            if not idle:
                acting += 1
                actor = role
        self.over = over
        # Where nobody has a choice, it is still the turn of the only role with a real move, if there is one.
        self.mover = chooser if choosing == 1 else actor if choosing == 0 and acting == 1 else -1
        if t.n_roles == 1:
            self.mover = 0

    # ---------------------------------------------------------------- values on demand

    cdef bint holds(self, int32_t literal) noexcept nogil:
        cdef const int32_t* inputs = self.t.input
        cdef const uint8_t* value = self.value
        cdef int32_t n_known = self.t.n_known, node = literal >> 1, i, end, input, at
        cdef bint found = True
        if node < n_known:
            return value[node] ^ (literal & 1)
        if self.stamp[node - n_known] != self.now:
            end = self.t.input_first[node + 1]
            for i in range(self.t.input_first[node], end):
                input = inputs[i]
                at = (input >> 1) - n_known
                if at < 0:
                    found = value[input >> 1] ^ (input & 1)
                elif self.stamp[at] == self.now:
                    found = self.memo[at] ^ (input & 1)
                else:
                    found = self.holds(input)
                if not found:
                    break
            self.memo[node - n_known] = found
            self.stamp[node - n_known] = self.now
        return self.memo[node - n_known] ^ (literal & 1)

    cdef bint condition(self, const Effects* effects, int32_t literal) noexcept nogil:
        """Whether a condition of effects holds; `own` remembers their gates for this step."""
        cdef int32_t gate = (literal >> 1) - self.t.n_nodes, i
        cdef bint value = True
        if gate < 0:
            return self.holds(literal)
        if self.own[gate] == 2:
            for i in range(effects.start[gate], effects.start[gate + 1]):
                if not self.condition(effects, effects.pool[i]):
                    value = False
                    break
            self.own[gate] = value
        return self.own[gate] ^ (literal & 1)

    def become(self, fluents):
        """Become the position in which exactly the fluents with these numbers hold, of those that can change."""
        cdef uint32_t n = 0
        cdef int32_t i
        if self.stamp == NULL:
            need_scratch(self)
        for i in range(self.t.n_fluents):
            if (i in fluents) != self.value[1 + i]:
                self.queue[n] = 1 + i
                n += 1
        spread(self, n)
        if self.t.n_loop_groups:
            settle_loops(self)
        self.listed = 0
        self.now += 1
        self.look()

    # ---------------------------------------------------------------- for people

    def goal_lists(self):
        """For each role all its goals here; the rules should give one, and where they give several the mean counts."""
        cdef const Tables* t = self.t
        cdef int i
        cdef list found = [[] for _ in range(t.n_roles)]
        if self.stamp == NULL and not need_scratch(self):
            self.check()
        for i in range(t.n_goals):
            if self.holds(t.goal[i]):
                found[t.goal_role[i]].append(t.goal_value[i])
        return found

    @property
    def ended_by_rules(self):
        """Whether `terminal` holds; a game also ends where a role has no legal move."""
        return bool(self.value[self.t.terminal >> 1] ^ (self.t.terminal & 1))

    def observe(self, uint8_t[::1] out):
        if out.shape[0] != self.t.n_fluents:
            raise ValueError(f"{self.game.id} has {self.t.n_fluents} fluents, so an observation has as many bytes")
        memcpy(&out[0], self.value + 1, self.t.n_fluents)

    def to_text(self):
        return " ".join(self.fluents())

    def fluents(self):
        """The facts that hold, as KIF text, sorted."""
        cdef NetGame game = <NetGame>self.game
        cdef int i
        texts = game.machine.net.fluents
        found = [texts[i] for i in range(self.t.n_fluents) if self.value[1 + i]]
        return sorted(found + game.machine.net.constant)

    def draw(self):
        return draw_state(self)

    def picture(self):
        return state_scene(self)

    def touched(self, int role, int move):
        return touched_spots(self, role, move)


def legal_names(State state not None, int role):
    """The legal moves of a role as text, whoever's turn it is: a role that waits has one too."""
    cdef const move_t* moves = NULL
    cdef int n = state.c_legal(role, &moves), i
    state.check()
    return [state.game.move_name(role, moves[i]) for i in range(n)]


include "step.pxi"
