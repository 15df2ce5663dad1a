"""Novelty-based pruning (NBP): a child whose situation shows nothing new is left out while its parent looks safe.

    memory = atoms(s)
    for each child situation c, in the order of the actions:
        not novel if c is lost, or all its atoms are in the memory, or in the memory kept at one of node, parent, ..., root
        memory += atoms(c)
    every child keeps the memory

A memory is kept once, at the parent of the children that share it; the root keeps none. Not marked is a child that raised
the score; one reached by moving, where the avatar only moves along one axis or at most half a cell per tick. A node whose
children are all marked is marked itself. Atoms: avatar(cell, orientation, type), at(cell, type).

Soemers 2016, section 4.1.3, algorithm 4.1 with threshold 1. That a lost situation is never novel is not said there; but if it
were, it would be the only child left wherever all others are marked, and half of the simulations would run into it: the thesis'
labyrinth, printed with 100 %, is won in 6 of 10 games that way, and in 10 of 10 this way.

Sprites that have stood since the start and can only vanish are left out of the atoms: they were true in every earlier situation.
(With chance they may have vanished in the situation that an ancestor's memory was made of, and stand in this one; that is then
not noticed.)
"""

from libc.stdint cimport int32_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy

from paidia.core.arcade cimport DOWN, LEFT, N_ACTIONS, RIGHT, UP, USE, ArcadeGame, Avatar
from paidia.core.model cimport LOST, move_t
from paidia.search.arcade.open_loop cimport OpenLoop
from paidia.search.arcade.open_tree cimport NONE, NOT_NOVEL, ROOT, TESTED, OpenNode, OpenTree
from paidia.search.width.atoms cimport MAX_SEEN, Atoms
from paidia.search.width.novelty cimport small_add, small_clear, small_novel, small_slots

cdef enum:
    FIRST_ROOM = 1 << 16
    LAST_ROOM = 1 << 24         # 64 MB; nothing more is tested in a tick that needs more


cdef bint along_one_axis(const move_t* actions, int n) noexcept nogil:
    cdef bint sideways = False, upright = False
    cdef int i
    for i in range(n):
        sideways = sideways or actions[i] == LEFT or actions[i] == RIGHT
        upright = upright or actions[i] == UP or actions[i] == DOWN
    return sideways != upright


cdef void mark_parents(OpenTree tree, int32_t node) noexcept nogil:
    """A node is not novel if none of its children is."""
    cdef OpenNode* parent
    cdef int a
    while node != ROOT:
        parent = &tree.nodes[node]
        for a in range(N_ACTIONS):
            if parent.child[a] != NONE and not tree.nodes[parent.child[a]].marks & NOT_NOVEL:
                return
        parent.marks |= NOT_NOVEL
        node = parent.parent


cdef class NoveltyPruning:
    """The memories of one game's tree."""

    def __cinit__(self, ArcadeGame game not None):
        self.atoms = Atoms(game)
        self.read = <int32_t*>malloc((N_ACTIONS + 1) * (MAX_SEEN + 1) * sizeof(int32_t))
        self.needed = FIRST_ROOM
        self.reserve()
        if self.read == NULL or self.room == 0:
            raise MemoryError

    def __dealloc__(self):
        free(self.read)
        free(self.arena)
        free(self.other)

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

    cdef bint known_above(self, OpenLoop search, int32_t node, const int32_t* atoms, int n) noexcept nogil:
        """Whether all the atoms are in one of the memories that the node and its ancestors keep."""
        cdef int32_t memory
        node = search.tree.nodes[node].parent
        while node != NONE:
            memory = search.tree.nodes[node].memory
            if memory != NONE and not small_novel(self.arena + memory + 1, self.arena[memory], atoms, n):
                return True
            node = search.tree.nodes[node].parent
        return False

    cdef void test(self, OpenLoop search, int32_t node, const move_t* actions, int n) noexcept nogil:
        cdef int ends[N_ACTIONS + 1]        # of the atoms of each situation in `read`, the present one first
        cdef bint better[N_ACTIONS]
        cdef bint lost[N_ACTIONS]
        cdef int i, a, slots, n_atoms
        cdef OpenNode* nodes = search.tree.nodes
        cdef int32_t* table
        cdef const int32_t* atoms
        cdef Avatar avatar
        cdef bint free_to_move
        search.state.c_avatar(&avatar)
        free_to_move = avatar.speed <= 0.5 or along_one_axis(actions, n)
        self.atoms.read(search.state, True)
        memcpy(self.read, self.atoms.atoms, self.atoms.n * sizeof(int32_t))
        ends[0] = self.atoms.n
        for i in range(n):
            search.branch(search.spare, search.state)
            search.advance(search.spare, actions[i])
            search.put_aside(nodes[node].child[actions[i]], search.spare)
            lost[i] = search.spare.c_winner(0) == LOST
            better[i] = search.spare.c_score() > search.state.c_score()
            self.atoms.read(search.spare, True)
            memcpy(self.read + ends[i], self.atoms.atoms, self.atoms.n * sizeof(int32_t))
            ends[i + 1] = ends[i] + self.atoms.n
        slots = small_slots(ends[n])
        if slots + 1 > self.room - self.used:       # test again when there is room
            self.needed = slots + 1
            return
        self.arena[self.used] = slots
        table = self.arena + self.used + 1
        small_clear(table, slots)
        for a in range(ends[0]):
            small_add(table, slots, self.read[a])
        for i in range(n):
            atoms, n_atoms = self.read + ends[i], ends[i + 1] - ends[i]
            if lost[i] or not (better[i] or (free_to_move and actions[i] != USE)) and (
                not small_novel(table, slots, atoms, n_atoms) or self.known_above(search, node, atoms, n_atoms)
            ):
                nodes[nodes[node].child[actions[i]]].marks |= NOT_NOVEL
            for a in range(n_atoms):
                small_add(table, slots, atoms[a])
        nodes[node].memory = self.used
        nodes[node].marks |= TESTED
        self.used += slots + 1
        mark_parents(search.tree, node)

    cdef void keep(self, OpenTree tree) noexcept nogil:
        cdef int32_t i, size, used = 0, memory
        for i in range(tree.size):
            memory = tree.nodes[i].memory
            if memory != NONE:
                size = self.arena[memory] + 1
                memcpy(self.other + used, self.arena + memory, size * sizeof(int32_t))
                tree.nodes[i].memory = used
                used += size
        self.arena, self.other = self.other, self.arena
        self.used = used
