"""Moves that decide a game at once: a playout that sees them is less blind (Teytaud and Teytaud 2010).

    wins    moves after which the game is over, and whoever made it has all there is to get
    holds   moves by whose name the other would win, were it to move: who makes it often takes it away

The net is embedded once more for every move, with that move said and the others idle: nearly all of it falls together with what
is there. That the game is not over yet is taken for granted, so that of all the ways to win only those are left that the move
brings about. What still takes many gates is left out, and more than ten conditions that were never met at once in some random
games (all cells free of other pieces) are taken for never met: not all wins are seen. `holds` is a guess that costs next to
nothing: where no such move is legal, nothing is preferred.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

from paidia.games.gdl.lanes.compile.circuit import Circuit, Embedding
from paidia.games.gdl.net.kernel import NetGame
from paidia.games.gdl.net.net import Net

__all__ = ["Sample", "decided", "endings", "same_names"]

TRUE, FALSE = 0, 1
#: Gates that a win by one move may take.
MOST_GATES = 200
#: Random games, joint moves of each at most, and positions that are kept of them.
GAMES, LONGEST, MOST_POSITIONS = 4, 100, 64


def endings(
    circuit: Circuit,
    net: Net,
    fluents: Sequence[int],
    terminal: int,
    *,
    role: int,
    moves: Sequence[int],
    idle: Sequence[int],
    controls: Sequence[int] = (),
) -> list[int]:
    """For each of some moves of a role where it wins at once, whether it is legal or not.

    Args:
        circuit: Where the literals are made.
        net: The net.
        fluents: The literal of each fluent.
        terminal: Where the game is over already: nothing is said of that.
        role: Who moves.
        moves: The moves, numbered over all roles.
        idle: What the others do meanwhile.
        controls: Two fluents of which exactly one holds, if there are such.
    """
    n_moves = sum(len(own) for own in net.moves)
    circuit.assume([terminal ^ 1])
    since = len(circuit)
    found = []
    for move in moves:
        made = [FALSE] * n_moves
        for each in (move, *idle):
            made[each] = TRUE
        now = Embedding(circuit, net, fluents)
        now.make(made)
        then = now.next()
        if len(controls) == 2:
            then[controls[1]] = then[controls[0]] ^ 1
        after = Embedding(circuit, net, then, assuming=True)
        over = after.terminal()
        won = [literal for own, value, literal in after.goals() if own == role and value == 1.0] if over != FALSE else []
        win = circuit.both(over, circuit.any_of(won))
        found.append(win if circuit.gates_of(win, since) <= MOST_GATES else FALSE)
    return found


class Sample:
    """What some random games were like.

    Attributes:
        positions: How many positions were kept.
        seen: By fluent: in which of them it holds, a bit for each.
        idle: By role the move it makes while it waits, numbered over all roles: the only legal one whenever it is legal; None if
            there is no such move.
    """

    def __init__(self, game: NetGame) -> None:
        chance, net = random.Random(0), game.machine.net
        first = [0, *itertools.accumulate(len(moves) for moves in net.moves)]
        alone: list[dict[int, int]] = [{} for _ in net.roles]
        chosen: list[set[int]] = [set() for _ in net.roles]
        met: list[set[str]] = []
        for _ in range(GAMES):
            state = game.initial_state()
            for _ in range(LONGEST):
                if state.terminal:
                    break
                facts = set(state.fluents())
                met.append(facts)
                legal = Embedding(Circuit(), net, [TRUE if fluent in facts else FALSE for fluent in net.fluents]).legal()
                for role in range(len(net.roles)):
                    mine = [move for move in range(first[role], first[role + 1]) if legal[move] == TRUE]
                    if len(mine) == 1:
                        alone[role][mine[0]] = alone[role].get(mine[0], 0) + 1
                    else:
                        chosen[role].update(mine)
                own = (state.legal(role) for role in range(game.n_roles))
                state.play([chance.choice(moves) if moves else None for moves in own])
        kept = chance.sample(met, min(MOST_POSITIONS, len(met)))
        self.positions = len(kept)
        self.seen = [sum(1 << i for i, facts in enumerate(kept) if fluent in facts) for fluent in net.fluents]
        waits = [{move: n for move, n in own.items() if move not in chosen[role]} for role, own in enumerate(alone)]
        self.idle = [max(own, key=lambda move: own[move]) if own else None for own in waits]


def same_names(net: Net, moves: Sequence[Sequence[int]], ways: Sequence[Sequence[int]]) -> list[list[int]]:
    """By role and move where the other role would win by the move of that name; nowhere if there are several others."""
    names = [name for own in net.moves for name in own]
    won = [{names[move]: way for move, way in zip(own, found, strict=True)} for own, found in zip(moves, ways, strict=True)]
    found = []
    for role, own in enumerate(moves):
        threats = won[1 - role] if len(moves) == 2 else {}
        found.append([threats.get(names[move], FALSE) for move in own])
    return found


def decided(
    circuit: Circuit, legal: Sequence[int], wins: Sequence[int], holds: Sequence[int], wanted: list[int]
) -> tuple[list[int], int]:
    """The moves to choose from, those that win where some do, else those that hold, else the wanted ones; and where it is not the
    last of these.
    """
    forced = FALSE
    for found in (holds, wins):
        mine = [circuit.both(word, literal) for word, literal in zip(legal, found, strict=True)]
        some = circuit.tree_any(mine)
        wanted = [circuit.select(some, one, other) for one, other in zip(mine, wanted, strict=True)]
        forced = circuit.either(forced, some)
    return wanted, forced
