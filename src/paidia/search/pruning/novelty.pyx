"""Novelty-based pruning (NBP): a child whose situation shows nothing new is left out while its parent looks safe.

    memory = atoms(s)
    for each child situation c, in the order of the actions:
        not novel if all its atoms are in the memory, or in the memory kept at one of node, parent, ..., root
        memory += atoms(c)
    every child keeps the memory

A memory is kept once, at the parent of the children that share it; the root keeps none. Not marked is a child that raised
the score; one reached by moving, where the avatar only moves along one axis or at most half a cell per tick. A node whose
children are all marked is marked itself. Atoms: avatar(cell, orientation, type), at(cell, type).

Soemers 2016, section 4.1.3, algorithm 4.1 with threshold 1 (docs/readings.md#novelty-test, #lost-novelty, #novel-parents).
Options: what an ended situation is (the algorithm tests it as any other; but where all others are marked, a loss would then be
the only child left, and half of the simulations would run into it), and which nodes may be marked because their children are.

Sprites that have stood since the start and can only vanish are left out of the atoms: they were true in every earlier situation.
(With chance they may have vanished in the situation that an ancestor's memory was made of, and stand in this one; that is then
not noticed.)
"""

from libc.stdint cimport int32_t
from libc.stdlib cimport free
from libc.string cimport memcpy

from paidia.core.arcade cimport DOWN, LEFT, RIGHT, UP, USE, ArcadeState, Avatar
from paidia.core.machine.memory cimport malloc, realloc
from paidia.core.model cimport LOST, Rules, move_t
from paidia.search.evaluation.base cimport score_of
from paidia.search.planners.widths.atoms cimport Atoms
from paidia.search.planners.widths.novelty cimport small_add, small_clear, small_novel, small_slots
from paidia.search.pruning.base cimport Pruning
from paidia.search.frame.scale cimport on_scale
from paidia.search.nodes.tree cimport NONE, NOT_NOVEL, TESTED, SequenceEdge, mean_of

from paidia.core.arcade import ArcadeGame
from paidia.search.registry import PRUNINGS

cdef enum:
    BETTER = 8                  # a mark besides those of tree.pxd: the situation of the test raised the score
    FIRST_ROOM = 1 << 16
    LAST_ROOM = 1 << 24         # 64 MB; nothing more is tested in a search that needs more


cdef bint along_one_axis(const move_t* actions, int n) noexcept nogil:
    cdef bint sideways = False, upright = False
    cdef int i
    for i in range(n):
        sideways = sideways or actions[i] == LEFT or actions[i] == RIGHT
        upright = upright or actions[i] == UP or actions[i] == DOWN
    return sideways != upright


