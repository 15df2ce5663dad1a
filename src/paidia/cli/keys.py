"""A person who plays a video game by keys, in a terminal: one tick after the other, whether a key is pressed or not."""

from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from paidia.core.arcade import ACTIONS, ArcadeGame
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.core.model import Rules, Situation
from paidia.core.player import Decision, Player, Resigned

__all__ = ["KEYS", "KeyPlayer", "read_keys", "unbuffered_keys"]

#: What terminals send -> the action; arrows come as ESC [ A or ESC O A.
KEYS = {
    "\x1b[A": "UP", "\x1b[B": "DOWN", "\x1b[C": "RIGHT", "\x1b[D": "LEFT",
    "\x1bOA": "UP", "\x1bOB": "DOWN", "\x1bOC": "RIGHT", "\x1bOD": "LEFT",
    "w": "UP", "s": "DOWN", "d": "RIGHT", "a": "LEFT", " ": "USE",
}  # fmt: skip

HELP = "arrows or w a s d: move   space: use   p: pause   q: give up"

#: Seconds of a tick: a person is not as quick as the 40 ms of the competition.
TICK = 0.12


def read_keys(text: str) -> list[str]:
    """The keys in what a terminal sent, in their order."""
    found, i = [], 0
    while i < len(text):
        size = 3 if text[i : i + 3] in KEYS else 1
        found.append(text[i : i + size])
        i += size
    return found


@contextmanager
def unbuffered_keys() -> Iterator[None]:
    """Keys arrive at once and are not shown; the terminal is as before afterwards, whatever happens."""
    try:
        import termios
        import tty

        before = termios.tcgetattr(sys.stdin.fileno())
    except (ImportError, OSError, ValueError, AttributeError):
        raise BadInput("a video game is played by keys, in a terminal; this is none") from None
    except termios.error:
        raise BadInput("a video game is played by keys, in a terminal; this is none") from None
    tty.setcbreak(sys.stdin.fileno())
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin.fileno(), termios.TCSADRAIN, before)


class KeyPlayer(Player):
    """Waits until the tick is over; the last key that means an action is played, without any the avatar does nothing."""

    name = "human"

    def __init__(self, *, tick: float = TICK, show: Callable[[Situation], None] | None = None) -> None:
        self._tick, self.show = tick, show
        self._due: float | None = None

    def cannot_play(self, game: Rules, budget: Budget | None) -> str | None:
        """See `Player`."""
        return None if isinstance(game, ArcadeGame) else "plays by keys, which is for video games"

    def act(self, state: Situation, *, step: int, budget: Budget | None) -> Decision:
        """See `Player`."""
        if self.show is not None and step == 0:
            self.show(state)
        now = time.monotonic()
        self._due = now + self._tick if self._due is None or self._due < now else self._due + self._tick
        action, paused = "NIL", False
        while paused or (left := self._due - time.monotonic()) > 0:
            ready, _, _ = select.select([sys.stdin], [], [], None if paused else left)
            if not ready:
                break
            data = os.read(sys.stdin.fileno(), 1024)
            if not data or b"\x04" in data:  # the terminal is gone, or Ctrl-D
                raise Resigned
            for key in read_keys(data.decode("utf-8", errors="replace")):
                if key == "q":
                    raise Resigned
                if key == "p":
                    paused = not paused
                    self._due = time.monotonic() + self._tick
                action = KEYS.get(key, KEYS.get(key.lower(), action))
        return Decision(move=ACTIONS.index(action))
