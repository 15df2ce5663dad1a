"""Games that lanes have played, played again by the scalar kernel: same legal moves, same end, same goals.

This is evidence, not a part of play: tests and `benchmarks/lanes_check.py` use it.
"""

import numpy as np

from libc.stdint cimport int32_t, uint8_t
from libc.stdlib cimport free

from paidia.core.machine.memory cimport malloc
from paidia.core.model cimport MAX_ROLES, Situation, move_t


def replay(
    Situation start not None, const int32_t[:, :, ::1] moves, const uint8_t[:, ::1] over, const double[:, :, ::1] goals,
    fluents=None
):
    """Play the moves of all lanes again.

    Args:
        start: The initial state.
        moves: By step, lane and role: the move that was made, -1 where there was none.
        over: By step and lane: whether the game was over before the step; then a new one begins with it.
        goals: By step, lane and role: the goals, where it was over.
        fluents: By step, lane and fluent: what held before the step (bytes); not compared if left out.

    Returns:
        The number of games that ended, of joint moves, and the first difference as text, "" if there is none.
    """
    cdef Situation state = start.clone()
    cdef int n_steps = <int>moves.shape[0], n_lanes = <int>moves.shape[1], n_roles = start.game.n_roles
    cdef int step, lane, role, n, i, k
    cdef long games = 0, played = 0
    cdef move_t joint[MAX_ROLES]
    cdef double values[MAX_ROLES]
    cdef const move_t* legal = NULL
    cdef bint found
    cdef const uint8_t[:, :, ::1] holds = fluents if fluents is not None else np.zeros((0, 0, 0), np.uint8)
    cdef int n_fluents = <int>holds.shape[2], n_atoms
    cdef int32_t* atoms = <int32_t*>malloc((start.game.n_atoms + 1) * sizeof(int32_t))
    try:
        for lane in range(n_lanes):
            state.c_copy(start)
            for step in range(n_steps):
                place = f"lane {lane}, step {step}"
                if n_fluents:
                    n_atoms = state.c_atoms(atoms)
                    k = 0
                    for i in range(n_fluents):
                        found = k < n_atoms and atoms[k] == i
                        k += found
                        if found != holds[step, lane, i]:
                            return games, played, f"{place}: fluent {i} is {holds[step, lane, i]}, not {int(found)}"
                if state.c_terminal() != over[step, lane]:
                    return games, played, f"{place}: over is {over[step, lane]}, not {state.c_terminal()}"
                if over[step, lane]:
                    state.c_values(values)
                    for role in range(n_roles):
                        if abs(values[role] - goals[step, lane, role]) > 1e-9:
                            return games, played, f"{place}: goal of role {role} is {goals[step, lane, role]}, not {values[role]}"
                    games += 1
                    state.c_copy(start)
                    continue
                for role in range(n_roles):
                    n = state.c_legal(role, &legal)
                    found = False
                    for i in range(n):
                        found = found or legal[i] == moves[step, lane, role]
                    if not found:
                        return games, played, f"{place}: move {moves[step, lane, role]} of role {role} is not legal"
                    joint[role] = moves[step, lane, role]
                state.c_play(joint)
                played += 1
        return games, played, ""
    finally:
        free(atoms)
