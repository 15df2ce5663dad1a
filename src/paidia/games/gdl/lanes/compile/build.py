"""Net -> lane program."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

import numpy as np

from paidia.core.errors import BadInput
from paidia.core.game import Game
from paidia.games.gdl.lanes.compile.choice import choose, random_bits
from paidia.games.gdl.lanes.compile.circuit import Circuit
from paidia.games.gdl.lanes.compile.decisive import Sample, decided, is_cheap, is_clear_cut, seen_apart, seen_in_turn
from paidia.games.gdl.lanes.compile.embedding import Embedding, initial_of
from paidia.games.gdl.lanes.compile.schedule import Scheduler
from paidia.games.gdl.lanes.compile.turns import Turn, find_controls, read_turns
from paidia.games.gdl.lanes.portable import Op
from paidia.games.gdl.lanes.program import LaneProgram, Routine
from paidia.games.gdl.net.kernel import NetGame
from paidia.games.gdl.net.net import Net

__all__ = ["build_leaves", "build_moves", "build_program"]

TRUE, FALSE = 0, 1


def build_program(game: Game, *, trace: bool = False) -> LaneProgram:
    """The lane program of a GDL game.

    Args:
        game: The game.
        trace: Let `step` have a plane for every move over all roles behind its goals: whether it is made. The games are the same.

    Raises:
        BadInput: the game is not played on a net, or its circuit would be too large (`circuit.MOST_NODES`).
    """
    return _built(game, lambda net_game: Builder(net_game, trace=trace).program())


def build_leaves(game: Game, *, guided: bool, decisive: bool = False) -> LaneProgram:
    """A lane program for whoever plays positions to their ends: `leaf` and `goals` alone.

    Args:
        game: The game.
        guided: Let `leaf` have a plane for every move that says where it is to be preferred, and tell the moves made.
        decisive: Let moves that win at once be made wherever there are some, and where the other threatens to, its moves; as
            far as roles take turns and that is cheap enough to see.

    Raises:
        BadInput: as `build_program`.
    """
    return _built(game, lambda net_game: Builder(net_game, guided=guided, decisive=decisive).leaves())


def build_moves(game: Game) -> LaneProgram:
    """A lane program for whoever looks at all moves of a position: `look` and `play` alone, and these of another kind.

    look: Planes: fluents, legal moves that the actions choose from, over, goals.
    play: Planes: fluents, bits of each action; then over, goals, the next fluents, also where the game is over. Nothing starts
        anew, and that an action is legal is taken for granted.

    Raises:
        BadInput: as `build_program`.
    """
    return _built(game, lambda net_game: Builder(net_game).moves())


def _built(game: Game, build: Callable[[NetGame], LaneProgram]) -> LaneProgram:
    if not isinstance(game, NetGame):
        raise BadInput(f"{game.id}: lanes need a GDL game that has a propositional net")
    try:
        return build(game)
    except MemoryError as error:
        reason = "its lanes take more memory than there is" if str(error) in ("", "std::bad_alloc") else error
        raise BadInput(f"{game.id}: {reason}") from None


class Builder:
    """Builds the routines of one game."""

    def __init__(self, game: NetGame, *, trace: bool = False, guided: bool = False, decisive: bool = False) -> None:
        self.game = game
        self.trace, self.guided = trace, guided
        self.net: Net = game.machine.net
        self.sample = Sample(game) if decisive and is_cheap(self.net) and is_clear_cut(self.net) else None
        self.n_fluents = len(self.net.fluents)
        self.initial = initial_of(self.net)
        self.first = [0, *itertools.accumulate(len(moves) for moves in self.net.moves)]
        self.controls: list[int] | None = None
        if not self.net.loops:  # they would have to be brought to their fixpoint for every role's turn apart
            for controls in find_controls(game.machine):
                circuit = Circuit()
                if read_turns(circuit, self.net, self._fluents(circuit, controls), controls) is not None:
                    self.controls = controls
                    break

        most = max(len(moves) for moves in self.net.moves)
        self.actions = [most] if self.controls else [len(moves) for moves in self.net.moves]

    def program(self) -> LaneProgram:
        look, goals = self._look()
        step = self._step(goals_inside=True)
        inside = step[0].size - self._step(goals_inside=False)[0].size <= self.n_fluents  # else they are worth a pool
        step = self._step(goals_inside=inside)
        play = self._play()
        leaf = self._step(goals_inside=False, to_the_end=True)[0]
        return self._program(
            step=step[0], n_random=step[1], counts=step[2], inside=inside, goals=goals, leaf=leaf, look=look, play=play
        )

    def leaves(self) -> LaneProgram:
        """The program of `build_leaves`."""
        _, goals = self._look()
        leaf, n_random, counts = self._step(goals_inside=False, to_the_end=True)
        self.initial_legal: list[bool] = []
        nothing = self._nothing()
        return self._program(
            step=nothing, n_random=n_random, counts=counts, inside=False, goals=goals, leaf=leaf, look=nothing, play=nothing
        )

    def moves(self) -> LaneProgram:
        """The program of `build_moves`."""
        nothing = self._nothing()
        look = self._look_at_moves()
        return self._program(
            step=nothing, n_random=0, counts=[], inside=False, goals=nothing, leaf=nothing, look=look, play=self._play_on()
        )  # fmt: skip

    def _nothing(self) -> Routine:
        """A routine that nobody runs."""
        rows = np.array([[Op.MARK, 0, part, 0, 0] for part in (0, 1)], np.int32)
        return Routine(rows, self.n_fluents, self.n_fluents + 1)

    def _program(
        self, *, step: Routine, n_random: int, counts: list[int], inside: bool, goals: Routine, leaf: Routine, look: Routine,
        play: Routine,
    ) -> LaneProgram:  # fmt: skip
        return LaneProgram(
            name=self.game.id,
            roles=list(self.net.roles),
            fluents=list(self.net.fluents),
            moves=[list(moves) for moves in self.net.moves],
            initial=self.initial,
            step=step,
            n_random=n_random,
            counts=counts,
            goal_role=[role for role, _, _ in self.goal_list],
            goal_value=[value for _, value, _ in self.goal_list],
            goals_in_step=inside,
            goals=goals,
            look=look,
            leaf=leaf,
            n_tastes=self.first[-1] if self.guided else 0,
            play=play,
            actions=self.actions,
            initial_legal=self.initial_legal,
            controls=self.controls or [],
        )

    def _fluents(self, circuit: Circuit, controls: Sequence[int] | None) -> list[int]:
        """An input for every fluent; of two that are never equal, one is the denial of the other."""
        seen = self.sample.seen if self.sample else [0] * self.n_fluents
        fluents = [circuit.input(i, seen[i]) for i in range(self.n_fluents)]
        if controls is not None and len(controls) == 2:
            fluents[controls[1]] = fluents[controls[0]] ^ 1
        return fluents

    def _situation(self, circuit: Circuit) -> tuple[list[int], list[int], int]:
        """What can be seen of a situation: fluents, legal moves over all roles, whether the game is over; its goals are kept."""
        fluents = self._fluents(circuit, self.controls)
        embedding = Embedding(circuit, self.net, fluents)
        legal = embedding.legal()
        over = self._over(circuit, embedding.terminal(), legal)
        self.goal_list = embedding.goals()
        return fluents, legal, over

    def _look(self) -> tuple[Routine, Routine]:
        """The routines `look` and `goals`."""
        circuit = Circuit()
        _, legal, over = self._situation(circuit)
        goals = [literal for _, _, literal in self.goal_list]
        n = self.n_fluents
        whole = Scheduler(circuit, n)
        for place, literal in enumerate([*legal, over, *goals]):
            whole.out(literal, n + place)
        alone = Scheduler(circuit, n)
        for place, literal in enumerate(goals):
            alone.out(literal, n + place)
        return (
            Routine(whole.result(), n, n + len(legal) + 1 + len(goals)),
            Routine(alone.result(), n, n + len(goals)),
        )

    def _over(self, circuit: Circuit, terminal: int, legal: Sequence[int]) -> int:
        """Whether the rules say so, or a role has no move."""
        ends = [terminal]
        for role in range(len(self.net.roles)):
            ends.append(circuit.tree_any(legal[self.first[role] : self.first[role + 1]]) ^ 1)
        return circuit.any_of(ends)

    def _step(self, *, goals_inside: bool, to_the_end: bool = False) -> tuple[Routine, int, list[int]]:
        self.to_the_end = to_the_end
        self.tasted = self.guided and to_the_end
        circuit = Circuit(positions=self.sample.positions if self.sample else 0)
        fluents = self._fluents(circuit, self.controls)
        turns = None if self.controls is None else read_turns(circuit, self.net, fluents, self.controls)
        if turns is None:
            return self._step_apart(circuit, fluents, goals_inside)
        return self._step_in_turn(circuit, fluents, turns, goals_inside)

    def _step_apart(self, circuit: Circuit, fluents: list[int], goals_inside: bool) -> tuple[Routine, int, list[int]]:
        """Every role chooses for itself."""
        embedding = Embedding(circuit, self.net, fluents)
        legal = embedding.legal()
        terminal = embedding.terminal()
        plane = self.n_fluents
        chosen: list[int] = []
        told: list[int] = []  # of those that were chosen freely
        counts: list[list[int]] = []
        choices = []  # by role: moves that may be legal, random planes
        for role in range(len(self.net.roles)):
            words = legal[self.first[role] : self.first[role + 1]]
            open_words = [i for i, word in enumerate(words) if word != FALSE]
            n_random = random_bits(len(open_words))
            choices.append((words, open_words, [circuit.input(plane + i) for i in range(n_random)]))
            plane += n_random
        tastes = self._tastes(circuit, plane)
        plane += len(tastes)
        moves = [[self.first[role] + i for i in open_words] for role, (_, open_words, _) in enumerate(choices)]
        wins, holds = seen_apart(circuit, self.net, self.sample, fluents, terminal, legal=legal, moves=moves)
        for role, (words, open_words, random) in enumerate(choices):
            wanted = [words[i] for i in open_words]
            if tastes:
                wanted = self._preferred(circuit, wanted, [tastes[move] for move in moves[role]])
            free = TRUE
            if wins:
                wanted, forced = decided(circuit, [legal[move] for move in moves[role]], wins[role], holds[role], wanted)
                free = forced ^ 1
            choice = choose(circuit, wanted, random)
            mine = [FALSE] * len(words)
            for i, literal in zip(open_words, choice.chosen, strict=True):
                mine[i] = literal
            chosen += mine
            told += [circuit.both(literal, free) for literal in mine]
            counts.append(choice.total)
        over = circuit.any_of([terminal, *(circuit.any_of(count) ^ 1 for count in counts)])
        embedding.play(chosen)
        goals = [literal for _, _, literal in embedding.goals()] if goals_inside else []
        return self._finish(
            circuit, plane, over, counts, goals + (told if self.trace or self.tasted else []), legal, embedding.next
        )

    def _step_in_turn(
        self, circuit: Circuit, fluents: list[int], turns: list[Turn], goals_inside: bool
    ) -> tuple[Routine, int, list[int]]:
        """One choice for whoever is to move."""
        assert self.controls is not None
        control = [fluents[fluent] for fluent in self.controls]
        n = max(len(turn.free) for turn in turns)
        words = [
            self._by_turn(circuit, control, [turn.legal[turn.free[k]] if k < len(turn.free) else FALSE for turn in turns])
            for k in range(n)
        ]
        n_random = random_bits(n)
        plane = self.n_fluents + n_random
        random = [circuit.input(self.n_fluents + i) for i in range(n_random)]
        wanted, free, tastes = words, TRUE, self._tastes(circuit, plane)
        if tastes:
            plane += len(tastes)
            by_turn = [[tastes[turn.free[k]] if k < len(turn.free) else FALSE for turn in turns] for k in range(n)]
            wanted = self._preferred(circuit, words, [self._by_turn(circuit, control, row) for row in by_turn])
        if self.sample:
            wins, holds = (
                [self._by_turn(circuit, control, [own[k] if k < len(own) else FALSE for own in found]) for k in range(n)]
                for found in seen_in_turn(circuit, self.net, turns, self.controls)
            )
            wanted, forced = decided(circuit, words, wins, holds, wanted)
            free = forced ^ 1
        choice = choose(circuit, wanted, random)
        over = circuit.either(
            self._by_turn(circuit, control, [turn.embedding.terminal() for turn in turns]), circuit.any_of(choice.total) ^ 1
        )
        goals: list[int] = []
        if goals_inside:
            values_of = [[literal for _, _, literal in turn.embedding.goals()] for turn in turns]
            goals = [self._by_turn(circuit, control, list(values)) for values in zip(*values_of, strict=True)]

        moves = []
        for turn in turns:
            made = [FALSE] * self.first[-1]
            for move, literal in zip(turn.free, choice.chosen, strict=False):
                made[move] = literal
            for move in turn.idle:
                made[move] = TRUE
            turn.embedding.play(made)
            moves.append(made)
        if self.trace or self.tasted:
            goals += [circuit.both(self._by_turn(circuit, control, list(row)), free) for row in zip(*moves, strict=True)]

        def following() -> list[int]:
            values = [turn.embedding.next() for turn in turns]
            return [self._by_turn(circuit, control, list(row)) for row in zip(*values, strict=True)]

        return self._finish(circuit, plane, over, [choice.total], goals, words, following)

    def _tastes(self, circuit: Circuit, plane: int) -> list[int]:
        """Inputs that say of every move where it is preferred, from a plane on; none where nobody asks for them."""
        return [circuit.input(plane + move) for move in range(self.first[-1])] if self.tasted else []

    @staticmethod
    def _preferred(circuit: Circuit, legal: list[int], tastes: list[int]) -> list[int]:
        """The legal moves to choose from: the preferred ones, or all where there are none."""
        none = circuit.tree_any([circuit.both(word, taste) for word, taste in zip(legal, tastes, strict=True)]) ^ 1
        return [circuit.both(word, circuit.either(taste, none)) for word, taste in zip(legal, tastes, strict=True)]

    @staticmethod
    def _by_turn(circuit: Circuit, control: Sequence[int], values: Sequence[int]) -> int:
        """The value of whoever's turn it is."""
        if len(set(values)) == 1:
            return values[0]
        if len(values) == 2:
            return circuit.select(control[0], values[0], values[1])
        return circuit.any_of([circuit.both(mine, value) for mine, value in zip(control, values, strict=True)])

    def _finish(
        self,
        circuit: Circuit,
        plane: int,
        over: int,
        counts: list[list[int]],
        goals: list[int],
        words: list[int],
        following: Callable[[], list[int]],
    ) -> tuple[Routine, int, list[int]]:
        """Order the step: first part, then the next state or a new start."""
        n_random = plane - self.n_fluents - (self.first[-1] if self.tasted else 0)
        if self.to_the_end:
            nexts = [
                circuit.select(over, 2 * (1 + i), literal) for i, literal in enumerate(following())
            ]  # inputs are nodes 1, 2, ..
        else:
            nexts = self._restarted(circuit, following(), over)
        plain = [literal for count in counts for literal in count] + goals
        scheduler = Scheduler(circuit, plane)
        scheduler.need(words)
        scheduler.out(over, plane)
        for place, literal in enumerate(plain):
            scheduler.out(literal, plane + 1 + place)
        scheduler.mark(0)
        self._overwrite(circuit, scheduler, nexts)
        scheduler.mark(1)
        return Routine(scheduler.result(), plane, plane + 1 + len(plain)), n_random, [len(count) for count in counts]

    def _restarted(self, circuit: Circuit, nexts: list[int], over: int) -> list[int]:
        if over <= FALSE:
            raise BadInput(
                f"{self.game.id}: the game is {'over at once' if over == TRUE else 'never over'}; there is nothing to play"
            )
        return [
            circuit.either(literal, over) if start else circuit.both(literal, over ^ 1)
            for literal, start in zip(nexts, self.initial, strict=True)
        ]

    @staticmethod
    def _overwrite(circuit: Circuit, scheduler: Scheduler, nexts: Sequence[int]) -> None:
        """Let input planes 0, 1, ... become new values, once nothing reads the old ones any more."""
        scheduler.need([operand for literal in nexts for operand in circuit.operands(literal)])
        scheduler.need([literal for literal in nexts if scheduler.reads_input(literal)])
        for plane, literal in enumerate(nexts):
            scheduler.out(literal, plane)

    def _play(self) -> Routine:
        """Moves from outside, what they lead to, and what is legal then."""
        circuit = Circuit()
        fluents = self._fluents(circuit, self.controls)
        n_legal = sum(self.actions)
        plane = self.n_fluents
        legal = [circuit.input(plane + i) for i in range(n_legal)]
        plane += n_legal
        played: list[int] = []
        illegal = FALSE
        for n in self.actions:
            n_bits = max(1, (n - 1).bit_length())
            bits = [circuit.input(plane + i) for i in range(n_bits)]
            plane += n_bits
            mine = legal[len(played) : len(played) + n]
            said = [circuit.both(literal, mine[i]) for i, literal in enumerate(_decode(circuit, bits, n))]
            wrong = circuit.tree_any(said) ^ 1
            illegal = circuit.either(illegal, wrong)
            for i, literal in enumerate(mine):  # the first legal one, where what was said is none
                said[i] = circuit.either(said[i], circuit.both(wrong, literal))
                wrong = circuit.both(wrong, literal ^ 1)
            played += said
        nexts = self._after(circuit, fluents, played)
        then, embedding = self._then(circuit, nexts)
        all_legal = embedding.legal()
        over = self._over(circuit, embedding.terminal(), all_legal)
        goals = [literal for _, _, literal in embedding.goals()]
        new_fluents = self._restarted(circuit, nexts, over)
        self.initial_legal = self._legal_at_start(circuit)
        new_legal = [
            circuit.either(literal, over) if first else circuit.both(literal, over ^ 1)
            for literal, first in zip(self._of_mover(circuit, then, all_legal), self.initial_legal, strict=True)
        ]
        scheduler = Scheduler(circuit, plane)
        for place, literal in enumerate([illegal, over, *goals]):
            scheduler.out(literal, plane + place)
        self._overwrite(circuit, scheduler, new_fluents + new_legal)
        return Routine(scheduler.result(), plane, plane + 2 + len(goals))

    def _then(self, circuit: Circuit, nexts: list[int]) -> tuple[list[int], Embedding]:
        """What follows as a situation: its fluents, and the net on them."""
        then = list(nexts)
        if self.controls is not None and len(self.controls) == 2:
            then[self.controls[1]] = then[self.controls[0]] ^ 1
        return then, Embedding(circuit, self.net, then)

    def _legal_at_start(self, circuit: Circuit) -> list[bool]:
        begun = [TRUE if x else FALSE for x in self.initial]
        start = self._of_mover(circuit, begun, Embedding(circuit, self.net, begun).legal())
        return [literal == TRUE for literal in start]

    def _look_at_moves(self) -> Routine:
        """`look` of `build_moves`."""
        circuit = Circuit()
        fluents, legal, over = self._situation(circuit)
        self.initial_legal = self._legal_at_start(circuit)
        told = [*self._of_mover(circuit, fluents, legal), over, *(literal for _, _, literal in self.goal_list)]
        scheduler = Scheduler(circuit, self.n_fluents)
        for place, literal in enumerate(told):
            scheduler.out(literal, self.n_fluents + place)
        return Routine(scheduler.result(), self.n_fluents, self.n_fluents + len(told))

    def _play_on(self) -> Routine:
        """`play` of `build_moves`."""
        circuit = Circuit()
        fluents = self._fluents(circuit, self.controls)
        plane = self.n_fluents
        played: list[int] = []
        for n in self.actions:
            n_bits = max(1, (n - 1).bit_length())
            played += _decode(circuit, [circuit.input(plane + i) for i in range(n_bits)], n)
            plane += n_bits
        nexts = self._after(circuit, fluents, played)
        _, embedding = self._then(circuit, nexts)
        told = [self._over(circuit, embedding.terminal(), embedding.legal())]
        told += [literal for _, _, literal in embedding.goals()] + nexts
        scheduler = Scheduler(circuit, plane)
        for place, literal in enumerate(told):
            scheduler.out(literal, plane + place)
        return Routine(scheduler.result(), plane, plane + len(told))

    def _after(self, circuit: Circuit, fluents: list[int], played: list[int]) -> list[int]:
        """The fluents after the actions."""
        if self.controls is None:
            embedding = Embedding(circuit, self.net, fluents)
            embedding.play(played)
            return embedding.next()
        turns = read_turns(circuit, self.net, fluents, self.controls)
        assert turns is not None
        values = []
        for role, turn in enumerate(turns):
            moves = [FALSE] * self.first[-1]
            for move in turn.free:
                moves[move] = played[move - self.first[role]]
            for move in turn.idle:
                moves[move] = TRUE
            turn.embedding.play(moves)
            values.append(turn.embedding.next())
        control = [fluents[fluent] for fluent in self.controls]
        return [self._by_turn(circuit, control, list(row)) for row in zip(*values, strict=True)]

    def _of_mover(self, circuit: Circuit, fluents: Sequence[int], legal: Sequence[int]) -> list[int]:
        """What the actions choose from: the legal moves of the role to move, or of every role."""
        if self.controls is None:
            return list(legal)
        control = [fluents[fluent] for fluent in self.controls]
        found = []
        for i in range(self.actions[0]):
            of_role = [legal[self.first[role] + i] if i < len(moves) else FALSE for role, moves in enumerate(self.net.moves)]
            found.append(self._by_turn(circuit, control, of_role))
        return found


def _decode(circuit: Circuit, bits: Sequence[int], n: int) -> list[int]:
    """For each number below n whether the bits say it."""
    found = [TRUE]
    for bit in reversed(bits):
        found = [circuit.both(high, bit ^ 1 ^ low) for high in found for low in (0, 1)]
    return found[:n]
