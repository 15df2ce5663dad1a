# Datalog by joins: relations as tables of numbered terms, rules as plans that a small machine runs.
#
# A relation's rows stand in one base view (a column for each argument) and in one view for every shape in which a rule
# looks at it: `(true (cell ?x ?y b))` reads the view of `true` whose columns are the three arguments of `cell`.

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from paidia.core.machine.vectors cimport vector

cdef enum Kind:
    SCAN            # for each row
    PROBE           # for each row that an index finds
    EXISTS          # go on if the row is there
    ABSENT          # go on if it is not
    DIFFERENT       # go on if two terms differ
    SAME            # go on if they do not
    EMIT            # the head holds

cdef enum Column:
    CONSTANT        # a term
    BOUND           # a variable that has a value
    FREE            # a variable that gets its value here
    AGAIN           # a variable that got its value in an earlier column of this row

cdef struct Step:
    int32_t kind
    int32_t view
    int32_t index
    int32_t first   # of its columns in the pool; for DIFFERENT and SAME the code of the left term
    int32_t n       # number of columns; for DIFFERENT and SAME the code of the right term

cdef cppclass View:
    int32_t relation
    int32_t width
    vector[int32_t] shape       # pre-order: -1 for a column, or function and number of arguments
    vector[int32_t] rows
    int32_t count
    vector[int32_t] slots       # hash set: number of a row + 1
    vector[int32_t] indexes
    int32_t low, high           # the rows that are new in this round of a recursion

cdef cppclass Index:
    int32_t view
    vector[int32_t] columns
    vector[int32_t] heads       # bucket -> number of the last row + 1
    vector[int32_t] links       # row -> the row before it in its bucket + 1

cdef cppclass Plan:
    int32_t relation            # of the head
    int32_t arity
    int32_t cut                 # from this step on one way is enough: all variables of the head have values
    int32_t delta               # the step that reads new rows only, or -1
    bint buffered               # the head's relation is read by the plan itself
    vector[Step] steps
    vector[int32_t] head        # where the code of each argument begins


cdef class Datalog:
    # Terms: a function (or constant) and its arguments; equal terms have equal numbers.
    cdef vector[int32_t] function
    cdef vector[int32_t] arity
    cdef vector[int32_t] depth
    cdef vector[int32_t] first_arg
    cdef vector[int32_t] arg
    cdef vector[uint64_t] code          # a hash that depends on the names only, not on the numbers
    cdef vector[uint64_t] name_code     # of every function
    cdef vector[int32_t] term_slots

    cdef vector[View] views
    cdef vector[vector[int32_t]] views_of     # of a relation, its base view left out
    cdef vector[Index] indexes
    cdef vector[Plan] plans
    cdef vector[int32_t] column_kind, column_value
    cdef vector[int32_t] term_code      # postfix: (0, variable), (1, term), (2, function, arguments), (3,): the end
    cdef vector[int32_t] variable       # values while a plan runs
    cdef vector[int32_t] pending        # heads that wait until their plan is done

    cdef int64_t work, most_work        # rows looked at since the last reset, and how many may be
    cdef int64_t cells, most_cells      # numbers in all tables, and how many may be
    cdef int64_t most_terms
    cdef int64_t next_look              # work after which the time is looked at
    cdef bint exhausted
    cdef bint late                      # and that because time was up (core/alarm)
    cdef bint starved                   # .. or because there was no memory

    cdef void starve(self) noexcept nogil
    cdef int fed(self) except -1
    cdef int32_t intern(self, int32_t function, int32_t n, const int32_t* args) noexcept nogil
    cdef int32_t build(self, int32_t at) noexcept nogil
    cdef bint insert(self, int32_t relation, const int32_t* row) noexcept nogil
    cdef bint add_row(self, int32_t view, const int32_t* row) noexcept nogil
    cdef bint enlarge(self, int32_t view) noexcept nogil
    cdef bint enlarge_index(self, int32_t index, int32_t more) noexcept nogil
    cdef bint make_room(self, int32_t view) noexcept nogil
    cdef int32_t unfold(self, const View* view, int32_t at, int32_t term, int32_t* out, int32_t* n) noexcept nogil
    cdef bint has(self, int32_t view, const int32_t* row) noexcept nogil
    cdef bint matches(self, const Step* step, const int32_t* row) noexcept nogil
    cdef void show(self, int32_t view, const int32_t* row) noexcept nogil
    cdef void link(self, Index* index, const int32_t* row) noexcept nogil
    cdef void clear_view(self, int32_t view) noexcept nogil
    cdef void advance(self, const vector[int32_t]& again) noexcept nogil
    cdef void clear(self, int32_t relation) noexcept nogil
    cdef bint run(self, const Plan* plan, int32_t at) noexcept nogil
    cdef void evaluate(self, int32_t plan) noexcept nogil
    cdef void close(self, const vector[int32_t]& first, const vector[int32_t]& again) noexcept nogil
    cdef int32_t rows(self, int32_t relation) noexcept nogil
    cdef const int32_t* row(self, int32_t relation, int32_t at) noexcept nogil
