# A limit on what a thread does, seen by code that takes long for one thing: slow games, the reading and building of rules.

cdef struct Bell:
    double wall             # monotonic time at which it rings, 0: never
    double cpu              # CPU time of the thread at which it rings, 0: never
    bint rung               # somebody rang it
    Bell* outer             # what limits the thread around this one


cdef class Alarm:
    cdef Bell bell
    cdef double seconds, cpu
    cdef bint entered


# Whether time is up for this thread. It costs 30 ns (with a limit on CPU time 200), so ask at most once a microsecond.
cdef bint late() noexcept nogil
# Whether somebody rang; the rest of `late` is a question of patience.
cdef bint called_off() noexcept nogil
# What limits this thread, NULL if nothing does; and let a thread that works for another one hear what limits that one.
cdef Bell* bell_here() noexcept nogil
cdef void hear(Bell* bell) noexcept nogil
