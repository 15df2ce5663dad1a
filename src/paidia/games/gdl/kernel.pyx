# distutils: language = c++
"""Plays a GDL game on its net: only what a move changes is evaluated.

Every kept gate counts its false inputs and flips when the count reaches or leaves zero. A joint move's effects are looked up
(effects.pyx), the fluents that change flip, and the flips run through the gates; legal moves are bits that follow
their gates. Goals and the conditions of effects are evaluated only when asked for, once a position.
"""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset

from paidia.core.bits cimport lowest, popcount
from paidia.core.game cimport MAX_ROLES, NO_MOVE, Game, State, move_t
from paidia.core.rng cimport Rng, rng_below
from paidia.games.gdl.effects cimport Effects, EffectTable
from paidia.games.gdl.machine cimport Action, Machine, Tables

from paidia.core.errors import IllegalMove
from paidia.games.gdl.drawing import draw_fluents


cdef class NetGame(Game):
    """The rules of a game as a net."""

    def __init__(self, str id, Machine machine):
        cdef int n_moves = 0
        self.machine = machine
        self.table = EffectTable(machine)
        self._moves = machine.net.moves
        for moves in self._moves:
            n_moves = max(n_moves, len(moves))
        self.declare(id, machine.net.roles, n_moves, n_moves)
        self._numbers = [{text.lower(): move for move, text in enumerate(moves)} for moves in self._moves]

    def initial_state(self):
        return NetState(self)

    def move_name(self, int role, int move):
        """The move's term as KIF text."""
        moves = self._moves[role]
        return moves[move] if 0 <= move < len(moves) else f"no-move-{move}"

    def move_id(self, int role, str name):
        try:
            return self._numbers[role][" ".join(name.lower().split())]
        except KeyError:
            raise IllegalMove(f"{self.id}: role {self.roles[role]} has no move called {name!r}") from None


