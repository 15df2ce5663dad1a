"""`Strategy`: what selection, playout, backup and final-move strategies have in common."""

from paidia.core.game cimport Game, State
from paidia.search.simulation cimport Simulation


cdef class Strategy:
    """Base of all strategies.

    Attributes:
        needs: Statistics that the search must keep for this strategy, of "actions", "ngrams", "amaf". Only what some
            strategy needs is allocated and updated.
        records: Whether the strategy reads the moves of the playout after a simulation.
        options: Names of the keyword arguments that a preset may set.
    """

    needs = ()
    records = False
    options = ()

    cdef void after_simulation(self, State root, Simulation* sim) noexcept nogil:
        pass

    def begin_game(self, Game game):
        """A new game starts: forget everything."""

    def begin_turn(self, int step):
        """The search of a later step of the game starts (not called for the first search of a game)."""

    def begin_search(self, State root, int role):
        """A search starts from `root` for `role`."""
