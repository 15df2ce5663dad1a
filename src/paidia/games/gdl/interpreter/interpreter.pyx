# distutils: language = c++
"""Plays a GDL game by evaluating its rules in every position: slow, and right for sheets that no net can hold.

A state is its set of fluents. The tables of the game hold the position of one state at a time; a state that finds
another's there fills them again. Legal moves are ordered by a hash of their names, so that the order depends on nothing but the
rules.
"""

import logging

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libcpp.algorithm cimport sort
from libcpp.pair cimport pair

from paidia.core.machine.alarm cimport called_off, late
from paidia.core.game cimport Game, State
from paidia.core.machine.vectors cimport copied, fill, room, vector
from paidia.core.model cimport MAX_ROLES, NO_MOVE, Situation, move_t

from paidia.core.errors import BadInput, IllegalMove, OutOfTime, RuleError
from paidia.games.gdl.interpreter.fit import fitted
from paidia.games.gdl.interpreter.plans import Limits
from paidia.games.gdl.language.facts import read_terms
from paidia.games.gdl.language.kif import Word, write
from paidia.games.gdl.pictures import draw_state, state_scene, touched_spots

cdef enum:              # why a position was given up
    EXHAUSTED
    LATE
    CALLED_OFF
    STARVED

cdef enum:
    SPARE_MOVES = 32768     # room for moves that the sheet does not list under `input`
    HASHED_FACTS = 4096     # bytes of an observation


def load(sheet, str id, *, str reason="", limits=None, patience=float("inf")):
    """The game that the rules describe, interpreted; `reason` says why it is not played by a net.

    `patience` is how many seconds may be spent on finding out how to evaluate it best.
    """
    if not sheet.roles:
        raise RuleError("the rules name no role; add facts such as (role white)", file=sheet.file)
    game = fitted(lambda program: InterpretedGame(id, sheet, program), sheet, limits or Limits(), patience=patience)
    if reason:
        logging.getLogger("paidia").warning("%s; the slower interpreter plays it", reason)
    return game


cdef class InterpretedGame(Game):
    """The rules of a game as join plans."""

    def __init__(self, str id, sheet, program):
        cdef int role
        cdef int32_t term
        cdef size_t at
        self.data = program.data
        self._names = [sheet.spelling.get(name, name) for name in program.names]
        self.first.resize(len(program.groups))
        self.again.resize(len(program.groups))
        for at, group in enumerate(program.groups):
            fill(self.first[at], group.first)
            fill(self.again[at], group.again)
        fill(self.position, program.position)
        fill(self.goal_groups, program.goals)
        fill(self.following, program.following)
        fill(self.dynamic, program.dynamic)
        self.done.assign(len(program.groups), 0)
        self.spent.assign(len(program.groups), 0)
        relation = program.relation
        self.r_true, self.r_does, self.r_legal = relation["true"], relation["does"], relation["legal"]
        self.r_goal, self.r_next, self.r_terminal = relation["goal"], relation["next"], relation["terminal"]
        fill(self.start, program.start)
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
        self.data.fed()
        n_moves = most + SPARE_MOVES
        self.declare(id, tuple([sheet.spelling.get(name, name) for name in sheet.roles]), n_moves, n_moves)

    def initial_state(self):
        return InterpretedState(self)

    def work(self):
        """Rows that were looked at so far for each group of relations (`Program.groups`)."""
        return list(self.spent)

    def term_text(self, int32_t term):
        """A term as KIF text."""
        if not 0 <= term < <int32_t>self.data.function.size():
            raise BadInput(f"{self.id} has no term {term}")
        function, args = self.data.parts(term)
        name = self._names[function]
        return f"({' '.join((name, *map(self.term_text, args)))})" if args else name

    def move_name(self, int role, int move):
        """The move's term as KIF text."""
        self.check_role(role)
        if not 0 <= move < <int>self.move_term[role].size():
            return f"no-move-{move}"
        return self.term_text(self.move_term[role][move])

    def move_id(self, int role, str name):
        """The move with this text; moves that the sheet does not list are known once they have been legal."""
        cdef int move
        self.check_role(role)
        texts = self._numbers[role]
        for move in range(<int>len(texts), <int>self.move_term[role].size()):
            texts[self.move_name(role, move).lower()] = move
        try:
            return texts[" ".join(name.lower().split())]
        except KeyError:
            raise IllegalMove(f"{self.id}: role {self.roles[role]} has no move called {name!r}") from None

    @property
    def observation_shape(self):
        """There is no list of all fluents: each fact that holds sets the byte that the hash of its name says."""
        return (HASHED_FACTS,)

    def from_text(self, str text):
        """The position in which exactly these facts hold."""
        cdef InterpretedState state = InterpretedState(self)
        names = {name.lower(): number for number, name in enumerate(self._names)}
        fill(state.facts, [self._term_of(fact, names) for fact in read_terms(text, self.id)])
        self.lock.lock()
        self.serial += 1
        state.serial = self.serial
        self.look(state)
        self.lock.unlock()
        state.check()
        return state

    def _term_of(self, sexpr, names):
        """The number of a term; `names` are those of the functions."""
        head, *args = [sexpr] if isinstance(sexpr, Word) else sexpr or [sexpr]
        if not isinstance(head, Word) or head.name not in names:
            raise BadInput(f"{self.id}: {write(head)} is no word of these rules")
        return self.data.term(names[head.name], [self._term_of(arg, names) for arg in args])

    cdef int32_t move(self, int role, int32_t term) noexcept nogil:
        """The number of a move; it gets one when it is first seen."""
        if <int32_t>self.move_of[role].size() <= term and not room(self.move_of[role], term + 1 - self.move_of[role].size()):
            self.data.starve()
            return 0
        while <int32_t>self.move_of[role].size() <= term:
            self.move_of[role].push_back(-1)
        if self.move_of[role][term] < 0:
            if not room(self.move_term[role], 1):
                self.data.starve()
                return 0
            self.move_of[role][term] = <int32_t>self.move_term[role].size()
            self.move_term[role].push_back(term)
        return self.move_of[role][term]

    cdef void run_groups(self, const vector[int32_t]& groups) noexcept nogil:
        cdef size_t i
        cdef int64_t before
        for i in range(groups.size()):
            if not self.done[groups[i]]:
                self.done[groups[i]] = 1
                before = self.data.work
                self.data.close(self.first[groups[i]], self.again[groups[i]])
                self.spent[groups[i]] += self.data.work - before

    cdef void hold(self, InterpretedState state) noexcept nogil:
        """Bring a state's position into the tables, if it is not there."""
        cdef size_t i
        if self.holder == state.serial:
            return
        self.holder = state.serial
        self.data.work = self.data.next_look = 0
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
        state.over = state.ruled = self.data.rows(self.r_terminal) > 0
        for role in range(self.n_roles):
            found.clear()
            for i in range(self.data.rows(self.r_legal)):
                row = self.data.row(self.r_legal, i)
                if row[0] == self.role_term[role]:
                    entry.first = self.data.code[row[1]]
                    entry.second = self.move(role, row[1])
                    if room(found, 1):
                        found.push_back(entry)
                    else:
                        self.data.starve()
            sort(found.begin(), found.end())
            state.lists[role].clear()
            if not room(state.lists[role], found.size()):
                self.data.starve()
                found.clear()
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
        if late():
            self.data.late = True
            self.give_up(state)
            return
        self.hold(state)
        for role in range(self.n_roles):
            move = joint[role]
            if move == NO_MOVE or (state.mover >= 0 and role != state.mover):
                move = state.lists[role][0]
            row[0], row[1] = self.role_term[role], self.move_term[role][move]
            self.data.insert(self.r_does, row)
        self.run_groups(self.following)
        state.facts.clear()
        if not room(state.facts, self.data.rows(self.r_next)):
            self.data.starve()
            self.give_up(state)
            return
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
        """A position costs more than the limits allow, there is no memory or time is up: the search stops and says so."""
        # What it means is said later: whoever holds the tables must not wait for the interpreter lock of Python.
        if self.data.starved:
            state.reason = STARVED
        elif self.data.late:
            state.reason = CALLED_OFF if called_off() else LATE
        else:
            state.reason = EXHAUSTED
        self.data.exhausted = self.data.late = self.data.starved = False
        self.holder = 0
        state.over = state.failed = True


