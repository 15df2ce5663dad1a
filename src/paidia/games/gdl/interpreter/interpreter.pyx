# distutils: language = c++
"""Plays a GDL game by evaluating its rules in every position: slow, and right for sheets that no net can hold.

A state is its set of fluents. The tables of the game hold the position of one state at a time; a state that finds
another's there fills them again. Legal moves are ordered by a hash of their names, so that the order depends on nothing but the
rules.
"""

import logging

from libc.stdint cimport int32_t, uint64_t
from libcpp.algorithm cimport sort
from libcpp.pair cimport pair
from libcpp.vector cimport vector

from paidia.core.game cimport Game, State
from paidia.core.model cimport MAX_ROLES, NO_MOVE, Situation, move_t

from paidia.core.errors import BadInput, IllegalMove, RuleError
from paidia.games.gdl.pictures import draw_state, state_scene, touched_spots
from paidia.games.gdl.interpreter.plans import Limits, Program

cdef enum:
    SPARE_MOVES = 32768     # room for moves that the sheet does not list under `input`


def load(sheet, str id, *, str reason="", limits=None):
    """The game that the rules describe, interpreted; `reason` says why it is not played by a net."""
    if not sheet.roles:
        raise RuleError("the rules name no role; add facts such as (role white)", file=sheet.file)
    game = InterpretedGame(id, sheet, Program(sheet, limits or Limits()))
    if reason:
        logging.getLogger("paidia").warning("%s; the slower interpreter plays it", reason)
    return game


cdef class InterpretedGame(Game):
    """The rules of a game as join plans."""

    def __init__(self, str id, sheet, program):
        cdef int role
        cdef int32_t term
        self.data = program.data
        self._names = [sheet.spelling.get(name, name) for name in program.names]
        for group in program.groups:
            self.first.push_back(group.first)
            self.again.push_back(group.again)
        self.position, self.goal_groups = program.position, program.goals
        self.following, self.dynamic = program.following, program.dynamic
        self.done.assign(len(program.groups), 0)
        relation = program.relation
        self.r_true, self.r_does, self.r_legal = relation["true"], relation["does"], relation["legal"]
        self.r_goal, self.r_next, self.r_terminal = relation["goal"], relation["next"], relation["terminal"]
        self.start = program.start
        numbers = {name: i for i, name in enumerate(program.names)}
        for name in sheet.roles:
            self.role_term.push_back(self.data.term(numbers[name]))
        for name in program.names:
            value = int(name) if name.isdecimal() and len(name) < 4 else -1
            self.number.push_back(value / 100 if 0 <= value <= 100 else -1.0)
        self._numbers = [{} for _ in sheet.roles]
        self.move_term.resize(len(sheet.roles))
        self.move_of.resize(len(sheet.roles))
        most = 0
        for role in range(<int>len(sheet.roles)):
            own = {move for who, move in program.inputs if who == self.role_term[role]}
            for term in sorted(own, key=self.term_text):
                self.move(role, term)
            most = max(most, len(own))
        n_moves = most + SPARE_MOVES
        self.declare(id, tuple([sheet.spelling.get(name, name) for name in sheet.roles]), n_moves, n_moves)

    def initial_state(self):
        return InterpretedState(self)

    def term_text(self, int32_t term):
        """A term as KIF text."""
        function, args = self.data.parts(term)
        name = self._names[function]
        return f"({' '.join((name, *map(self.term_text, args)))})" if args else name

    def move_name(self, int role, int move):
        """The move's term as KIF text."""
        if not 0 <= move < <int>self.move_term[role].size():
            return f"no-move-{move}"
        return self.term_text(self.move_term[role][move])

    def move_id(self, int role, str name):
        """The move with this text; moves that the sheet does not list are known once they have been legal."""
        cdef int move
        texts = self._numbers[role]
        for move in range(<int>len(texts), <int>self.move_term[role].size()):
            texts[self.move_name(role, move).lower()] = move
        try:
            return texts[" ".join(name.lower().split())]
        except KeyError:
            raise IllegalMove(f"{self.id}: role {self.roles[role]} has no move called {name!r}") from None

    cdef int32_t move(self, int role, int32_t term) noexcept nogil:
        """The number of a move; it gets one when it is first seen."""
        while <int32_t>self.move_of[role].size() <= term:
            self.move_of[role].push_back(-1)
        if self.move_of[role][term] < 0:
            self.move_of[role][term] = <int32_t>self.move_term[role].size()
            self.move_term[role].push_back(term)
        return self.move_of[role][term]

    cdef void run_groups(self, const vector[int32_t]& groups) noexcept nogil:
        cdef size_t i
        for i in range(groups.size()):
            if not self.done[groups[i]]:
                self.done[groups[i]] = 1
                self.data.close(self.first[groups[i]], self.again[groups[i]])

    cdef void hold(self, InterpretedState state) noexcept nogil:
        """Bring a state's position into the tables, if it is not there."""
        cdef size_t i
        if self.holder == state.serial:
            return
        self.holder = state.serial
        self.data.work = 0
        for i in range(self.dynamic.size()):
            self.data.clear(self.dynamic[i])
        for i in range(self.done.size()):
            self.done[i] = 0
        for i in range(state.facts.size()):
            self.data.insert(self.r_true, &state.facts[i])
        self.run_groups(self.position)

    cdef void look(self, InterpretedState state) noexcept nogil:
        """Evaluate a position: what is legal, whose turn it is, whether the game is over."""
        cdef vector[pair[uint64_t, int32_t]] found
        cdef pair[uint64_t, int32_t] entry
        cdef const int32_t* row
        cdef int32_t i
        cdef int role, choosing = 0, chooser = -1
        cdef uint64_t code
        self.hold(state)
        state.key_ = 0
        for i in range(<int32_t>state.facts.size()):
            code = self.data.code[state.facts[i]] * <uint64_t>0xD1B54A32D192ED03
            state.key_ ^= code ^ (code >> 31)
        state.over = self.data.rows(self.r_terminal) > 0
        for role in range(self.n_roles):
            found.clear()
            for i in range(self.data.rows(self.r_legal)):
                row = self.data.row(self.r_legal, i)
                if row[0] == self.role_term[role]:
                    entry.first = self.data.code[row[1]]
                    entry.second = self.move(role, row[1])
                    found.push_back(entry)
            sort(found.begin(), found.end())
            state.lists[role].clear()
            for i in range(<int32_t>found.size()):
                state.lists[role].push_back(found[i].second)
            if found.empty():
                state.over = True
            elif found.size() > 1:
                choosing += 1
                chooser = role
            if <int>self.move_term[role].size() > self.n_moves:
                self.data.exhausted = True
        state.mover = chooser if choosing == 1 else -1
        if self.n_roles == 1:
            state.mover = 0
        if self.data.exhausted:
            self.give_up(state)

    cdef void play(self, InterpretedState state, const move_t* joint) noexcept nogil:
        cdef int32_t row[2]
        cdef int32_t i
        cdef int role
        cdef move_t move
        self.hold(state)
        for role in range(self.n_roles):
            move = joint[role]
            if move == NO_MOVE or (state.mover >= 0 and role != state.mover):
                move = state.lists[role][0]
            row[0], row[1] = self.role_term[role], self.move_term[role][move]
            self.data.insert(self.r_does, row)
        self.run_groups(self.following)
        state.facts.clear()
        for i in range(self.data.rows(self.r_next)):
            state.facts.push_back(self.data.row(self.r_next, i)[0])
        self.serial += 1
        state.serial = self.serial
        self.look(state)

    cdef void score(self, InterpretedState state, double* goals) noexcept nogil:
        cdef const int32_t* row
        cdef int n[MAX_ROLES]
        cdef int role
        cdef int32_t i
        cdef double value
        for role in range(self.n_roles):
            n[role] = 0
        self.hold(state)
        self.run_groups(self.goal_groups)
        for i in range(self.data.rows(self.r_goal)):
            row = self.data.row(self.r_goal, i)
            value = self.number[self.data.function[row[1]]]
            for role in range(self.n_roles):
                if row[0] == self.role_term[role] and value >= 0:
                    goals[role] += value
                    n[role] += 1
        for role in range(self.n_roles):
            if n[role] > 1:         # the rules should not say so, but some do
                goals[role] /= n[role]
        if self.data.exhausted:
            self.give_up(state)

    cdef void give_up(self, InterpretedState state) noexcept nogil:
        """A position costs more than the limits allow: the search stops and says so."""
        self.data.exhausted = False
        self.holder = 0
        state.over = True
        with gil:
            state.failed = True
            state.error = BadInput(f"{self.id}: a position of this game takes too much time or memory to evaluate")


