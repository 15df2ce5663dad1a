# distutils: extra_compile_args = -O1
"""exp and log that are equal to the last bit on every machine (see maths.h)."""


def portable_exp(double x):
    """e to the power x, for |x| up to 700."""
    return exp(x)


def portable_log(double x):
    """The natural logarithm of a positive number."""
    return log(x)
