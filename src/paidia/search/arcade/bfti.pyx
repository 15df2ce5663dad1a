"""Breadth-first tree initialisation and safety prepruning (BFTI): every action is looked at before any is simulated.

At the start of a tick each action is played on up to M = 3 copies of the root. Actions with more losses than the best are
left out in this tick; the mean value of an action's states counts as one visit of its node and of the root; the
states wait in the node, each for one simulation.

Soemers 2016, section 4.1.1. The actions take turns, so that what time cuts short is cut for all alike. An action that time
left untried stays in.
"""

from libc.stdint cimport int32_t

from paidia.core.arcade cimport N_ACTIONS
from paidia.core.model cimport LOST, move_t
from paidia.search.arcade.clock cimport clock_late
from paidia.search.arcade.evaluation cimport raw_value
from paidia.search.arcade.open_loop cimport OpenLoop
from paidia.search.arcade.open_tree cimport NONE, ROOT, UNSAFE, OpenNode


cdef void initialise(OpenLoop search, int tries) noexcept nogil:
    cdef const move_t* actions = NULL
    cdef int n = search.root.c_legal(0, &actions)
    cdef int losses[N_ACTIONS]
    cdef int seen[N_ACTIONS]
    cdef double totals[N_ACTIONS]
    cdef int32_t children[N_ACTIONS]
    cdef int i, look, fewest
    cdef OpenNode* nodes
    cdef double start = raw_value(search.root)
    search.tree.reserve(N_ACTIONS)
    nodes = search.tree.nodes
    for i in range(n):
        losses[i] = seen[i] = 0
        totals[i] = 0.0
        children[i] = nodes[ROOT].child[actions[i]]
        if children[i] == NONE:
            children[i] = search.tree.add(ROOT, actions[i])
        if children[i] == NONE:         # the tree is full: nothing to initialise
            return
        nodes[children[i]].marks &= ~UNSAFE
    for look in range(n * tries):
        if clock_late(&search.clock):
            break
        i = look % n
        search.branch(search.spare, search.root)
        search.advance(search.spare, actions[i])
        losses[i] += search.spare.c_winner(0) == LOST
        totals[i] += search.evaluate(search.spare)
        seen[i] += 1
        search.put_aside(children[i], search.spare)
    fewest = tries + 1
    for i in range(n):
        if seen[i] and losses[i] < fewest:
            fewest = losses[i]
    for i in range(n):
        if seen[i]:
            search.credit(children[i], totals[i] / seen[i], 1.0, start)
            search.credit(ROOT, totals[i] / seen[i], 1.0, start)
            if losses[i] > fewest:
                nodes[children[i]].marks |= UNSAFE
