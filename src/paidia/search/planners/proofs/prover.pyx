"""Proof-number search, depth first: what a position of two opponents is worth, proven, and the moves that hold it.

    a question      does the role get at least x (or more than x), whatever the other one does?
    proof number    how many positions must still be answered "yes" to prove it, at least; disproof number likewise for "no"
    at a node       of the role: proof = least of its children, disproof = their sum; of the other one the other way round

The search goes down where an answer is nearest, and stays below a node as long as that is so (df-pn; Nagai 2002). Numbers of
positions are kept in a table; a new position begins with as many as it has moves for the side whose moves must all be answered.
Where children are nearly equal it stays with the one it is at for a quarter more (Pawlewicz and Lew 2007), so that it does not
jump to and fro. Questions follow from answers: a win? no: more than nothing? yes: at least the best result seen below a win ...
Each answer is a bound that is true for ever; when both bounds meet, the value is proven.

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
from paidia.core.model cimport MAX_ROLES, NO_MOVE, Rules, Situation, move_t
from paidia.search.frame.search cimport Search

from paidia.core.errors import BadInput
from paidia.search.frame.result import RootMove
from paidia.search.registry import SEARCHES

cdef enum:
    NEVER = 1 << 30         # a number that no work brings down
    DEEPEST = 512
    BUCKET = 4
    MOST_VALUES = 32
    SCALE = 4
    FOCUS = 4

cdef enum Answer:
    UNKNOWN
    YES
    NO

cdef double SAME = 1e-9


class ProverSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`memory`: megabytes of the table of positions."""

    memory: int = 128

    def __post_init__(self):
        if not 1 <= self.memory <= 1 << 20:
            raise BadInput(f"memory is a number of megabytes from 1 on, not {self.memory}")


ctypedef struct Numbers:
    uint32_t proof
    uint32_t disproof

ctypedef struct Entry:
    uint64_t key            # of the position and the question; 0: free
    Numbers numbers
    int64_t work            # positions looked at below it

ctypedef struct Habit:
    double good
    double all

ctypedef struct Child:
    uint64_t key
    move_t joint[2]
    Numbers numbers
    int64_t work


