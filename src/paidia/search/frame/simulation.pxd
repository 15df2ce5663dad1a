# One simulation: what was played, where the tree ended, what came out. Every strategy reads it; only the search writes it.

from libc.stdint cimport int32_t, int64_t, uint32_t

from paidia.core.model cimport MAX_ROLES, move_t
from paidia.core.machine.rng cimport Rng
from paidia.search.frame.scale cimport Bounds

ctypedef struct LastUse:
    uint32_t simulation
    int32_t step

ctypedef struct Repeats:
    # Which moves of the present simulation repeat earlier ones, where AMAF counts a move once for a node.
    LastUse* last_use           # of each pair of role and key
    int32_t* previous           # for each move: the step before in which its role played the same, or -1
    int64_t capacity
    uint32_t simulation         # number of the simulation, so that `last_use` need not be wiped

ctypedef struct Simulation:
    int n_roles
    int n_moves
    int n_keys                  # keys of moves are 0 .. n_keys-1
    int length                  # joint moves so far
    int tree_length             # how many of them were chosen in the tree
    int limit                   # no more joint moves than this (tree and playout together)
    bint record                 # someone reads the playout's moves afterwards
    move_t* moves               # the move of role r at step t: moves[t * n_roles + r]
    # What statistics call that move: place * n_moves + move. The same array as `moves` where a game has one place.
    move_t* keys
    bint keyed                  # it is not the same, and someone reads it
    int place                   # of the present situation, where `keyed`
    bint watched                # moves are not just played: the search wants to see them (Simulator.follow)
    bint decisive               # moves are chosen from what Situation.c_decisive leaves
    bint ask_alone              # a role with a single move is asked all the same
    double results[MAX_ROLES]   # what the simulation ended with, once it has: goals, or values without bounds
    double goals[MAX_ROLES]     # the same in [0, 1]
    bint scaled                 # values have no bounds: `bounds` brings them to [0, 1]
    Bounds bounds               # of all values of this game so far
    double mixmax               # share of the highest result in the value of a move
    double* values              # of the situation after t joint moves, where a strategy wants them
    double* vectors             # parameters of role r: vectors + r * N_PARAMETERS
    Repeats repeats
    Rng rng


ctypedef struct Path:
    # The nodes of one simulation from the root to the last one in which a move was chosen, and the edges chosen there.
    int length
    int32_t* nodes
    int32_t leaf        # the node after the last of them: new, terminal, proven or at the depth limit; NONE without memory
    int32_t* edges      # of role r at the i-th node: edges[i * n_roles + r], NONE where the role did not act
