# Temporal-difference tree search, Sarsa-UCT(lambda): nodes learn from the estimate of the next node as well as from rewards.
#
#     for t = T .. 1:   d = R_t + V(n_{t+1}) - V(n_t);   sum = lambda * sum + d;   visits += 1;   V(n_t) += sum / visits
#
# V(n_{t+1}) is the value before its update, 0 behind the end. R_t is X(s_t) - X(s_{t-1}) with rewards on the way, else
# X(s_T) - X(s_0) at the end and 0 before. Soemers 2016, algorithm 4.5, with gamma = 1.

from libc.stdint cimport int32_t

from paidia.search.arcade.open_tree cimport OpenNode

cdef enum:              # what is rewarded
    TD_OFF = 0
    TD = 1              # the end; the final action is the one with the best mean
    TDIR = 2            # every step
    TDMS = 3            # the end; the final action is the one with the best V
    TDKBE = 4           # every step, each situation valued with knowledge


cdef inline bint on_the_way(int kind) noexcept nogil:
    return kind == TDIR or kind == TDKBE


cdef inline void td_backup(
    OpenNode* nodes, const int32_t* path, int last, const double* values, double result, int kind, double trace
) noexcept nogil:
    """Update V along a path whose visits were counted already; values[t] = X(s_t), the result that of the end."""
    cdef double total = 0.0, following = 0.0, reward, present
    cdef int t
    for t in range(last, 0, -1):
        if on_the_way(kind):
            reward = (result if t == last else values[t]) - values[t - 1]
        else:
            reward = result - values[0] if t == last else 0.0
        present = nodes[path[t]].value
        total = trace * total + (reward + following - present)
        nodes[path[t]].value += total / nodes[path[t]].visits
        following = present
