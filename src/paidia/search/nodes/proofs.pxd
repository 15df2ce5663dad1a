# What is proven of the nodes of a tree of positions (`Tree.bounds`): the least and the most that each role can still reach.

from libc.stdint cimport int32_t, int64_t

from paidia.search.nodes.tree cimport NONE, Node, Tree


cdef inline bint proven(Tree tree, int32_t node) noexcept nogil:
    """Whether the outcome for every role is known."""
    cdef const float* b = tree.bounds + <int64_t>node * tree.n_roles * 2
    cdef int role
    for role in range(tree.n_roles):
        if b[2 * role] != b[2 * role + 1]:
            return False
    return True


cdef inline bint tight(Tree tree, int32_t node) noexcept nogil:
    """Whether anything is known of any role."""
    cdef const float* b = tree.bounds + <int64_t>node * tree.n_roles * 2
    cdef int role
    for role in range(tree.n_roles):
        if b[2 * role] != 0.0 or b[2 * role + 1] != 1.0:
            return True
    return False


cdef inline void rebound(Tree tree, int32_t node, bint zero_sum) noexcept nogil:
    """Draw the bounds of a node where one role acts from those of its children.

    The mover gets the best of its moves. What another role gets lies between the extremes of the moves that the mover
    may still prefer; with two roles and a zero sum it is what the mover leaves.
    """
    cdef const Node* here = &tree.nodes[node]
    cdef float* b = tree.bounds + <int64_t>node * tree.n_roles * 2
    cdef const float* below
    cdef int mover = here.mover, role
    cdef int32_t e
    cdef float low = 0.0, high = 0.0, least, most
    if mover < 0 or here.n_edges == 0:
        return
    for e in range(here.first, here.first + here.n_edges):
        if tree.edges[e].child == NONE:
            high = 1.0
        else:
            below = tree.bounds + (<int64_t>tree.edges[e].child * tree.n_roles + mover) * 2
            low = max(low, below[0])
            high = max(high, below[1])
    # Facts stay facts, also when a child they came from has been dropped.
    low = b[2 * mover] = max(low, b[2 * mover])
    b[2 * mover + 1] = min(high, b[2 * mover + 1])
    for role in range(tree.n_roles):
        if role == mover:
            continue
        least, most = 1.0, 0.0
        if zero_sum:
            least, most = <float>1.0 - b[2 * mover + 1], <float>1.0 - low
        else:
            for e in range(here.first, here.first + here.n_edges):
                if tree.edges[e].child == NONE:
                    least, most = 0.0, 1.0
                    break
                below = tree.bounds + <int64_t>tree.edges[e].child * tree.n_roles * 2
                if below[2 * mover + 1] > low or below[2 * mover] == low:
                    least = min(least, below[2 * role])
                    most = max(most, below[2 * role + 1])
        b[2 * role] = max(b[2 * role], least)
        b[2 * role + 1] = min(b[2 * role + 1], most)


cdef inline int open_moves(Tree tree, int32_t node, int role, int32_t first, int n, int* open) noexcept nogil:
    """Mark the moves of a role that are worth a look; returns their number.

    Left out is what cannot beat what another move brings for sure, and what is lost for sure; all, if that is all.
    """
    cdef int i, count = 0
    cdef int32_t child
    cdef float low, below_low, below_high
    if tree.bounds != NULL and tree.nodes[node].mover == role:
        low = tree.bounds[(<int64_t>node * tree.n_roles + role) * 2]
        for i in range(n):
            child = tree.edges[first + i].child
            below_low, below_high = 0.0, 1.0
            if child != NONE:
                below_low = tree.bounds[(<int64_t>child * tree.n_roles + role) * 2]
                below_high = tree.bounds[(<int64_t>child * tree.n_roles + role) * 2 + 1]
            open[i] = below_high > low or (low > 0.0 and below_low == low)
            count += open[i]
    if count == 0:
        for i in range(n):
            open[i] = True
        count = n
    return count