cdef class InterpretedState(State):
    """One position of a game."""

    def __cinit__(self, InterpretedGame game):
        self.game = game
        self.rules = game
        self.facts = game.start
        self.lists.resize(game.n_roles)
        game.lock.lock()
        game.serial += 1
        self.serial = game.serial
        game.look(self)
        game.lock.unlock()
        self.check()

    # ---------------------------------------------------------------- the contract

    cdef int c_mover(self) noexcept nogil:
        return self.mover

    cdef int c_legal(self, int role, const move_t** moves) noexcept nogil:
        moves[0] = self.lists[role].data()
        return <int>self.lists[role].size()

    cdef void c_play(self, const move_t* joint) noexcept nogil:
        if self.over:
            return
        self.rules.lock.lock()
        self.rules.play(self, joint)
        self.rules.lock.unlock()

    cdef bint c_terminal(self) noexcept nogil:
        return self.over

    cdef void c_goals(self, double* goals) noexcept nogil:
        cdef int role
        for role in range(self.game.n_roles):
            goals[role] = 0.0
        if self.failed:
            return
        self.rules.lock.lock()
        self.rules.score(self, goals)
        self.rules.lock.unlock()

    cdef void c_copy(self, Situation other) noexcept nogil:
        cdef int role
        self.facts = (<InterpretedState>other).facts
        self.serial = (<InterpretedState>other).serial
        self.key_ = (<InterpretedState>other).key_
        self.over = (<InterpretedState>other).over
        self.mover = (<InterpretedState>other).mover
        for role in range(self.game.n_roles):
            self.lists[role] = (<InterpretedState>other).lists[role]

    cdef uint64_t c_key(self) noexcept nogil:
        return self.key_

    # ---------------------------------------------------------------- for people

    def fluents(self):
        """The facts that hold, as KIF text, sorted."""
        cdef int32_t term
        return sorted([self.rules.term_text(term) for term in self.facts])

    def draw(self):
        return draw_state(self)

    def picture(self):
        return state_scene(self)

    def touched(self, int role, int move):
        return touched_spots(self, role, move)
