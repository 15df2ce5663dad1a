"""A map of what is worth going to, learned from simulations (see interest.pxd).

    weight(type) = mean change of the score when one was met, in units of the largest change seen so far
                   + curiosity(category) / (1 + meetings / 20)
    worth(cell)  = max over types with a positive weight of  weight * 0.9 ^ (way from the cell to the nearest one)

Ways lead over the four neighbours of a cell and around cells with a type that mostly stopped the avatar when they met.
The map is drawn once per tick from the root and scaled so that the cells within 6 steps of the avatar lie between 0
and 1. When the avatar turns into another or what it holds changes, meetings that never changed the score are forgotten:
what was of no use before (a locked door) may be now. Start curiosity follows Soemers 2016, table 4.1: resources and
portals 1, movables 0.25, NPCs 0.1, others 0, scaled by 0.5.
"""

from libc.math cimport fabs
from libc.stdint cimport int32_t
from libc.stdlib cimport free
from libc.string cimport memset

from paidia.core.arcade cimport ALL_CATEGORIES, AVATAR, FROM_AVATAR, MOVABLE, NPC, PORTAL, RESOURCE, Avatar, Collision, Seen
from paidia.core.machine.memory cimport calloc, malloc
from paidia.core.model cimport LOST, WON

cdef enum:
    REACH = 6
    NEWEST = 8          # collisions looked at in one step
    PRIOR = 1           # meetings that went as well as the best so far, before any
    STANDING = 10       # meetings that a tick in the cell of a sprite counts for: some never collide


cdef double curiosity(int category) noexcept nogil:
    if category == RESOURCE or category == PORTAL:
        return 0.5
    return 0.125 if category == MOVABLE else 0.05 if category == NPC else 0.0