cdef class InterpretedState(State):
    """One position of a game."""

    def __cinit__(self, InterpretedGame game not None):
        self.game = game
        self.rules = game
        self.facts.assign(game.start.begin(), game.start.end())
        self.lists.resize(game.n_roles)
        game.lock.lock()
        game.serial += 1
        self.serial = game.serial
        game.look(self)
        game.lock.unlock()
        self.check()

    def check(self):
        """Raise what has stopped an evaluation."""
        if self.failed and self.error is None:
            if self.reason == STARVED:
                self.error = MemoryError(f"no memory to play {self.game.id}")
            elif self.reason == EXHAUSTED:
                self.error = BadInput(f"{self.game.id}: a position of this game takes too much time or memory to evaluate")
            else:
                self.error = OutOfTime(self.reason == CALLED_OFF)
        State.check(self)

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
        cdef bint whole = copied(self.facts, (<InterpretedState>other).facts)
        self.serial = (<InterpretedState>other).serial
        self.key_ = (<InterpretedState>other).key_
        self.over = (<InterpretedState>other).over
        self.ruled = (<InterpretedState>other).ruled
        self.mover = (<InterpretedState>other).mover
        for role in range(self.game.n_roles):
            whole = copied(self.lists[role], (<InterpretedState>other).lists[role]) and whole
        if not whole:
            self.over = self.failed = True
            self.reason = STARVED

    cdef uint64_t c_key(self) noexcept nogil:
        return self.key_

    # ---------------------------------------------------------------- for people

    def goal_lists(self):
        """For each role all its goals here; the rules should give one, and where they give several the mean counts."""
        cdef InterpretedGame rules = self.rules
        cdef double goals[MAX_ROLES]
        cdef list found = [[] for _ in range(self.game.n_roles)]
        cdef const int32_t* row
        cdef int32_t i
        cdef int role
        self.c_goals(goals)
        self.check()
        rules.lock.lock()
        try:
            rules.hold(self)
            rules.run_groups(rules.goal_groups)
            for i in range(rules.data.rows(rules.r_goal)):
                row = rules.data.row(rules.r_goal, i)
                for role in range(self.game.n_roles):
                    if row[0] == rules.role_term[role] and rules.number[rules.data.function[row[1]]] >= 0:
                        found[role].append(rules.number[rules.data.function[row[1]]])
            if rules.data.exhausted:
                rules.give_up(self)
        finally:
            rules.lock.unlock()
        self.check()
        return found

    @property
    def ended_by_rules(self):
        """Whether `terminal` holds; a game also ends where a role has no legal move."""
        return bool(self.ruled)

    def observe(self, uint8_t[::1] out):
        cdef size_t i
        if out.shape[0] != HASHED_FACTS:
            raise ValueError(f"an observation of {self.game.id} has {HASHED_FACTS} bytes")
        out[:] = 0
        for i in range(self.facts.size()):
            out[<Py_ssize_t>(self.rules.data.code[self.facts[i]] % HASHED_FACTS)] = 1

    def to_text(self):
        return " ".join(self.fluents())

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
