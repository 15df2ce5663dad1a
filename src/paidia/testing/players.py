"""`check_player`: what every player must obey, whatever it thinks.

It plays matches against random opponents and looks at every answer: legal moves, an unchanged state, the
same moves for the same seed, several matches in a row in every seat, and the budget.
"""

from __future__ import annotations

import functools
import random
import statistics
from collections.abc import Callable, Sequence
from typing import NoReturn

from paidia.core.budget import Budget
from paidia.core.game import Game, State
from paidia.core.player import Decision, Player
from paidia.games import load_as
from paidia.testing.small_games import Together
from paidia.testing.stopwatch import Stopwatch

__all__ = ["check_player"]


def check_player(
    make: Callable[[], Player],
    *,
    games: Sequence[Game] | None = None,
    simulations: int = 30,
    seconds: float = 0.05,
    margin: float = 0.5,
    seed: int = 1,
    repeatable: bool = True,
) -> None:
    """Check a player; what breaks the contract raises an AssertionError that says what and where.

    Args:
        make: A function that makes the player.
        games: What to play; a few small games if left out, turn-taking and simultaneous.
        simulations: Budget per move; 0 leaves the simulations unchecked.
        seconds: Budget per move when time is checked; 0 leaves time unchecked.
        margin: How much longer than `seconds` a move may take. It is compared with the median of several
            moves, without the time in which other programs had the core, so that a busy machine does not count.
        seed: Of the matches.
        repeatable: Whether the same seed must give the same moves under a budget of simulations.
    """
    games = [load_as(Game, "tic-tac-toe"), load_as(Game, "breakthrough@4x4"), Together(2)] if games is None else games
    check = _Check(make, seed)
    budget = Budget(simulations=simulations or 30)
    for game in games:
        for role in range(game.n_roles):
            player = check.new()
            first = check.match(player, game, role, budget)
            if not repeatable:
                continue
            same = check.match(check.new(), game, role, budget) == first
            check.expect(same, "the same seed gave other moves")
            # An unfinished match in between, in another seat and game: a player must be able to start anew.
            other = games[(games.index(game) + 1) % len(games)]
            check.match(player, other, (role + 1) % other.n_roles, budget, most=2, seed=seed + 1)
            same = check.match(player, game, role, budget) == first
            check.expect(same, "the same seed gave other moves after other matches: it did not forget all")
    if seconds:
        check.clock(games[0], Budget(seconds=seconds), margin)


class _Check:
    """One check in progress."""

    def __init__(self, make: Callable[[], Player], seed: int) -> None:
        self.make, self.seed = make, seed
        self.place = ""

    def fail(self, what: str) -> NoReturn:
        raise AssertionError(f"{self.place}: {what}")

    def expect(self, holds: bool, what: str) -> None:
        if not holds:
            self.fail(what)

    def new(self) -> Player:
        player = self.make()
        self.place = "a new player"
        name = getattr(player, "name", None)
        self.expect(isinstance(name, str) and bool(name), f"its name is {name!r}, not a text")
        return player

    def match(
        self,
        player: Player,
        game: Game,
        role: int,
        budget: Budget,
        *,
        most: int = 1000,
        seed: int | None = None,
    ) -> list[int | None]:
        """A match against random opponents, left after `most` steps; returns the player's moves."""
        seed = self.seed if seed is None else seed
        draw = random.Random(seed)
        state = game.initial_state()
        answers: list[int | None] = []
        self.place = f"{player.name} as {game.roles[role]} in {game.id}"
        self.begin(player, game, role, seed)
        for step in range(most):
            if state.terminal:
                self.call("end", functools.partial(player.end, state.goals))
                break
            self.place = f"{player.name} as {game.roles[role]} in {game.id}, step {step}"
            lists = [state.legal(r) for r in range(game.n_roles)]
            joint = [draw.choice(legal) if legal else None for legal in lists]
            joint[role] = self.ask(player, state, role, step, budget)
            answers.append(joint[role])
            state.play(joint)
        return answers

    def begin(self, player: Player, game: Game, role: int, seed: int) -> None:
        state = game.initial_state()
        before = view(state)
        self.call("begin", lambda: player.begin(game, role, state=state, seed=seed, budget=None))
        self.expect(view(state) == before, "begin() changed the state")

    def call(self, name: str, function: Callable[[], object]) -> object:
        try:
            return function()
        except Exception as error:
            raise AssertionError(f"{self.place}: {name}() raised {type(error).__name__}: {error}") from error

    def ask(self, player: Player, state: State, role: int, step: int, budget: Budget) -> int | None:
        """One answer, and whether it keeps all promises."""
        legal, before = state.legal(role), view(state)
        decision = self.call("act", lambda: player.act(state, step=step, budget=budget))
        self.expect(view(state) == before, "act() changed the state")
        if not isinstance(decision, Decision):
            self.fail(f"act() answered {decision!r} instead of a Decision")
        move, simulations, value = decision.move, decision.simulations, decision.value
        if move is None:
            self.expect(len(legal) <= 1, f"no move, although {len(legal)} are legal")
        else:
            self.expect(type(move) is int and move in legal, f"move {move!r} is not legal")
        counted = type(simulations) is int and simulations >= 0
        self.expect(counted, f"{simulations!r} is no number of simulations")
        if budget.simulations:
            within = simulations <= budget.simulations
            self.expect(within, f"{simulations} simulations with a budget of {budget}")
        estimate = value is None or 0 <= value <= 1
        self.expect(estimate, f"its estimate of its goal is {value!r}, outside [0, 1]")
        return move

    def clock(self, game: Game, budget: Budget, margin: float) -> None:
        player = self.new()
        times = []
        for match in range(3):
            state = game.initial_state()
            self.begin(player, game, 0, match)
            self.place = f"{player.name} as {game.roles[0]} in {game.id} with {budget}"
            watch = Stopwatch()
            self.ask(player, state, 0, 0, budget)
            times.append(watch.seconds)
            player.end(state.goals)
        took = statistics.median(times)
        self.expect(took <= budget.seconds + margin, f"a move took {took:.2f} s")


def view(state: State) -> tuple[object, ...]:
    """All that shows whether a state was changed."""
    roles = range(state.game.n_roles)
    return state.key, state.terminal, state.goals, [state.legal(role) for role in roles], state.draw()
