# Lane programs on the processor, for kernels that drive them.

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t


cdef extern from "paidia/games/gdl/lanes/processor/lanes.h" nogil:
    ctypedef struct LanesOp:
        int32_t op, to, a, b, c, d
    ctypedef void (*LanesCode)(void* planes) noexcept nogil
    ctypedef struct LanesRoutine:
        const LanesOp* ops
        int32_t n_ops
        LanesCode code
    ctypedef struct LanesGame:
        LanesRoutine look, move, goals
        int32_t n_fluents, n_random, over, counts, n_counts, goals_at, n_goals, n_roles, step_planes, goal_planes
        const int32_t* count_weight
        const int32_t* goal_role
        const double* goal_value
        const uint8_t* initial
    ctypedef struct LanesTally:
        int64_t games, steps, cut, shortest, longest, decisions, legal
        double square
        int64_t* goal_count
        double* goal_sum
        double* goal_square
        double* goal_best
    ctypedef struct LanesWidth:
        const char* name
        int32_t lanes
        int (*play)(const LanesGame*, const uint64_t*, const int32_t*, int64_t, LanesTally*) noexcept nogil
        void (*run)(const LanesRoutine*, void*) noexcept nogil
        void (*draw)(uint64_t*, void*, int) noexcept nogil
    int lanes_widths(LanesWidth* out)


cdef class Engine:
    cdef readonly object program
    cdef readonly int lanes
    cdef readonly str name
    cdef readonly dict planes
    cdef LanesWidth width
    cdef LanesGame game
    cdef LanesRoutine leaf_look, leaf_move, look_all, play_moves
    cdef list kept
    cdef object native

    cdef int assign(self, LanesRoutine* routine, packed, int first) except -1
    cdef int load(self, LanesRoutine* routine, str name, int part, ordered) except -1
    cdef LanesRoutine* routine(self, str name) except NULL
