# Memory of a C structure as a Python buffer that keeps its owner alive.


cdef class View:
    cdef object owner
    cdef char* data
    cdef Py_ssize_t size
    cdef bint writable


cdef View view_of(object owner, void* data, Py_ssize_t size, bint writable)