cdef class Prover(Search):
    """Proves what positions are worth."""

    Settings = ProverSettings

    cdef Entry* table
    cdef Habit* habits
    cdef uint64_t mask
    cdef bint used
    cdef list levels                # situations by depth, which keep those below alive
    cdef void** situations
    cdef Child** children
    cdef int* n_children
    cdef uint64_t* path             # keys of the positions on the way down
    cdef int depth_room             # levels that are there
    cdef uint64_t question
    cdef double least               # the question asked
    cdef bint above                 # .. is whether it is more than that
    cdef bint lost_thread           # something came up that proofs cannot deal with
    cdef bint zero_sum              # what one role gets the other does not, as far as was seen
    cdef double seen[MOST_VALUES]
    cdef int n_seen
    cdef bint ended                 # the time is up
    cdef readonly double low, high  # what is proven of the present root
    cdef move_t best
    cdef bint holds                 # it was proven to bring `low`

    def __init__(self, game, settings=None, *, controller=None):
        super().__init__(game, settings, controller=controller)
        cdef uint64_t entries = BUCKET
        while 2 * entries * sizeof(Entry) <= <uint64_t>self.settings.memory << 20:
            entries *= 2
        self.mask = entries - 1
        self.table = <Entry*>calloc(entries, sizeof(Entry))
        self.situations = <void**>calloc(DEEPEST + 1, sizeof(void*))
        self.children = <Child**>calloc(DEEPEST + 1, sizeof(Child*))
        self.n_children = <int*>calloc(DEEPEST + 1, sizeof(int))
        self.path = <uint64_t*>calloc(DEEPEST + 1, sizeof(uint64_t))
        self.habits = <Habit*>calloc(2 * game.n_moves + 1, sizeof(Habit))
        if not (self.habits and self.table and self.situations and self.children and self.n_children and self.path):
            raise MemoryError
        self.levels = []

    def __dealloc__(self):
        cdef int i
        if self.children != NULL:
            for i in range(self.depth_room):
                free(self.children[i])
        free(self.children)
        free(self.situations)
        free(self.n_children)
        free(self.path)
        free(self.table)
        free(self.habits)

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
        if self.used:                   # what has never been written to need not be wiped, which would take memory for it
            memset(self.table, 0, (self.mask + 1) * sizeof(Entry))
        self.used = False
        memset(self.habits, 0, 2 * self.game.n_moves * sizeof(Habit))
        self.n_seen = 0
        self.zero_sum = True
        self.low, self.high = 0.0, 1.0

    @property
    def proven(self):
        """The value of the last root for the role that was searched for, None if it is not proven."""
        return self.low if self.high - self.low < SAME and self.zero_sum and not self.lost_thread else None

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
        cdef int n
        self.prove()
        if self.best != NO_MOVE:
            return self.best
        n = self.root.c_legal(self.role, &moves)
        return moves[0] if n > 0 else NO_MOVE

    cdef void prove(self) noexcept nogil:
        """Ask until the value is known or the time is up."""
        cdef Answer answer
        cdef double below = 1.0, value
        self.low, self.high = 0.0, 1.0
        self.best = NO_MOVE
        self.n_children[0] = 0              # those of another root must not be told of this one
        self.holds = self.ended = self.lost_thread = False
        answer = self.ask(1.0, False)
        if answer == YES:
            self.low = 1.0
        if answer != NO:
            return
        answer = self.ask(0.0, True)
        if answer == NO:
            self.high = 0.0
            return
        while answer != UNKNOWN:
            value = self.highest_seen(below)
            if value <= self.low + SAME:
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
        self.question = mix(mix(bits, <uint64_t>above + 1), <uint64_t>self.role + 1)
        if not self.make_level(0):
            return UNKNOWN
        (<Situation>self.situations[0]).c_copy(self.root)
        numbers = self.search_below(0, mix(self.question, self.root.c_key()), NEVER, NEVER)
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
        if not self.next_simulation():
            self.ended = True
            return now
        if not self.look_at_children(depth, key, <Situation>self.situations[depth]):
            self.lost_thread = True
            return now
        children, n = self.children[depth], self.n_children[depth]
        own = (<Situation>self.situations[depth]).c_mover() == self.role
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
        if not self.lost_thread:
            self.remember(key, now, self.clock.done - began)
        return now

    cdef void step_down(self, int depth, const Child* child) noexcept nogil:
        (<Situation>self.situations[depth + 1]).c_copy(<Situation>self.situations[depth])
        (<Situation>self.situations[depth + 1]).c_play(child.joint)

    cdef bint look_at_children(self, int depth, uint64_t key, Situation state) noexcept nogil:
        """The moves at a position with the numbers of what they lead to; False where proofs cannot go."""
        cdef const move_t* moves = NULL
        cdef int mover = state.c_mover(), n = 1, i
        cdef Child* child
        if depth + 1 >= DEEPEST or not self.make_level(depth + 1) or state.failed:
            return False
        self.path[depth] = key
        if mover >= 0:
            n = state.c_legal(mover, &moves)
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
        self.n_children[depth] = n
        sort(self.children[depth], n, mover == self.role)
        return n > 0

    cdef bint judge(self, int depth, Child* child, Situation state) noexcept nogil:
        """The numbers of a position that has just been made."""
        cdef double values[MAX_ROLES]
        cdef const move_t* moves = NULL
        cdef const Entry* entry
        cdef int mover, i
        cdef uint32_t n = 1
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
        child.key = mix(self.question, state.c_key())
        for i in range(depth):
            if self.path[i] == child.key:
                return False
        entry = self.find(child.key)
        if entry != NULL:
            child.numbers, child.work = entry.numbers, entry.work
            return not state.failed
        mover = state.c_mover()
        if mover >= 0:
            n = <uint32_t>max(1, state.c_legal(mover, &moves))
        child.numbers.proof = n if mover != self.role else 1
        child.numbers.disproof = n if mover == self.role else 1
        self.foresee(child)
        return not state.failed

    cdef void foresee(self, Child* child) noexcept nogil:
        """Moves that were answers elsewhere come first."""
        cdef int player = 0 if child.joint[0] != NO_MOVE else 1
        cdef const Habit* habit = &self.habits[player * self.game.n_moves + child.joint[player]]
        cdef double doubt = 2.0 * (1.0 - (habit.good + 1.0) / (habit.all + 2.0))
        if player == self.role:
            child.numbers.proof = max(<uint32_t>1, <uint32_t>(SCALE * child.numbers.proof * doubt))
            child.numbers.disproof *= SCALE
        else:
            child.numbers.disproof = max(<uint32_t>1, <uint32_t>(SCALE * child.numbers.disproof * doubt))
            child.numbers.proof *= SCALE

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

    cdef const Entry* find(self, uint64_t key) noexcept nogil:
        cdef Entry* bucket = self.table + (key & self.mask & ~<uint64_t>(BUCKET - 1))
        cdef int i
        for i in range(BUCKET):
            if bucket[i].key == key:
                return &bucket[i]
        return NULL

    cdef void remember(self, uint64_t key, Numbers numbers, int64_t work) noexcept nogil:
        """Enter what is known of a position; of four that share a place the one with the least work behind it goes."""
        cdef Entry* bucket = self.table + (key & self.mask & ~<uint64_t>(BUCKET - 1))
        cdef int i, chosen = 0
        self.used = True
        for i in range(BUCKET):
            if bucket[i].key == key:
                work += bucket[i].work
                chosen = i
                break
            if bucket[i].work < bucket[chosen].work:
                chosen = i
        bucket[chosen].key, bucket[chosen].numbers, bucket[chosen].work = key, numbers, work

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


