# distutils: extra_compile_args = -O1
"""A tuner in plain Python: override `choose` and `learn` of one role. Slow, and right for trying ideas.

    class Greedy(PythonTuner):
        def make_role(self, sizes, seed):
            return GreedyRole(sizes, seed)

`make_role` gives an object for each role with `choose() -> genes`, the index of a value for each parameter, and
`learn(genes, reward)` with a reward in [0, 1]; `best() -> genes or None` may tell what it thinks is best.
"""

from paidia.control.settings import ControlSettings
from paidia.control.tuner cimport Allocation, Tuner


cdef class PythonAllocation(Allocation):
    """The role of a tuner in Python, as the search calls it."""

    cdef object role
    cdef readonly object error

    def __init__(self, combinations, seed, role):
        super().__init__(combinations, seed)
        self.role = role

    cdef void choose(self) noexcept nogil:
        cdef int i
        with gil:
            if self.error is not None:
                return
            try:
                genes = list(self.role.choose())
                if len(genes) != self.space.d or not self.combinations.legal(genes):
                    raise ValueError(f"choose() gave {genes}, which is no legal combination")
                for i in range(self.space.d):
                    self.genes[i] = genes[i]
            except BaseException as error:
                self.error = error

    cdef void update(self, double reward) noexcept nogil:
        with gil:
            if self.error is not None:
                return
            try:
                self.role.learn(self.current(), reward)
            except BaseException as error:
                self.error = error

    def best(self):
        tell = getattr(self.role, "best", None)
        return tell() if tell is not None else None


cdef class PythonTuner(Tuner):
    """A controller whose roles are written in Python; register it, or name it as FILE.py:NAME."""

    Settings = ControlSettings

    def make_role(self, sizes, seed):
        """The object that chooses for one role; `sizes` are the numbers of values of the parameters."""
        raise NotImplementedError

    def legal(self, genes):
        """Whether a combination may be used."""
        return self.combinations.legal(genes)

    def allocate(self, seed):
        return PythonAllocation(self.combinations, seed, self.make_role(self.combinations.sizes(), seed))

    def _raise(self):
        for allocation in self.allocations:
            if allocation.error is not None:
                raise allocation.error

    def begin_turn(self, int turn):
        self._raise()
        Tuner.begin_turn(self, turn)

    def trajectory(self, *, int most_used=20):
        self._raise()
        return Tuner.trajectory(self, most_used=most_used)
