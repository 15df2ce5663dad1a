"""`check_game`: what every `Game` and its states must obey, whatever the rules.

It plays random games and looks at them through the public methods. It cannot know the rules; what it finds
are broken promises of the contract: move ids and names that do not fit each other, copies that share
something, keys that mix positions up, goals out of range, a playout unlike the generic one.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from paidia.core.errors import IllegalMove
from paidia.core.game import Game, State

__all__ = ["check_game"]

Joint = tuple[int | None, ...]
MOST_NAMES = 300  # names looked up again: a default `move_id` tries every move
MOST_STATES = 1000  # states looked at closely, over all walks
RECORDED = 40  # playouts whose moves are played once more


def check_game(game: Game, *, walks: int = 20, seed: int = 0, bound: int = 10_000, playouts: int = 400) -> None:
    """Check a game; what breaks the contract raises an AssertionError that says what and where.

    Args:
        game: The rules to check.
        walks: Random games to play.
        seed: Of all random choices.
        bound: Joint moves within which every game has to end.
        playouts: Random playouts of each kind to compare.
    """
    _Check(game, seed=seed, bound=bound).run(walks, playouts)


class _BrokenPromise(AssertionError):
    """Ours, to tell it from an assertion of the game that failed."""


class _Check:
    """One check in progress: the rules, what was seen of them, and the line of play for the message."""

    def __init__(self, game: Game, *, seed: int, bound: int) -> None:
        self.game = game
        self.random = random.Random(seed)
        self.bound = bound
        self.line: list[Joint] = []
        self.names: dict[tuple[int, str], int] = {}
        self.by_key: dict[int, tuple[Any, ...]] = {}

    def run(self, walks: int, playouts: int) -> None:
        try:
            self.check_declaration()
            stride = 1
            for _ in range(walks):
                self.walk(stride)
                # Of long games only every n-th state is looked at closely, or it would take minutes.
                stride = max(1, len(self.line) * walks // MOST_STATES)
            self.line = []
            self.check_playouts(self.game.initial_state(), playouts)
            if self.game.decisive:
                self.check_playouts(self.game.initial_state(), playouts, decisive=True)
        except _BrokenPromise:
            raise
        except Exception as error:
            raise AssertionError(f"{self.where()}: {type(error).__name__}: {error}") from error

    # ------------------------------------------------------------ saying what is wrong

    def where(self) -> str:
        moves = " ".join(self.joint_text(joint) for joint in self.line)
        return f"{self.game.id}, {'after ' + moves if moves else 'at the start'}"

    def joint_text(self, joint: Joint) -> str:
        texts = [str(move) for move in joint if move is not None]
        return texts[0] if len(texts) == 1 else f"({','.join(texts)})"

    def fail(self, what: str) -> NoReturn:
        raise _BrokenPromise(f"{self.where()}: {what}")

    def expect(self, holds: bool, what: str) -> None:
        if not holds:
            self.fail(what)

    # ------------------------------------------------------------ the rules

    def check_declaration(self) -> None:
        game = self.game
        self.expect(bool(game.id) and isinstance(game.id, str), "the game has no id")
        self.expect(len(game.roles) == game.n_roles, f"n_roles is {game.n_roles}, roles are {game.roles}")
        self.expect(len(set(game.roles)) == game.n_roles, f"two roles have one name: {game.roles}")
        for name in ("n_moves", "n_codes", "max_legal"):
            self.expect(getattr(game, name) >= 1, f"{name} is {getattr(game, name)}; it has to be 1 or more")
        first, second = game.initial_state(), game.initial_state()
        self.expect(first is not second, "initial_state() gives the same object twice")
        self.expect(self.view(first) == self.view(second), "two initial states differ")
        self.expect(first.key == second.key, "two initial states have different keys")
        self.expect(not first.terminal, "the game is over before it starts")

    # ------------------------------------------------------------ random games

    def walk(self, stride: int) -> None:
        state = self.game.initial_state()
        self.line = []
        skip = self.random.randrange(stride)
        while not state.terminal:
            if len(self.line) >= self.bound:
                self.line = self.line[:20]
                self.fail(f"... and so on: the game is not over after {self.bound} joint moves")
            joint = self.choose(state)
            if (len(self.line) + skip) % stride == 0:
                self.check_state(state)
                self.check_copies(state, joint)
                self.check_refusals(state)
            before, key = self.view(state), state.key
            state.play(joint)
            self.line.append(joint)
            if state.key == key and self.view(state) != before:
                self.fail("the last move changed the position but not its key")
        self.check_state(state)
        self.check_refusals(state)
        self.check_replay(state)
        self.check_transposition()

    def choose(self, state: State) -> Joint:
        """A random joint move."""
        lists = [state.legal(role) for role in range(self.game.n_roles)]
        return tuple(self.random.choice(legal) if legal else None for legal in lists)

    def view(self, state: State) -> tuple[Any, ...]:
        """All that the contract shows of a position."""
        roles = range(self.game.n_roles)
        return (
            state.terminal,
            state.mover,
            tuple(state.goals),
            tuple(tuple(state.legal(role)) for role in roles),
            tuple(tuple(state.codes(role)) for role in roles),
        )

    # ------------------------------------------------------------ one position

    def check_state(self, state: State) -> None:
        game = self.game
        goals = state.goals
        self.expect(len(goals) == game.n_roles, f"{len(goals)} goals for {game.n_roles} roles")
        self.expect(all(0.0 <= goal <= 1.0 for goal in goals), f"goals lie in [0, 1], not {goals}")
        drawing = state.draw()
        self.expect(isinstance(drawing, str) and bool(drawing), f"draw() gives a text, not {drawing!r}")
        acting = 0
        for role in range(game.n_roles):
            acting += bool(self.check_legal(state, role))
        if state.terminal:
            self.expect(state.mover is None, "somebody is to move although the game is over")
            self.expect(acting == 0, "there are legal moves although the game is over")
        else:
            self.expect(acting > 0, "nobody has a legal move, and the game is not over")
        self.expect(state.key == state.key, "reading the key twice gives two keys")
        view = self.view(state)
        if self.by_key.setdefault(state.key, view) != view:
            self.fail(f"key {state.key} also belongs to a position with other moves, goals or end")

    def check_legal(self, state: State, role: int) -> list[int]:
        game, who = self.game, self.game.roles[role]
        legal, codes = state.legal(role), state.codes(role)
        self.expect(legal == state.legal(role), f"asking twice for the moves of {who} gives two answers")
        self.expect(len(set(legal)) == len(legal), f"legal moves of {who} are repeated: {legal}")
        self.expect(all(0 <= move < game.n_moves for move in legal), f"moves of {who} out of range: {legal}")
        most = game.max_legal
        self.expect(len(legal) <= most, f"{who} has {len(legal)} legal moves, but max_legal is {most}")
        if state.mover not in (None, role):
            self.expect(len(legal) <= 1, f"{who} is not to move and has {len(legal)} moves")
        self.expect(len(codes) == len(legal), f"{len(codes)} codes for {len(legal)} moves of {who}")
        self.expect(all(0 <= code < game.n_codes for code in codes), f"codes of {who} out of range: {codes}")
        decisive = state.decisive(role)
        self.expect(set(decisive) <= set(legal), f"decisive moves of {who} that are not legal: {decisive}")
        self.expect(bool(decisive) == bool(legal), f"{who} has legal moves and no decisive one")
        for move in legal:
            self.check_name(role, move)
        return legal

    def check_name(self, role: int, move: int) -> None:
        name = self.game.move_name(role, move)
        self.expect(isinstance(name, str) and bool(name), f"the name of move {move} is {name!r}")
        known = self.names.get((role, name))
        if known is not None:
            self.expect(known == move, f"moves {known} and {move} of one role are both called {name!r}")
        elif len(self.names) < MOST_NAMES:
            back = self.game.move_id(role, name)
            self.expect(back == move, f"move_id({name!r}) is {back}, but it is the name of move {move}")
            self.names[role, name] = move

    # ------------------------------------------------------------ copies and illegal moves

    def check_copies(self, state: State, joint: Joint) -> None:
        before, key, drawing = self.view(state), state.key, state.draw()

        def same(other: State) -> bool:
            return self.view(other) == before and other.key == key and other.draw() == drawing

        clone = state.clone()
        self.expect(same(clone), "a clone differs from its original")
        clone.play(joint)
        self.expect(same(state), f"playing {self.joint_text(joint)} on a clone changed the original")
        clone.random_playout(self.random.getrandbits(63), self.bound)
        self.expect(same(state), "a playout on a clone changed the original")
        clone.copy_from(state)
        self.expect(same(clone), "copy_from() into a used state differs from its source")
        state.play(joint)
        self.expect(same(clone), f"playing {self.joint_text(joint)} on the source changed its copy")
        state.copy_from(clone)
        self.expect(same(state), "copy_from() does not take a move back")

    def check_refusals(self, state: State) -> None:
        """Whatever is not legal is refused, and leaves the position as it is."""
        game = self.game
        before, key = self.view(state), state.key
        joint = list(self.choose(state))
        wrong: list[Sequence[int | None]] = [[*joint, None]]
        for role in range(game.n_roles):
            legal = set(state.legal(role))
            others = [move for move in range(min(game.n_moves, 1000)) if move not in legal]
            strangers = [game.n_moves, *others]
            for move in (strangers[0], self.random.choice(strangers)):
                wrong.append([*joint[:role], move, *joint[role + 1 :]])
        if state.terminal:
            wrong.append(joint)
        for attempt in wrong:
            try:
                state.play(attempt)
            except IllegalMove:
                pass
            else:
                self.fail(f"play({attempt}) has to raise IllegalMove")
            unchanged = self.view(state) == before and state.key == key
            self.expect(unchanged, f"play({attempt}) was refused and yet changed the position")

    # ------------------------------------------------------------ lines of play

    def check_replay(self, end: State) -> None:
        state = self.game.initial_state()
        for joint in self.line:
            state.play(joint)
        self.expect(self.view(state) == self.view(end), "the same moves led to another position")
        self.expect(state.key == end.key, "the same moves led to another key")

    def check_transposition(self) -> None:
        """Two moves in exchanged order: where the positions look the same in every way, so do their keys."""
        span = 2 * self.game.n_roles
        if len(self.line) <= span:
            return
        first = self.random.randrange(len(self.line) - span)
        for distance in range(1, span + 1):
            line = self.line[: first + distance + 1]
            direct = self.follow(line)
            line[first], line[first + distance] = line[first + distance], line[first]
            swapped = self.follow(line)
            if direct is None or swapped is None or direct.key == swapped.key:
                continue
            looks_same = self.view(direct) == self.view(swapped) and direct.draw() == swapped.draw()
            self.expect(
                not looks_same,
                f"moves {first} and {first + distance} exchanged give the same position with another key "
                "(where they differ in something hidden, draw() has to show it)",
            )

    def follow(self, line: Sequence[Joint]) -> State | None:
        """The state after these moves, or None if one of them is not legal."""
        state = self.game.initial_state()
        try:
            for joint in line:
                state.play(joint)
        except IllegalMove:
            return None
        return state

    # ------------------------------------------------------------ playouts

    def check_playouts(self, start: State, n: int, *, decisive: bool = False) -> None:
        scratch = start.clone()

        def sample(playout: Callable[[int, int, bool], int], seed: int, limit: int) -> tuple[int, int, list[float]]:
            scratch.copy_from(start)
            length = playout(seed, limit, decisive)
            self.expect(length <= limit, f"a playout with limit {limit} made {length} moves")
            return length, scratch.key, scratch.goals

        kinds = {"random_playout": scratch.random_playout, "generic_playout": scratch.generic_playout}
        ends: dict[str, list[tuple[int, int, list[float]]]] = {}
        firsts: dict[str, Counter[int]] = {}
        for name, playout in kinds.items():
            seed = self.random.getrandbits(62)
            self.expect(
                sample(playout, seed, self.bound) == sample(playout, seed, self.bound),
                f"{name}({seed}) gives two different games",
            )
            self.expect(scratch.terminal, f"{name} does not reach the end within {self.bound} joint moves")
            self.expect(sample(playout, seed, 0)[:2] == (0, start.key), f"{name} with limit 0 plays on")
            ends[name] = [sample(playout, seed + i, self.bound) for i in range(n)]
            firsts[name] = Counter(sample(playout, seed + i, 1)[1] for i in range(n))
        own, generic = ends["random_playout"], ends["generic_playout"]
        self.compare("length", [end[0] for end in own], [end[0] for end in generic])
        for role, who in enumerate(self.game.roles):
            self.compare(f"goal of {who}", [end[2][role] for end in own], [end[2][role] for end in generic])
        self.compare_counts(firsts["random_playout"], firsts["generic_playout"])
        for i in range(min(n, RECORDED)):
            self.check_recorded(start, seed + i, self.bound if i % 2 else i, decisive=decisive)

    def check_recorded(self, start: State, seed: int, limit: int, *, decisive: bool) -> None:
        """The moves that a playout writes down lead where it ends, and where the same one ends that writes nothing down."""
        scratch, replay = start.clone(), start.clone()
        told, _ = scratch.recorded_playout(seed, limit, decisive)
        for joint in told:
            for role, move in enumerate(joint):
                known = replay.decisive(role) if decisive else replay.legal(role)
                if (move is None) != (not known) or (move is not None and move not in known):
                    self.fail(f"recorded_playout({seed}) tells the move {move} of {self.game.roles[role]}, who has {known}")
            replay.play(joint)
        self.expect(replay.key == scratch.key, f"the moves of recorded_playout({seed}) lead to another position than it")
        scratch.copy_from(start)
        length = scratch.random_playout(seed, limit, decisive)
        same = (length, scratch.key) == (len(told), replay.key)
        self.expect(same, f"recorded_playout({seed}) is another game than random_playout({seed})")

    def compare(self, what: str, own: Sequence[float], generic: Sequence[float]) -> None:
        """The two means differ by less than five standard errors: one in two million by chance."""
        means, errors = [], []
        for values in (own, generic):
            mean = math.fsum(values) / len(values)
            means.append(mean)
            errors.append(math.fsum((value - mean) ** 2 for value in values) / len(values) ** 2)
        if abs(means[0] - means[1]) > 5 * math.sqrt(sum(errors)) + 1e-9:
            self.fail(f"mean {what} is {means[0]:.4g} in random_playout, {means[1]:.4g} in generic_playout")

    def compare_counts(self, own: Counter[int], generic: Counter[int]) -> None:
        """First moves of the two playouts, by a chi-square of two samples at six deviations."""
        states = set(own) | set(generic)
        distance = sum((own[key] - generic[key]) ** 2 / (own[key] + generic[key]) for key in states)
        freedom = max(1, len(states) - 1)
        if distance > freedom + 6 * math.sqrt(2 * freedom) + 6:
            self.fail(f"random_playout has other odds than generic_playout (chi-square {distance:.0f})")