cdef class Interest:
    """What simulations teach about one game."""

    def __cinit__(self, ArcadeGame game not None):
        self.game = game
        self.width, self.height, self.block, self.n_types = game.width, game.height, game.block, len(game.types)
        self.n_cells = self.width * self.height
        self.touches = <Touch*>calloc(self.n_types, sizeof(Touch))
        self.worth = <double*>calloc(self.n_cells, sizeof(double))
        self.deaths = <double*>calloc(self.n_cells, sizeof(double))
        self.stays = <double*>calloc(self.n_cells, sizeof(double))
        self.seen = <Seen*>malloc(MAX_SIGHT * sizeof(Seen))
        self.distance = <int32_t*>malloc(self.n_cells * sizeof(int32_t))
        self.queue = <int32_t*>malloc(self.n_cells * sizeof(int32_t))
        self.wall = <char*>calloc(self.n_cells, 1)
        if (self.touches == NULL or self.worth == NULL or self.deaths == NULL or self.stays == NULL
                or self.seen == NULL or self.distance == NULL or self.queue == NULL or self.wall == NULL):
            raise MemoryError
        self.forget()

    def __dealloc__(self):
        free(self.touches)
        free(self.worth)
        free(self.deaths)
        free(self.stays)
        free(self.seen)
        free(self.distance)
        free(self.queue)
        free(self.wall)

    def observe(self, ArcadeState before not None, ArcadeState after not None):
        """Learn from a step, as a simulation does."""
        cdef Avatar avatar
        before.c_avatar(&avatar)
        self.learn(after, &avatar, before.c_score(), before.c_n_collisions())

    def map_of(self, ArcadeState root not None):
        """Begin a tick in `root`; the worth of every cell, row by row."""
        self.draw(root)
        return [[self.worth[y * self.width + x] for x in range(self.width)] for y in range(self.height)]

    def value_of(self, ArcadeState state not None):
        """How good it is to stand where the avatar stands."""
        return self.at(state)

    cdef void forget(self) noexcept nogil:
        memset(self.touches, 0, self.n_types * sizeof(Touch))
        memset(self.worth, 0, self.n_cells * sizeof(double))
        memset(self.deaths, 0, self.n_cells * sizeof(double))
        memset(self.stays, 0, self.n_cells * sizeof(double))
        self.largest = 1.0
        self.signature = 0

    cdef int cell(self, int x, int y) noexcept nogil:
        """The cell that the middle of a sprite is in, -1 if it is outside."""
        cdef int column = (x + self.block // 2) // self.block, row = (y + self.block // 2) // self.block
        if x + self.block // 2 < 0 or y + self.block // 2 < 0 or column >= self.width or row >= self.height:
            return -1
        return row * self.width + column

    cdef void learn(self, ArcadeState state, const Avatar* before, double score, int n_collisions) noexcept nogil:
        cdef Collision new[NEWEST]
        cdef Avatar after
        cdef Touch* touch
        cdef int winner = state.c_winner(0), n = state.c_n_collisions() - n_collisions, i, place
        cdef double change = state.c_score() - score
        cdef bint moved
        if fabs(change) > self.largest:
            self.largest = fabs(change)
        if winner == WON:
            change += self.largest
        elif winner == LOST:
            change -= self.largest
        state.c_avatar(&after)
        moved = after.x != before.x or after.y != before.y
        place = self.cell(after.x, after.y)
        if place >= 0:
            if winner == LOST:
                self.deaths[place] += 1.0
            else:
                self.stays[place] += 1.0
        if n <= 0:
            return
        n = state.c_collisions(min(n, <int>NEWEST), new)
        for i in range(n):
            touch = &self.touches[new[i].passive]
            if new[i].from_avatar:
                touch.shots += 1.0
                touch.shot_gain += change
                continue
            touch.n += 1.0
            touch.gain += change
            touch.best = max(touch.best, change)
            if moved:
                touch.passed += 1.0
            else:
                touch.blocked += 1.0

    cdef void draw(self, ArcadeState root) noexcept nogil:
        cdef Avatar avatar
        cdef Touch* touch
        cdef int i, n, type, place, home, signature
        cdef double weight
        root.c_avatar(&avatar)
        signature = avatar.type
        for i in range(self.n_types):
            signature = signature * 31 + root.c_resource(i)
        if signature != self.signature:
            self.signature = signature
            for i in range(self.n_types):
                if self.touches[i].gain >= 0.0:
                    self.touches[i].n = self.touches[i].gain = 0.0
        self.fade()
        for i in range(self.n_cells):
            self.worth[i] = 0.0
            self.wall[i] = 0
        home = self.cell(avatar.x, avatar.y)
        n = min(root.c_seen(ALL_CATEGORIES, self.seen, MAX_SIGHT), <int>MAX_SIGHT)
        for i in range(n):
            touch = &self.touches[self.seen[i].type]
            place = self.cell(self.seen[i].x, self.seen[i].y)
            if place >= 0 and self.blocks(self.seen[i].type):
                self.wall[place] = 1
            if place >= 0 and place == home:
                touch.n += STANDING
        i = 0
        while i < n:        # by type
            type = self.seen[i].type
            touch = &self.touches[type]
            if self.seen[i].category != AVATAR and self.seen[i].category != FROM_AVATAR:
                weight = curiosity(self.seen[i].category) / ((1.0 + touch.n / 20.0) * (1.0 + touch.n / 20.0))
                weight += (touch.gain + PRIOR * touch.best) / (touch.n + PRIOR) / self.largest
                if touch.shots > 0 and touch.gain >= 0.0:
                    weight += 0.3 * touch.shot_gain / touch.shots / self.largest
                weight += self.wish(type)
                if weight > 0.001:
                    self.spread(i, n, weight)
            while i < n and self.seen[i].type == type:
                i += 1
        if home >= 0:
            self.rescale(home)

    cdef void spread(self, int first, int n_seen, double weight) noexcept nogil:
        """Raise the worth around all sprites of the type of `seen[first]`."""
        cdef int i, head = 0, tail = 0, place, other, column, k
        cdef int dx[4]
        cdef int dy[4]
        cdef double value
        dx[0], dx[1], dx[2], dx[3] = 1, -1, 0, 0
        dy[0], dy[1], dy[2], dy[3] = 0, 0, 1, -1
        for i in range(self.n_cells):
            self.distance[i] = -1
        i = first
        while i < n_seen and self.seen[i].type == self.seen[first].type:
            place = self.cell(self.seen[i].x, self.seen[i].y)
            if place >= 0 and self.distance[place] < 0:
                self.distance[place] = 0
                self.queue[tail] = place
                tail += 1
            i += 1
        value = weight
        k = 0
        while head < tail:
            place = self.queue[head]
            head += 1
            while k < self.distance[place]:
                k += 1
                value *= 0.9
            if value > self.worth[place]:
                self.worth[place] = value
            column = place % self.width
            for i in range(4):
                if not (0 <= column + dx[i] < self.width and 0 <= place // self.width + dy[i] < self.height):
                    continue
                other = place + dx[i] + dy[i] * self.width
                if self.distance[other] < 0 and not self.wall[other]:
                    self.distance[other] = self.distance[place] + 1
                    self.queue[tail] = other
                    tail += 1

    cdef void rescale(self, int centre) noexcept nogil:
        cdef int column, row, x = centre % self.width, y = centre // self.width
        cdef double low = 1e300, high = -1e300, value, scale
        for row in range(max(0, y - REACH), min(self.height, y + REACH + 1)):
            for column in range(max(0, x - REACH), min(self.width, x + REACH + 1)):
                value = self.worth[row * self.width + column]
                if self.wall[row * self.width + column] or abs(row - y) + abs(column - x) > REACH:
                    continue
                low = min(low, value)
                high = max(high, value)
        scale = max(self.least, min(1.0, 10.0 * high))
        for row in range(self.n_cells):
            value = (self.worth[row] - low) / (high - low) if high > low else 0.0
            self.worth[row] = min(1.0, max(0.0, value)) * scale

    cdef double at(self, ArcadeState state) noexcept nogil:
        cdef Avatar avatar
        cdef int place
        state.c_avatar(&avatar)
        place = self.cell(avatar.x, avatar.y)
        if place < 0:
            return 0.0
        return self.worth[place] - self.danger(place)

    cdef double danger(self, int place) noexcept nogil:
        return self.deaths[place] / (self.deaths[place] + self.stays[place] + 3.0)

    cdef bint blocks(self, int type) noexcept nogil:
        return self.touches[type].blocked > 4.0 * self.touches[type].passed

    cdef double wish(self, int type) noexcept nogil:
        return 0.0

    cdef void fade(self) noexcept nogil:
        cdef int i
        for i in range(self.n_cells):
            self.deaths[i] *= 0.9
            self.stays[i] *= 0.9
