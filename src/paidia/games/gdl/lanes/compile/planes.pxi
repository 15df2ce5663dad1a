# Operations over values become operations over planes, in the order and form in which back ends read them: part of schedule.pyx.

def pack(const int32_t[:, ::1] rows, int width):
    """Operations over planes as the kernel reads them (lanes.h): runs of equal ones behind a row that tells how many.

    Sum and carry of an adder become one operation; every part ends with a stop.

    Args:
        rows: Operations, as `allocate` returns them.
        width: Bytes of a plane.

    Returns:
        The rows, and where each part begins.
    """
    cdef int32_t n = <int32_t>rows.shape[0], i = 0, at = 0, k, op, header = -1
    out = np.zeros((2 * n + 2, 6), np.int32)
    cdef int32_t[:, ::1] view = out
    parts = [0]
    while i < n:
        op = rows[i, 0]
        if op == O_MARK or op == O_LOOP or op == O_END:
            view[at, 0] = STOP if op == O_MARK else op
            at += 1
            if op == O_MARK:
                parts.append(at)
            header = -1
            i += 1
            continue
        if is_adder(rows, i):
            op = ADD if rows[i + 1, 0] == O_MAJORITY else ADD_NOT
        if header < 0 or view[header, 0] != op:
            header = at
            view[at, 0] = op
            at += 1
        view[header, 1] += 1
        view[at, 0] = op
        view[at, 1] = rows[i, 1] * width
        if op >= ADD:
            i += 1
            view[at, 5] = rows[i, 1] * width
        for k in range(2, 5):
            view[at, k] = rows[i, k] * width
        i += 1
        at += 1
    view[at, 0] = STOP
    return out[:at + 1].copy(), parts


cdef bint is_adder(const int32_t[:, ::1] rows, int32_t i):
    """Whether rows i and i + 1 are sum and carry of the same bits."""
    cdef int32_t j, k, same = 0
    if rows[i, 0] != O_XOR3 or i + 1 >= rows.shape[0] or not O_MAJORITY <= rows[i + 1, 0] <= O_MAJORITY_NOT:
        return False
    for j in range(2, 5):
        for k in range(2, 5):
            same += rows[i, j] == rows[i + 1, k]
    return same == 3


def in_runs(const int32_t[:, ::1] rows, int n_inputs, int window):
    """The operations in another order, in which equal ones stand together: an interpreter has less to decide then.

    Args:
        rows: Operations over values.
        n_inputs: Values that are inputs.
        window: How many operations are reordered among themselves; more makes longer runs and keeps more values alive.
    """
    cdef int32_t n = <int32_t>rows.shape[0], i, k, m, u, at = 0, start = 0, stop, n_units, key, best, value
    cdef vector[int32_t] first, size, keys, open_, maker
    cdef vector[vector[int32_t]] readers, ready, plane_readers
    cdef int32_t read[3]
    out = np.empty((n, 5), np.int32)
    cdef int32_t[:, ::1] view = out
    cdef int32_t n_values = n_inputs
    for i in range(n):
        if makes(rows[i, 0]):
            n_values = max(n_values, rows[i, 1] + 1)
    maker.assign(n_values, -1)          # by value: the unit of the window that makes it
    ready.resize(STOP + 1)
    plane_readers.resize(n_inputs)
    while start < n:
        if not movable(rows[start, 0]):
            for k in range(5):
                view[at, k] = rows[start, k]
            at += 1
            start += 1
            continue
        # Units: an operation, or sum and carry of an adder, with what leaves straight from it.
        first.clear()
        size.clear()
        keys.clear()
        i = start
        while i < n and movable(rows[i, 0]) and <int32_t>first.size() < window:
            first.push_back(i)
            keys.push_back(rows[i, 0])
            if is_adder(rows, i):
                keys[keys.size() - 1] = ADD
                i += 1
            while i + 1 < n and makes(rows[i, 0]) and rows[i + 1, 0] == O_OUT and rows[i + 1, 2] == rows[i, 1]:
                i += 1
            size.push_back(i + 1 - first.back())
            i += 1
        stop = i
        n_units = <int32_t>first.size()
        readers.clear()
        readers.resize(n_units)
        open_.assign(n_units, 0)
        for u in range(n_units):
            for i in range(first[u], first[u] + size[u]):
                m = operands(&rows[i, 0], read)
                for k in range(m):
                    value = read[k]
                    if maker[value] >= 0 and maker[value] != u:
                        readers[maker[value]].push_back(u)
                        open_[u] += 1
                    if value < n_inputs:
                        plane_readers[value].push_back(u)
                if makes(rows[i, 0]):
                    maker[rows[i, 1]] = u
                elif rows[i, 3] < n_inputs:         # an input plane is overwritten when all have read it
                    for k in range(<int32_t>plane_readers[rows[i, 3]].size()):
                        if plane_readers[rows[i, 3]][k] != u:
                            readers[plane_readers[rows[i, 3]][k]].push_back(u)
                            open_[u] += 1
        for u in range(n_units - 1, -1, -1):
            if open_[u] == 0:
                ready[keys[u]].push_back(u)
        while True:
            best = -1
            for key in range(STOP + 1):
                if ready[key].size() and (best < 0 or ready[key].size() > ready[best].size()):
                    best = key
            if best < 0:
                break
            while ready[best].size():
                u = ready[best].back()
                ready[best].pop_back()
                for i in range(first[u], first[u] + size[u]):
                    for k in range(5):
                        view[at, k] = rows[i, k]
                    at += 1
                for k in range(<int32_t>readers[u].size()):
                    open_[readers[u][k]] -= 1
                    if open_[readers[u][k]] == 0:
                        ready[keys[readers[u][k]]].push_back(readers[u][k])
        for i in range(start, stop):
            if makes(rows[i, 0]):
                maker[rows[i, 1]] = -1
        for k in range(n_inputs):
            plane_readers[k].clear()
        start = stop
    return out


