# Ways between cells for the chasers that go around obstacles.
#
# Uniform-cost search from every free cell. Which of several shortest ways is stored depends on the order of the
# queue: a binary heap on the cost alone, neighbours up, down, left, right, a cell keeping the parent that
# discovered it first. That order is part of the language's observable behaviour, so it is kept.

ctypedef struct Queue:
    int32_t* cell
    int32_t* cost
    int n


cdef inline void swap(Queue* q, int i, int k) noexcept nogil:
    q.cell[i], q.cell[k] = q.cell[k], q.cell[i]
    q.cost[i], q.cost[k] = q.cost[k], q.cost[i]


cdef void enqueue(Queue* q, int cell, int cost) noexcept nogil:
    cdef int k = q.n
    q.cell[k] = cell
    q.cost[k] = cost
    q.n += 1
    while k > 0 and q.cost[(k - 1) // 2] > q.cost[k]:
        swap(q, k, (k - 1) // 2)
        k = (k - 1) // 2


cdef void dequeue(Queue* q, int* cell, int* cost) noexcept nogil:
    cdef int k = 0, child
    cell[0] = q.cell[0]
    cost[0] = q.cost[0]
    q.n -= 1
    q.cell[0] = q.cell[q.n]
    q.cost[0] = q.cost[q.n]
    while 2 * k + 1 < q.n:
        child = 2 * k + 1
        if child + 1 < q.n and q.cost[child + 1] < q.cost[child]:
            child += 1
        if q.cost[child] >= q.cost[k]:
            break
        swap(q, k, child)
        k = child


cdef bint find_paths(int width, int height, const int8_t* blocked, int8_t* steps) noexcept nogil:
    """Fill steps[start * cells + goal] with 0 (no way) or 1 + direction (up, left, down, right) of the first
    step.
    """
    cdef int n = width * height
    cdef int start, cell = 0, cost = 0, near, k, x, y
    cdef int8_t* first      # first step on the way from the start, 0 = not discovered
    cdef Queue q
    q.cell = <int32_t*>malloc(n * sizeof(int32_t))
    q.cost = <int32_t*>malloc(n * sizeof(int32_t))
    if q.cell == NULL or q.cost == NULL:
        free(q.cell)
        free(q.cost)
        return False
    memset(steps, 0, <size_t>n * n)
    for start in range(n):
        if blocked[start]:
            continue
        first = steps + <size_t>start * n
        q.n = 0
        enqueue(&q, start, 0)
        while q.n > 0:
            dequeue(&q, &cell, &cost)
            x = cell % width
            y = cell // width
            for k in range(4):      # up, down, left, right
                if (k == 0 and y == 0) or (k == 1 and y == height - 1) or (k == 2 and x == 0) or (
                    k == 3 and x == width - 1
                ):
                    continue
                near = cell + (-width if k == 0 else width if k == 1 else -1 if k == 2 else 1)
                if blocked[near] or first[near] or near == start:
                    continue
                if cell == start:
                    first[near] = <int8_t>(1 if k == 0 else 3 if k == 1 else 2 if k == 2 else 4)
                else:
                    first[near] = first[cell]
                enqueue(&q, near, cost + 1)
    free(q.cell)
    free(q.cost)
    return True
