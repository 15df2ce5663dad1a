from paidia.search.backup.base cimport Backup


cdef class MonteCarlo(Backup):
    pass
