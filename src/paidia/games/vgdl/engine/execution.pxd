# Running effects: their score and history, effects that wait for a time, effects at the edge of the world.

from paidia.games.vgdl.engine.layout cimport Effect, Rule, Sim

cdef void execute(Sim* g, const Effect* e, int ref1, int ref2) noexcept nogil
cdef void enter_event(Sim* g, int ref1, int ref2) noexcept nogil
cdef void run_times(Sim* g) noexcept nogil
cdef void run_edge(Sim* g, const Rule* rule) noexcept nogil
