# UCB1 over thousands of arms without looking at all of them: the same arm as a scan would choose, ties
# included.
#
# The value of an arm, mean + scale * spread, is a line in the scale, and the scale only grows during a game.
# Arms are kept in blocks. For each block we know
#   * a ceiling, the line top + scale * slope, that no arm of the block exceeds from now on (all ceilings side
#     by side, so that one quick pass without branches leaves the few blocks that matter), and
#   * its winner (a line shared by `ties` arms), and `until` which scale it surely stays ahead: the runner-up
#     cannot close the gap before (gap) / (steepest slope in the block - slope of the winner).
# A choice looks at the ceilings, and scans a block only where the ceiling reaches the best value found and
# the winner is no longer certain. An update touches one block: its winner becomes uncertain and its ceiling
# rises if need be. Ceilings are compared with a margin far above the rounding of doubles, so that pruning
# never changes a choice.
#
# Tie rule: as in bandit.pxd; the arms of equal value are counted in the order of their numbers.

from libc.math cimport INFINITY, fabs
from libc.stdlib cimport free

from paidia.control.bandit cimport Arm, arm_update, arm_value, arms_reset
from paidia.core.machine.memory cimport calloc
from paidia.core.machine.rng cimport Rng, rng_below

cdef enum:
    NO_ARM = -1

cdef extern from *:
    """
    #define MARGIN 1e-9
    """
    const double MARGIN

ctypedef struct Ceiling:
    double top
    double slope

ctypedef struct Block:
    double mean         # the winner's line
    double spread
    double until        # the winner is certain while scale < until
    int ties
    int winner          # the first of them

ctypedef struct ManyArms:
    int n               # arms in use
    int shift           # a block has 2**shift arms
    int lead            # the block of the last choice
    Arm* arms
    Ceiling* ceilings   # of each block
    Block* blocks
    int* near           # blocks whose ceiling reaches the best value, during a choice


cdef inline double margin_of(double value) noexcept nogil:
    """Far above the rounding of values of this size: rewards need not be in [0, 1]."""
    return MARGIN * (1.0 + fabs(value))


cdef inline bint many_create(ManyArms* m, int capacity) noexcept nogil:
    """Room for `capacity` arms, none in use, in blocks of about half its square root; False without memory."""
    cdef int k, blocks
    m.n = 0
    m.lead = 0
    m.shift = 4
    while (1 << (2 * m.shift + 2)) < capacity:
        m.shift += 1
    blocks = (capacity >> m.shift) + 1
    m.arms = <Arm*>calloc(capacity, sizeof(Arm))
    m.ceilings = <Ceiling*>calloc(blocks, sizeof(Ceiling))
    m.blocks = <Block*>calloc(blocks, sizeof(Block))
    m.near = <int*>calloc(blocks, sizeof(int))
    if m.arms == NULL or m.ceilings == NULL or m.blocks == NULL or m.near == NULL:
        return False
    for k in range(blocks):
        m.ceilings[k].top = -INFINITY
    return True


cdef inline void many_free(ManyArms* m) noexcept nogil:
    free(m.arms)
    free(m.ceilings)
    free(m.blocks)
    free(m.near)
    m.arms = NULL
    m.ceilings = NULL
    m.blocks = NULL
    m.near = NULL


cdef inline void many_touch(ManyArms* m, int i, double scale) noexcept nogil:
    """Arm i has changed: keep the ceiling of its block above it at every scale from `scale` on."""
    cdef Ceiling* c = &m.ceilings[i >> m.shift]
    cdef Arm* arm = &m.arms[i]
    if arm.spread > c.slope:
        c.slope = arm.spread
    if arm_value(arm, scale) > c.top + scale * c.slope:
        c.top = arm_value(arm, scale) - scale * c.slope
    m.blocks[i >> m.shift].until = -1


cdef inline void many_add_untried(ManyArms* m, int n, double first_play) noexcept nogil:
    """Put `n` untried arms into use; for a bandit that has none yet."""
    cdef int i
    arms_reset(m.arms, n, first_play)
    m.n = n
    for i in range(n):
        many_touch(m, i, 0)


