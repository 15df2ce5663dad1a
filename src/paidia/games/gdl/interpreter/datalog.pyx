# distutils: language = c++
"""Tables, indexes and joins: the machine under the interpreter of rules (see datalog.pxd for its parts).

Everything is bounded: tables and terms by their size, time by the rows that are looked at; when a bound is reached the
evaluation stops and `exhausted` is set. So it does where there is no memory (`starved`): room is made before anything is
written, so that tables and terms stay whole.
"""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memset

from paidia.core.machine.alarm cimport late
from paidia.core.machine.vectors cimport fill, refill, room, vector

cdef enum:
    MOST_COLUMNS = 128      # of a row; rows live on the C stack while they are made
    MOST_STACK = 256        # terms under construction
    MOST_DEPTH = 100        # of a term inside a term; messages cannot carry more


cdef inline uint64_t mix(uint64_t h, uint64_t value) noexcept nogil:
    h = (h ^ value) * <uint64_t>0x9E3779B97F4A7C15
    return h ^ (h >> 29)


cdef inline uint64_t hash_row(const int32_t* row, int32_t n) noexcept nogil:
    cdef uint64_t h = 0
    cdef int32_t i
    for i in range(n):
        h = mix(h, <uint32_t>row[i])
    return h


cdef inline uint64_t slot_of_row(const View* view, const int32_t* row) noexcept nogil:
    """Where a row stands in its view, or the empty slot where it would."""
    cdef uint64_t mask = view.slots.size() - 1
    cdef uint64_t at = hash_row(row, view.width) & mask
    cdef const int32_t* other
    cdef int32_t i
    cdef bint same
    while view.slots[at]:
        other = view.rows.data() + (view.slots[at] - 1) * view.width
        same = True
        for i in range(view.width):
            if other[i] != row[i]:
                same = False
                break
        if same:
            return at
        at = (at + 1) & mask
    return at


