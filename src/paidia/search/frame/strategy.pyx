# distutils: extra_compile_args = -O1
"""`Strategy`: what selection, playout, backup and final-move strategies have in common."""

from paidia.core.model cimport Rules, Situation
from paidia.search.frame.simulation cimport Simulation


cdef bint flag(str option, object value) except -1:
    if not isinstance(value, bool):
        raise ValueError(f"{option} is true or false, not {value!r}")
    return value


cdef class Strategy:
    """Base of all strategies.

    Attributes:
        needs: What the search must keep for this strategy, of "actions", "ngrams" (or "long-ngrams": of two moves and more),
            "amaf" (or "amaf-once": a move counts once per simulation), "squares", "bounds" (where nothing depends on
            chance), "estimates", "waiting" (situations that wait in the tree) and "sequences" (a tree of sequences). Only
            what some strategy needs is allocated and updated.
        records: Whether the strategy reads the moves of the playout after a simulation.
        options: Names of the keyword arguments that a preset may set.
    """

    needs = ()
    records = False
    options = ()

    def __init__(self):
        # Without it a cdef class takes any argument in silence.
        pass

    cdef void fail(self, object error) noexcept:
        if not self.failed:
            self.failed, self.error = True, error

    def check(self):
        """Raise what a strategy written in Python has raised inside a search."""
        if self.failed:
            error, self.error, self.failed = self.error, None, False
            raise error

    cdef void after_simulation(self, Situation root, Simulation* sim) noexcept nogil:
        pass

    def cannot_play(self, Rules game not None):
        """Why this strategy cannot play a game, "" if it can."""
        return ""

    def notes(self):
        """What a person may want to see after a search: plain data."""
        return {}

    def begin_game(self, Rules game not None):
        """A new game starts: forget everything."""

    def begin_turn(self, int step):
        """The search of a later step of the game starts (not called for the first search of a game)."""

    def begin_search(self, Situation root not None, int role):
        """A search starts from `root` for `role`."""
