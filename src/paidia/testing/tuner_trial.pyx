# distutils: extra_compile_args = -O1
"""`TunerTrial`: drives a controller as a search does, with rewards from a table instead of simulations."""

import time

from libc.stdint cimport int32_t

import numpy as np

from paidia.control.combinations cimport combos_index
from paidia.control.tuner cimport Allocation, Tuner
from paidia.core.control cimport Controller
from paidia.core.machine.rng cimport Rng, rng_double


cdef class TunerTrial:
    """One game of a controller; `names` are the columns of the vectors, by default the tuner's own."""

    cdef readonly Controller controller
    cdef double[:, ::1] vectors
    cdef double[::1] goals

    def __init__(self, Controller controller not None, *, n_roles=1, seed=1, names=None):
        self.controller = controller
        if names is None:
            names = list(controller.combinations.space.names)
        self.vectors = np.full((n_roles, max(1, len(names))), -1.0)
        self.goals = np.zeros(n_roles)
        controller.begin_game(n_roles, names, seed)

    def begin_turn(self, turn):
        """Tell the controller that a turn starts."""
        self.controller.begin_turn(turn)

    def choose(self):
        """Start a simulation and come to its first state; the parameter vector of each role."""
        self.controller.begin_simulation(&self.vectors[0, 0], self.vectors.shape[1])
        if self.controller.per_state:
            for role in range(self.vectors.shape[0]):
                self.fresh(role)
        return np.array(self.vectors).tolist()

    def reward(self, goals):
        """End the simulation with one goal per role."""
        cdef int role
        for role, goal in enumerate(goals):
            self.goals[role] = goal
        self.controller.end_simulation(&self.goals[0])

    def fresh(self, int role):
        """The vector of a role after the controller drew fresh values for a state."""
        self.controller.fresh(role, &self.vectors[role, 0])
        return np.array(self.vectors[role]).tolist()

    def run(self, double[:, ::1] chances, int simulations, *, seed=1):
        """Many simulations; role r wins with the chance chances[r, number of its combination].

        Returns:
            The numbers of the combinations used, one row per simulation, one column per role.
        """
        cdef Tuner tuner = self.controller
        cdef int n_roles = self.goals.shape[0]
        cdef int width = self.vectors.shape[1]
        cdef int32_t[:, ::1] used = np.empty((simulations, n_roles), np.int32)
        cdef Rng rng
        cdef int t, r
        rng.state = seed
        if chances.shape[0] != n_roles or chances.shape[1] != len(tuner.combinations):
            raise ValueError("one chance for each role and combination is needed")
        with nogil:
            for t in range(simulations):
                tuner.begin_simulation(&self.vectors[0, 0], width)
                for r in range(n_roles):
                    used[t, r] = <int32_t>combos_index(
                        (<Allocation>tuner.role[r]).space, (<Allocation>tuner.role[r]).genes)
                    self.goals[r] = rng_double(&rng) < chances[r, used[t, r]]
                tuner.end_simulation(&self.goals[0])
        return np.asarray(used)

    def seconds(self, int simulations, *, seed=1, int states=0):
        """Processor seconds of simulations with random results; `states` calls of `fresh` per role each."""
        cdef Controller controller = self.controller
        cdef int n_roles = self.goals.shape[0]
        cdef int width = self.vectors.shape[1]
        cdef Rng rng
        cdef int r
        rng.state = seed
        start = time.process_time()
        with nogil:
            for _ in range(simulations):
                controller.begin_simulation(&self.vectors[0, 0], width)
                for _ in range(states):
                    for r in range(n_roles):
                        controller.fresh(r, &self.vectors[r, 0])
                for r in range(n_roles):
                    self.goals[r] = rng_double(&rng) < 0.3 + 0.02 * self.vectors[r, width - 1]
                controller.end_simulation(&self.goals[0])
        return time.process_time() - start
