"""Uniformly random playouts of many simulations at once, where the rules can play them together (`Game.leaves`).

Simulations go down the tree one after the other, each counted as lost until its result is there (virtual loss), so that they
part; then all are played to the end in one wave, each leaf in some lanes of its own, and learned from. Waves grow with the tree:
the first ones hold few simulations, each of them the mean of many playouts. Whoever asks for one playout alone (threads that
share a tree) gets a plain one.
"""

from paidia.core.model cimport Rules
from paidia.search.playout.uniform cimport Uniform

from paidia.core.errors import BadInput
from paidia.search.registry import PLAYOUTS


cdef class Lanes(Uniform):
    """Every legal move is equally likely, in lanes.

    Options:
        most: Simulations of a wave at most: 1, 2, 4, ..., 1024.
        tau: Above 0 playouts learn which moves did well and prefer them: how much means have to differ to matter.
    """

    options = ("most", "tau")
    waves = True

    cdef int most
    cdef double tau
    cdef Rules game

    def __init__(self, *, int most=256, double tau=0.0):
        if not 1 <= most <= 1024 or most & (most - 1):
            raise ValueError(f"most is a number of simulations, 1, 2, 4, ..., 1024, not {most}")
        if not 0.0 <= tau <= 100.0:
            raise ValueError(f"tau is 0 or above, up to 100, not {tau}")
        self.most, self.tau = most, tau

    def cannot_play(self, Rules game not None):
        return "" if hasattr(game, "leaves") else f"lanes play rule sheets, and {game.id} is none"

    def begin_game(self, Rules game not None):
        if self.leaves is None or self.game is not game:
            self.leaves, self.game = game.leaves(self.most, self.tau), game
        if self.leaves is None:
            raise BadInput(f"{game.id} cannot be played in lanes: it has no lane program")


PLAYOUTS.add("lanes", Lanes)
