# Kernels only: other kernels reach this module through its .pxd; it has no names for Python.
