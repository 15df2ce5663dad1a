# distutils: extra_compile_args = -O1
"""`Combinations`: the legal combinations of a discrete space, numbered from 0 (see combinations.pxd)."""

import numpy as np

from paidia.core.errors import BadInput


cdef class Combinations:
    """The numbering of a space, for the kernels by its struct and for Python by its methods."""

    def __init__(self, space):
        if not space.discrete:
            loose = next(p.name for p in space.parameters if not p.values)
            raise BadInput(f"parameter {loose} has a range, no list of values; only cma-es works on ranges")
        self.space = space
        names = space.names
        silenced = {s.silences for s in space.active_switches}
        cdef Combos* c = &self.c
        cdef int i, j
        columns = []
        c.d = len(names)
        for i, parameter in enumerate(space.parameters):
            # What an unset parameter is set to does not matter: it is not read.
            column = [0.0] * (parameter.name in silenced) + list(parameter.values)
            c.first[i] = len(columns)
            c.size[i] = len(column)
            c.low[i] = parameter.name in silenced
            c.partner[i] = i
            c.radix[i] = c.size[i]
            columns += column
        for switch in space.active_switches:
            i, j = sorted((names.index(switch.parameter), names.index(switch.silences)))
            c.partner[i], c.partner[j] = j, i
            c.radix[i] = 1 + (c.size[i] - 1) * (c.size[j] - 1)
            c.radix[j] = 0
        count = 1
        for i in reversed(range(c.d)):
            c.weight[i] = count
            count *= max(1, c.radix[i])
            if count > 2**62:
                raise BadInput("there are too many combinations; give fewer parameters or fewer values")
        c.count = count
        c.n_values = len(columns)
        self._values = np.array(columns)
        c.values = &self._values[0]

    def __len__(self):
        return self.c.count

    cdef int _read(self, genes, int* out) except -1:
        cdef int i
        if len(genes) != self.c.d:
            raise ValueError(f"{len(genes)} genes for {self.c.d} parameters")
        for i in range(self.c.d):
            out[i] = genes[i]
        return 0

    def legal(self, genes):
        """Whether the genes are in range and no switch is contradicted."""
        cdef int g[MAX_PARAMETERS]
        cdef int i
        self._read(genes, g)
        for i in range(self.c.d):
            if not 0 <= g[i] < self.c.size[i]:
                return False
            if (g[i] == 0) != (g[self.c.partner[i]] == 0):
                return False
        return True

    def index(self, genes):
        """The number of a legal combination."""
        cdef int g[MAX_PARAMETERS]
        if not self.legal(genes):
            raise ValueError(f"not a legal combination: {list(genes)}")
        self._read(genes, g)
        return combos_index(&self.c, g)

    def genes(self, index):
        """The combination with a number."""
        cdef int g[MAX_PARAMETERS]
        if not 0 <= index < self.c.count:
            raise ValueError(f"no combination has the number {index}")
        combos_genes(&self.c, index, g)
        return [g[i] for i in range(self.c.d)]

    def labels(self, genes):
        """The values of a combination as text."""
        return [labels[gene] for labels, gene in zip(self.space.labels(), genes, strict=True)]

    def sizes(self):
        """The number of values of each parameter, "unset" included."""
        return [self.c.size[i] for i in range(self.c.d)]

    def draw(self, seed, n=1):
        """`n` uniformly random legal combinations."""
        cdef Rng rng
        cdef int g[MAX_PARAMETERS]
        rng.state = seed
        drawn = []
        for _ in range(n):
            combos_draw(&self.c, &rng, g)
            drawn.append([g[i] for i in range(self.c.d)])
        return drawn

    def mutate(self, genes, seed):
        """The combination after one mutation, with repair."""
        cdef Rng rng
        cdef int g[MAX_PARAMETERS]
        rng.state = seed
        self._read(genes, g)
        combos_mutate(&self.c, &rng, g)
        return [g[i] for i in range(self.c.d)]
