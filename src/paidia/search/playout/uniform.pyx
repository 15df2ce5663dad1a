"""Uniformly random playouts, by the game's own where nobody wants to see each position on the way."""

from paidia.core.model cimport Situation, move_t
from paidia.core.machine.rng cimport rng_below
from paidia.search.playout.base cimport Playout
from paidia.search.frame.simulation cimport Simulation

from paidia.search.registry import PLAYOUTS


cdef class Uniform(Playout):
    """Every legal move is equally likely."""

    cdef void run(self, Situation state, Simulation* sim) noexcept nogil:
        cdef move_t* played = sim.moves + <Py_ssize_t>sim.length * sim.n_roles if sim.record else NULL
        if sim.watched or sim.ask_alone or (sim.record and self.controller.per_state):
            Playout.run(self, state, sim)
        elif sim.decisive:
            sim.length += state.c_decisive_playout(&sim.rng, sim.limit - sim.length, played)
        else:
            sim.length += state.c_playout(&sim.rng, sim.limit - sim.length, played)

    cdef int choose(self, Situation state, Simulation* sim, int role, const move_t* moves, int n) noexcept nogil:
        return rng_below(&sim.rng, n)


PLAYOUTS.add("uniform", Uniform)
