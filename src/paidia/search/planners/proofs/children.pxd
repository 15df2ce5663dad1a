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


cdef inline bint refuted(const Child* child, bint own) noexcept nogil:
    """Whether a move is not the one that settles the position."""
    return way(child, not own) == 0


cdef inline void spread(Child* children, int n, int mover, bint own, uint64_t needed) noexcept nogil:
    """What refutes one move refutes all that do not touch the cells it needs."""
    cdef int i
    for i in range(n):
        if not (children[i].numbers.proof == 0 or children[i].numbers.disproof == 0
                or (needed >> children[i].joint[mover]) & 1):
            children[i].numbers.proof = NEVER if own else 0
            children[i].numbers.disproof = 0 if own else NEVER
            children[i].numbers.needed = needed


cdef inline uint64_t needed_by(const Child* children, int n, int mover, bint own, bint all) noexcept nogil:
    """The cells that the answer to a position rests on.

    Of the move that settles it: its cell, and those needed after it. Else those needed against any move; if some were left out,
    because they lose to one of the moves that are here (not `all`), these too.
    """
    cdef uint64_t needed = 0, cell
    cdef int i
    for i in range(n):
        cell = <uint64_t>1 << children[i].joint[mover]
        if way(&children[i], own) == 0:
            return cell | children[i].numbers.needed
        needed |= children[i].numbers.needed
        if not all:
            needed |= cell
    return needed


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
    # However large, a sum is no answer: `NEVER` is said only with a 0 beside it.
    total = <uint64_t>NEVER if least == 0 else min(total, <uint64_t>NEVER - 1)
    now.proof = least if own else <uint32_t>total
    now.disproof = <uint32_t>total if own else least
    now.needed = 0
    return now