cdef void sort(Child* children, int n, bint own) noexcept nogil:
    """The nearest first; equal ones stay in order."""
    cdef Child one
    cdef int i, k
    cdef uint32_t number
    for i in range(1, n):
        one = children[i]
        number = one.numbers.proof if own else one.numbers.disproof
        k = i
        while k > 0 and (children[k - 1].numbers.proof if own else children[k - 1].numbers.disproof) > number:
            children[k] = children[k - 1]
            k -= 1
        children[k] = one


cdef inline Numbers numbers_of(const Child* children, int n, bint own, int* best, uint32_t* second) noexcept nogil:
    """The numbers of a position from those of its children, the child to go on with, and the number of the next best.

    Only the first of the children that are not refuted count, a quarter of them: with all of them a position with many moves
    looks far from any answer.
    """
    cdef Numbers now
    cdef uint32_t least = NEVER + 1, next = NEVER, each, other
    cdef uint64_t total = 0
    cdef int i, alive = 0
    best[0] = 0
    for i in range(n):
        alive += (children[i].numbers.proof if own else children[i].numbers.disproof) < NEVER
    alive = 1 + alive // FOCUS
    for i in range(n):
        each = children[i].numbers.proof if own else children[i].numbers.disproof
        if each >= NEVER:
            continue
        other = children[i].numbers.disproof if own else children[i].numbers.proof
        total += other
        if each < least:
            next = min(<uint32_t>NEVER, least)
            least = each
            best[0] = i
        elif each < next:
            next = each
        alive -= 1
        if alive == 0:
            break
    least = min(least, <uint32_t>NEVER)
    second[0] = next
    if least == 0:
        total = NEVER
    total = min(total, <uint64_t>NEVER)
    now.proof = least if own else <uint32_t>total
    now.disproof = <uint32_t>total if own else least
    return now


SEARCHES.add("prover", Prover)
