"""A person at the keyboard as a player of games with turns: moves in any form that means one move, and a few words besides."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from paidia.cli.output import as_text, progress_console
from paidia.core.budget import Budget
from paidia.core.game import Game
from paidia.core.model import Rules, Situation
from paidia.core.player import Decision, Player, Resigned

__all__ = ["HumanPlayer", "Resumed", "find_move", "rank_words"]

HELP = """\
a move   by its name, in upper or lower case, by its beginning or its number in the list, as long as it means one move
?        the list of moves
hint     what an agent would do after a second of thought
undo     take back your last move and the answers to it
resign   give up (so does Ctrl-D)"""

WORDS = ("?", "help", "hint", "undo", "resign")


def find_move(text: str, names: Sequence[str]) -> list[int]:
    """The places of the moves that a text may mean: one if it is clear, several if it is not, none if there is no such move."""
    for same in (lambda a, b: a == b, lambda a, b: a.lower() == b.lower(), lambda a, b: _bare(a) == _bare(b)):
        found = [i for i, name in enumerate(names) if same(name, text)]
        if found:
            return found
    number = re.fullmatch(r"#?([0-9]{1,9})", text)
    if number and not any(_bare(name).startswith(_bare(text)) for name in names):
        return [int(number[1]) - 1] if 1 <= int(number[1]) <= len(names) else []
    return [i for i, name in enumerate(names) if _bare(text) and _bare(name).startswith(_bare(text))]


def _bare(text: str) -> str:
    """Without case, brackets and spaces."""
    return re.sub(r"[\s()#,;-]+", " ", text.lower()).strip()


class HumanPlayer(Player):
    """Shows the board and asks for a move.

    Attributes:
        takes_back: After a match that the person ended by `undo`: how many joint moves are kept; otherwise None.
    """

    name = "human"

    def __init__(self, *, advise: Callable[[Game, int, Situation], str] | None = None) -> None:
        self._advise = advise
        self._choices: list[int] = []  # steps in which there was something to choose
        self.takes_back: int | None = None

    def cannot_play(self, game: Rules, budget: Budget | None) -> str | None:
        """See `Player`."""
        return None if isinstance(game, Game) else "asks for moves; a video game is played by keys"

    def begin(self, game: Rules, role: int, *, state: Situation, seed: int, budget: Budget | None) -> None:
        """See `Player`."""
        assert isinstance(game, Game)
        self._game, self._role = game, role
        self.takes_back = None

    def act(self, state: Situation, *, step: int, budget: Budget | None) -> Decision:
        """See `Player`."""
        legal = state.legal(self._role)
        if len(legal) <= 1:
            return Decision(move=legal[0] if legal else None)
        names = [self._game.move_name(self._role, move) for move in legal]
        progress_console.print(state.draw())
        self._choices = [earlier for earlier in self._choices if earlier < step]
        while True:
            answer = self._ask(names, state)
            if answer is not None:
                self._choices.append(step)
                return Decision(move=legal[answer])

    def _ask(self, names: list[str], state: Situation) -> int | None:
        """The place of a move, or None where something else was said."""
        prompt = f"your move as {self._game.roles[self._role]} (help, ?, hint, undo, resign): "
        progress_console.print(prompt, end="", soft_wrap=True)
        try:
            text = input().strip()
        except EOFError:
            progress_console.print("")
            raise Resigned from None
        except UnicodeDecodeError:
            text = ""
        found = find_move(text, names)
        if text.lower() in WORDS and text not in names:
            self._word(text.lower(), names, state)
        elif len(found) == 1:
            return found[0]
        elif found:
            progress_console.print(f"{as_text(text)!r} may be {', '.join(names[i] for i in found[:10])}: say more")
        elif text:
            progress_console.print(f"{as_text(text)!r} is no move here; ? lists them")
        return None

    def _word(self, word: str, names: list[str], state: Situation) -> None:
        if word == "?":
            progress_console.print("  ".join(f"{number}:{name}" for number, name in enumerate(names, start=1)))
        elif word == "help":
            progress_console.print(HELP)
        elif word == "hint":
            advice = self._advise(self._game, self._role, state) if self._advise else "there is nobody to ask"
            progress_console.print(advice)
        elif word == "undo" and not self._choices:
            progress_console.print("there is nothing to take back")
        elif word == "undo":
            self.takes_back = self._choices.pop()
            raise Resigned
        else:
            raise Resigned


def rank_words(rows: list[dict[str, object]]) -> str:
    """The moves of a search, the most visited first, in a line."""
    best = sorted(rows, key=lambda row: -float(str(row["visits"])))[:3]
    total = sum(float(str(row["visits"])) for row in rows) or 1.0
    return ", ".join(f"{row['move']} ({100 * float(str(row['visits'])) / total:.0f} % of the thought)" for row in best)


class Resumed(Player):
    """A player whose first moves are given, as after an undo; then it plays on by itself."""

    def __init__(self, player: Player, moves: Sequence[int | None]) -> None:
        self._player, self._moves = player, moves
        self.name, self.ponders = player.name, player.ponders

    def cannot_play(self, game: Rules, budget: Budget | None) -> str | None:
        """See `Player`."""
        return self._player.cannot_play(game, budget)

    def begin(self, game: Rules, role: int, *, state: Situation, seed: int, budget: Budget | None) -> None:
        """See `Player`."""
        self._player.begin(game, role, state=state, seed=seed, budget=budget)

    def act(self, state: Situation, *, step: int, budget: Budget | None) -> Decision:
        """See `Player`."""
        if step < len(self._moves):
            return Decision(move=self._moves[step])
        return self._player.act(state, step=step, budget=budget)

    def played(self, joint: list[int | None]) -> None:
        """See `Player`."""
        self._player.played(joint)

    def stop(self) -> None:
        """See `Player`."""
        self._player.stop()

    def end(self, goals: list[float], *, score: float | None = None) -> None:
        """See `Player`."""
        self._player.end(goals, score=score)

    def trajectory(self, *, most_used: int = 20) -> dict[str, Any] | None:
        """See `Player`."""
        return self._player.trajectory(most_used=most_used)