cdef class Datalog:
    """Relations, rules as plans, and their evaluation."""

    def __init__(self, names, *, int64_t most_cells, int64_t most_terms, int64_t most_work):
        """Functions are the numbers of `names`, which must be sorted: the order of terms follows it."""
        cdef uint64_t h
        for name in names:
            h = 0
            for byte in name.encode():
                h = mix(h, <uint64_t>byte + 1)
            self.name_code.push_back(h)
        self.term_slots.assign(1024, 0)
        self.most_cells, self.most_terms, self.most_work = most_cells, most_terms, most_work

    cdef void starve(self) noexcept nogil:
        self.exhausted = self.starved = True

    cdef int fed(self) except -1:
        """Raise if there was no memory."""
        if self.starved:
            self.exhausted = self.starved = False
            raise MemoryError
        return 0

    # ---------------------------------------------------------------- terms

    cdef int32_t intern(self, int32_t function, int32_t n, const int32_t* args) noexcept nogil:
        cdef uint64_t h = mix(self.name_code[function], n)
        cdef uint64_t mask = self.term_slots.size() - 1
        cdef uint64_t at
        cdef int32_t i, term, other, depth = 0
        cdef bint same
        for i in range(n):
            h = mix(h, self.code[args[i]])
            depth = max(depth, self.depth[args[i]] + 1)
        at = h & mask
        while self.term_slots[at]:
            term = self.term_slots[at] - 1
            if self.code[term] == h and self.function[term] == function and self.arity[term] == n:
                same = True
                for i in range(n):
                    if self.arg[self.first_arg[term] + i] != args[i]:
                        same = False
                        break
                if same:
                    return term
            at = (at + 1) & mask
        term = <int32_t>self.function.size()
        if term >= self.most_terms or depth > MOST_DEPTH:
            self.exhausted = True
            return 0
        if not (
            room(self.function, 1) and room(self.arity, 1) and room(self.depth, 1) and room(self.first_arg, 1)
            and room(self.arg, n) and room(self.code, 1)
        ):
            self.starve()
            return 0
        if <uint64_t>term * 2 > mask:
            if not refill(self.term_slots, 2 * (mask + 1), <int32_t>0):
                self.starve()
                return 0
            mask = 2 * mask + 1
            for other in range(term):
                at = self.code[other] & mask
                while self.term_slots[at]:
                    at = (at + 1) & mask
                self.term_slots[at] = other + 1
            at = h & mask
            while self.term_slots[at]:
                at = (at + 1) & mask
        self.function.push_back(function)
        self.arity.push_back(n)
        self.depth.push_back(depth)
        self.first_arg.push_back(<int32_t>self.arg.size())
        for i in range(n):
            self.arg.push_back(args[i])
        self.code.push_back(h)
        self.term_slots[at] = term + 1
        return term

    def term(self, int32_t function, args=()):
        """The number of a term."""
        cdef vector[int32_t] numbers
        fill(numbers, args)
        if numbers.size() > MOST_STACK:
            raise OverflowError("too many arguments")
        cdef int32_t term = self.intern(function, <int32_t>numbers.size(), numbers.data())
        self.fed()
        return term

    def parts(self, int32_t term):
        """The function and the arguments of a term."""
        cdef int32_t i
        first = self.first_arg[term]
        return self.function[term], [self.arg[first + i] for i in range(self.arity[term])]

    cdef int32_t build(self, int32_t at) noexcept nogil:
        """The term that a piece of code makes of the variables."""
        cdef int32_t stack[MOST_STACK]
        cdef int32_t n = 0
        while True:
            if self.term_code[at] == 0:
                stack[n] = self.variable[self.term_code[at + 1]]
                n += 1
                at += 2
            elif self.term_code[at] == 1:
                stack[n] = self.term_code[at + 1]
                n += 1
                at += 2
            elif self.term_code[at] == 2:
                n -= self.term_code[at + 2]
                stack[n] = self.intern(self.term_code[at + 1], self.term_code[at + 2], stack + n)
                n += 1
                at += 3
            else:
                return stack[0]

    # ---------------------------------------------------------------- tables

    def new_relation(self, int32_t arity):
        """A relation; its number is also that of its base view."""
        return self._new_view(<int32_t>self.views.size(), [-1] * arity, arity)

    def new_view(self, int32_t relation, shape):
        """A view of a relation by the shape of its arguments."""
        width = sum(1 for x in shape if x == -1)
        cdef int32_t at
        view = self._new_view(relation, list(shape), width)
        self.views_of[relation].push_back(view)
        for at in range(self.views[relation].count):
            self.show(view, self.views[relation].rows.data() + at * self.views[relation].width)
        self.fed()
        return view

    def _new_view(self, int32_t relation, shape, int32_t width):
        cdef View view
        if width > MOST_COLUMNS:
            raise OverflowError("too many columns")
        view.relation, view.width, view.count, view.low, view.high = relation, width, 0, 0, 0
        fill(view.shape, shape)
        view.slots.assign(16, 0)
        self.views.push_back(view)
        self.views_of.push_back(vector[int32_t]())
        return <int32_t>self.views.size() - 1

    def new_index(self, int32_t view, columns):
        """An index of a view by some of its columns."""
        cdef Index index
        cdef int32_t number = <int32_t>self.indexes.size()
        index.view = view
        fill(index.columns, columns)
        index.heads.assign(16, 0)
        self.indexes.push_back(index)
        self.views[view].indexes.push_back(number)
        if not self.enlarge_index(number, 0):
            raise MemoryError
        return number

    cdef bint enlarge_index(self, int32_t number, int32_t more) noexcept nogil:
        """Twice as many buckets as the view has rows (and is to have), and all rows in them; False: there is no memory."""
        cdef Index* index = &self.indexes[number]
        cdef View* view = &self.views[index.view]
        cdef size_t size = 16
        cdef int32_t at
        while size < (<size_t>view.count + more) * 2 + 2:
            size *= 2
        if not room(index.links, view.count + more - index.links.size()) or not refill(index.heads, size, <int32_t>0):
            return False
        index.links.clear()
        for at in range(view.count):
            self.link(index, view.rows.data() + at * view.width)
        return True

    cdef void link(self, Index* index, const int32_t* row) noexcept nogil:
        cdef uint64_t h = 0
        cdef size_t i, bucket
        for i in range(index.columns.size()):
            h = mix(h, <uint32_t>row[index.columns[i]])
        bucket = h & (index.heads.size() - 1)
        index.links.push_back(index.heads[bucket])
        index.heads[bucket] = <int32_t>index.links.size()

    cdef bint enlarge(self, int32_t number) noexcept nogil:
        """Room in the hash set for twice as many rows; False: there is no memory."""
        cdef View* view = &self.views[number]
        cdef uint64_t mask, at
        cdef int32_t row
        if not refill(view.slots, view.slots.size() * 4, <int32_t>0):
            return False
        mask = view.slots.size() - 1
        for row in range(view.count):
            at = hash_row(view.rows.data() + row * view.width, view.width) & mask
            while view.slots[at]:
                at = (at + 1) & mask
            view.slots[at] = row + 1
        return True

    cdef bint make_room(self, int32_t number) noexcept nogil:
        """For one more row in a view and its indexes."""
        cdef View* view = &self.views[number]
        cdef Index* index
        cdef size_t k
        if not room(view.rows, view.width):
            return False
        if (<uint64_t>view.count + 1) * 2 > view.slots.size() - 1 and not self.enlarge(number):
            return False
        for k in range(view.indexes.size()):
            index = &self.indexes[view.indexes[k]]
            if <size_t>view.count + 1 > index.heads.size():
                if not self.enlarge_index(view.indexes[k], 1):
                    return False
            elif not room(index.links, 1):
                return False
        return True

    cdef bint add_row(self, int32_t number, const int32_t* row) noexcept nogil:
        """Whether the row is new to the view."""
        cdef View* view = &self.views[number]
        cdef uint64_t at = slot_of_row(view, row)
        cdef int32_t i
        cdef size_t k, slots
        if view.slots[at]:
            return False
        if self.cells + view.width >= self.most_cells:
            self.exhausted = True
            return False
        slots = view.slots.size()
        if not self.make_room(number):
            self.starve()
            return False
        if view.slots.size() != slots:
            at = slot_of_row(view, row)
        self.cells += view.width + 1
        for i in range(view.width):
            view.rows.push_back(row[i])
        view.count += 1
        view.slots[at] = view.count
        for k in range(view.indexes.size()):
            self.link(&self.indexes[view.indexes[k]], row)
        return True

    cdef int32_t unfold(self, const View* view, int32_t at, int32_t term, int32_t* out, int32_t* n) noexcept nogil:
        """Write the columns that a term has in a shape; where in the shape to go on, or -1 where it does not fit."""
        cdef int32_t i, arity
        if view.shape[at] == -1:
            out[n[0]] = term
            n[0] += 1
            return at + 1
        arity = view.shape[at + 1]
        if self.function[term] != view.shape[at] or self.arity[term] != arity:
            return -1
        at += 2
        for i in range(arity):
            at = self.unfold(view, at, self.arg[self.first_arg[term] + i], out, n)
            if at < 0:
                return -1
        return at

    cdef void show(self, int32_t number, const int32_t* row) noexcept nogil:
        """Enter a row of a relation into one of its views, if it has the view's shape."""
        cdef int32_t columns[MOST_COLUMNS]
        cdef const View* view = &self.views[number]
        cdef int32_t n = 0, at = 0, i
        for i in range(self.views[view.relation].width):
            at = self.unfold(view, at, row[i], columns, &n)
            if at < 0:
                return
        self.add_row(number, columns)

    cdef bint insert(self, int32_t relation, const int32_t* row) noexcept nogil:
        cdef size_t i
        if not self.add_row(relation, row):
            return False
        for i in range(self.views_of[relation].size()):
            self.show(self.views_of[relation][i], row)
        return True

    def add(self, int32_t relation, row):
        """Enter a row."""
        cdef vector[int32_t] numbers
        fill(numbers, row)
        self.insert(relation, numbers.data())
        self.fed()

    def table(self, int32_t relation):
        """All rows of a relation."""
        cdef View* view = &self.views[relation]
        cdef int32_t i, k
        return [tuple([view.rows[i * view.width + k] for k in range(view.width)]) for i in range(view.count)]

    def statistics(self, int32_t view):
        """Number of rows, and of different values in each column."""
        cdef View* table = &self.views[view]
        cdef int32_t i, k
        return table.count, [
            len({table.rows[i * table.width + k] for i in range(table.count)}) for k in range(table.width)
        ]

    cdef void clear(self, int32_t relation) noexcept nogil:
        cdef size_t i
        self.clear_view(relation)
        for i in range(self.views_of[relation].size()):
            self.clear_view(self.views_of[relation][i])

    cdef void clear_view(self, int32_t number) noexcept nogil:
        cdef View* view = &self.views[number]
        cdef Index* index
        cdef size_t i
        if view.count == 0:
            return
        self.cells -= view.count * (view.width + 1)
        view.rows.clear()
        view.count = view.low = view.high = 0
        memset(view.slots.data(), 0, view.slots.size() * sizeof(int32_t))
        for i in range(view.indexes.size()):
            index = &self.indexes[view.indexes[i]]
            memset(index.heads.data(), 0, index.heads.size() * sizeof(int32_t))
            index.links.clear()

    cdef int32_t rows(self, int32_t relation) noexcept nogil:
        return self.views[relation].count

    cdef const int32_t* row(self, int32_t relation, int32_t at) noexcept nogil:
        return self.views[relation].rows.data() + at * self.views[relation].width

    # ---------------------------------------------------------------- plans

    def new_code(self, operations):
        """Code that builds a term; operations as in datalog.pxd, without the end."""
        cdef int32_t at = <int32_t>self.term_code.size()
        operations = list(operations)
        if len(operations) > MOST_STACK:
            raise OverflowError("a term with too many parts")
        for operation in operations:
            for number in operation:
                self.term_code.push_back(number)
        self.term_code.push_back(3)
        return at

    def new_plan(self, int32_t relation, steps, head, *, int cut, int delta, bint buffered, int n_variables):
        """A plan; a step is (kind, view, index, columns) or (kind, left code, right code)."""
        cdef Plan plan
        cdef Step step
        plan.relation, plan.arity, plan.cut, plan.delta, plan.buffered = relation, len(head), cut, delta, buffered
        fill(plan.head, head)
        for kind, *rest in steps:
            step.kind = kind
            if kind in (DIFFERENT, SAME):
                step.view = step.index = -1
                step.first, step.n = rest
            else:
                step.view, step.index, columns = rest
                step.first = <int32_t>self.column_kind.size()
                step.n = <int32_t>len(columns)
                for column, value in columns:
                    self.column_kind.push_back(column)
                    self.column_value.push_back(value)
            plan.steps.push_back(step)
        step.kind, step.view, step.index, step.first, step.n = EMIT, -1, -1, 0, 0
        plan.steps.push_back(step)
        while <int32_t>self.variable.size() < n_variables:
            self.variable.push_back(0)
        self.plans.push_back(plan)
        return <int32_t>self.plans.size() - 1

    cdef bint has(self, int32_t number, const int32_t* row) noexcept nogil:
        cdef View* view = &self.views[number]
        return view.slots[slot_of_row(view, row)] != 0

    cdef bint matches(self, const Step* step, const int32_t* row) noexcept nogil:
        """Compare a row with what is known and give values to variables that have none."""
        cdef int32_t i, kind, value
        for i in range(step.n):
            kind = self.column_kind[step.first + i]
            value = self.column_value[step.first + i]
            if kind == FREE:
                self.variable[value] = row[i]
            elif row[i] != (value if kind == CONSTANT else self.variable[value]):
                return False
        return True

    cdef bint run(self, const Plan* plan, int32_t at) noexcept nogil:
        """Run a plan from one of its steps on; whether its head was reached."""
        cdef const Step* step = &plan.steps[at]
        cdef int32_t row[MOST_COLUMNS]
        cdef int32_t i, end
        cdef uint64_t h = 0
        cdef size_t k
        cdef bint found = False
        cdef const Index* index
        if step.kind == EMIT:
            for i in range(plan.arity):
                row[i] = self.build(plan.head[i])
            if plan.buffered and not room(self.pending, plan.arity + 1):
                self.starve()
            elif plan.buffered:
                for i in range(plan.arity):
                    self.pending.push_back(row[i])
                if plan.arity == 0:
                    self.pending.push_back(0)
            else:
                self.insert(plan.relation, row)
            return True
        if step.kind == DIFFERENT or step.kind == SAME:
            return (self.build(step.first) == self.build(step.n)) == (step.kind == SAME) and self.run(plan, at + 1)
        if step.kind == EXISTS or step.kind == ABSENT:
            for i in range(step.n):
                row[i] = self.column_value[step.first + i]
                if self.column_kind[step.first + i] != CONSTANT:
                    row[i] = self.variable[row[i]]
            self.work += 1
            return self.has(step.view, row) == (step.kind == EXISTS) and self.run(plan, at + 1)
        if step.kind == SCAN:
            i, end = 0, self.views[step.view].count
            if plan.delta == at:
                i, end = self.views[step.view].low, self.views[step.view].high
            while i < end:
                self.work += 1
                if self.matches(step, self.row(step.view, i)) and self.run(plan, at + 1):
                    found = True
                    if at >= plan.cut:
                        break
                if self.exhausted:
                    break
                i += 1
        else:
            index = &self.indexes[step.index]
            for k in range(index.columns.size()):
                i = self.column_value[step.first + index.columns[k]]
                if self.column_kind[step.first + index.columns[k]] != CONSTANT:
                    i = self.variable[i]
                h = mix(h, <uint32_t>i)
            i = index.heads[h & (index.heads.size() - 1)]
            while i:
                self.work += 1
                if self.matches(step, self.row(step.view, i - 1)) and self.run(plan, at + 1):
                    found = True
                    if at >= plan.cut:
                        break
                if self.exhausted:
                    break
                i = index.links[i - 1]
        if self.work > self.most_work:
            self.exhausted = True
        if self.work > self.next_look:      # some tenths of a millisecond after the last time
            self.next_look = self.work + 20000
            if late():
                self.exhausted = self.late = True
        return found

    cdef void evaluate(self, int32_t number) noexcept nogil:
        """Run one plan; its new rows are in the tables afterwards."""
        cdef const Plan* plan = &self.plans[number]
        cdef size_t at = 0, width = max(plan.arity, 1)
        if self.exhausted:
            return
        self.run(plan, 0)
        while at < self.pending.size():
            self.insert(plan.relation, self.pending.data() + at)
            at += width
        self.pending.clear()

    cdef void close(self, const vector[int32_t]& first, const vector[int32_t]& again) noexcept nogil:
        """Run plans; then run those of `again`, each on the rows that are new to its delta step, until there are none."""
        cdef size_t i
        cdef View* view
        cdef bint more = again.size() > 0
        for i in range(again.size()):
            view = &self.views[self.plans[again[i]].steps[self.plans[again[i]].delta].view]
            view.low = view.high = view.count
        for i in range(first.size()):
            self.evaluate(first[i])
        while more and not self.exhausted:
            more = False
            for i in range(again.size()):
                view = &self.views[self.plans[again[i]].steps[self.plans[again[i]].delta].view]
                if view.count > view.high:
                    more = True
            self.advance(again)
            for i in range(again.size()):
                view = &self.views[self.plans[again[i]].steps[self.plans[again[i]].delta].view]
                if view.low < view.high:
                    self.evaluate(again[i])

    cdef void advance(self, const vector[int32_t]& again) noexcept nogil:
        """What was added in the last round is new in this one."""
        cdef size_t i, k
        cdef View* view
        cdef int32_t number
        cdef bint seen
        for i in range(again.size()):
            number = self.plans[again[i]].steps[self.plans[again[i]].delta].view
            seen = False
            for k in range(i):
                if self.plans[again[k]].steps[self.plans[again[k]].delta].view == number:
                    seen = True
            if not seen:
                view = &self.views[number]
                view.low = view.high
                view.high = view.count

    def fill(self, first, again):
        """`close` for rules that are evaluated once and for all."""
        cdef vector[int32_t] a, b
        fill(a, first)
        fill(b, again)
        with nogil:
            self.close(a, b)
        self.fed()
        return not self.exhausted
