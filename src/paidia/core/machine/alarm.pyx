# distutils: extra_compile_args = -O1
"""Limits on what a thread does, and a bell that another thread can ring.

    with Alarm(seconds=1.0) as alarm:   # wall-clock time; Alarm(cpu=1.0): CPU time of this thread
        ...                             # code that takes long calls check(), kernels late(); alarm.ring() ends it sooner

Python cannot stop a thread from outside, so whoever takes long asks. An alarm inside an alarm ends with the first of the two.
"""

from paidia.core.errors import OutOfTime

__all__ = ["Alarm", "check"]

cdef extern from *:
    """
    #ifdef _WIN32
    #include <windows.h>
    static double alarm_wall(void) {
        LARGE_INTEGER count, frequency;
        QueryPerformanceCounter(&count);
        QueryPerformanceFrequency(&frequency);
        return (double)count.QuadPart / (double)frequency.QuadPart;
    }
    static double alarm_cpu(void) {
        FILETIME a, b, kernel, user;
        GetThreadTimes(GetCurrentThread(), &a, &b, &kernel, &user);
        return 1e-7 * (4294967296.0 * ((double)kernel.dwHighDateTime + (double)user.dwHighDateTime)
                       + (double)kernel.dwLowDateTime + (double)user.dwLowDateTime);
    }
    #else
    #include <time.h>
    static double alarm_time(clockid_t clock) {
        struct timespec t;
        clock_gettime(clock, &t);
        return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
    }
    static double alarm_wall(void) { return alarm_time(CLOCK_MONOTONIC); }
    static double alarm_cpu(void) { return alarm_time(CLOCK_THREAD_CPUTIME_ID); }
    #endif
    #ifdef _MSC_VER
    static __declspec(thread) void* alarm_here;
    #else
    static __thread void* alarm_here;
    #endif
    """
    double alarm_wall() noexcept nogil
    double alarm_cpu() noexcept nogil
    void* alarm_here


cdef class Alarm:
    """A limit for the thread that enters it.

    Args:
        seconds: Wall-clock time; 0 for no such limit.
        cpu: CPU time of the thread; 0 for no such limit.
    """

    def __init__(self, *, double seconds=0.0, double cpu=0.0):
        self.seconds, self.cpu = seconds, cpu

    def ring(self):
        """Time is up now, whatever the limits say; any thread may ring, also before the alarm is entered."""
        self.bell.rung = True

    @property
    def rung(self):
        """Whether somebody rang."""
        return self.bell.rung

    def __enter__(self):
        if self.entered:
            raise RuntimeError("an alarm is entered once at a time")
        self.entered = True
        self.bell.wall = alarm_wall() + self.seconds if self.seconds > 0 else 0.0
        self.bell.cpu = alarm_cpu() + self.cpu if self.cpu > 0 else 0.0
        self.bell.outer = <Bell*>alarm_here
        global alarm_here
        alarm_here = &self.bell
        return self

    def __exit__(self, *error):
        global alarm_here
        alarm_here = self.bell.outer
        self.entered = False


cdef bint late() noexcept nogil:
    cdef const Bell* bell = <const Bell*>alarm_here
    while bell != NULL:
        if bell.rung or (bell.wall > 0 and alarm_wall() >= bell.wall) or (bell.cpu > 0 and alarm_cpu() >= bell.cpu):
            return True
        bell = bell.outer
    return False


cdef bint called_off() noexcept nogil:
    cdef const Bell* bell = <const Bell*>alarm_here
    while bell != NULL:
        if bell.rung:
            return True
        bell = bell.outer
    return False


cdef Bell* bell_here() noexcept nogil:
    return <Bell*>alarm_here


cdef void hear(Bell* bell) noexcept nogil:
    global alarm_here
    alarm_here = bell


def check():
    """Raise `OutOfTime` if time is up for this thread."""
    if late():
        raise OutOfTime(called_off())
