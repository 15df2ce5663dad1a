"""Moves that decide a game at once: a playout that sees them is less blind (Teytaud and Teytaud 2010).

    wins     moves after which the game is over, and whoever made it has all there is to get
    threat   a move by which the other would win, were it to move
    holds    moves that leave the other no threat, where it has some

The net is embedded once more for every move, with that move said and the others idle: nearly all of it falls together with what
is there. That the game is not over yet is taken for granted, so that of all the ways to win only those are left that the move
brings about. What still takes many gates is left out, and more than ten conditions that were never met at once in some random
games (all cells free of other pieces) are taken for never met: not all wins are seen.

A move takes a threat away if it has its name (who puts a stone there first), or if it is what forbids it: whatever else is the
case, the other may not make its move where those facts are as this move makes them which few others of its role make so (the
piece that would have moved is gone, the cell is blocked). What most moves bring about says nothing, whose turn it is above all.

Where the end of a game can bring nearly as much as a win at once (quad, which gives 90 for blockers that are left), playouts that
never miss one end in little else than that, and are worse than blind ones: nothing is looked for there.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Sequence

from paidia.games.gdl.lanes.compile.circuit import Circuit
from paidia.games.gdl.lanes.compile.embedding import Embedding
from paidia.games.gdl.lanes.compile.turns import Turn
from paidia.games.gdl.net.kernel import NetGame
from paidia.games.gdl.net.net import Net

__all__ = ["Sample", "decided", "endings", "is_cheap", "is_clear_cut", "seen_apart", "seen_in_turn", "taken_away"]

TRUE, FALSE = 0, 1
#: Gates of the net times moves beyond which nothing is looked for: it would take seconds of somebody's start clock.
MOST_WORK = 6_000_000
#: Gates that a win by one move may take.
MOST_GATES = 200
#: A fact that so large a share of a role's moves makes true (or false) is none of a single move's.
COMMON = 0.25
#: Gates that the moves of a role which hold may take together; else only those count that have a threat's name.
MOST_HOLDING = 2000
#: Random games, joint moves of each at most, and positions that are kept of them.
GAMES, LONGEST, MOST_POSITIONS = 4, 100, 64


def is_cheap(net: Net) -> bool:
    """Whether the net can be embedded for every move in about a second."""
    return net.size[0] * sum(len(moves) for moves in net.moves) <= MOST_WORK


def is_clear_cut(net: Net) -> bool:
    """Whether who does not win has half of what there is to get, at most."""
    return all(value <= 0.5 or value == 1.0 for value in net.goal_values)


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
        turns: By role the facts that always are so where it has a choice, and never where it waits.
    """

    def __init__(self, game: NetGame) -> None:
        chance, net = random.Random(0), game.machine.net
        first = [0, *itertools.accumulate(len(moves) for moves in net.moves)]
        alone: list[dict[int, int]] = [{} for _ in net.roles]
        chosen: list[set[int]] = [set() for _ in net.roles]
        met: list[set[str]] = []
        choices: list[list[list[int]]] = []
        for _ in range(GAMES):
            state = game.initial_state()
            for _ in range(LONGEST):
                if state.terminal:
                    break
                facts = set(state.fluents())
                met.append(facts)
                legal = Embedding(Circuit(), net, [TRUE if fluent in facts else FALSE for fluent in net.fluents]).legal()
                choices.append([])
                for role in range(len(net.roles)):
                    mine = [move for move in range(first[role], first[role + 1]) if legal[move] == TRUE]
                    choices[-1].append(mine)
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
        self.turns: list[dict[int, int]] = []
        for role, idle in enumerate(self.idle):
            acts = [facts for facts, own in zip(met, choices, strict=True) if len(own[role]) > 1]
            rests = [facts for facts, own in zip(met, choices, strict=True) if own[role] == [idle]]
            self.turns.append({})
            for number, fluent in enumerate(net.fluents):
                then, else_ = {fluent in facts for facts in acts}, {fluent in facts for facts in rests}
                if len(then) == len(else_) == 1 and then != else_:
                    self.turns[role][number] = TRUE if True in then else FALSE


