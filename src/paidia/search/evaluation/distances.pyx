"""Distances in a level: moves between two cells around its walls.

A* on the 4-connected grid with unit costs and the Manhattan distance as estimate (Soemers 2016, section 4.2.4,
algorithms 4.3 and 4.4). The estimate is consistent, so closed cells are never opened again. What makes it quick:

* Cells are coloured by flood fill once; between different colours there is no way and no search.
* A search ends as soon as the distance is known to reach a cut-off (the best distance found so far).
* The open set is a stack for children as good as their parent, stacks for f = estimate at the start + 1..4, and
  a binary heap for the rest. A move changes f by 0 (towards the goal) or 2 (away), so neither f nor g is stored.
* The closest of many is looked for in the order of their Manhattan distances and ends when that reaches the best.

Unit costs also allow a table: one breadth-first fill from a cell gives the same distances to all others, and the
avatar stands in few cells. `closest` reads such rows, filled when first asked for, unless the level is too big.

Walls are the sprites of the type named "wall" at the start of the game; other obstacles are where `set_obstacles` says. Not
handled: walls that vanish or appear later, portals.
"""

from libc.stdint cimport int32_t, int64_t, uint16_t
from libc.stdlib cimport abs as c_abs
from libc.stdlib cimport free

cimport cython

from paidia.core.arcade cimport ArcadeGame, ArcadeState, Seen
from paidia.core.machine.memory cimport calloc

from paidia.core.errors import BadInput

cdef int64_t FOR_EVER = <int64_t>1 << 62
cdef int64_t NEVER = 0