cdef inline bint movable(int32_t op) noexcept nogil:
    return op <= O_OUT_NOT


def allocate(const int32_t[:, ::1] rows, int n_inputs, int n_planes):
    """Give every value a plane, and planes that are free again to later values.

    Args:
        rows: Operations as `Scheduler` makes them.
        n_inputs: Values that are inputs, in planes of the same numbers.
        n_planes: Planes that inputs and outputs have.

    Returns:
        The operations with planes instead of values, and the number of planes in all.
    """
    cdef int32_t n = <int32_t>rows.shape[0], i, j, k, m, top = n_planes, n_values = n_inputs, value, begin = -1, plane, op, at = 0
    cdef vector[int32_t] last, place, free, made_at, uses, waiting
    cdef int32_t read[3]
    for i in range(n):
        if makes(rows[i, 0]):
            n_values = max(n_values, rows[i, 1] + 1)
    last.assign(n_values, -1)
    place.assign(n_values, -1)
    made_at.assign(n_values, -1)
    uses.assign(n_values, 0)
    for i in range(n):
        if rows[i, 0] == O_LOOP:
            begin = i
        elif rows[i, 0] == O_END:
            # What is read in the loop but made before it has to outlive the loop.
            for j in range(begin, i):
                m = operands(&rows[j, 0], read)
                for k in range(m):
                    if made_at[read[k]] < begin:
                        last[read[k]] = i
        else:
            m = operands(&rows[i, 0], read)
            for k in range(m):
                last[read[k]] = i
                uses[read[k]] += 1
            if makes(rows[i, 0]):
                made_at[rows[i, 1]] = i
    for value in range(n_inputs):
        place[value] = value
    # A value that leaves goes straight to its plane where nobody reads the plane's old contents afterwards.
    for i in range(n):
        if rows[i, 0] == O_OUT:
            value, plane = rows[i, 2], rows[i, 3]
            if place[value] >= 0:
                continue
            if plane >= n_inputs or (made_at[value] == i - 1 and uses[value] == 1 and last[plane] < i):
                place[value] = plane
    out = np.zeros((n, 5), np.int32)
    cdef int32_t[:, ::1] view = out
    for i in range(n):
        op = rows[i, 0]
        if op == O_OUT and place[rows[i, 2]] == rows[i, 3]:
            continue
        view[at, 0] = op
        m = operands(&rows[i, 0], read)
        for k in range(m):
            view[at, 2 + k] = place[read[k]]
        if op == O_MARK:
            view[at, 2] = rows[i, 2]
        elif op == O_OUT or op == O_OUT_NOT:
            view[at, 1] = rows[i, 3]
        elif op == O_GROW or op == O_GROW_NOT:
            view[at, 1] = place[rows[i, 1]]
            view[at, 3] = 0
        elif op == O_LOOP:
            begin = i
            waiting.clear()
            for j in range(i, n):       # what is to be freed at the end of this loop
                if rows[j, 0] == O_END:
                    break
                m = operands(&rows[j, 0], read)
                for k in range(m):
                    if made_at[read[k]] < begin:
                        waiting.push_back(read[k])
            m = 0
        elif op == O_END:
            for k in range(<int32_t>waiting.size()):
                value = waiting[k]
                if last[value] == i and place[value] >= n_planes:
                    free.push_back(place[value])
                    last[value] = -2
        for k in range(m):
            value = read[k]
            if last[value] == i and place[value] >= n_planes:
                free.push_back(place[value])
                last[value] = -2        # an operand that stands twice is freed once
        if makes(op):
            value = rows[i, 1]
            if place[value] < 0:
                if free.size():
                    place[value] = free.back()
                    free.pop_back()
                else:
                    place[value] = top
                    top += 1
            view[at, 1] = place[value]
            if last[value] == -1 and place[value] >= n_planes:
                free.push_back(place[value])
        at += 1
    return out[:at].copy(), top
