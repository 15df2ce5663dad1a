# distutils: extra_compile_args = -O1
"""The base of root strategies."""


cdef class RootStrategy(Strategy):
    """Prepares the root of a search."""

    cdef void look(self) noexcept nogil:
        pass

    cdef void plant(self) noexcept nogil:
        pass

    def keep(self, int step, previous):
        """What is left of the last tree: (node that becomes the root, factor on its statistics), or None.

        Args:
            step: Joint moves played so far.
            previous: (step, move) of the last search of this game, None if there was none.
        """
        return None
