"""A playout strategy of your own in plain Python, in the same search as the ones that come with paidia.

In breakthrough who reaches the last row wins, so pieces that are far ahead matter most. The strategy below
prefers to move them; the example lets it play against uniform playouts. Run it:

    python examples/own_playout.py
"""

from __future__ import annotations

from collections.abc import Sequence

import paidia

GAME = "breakthrough@5x4"
MATCHES = 40


@paidia.PLAYOUTS.register("forward")
class Forward(paidia.PythonPlayout):
    """Of three legal moves drawn at random, the one that brings a piece furthest."""

    def pick(self, state: paidia.State, role: int, moves: Sequence[int], random: float) -> int:
        best, furthest = 0, -1
        for _ in range(3):
            random *= len(moves)  # the next digits of the search's random number: same seed, same playout
            index, random = int(random), random % 1.0
            row = int(state.game.move_name(role, moves[index])[-1])
            progress = row if role == 0 else -row + 100
            if progress > furthest:
                best, furthest = index, progress
        return best


def main() -> None:
    """Check the strategy, then play some matches with it, first and second in turn."""
    game = paidia.load(GAME)
    paidia.testing.check_strategy(Forward, games=[game])
    print("Forward keeps the contract of a strategy")
    agents = [paidia.agent("uct", playout="forward"), paidia.agent("uct")]
    points = 0.0
    for match in range(MATCHES):
        seat = match % 2
        order = agents if seat == 0 else agents[::-1]
        points += paidia.play(game, order, sims=60, seed=match).goals[seat]
    print(f"forward wins {100 * points / MATCHES:.0f} % of {MATCHES} matches against uniform")


if __name__ == "__main__":
    main()
