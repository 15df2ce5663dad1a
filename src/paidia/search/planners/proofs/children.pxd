# The moves at a position, with the numbers of what they lead to, and what follows from them for the position.
#
# `own`: the role whose proof it is moves here, so one move is enough; else all must be answered.

from libc.stdint cimport int64_t, uint32_t, uint64_t

from paidia.core.model cimport move_t
from paidia.search.planners.proofs.table cimport NEVER, Numbers

cdef enum:
    FOCUS = 4

ctypedef struct Child:
    uint64_t key
    move_t joint[2]
    Numbers numbers
    int64_t work


cdef inline uint32_t way(const Child* child, bint own) noexcept nogil:
    """How far the answer is that settles the position: a proof where one move is enough, a disproof where all are needed."""
    return child.numbers.proof if own else child.numbers.disproof


cdef inline Child* bring_forward(Child* children, int n, bint own) noexcept nogil:
    """The nearest changes places with the first."""
    cdef Child one
    cdef int i, best = 0
    for i in range(1, n):
        if way(&children[i], own) < way(&children[best], own):
            best = i
    if best > 0:
        one = children[0]
        children[0] = children[best]
        children[best] = one
    return children


cdef inline void sort(Child* children, int n, bint own) noexcept nogil:
    """The nearest first; equal ones stay in order."""
    cdef Child one
    cdef int i, k
    cdef uint32_t number
    for i in range(1, n):
        one = children[i]
        number = way(&one, own)
        k = i
        while k > 0 and way(&children[k - 1], own) > number:
            children[k] = children[k - 1]
            k -= 1
        children[k] = one


cdef inline Numbers numbers_of(const Child* children, int n, bint own, int* best, uint32_t* second) noexcept nogil:
    """The numbers of a position from those of its children, the child to go on with, and the number of the next best.

    Only the first of the children that are not refuted count, a quarter of them: with all of them a position with many moves
    looks far from any answer.
    """
    cdef Numbers now
    cdef uint32_t least = NEVER + 1, next = NEVER, each, other
    cdef uint64_t total = 0
    cdef int i, alive = 0
    best[0] = 0
    for i in range(n):
        alive += way(&children[i], own) < NEVER
    alive = 1 + alive // FOCUS
    for i in range(n):
        each = way(&children[i], own)
        if each >= NEVER:
            continue
        other = way(&children[i], not own)
        total += other
        if each < least:
            next = min(<uint32_t>NEVER, least)
            least = each
            best[0] = i
        elif each < next:
            next = each
        alive -= 1
        if alive == 0:
            break
    least = min(least, <uint32_t>NEVER)
    second[0] = next
    if least == 0:
        total = NEVER
    total = min(total, <uint64_t>NEVER)
    now.proof = least if own else <uint32_t>total
    now.disproof = <uint32_t>total if own else least
    return now
