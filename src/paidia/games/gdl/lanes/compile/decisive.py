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

from paidia.games.gdl.lanes.compile.circuit import Circuit
from paidia.games.gdl.lanes.compile.embedding import Embedding
from paidia.games.gdl.lanes.compile.turns import Turn
from paidia.games.gdl.net.kernel import NetGame
from paidia.games.gdl.net.net import Net

__all__ = ["Sample", "decided", "endings", "is_cheap", "seen_apart", "seen_in_turn"]

TRUE, FALSE = 0, 1
#: Gates of the net times moves beyond which nothing is looked for: it would take seconds of somebody's start clock.
MOST_WORK = 6_000_000
#: Gates that a win by one move may take.
MOST_GATES = 200
#: Random games, joint moves of each at most, and positions that are kept of them.
GAMES, LONGEST, MOST_POSITIONS = 4, 100, 64


def is_cheap(net: Net) -> bool:
    """Whether the net can be embedded for every move in about a second."""
    return net.size[0] * sum(len(moves) for moves in net.moves) <= MOST_WORK


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


def seen_in_turn(
    circuit: Circuit, net: Net, turns: Sequence[Turn], controls: Sequence[int]
) -> tuple[list[list[int]], list[list[int]]]:
    """By turn where its free moves win, and where the other's of their names would."""
    wins = [
        endings(
            circuit, net, turn.fluents, turn.embedding.terminal(),
            role=turn.role, moves=turn.free, idle=turn.idle, controls=controls,
        )
        for turn in turns
    ]  # fmt: skip
    return wins, _same_names(net, [turn.free for turn in turns], wins)


def seen_apart(
    circuit: Circuit,
    net: Net,
    sample: Sample | None,
    fluents: Sequence[int],
    terminal: int,
    *,
    legal: Sequence[int],
    moves: Sequence[Sequence[int]],
) -> tuple[list[list[int]], list[list[int]]]:
    """The same by role where nobody knows whose turn it is: a move wins if all others wait. Nothing without a sample, or
    where some role never waits.
    """
    waits = [move for move in sample.idle if move is not None] if sample else []
    if len(waits) < len(net.roles) or net.loops:
        return [], []
    wins, ways = [], []
    for role, own in enumerate(moves):
        others = [move for other, move in enumerate(waits) if other != role]
        ways.append(endings(circuit, net, fluents, terminal, role=role, moves=own, idle=others))
        alone = circuit.all_of(legal[move] for move in others)
        wins.append([circuit.both(alone, way) for way in ways[role]])
    return wins, _same_names(net, moves, ways)


def _same_names(net: Net, moves: Sequence[Sequence[int]], ways: Sequence[Sequence[int]]) -> list[list[int]]:
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
