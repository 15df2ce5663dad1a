# Which fluents say whose turn it is, found in the net itself.

from libc.stdint cimport int32_t

from paidia.core.machine.vectors cimport vector
from paidia.games.gdl.net.net cimport Net


cdef struct Group:
    # Moves of a role that are legal only while all guards hold; without the guards, `literal` says which are.
    int32_t role
    vector[int32_t] guards          # fluent literals
    vector[int32_t] moves           # numbers among all moves of all roles, rising
    vector[int32_t] literals        # legal, given that the guards hold


cdef class Requirements:
    # The fluent literals that must hold for a literal to hold, as far as the form of the net shows them.
    cdef Net net
    cdef vector[vector[int32_t]] sets       # by literal
    cdef vector[char] known                 # by literal

    cdef void find(self, int32_t literal)


# Rewrites the net's roots (guards factored out of disjunctions), so it comes before whatever reads them.
cdef void find_groups(Net net, vector[Group]& groups)
cdef Requirements requirements_of_moves(Net net)
