"""Planner for deterministic games: a search that goes on over many ticks while the avatar follows what was found.

The search is rooted at the *anchor*, the situation at the end of the plan the avatar is following. Every tick
searches on from there, and plays the next action of the plan. When the plan has been played, a new one is taken from
the search and the anchor moves to its end:

    a way to win                                    taken at once; searching stops, the rest is only played
    nothing moves by itself, patience is left       wait (NIL) and search on: the world stands still meanwhile
    a way to a higher score                         the highest, of equal ones the shortest
    otherwise                                       the first half of the way to the deepest situation: who can go
                                                    on for long survives, and sees new places

The order of the search is that of 2BFS: two queues by novelty and reward in turn, and NIL is an action. Unlike there,
equal situations are met once (in a world that moves by itself: once in each tick), and novelty is measured among
situations with equal score, resources and numbers of sprites only (as in the best-first width search of Lipovetzky and
Geffner 2017), so that a new stage of a game makes all places new. Three ranks: a new atom, a new pair with the
avatar's atom, neither.

Two settings are off unless they are wanted. `breadth`: every so many expansions it is the oldest situation's turn, whatever its
novelty and reward; 1 makes the search breadth-first, which finds shortest ways and, where the space is small, all there is.
`timeless`: in games without sprites facts that only tell the time (a counter of steps) do not tell situations apart. Those are
the facts that change in random games from the anchor, and have the same history in all of them.

A situation for which the pool has no room is replayed from the anchor when its turn comes. When the game does
not follow the plan (`failures` counts), the plan is dropped and the search starts anew from what is there.
"""

from libc.math cimport INFINITY, fabs
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from paidia.core.arcade cimport NIL, ArcadeGame, ArcadeState, Avatar
from paidia.core.model cimport NO_MOVE, WON, Situation, move_t, play_alone
from paidia.core.machine.memory cimport malloc
from paidia.core.machine.rng cimport rng_below
from paidia.search.evaluation.base cimport plain_value
from paidia.search.planners.widths.breadth_first cimport BreadthFirst, Node
from paidia.search.planners.widths.plan cimport MAX_PLAN, Plan
from paidia.search.nodes.pool cimport KeySet
from paidia.search.planners.widths.stages cimport Stages, mixed
from paidia.search.planners.widths.two_queues cimport TwoQueues

import msgspec

from paidia.core.errors import BadInput
from paidia.search.registry import SEARCHES

cdef enum:
    STILL_TICKS = 30        # a world that does not change for so long under NIL stands still
    REST = 2                # ticks that it may take to come to rest
    DRIFT = 10              # actions taken at most of a plan that gains nothing
    MAX_REPEAT = 8
    SPARE = 8               # ticks of the game that no way uses
    CLOCKED = 8             # random games that show which facts tell the time
    CLOCKED_MOVES = 256     # of each of them at most


class PlannerSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`patience`: ticks spent waiting, in a world that stands still, for a way to win; the start is not counted.
    `hold`: ticks that an action is held; 0: as many as the avatar needs for a cell.
    """

    patience: int = 40
    hold: int = 0
    max_states: int = 16384
    breadth: int = 0
    timeless: bool = False


cdef class Planner(TwoQueues):
    """Searches over many ticks and follows the plans it finds."""

    Settings = PlannerSettings
    MAX_NODES = 1 << 19

    cdef Situation anchor
    cdef Stages stages
    cdef Plan plan
    cdef bint anchored              # the tree hangs at `anchor`
    cdef bint still                 # the world does not move by itself
    cdef readonly bint to_the_end   # the search has found a win
    cdef bint sealed                # and the plan leads there
    cdef bint exhausted
    cdef int waited, patience, hold, breadth
    cdef int64_t taken              # expansions of this search
    cdef bint timeless
    cdef char* telling              # by fact: it does not just tell the time
    cdef char* history              # of the first random game: [step * facts + fact]
    cdef readonly int64_t failures
    # The expansion under way; a tick may end in the middle of it.
    cdef int32_t current
    cdef int n_listed, resume
    cdef int longest                # actions of a way at most
    # Ends of ways that a plan could take: a node and one more action.
    cdef int32_t gain_node, deep_node
    cdef move_t gain_action, deep_action
    cdef double gain_value
    cdef int gain_depth, deep_depth, n_deep

    def __init__(self, game, settings=None, *, controller=None):
        super().__init__(game, settings, controller=controller)
        if self.settings.patience < 0 or not 0 <= self.settings.hold <= 64:
            raise BadInput("patience must be 0 or more, hold lie between 0 and 64")
        self.roomless = True
        self.with_nil = self.sprites        # other games do not go on by themselves: there is no waiting
        self.keys = KeySet(slots=1 << 20)
        self.patience = self.settings.patience if self.sprites else 0
        self.hold = self.settings.hold
        self.plan = Plan()
        self.anchor = self.new_state()
        if self.settings.breadth < 0:
            raise BadInput("breadth must be 0 or more")
        self.breadth = self.settings.breadth
        self.timeless = self.settings.timeless and not self.sprites
        if self.timeless:
            self.telling = <char*>malloc(game.n_atoms + 1)
            self.history = <char*>malloc((<size_t>game.n_atoms + 1) * (CLOCKED_MOVES + 1))
            if self.telling == NULL or self.history == NULL:
                raise MemoryError

    def __dealloc__(self):
        free(self.telling)
        free(self.history)

    def reset(self):
        """No plan, no anchor."""
        TwoQueues.reset(self)
        self.stages = Stages(self.game)
        self.anchored = self.to_the_end = self.sealed = False
        self.plan.clear()
        self.waited = self.failures = 0

    cdef void prepare(self) noexcept nogil:
        self.repeat = self.hold if self.hold > 0 else self.pace() if self.sprites else 1
        self.set_anchor(self.root)
        self.think()

    cdef move_t decide(self) noexcept nogil:
        cdef uint64_t key = self.root.c_key()
        if self.anchored:
            self.anchored = key == (self.plan.expected() if self.plan.left() > 0 else self.anchor.c_key())
            self.failures += not self.anchored
        if not self.anchored:
            self.plan.clear()
            self.set_anchor(self.root)
        self.think()
        if self.plan.left() == 0 or (self.to_the_end and not self.sealed):
            self.next_plan()
        return self.plan.take() if self.plan.left() > 0 else NO_MOVE

    # ---------------------------------------------------------------- the search

    cdef void set_anchor(self, Situation where) noexcept nogil:
        """Start a search from a situation."""
        cdef int i
        self.branch(self.anchor, where)     # should there be chance after all, it is not foreseen
        self.still = self.settle()
        self.parent.c_copy(self.anchor)
        self.anchored = True
        self.to_the_end = self.sealed = self.exhausted = False
        self.current = -1
        self.resume = 0
        self.n_listed = self.list_options(self.anchor)
        for i in range(self.n_options):
            self.listed[i] = self.options[i].move
        self.longest = MAX_PLAN
        if self.sprites:        # what comes after the last tick is no win any more
            self.longest = min(self.longest, (<ArcadeGame>self.game).max_ticks - (<ArcadeState>self.anchor).c_tick() - SPARE)
        self.root_value = plain_value(self.anchor, 0)
        self.gain_value = -INFINITY
        self.deep_depth = self.n_deep = 0
        self.n_nodes = 0
        self.sizes[0] = self.sizes[1] = self.turn = self.next_node = 0
        self.taken = 0
        self.pool.clear()
        self.keys.forget()
        self.stages.forget()
        if self.timeless:
            self.read_clocks()
        self.state.c_copy(self.anchor)
        self.keys.add(self.moment())
        self.stages.rank(self.state, self.still)

    cdef int pace(self) noexcept nogil:
        """Ticks in which the avatar crosses a cell when it moves, by a few random steps."""
        cdef Avatar before, after
        cdef int i, n, moves = 0
        cdef double way = 0.0
        for i in range(50):
            if i % 10 == 0:
                self.branch(self.state, self.root)
            n = self.list_moves(self.state, self.listed)
            if n == 0:
                continue
            (<ArcadeState>self.state).c_avatar(&before)
            play_alone(self.state, self.listed[rng_below(&self.rng, n)])
            self.steps += 1
            (<ArcadeState>self.state).c_avatar(&after)
            if after.x != before.x or after.y != before.y:
                moves += 1
                way += fabs(after.x - before.x) + fabs(after.y - before.y)
        if moves == 0:
            return 1
        return max(1, min(<int>MAX_REPEAT, <int>((<ArcadeGame>self.game).block * moves / way + 0.5)))

    cdef bint settle(self) noexcept nogil:
        """Whether the world stands still, perhaps after a tick or two in which sprites come to rest; these are waited
        for: they go to the plan, and the anchor behind them.
        """
        cdef uint64_t key = self.anchor.c_key(), next_key
        cdef int i, _, rest = 0     # ticks until nothing changed any more
        if not self.sprites:
            return True
        self.state.c_copy(self.anchor)
        for i in range(STILL_TICKS):
            play_alone(self.state, NIL)
            self.steps += 1
            next_key = self.state.c_key()
            if next_key != key:
                rest = i + 1
            if rest > REST or self.state.c_terminal():
                return False
            key = next_key
        for _ in range(rest):
            self.extend(self.anchor, NIL)
        return True

    cdef void think(self) noexcept nogil:
        while not (self.to_the_end or self.exhausted):
            if self.resume == self.n_listed:        # the situation in `parent` is done
                self.current = self.pop()
                if self.current < 0:
                    self.exhausted = True
                    return
                self.load(self.current)
                self.n_listed = self.list_moves(self.parent, self.listed)
                self.resume = 0
            elif not self.generate_next():
                return

    cdef bint generate_next(self) noexcept nogil:
        cdef int first = self.resume, depth = 1
        if self.current >= 0:
            first, depth = self.nodes[self.current].first, self.nodes[self.current].depth + 1
        if not self.generate(self.current, self.listed[self.resume], first, depth):
            return False
        self.resume += 1
        return True

    cdef void load(self, int32_t node) noexcept nogil:
        cdef move_t way[MAX_PLAN]
        cdef int i, _
        if self.nodes[node].state >= 0:
            BreadthFirst.load(self, node)
            return
        self.parent.c_copy(self.anchor)
        for i in range(self.way_to(node, way) - 1, -1, -1):
            for _ in range(self.repeat):
                play_alone(self.parent, way[i])
                self.steps += 1

    cdef int way_to(self, int32_t node, move_t* out) noexcept nogil:
        """The actions from the anchor to a node, the last one first; returns how many."""
        cdef int n = 0
        while node >= 0:
            out[n] = self.nodes[node].action
            n += 1
            node = self.nodes[node].parent
        return n

    cdef bint admit(self, Node* node) noexcept nogil:
        if (node.depth + 1) * self.repeat >= self.longest or not self.keys.add(self.moment()):
            return False
        if self.breadth != 1:       # nobody asks how novel it is
            node.novelty = <move_t>self.stages.rank(self.state, self.still)
        return True

    cdef void push(self, int32_t node) noexcept nogil:
        if self.breadth != 1:
            TwoQueues.push(self, node)

    cdef int32_t pop(self) noexcept nogil:
        self.taken += 1
        if self.breadth > 0 and self.taken % self.breadth == 0:
            while self.next_node < self.n_nodes and self.nodes[self.next_node].expanded:
                self.next_node += 1
            if self.next_node < self.n_nodes:
                self.nodes[self.next_node].expanded = True
                return self.next_node
        return TwoQueues.pop(self)

    cdef void read_clocks(self) noexcept nogil:
        """Find the facts that only tell the time."""
        cdef Py_ssize_t n_facts = self.stages.atoms.room, i
        cdef const move_t* moves = NULL
        cdef char* now_true = self.history + CLOCKED_MOVES * n_facts
        cdef char* then
        cdef int game, step, n, length = 0
        memset(self.telling, 0, n_facts)
        for game in range(CLOCKED):
            self.state.c_copy(self.anchor)
            for step in range(CLOCKED_MOVES):
                memset(now_true, 0, n_facts)
                self.stages.atoms.read(self.state, False)
                for i in range(self.stages.atoms.n):
                    now_true[self.stages.atoms.atoms[i]] = 1
                then = self.history + step * n_facts
                if game == 0:
                    memcpy(then, now_true, n_facts)
                    length = step + 1
                elif step < length:
                    for i in range(n_facts):
                        self.telling[i] |= then[i] != now_true[i]
                n = self.state.c_legal(0, &moves)
                if n == 0 or self.state.c_terminal():
                    break
                play_alone(self.state, moves[rng_below(&self.rng, n)])
                self.steps += 1

    cdef uint64_t moment(self) noexcept nogil:
        """What makes two situations equal: their keys, and in a moving world the time."""
        cdef uint64_t key = 0
        cdef int i
        if self.timeless:
            self.stages.atoms.read(self.state, False)
            for i in range(self.stages.atoms.n):
                if self.telling[self.stages.atoms.atoms[i]]:
                    key += mixed(<uint64_t>self.stages.atoms.atoms[i] + 1)
            return key
        key = self.state.c_key()
        return key if self.still else mixed(key + <uint64_t>(<ArcadeState>self.state).c_tick() * <uint64_t>0x9E3779B97F4A7C15)

    cdef void consider(self, const Node* node, bint kept) noexcept nogil:
        if node.value > self.options[node.first].value:
            self.options[node.first].value = node.value
        if node.value > self.root_value and (
            node.value > self.gain_value or (node.value == self.gain_value and node.depth < self.gain_depth)
        ):
            self.gain_value, self.gain_depth = node.value, node.depth
            self.gain_node, self.gain_action = node.parent, node.action
        self.to_the_end = self.state.c_winner(0) == WON
        if not kept or self.state.c_terminal() or node.depth < self.deep_depth:
            return
        if node.depth > self.deep_depth:
            self.n_deep = 0
        self.n_deep += 1
        if rng_below(&self.rng, self.n_deep) == 0:
            self.deep_depth, self.deep_node, self.deep_action = node.depth, node.parent, node.action

    # ---------------------------------------------------------------- plans

    cdef void next_plan(self) noexcept nogil:
        cdef int i, best = 0
        if not self.to_the_end and self.still and not self.exhausted and self.waited < self.patience:
            self.waited += 1
        elif self.gain_value > -INFINITY:
            self.follow(self.gain_node, self.gain_action, MAX_PLAN)
        elif self.deep_depth > 0:
            self.follow(self.deep_node, self.deep_action, max(1, min(<int>DRIFT, self.deep_depth // 2)))
        else:       # every way is at its end
            for i in range(self.n_options):
                if self.options[i].value > self.options[best].value:
                    best = i
            self.plan.add(self.options[best].move if self.n_options > 0 else NIL, 0)
            self.anchored = False

    cdef void follow(self, int32_t node, move_t action, int limit) noexcept nogil:
        """Put the way to a node and one more action, at most `limit` of these, behind what is left of the plan; its end
        is the new anchor.
        """
        cdef move_t way[MAX_PLAN]
        cdef bint wins = self.to_the_end
        cdef int i, _, n = self.way_to(node, way)
        self.state.c_copy(self.anchor)
        for i in range(n, n - limit if limit <= n else -1, -1):
            for _ in range(self.repeat):
                if not self.state.c_terminal():
                    self.extend(self.state, way[i - 1] if i > 0 else action)
        self.set_anchor(self.state)
        self.to_the_end = self.sealed = wins and self.anchor.c_winner(0) == WON

    cdef void extend(self, Situation state, move_t action) noexcept nogil:
        """One more action for the plan, and play it in `state`; nothing if the plan is full."""
        if self.plan.add(action, state.c_key()):
            play_alone(state, action)
            self.steps += 1

    def notes(self):
        """The rest of the plan and how it is going."""
        return {
            "plan": [self.move_name(action) for action in self.plan.rest()],
            "wins": bool(self.sealed),
            "kept": self.n_nodes,
            "failures": self.failures,
        }


SEARCHES.add("planner", Planner)