cdef class NetState(State):
    """One position of a game."""

    def __cinit__(self, NetGame game):
        cdef const Tables* t = &game.machine.tables
        cdef int role
        cdef size_t size = 1
        self.game = game
        self.t = t
        self.table = game.table
        while size < <size_t>t.n_known:
            size *= 2
        self.block = <uint8_t*>malloc(t.block_size)
        self.queue = <int32_t*>malloc(size * sizeof(int32_t))
        self.queued = <uint8_t*>calloc(t.n_known, 1)
        self.queue_mask = <uint32_t>(size - 1)
        self.flips = <int32_t*>malloc((t.n_fluents + 1) * sizeof(int32_t))
        self.memo = <uint8_t*>malloc(t.n_nodes - t.n_known + 1)
        self.stamp = <uint32_t*>calloc(t.n_nodes - t.n_known + 1, sizeof(uint32_t))
        self.now = 1
        self.lists = <move_t*>malloc((t.first_move[t.n_roles] + 1) * sizeof(move_t))
        self.list_first = <int32_t*>t.first_move
        self.own_room = 64
        self.own = <uint8_t*>malloc(self.own_room)
        if (self.block == NULL or self.queue == NULL or self.queued == NULL or self.flips == NULL or self.memo == NULL
                or self.stamp == NULL or self.lists == NULL or self.own == NULL):
            raise MemoryError
        self.legal_words = <uint64_t*>(self.block + t.legal_at)
        self.due_words = <uint64_t*>(self.block + t.due_at)
        self.count = <int32_t*>(self.block + t.count_at)
        self.counter = <uint16_t*>(self.block + t.counter_at)
        self.value = self.block + t.value_at
        memcpy(self.block, game.machine.start.data(), t.block_size)
        self.look()

    def __dealloc__(self):
        free(self.block)
        free(self.queue)
        free(self.queued)
        free(self.flips)
        free(self.memo)
        free(self.stamp)
        free(self.lists)
        free(self.own)
        free(self.spare)

    # ---------------------------------------------------------------- the contract

    cdef int c_mover(self) noexcept nogil:
        return self.mover

    cdef int c_legal(self, int role, const move_t** moves) noexcept nogil:
        if not self.listed >> role & 1:
            self.write_list(role)
        moves[0] = self.lists + self.list_first[role]
        return self.n_legal[role]

    cdef void c_play(self, const move_t* joint) noexcept nogil:
        cdef move_t full[MAX_ROLES]
        cdef int role
        for role in range(self.t.n_roles):
            if joint[role] == NO_MOVE or (self.mover >= 0 and role != self.mover):
                full[role] = self.nth_legal(role, 0)
            else:
                full[role] = joint[role]
        self.step(full)

    cdef bint c_terminal(self) noexcept nogil:
        return self.over

    cdef void c_goals(self, double* goals) noexcept nogil:
        cdef const Tables* t = self.t
        cdef int n[MAX_ROLES]
        cdef int role, i
        for role in range(t.n_roles):
            goals[role] = 0.0
            n[role] = 0
        for i in range(t.n_goals):
            if self.holds(t.goal[i]):
                goals[t.goal_role[i]] += t.goal_value[i]
                n[t.goal_role[i]] += 1
        for role in range(t.n_roles):
            if n[role] > 1:         # the rules should not say so, but some do
                goals[role] /= n[role]

    cdef void c_copy(self, State other) noexcept nogil:
        memcpy(self.block, (<NetState>other).block, self.t.block_size)
        self.over = (<NetState>other).over
        self.mover = (<NetState>other).mover
        memcpy(self.n_legal, (<NetState>other).n_legal, sizeof(self.n_legal))
        self.listed = 0
        self.now += 1

    cdef uint64_t c_key(self) noexcept nogil:
        return (<uint64_t*>self.block)[0]

    cdef int c_playout(self, Rng* rng, int limit) noexcept nogil:
        cdef move_t joint[MAX_ROLES]
        cdef int steps = 0, role, n
        while steps < limit and not self.over:
            for role in range(self.t.n_roles):
                n = self.n_legal[role]
                joint[role] = self.nth_legal(role, 0 if n == 1 else <int>rng_below(rng, n))
            self.step(joint)
            steps += 1
        return steps

    # ---------------------------------------------------------------- moves

    cdef inline bint active(self, int32_t group) noexcept nogil:
        cdef int32_t i
        for i in range(self.t.guard_first[group], self.t.guard_first[group + 1]):
            if self.value[self.t.guard[i] >> 1] == (self.t.guard[i] & 1):
                return False
        return True

    cdef inline move_t nth_legal(self, int role, int n) noexcept nogil:
        """The n-th legal move of a role, counted from 0."""
        cdef const Tables* t = self.t
        cdef int32_t group, word
        cdef uint64_t bits
        cdef int here
        for group in range(t.group_first[role], t.group_first[role + 1]):
            if not self.active(group):
                continue
            if n >= self.count[group]:
                n -= self.count[group]
                continue
            word = t.word_first[group]
            while True:
                bits = self.legal_words[word]
                here = popcount(bits)
                if n < here:
                    break
                n -= here
                word += 1
            while n > 0:
                bits &= bits - 1
                n -= 1
            return t.move[t.move_first[group] + 64 * (word - t.word_first[group]) + lowest(bits)]
        return NO_MOVE

    cdef void write_list(self, int role) noexcept nogil:
        cdef const Tables* t = self.t
        cdef move_t* out = self.lists + self.list_first[role]
        cdef const int32_t* moves
        cdef int32_t group, word
        cdef uint64_t bits
        for group in range(t.group_first[role], t.group_first[role + 1]):
            if not self.active(group):
                continue
            moves = t.move + t.move_first[group]
            for word in range(t.word_first[group], t.word_first[group + 1]):
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
        cdef int role, n, choosing = 0, acting = 0, chooser = -1, actor = -1
        cdef int32_t group
        cdef bint idle
        self.over = self.value[t.terminal >> 1] ^ (t.terminal & 1)
        for role in range(t.n_roles):
            n = 0
            idle = True
            for group in range(t.group_first[role], t.group_first[role + 1]):
                if self.active(group) and self.count[group]:
                    n += self.count[group]
                    idle = idle and t.idle[group]
            self.n_legal[role] = n
            if n == 0:
                self.over = True
            elif n > 1:
                choosing += 1
                chooser = role
            if not idle:
                acting += 1
                actor = role
        # Nobody has a choice: it is still the turn of the only role with a real move, if there is one.
        self.mover = chooser if choosing == 1 else actor if choosing == 0 and acting == 1 else -1
        if t.n_roles == 1:
            self.mover = 0

    # ---------------------------------------------------------------- values on demand

    cdef bint holds(self, int32_t literal) noexcept nogil:
        cdef const Tables* t = self.t
        cdef int32_t node = literal >> 1, i, at
        cdef bint value = True
        if node < t.n_known:
            return self.value[node] ^ (literal & 1)
        at = node - t.n_known
        if self.stamp[at] != self.now:
            for i in range(t.input_first[node], t.input_first[node + 1]):
                if not self.holds(t.input[i]):
                    value = False
                    break
            self.memo[at] = value
            self.stamp[at] = self.now
        return self.memo[at] ^ (literal & 1)

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

    # ---------------------------------------------------------------- playing

    cdef void step(self, const move_t* joint) noexcept nogil:
        cdef const Tables* t = self.t
        cdef const Effects* effects = self.table.find(joint, &self.spare)
        cdef int32_t* flips = self.flips
        cdef int32_t n = 0, i, node, literal
        cdef uint64_t bits
        cdef bint changed
        for i in range(effects.n_toggle):
            flips[n] = effects.toggle[i]
            n += 1
        for i in range(effects.n_set):
            flips[n] = effects.set_true[i]
            n += not self.value[effects.set_true[i]]
        for i in range(effects.n_clear):
            flips[n] = effects.set_false[i]
            n += self.value[effects.set_false[i]]
        for i in range(effects.n_set_if):
            node = effects.set_if[2 * i]
            literal = effects.set_if[2 * i + 1]
            flips[n] = node
            n += (self.value[node] ^ 1) & (self.value[literal >> 1] ^ (literal & 1))
        for i in range(effects.n_clear_if):
            node = effects.clear_if[2 * i]
            literal = effects.clear_if[2 * i + 1]
            flips[n] = node
            n += self.value[node] & (self.value[literal >> 1] ^ (literal & 1))
        if effects.n_set_when or effects.n_clear_when:
            if effects.n_gates > self.own_room:
                self.own = <uint8_t*>realloc(self.own, 2 * effects.n_gates)
                self.own_room = 2 * effects.n_gates
            memset(self.own, 2, effects.n_gates)
            for i in range(effects.n_set_when):
                node = effects.set_when[2 * i]
                if not self.value[node] and self.condition(effects, effects.set_when[2 * i + 1]):
                    flips[n] = node
                    n += 1
            for i in range(effects.n_clear_when):
                node = effects.clear_when[2 * i]
                if self.value[node] and self.condition(effects, effects.clear_when[2 * i + 1]):
                    flips[n] = node
                    n += 1
        for i in range(t.n_due):
            bits = self.due_words[i]
            while bits:
                flips[n] = t.due_fluent[64 * i + lowest(bits)]
                n += 1
                bits &= bits - 1
        for i in range(n):
            node = flips[i]
            (<uint64_t*>self.block)[0] ^= t.code[node]
            self.value[node] ^= 1
            self.spread(node)
        while self.head != self.tail:
            node = self.queue[self.head & self.queue_mask]
            self.head += 1
            self.queued[node] = 0
            changed = (self.counter[node] == 0) != self.value[node]
            if changed:
                self.value[node] ^= 1
                self.spread(node)
        self.listed = 0
        self.now += 1
        self.look()

    cdef inline void spread(self, int32_t node) noexcept nogil:
        """Tell the readers of a node that it has flipped."""
        cdef const Tables* t = self.t
        cdef int32_t first = t.reader_first[node], middle = t.reader_middle[node], end = t.reader_first[node + 1]
        cdef int32_t i, gate
        cdef const Action* action
        cdef bint value = self.value[node]
        for i in range(t.action_first[node], t.action_first[node + 1]):
            action = t.action + i
            if action.group >= 0:
                self.legal_words[action.word] ^= action.bit
                self.count[action.group] += 1 if value ^ action.denied else -1
            else:
                self.due_words[action.word] ^= action.bit
        for i in range(first, end):
            gate = t.reader[i]
            if (i < middle) == value:
                self.counter[gate] -= 1
                if self.counter[gate] != 0:
                    continue
            else:
                self.counter[gate] += 1
                if self.counter[gate] != 1:
                    continue
            if not self.queued[gate]:
                self.queued[gate] = 1
                self.queue[self.tail & self.queue_mask] = gate
                self.tail += 1

    # ---------------------------------------------------------------- for people

    def fluents(self):
        """The facts that hold, as KIF text, sorted."""
        cdef NetGame game = <NetGame>self.game
        cdef int i
        texts = game.machine.net.fluents
        found = [texts[i] for i in range(self.t.n_fluents) if self.value[1 + i]]
        return sorted(found + game.machine.net.constant)

    def draw(self):
        return draw_fluents(self.fluents())


def legal_names(State state, int role):
    """The legal moves of a role as text, whoever's turn it is: a role that waits has one too."""
    cdef const move_t* moves = NULL
    cdef int n = state.c_legal(role, &moves), i
    state.check()
    return [state.game.move_name(role, moves[i]) for i in range(n)]
