"""Random playouts of many simulations at once, where the rules can play them together (`Rules.leaves`).

Simulations go down the tree one after the other, each counted as lost until its result is there (virtual loss), so that they
part; then all are played to the end in one wave, each leaf in some lanes of its own, and learned from (search/waves.pyx). Waves
grow with the tree: the first ones hold few simulations, each of them the mean of many playouts.

With tau above 0 the playouts of a wave are guided by those of the waves before: they prefer moves that did well, as MAST does
(Finnsson and Bjornsson 2008), each lane after a taste of its own. That, and waves, are ours. Where there are no waves (games
without a lane program, trees of sequences, evaluations, parameters that change, threads that share a tree) playouts are
uniformly random and come one after the other.
"""

from paidia.core.model cimport Rules
from paidia.search.playout.uniform cimport Uniform

from paidia.search.registry import PLAYOUTS


cdef class Lanes(Uniform):
    """Random playouts in lanes, which learn.

    Options:
        most: Simulations of a wave at most: 1, 2, 4, ..., 1024.
        tau: How much the means of two moves have to differ to matter; 0: every legal move is equally likely.
        decisive: Make moves that win at once, and those that the other would win by, as far as they are quickly seen.
    """

    options = ("most", "tau", "decisive")

    cdef int most
    cdef bint decisive
    cdef double tau
    cdef Rules game

    def __init__(self, *, int most=512, double tau=0.0, bint decisive=False):
        if not 1 <= most <= 1024 or most & (most - 1):
            raise ValueError(f"most is a number of simulations, 1, 2, 4, ..., 1024, not {most}")
        if not 0.0 <= tau <= 100.0:
            raise ValueError(f"tau is 0 or above, up to 100, not {tau}")
        self.most, self.tau, self.decisive = most, tau, decisive

    def begin_game(self, Rules game not None):
        if self.game is not game:
            self.leaves, self.game = game.leaves(self.most, self.tau, decisive=self.decisive), game
        if self.leaves is not None:
            self.leaves.forget()


PLAYOUTS.add("lanes", Lanes)
