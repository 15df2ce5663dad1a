# distutils: extra_compile_args = -O3
"""Random games from many positions of a rule sheet at once, each position in some lanes of its own.

A wave takes `LANES` lanes whatever it holds: few positions get many lanes each, many few. Lane i of a seed plays the same games
on every machine, however wide its words are.

Guided games learn as they go which moves did well (MAST): the mean result of every move over the games in which it was made.
Every lane has a taste of its own in each wave: it prefers a move with a chance that grows with the move's mean against the mean
of its role,

    chance = 1 / (1 + exp((mean of the role - mean of the move) / tau)),

and chooses among the legal moves that it prefers, or among all where there are none.
"""

import numpy as np

from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memcpy, memset

from paidia.core.lanes.leaves cimport Leaves
from paidia.core.machine.bits cimport popcount
from paidia.core.machine.maths cimport exp
from paidia.core.machine.now cimport now
from paidia.core.machine.rng cimport Rng, rng_next
from paidia.core.model cimport MAX_ROLES, Rules, Situation
from paidia.games.gdl.lanes.processor.engine cimport Engine

from paidia.core.errors import BadInput
from paidia.games.gdl.lanes.portable import random_state
from paidia.games.gdl.lanes.processor.engine import aligned
from paidia.games.gdl.lanes.trace import dealt

cdef enum:
    IN_ALL = 1024
    WORDS = IN_ALL // 64

#: Lanes of a wave.
LANES = IN_ALL


cdef inline uint64_t first_bits(int n) noexcept nogil:
    """The lowest n bits of a word: none below 0, all from 64 on."""
    return <uint64_t>-1 if n >= 64 else (<uint64_t>1 << n) - 1 if n > 0 else 0