cdef class NoveltyPruning(Pruning):
    """Leaves out moves that lead to nothing new.

    Options:
        ended: A lost situation is "never-novel" (a won one is tested); ended ones are "tested" as any other (algorithm 4.1 to
            the letter), or "novel" whatever they show (the author's later program).
        parents: Whose mark may follow from its children's: that of "all" nodes, or of those that did not raise the score
            ("unchanged", the author's later program).
    """

    needs = ("sequences", "weights", "waiting")
    options = ("ended", "parents")

    def __init__(self, *, str ended="never-novel", str parents="all"):
        for name, value, known in (
            ("ended", ended, ("never-novel", "tested", "novel")), ("parents", parents, ("all", "unchanged")),
        ):
            if value not in known:
                raise ValueError(f"{name} is one of {', '.join(known)}, not {value!r}")
        self.lost_is_stale, self.end_is_novel, self.keep_better = ended == "never-novel", ended == "novel", parents == "unchanged"

    def __dealloc__(self):
        self.release()

    cdef void release(self) noexcept:
        free(self.read)
        free(self.ends)
        free(self.better)
        free(self.lost)
        free(self.edges)
        free(self.arena)
        free(self.other)
        self.read = self.arena = self.other = self.edges = NULL
        self.ends = self.better = self.lost = NULL
        self.used = self.room = 0

    def cannot_play(self, Rules game not None):
        """It looks at the facts of situations of one role's game."""
        return Pruning.cannot_play(self, game) or Atoms.cannot_read(game)

    def begin_game(self, Rules game not None):
        cdef size_t n = game.max_legal + 1
        self.release()
        self.atoms = Atoms(game)
        self.sprites = isinstance(game, ArcadeGame)
        self.read = <int32_t*>malloc(n * self.atoms.room * sizeof(int32_t))
        self.ends = <int*>malloc(n * sizeof(int))
        self.better = <int*>malloc(n * sizeof(int))
        self.lost = <int*>malloc(n * sizeof(int))
        self.edges = <int32_t*>malloc(n * sizeof(int32_t))
        self.needed = FIRST_ROOM
        self.reserve()
        if not (self.read and self.ends and self.better and self.lost and self.edges and self.room):
            raise MemoryError

    cdef void reserve(self) noexcept nogil:
        cdef int32_t room = max(FIRST_ROOM, self.room)
        cdef void* arena
        cdef void* other
        if self.needed == 0:
            return
        while room < LAST_ROOM and room - self.used < self.needed:
            room *= 2
        self.needed = 0
        if room == self.room:
            return
        arena = realloc(self.arena, room * sizeof(int32_t))
        if arena != NULL:
            self.arena = <int32_t*>arena
        other = realloc(self.other, room * sizeof(int32_t))
        if other != NULL:
            self.other = <int32_t*>other
        if arena != NULL and other != NULL:
            self.room = room

    cdef int marks_at(self, int32_t node) noexcept nogil:
        """Left out while the node looks safe."""
        cdef double mean = mean_of(self.search.tree, self.search.tree.node_more[node].incoming)
        return NOT_NOVEL if on_scale(&self.search.sim.bounds, mean) >= 0.5 else 0

    cdef bint known_above(self, int32_t node, const int32_t* atoms, int n) noexcept nogil:
        """Whether all the atoms are in one of the memories that the node and its ancestors keep."""
        cdef int32_t memory
        node = self.search.tree.node_more[node].parent
        while node != NONE:
            memory = self.search.tree.node_more[node].memory
            if memory != NONE and not small_novel(self.arena + memory + 1, self.arena[memory], atoms, n):
                return True
            node = self.search.tree.node_more[node].parent
        return False

    cdef void mark_parents(self, int32_t node) noexcept nogil:
        """A node is not novel if none of its children is."""
        cdef SequenceEdge* more
        cdef int32_t e, first
        cdef bint waits = not self.search.sim.ask_alone     # selection may still take a move that has no node yet
        while self.search.tree.node_more[node].parent != NONE:
            first = self.search.tree.nodes[node].first
            for e in range(first, first + self.search.tree.nodes[node].n_edges):
                if (waits or self.search.tree.edges[e].child != NONE) and not self.search.tree.edge_more[e].marks & NOT_NOVEL:
                    return
            more = &self.search.tree.edge_more[self.search.tree.node_more[node].incoming]
            if more.marks & BETTER:
                return
            more.marks |= NOT_NOVEL
            node = self.search.tree.node_more[node].parent

    cdef void enter(self, int32_t node, const move_t* moves, int n) noexcept nogil:
        cdef SequenceEdge* more
        cdef int i, a, slots, n_atoms
        cdef int32_t* table
        cdef const int32_t* atoms
        cdef Avatar avatar
        cdef bint free_to_move = False
        if self.search.tree.edge_more[self.search.tree.node_more[node].incoming].marks & TESTED:
            return
        if self.sprites:
            (<ArcadeState>self.search.state).c_avatar(&avatar)
            free_to_move = avatar.speed <= 0.5 or along_one_axis(moves, n)
        self.atoms.read(self.search.state, True)
        memcpy(self.read, self.atoms.atoms, self.atoms.n * sizeof(int32_t))
        self.ends[0] = self.atoms.n
        for i in range(n):
            self.edges[i] = self.search.tree.edge_of(node, 0, moves[i])
            self.search.branch(self.search.spare, self.search.state)
            self.search.advance(self.search.spare, moves + i)
            self.search.put_aside(self.search.tree.edges[self.edges[i]].child, self.search.spare)
            self.lost[i] = self.lost_is_stale and self.search.spare.c_winner(0) == LOST
            self.better[i] = (score_of(self.search.spare, 0) > score_of(self.search.state, 0)
                              or (self.end_is_novel and self.search.spare.c_terminal()))
            self.atoms.read(self.search.spare, True)
            memcpy(self.read + self.ends[i], self.atoms.atoms, self.atoms.n * sizeof(int32_t))
            self.ends[i + 1] = self.ends[i] + self.atoms.n
        slots = small_slots(self.ends[n])
        if slots + 1 > self.room - self.used:       # test again when there is room
            self.needed = slots + 1
            return
        self.arena[self.used] = slots
        table = self.arena + self.used + 1
        small_clear(table, slots)
        for a in range(self.ends[0]):
            small_add(table, slots, self.read[a])
        for i in range(n):
            atoms, n_atoms = self.read + self.ends[i], self.ends[i + 1] - self.ends[i]
            if self.keep_better and self.better[i]:
                more = &self.search.tree.edge_more[self.edges[i]]
                more.marks |= BETTER
            if self.lost[i] or not (self.better[i] or (free_to_move and moves[i] != USE)) and (
                not small_novel(table, slots, atoms, n_atoms) or self.known_above(node, atoms, n_atoms)
            ):
                more = &self.search.tree.edge_more[self.edges[i]]
                more.marks |= NOT_NOVEL
            for a in range(n_atoms):
                small_add(table, slots, atoms[a])
        self.search.tree.node_more[node].memory = self.used
        more = &self.search.tree.edge_more[self.search.tree.node_more[node].incoming]
        more.marks |= TESTED
        self.used += slots + 1
        self.mark_parents(node)

    cdef void tree_changed(self, bint kept) noexcept nogil:
        """Only the memories of nodes of the tree are still needed."""
        cdef SequenceEdge* more
        cdef int32_t i, e, first, size, used = 0, memory, root = self.search.root_node
        if kept and not self.search.deterministic:      # the tests of the root's children were of another step's chance
            more = &self.search.tree.edge_more[self.search.tree.node_more[root].incoming]
            more.marks = 0
            self.search.tree.node_more[root].memory = NONE
            first = self.search.tree.nodes[root].first
            for e in range(first, first + self.search.tree.nodes[root].n_edges):
                more = &self.search.tree.edge_more[e]
                more.marks &= ~(NOT_NOVEL | BETTER)
        for i in range(self.search.tree.n_nodes):
            memory = self.search.tree.node_more[i].memory
            if memory != NONE:
                size = self.arena[memory] + 1
                memcpy(self.other + used, self.arena + memory, size * sizeof(int32_t))
                self.search.tree.node_more[i].memory = used
                used += size
        self.arena, self.other = self.other, self.arena
        self.used = used


PRUNINGS.add("novelty", NoveltyPruning)
