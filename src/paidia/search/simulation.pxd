# One simulation: what was played, where the tree ended, what came out. Every strategy reads it; only Mcts writes it.

from paidia.core.model cimport MAX_ROLES, move_t
from paidia.core.rng cimport Rng

ctypedef struct Simulation:
    int n_roles
    int n_moves
    int length                  # joint moves so far
    int tree_length             # how many of them were chosen in the tree
    int limit                   # no more joint moves than this (tree and playout together)
    bint record                 # someone reads the playout's moves afterwards
    move_t* moves               # the move of role r at step t: moves[t * n_roles + r]
    double goals[MAX_ROLES]     # result, once the simulation has ended
    double* vectors             # parameters of role r: vectors + r * N_PARAMETERS
    Rng rng