cdef class LaneLeaves(Leaves):
    """Positions of one sheet."""

    cdef Engine engine
    cdef Rules game
    cdef object kept                # arrays whose addresses are below
    cdef uint64_t* planes           # by block: those of `leaf`
    cdef uint64_t* goals            # those of `goals`, of one block
    cdef uint64_t* random
    cdef uint64_t* held             # by goal: 64-lane words of all lanes
    cdef int32_t* plane_of          # by fact of the game: its plane, -1 where it has none
    cdef int32_t* facts             # of a position
    cdef int n_fluents, n_planes, n_blocks, block_words, n_goals, over
    cdef int n_tastes, tastes, made   # moves of guided games, planes of tastes and of moves made
    cdef double tau
    cdef int32_t* role_of           # by move
    cdef double* visits             # by move: lanes in which it was made
    cdef double* sums               # their results for its role
    cdef uint64_t* played           # by move: lanes of the wave in which it was made
    cdef Rng rng
    cdef int share                  # lanes of a position

    def __init__(self, Rules game not None, Engine engine not None, int places, *, double tau=0.0):
        """`tau`: how much means have to differ to matter, in guided games."""
        cdef uint64_t[:, :, ::1] planes
        cdef uint64_t[:, ::1] goals, held
        cdef uint64_t[::1] random
        cdef int32_t[::1] plane_of, facts, role_of
        cdef double[::1] learned
        cdef uint64_t[:, ::1] played
        program = engine.program
        if not 1 <= places <= IN_ALL or places & (places - 1):
            raise BadInput(f"a wave has 1, 2, 4, ... up to {IN_ALL} places, not {places}")
        self.game, self.engine, self.most = game, engine, places
        self.block_words = engine.lanes // 64
        self.n_blocks = IN_ALL // engine.lanes
        self.n_fluents, self.n_goals, self.n_planes = program.n_fluents, len(program.goal_role), engine.planes["leaf"]
        planes = aligned((self.n_blocks, self.n_planes, self.block_words))
        goals = aligned((max(engine.planes["goals"], self.n_fluents + self.n_goals), self.block_words))
        held = aligned((self.n_goals + 1, WORDS))
        random = aligned((IN_ALL // 32,))
        plane = {name: number for number, name in enumerate(program.fluents)}
        plane_of = np.array([*(plane.get(name, -1) for name in game.fluent_names), -1], np.int32)
        facts = np.zeros(game.n_atoms + 1, np.int32)
        self.over, self.n_tastes, self.tau = program.leaf_over, program.n_tastes, tau
        self.tastes, self.made = program.over_plane, program.made_planes.first
        role_of = np.array([*(role for role, moves in enumerate(program.moves) for _ in moves), 0], np.int32)
        learned = np.zeros(2 * self.n_tastes + 1)
        played = aligned((self.n_tastes + 1, WORDS))
        self.role_of, self.visits, self.played = &role_of[0], &learned[0], &played[0, 0]
        self.sums = self.visits + self.n_tastes
        self.kept = [planes.base, goals.base, held.base, random.base, plane_of.base, facts.base, role_of.base,
                     learned.base, played.base]
        self.planes, self.goals, self.held, self.random = &planes[0, 0, 0], &goals[0, 0], &held[0, 0], &random[0]
        self.plane_of, self.facts = &plane_of[0], &facts[0]

    cdef inline uint64_t* block(self, int block) noexcept nogil:
        """The planes of `leaf` of a block."""
        return self.planes + <size_t>block * self.n_planes * self.block_words

    cdef inline uint64_t* word(self, int word) noexcept nogil:
        """The same from the words of 64 lanes on: planes stand `block_words` apart."""
        return self.block(word // self.block_words) + word % self.block_words

    def takes(self, Situation state not None):
        return state.game is self.game

    @property
    def history(self):
        """What guided games have learned: by move over all roles, in how many lanes it was made, and the sum of their results."""
        return np.array(self.kept[7][:2 * self.n_tastes]).reshape(2, -1)

    cdef void forget(self) noexcept nogil:
        memset(self.visits, 0, 2 * <size_t>self.n_tastes * sizeof(double))

    cdef void seed(self, uint64_t seed) noexcept nogil:
        cdef int move
        self.rng.state = seed
        for move in range(self.n_tastes):       # what was learned in another position counts half
            self.visits[move] *= 0.5
            self.sums[move] *= 0.5
        with gil:
            self.kept[3][:] = np.concatenate([
                dealt(random_state(seed, self.engine.lanes // 32, block * (self.engine.lanes // 32)), self.engine)
                for block in range(self.n_blocks)
            ])

    cdef void begin(self, int places) noexcept nogil:
        cdef int block
        self.share = IN_ALL
        while IN_ALL // self.share < places:
            self.share >>= 1
        for block in range(self.n_blocks):
            memset(self.block(block), 0, <size_t>self.n_fluents * self.block_words * sizeof(uint64_t))
        if self.n_tastes:
            self.draw_tastes()

    cdef void draw_tastes(self) noexcept nogil:
        """Which moves each lane prefers."""
        cdef double visits[MAX_ROLES]
        cdef double sums[MAX_ROLES]
        cdef int move, role, chance, bit, word
        cdef uint64_t drawn
        memset(self.played, 0, <size_t>self.n_tastes * WORDS * sizeof(uint64_t))
        for role in range(MAX_ROLES):
            visits[role] = sums[role] = 0.0
        for move in range(self.n_tastes):
            visits[self.role_of[move]] += self.visits[move]
            sums[self.role_of[move]] += self.sums[move]
        for move in range(self.n_tastes):
            role = self.role_of[move]
            chance = 128            # of 256
            if self.visits[move] > 0.0:
                chance = <int>(256.0 / (1.0 + exp((sums[role] / visits[role] - self.sums[move] / self.visits[move]) / self.tau)))
                chance = max(4, min(252, chance))
            for word in range(WORDS):
                drawn = 0
                for bit in range(8):
                    if drawn or chance >> bit & 1:
                        drawn = drawn | rng_next(&self.rng) if chance >> bit & 1 else drawn & rng_next(&self.rng)
                self.word(word)[<size_t>(self.tastes + move) * self.block_words] = drawn

    cdef void learn(self, int lanes) noexcept nogil:
        """What came of the moves made in the first so many lanes."""
        cdef int move, goal, word, n
        for move in range(self.n_tastes):
            n = 0
            for word in range(WORDS):
                self.played[move * WORDS + word] &= first_bits(lanes - 64 * word)
                n += popcount(self.played[move * WORDS + word])
            if n == 0:
                continue
            self.visits[move] += n
            for goal in range(self.n_goals):
                if self.engine.game.goal_role[goal] != self.role_of[move] or self.engine.game.goal_value[goal] == 0.0:
                    continue
                n = 0
                for word in range(WORDS):
                    n += popcount(self.played[move * WORDS + word] & self.held[goal * WORDS + word])
                self.sums[move] += n * self.engine.game.goal_value[goal]

    cdef void note(self, int block) noexcept nogil:
        """The moves just made in a block, where games go on."""
        cdef const uint64_t* planes = self.block(block)
        cdef const uint64_t* over = planes + <size_t>self.over * self.block_words
        cdef const uint64_t* made = planes + <size_t>self.made * self.block_words
        cdef uint64_t* to = self.played + block * self.block_words
        cdef int w
        for _ in range(self.n_tastes):
            for w in range(self.block_words):
                to[w] |= made[w] & ~over[w]
            made += self.block_words
            to += WORDS

    cdef void put(self, int place, Situation state) noexcept nogil:
        cdef int lane = place * self.share, n_words = (self.share + 63) >> 6, n = state.c_atoms(self.facts), i, w
        cdef uint64_t mask = first_bits(self.share) << (lane & 63)
        cdef uint64_t* to
        for w in range(n_words):
            to = self.word((lane >> 6) + w)
            for i in range(n):
                if self.plane_of[self.facts[i]] >= 0:
                    to[<size_t>self.plane_of[self.facts[i]] * self.block_words] |= mask

    cdef bint play(self, int n, int limit, double deadline) noexcept nogil:
        cdef int block, w, k, steps, lanes = n * self.share
        cdef uint64_t left
        cdef uint64_t* planes
        self.ended = True
        for block in range(self.n_blocks):
            if block * self.engine.lanes >= lanes:
                break
            planes = self.block(block)
            steps = 0
            while True:
                self.engine.width.draw(
                    self.random + block * (self.engine.lanes // 32),
                    planes + <size_t>self.n_fluents * self.block_words, self.engine.game.n_random)
                self.engine.width.run(&self.engine.leaf_look, planes)
                left = 0
                for w in range(self.block_words):
                    left |= (
                        first_bits(lanes - (block * self.block_words + w) * 64)
                        & ~planes[<size_t>self.over * self.block_words + w]
                    )
                if left == 0 or steps >= limit:
                    self.ended = self.ended and left == 0
                    break
                if deadline > 0.0 and now() >= deadline:
                    return False
                if self.n_tastes:
                    self.note(block)
                self.engine.width.run(&self.engine.leaf_move, planes)
                steps += 1
            memcpy(self.goals, planes, <size_t>self.n_fluents * self.block_words * sizeof(uint64_t))
            self.engine.width.run(&self.engine.game.goals, self.goals)
            for k in range(self.n_goals):
                memcpy(self.held + k * WORDS + block * self.block_words,
                       self.goals + <size_t>(self.n_fluents + k) * self.block_words, self.block_words * sizeof(uint64_t))
        if self.n_tastes:
            self.learn(lanes)
        return True

    cdef void results(self, int place, double* goals) noexcept nogil:
        cdef int lane = place * self.share, goal, role, w, n_words = (self.share + 63) >> 6, n
        cdef uint64_t mask = first_bits(self.share) << (lane & 63)
        cdef int held[MAX_ROLES]
        for role in range(self.engine.game.n_roles):
            goals[role] = 0.0
            held[role] = 0
        for goal in range(self.n_goals):
            n = 0
            for w in range(n_words):
                n += popcount(self.held[goal * WORDS + (lane >> 6) + w] & mask)
            role = self.engine.game.goal_role[goal]
            goals[role] += n * self.engine.game.goal_value[goal]
            held[role] += n
        for role in range(self.engine.game.n_roles):
            if held[role]:
                goals[role] /= held[role]
