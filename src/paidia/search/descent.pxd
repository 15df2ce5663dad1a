# `Descent`: one simulation of the tree search. From the root every acting role selects a move in each node, until the tree
# ends; the playout goes on from there, and what comes out is learned everywhere.

from libc.stdint cimport int32_t, uint64_t

from paidia.core.model cimport move_t
from paidia.search.playout.base cimport Playout
from paidia.search.pruning.base cimport Pruning
from paidia.search.repair.base cimport Repair
from paidia.search.selection.base cimport Selection
from paidia.search.threads.sharing cimport Backlog
from paidia.search.frame.simulator cimport Simulator
from paidia.search.statistics.actions cimport ActionTable
from paidia.search.statistics.amaf cimport AmafTables
from paidia.search.statistics.ngrams cimport NgramTable


cdef class Descent(Simulator):
    cdef readonly Selection selection
    cdef readonly Playout playout
    cdef readonly Repair repair
    cdef Pruning prunes                 # None: nothing is pruned
    cdef readonly ActionTable actions   # shared statistics, None where no strategy needs them
    cdef readonly NgramTable ngrams
    cdef AmafTables amaf
    cdef readonly int deepest           # joint moves in the tree part of the deepest simulation of the last search
    cdef readonly int max_depth
    cdef bint from_root                 # the horizon
    cdef bint untried_first             # the playout strategy chooses among moves that were never tried
    cdef bint marking                   # some strategy marks moves that are left out
    cdef int unbounded_horizon
    cdef int32_t* candidates            # edges of the moves that are legal at the present node, where somebody asks for them
    cdef move_t* untried
    cdef int n_candidates
    cdef bint aligned                   # these are just the node's edges
    cdef Backlog* backlog               # of this thread, where several share a tree

    cdef void simulate(self) noexcept nogil
    cdef void go_down(self, bint* new, bint* known) noexcept nogil
    cdef void play_out(self, bint new, bint known) noexcept nogil
    cdef void settle(self) noexcept nogil
    # Go down the tree; returns the node at which the simulation leaves it.
    cdef int32_t descend(self, bint* new, bint* known) noexcept nogil
    cdef uint64_t sequence_key(self, uint64_t key) noexcept nogil
    cdef int32_t add_position(self, uint64_t key) noexcept nogil
    cdef bint expand(self, int32_t node) noexcept nogil
    # Of sequences: find the edges of the moves that are legal at a node; whether selection goes on there.
    cdef bint ready(self, int32_t node) noexcept nogil
    cdef void line_up(self, int32_t node) noexcept nogil
    cdef bint covers(self, int32_t node, const move_t* moves, int n) noexcept nogil
    # Every acting role chooses, and the joint move is played; returns the edge taken if one role acts alone.
    cdef int32_t choose_moves(self, int32_t node) noexcept nogil
    cdef int32_t choose_candidate(self, int32_t node, int role) noexcept nogil
    cdef int prune(self, int32_t node, int n) noexcept nogil
    cdef int choose_by_playout(self, int role, int n) noexcept nogil
    cdef void try_untried(self, int32_t node) noexcept nogil
    cdef void play_on(self) noexcept nogil
    cdef void score(self) noexcept nogil
    cdef void learn(self, int32_t leaf) noexcept nogil
    cdef void learn_together(self, int32_t leaf) noexcept nogil
    cdef void back_up_together(self) noexcept nogil
    cdef void catch_up(self) noexcept nogil
    cdef bint broken(self) noexcept nogil
