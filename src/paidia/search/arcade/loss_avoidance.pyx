"""Loss avoidance (LA): where a play-out runs into a loss, its last action is changed before anything is backed up.

The path without its last action is played again on a copy of the root; from there every other action is tried once. The best
value is backed up as the result of the simulation, through the node of the action that gave it. The nodes of the other
actions, the lost one included, count their own values with weight 1 / (number of actions).
If the game ends while the path is played again, that end is backed up at once.

Soemers 2016, section 4.1.2. Losses met in selection are backed up as they are.
"""

from libc.stdint cimport int32_t

from paidia.core.arcade cimport N_ACTIONS
from paidia.core.model cimport move_t
from paidia.search.arcade.evaluation cimport raw_value
from paidia.search.arcade.open_loop cimport OpenLoop
from paidia.search.arcade.open_tree cimport NONE


cdef double avoid_loss(OpenLoop search, double lost) noexcept nogil:
    cdef const move_t* actions = NULL
    cdef int32_t children[N_ACTIONS]
    cdef double values[N_ACTIONS]
    cdef int i, n, best = -1
    cdef int end = search.length, last = search.played[search.length - 1]
    cdef int32_t parent, lost_node
    cdef double before
    search.branch(search.state, search.root)
    search.length = 0
    while search.length < end - 1:
        search.leave(search.played[search.length])
        search.advance(search.state, search.played[search.length])
        search.length += 1
        search.arrive()
        if search.state.c_terminal():
            search.selected = min(search.selected, search.length)
            search.expand()
            return search.evaluate(search.state)
    n = search.state.c_legal(0, &actions)
    if n > 0:
        search.leave(last)
    search.length = end
    search.expand()
    if search.last_node < end or n == 0:        # no room for nodes, or nothing to do: the loss stands
        return lost
    parent, lost_node = search.path[end - 1], search.path[end]
    before = raw_value(search.state)
    for i in range(n):
        if actions[i] == last:
            continue
        search.branch(search.spare, search.state)
        search.advance(search.spare, actions[i])
        values[i] = search.evaluate(search.spare)
        children[i] = search.tree.nodes[parent].child[actions[i]]
        if children[i] == NONE:
            children[i] = search.tree.add(parent, actions[i])
        if children[i] != NONE and (best < 0 or values[i] > values[best]):
            best = i
    if best < 0:
        return lost
    for i in range(n):
        if i != best and actions[i] != last and children[i] != NONE:
            search.credit(children[i], values[i], 1.0 / n, before)
    search.credit(lost_node, lost, 1.0 / n, before)
    search.length = end - 1
    search.leave(actions[best])
    search.length = end
    search.played[end - 1] = actions[best]
    search.path[end] = children[best]
    return values[best]
