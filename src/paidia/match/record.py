"""What is kept of a match, as JSON, in every kind of game.

It holds nothing but `overruns` that depends on the speed of the machine, so that the same seed and simulation budget give the
same bytes everywhere, and it can be replayed. With `details` (`match/details.py`) it also holds all that is needed to play the
match once more with the same players. Records of formats 1, in which video games had a form of their own, and 2 are read, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from paidia.core.errors import BadInput, IllegalMove
from paidia.core.model import Rules, Situation
from paidia.match.laws import Ending, laws_of
from paidia.match.seeds import MatchSeeds

__all__ = ["Details", "MatchRecord", "RootMove", "Watch", "replay"]

FORMAT = 3

#: Told after each step: the new state (not to be changed), the number of steps, the joint move.
Watch = Callable[[Situation, int, list[int | None]], None]


class RootMove(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a search found out about one move at its root."""

    move: str
    visits: float = 0.0
    mean: float | None = None
    pruned: bool = False


class Proven(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a player said to have proven: before which step (from 0), and the goal that is sure for its role."""

    step: int
    value: float


class Details(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is needed to play a match once more, and what its players thought.

    Attributes:
        definitions: For each seat the whole definition of its agent, null for a player that has none (a person).
        settings: For each seat what was changed by `--set`; the definition has it already.
        moves: For each seat, or for all if there is one: `simulations` and `seconds` of a move, null for no limit.
        starts: Seconds before the first move, likewise.
        disqualify: Whether the clock was a law.
        max_steps: After how many steps the match would have been stopped.
        signature: The parts of the version's signature that the match depends on, by name.
        roots: For every step and seat the moves at the root of its search, null where it did not search; empty if that
            would be too much.
        proven: For each seat what it first said to be proven, null where it never did; empty if nobody did.
    """

    definitions: list[dict[str, Any] | None] = []
    settings: list[dict[str, bool | int | float | str]] = []
    moves: list[dict[str, float] | None] = []
    starts: list[float] = []
    disqualify: bool = False
    max_steps: int = 100_000
    signature: dict[str, int] = {}
    roots: list[list[list[RootMove] | None]] = []
    proven: list[Proven | None] = []


class MatchRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One match. In a video game a step is a tick.

    Attributes:
        format: Version of this format.
        game: Id of the game, or the path of its rules.
        level: Level of a video game.
        roles: Names of the roles.
        agents: Who played each role.
        seed: Root seed of the match.
        budget: Budget of one move, in words.
        moves: For every step the move of each role by name as it was played, null where a role did not act.
        simulations: For every step the simulations of each role's choice.
        goals: Final goal of each role in [0, 1]; of a video game 1 (won) or 0.
        score: Final score of a video game, of each role where two play, as its rules count it (see `reported_scores`).
        ending: "terminal"; "step limit", in a video game "tick limit"; "illegal move" or "illegal action", "crash",
            "disqualified"; "resigned".
        fault: The role that ended it early.
        message: What it did.
        overruns: Number of calls (start clock included) for which each role took too long; where late answers are not played,
            number of those.
        version: Version of paidia.
        trajectories: What each seat did with its search parameters, null for one that leaves them alone; empty if all do.
        details: How to repeat it, where that was asked for.
        comments: What somebody said of a position, by the number of its step.
    """

    game: str
    roles: list[str]
    agents: list[str]
    seed: int
    budget: str
    moves: list[list[str | None]]
    simulations: list[list[int]]
    goals: list[float]
    ending: Ending
    version: str
    level: str | None = None
    score: float | list[float] | None = None
    fault: int | None = None
    message: str = ""
    overruns: list[int] = []
    trajectories: list[dict[str, Any] | None] = []
    details: Details | None = None
    format: int = FORMAT
    comments: dict[str, str] = {}

    @property
    def reported_scores(self) -> list[float]:
        """The score of each role as the GVGAI framework reports it, none in a game without scores: who has won with 0 or less
        is given 1.
        """
        scores = self.score if isinstance(self.score, list) else [] if self.score is None else [self.score]
        return (
            [1.0 if goal == 1.0 and score <= 0 else score for score, goal in zip(scores, self.goals, strict=True)]
            if scores
            else []
        )

    def to_json(self) -> bytes:
        """The record as indented JSON with a newline at the end; comments only where there are some."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        if not self.comments:
            del plain["comments"]
        return msgspec.json.format(msgspec.json.encode(plain), indent=1) + b"\n"

    @staticmethod
    def from_json(data: bytes, *, file: str = "record") -> MatchRecord:
        """Read a record; a broken one is an error that says what is wrong."""
        head = _decode(data, _Head, file)
        if head.format not in (1, 2, FORMAT):
            raise BadInput(f"{file} has format {head.format}; this version of paidia reads formats 1 to {FORMAT}")
        if head.format == 1 and head.actions is not None:
            return _decode(data, _VideoRecord, file).modern()
        return msgspec.structs.replace(_decode(data, MatchRecord, file), format=FORMAT)


class _Head(msgspec.Struct):
    """What tells the forms of a record apart."""

    format: int = FORMAT
    actions: Any = None


class _VideoRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A video game of format 1."""

    game: str
    level: str
    agent: str
    seed: int
    budget: str
    actions: list[str]
    simulations: list[int]
    score: float
    winner: int
    ending: Ending
    version: str
    message: str = ""
    overruns: int = 0
    trajectory: dict[str, Any] | None = None
    format: int = 1

    def modern(self) -> MatchRecord:
        """The same in today's format."""
        return MatchRecord(
            game=self.game,
            level=self.level,
            roles=["avatar"],
            agents=[self.agent],
            seed=self.seed,
            budget=self.budget,
            moves=[[action] for action in self.actions],
            simulations=[[n] for n in self.simulations],
            goals=[float(self.winner)],
            score=self.score,
            ending=self.ending,
            fault=None if self.ending in ("terminal", "tick limit") else 0,
            message=self.message,
            overruns=[self.overruns],
            trajectories=[self.trajectory] if self.trajectory is not None else [],
            version=self.version,
        )


Kind = TypeVar("Kind", bound=msgspec.Struct)


def _decode(data: bytes, kind: type[Kind], file: str) -> Kind:
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(f"{file} is not a match record: {error}") from None


def replay(record: MatchRecord, game: Rules, *, watch: Watch | None = None) -> Situation:
    """Play the moves of a record again; returns the last state. A record that does not fit the rules is an error."""
    laws = laws_of(game)
    if tuple(record.roles) != game.roles:
        raise BadInput(f"the record has roles {', '.join(record.roles)}; {game.id} has {', '.join(game.roles)}")
    if record.level != laws.level:
        raise BadInput(f"the record is of level {record.level}, not {laws.level}; give --level {record.level}")
    state = MatchSeeds(game, record.seed).start()
    for step, names in enumerate(record.moves):
        if len(names) != game.n_roles:
            raise BadInput(f"the record has {len(names)} moves for {game.n_roles} roles at step {step}")
        try:
            if state.terminal:
                raise IllegalMove(f"{game.id}: the game is over")
            joint = [None if name is None else game.move_id(role, name) for role, name in enumerate(names)]
            state.play(joint)
        except IllegalMove as error:
            raise BadInput(f"the record does not fit the rules at step {step}: {error}") from None
        if watch is not None:
            watch(state, step + 1, joint)
    _check_end(record, game, state)
    return state


def _check_end(record: MatchRecord, game: Rules, state: Situation) -> None:
    """The record ends as the rules say."""
    laws = laws_of(game)
    if record.ending == "terminal" and not state.terminal:
        raise BadInput("the record ends before the game is over")
    fault = None if record.ending in ("terminal", laws.limit) else record.fault
    if record.ending not in ("terminal", laws.limit) and fault not in range(game.n_roles):
        raise BadInput(f"the record ends with a fault of role {record.fault}, which {game.id} does not have")
    goals, score = laws.goals(state, record.ending, fault), laws.score(state)
    if goals != record.goals:
        raise BadInput(f"the record ends with goals {record.goals}, the rules say {goals}")
    if score != record.score:
        raise BadInput(f"the record ends with score {record.score}, the rules say {score}")
