# How long a search may think in one tick: simulations (science), or seconds (play). A search asks before every
# simulation whether there is time for one more.

from libc.stdint cimport int64_t

from paidia.search.clock cimport now

ctypedef struct TickClock:
    int64_t limit           # simulations; 0: no such limit
    int64_t done            # simulations begun so far
    double began
    double deadline         # 0: nobody looks at the time
    double longest          # seconds of the slowest simulation of this tick
    double last             # when the present simulation began


cdef inline void clock_start(TickClock* clock, int64_t simulations, double seconds) noexcept nogil:
    clock.limit = simulations
    clock.done = 0
    clock.began = clock.last = now()
    clock.longest = 0.0
    # An eighth is kept back, at most 5 ms: for what happens outside the search, and because the system may give the
    # core to something else for one slice of 4 ms. Measured: with 2 ms kept back 0.4 % of the ticks took over 40 ms.
    clock.deadline = clock.began + seconds - min(seconds / 8, 0.005) if seconds > 0 else 0.0


cdef inline bint clock_go_on(TickClock* clock) noexcept nogil:
    """Whether one more simulation may begin; if so it is counted."""
    cdef double time
    if clock.limit > 0 and clock.done >= clock.limit:
        return False
    if clock.deadline > 0:
        time = now()
        if clock.done > 0 and time - clock.last > clock.longest:
            clock.longest = time - clock.last
        clock.last = time
        if time + clock.longest >= clock.deadline:
            return False
    clock.done += 1
    return True


cdef inline bint clock_late(const TickClock* clock) noexcept nogil:
    """Whether the time is up: for work inside or before the simulations that can be cut short."""
    return clock.deadline > 0 and now() >= clock.deadline
