"""A match as GGP hosts write it, in JSON, with the keys that tools for GGP read."""

from __future__ import annotations

from typing import Any

import msgspec

from paidia.games.gdl.language.kif import Sexpr, Word, parse

__all__ = ["GgpRecord"]


class GgpRecord(msgspec.Struct, kw_only=True):
    """One match; states and moves are KIF text with a space on both sides of every parenthesis.

    Attributes:
        match_id: Name of the match.
        random_token: A word that tells matches of the same name apart.
        start_time: When it began, in milliseconds since 1970.
        game_meta_url: Where the game is described, if anywhere.
        start_clock: Seconds before the first move.
        play_clock: Seconds for each move.
        player_names: What the players call themselves.
        scrambled: Whether the players saw other names.
        states: Every state, as the list of its fluents.
        moves: Every joint move.
        state_times: When each state was reached, in milliseconds since 1970.
        errors: For every joint move and role what went wrong, or "".
        goal_values: Final goals, 0 to 100.
        is_completed: Whether the match came to its end.
        is_aborted: Whether it was called off.
    """

    match_id: str
    random_token: str
    start_time: int
    start_clock: float
    play_clock: float
    player_names: list[str]
    scrambled: bool
    game_meta_url: str = ""
    states: list[list[str]] = []
    moves: list[list[str]] = []
    state_times: list[int] = []
    errors: list[list[str]] = []
    goal_values: list[int] = []
    is_completed: bool = False
    is_aborted: bool = False

    def document(self) -> dict[str, Any]:
        """The record under the keys of the format."""
        found: dict[str, Any] = {
            "matchId": self.match_id,
            "randomToken": self.random_token,
            "startTime": self.start_time,
            "gameMetaURL": self.game_meta_url or None,
            "isCompleted": self.is_completed,
            "isAborted": self.is_aborted,
            "states": [f"( {' '.join(_spaced(fluent) for fluent in state)} )" for state in self.states],
            "moves": [[_spaced(move) for move in joint] for joint in self.moves],
            "stateTimes": self.state_times,
            "errors": self.errors,
            "previewClock": -1,
            "startClock": self.start_clock,
            "playClock": self.play_clock,
            "playerNamesFromHost": self.player_names,
            "isPlayerHuman": [False] * len(self.player_names),
            "scrambled": self.scrambled,
        }
        if self.goal_values:
            found["goalValues"] = self.goal_values
        return found

    def to_json(self) -> bytes:
        """The record as JSON."""
        return msgspec.json.format(msgspec.json.encode(self.document()), indent=1) + b"\n"


def _spaced(text: str) -> str:
    return _write(parse(text)[0])


def _write(sexpr: Sexpr) -> str:
    if isinstance(sexpr, Word):
        return sexpr.text
    return f"( {' '.join(_write(item) for item in sexpr)} )"
