"""Memory of a C structure as a Python buffer: numpy looks at it without a copy, and its owner lives as long as somebody looks."""

from cpython.buffer cimport PyBuffer_FillInfo


cdef class View:
    """So many bytes of an owner, who must not move or free them while it is alive itself."""

    def __getbuffer__(self, Py_buffer* buffer, int flags):
        PyBuffer_FillInfo(buffer, self, self.data, self.size, not self.writable, flags)


cdef View view_of(object owner, void* data, Py_ssize_t size, bint writable):
    """A view of `size` bytes at `data`."""
    cdef View view = View.__new__(View)
    view.owner, view.data, view.size, view.writable = owner, <char*>data, size, writable
    return view
