# How long a search may think: simulations (science), or seconds (play). A search asks before every simulation whether there
# is time for one more.

from libc.stdint cimport int64_t

from paidia.core.machine.now cimport now

ctypedef struct Clock:
    int64_t limit           # simulations; 0: no such limit
    int64_t done            # simulations begun so far
    double began
    double deadline         # 0: nobody looks at the time
    bint strict             # real time: end before the deadline, by as long as simulations may take, not after it
    double last             # when it was looked at last
    double longest          # seconds between two looks, at most so far
    int64_t stride          # simulations between two looks
    int64_t next_look
    bint looked             # just now


cdef inline void clock_start(
    Clock* clock, int64_t simulations, double seconds, double kept_back, bint strict,
) noexcept nogil:
    clock.limit = simulations
    clock.done = 0
    clock.began = clock.last = now()
    clock.deadline = clock.began + seconds - kept_back if seconds > 0 else 0.0
    clock.strict = strict
    clock.longest = 0.0
    clock.stride = 1
    clock.next_look = 0
    clock.looked = False


cdef inline bint clock_go_on(Clock* clock) noexcept nogil:
    """Whether one more simulation may begin; if so it is counted.

    The time is looked at about every 50 microseconds, however fast the game is.
    """
    cdef double time
    if clock.limit > 0 and clock.done >= clock.limit:
        return False
    clock.looked = clock.done >= clock.next_look
    if clock.looked:
        time = now()
        if clock.done > 0:
            clock.longest = max(clock.longest, time - clock.last)
            if time - clock.last < 50e-6 and clock.stride < 4096:
                clock.stride *= 2
            elif time - clock.last > 100e-6 and clock.stride > 1:
                clock.stride //= 2
        clock.last = time
        clock.next_look = clock.done + clock.stride
        if clock.deadline > 0 and clock.done > 0 and time + (clock.longest if clock.strict else 0.0) >= clock.deadline:
            return False
    clock.done += 1
    return True


cdef inline bint clock_late(const Clock* clock) noexcept nogil:
    """Whether the time is up: for work inside or before the simulations that can be cut short."""
    return clock.deadline > 0 and now() >= clock.deadline
