# Ground rules as gringo writes them (the aspif format), read into arrays and sorted by head.

from libc.stdint cimport int32_t, uint8_t

from paidia.core.machine.vectors cimport vector


cdef class GroundRules:
    cdef int32_t n_atoms                    # atoms are 1 .. n_atoms
    cdef vector[int32_t] rule_first         # the rules of atom a are rule_first[a] .. rule_first[a + 1] - 1
    cdef vector[int32_t] body_first         # by rule
    cdef vector[int32_t] body               # literals: an atom, or minus an atom
    cdef vector[uint8_t] chosen             # by atom: head of a choice rule, so free
    cdef readonly list shown                # (text, literal or 0 for a fact) of every atom that has a name
    cdef vector[int32_t] component          # by atom: its strongly connected component, dependencies first
    cdef vector[int32_t] order              # atoms, dependencies first

    cdef void sort_by_head(self, vector[int32_t]& heads, vector[int32_t]& first, vector[int32_t]& body)
    cdef void find_components(self)
