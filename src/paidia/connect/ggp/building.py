"""Rules made ready for play while a clock runs: the net in a thread of its own, the interpreter where that takes too long."""

from __future__ import annotations

import logging
import threading
import time

from paidia.core.errors import OutOfTime, PaidiaError
from paidia.core.game import Game
from paidia.core.machine.alarm import Alarm, check
from paidia.core.text import printable
from paidia.games.gdl.interpreter import interpreter
from paidia.games.gdl.interpreter.plans import Limits
from paidia.games.gdl.language.rules import RuleSheet
from paidia.games.gdl.load import load_net
from paidia.games.gdl.net.ground import TooLarge

__all__ = ["Building"]

_LOG = logging.getLogger("paidia")

_QUICK = Limits(cells=5_000_000, terms=1_000_000, work=50_000_000)


class Building:
    """A game that is being built. The net may come after the first moves: `late` has it as soon as it is there."""

    def __init__(self, sheet: RuleSheet, id: str) -> None:
        self._sheet, self._id = sheet, id
        self._alarm = Alarm()  # of the thread
        self._net: Game | None = None
        self._error: PaidiaError | None = None
        self._taken = False
        self._thread = threading.Thread(target=self._build, daemon=True)
        self._thread.start()

    def _build(self) -> None:
        try:
            with self._alarm:
                self._net = load_net(self._sheet, self._id)
        except PaidiaError as error:
            self._error = error

    def game(self, seconds: float) -> Game:
        """The net, if it is there in time, else the interpreter.

        Raises:
            PaidiaError: these rules cannot be played.
            OutOfTime: the caller's alarm rang.
        """
        ends = time.monotonic() + 0.7 * seconds
        while self._thread.is_alive() and time.monotonic() < ends:
            check()
            self._thread.join(0.02)
        if self._net is not None:
            self._taken = True
            return self._net
        if self._error is not None and not isinstance(self._error, TooLarge | OutOfTime):
            raise self._error
        reason = str(self._error) if self._error is not None else "the start clock is too short for a net"
        return interpreter.load(self._sheet, self._id, reason=printable(reason), limits=_QUICK, patience=0.15 * seconds)

    def late(self) -> Game | None:
        """The net, once, if it became ready after `game` had given something else."""
        if self._taken or self._net is None:
            return None
        self._taken = True
        return self._net

    def call_off(self) -> None:
        """Nobody wants it any more."""
        self._alarm.ring()
