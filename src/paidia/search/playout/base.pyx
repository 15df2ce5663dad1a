# distutils: extra_compile_args = -O3
"""The base of playout strategies, and the one for strategies written in Python."""

from paidia.core.model cimport NO_MOVE, Rules, Situation, move_t, moves_of
from paidia.core.machine.rng cimport rng_double
from paidia.search.frame.parameters cimport N_PARAMETERS
from paidia.search.nodes.tree cimport NONE
from paidia.search.frame.simulation cimport Simulation
from paidia.search.frame.strategy cimport Strategy


def without_facts(str name, Rules game not None):
    """Why a playout cannot play a game that plays its simulations again to learn from the facts on the way; nothing if it can."""
    if game.chance:
        return f"{name} plays simulations again, which chance does not allow in {game.id}"
    return "" if game.n_atoms else f"{name} needs facts, and {game.id} tells none"


cdef class Playout(Strategy):
    """Chooses moves below the tree; the base plays the loop, a strategy chooses the moves."""

    @property
    def waves(self):
        """Whether many playouts can be played at once (`search/waves.pyx`)."""
        return self.leaves is not None

    cdef void run(self, Situation state, Simulation* sim) noexcept nogil:
        cdef move_t* joint
        cdef int n_roles = sim.n_roles, mover = 0, role
        while sim.length < sim.limit and not state.c_terminal():
            if sim.keyed:
                sim.place = state.c_place()
            joint = sim.moves + <Py_ssize_t>sim.length * n_roles
            if n_roles > 1:
                mover = state.c_mover()
                for role in range(n_roles):
                    joint[role] = NO_MOVE
            if mover >= 0:
                joint[mover] = move_of(self, state, sim, mover)
                if sim.ask_alone and joint[mover] == NO_MOVE:
                    break       # nothing to do but to wait
            else:
                for role in range(n_roles):
                    joint[role] = move_of(self, state, sim, role)
            if sim.watched:
                self.search.follow(joint, NONE)
            else:
                state.c_play(joint)
                sim.length += 1

    cdef int choose(self, Situation state, Simulation* sim, int role, const move_t* moves, int n) noexcept nogil:
        return 0


cdef inline move_t move_of(Playout playout, Situation state, Simulation* sim, int role) noexcept nogil:
    """What a role plays next."""
    cdef const move_t* moves = NULL
    cdef int n = moves_of(state, role, sim.decisive, &moves)
    if n > 1 or (n == 1 and sim.ask_alone):
        if playout.controller.per_state:
            playout.controller.fresh(role, sim.vectors + role * N_PARAMETERS)
        return moves[playout.choose(state, sim, role, moves, n)]
    return moves[0] if n == 1 else NO_MOVE


cdef class PythonPlayout(Playout):
    """A playout strategy in plain Python: override `pick`. Slow, and right for trying ideas."""

    def pick(self, state, role, moves, random):
        """The index of the chosen move.

        Args:
            state: The present position; it must not be changed.
            role: Who chooses.
            moves: The legal move ids, two or more.
            random: A number in [0, 1) of the search's own generator, so that the same seed gives the same playout.
        """
        raise NotImplementedError

    cdef int choose(self, Situation state, Simulation* sim, int role, const move_t* moves, int n) noexcept nogil:
        cdef int i, chosen = 0
        with gil:
            try:
                chosen = self.pick(state, role, [moves[i] for i in range(n)], rng_double(&sim.rng))
                if not 0 <= chosen < n:
                    raise ValueError(f"pick() returned {chosen}; there are {n} moves")
            except BaseException as error:
                chosen = 0
                self.fail(error)
        return chosen
