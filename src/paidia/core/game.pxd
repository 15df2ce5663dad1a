# The contract between rules and search. Everything that searches abstract games sees only these two classes.

from libc.stdint cimport int32_t, uint64_t

from paidia.core.rng cimport Rng

ctypedef int32_t move_t

cdef enum:
    NO_MOVE = -1        # what a role that does not act contributes to a joint move
    MAX_ROLES = 16      # joint moves live on the C stack


cdef class Game:
    # Immutable rules, shared by all states of the game.
    cdef readonly str id            # what a user types to get this game again
    cdef readonly tuple roles       # names of the roles, in playing order
    cdef readonly int n_roles
    cdef readonly int n_moves       # move ids are 0 .. n_moves-1; the same id may mean another move for another role
    cdef readonly int n_codes       # feature codes of moves are 0 .. n_codes-1 (see State.c_codes)
    cdef readonly int max_legal     # no role ever has more legal moves than this

    cdef void declare(self, str id, tuple roles, int n_moves, int max_legal, int n_codes=*) except *


cdef class State:
    # One mutable position. The c_ methods are what kernels call: no Python object, no allocation, no exception.
    cdef readonly Game game
    cdef bint failed                # a state written in Python raised; the search stops and re-raises `error`
    cdef object error

    # The one role that acts here, or -1 where any number of roles may act. Where a role is returned, c_play reads only
    # that role's entry of the joint move.
    cdef int c_mover(self) noexcept nogil
    # Number of legal moves of a role, and where they stand: a pointer into the state's own buffer, valid until the
    # state changes. A role that does not act has none (or, in GDL, a single one). Order is part of the rules.
    cdef int c_legal(self, int role, const move_t** moves) noexcept nogil
    # Play one joint move (an entry per role, NO_MOVE where a role does not act). The move must be legal.
    cdef void c_play(self, const move_t* joint) noexcept nogil
    cdef bint c_terminal(self) noexcept nogil
    # Goal of each role in [0, 1]. Also defined where the state is not terminal (a search cut at its depth limit).
    cdef void c_goals(self, double* goals) noexcept nogil
    cdef void c_copy(self, State other) noexcept nogil
    # Equal for equal positions, different (up to 64-bit chance) for all others; the role to act is part of it.
    cdef uint64_t c_key(self) noexcept nogil
    # The feature code of each of n moves of a role here (PPAF, section 6.3 of the spec); the default is the move itself.
    cdef void c_codes(self, int role, const move_t* moves, int n, int32_t* codes) noexcept nogil
    # Play uniformly random joint moves to the end, at most `limit` of them; returns how many. A game may override the
    # default with a faster one that has the same distribution.
    cdef int c_playout(self, Rng* rng, int limit) noexcept nogil
