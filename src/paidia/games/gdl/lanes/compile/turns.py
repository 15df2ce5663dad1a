"""Whose turn it is, proved from the net.

Where roles take turns, one fluent a role says so, exactly one of them holds in every state, and a role out of turn has one move.
Then the roles can share one choice, and what a state becomes can be worked out for each role's turn apart, where most of the
net falls away. None of this is believed because of a name: it is proved by induction over the net, or not used.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from paidia.games.gdl.lanes.compile.circuit import Circuit
from paidia.games.gdl.lanes.compile.embedding import Embedding, initial_of
from paidia.games.gdl.net.machine import Machine
from paidia.games.gdl.net.net import Net

__all__ = ["Turn", "find_controls", "read_turns"]

TRUE, FALSE = 0, 1
#: Sets of fluents that are tried.
MOST_TRIED = 64


class Turn:
    """The net while one role is to move.

    Attributes:
        role: Who is to move.
        fluents: The literal of every fluent, the controlling ones said.
        embedding: The net on them.
        legal: The literal of every move over all roles.
        free: The moves of the role to move that can be legal.
        idle: The moves of the others, one each.
    """

    def __init__(
        self, role: int, fluents: list[int], embedding: Embedding, legal: list[int], free: list[int], idle: list[int]
    ) -> None:
        self.role = role
        self.fluents = fluents
        self.embedding = embedding
        self.legal = legal
        self.free = free
        self.idle = idle


def find_controls(machine: Machine) -> list[list[int]]:
    """Fluents, one for each role, that may say whose turn it is, the likeliest first."""
    net = machine.net
    number = {text: i for i, text in enumerate(net.fluents)}
    by_role: list[list[int]] = []
    for role in net.roles:
        moves: dict[int, int] = {}
        for owner, guards, n in machine.groups_of_moves:
            if owner == role:
                for guard in guards:
                    if guard in number:
                        moves[number[guard]] = moves.get(number[guard], 0) + n
        by_role.append(sorted(moves, key=lambda fluent: -moves[fluent])[:4])
    if len(by_role) < 2 or not all(by_role):
        return []
    sets = (list(found) for found in itertools.product(*by_role) if len(set(found)) == len(found))
    return [found for found in itertools.islice(sets, MOST_TRIED) if _one_holds(net, found)]


def _one_holds(net: Net, controls: Sequence[int]) -> bool:
    """Whether exactly one of the fluents holds in every state, as far as induction shows."""
    initial = initial_of(net)
    if sum(initial[fluent] for fluent in controls) != 1:
        return False
    circuit = Circuit()
    fluents = [circuit.input(i) for i in range(len(net.fluents))]
    if len(controls) == 2:
        fluents[controls[1]] = fluents[controls[0]] ^ 1  # what is to be shown, for the state before
    embedding = Embedding(circuit, net, fluents)
    n_moves = sum(len(moves) for moves in net.moves)
    embedding.play([circuit.input(len(fluents) + i) for i in range(n_moves)])
    following = embedding.next(controls)
    if len(controls) == 2:
        return following[0] == following[1] ^ 1
    return sorted(following) == sorted(fluents[fluent] for fluent in controls)


def read_turns(circuit: Circuit, net: Net, fluents: Sequence[int], controls: Sequence[int]) -> list[Turn] | None:
    """The net for each role's turn; None where a role out of turn has a choice, or none of the moves."""
    first = [0, *itertools.accumulate(len(moves) for moves in net.moves)]
    turns = []
    for mover in range(len(controls)):
        under = list(fluents)
        for role, control in enumerate(controls):
            under[control] = TRUE if role == mover else FALSE
        embedding = Embedding(circuit, net, under)
        legal = embedding.legal()
        idle = []
        for role in range(len(controls)):
            moves = range(first[role], first[role + 1])
            if role == mover:
                free = [move for move in moves if legal[move] != FALSE]
            else:
                possible = [move for move in moves if legal[move] != FALSE]
                if len(possible) != 1 or legal[possible[0]] != TRUE:
                    return None
                idle.append(possible[0])
        turns.append(Turn(mover, under, embedding, legal, free, idle))
    return turns
