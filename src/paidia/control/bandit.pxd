# The one bandit of all tuners: UCB1 (Auer, Cesa-Bianchi, Fischer 2002) with a first-play value.
#
#   value(arm) = mean + C * sqrt(ln N) / sqrt(n)      N = updates of the bandit, n = updates of the arm
#              = the first-play value where n = 0
#
# An arm keeps its mean and 1 / sqrt(n), which change only when it is updated; the factor C * sqrt(ln N), the
# "scale", is computed once per choice. So a choice costs one multiplication and one addition per arm. A
# module that uses this calls prepare_counts() of core/maths once.
#
# Tie rule: among arms with the same value one is drawn uniformly; the generator is used only if there are two
# or more.

from libc.math cimport sqrt

from paidia.core.machine.maths cimport inverse_root, log_count, root_log_count
from paidia.core.machine.rng cimport Rng, rng_below

ctypedef struct Arm:
    double mean         # of the rewards; the first-play value while there are none
    double spread       # 1 / sqrt(n); 0 while n = 0
    double total        # sum of the rewards: means of the same rewards in another order stay equal
    double n


cdef inline void arms_reset(Arm* arms, Py_ssize_t n, double first_play) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        arms[i].mean = first_play
        arms[i].spread = 0
        arms[i].total = 0
        arms[i].n = 0


cdef inline void arm_update(Arm* arm, double reward) noexcept nogil:
    arm.n += 1
    arm.total += reward
    arm.mean = arm.total / arm.n
    arm.spread = inverse_root(<int>arm.n)


cdef inline double ucb_scale(double C, double updates) noexcept nogil:
    """The factor of `spread` after so many updates of the bandit."""
    return C * root_log_count(<int>updates)


# sqrt(ln n) for a bandit that is updated after every choice. A single logarithm keeps the processor waiting;
# several at once cost little more, and n moves on by one.
ctypedef struct Roots:
    int start
    double root[32]             # for n = start, start + 1, ...


cdef inline double root_of_log(Roots* roots, double updates) noexcept nogil:
    """sqrt(ln n), exactly as `ucb_scale` computes it; 0 for n = 0."""
    cdef int n = <int>updates
    cdef int i
    if not roots.start <= n < roots.start + 32 or roots.start == 0:
        roots.start = n if n > 0 else 1
        for i in range(32):
            roots.root[i] = sqrt(log_count(roots.start + i))
    return roots.root[n - roots.start] if n > 0 else 0


cdef inline double arm_value(const Arm* arm, double scale) noexcept nogil:
    return arm.mean + scale * arm.spread


cdef inline int arms_best(const Arm* arms, int low, int high, double scale, Rng* rng) noexcept nogil:
    """The arm with the largest value among low..high-1 (at least one), by the tie rule.

    Which arm leads changes from choice to choice, so a branch on it is mispredicted; maxima and counts are none.
    """
    cdef double best = arm_value(&arms[low], scale), other = best
    cdef double value
    cdef int i = low + 1, winner = low, ties = 0
    while i + 1 < high:                     # two at a time: a maximum waits for the one before
        value = arm_value(&arms[i], scale)
        best = value if value > best else best
        value = arm_value(&arms[i + 1], scale)
        other = value if value > other else other
        i += 2
    if i < high:
        value = arm_value(&arms[i], scale)
        best = value if value > best else best
    best = other if other > best else best
    for i in range(high - 1, low - 1, -1):
        value = arm_value(&arms[i], scale)
        ties += value == best
        winner = i if value == best else winner
    if ties == 1:
        return winner
    ties = rng_below(rng, ties)
    for i in range(winner, high):
        if arm_value(&arms[i], scale) == best:
            if ties == 0:
                return i
            ties -= 1
    return winner


cdef inline Py_ssize_t arms_greedy(const Arm* arms, Py_ssize_t low, Py_ssize_t high) noexcept nogil:
    """The tried arm with the largest mean, of equals the most tried, then the first; -1 if there is none."""
    cdef Py_ssize_t i, winner = -1
    for i in range(low, high):
        if arms[i].n > 0 and (winner < 0 or arms[i].mean > arms[winner].mean or (
                arms[i].mean == arms[winner].mean and arms[i].n > arms[winner].n)):
            winner = i
    return winner


cdef inline void arms_sort(int* order, int n, const Arm* arms, int* scratch) noexcept nogil:
    """Order arm numbers by falling mean; equal ones stay as they were (merge sort, bottom up)."""
    cdef int width = 1, start, middle, end, a, b, k
    while width < n:
        start = 0
        while start < n:
            middle = min(start + width, n)
            end = min(middle + width, n)
            a = start
            b = middle
            for k in range(start, end):
                if a < middle and (b == end or arms[order[a]].mean >= arms[order[b]].mean):
                    scratch[k] = order[a]
                    a += 1
                else:
                    scratch[k] = order[b]
                    b += 1
            start = end
        for k in range(n):
            order[k] = scratch[k]
        width *= 2