cdef inline void many_scan(ManyArms* m, int block, double scale) noexcept nogil:
    """Find the winner of a block, how long it is certain, and a tight ceiling."""
    cdef Block* b = &m.blocks[block]
    cdef int start = block << m.shift
    cdef int n = min(m.n - start, 1 << m.shift)
    cdef const Arm* arms = m.arms + start
    cdef int i, ties = 1, winner = 0
    cdef double gap, value, best = arm_value(&arms[0], scale), second = -INFINITY, slope = arms[0].spread
    for i in range(1, n):
        value = arm_value(&arms[i], scale)
        slope = arms[i].spread if arms[i].spread > slope else slope
        if value > second:
            if value > best:
                second = best
                best = value
                winner = i
                ties = 1
            elif arms[i].mean == arms[winner].mean and arms[i].spread == arms[winner].spread:
                ties += 1
            else:
                second = value
    b.ties = ties
    b.winner = start + winner
    b.mean = arms[winner].mean
    b.spread = arms[winner].spread
    m.ceilings[block].slope = slope
    m.ceilings[block].top = best - scale * slope
    gap = best - second - margin_of(best)
    if gap <= 0:
        b.until = -1                    # another line so near that only a look at the arms can tell
    elif slope > b.spread:
        b.until = scale + gap / (slope - b.spread)
    else:
        b.until = INFINITY


cdef inline int many_ties(ManyArms* m, int block, double scale, double best) noexcept nogil:
    """The number of arms of a block with exactly the value `best`, the largest in it."""
    cdef int i = block << m.shift
    cdef int end = min(m.n, i + (1 << m.shift))
    cdef int ties = 0
    while i < end:
        ties += arm_value(&m.arms[i], scale) == best
        i += 1
    return ties


cdef inline int many_best(ManyArms* m, double scale, Rng* rng) noexcept nogil:
    """The arm with the largest value, by the tie rule; NO_ARM if none is in use."""
    cdef int blocks = (m.n + (1 << m.shift) - 1) >> m.shift
    cdef int k, i, j, count, near = 0, lead = m.lead, ties = 0
    cdef double value, best, floor
    cdef const Ceiling* c = m.ceilings
    cdef Block* b
    if m.n == 0:
        return NO_ARM
    # The last winner's block first: it is still among the best, and the others are measured against a high
    # value.
    if scale >= m.blocks[lead].until:
        many_scan(m, lead, scale)
    best = m.blocks[lead].mean + scale * m.blocks[lead].spread
    floor = best - margin_of(best)
    for k in range(blocks):
        m.near[near] = k
        near += c[k].top + scale * c[k].slope >= floor
    for j in range(near):
        k = m.near[j]
        b = &m.blocks[k]
        if c[k].top + scale * c[k].slope + margin_of(best) >= best:     # it may have risen meanwhile
            if scale >= b.until:
                many_scan(m, k, scale)
            value = b.mean + scale * b.spread
            if value >= best:
                if value > best:
                    ties = 0
                    best = value
                ties += b.ties if scale < b.until else many_ties(m, k, scale, best)
                lead = k
    if ties > 1:
        ties = rng_below(rng, ties)
        for j in range(near):
            lead = m.near[j]
            b = &m.blocks[lead]
            if c[lead].top + scale * c[lead].slope + margin_of(best) >= best and b.mean + scale * b.spread == best:
                count = b.ties if scale < b.until else many_ties(m, lead, scale, best)
                if ties < count:
                    break
                ties -= count
        m.lead = lead
    elif scale < m.blocks[lead].until:
        m.lead = lead
        return m.blocks[lead].winner
    else:
        ties = 0
    i = lead << m.shift
    while True:
        if arm_value(&m.arms[i], scale) == best:
            if ties == 0:
                return i
            ties -= 1
        i += 1


cdef inline void many_update(ManyArms* m, int i, double reward, double scale) noexcept nogil:
    """A reward for arm i (or for a new arm, if i = n); `scale` is that of the last choice, or 0."""
    if i == m.n:
        arms_reset(&m.arms[i], 1, 0)
        m.n += 1
    arm_update(&m.arms[i], reward)
    many_touch(m, i, scale)
