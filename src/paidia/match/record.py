"""What is kept of a match, as JSON.

It holds nothing that depends on the speed of the machine, so that the same seed and simulation budget give the same bytes
everywhere, and it can be replayed.
"""

from __future__ import annotations

from typing import Any, Literal, TypeVar

import msgspec

from paidia.core.errors import BadInput, IllegalMove
from paidia.core.game import Game, State

__all__ = ["MatchRecord", "check_format", "decode_record", "encode_record", "replay", "trajectory_of"]

FORMAT = 1

#: A player's trajectory that is larger than this as JSON is left out of the record.
LARGEST_TRAJECTORY = 4_000_000

Ending = Literal["terminal", "illegal move", "crash", "step limit"]


Record = TypeVar("Record", bound=msgspec.Struct)


def encode_record(record: msgspec.Struct) -> bytes:
    """A record as indented JSON with a newline at the end."""
    return msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n"


def decode_record(data: bytes, kind: type[Record], *, file: str, what: str) -> Record:
    """Read a record of one kind; anything else is an error that names the file."""
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.DecodeError as error:
        raise BadInput(f"{file} is not {what}: {error}") from None


def check_format(found: int, known: int, *, file: str) -> None:
    """Refuse a record of another format than the one we know."""
    if found != known:
        raise BadInput(f"{file} has format {found}; this version of paidia reads format {known}")


def trajectory_of(player: object) -> dict[str, Any] | None:
    """What a player did with its search parameters, if it tells; whatever goes wrong, the match stands without it."""
    tell = getattr(player, "trajectory", None)
    if tell is None:
        return None
    try:
        data = msgspec.json.encode(tell())
        return msgspec.json.decode(data, type=dict[str, Any] | None) if len(data) <= LARGEST_TRAJECTORY else None
    except (Exception, SystemExit):
        return None


class MatchRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One match.

    Attributes:
        format: Version of this format.
        game: Id of the game, or the path of its rules.
        level: Level of a video game.
        roles: Names of the roles.
        agents: Who played each role.
        seed: Root seed of the match.
        budget: Budget of one move, in words.
        moves: For every step the move of each role by name, null where a role did not act.
        simulations: For every step the simulations of each role's choice.
        goals: Final goal of each role in [0, 1].
        ending: "terminal", "illegal move", "crash" or "step limit".
        fault: The role that made an illegal move or crashed.
        message: What it did.
        overruns: Number of moves (start clock included) for which each role took longer than its clock.
        version: Version of paidia.
        trajectories: What each seat did with its search parameters, null for one that leaves them alone; empty if all do.
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
    fault: int | None = None
    message: str = ""
    overruns: list[int] = []
    trajectories: list[dict[str, Any] | None] = []
    format: int = FORMAT

    def to_json(self) -> bytes:
        """The record as indented JSON with a newline at the end."""
        return encode_record(self)

    @staticmethod
    def from_json(data: bytes, *, file: str = "record") -> MatchRecord:
        """Read a record; a broken one is an error that says what is wrong."""
        record = decode_record(data, MatchRecord, file=file, what="a match record")
        check_format(record.format, FORMAT, file=file)
        return record


def replay(record: MatchRecord, game: Game) -> State:
    """Play the moves of a record again; returns the last state. A record that does not fit the rules is an error."""
    if tuple(record.roles) != game.roles:
        raise BadInput(f"the record has roles {', '.join(record.roles)}; {game.id} has {', '.join(game.roles)}")
    state = game.initial_state()
    for step, names in enumerate(record.moves):
        if len(names) != game.n_roles:
            raise BadInput(f"the record has {len(names)} moves for {game.n_roles} roles at step {step}")
        try:
            joint = [None if name is None else game.move_id(role, name) for role, name in enumerate(names)]
            state.play(joint)
        except IllegalMove as error:
            raise BadInput(f"the record does not fit the rules at step {step}: {error}") from None
    if record.ending == "terminal" and not state.terminal:
        raise BadInput("the record ends before the game is over")
    if record.ending in ("terminal", "step limit"):
        goals = state.goals
    elif record.fault in range(game.n_roles):
        goals = [0.0 if role == record.fault else 1.0 for role in range(game.n_roles)]
    else:
        raise BadInput(f"the record ends with a fault of role {record.fault}, which {game.id} does not have")
    if goals != record.goals:
        raise BadInput(f"the record ends with goals {record.goals}, the rules say {goals}")
    return state
