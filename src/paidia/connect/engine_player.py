"""A player that asks an engine: any program that speaks the JSON lines of `engine`, started when the match begins.

    summary = "an engine in its own process"
    kind = "paidia.connect.engine_player:EnginePlayer"

    [planner]
    command = "paidia engine"
    agent = "grave"             # any other entry of a query goes along

Whatever takes an agent takes such a file: `paidia play`, plans, `paidia serve`, `paidia host --engine`.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import threading
from typing import Annotated, Any, ClassVar

import msgspec

from paidia.connect.analysis import Query
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.core.model import Rules, Situation
from paidia.core.player import Decision
from paidia.players.agent_player import AgentPlayer
from paidia.players.definition import AgentDefinition

__all__ = ["EnginePlayer", "engine_agent"]

PATIENCE = 30.0  # seconds beyond its time after which an engine that says nothing is given up
LONGEST = 3600.0  # seconds for one move where simulations are counted
MOST_LINE = 1 << 22  # characters of one answer
MOST_LINES = 10_000  # answers to one question, the last of which counts


def engine_agent(command: str, **query: Any) -> AgentDefinition:
    """The agent that asks the engine which a command starts."""
    planner = {"command": command, **query}
    return AgentDefinition(summary=command, world="any", kind="paidia.connect.engine_player:EnginePlayer", planner=planner)


class Row(msgspec.Struct, frozen=True):
    """What an engine thinks of a move."""

    move: str
    mean: float | None = None


class Answer(msgspec.Struct, frozen=True):
    """What of an engine's line is read; whatever else it says is let be."""

    id: Any = None
    running: bool = False
    error: str | None = None
    best: str | None = None
    simulations: Annotated[int, msgspec.Meta(ge=0)] = 0
    moves: list[Row] = []


class EnginePlayer(AgentPlayer):
    """Asks one engine process for every move."""

    searches: ClassVar[bool] = True

    def __init__(self, name: str, definition: AgentDefinition) -> None:
        super().__init__(name, definition)
        self._query = dict(definition.planner)
        command = self._query.pop("command", "")
        if not isinstance(command, str) or not command.strip():
            raise BadInput(f'agent {name}: [planner] needs the command that starts the engine, such as command = "paidia engine"')
        unknown = set(self._query) - set(Query.__struct_fields__)
        if unknown:
            raise BadInput(f"agent {name}: a query has no entry {', '.join(sorted(unknown))}")
        try:
            self._command = shlex.split(command)
        except ValueError as error:
            raise BadInput(f"agent {name}: {command!r} cannot be read as a command: {error}") from None
        self._process: subprocess.Popen[str] | None = None
        self._number = 0

    def cannot_play(self, game: Rules, budget: Budget | None) -> str | None:
        """See `Player`; the engine itself is asked."""
        reason = super().cannot_play(game, budget)
        if reason is None:
            try:
                self.begin(game, 0, state=game.initial_state(), seed=0, budget=None)
            except BadInput as error:
                return f"cannot play: {error}"
        return reason

    def begin(self, game: Rules, role: int, *, state: Situation, seed: int, budget: Budget | None) -> None:
        """Start the engine, if it does not run."""
        self._game = str(self._query.get("game", game.id))
        self._level = getattr(game, "level", None)
        self._role, self._seed = role, seed % 2**63
        if self._process is None or self._process.poll() is not None:
            try:
                pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
                # A session of its own: what the engine starts can be ended with it.
                self._process = subprocess.Popen(
                    self._command, text=True, encoding="utf-8", bufsize=1, start_new_session=True, **pipes
                )
            except (OSError, ValueError) as error:
                reason = getattr(error, "strerror", None) or error
                raise BadInput(f"cannot start the engine {shlex.join(self._command)}: {reason}") from None
        if not state.terminal:  # it loads the rules now, not when its clock runs
            told = self._ask(self._asked(state, {"sims": 1}), PATIENCE)
            if told.error is not None:
                raise BadInput(f"the engine {shlex.join(self._command)} cannot play {game.id}: {told.error}")

    def act(self, state: Situation, *, step: int, budget: Budget | None) -> Decision:
        """Ask for the best move in this position."""
        if not state.legal(self._role):
            return Decision(None)
        budget = budget or Budget(simulations=1000)
        query = self._asked(state, {"sims": budget.simulations, "time": budget.seconds})
        told = self._ask(query, budget.seconds + PATIENCE if budget.seconds else LONGEST)
        if told.error is not None or not told.best:
            raise BadInput(f"the engine {shlex.join(self._command)} gave no move: {told.error or 'no best move'}")
        move = state.game.move_id(self._role, told.best)
        means = {row.move: row.mean for row in told.moves}
        return Decision(move, simulations=told.simulations, value=means.get(told.best))

    def end(self, goals: list[float], *, score: float | None = None) -> None:
        """End the engine."""
        self.close()

    def close(self) -> None:
        """End the engine, if it runs."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None and process.stdout is not None
        with contextlib.suppress(OSError, ValueError):
            process.stdin.write('{"action":"quit"}\n')
        with contextlib.suppress(OSError, ValueError):
            process.stdin.close()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            pass
        finally:
            _end(process)
            process.wait()
        process.stdout.close()

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.close()

    def _asked(self, state: Situation, budget: dict[str, Any]) -> dict[str, Any]:
        """The query for a position."""
        self._number += 1
        query = {"seed": self._seed, "level": self._level}
        query |= {key: value for key, value in self._query.items() if key != "game"}
        query |= {"id": f"move{self._number}", "game": self._game, "position": state.to_text(), "role": self._role, "line": 0}
        return query | budget

    def _ask(self, query: dict[str, Any], seconds: float) -> Answer:
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            raise BadInput("the engine does not run")
        watch = threading.Timer(seconds, _end, (process,))
        watch.daemon = True
        watch.start()
        try:
            process.stdin.write(msgspec.json.encode(query).decode() + "\n")
            process.stdin.flush()
            for _ in range(MOST_LINES):
                line = process.stdout.readline(MOST_LINE)
                if not line:
                    return Answer(error="it has ended, or was too late")
                if not line.endswith("\n") and len(line) >= MOST_LINE:
                    break
                told = msgspec.json.decode(line, type=Answer)
                if told.id == query["id"] and not told.running:
                    return told
        except OSError:
            return Answer(error="it has ended, or was too late")
        except (ValueError, msgspec.DecodeError) as error:
            return Answer(error=str(error))
        finally:
            watch.cancel()
        _end(process)
        return Answer(error="it says too much")


def _end(process: subprocess.Popen[str]) -> None:
    """End an engine and what it has started; its pipes would stay open otherwise, and whoever reads from them would wait."""
    with contextlib.suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    process.kill()