def seen_in_turn(
    circuit: Circuit, net: Net, turns: Sequence[Turn], controls: Sequence[int]
) -> tuple[list[list[int]], list[list[int]]]:
    """By turn where its free moves win, and where they hold."""
    wins = [
        endings(
            circuit, net, turn.fluents, turn.embedding.terminal(),
            role=turn.role, moves=turn.free, idle=turn.idle, controls=controls,
        )
        for turn in turns
    ]  # fmt: skip
    threats = [
        [circuit.both(win, turn.legal[move]) for win, move in zip(own, turn.free, strict=True)]
        for turn, own in zip(turns, wins, strict=True)
    ]
    return wins, _holding(circuit, net, [turn.free for turn in turns], [turn.idle for turn in turns], threats)


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
    wins, ways, idle = [], [], []
    for role, own in enumerate(moves):
        others = [move for other, move in enumerate(waits) if other != role]
        idle.append(others)
        ways.append(endings(circuit, net, fluents, terminal, role=role, moves=own, idle=others))
        alone = circuit.all_of(legal[move] for move in others)
        wins.append([circuit.both(alone, way) for way in ways[role]])
    threats = []
    for role, own in enumerate(moves):  # what is legal in its turn, as far as it is known what that is
        turned = [sample.turns[role].get(fluent, literal) for fluent, literal in enumerate(fluents)] if sample else fluents
        may = Embedding(circuit, net, turned).legal()
        threats.append([circuit.both(way, may[move]) for way, move in zip(ways[role], own, strict=True)])
    return wins, _holding(circuit, net, moves, idle, threats)


def _holding(
    circuit: Circuit, net: Net, moves: Sequence[Sequence[int]], idle: Sequence[Sequence[int]], threats: Sequence[Sequence[int]]
) -> list[list[int]]:
    """By role and move where it leaves the other no threat; nowhere if there are several others."""
    if len(moves) != 2:
        return [[FALSE] * len(own) for own in moves]
    names = [name for own in net.moves for name in own]
    found = []
    for role, own in enumerate(moves):
        theirs, against = moves[1 - role], threats[1 - role]
        dangerous = [place for place, threat in enumerate(against) if threat != FALSE]
        gone = taken_away(net, own, idle[role], [theirs[place] for place in dangerous])
        same = [{k for k, place in enumerate(dangerous) if names[theirs[place]] == names[move]} for move in own]
        ranges, since = _Ranges(circuit, [against[place] for place in dangerous]), len(circuit)
        answers = [ranges.only(sorted(taken | named)) for taken, named in zip(gone, same, strict=True)]
        if len(circuit) - since > MOST_HOLDING:
            answers = [ranges.only(sorted(named)) for named in same]
        found.append(answers)
    return found


def taken_away(net: Net, own: Sequence[int], idle: Sequence[int], theirs: Sequence[int]) -> list[set[int]]:
    """By move of a role: which of the others' moves, by their places among `theirs`, it forbids whatever else is the case."""
    if not theirs:
        return [set() for _ in own]
    circuit, n_moves = Circuit(), sum(len(moves) for moves in net.moves)
    facts = [circuit.input(i) for i in range(len(net.fluents))]
    effects: list[dict[int, int]] = []
    for move in own:
        made = [FALSE] * n_moves
        for each in (move, *idle):
            made[each] = TRUE
        now = Embedding(circuit, net, facts)
        now.make(made)
        effects.append({fluent: value for fluent, value in enumerate(now.next()) if value in (TRUE, FALSE)})
    usual = Counter(effect for brought in effects for effect in brought.items())
    found: list[set[int]] = []
    for brought in effects:
        rare = {fluent: value for fluent, value in brought.items() if usual[fluent, value] <= max(1, COMMON * len(own))}
        if not rare:
            found.append(set())
            continue
        then = Embedding(circuit, net, [rare.get(fluent, literal) for fluent, literal in enumerate(facts)]).legal()
        found.append({place for place, move in enumerate(theirs) if then[move] == FALSE})
    return found


class _Ranges:
    """Literals in a row, and whether any of a stretch of them holds, with gates that stretches share."""

    def __init__(self, circuit: Circuit, literals: Sequence[int]) -> None:
        self.circuit, self.size = circuit, len(literals)
        self.tree = [FALSE] * self.size + list(literals)  # the parent of i is i // 2
        for i in range(self.size - 1, 0, -1):
            self.tree[i] = circuit.either(self.tree[2 * i], self.tree[2 * i + 1])

    def any_of(self, first: int, end: int) -> int:
        """Whether one of these places holds."""
        parts = []
        first, end = first + self.size, end + self.size
        while first < end:
            if first & 1:
                parts.append(self.tree[first])
                first += 1
            if end & 1:
                end -= 1
                parts.append(self.tree[end])
            first, end = first // 2, end // 2
        return self.circuit.any_of(parts)

    def only(self, places: Sequence[int]) -> int:
        """Whether one of these places holds and none of the others."""
        if not places:
            return FALSE
        ends = [-1, *places, self.size]
        others = self.circuit.any_of(self.any_of(a + 1, b) for a, b in itertools.pairwise(ends))
        return self.circuit.both(self.circuit.any_of(self.tree[self.size + place] for place in places), others ^ 1)


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
