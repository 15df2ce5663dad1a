# The contract between rules and search, for every kind of game: what all forward models share, one name for each thing.
# `Game` and `State` (game.pxd) add goals, `ArcadeGame` and `ArcadeState` (arcade.pxd) sprites and a score.

from libc.stdint cimport int32_t, uint64_t

from paidia.core.machine.rng cimport Rng

ctypedef int32_t move_t

cdef enum:
    NO_MOVE = -1        # what a role that does not act contributes to a joint move
    MAX_ROLES = 16      # joint moves live on the C stack

cdef enum:              # how it ended for a role
    OPEN = -1           # not at all yet, or neither of these
    LOST = 0
    WON = 1


cdef class Rules:
    # Immutable, shared by all situations of the game.
    cdef readonly str id            # what a user types to get this game again
    cdef readonly tuple roles       # names of the roles, in playing order
    cdef readonly int n_roles
    cdef readonly int n_moves       # move ids are 0 .. n_moves-1; the same id may mean another move for another role
    cdef readonly int n_codes       # feature codes of moves are 0 .. n_codes-1 (see Situation.c_codes)
    cdef readonly int n_places      # what is learned of moves is kept by place (see Situation.c_place); 1: everywhere alike
    cdef readonly int max_legal     # no role ever has more legal moves than this
    cdef readonly int n_atoms       # facts that may hold in a situation are 0 .. n_atoms-1; 0: it does not tell
    cdef readonly bint bounded      # values of situations are goals in [0, 1]; else scores without bounds
    cdef readonly bint decisive     # c_decisive of its situations is quick enough to be asked at every move of a playout
    cdef readonly bint monotone     # moves put stones on cells, for good; exactly one role can win, by its own stones alone
    cdef readonly bint chance       # situations have a generator of their own, which c_seed starts anew
    cdef readonly bint stochastic   # and the rules use it
    cdef readonly bint history      # what comes next depends on more of the past than c_key tells

    cdef void declare_moves(self, str id, tuple roles, int n_moves, int max_legal, int n_codes) except *


cdef class Situation:
    # One mutable position or situation. The c_ methods are what kernels call: no Python object, no allocation, no exception.
    cdef readonly Rules game
    cdef bint failed                # a situation written in Python raised; the search stops and re-raises `error`
    cdef object error

    cdef void fail(self, object error) noexcept      # remember the first error
    # The one role that acts here, or -1 where any number of roles may act. Where a role is returned, c_play reads only
    # that role's entry of the joint move.
    cdef int c_mover(self) noexcept nogil
    # Number of legal moves of a role, and where they stand: a pointer into the situation's own buffer, valid until it
    # changes. A role that does not act has none (or, in GDL, a single one). Order is part of the rules.
    cdef int c_legal(self, int role, const move_t** moves) noexcept nogil
    # The same after a look of two plies, where that is cheap: without moves that are surely no better than one that is left,
    # because that one wins at once, or because they lose at once, themselves or by the next move. Where all lose, some of them.
    cdef int c_decisive(self, int role, const move_t** moves) noexcept nogil
    # The fewest further moves of a role with which it has won if the other one passes; -1: it cannot, or the rules do not tell.
    cdef int c_distance(self, int role) noexcept nogil
    # Play one joint move (an entry per role, NO_MOVE where a role does not act). The move must be legal.
    cdef void c_play(self, const move_t* joint) noexcept nogil
    cdef bint c_terminal(self) noexcept nogil
    # What the situation is worth to each role: its goal in [0, 1], or a score. Also defined where the game is not over.
    cdef void c_values(self, double* values) noexcept nogil
    # WON or LOST once the game is over and that is what it is for the role, else OPEN.
    cdef int c_winner(self, int role) noexcept nogil
    # Become a copy, generator included: seed the copy if it must not foresee what chance will do.
    cdef void c_copy(self, Situation other) noexcept nogil
    cdef void c_seed(self, uint64_t seed) noexcept nogil
    # Equal for equal situations (up to chance and time), different (up to 64-bit chance) for all others; the role to act is
    # part of it.
    cdef uint64_t c_key(self) noexcept nogil
    # Where the role to act stands, 0 .. n_places-1: the same move means something else in another place.
    cdef int c_place(self) noexcept nogil
    # The feature code of each of n moves of a role here (PPAF); the default is the move in its place.
    cdef void c_codes(self, int role, const move_t* moves, int n, int32_t* codes) noexcept nogil
    # The facts that hold here, each once, in a fixed order; `out` has room for all n_atoms. Returns how many.
    cdef int c_atoms(self, int32_t* out) noexcept nogil
    # Play uniformly random joint moves to the end, at most `limit` of them; returns how many. Unless `played` is NULL they are
    # written there, one after the other. A game may override the default with a faster one that has the same distribution.
    cdef int c_playout(self, Rng* rng, int limit, move_t* played) noexcept nogil
    # The same with moves that c_decisive leaves, each of them equally likely.
    cdef int c_decisive_playout(self, Rng* rng, int limit, move_t* played) noexcept nogil


# The playouts of a game that has none of its own.
cdef int plain_playout(Situation situation, Rng* rng, int limit, move_t* played, bint decisive) noexcept nogil


cdef inline void note_move(move_t* played, int step, int mover, move_t move) noexcept nogil:
    """Write a move of a playout down, of a game in which two roles take turns."""
    if played != NULL:
        played[2 * step + mover] = move
        played[2 * step + 1 - mover] = NO_MOVE


cdef inline int moves_of(Situation situation, int role, bint decisive, const move_t** moves) noexcept nogil:
    """The legal moves of a role, or the decisive ones of them."""
    return situation.c_decisive(role, moves) if decisive else situation.c_legal(role, moves)


cdef inline void play_alone(Situation situation, move_t move) noexcept nogil:
    """Play a move in a game of one role."""
    situation.c_play(&move)
