# Only kernels: nothing in this module is called from Python.
