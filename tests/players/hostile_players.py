"""Players of a user's file that do what no player should; `test_isolated.py` plays them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import Any

from paidia import Budget, Decision, Player
from paidia.core.model import Rules, Situation


class First(Player):
    name = "first"

    def begin(self, game: Rules, role: int, *, state: Situation, seed: int, budget: Budget | None) -> None:
        self.role, self.key = role, state.key

    def act(self, state: Situation, *, step: int, budget: Budget | None) -> Decision:
        legal = state.legal(self.role)
        return Decision(legal[0] if legal else None, simulations=step, notes={"key": state.key})


class Exits(First):
    def act(self, state: Situation, *, step: int, budget: Budget | None) -> Decision:
        os._exit(0)


class Hangs(First):
    def act(self, state: Situation, *, step: int, budget: Budget | None) -> Decision:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while True:
            time.sleep(1.0)


class HangsAtOnce(First):
    def cannot_play(self, game: Rules, budget: Budget | None) -> str | None:
        while True:
            pass


class Eats(First):
    def act(self, state: Situation, *, step: int, budget: Budget | None) -> Decision:
        self.much = [bytearray(1 << 30) for _ in range(10)]
        return super().act(state, step=step, budget=budget)


class Leaves(First):
    """Starts a process that would outlive it."""

    def act(self, state: Situation, *, step: int, budget: Budget | None) -> Decision:
        path = os.environ["TRUST_LEAVES"]
        subprocess.Popen([sys.executable, "-c", f"import time; time.sleep(4); open({path!r}, 'w')"])
        os._exit(3)


class Babbles(First):
    """Writes nonsense to every descriptor that it finds."""

    def act(self, state: Situation, *, step: int, budget: Budget | None) -> Decision:
        for descriptor in range(3, 64):
            try:
                os.write(descriptor, b"\xff" * 64)
            except OSError:
                continue
        return super().act(state, step=step, budget=budget)


class Segfaults(First):
    def act(self, state: Situation, *, step: int, budget: Budget | None) -> Decision:
        os.kill(os.getpid(), signal.SIGSEGV)
        raise AssertionError


class Raises(First):
    def act(self, state: Situation, *, step: int, budget: Budget | None) -> Decision:
        raise type("Own", (BaseException,), {})("\x1b[2J")


class Lies(First):
    def act(self, state: Situation, *, step: int, budget: Budget | None) -> Decision:
        return Decision("no such move")  # type: ignore[arg-type]


class Tells(First):
    def trajectory(self, *, most_used: int = 20) -> dict[str, Any] | None:
        os._exit(1)


not_a_player = 3