@cython.final
cdef class Distances:
    """Distances in one level.

    Args:
        table: Remember distances once computed (where the level is small enough); False searches every time.
    """

    def __cinit__(self, *, bint table=True):
        self.with_table = table
        self.set_grid(1, 1, ())

    def __dealloc__(self):
        self.release()

    cdef void release(self) noexcept:
        cdef int i
        for i in range(N_STACKS):
            free(self.stacks[i])
            self.stacks[i] = NULL
        free(self.colour)
        free(self.closed)
        free(self.heap)
        free(self.next_listed)
        free(self.listed)
        free(self.ring)
        free(self.table)
        free(self.has_row)
        free(self.obstacle)
        self.colour = self.next_listed = self.ring = NULL
        self.closed = self.listed = NULL
        self.heap = NULL
        self.table = NULL
        self.has_row = self.obstacle = NULL

    def begin_game(self, ArcadeGame game not None, ArcadeState state not None):
        """Learn the walls of a level from its first state."""
        wall = game.types.index("wall") if "wall" in game.types else -1
        walls = [(x // game.block, y // game.block) for _, type, _, x, y in state.seen() if type == wall]
        self.set_grid(game.width, game.height, walls, block=game.block)

    def set_obstacles(self, walls, obstacles):
        """Ways lead around walls and obstacles from now on, (column, row) each; with a table obstacles themselves can be reached.
        """
        self.set_grid(self.width, self.height, {*walls, *obstacles}, block=self.block)
        for column, row in obstacles:
            if 0 <= column < self.width and 0 <= row < self.height:
                self.obstacle[(row + 1) * self.stride + column + 1] = 1

    def set_grid(self, int width, int height, walls, *, int block=1):
        """Begin a grid of so many cells (of `block` pixels a side) with walls at these columns and rows."""
        cdef int i
        cdef size_t n, edges
        if width < 1 or height < 1 or block < 1:
            raise BadInput(f"a grid of {width} x {height} cells of {block} pixels does not exist; all must be positive")
        # Beyond this the product in `place` is not exact.
        if <double>max(width, height) * block * block >= <double>(<int64_t>1 << SHIFT):
            raise BadInput(f"a grid of {width} x {height} cells of {block} pixels is too big; choose smaller cells")
        self.release()
        self.width, self.height, self.block, self.bound = width, height, block, width * height
        self.pixel_width, self.pixel_height = width * block, height * block
        self.reciprocal = (<int64_t>1 << SHIFT) // block + 1
        self.stride = width + 2
        self.n_places = self.stride * (height + 2)
        self.n_searches = self.n_lists = NEVER
        self.heap_size = 0
        n = self.n_places
        edges = 4 * <size_t>self.bound + 1      # every cell is closed once and opens up to four others
        self.tabled = self.with_table and self.bound <= MAX_TABLE_CELLS
        self.colour = <int32_t*>calloc(n, sizeof(int32_t))
        self.closed = <int64_t*>calloc(n, sizeof(int64_t))
        self.heap = <Open*>calloc(edges, sizeof(Open))
        self.next_listed = <int32_t*>calloc(n, sizeof(int32_t))
        self.listed = <int64_t*>calloc(n, sizeof(int64_t))
        self.ring = <int32_t*>calloc(width + height, sizeof(int32_t))
        self.table = <uint16_t*>calloc(n * n if self.tabled else 1, sizeof(uint16_t))
        self.has_row = <char*>calloc(n, 1)
        self.obstacle = <char*>calloc(n, 1)
        for i in range(N_STACKS):
            self.stacks[i] = <int32_t*>calloc(edges, sizeof(int32_t))
            self.stack_size[i] = 0
            if self.stacks[i] == NULL:
                raise MemoryError
        if (
            self.colour == NULL or self.closed == NULL or self.heap == NULL or self.next_listed == NULL
            or self.listed == NULL or self.ring == NULL or self.table == NULL or self.has_row == NULL or self.obstacle == NULL
        ):
            raise MemoryError
        for i in range(width + height):
            self.ring[i] = -1
        for i in range(self.n_places):
            if i < self.stride or i >= self.n_places - self.stride or i % self.stride in (0, width + 1):
                self.closed[i] = FOR_EVER
        for column, row in walls:
            if 0 <= column < width and 0 <= row < height:
                self.closed[(row + 1) * self.stride + column + 1] = FOR_EVER
        self.flood()

    cdef void flood(self) noexcept nogil:
        """Give all cells that have a way to each other the same colour."""
        cdef int32_t* stack = self.stacks[0]
        cdef int n, start, place, near, k, colours = 0
        cdef int[4] steps = [-self.stride, -1, self.stride, 1]
        for start in range(self.n_places):
            if self.closed[start] == FOR_EVER or self.colour[start]:
                continue
            colours += 1
            self.colour[start] = colours
            stack[0] = start
            n = 1
            while n:
                n -= 1
                place = stack[n]
                for k in range(4):
                    near = place + steps[k]
                    if self.closed[near] != FOR_EVER and not self.colour[near]:
                        self.colour[near] = colours
                        stack[n] = near
                        n += 1

    cdef int place(self, int x, int y) noexcept nogil:
        cdef int column, row
        if x <= -self.block or y <= -self.block or x >= self.pixel_width or y >= self.pixel_height:
            return OUTSIDE
        # What sticks out at the left or above counts as inside. Asked for every sprite, so division is too slow.
        column = <int>((max(x, 0) * self.reciprocal) >> SHIFT)
        row = <int>((max(y, 0) * self.reciprocal) >> SHIFT)
        return (row + 1) * self.stride + column + 1

    cdef bint connected(self, int start, int goal) noexcept nogil:
        if self.colour[start]:
            return self.colour[start] == self.colour[goal]
        return start == goal and start != OUTSIDE

    # ---------------------------------------------------------------- A*

    cpdef int between(self, int x0, int y0, int x1, int y1, int cutoff) noexcept nogil:
        cdef int start, goal
        if x0 < 0 or x1 < 0 or y0 < 0 or y1 < 0 or x0 >= self.width or x1 >= self.width:
            return self.bound
        if y0 >= self.height or y1 >= self.height:
            return self.bound
        start = (y0 + 1) * self.stride + x0 + 1
        goal = (y1 + 1) * self.stride + x1 + 1
        return self.search(start, goal, cutoff) if self.connected(start, goal) else self.bound

    cdef int search(self, int start, int goal, int cutoff) noexcept nogil:
        """A* between two connected places."""
        cdef int goal_x = goal % self.stride, goal_y = goal / self.stride
        cdef int estimate = c_abs(start % self.stride - goal_x) + c_abs(start / self.stride - goal_y)
        cdef int f = estimate, level = 0, place, near, near_f, x, y, k
        cdef int32_t* equal = self.stacks[0]        # as good as the cell in hand, so always next
        cdef int n_equal = 1
        cdef int[4] steps = [-self.stride, -1, self.stride, 1]
        cdef bint[4] towards
        self.n_searches += 1
        self.heap_size = 0
        for k in range(1, N_STACKS):
            self.stack_size[k] = 0
        equal[0] = start
        while True:
            if n_equal:
                n_equal -= 1
                place = equal[n_equal]
            else:
                # f never falls, so a stack that was passed stays empty.
                while level < N_STACKS and (level == 0 or self.stack_size[level] == 0):
                    level += 1
                if level < N_STACKS:
                    self.stack_size[level] -= 1
                    place = self.stacks[level][self.stack_size[level]]
                    f = estimate + level
                elif self.heap_size:
                    place = self.pop_heap(&f)
                else:
                    return self.bound
            if place == goal or f >= cutoff:
                return f
            if self.closed[place] == self.n_searches:
                continue
            self.closed[place] = self.n_searches
            x, y = place % self.stride, place / self.stride
            towards = [y > goal_y, x > goal_x, y < goal_y, x < goal_x]
            for k in range(4):
                near = place + steps[k]
                if self.closed[near] >= self.n_searches:        # closed in this search, or a wall
                    continue
                if towards[k]:
                    equal[n_equal] = near
                    n_equal += 1
                    continue
                near_f = f + 2
                if near_f - estimate < N_STACKS:
                    self.stacks[near_f - estimate][self.stack_size[near_f - estimate]] = near
                    self.stack_size[near_f - estimate] += 1
                else:
                    self.push_heap(near_f, near)

    cdef void push_heap(self, int f, int place) noexcept nogil:
        cdef int k = self.heap_size, parent
        self.heap_size += 1
        while k > 0:
            parent = (k - 1) / 2
            if self.heap[parent].f <= f:
                break
            self.heap[k] = self.heap[parent]
            k = parent
        self.heap[k].f = f
        self.heap[k].place = place

    cdef int pop_heap(self, int* f) noexcept nogil:
        cdef int place = self.heap[0].place, k = 0, child
        cdef Open last
        f[0] = self.heap[0].f
        self.heap_size -= 1
        last = self.heap[self.heap_size]
        while 2 * k + 1 < self.heap_size:
            child = 2 * k + 1
            if child + 1 < self.heap_size and self.heap[child + 1].f < self.heap[child].f:
                child += 1
            if self.heap[child].f >= last.f:
                break
            self.heap[k] = self.heap[child]
            k = child
        self.heap[k] = last
        return place

    # ---------------------------------------------------------------- the closest of many

    cdef int closest(self, int start, const Seen* sprites, int n) noexcept nogil:
        cdef int i, best = self.bound
        cdef const uint16_t* row
        if not self.tabled:
            return self.closest_by_search(start, sprites, n)
        row = self.row(start)
        for i in range(n):
            best = min(best, row[self.place(sprites[i].x, sprites[i].y)])
            if best == 0:       # the floor is everywhere
                break
        return best

    cdef int closest_by_search(self, int start, const Seen* sprites, int n) noexcept nogil:
        cdef int i, far, furthest = -1, place, best = self.bound
        cdef int x = start % self.stride, y = start / self.stride
        self.n_lists += 1
        for i in range(n):
            place = self.place(sprites[i].x, sprites[i].y)
            if self.listed[place] == self.n_lists or not self.connected(start, place):
                continue
            self.listed[place] = self.n_lists
            far = c_abs(place % self.stride - x) + c_abs(place / self.stride - y)
            self.next_listed[place] = self.ring[far]
            self.ring[far] = place
            furthest = max(furthest, far)
        for far in range(furthest + 1):
            place = self.ring[far]
            self.ring[far] = -1
            while place >= 0 and far < best:
                best = min(best, self.search(start, place, best))
                place = self.next_listed[place]
        return best

    cdef const uint16_t* row(self, int start) noexcept nogil:
        """Distances from a place to all others, filled breadth first when first asked for."""
        cdef uint16_t* out = self.table + <size_t>start * self.n_places
        cdef int32_t* queue = self.stacks[0]
        cdef int i, k, near, head = 0, tail = 0
        cdef int[4] steps = [-self.stride, -1, self.stride, 1]
        if self.has_row[start]:
            return out
        self.has_row[start] = 1
        for i in range(self.n_places):
            out[i] = <uint16_t>self.bound
        if start != OUTSIDE:
            out[start] = 0
        if self.colour[start]:
            queue[tail] = start
            tail += 1
        while head < tail:
            i = queue[head]
            head += 1
            for k in range(4):
                near = i + steps[k]
                if out[near] == self.bound and self.colour[near]:
                    out[near] = out[i] + 1
                    queue[tail] = near
                    tail += 1
                elif out[near] == self.bound and self.obstacle[near]:      # as far as it, no further
                    out[near] = out[i] + 1
        return out

    # ---------------------------------------------------------------- for people and tests

    def closest_of(self, start, others):
        """Distance from one position to the closest of others, all (x, y) in pixels."""
        cdef Seen* sprites = <Seen*>calloc(len(others) + 1, sizeof(Seen))
        cdef int i
        if sprites == NULL:
            raise MemoryError
        try:
            for i, (x, y) in enumerate(others):
                sprites[i].x, sprites[i].y = x, y
            return self.closest(self.place(start[0], start[1]), sprites, len(others))
        finally:
            free(sprites)
