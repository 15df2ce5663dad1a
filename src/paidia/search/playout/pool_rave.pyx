"""Pool RAVE: a playout prefers the moves that AMAF likes best where the simulation left the tree.

Before the playout, for each role a pool of the `size` moves with the highest AMAF means is made, from the table of the last node
on the path with at least `least` visits. In the playout, with probability `share`, one move of the pool is drawn: if it is
legal it is played. Otherwise, and where there is no pool, a uniformly random move.

Rimmel, Teytaud and Teytaud 2010 (Biasing Monte-Carlo simulations through RAVE values); the numbers are options, and their
defaults ours (docs/readings.md#other-playouts). Equal means: the lower number of the move first. No parameters.
"""

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free

from paidia.core.machine.memory cimport calloc
from paidia.core.model cimport Rules, Situation, move_t
from paidia.core.machine.rng cimport rng_below, rng_double
from paidia.search.playout.base cimport Playout
from paidia.search.frame.simulation cimport Simulation
from paidia.search.statistics.amaf cimport AmafEntry, entries_of
from paidia.search.nodes.tree cimport node_visits

from paidia.search.registry import PLAYOUTS


cdef class PoolRave(Playout):
    """Pool RAVE.

    Options:
        size: Moves in a role's pool.
        share: Probability to draw from it.
        least: Visits that a node needs to lend its table.
    """

    needs = ("amaf",)
    records = True
    options = ("size", "share", "least")

    cdef int size, n_roles
    cdef double share, least
    cdef int32_t* pool              # keys of role r's moves, the best first: [r * size + i]
    cdef float* means               # and their means
    cdef int* n_pool                # how many of them, by role

    def __init__(self, *, size=10, double share=0.5, double least=50.0):
        if not isinstance(size, int) or isinstance(size, bool) or not 1 <= size <= 10_000:
            raise ValueError(f"size is a number of moves, 1 to 10,000, not {size!r}")
        if not 0.0 <= share <= 1.0:
            raise ValueError(f"share is a probability, not {share}")
        if not least >= 0.0:
            raise ValueError(f"least is a number of visits, not {least}")
        self.size, self.share, self.least = size, share, least

    def __dealloc__(self):
        self._free()

    cdef void _free(self) noexcept:
        free(self.pool)
        free(self.means)
        free(self.n_pool)

    def begin_game(self, Rules game not None):
        self._free()
        self.n_roles = game.n_roles
        self.pool = <int32_t*>calloc(<size_t>self.size * game.n_roles, sizeof(int32_t))
        self.means = <float*>calloc(<size_t>self.size * game.n_roles, sizeof(float))
        self.n_pool = <int*>calloc(game.n_roles, sizeof(int))
        if self.pool == NULL or self.means == NULL or self.n_pool == NULL:
            raise MemoryError()

    cdef void run(self, Situation state, Simulation* sim) noexcept nogil:
        cdef int role
        self.fill(sim)
        Playout.run(self, state, sim)
        for role in range(self.n_roles):        # in the tree (parameter T) there is no pool
            self.n_pool[role] = 0

    cdef void fill(self, const Simulation* sim) noexcept nogil:
        """The pools of this playout."""
        cdef int at
        cdef int64_t handle = -1
        cdef int32_t slot, mask
        cdef const AmafEntry* entries
        for at in range(self.search.path.length - 1, -1, -1):
            if node_visits(self.search.tree, self.search.path.nodes[at]) >= self.least:
                handle = self.search.tree.nodes[self.search.path.nodes[at]].amaf
                break
        if handle < 0:
            return
        entries = entries_of(&self.amaf.tables[handle], &mask)
        for slot in range(mask + 1):
            if entries[slot].key != 0:
                self.enter(&entries[slot], sim.n_keys)

    cdef void enter(self, const AmafEntry* entry, int n_keys) noexcept nogil:
        """Put a move into its role's pool, if it is good enough: by mean, then by number."""
        cdef int role = (entry.key - 1) // n_keys
        cdef int32_t key = (entry.key - 1) % n_keys
        cdef float mean = entry.sum / entry.visits
        cdef int32_t* pool = self.pool + <Py_ssize_t>role * self.size
        cdef float* means = self.means + <Py_ssize_t>role * self.size
        cdef int i = self.n_pool[role]
        if i < self.size:
            self.n_pool[role] += 1
        elif mean > means[i - 1] or (mean == means[i - 1] and key < pool[i - 1]):
            i -= 1
        else:
            return
        while i > 0 and (mean > means[i - 1] or (mean == means[i - 1] and key < pool[i - 1])):
            means[i], pool[i] = means[i - 1], pool[i - 1]
            i -= 1
        means[i], pool[i] = mean, key

    cdef int choose(self, Situation state, Simulation* sim, int role, const move_t* moves, int n) noexcept nogil:
        cdef int i
        cdef int32_t key
        if self.n_pool[role] > 0 and rng_double(&sim.rng) < self.share:
            key = self.pool[role * self.size + <int>rng_below(&sim.rng, self.n_pool[role])]
            for i in range(n):
                if sim.place * sim.n_moves + moves[i] == key:
                    return i
        return rng_below(&sim.rng, n)


PLAYOUTS.add("pool-rave", PoolRave)
