# Calls into a state written in Python from a kernel that holds no lock and knows no exceptions: what one raises is kept, and the
# search that asked is told later (`Situation.fail`). Part of python_game.pyx and python_arcade.pyx.

from paidia.core.machine.alarm cimport called_off, late

from paidia.core.errors import OutOfTime


cdef inline void guarded_assign(Situation state, Situation other) noexcept nogil:
    with gil:
        try:
            state.assign(other)
        except BaseException as error:
            state.fail(error)


cdef inline void guarded_reseed(Situation state, uint64_t seed) noexcept nogil:
    with gil:
        try:
            state.reseed(seed)
        except BaseException as error:
            state.fail(error)


cdef inline uint64_t guarded_key(Situation state) noexcept nogil:
    cdef uint64_t key = 0
    with gil:
        try:
            key = <uint64_t>(hash(state.hash_key()) & 0xFFFFFFFFFFFFFFFF)
        except BaseException as error:
            state.fail(error)
    return key


cdef inline int check_time() except -1:
    """Between two moves is where a slow game can be stopped."""
    if late():
        raise OutOfTime(called_off())
    return 0
