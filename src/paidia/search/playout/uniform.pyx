"""Uniformly random playouts. Where nobody reads the moves, the game's own fast playout is used."""

from paidia.core.model cimport Situation, move_t
from paidia.core.machine.rng cimport rng_below
from paidia.search.playout.base cimport Playout
from paidia.search.frame.simulation cimport Simulation

from paidia.search.registry import PLAYOUTS


cdef class Uniform(Playout):
    """Every legal move is equally likely."""

    cdef void run(self, Situation state, Simulation* sim) noexcept nogil:
        if sim.record or sim.watched or sim.ask_alone:
            Playout.run(self, state, sim)
        elif sim.decisive:
            sim.length += state.c_decisive_playout(&sim.rng, sim.limit - sim.length)
        else:
            sim.length += state.c_playout(&sim.rng, sim.limit - sim.length)

    cdef int choose(self, Situation state, Simulation* sim, int role, const move_t* moves, int n) noexcept nogil:
        return rng_below(&sim.rng, n)


PLAYOUTS.add("uniform", Uniform)
