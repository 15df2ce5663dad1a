"""Proofs: what a position of two opponents is worth, and the moves that hold it.

    a question      does the role get at least x (or more than x), whatever the other one does?
    proof number    how many positions must still be answered "yes" to prove it, at least; disproof number likewise for "no"
    at a node       of the role: proof = least of its children, disproof = their sum; of the other one the other way round

The search goes down where an answer is nearest, and stays below a node as long as that is so (df-pn; Nagai 2002). Numbers of
positions are kept in a table; a new position begins with as many as it has moves for the side whose moves must all be answered.
To this come the moves that each side is away from winning, where the rules tell (`c_distance`).
Where children are nearly equal it stays with the one it is at for a quarter more (Pawlewicz and Lew 2007), so that it does not
jump to and fro. A position that it comes to for the first time it tries to exhaust at once, move by move, with a patience that
grows with all the work so far: small positions are answered several times as fast in that way, and what was answered below one
that proved too large stays in the table. Both try first what was an answer elsewhere (habits). Questions follow from answers: a
win? no: more than nothing? yes: at least the best result seen below a win ... Each answer is a bound that is true for ever; when
both bounds meet, the value is proven.

Where stones stay and the winner needs only its own (`Rules.monotone`), every answer comes with the empty cells that it rests on:
the winner needs no others, whatever stands there. A move outside the cells that refute another one is refuted with it, so that
few moves are left to try (must-play regions; Hayward and others 2005).

Positions that come up again on their own path, moves made at once and chance have no place in such a proof: the search then says
that it knows nothing. It thinks in positions: a simulation is one position whose children are looked at. Until something is
proven, the move whose proof is nearest is played.
"""

from libc.math cimport fabs
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

import msgspec

from paidia.core.machine.bits cimport mix
from paidia.core.machine.memory cimport calloc, malloc
from paidia.core.model cimport MAX_ROLES, NO_MOVE, Rules, Situation, move_t, moves_of
from paidia.search.frame.search cimport Search
from paidia.search.planners.proofs.children cimport Child, bring_forward, needed_by, numbers_of, refuted, sort, spread
from paidia.search.planners.proofs.table cimport (
    NEVER, Entry, Numbers, Table, find, free_table, make_table, numbers_in, remember, wipe,
)

from paidia.core.errors import BadInput
from paidia.search.frame.result import RootMove
from paidia.search.registry import SEARCHES

cdef enum:
    DEEPEST = 512
    MOST_VALUES = 32
    SCALE = 4               # one move to be answered counts so much
    DOUBT = 40              # and so much what was never an answer
    STEP = 40               # and so much each move that a side is away from winning
    PATIENCE = 1000         # positions for exhausting one ..
    SHARE = 8               # .. and this part of all that were looked at so far

cdef enum Answer:
    UNKNOWN
    YES
    NO

cdef double SAME = 1e-9
# Keys of boards are small numbers folded into each other; those of questions begin with one that no board has: they must differ.
cdef uint64_t QUESTIONS = <uint64_t>0x70726F6F66733F21


class ProverSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`memory`: megabytes of the table of positions."""

    memory: int = 128

    def __post_init__(self):
        if not 1 <= self.memory <= 1 << 20:
            raise BadInput(f"memory is a number of megabytes from 1 on, not {self.memory}")


ctypedef struct Habit:
    double good
    double all

cdef class Prover(Search):
    """Proves what positions are worth."""

    Settings = ProverSettings

    cdef Table table
    cdef Habit* habits              # how often each role's moves were answers
    cdef list levels                # situations by depth, which keep those below alive
    cdef void** situations
    cdef Child** children
    cdef int* n_children
    cdef uint64_t* path             # keys of the positions on the way down
    cdef bint regions               # answers say which cells they need
    cdef int64_t patience           # where the work ends that a position is to be exhausted with
    cdef int depth_room             # levels that are there
    cdef uint64_t question
    cdef uint64_t listed            # the one that the numbers of the root's moves are about
    cdef double least               # the question asked
    cdef bint above                 # .. is whether it is more than that
    cdef bint lost_thread           # something came up that proofs cannot deal with
    cdef readonly bint zero_sum              # what one role gets the other does not, as far as was seen
    cdef double seen[MOST_VALUES]
    cdef int n_seen
    cdef bint ended                 # the time is up
    cdef readonly double low, high  # what is proven of the present root
    cdef double held[2]             # and was of the last one of each role, at least
    cdef move_t best
    cdef bint holds                 # it was proven to bring `low`

    def __init__(self, game, settings=None, *, controller=None):
        super().__init__(game, settings, controller=controller)
        self.situations = <void**>calloc(DEEPEST + 1, sizeof(void*))
        self.children = <Child**>calloc(DEEPEST + 1, sizeof(Child*))
        self.n_children = <int*>calloc(DEEPEST + 1, sizeof(int))
        self.path = <uint64_t*>calloc(DEEPEST + 1, sizeof(uint64_t))
        self.habits = <Habit*>calloc(2 * game.n_moves + 1, sizeof(Habit))
        if not (self.habits and self.situations and self.children and self.n_children and self.path):
            raise MemoryError
        if not make_table(&self.table, <uint64_t>self.settings.memory << 20):
            raise MemoryError
        self.levels = []
        self.regions = game.monotone and game.n_moves <= 64         # a bit each

    def __dealloc__(self):
        cdef int i
        if self.children != NULL:
            for i in range(self.depth_room):
                free(self.children[i])
        free(self.children)
        free(self.situations)
        free(self.n_children)
        free(self.path)
        free(self.habits)
        free_table(&self.table)

    @classmethod
    def cannot_play(cls, Rules game not None):
        """Two opponents, goals, and no chance."""
        if game.n_roles != 2 or not game.bounded:
            return f"proofs are about games of two opponents with goals, and {game.id} is none"
        if game.history:
            return f"a proof must know all that counts of a position, and in {game.id} that is its whole past"
        return f"proofs leave no room for chance, and {game.id} has some" if game.chance else ""

    def reset(self):
        """Forget all positions."""
        wipe(&self.table)
        memset(self.habits, 0, 2 * self.game.n_moves * sizeof(Habit))
        self.n_seen = 0
        self.zero_sum = True
        self.low, self.high = 0.0, 1.0
        self.held[0] = self.held[1] = 0.0

    @property
    def proven(self):
        """The value of the last root for the role that was searched for, None if it is not proven."""
        return self.low if self.high - self.low < SAME and self.zero_sum and not self.lost_thread else None

    @property
    def lost_moves(self):
        """The moves at the last root that are proven to bring the role nothing."""
        cdef int i
        if self.lost_thread or self.listed != self.question or not self.above or self.least > 0.0:
            return []                   # only of that question a "no" says so
        return [self.children[0][i].joint[self.role] for i in range(self.n_children[0])
                if self.children[0][i].numbers.disproof == 0 and self.children[0][i].joint[self.role] != NO_MOVE]

    def notes(self):
        """What is proven."""
        told = {"at_least": self.low, "at_most": self.high}
        if self.proven is not None:
            told["proven"] = self.proven
        return told

    def root_moves(self, int role=0):
        """Of every move the positions looked at below it, and how near a proof is."""
        cdef int i
        cdef const Child* child
        found = []
        if not 0 <= role < self.game.n_roles:
            raise BadInput(f"{self.game.id} has roles 0 to {self.game.n_roles - 1}, not {role}")
        for i in range(self.n_children[0]):
            child = &self.children[0][i]
            if child.joint[role] != NO_MOVE:
                near = child.numbers.disproof / max(1.0, <double>child.numbers.proof + child.numbers.disproof)
                found.append(RootMove(move=child.joint[role], visits=float(child.work), mean=near))
        return found

    # ---------------------------------------------------------------- questions

    cdef void prepare(self) noexcept nogil:
        self.prove()

    cdef move_t decide(self) noexcept nogil:
        cdef const move_t* moves = NULL
        cdef int n, mover = self.root.c_mover()
        self.prove()
        if mover >= 0 and mover != self.role:       # it may think, but has nothing to play
            return NO_MOVE
        if self.best != NO_MOVE:
            return self.best
        n = self.root.c_legal(self.role, &moves)
        return moves[0] if n > 0 else NO_MOVE

    cdef void prove(self) noexcept nogil:
        """Ask until the value is known or the time is up.

        Whether what was proven before still holds comes first: the answer is in the table, and a better one may take long.
        """
        cdef double before = self.held[self.role]
        self.low, self.high = 0.0, 1.0
        self.best = NO_MOVE
        self.listed = 0
        self.n_children[0] = 0              # those of another root must not be told of this one
        self.holds = self.ended = self.lost_thread = False
        if 0.0 < before < 1.0 and self.ask(before, False) == YES:
            self.low = before
        if not self.ended:
            self.ask_for_more()
        self.held[self.role] = self.low

    cdef void ask_for_more(self) noexcept nogil:
        cdef Answer answer
        cdef double below = 1.0, value
        answer = self.ask(1.0, False)
        if answer == YES:
            self.low = 1.0
        if answer != NO:
            return
        answer = YES if self.low > 0.0 else self.ask(0.0, True)
        if answer == NO:
            self.high = 0.0
            return
        while answer != UNKNOWN:
            value = self.highest_seen(below)
            if value <= self.low + SAME:
                if self.low > 0.0 and self.ask(self.low, True) == NO:
                    self.high = self.low
                return
            answer = self.ask(value, False)
            if answer == NO:
                below = value
            elif answer == YES:
                self.low = value
                answer = self.ask(value, True)
                if answer == NO:
                    self.high = value
                    return

    cdef double highest_seen(self, double below) noexcept nogil:
        """The best result for the role that was ever seen below another one, else 0."""
        cdef double highest = 0.0
        cdef int i
        for i in range(self.n_seen):
            if self.seen[i] < below - SAME and self.seen[i] > highest:
                highest = self.seen[i]
        return highest

    cdef Answer ask(self, double least, bint above) noexcept nogil:
        """Whether the role gets at least (or more than) so much from the root on."""
        cdef uint64_t bits
        cdef Numbers numbers
        memcpy(&bits, &least, sizeof(bits))
        self.least, self.above = least, above
        self.question = mix(mix(mix(QUESTIONS, bits), <uint64_t>above + 1), <uint64_t>self.role + 1)
        if not self.make_level(0):
            return UNKNOWN
        (<Situation>self.situations[0]).c_copy(self.root)
        numbers = self.search_below(0, self.key_of(self.root), NEVER, NEVER)
        if self.lost_thread:
            return UNKNOWN
        self.note_best(numbers)
        return YES if numbers.proof == 0 else NO if numbers.disproof == 0 else UNKNOWN

    cdef void note_best(self, Numbers answer) noexcept nogil:
        """Remember the move that answers "yes"; before any does, one whose proof is nearest; where none can, the hardest."""
        cdef int i, chosen = -1
        cdef const Child* child
        cdef const Child* other
        if self.holds and answer.proof > 0:
            return                      # what was proven stands
        for i in range(self.n_children[0]):
            child = &self.children[0][i]
            if child.joint[self.role] == NO_MOVE:
                continue
            other = &self.children[0][chosen] if chosen >= 0 else NULL
            if other == NULL or child.numbers.proof < other.numbers.proof or (
                    child.numbers.proof == other.numbers.proof and (
                        child.numbers.disproof > other.numbers.disproof or (
                            child.numbers.disproof == other.numbers.disproof and child.work > other.work))):
                chosen = i
        if chosen >= 0:
            self.best = self.children[0][chosen].joint[self.role]
            self.holds = answer.proof == 0

    # ---------------------------------------------------------------- the search

    cdef Numbers search_below(self, int depth, uint64_t key, uint32_t most_proof, uint32_t most_disproof) noexcept nogil:
        """Work below the position at a depth until one of its numbers reaches what its parent lets it."""
        cdef Numbers now
        cdef int best = 0, n
        cdef uint32_t second = 0, stay
        cdef Child* children
        cdef bint own
        cdef int64_t began = self.clock.done
        now.proof = now.disproof = 1
        if find(&self.table, key) == NULL:
            self.patience = began + PATIENCE + began // SHARE
            if self.exhaust(depth, key, <Situation>self.situations[depth], &now) or self.ended or self.lost_thread:
                return now
        if not self.next_simulation():
            self.ended = True
            return now
        if not self.look_at_children(depth, key, <Situation>self.situations[depth]):
            self.lost_thread = True
            return now
        children, n = self.children[depth], self.n_children[depth]
        own = (<Situation>self.situations[depth]).c_mover() == self.role
        sort(children, n, own)
        while True:
            now = numbers_of(children, n, own, &best, &second)
            if now.proof >= most_proof or now.disproof >= most_disproof or self.ended or self.lost_thread:
                break
            self.step_down(depth, &children[best])
            stay = second + second // 4 + 1
            children[best].work -= self.clock.done
            if own:
                children[best].numbers = self.search_below(
                    depth + 1, children[best].key, min(most_proof, stay),
                    most_disproof - now.disproof + children[best].numbers.disproof)
            else:
                children[best].numbers = self.search_below(
                    depth + 1, children[best].key, most_proof - now.proof + children[best].numbers.proof,
                    min(most_disproof, stay))
            children[best].work += self.clock.done
            self.learn(&children[best])
            self.cross_off(children, n, &children[best], own)
        if self.regions and (now.proof == 0 or now.disproof == 0):
            now.needed = self.needed_at(depth, <Situation>self.situations[depth])
        if not self.lost_thread:
            remember(&self.table, key, now, self.clock.done - began)
        return now

    cdef bint exhaust(self, int depth, uint64_t key, Situation state, Numbers* answer) noexcept nogil:
        """Look at all there is below a position, the likeliest moves first; False if patience or time runs out."""
        cdef int i, n
        cdef Child* child
        cdef bint own = state.c_mover() == self.role, answered
        cdef int64_t began = self.clock.done
        if began >= self.patience:
            return False
        if not self.next_simulation():
            self.ended = True
            return False
        if not self.look_at_children(depth, key, state):
            self.lost_thread = True
            return False
        n = self.n_children[depth]
        for i in range(n):
            child = bring_forward(self.children[depth] + i, n - i, own)
            if child.numbers.proof > 0 and child.numbers.disproof > 0:
                self.step_down(depth, child)
                child.work -= self.clock.done
                answered = self.exhaust(depth + 1, child.key, <Situation>self.situations[depth + 1], &child.numbers)
                child.work += self.clock.done
                if not answered:
                    return False
                self.learn(child)
                self.cross_off(self.children[depth], n, child, own)
            if (child.numbers.proof == 0) == own:
                break
        answer[0] = child.numbers       # of the one that settles it, or the last of those that do not
        if self.regions:
            answer.needed = self.needed_at(depth, state)
        remember(&self.table, key, answer[0], self.clock.done - began)
        return True

    cdef void cross_off(self, Child* children, int n, const Child* child, bint own) noexcept nogil:
        """After a move was refuted, all that are refuted with it."""
        if self.regions and refuted(child, own):
            spread(children, n, self.role if own else 1 - self.role, own, child.numbers.needed)

    cdef uint64_t needed_at(self, int depth, Situation state) noexcept nogil:
        cdef const move_t* moves = NULL
        cdef int mover = state.c_mover(), n = self.n_children[depth]
        return needed_by(self.children[depth], n, mover, mover == self.role, state.c_legal(mover, &moves) == n)

    cdef void step_down(self, int depth, const Child* child) noexcept nogil:
        (<Situation>self.situations[depth + 1]).c_copy(<Situation>self.situations[depth])
        (<Situation>self.situations[depth + 1]).c_play(child.joint)

    cdef bint look_at_children(self, int depth, uint64_t key, Situation state) noexcept nogil:
        """The moves at a position with the numbers of what they lead to; False where proofs cannot go.

        Below the root one that settles it is enough.
        """
        cdef const move_t* moves = NULL
        cdef int mover = state.c_mover(), n = 1, i
        cdef bint own = mover == self.role
        cdef Child* child
        if depth + 1 >= DEEPEST or not self.make_level(depth + 1) or state.failed:
            return False
        self.path[depth] = key
        if mover >= 0:
            n = moves_of(state, mover, depth > 0, &moves)
        for i in range(n):
            child = &self.children[depth][i]
            child.joint[0] = child.joint[1] = NO_MOVE
            if mover >= 0:
                child.joint[mover] = moves[i]
            elif not forced(state, child.joint):        # both choose at once
                return False
            child.work = 0
            self.step_down(depth, child)
            if not self.judge(depth + 1, child, <Situation>self.situations[depth + 1]):
                return False
            if depth > 0 and (child.numbers.proof if own else child.numbers.disproof) == 0:
                self.children[depth][0] = child[0]
                n = 1
                break
        self.n_children[depth] = n
        for i in range(n if self.regions else 0):
            self.cross_off(self.children[depth], n, &self.children[depth][i], own)
        if depth == 0:
            self.listed = self.question
        return n > 0

    cdef bint judge(self, int depth, Child* child, Situation state) noexcept nogil:
        """The numbers of a position that has just been made."""
        cdef double values[MAX_ROLES]
        cdef const move_t* moves = NULL
        cdef const Entry* entry
        cdef int mover, i, away
        cdef uint32_t n = 1
        child.numbers.needed = 0            # a game that is over needs none
        if state.c_terminal():
            if state.failed:
                return False
            state.c_values(values)
            self.note_value(values)
            if (values[self.role] > self.least + SAME) if self.above else (values[self.role] > self.least - SAME):
                child.numbers.proof, child.numbers.disproof = 0, NEVER
            else:
                child.numbers.proof, child.numbers.disproof = NEVER, 0
            return not state.failed
        child.key = self.key_of(state)
        for i in range(depth):
            if self.path[i] == child.key:
                return False
        entry = find(&self.table, child.key)
        if entry != NULL:
            child.numbers, child.work = numbers_in(entry), entry.work >> 2
            return not state.failed
        mover = state.c_mover()
        if mover >= 0:
            n = <uint32_t>max(1, state.c_decisive(mover, &moves))
        child.numbers.proof = n if mover != self.role else 1
        child.numbers.disproof = n if mover == self.role else 1
        self.foresee(child)
        away = state.c_distance(self.role)
        if away >= 0:
            child.numbers.proof += STEP * (away + (mover != self.role))
        away = state.c_distance(1 - self.role)
        if away >= 0:
            child.numbers.disproof += STEP * (away + (mover == self.role))
        return not state.failed

    cdef uint64_t key_of(self, Situation state) noexcept nogil:
        """Of a position and the question about it; never 0, which is a free place in the table."""
        cdef uint64_t key = mix(self.question, state.c_key())
        return key if key else 1

    cdef void foresee(self, Child* child) noexcept nogil:
        """Moves that were answers elsewhere come first."""
        cdef int player = 0 if child.joint[0] != NO_MOVE else 1
        cdef const Habit* habit = &self.habits[player * self.game.n_moves + child.joint[player]]
        cdef uint32_t doubt = <uint32_t>(DOUBT * (1.0 - (habit.good + 1.0) / (habit.all + 2.0)))
        child.numbers.proof = SCALE * child.numbers.proof + (doubt if player == self.role else 0)
        child.numbers.disproof = SCALE * child.numbers.disproof + (doubt if player != self.role else 0)

    cdef void learn(self, const Child* child) noexcept nogil:
        cdef int player = 0 if child.joint[0] != NO_MOVE else 1
        cdef Habit* habit
        if child.numbers.proof and child.numbers.disproof:
            return
        habit = &self.habits[player * self.game.n_moves + child.joint[player]]
        habit.all += 1
        habit.good += (child.numbers.proof == 0) == (player == self.role)

    cdef void note_value(self, const double* values) noexcept nogil:
        cdef int i
        if fabs(values[0] + values[1] - 1.0) > SAME:
            self.zero_sum = False
        for i in range(self.n_seen):
            if fabs(self.seen[i] - values[self.role]) < SAME:
                return
        if self.n_seen < MOST_VALUES:
            self.seen[self.n_seen] = values[self.role]
            self.n_seen += 1

    # ---------------------------------------------------------------- memory

    cdef bint make_level(self, int depth) noexcept nogil:
        """Room for a position at a depth and for its children."""
        if depth < self.depth_room:
            return True
        with gil:
            try:
                self.levels.append(self.new_state())
                self.situations[depth] = <void*>self.levels[depth]
            except BaseException as error:
                self.error = error
                return False
        self.children[depth] = <Child*>malloc((self.game.max_legal + 1) * sizeof(Child))
        if self.children[depth] == NULL:
            return False
        self.depth_room = depth + 1
        return True


cdef bint forced(Situation state, move_t* joint) noexcept nogil:
    """The joint move where no role has a choice; False where some has."""
    cdef const move_t* moves = NULL
    cdef int role, n
    for role in range(2):
        n = state.c_legal(role, &moves)
        if n > 1:
            return False
        joint[role] = moves[0] if n == 1 else NO_MOVE
    return True


SEARCHES.add("prover", Prover)
