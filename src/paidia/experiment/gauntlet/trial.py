"""A trial: agents run a suite round by round, until a sequential test over all of it is decided or the rounds are over.

One observation of the test is a pair of matches (same seed, seats changed), its mean points; where agents play alone, a run of
the agent beside the baseline's run of the same game, level and seed:

    x = mean points of the pair                             against an opponent
    x = (1 + points of the agent - points of the other) / 2     alone

In both cases 0.5 means equal, and `experiment.run.sequential` compares the mean of x over the suite with 0.5 and 0.5 +- the
effect (half of it where x is half a difference). Rounds are played by the usual runner into the usual store: what is there is
not played again, so a baseline is played once, and a trial that was cut short goes on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from paidia.core.errors import BadInput
from paidia.experiment.cells import Cell
from paidia.experiment.expand import expand
from paidia.experiment.gauntlet.suite import Suite
from paidia.experiment.plan import Plan
from paidia.experiment.run.outcome import Backend
from paidia.experiment.run.progress import Progress
from paidia.experiment.run.runner import RunResult, run_plan
from paidia.experiment.run.sequential import verdict
from paidia.experiment.signature.behaviour import behaviour_in
from paidia.experiment.store import Store

__all__ = ["Pairing", "Trial", "observations", "pairings", "run_trial", "suite_verdict"]


class Pairing(msgspec.Struct, frozen=True):
    """An agent and an opponent in one game.

    Attributes:
        game: Name of the game.
        agent: Whose points these are.
        opponent: The other one.
        pairs: The observations x, each from 0 to 1.
        own: Mean points of the agent's own matches; alone its own runs.
        other: The same of the opponent.
        matches: Matches of the agent.
        alone: They played side by side: what one gets is not what the other loses.
    """

    game: str
    agent: str
    opponent: str
    pairs: list[float]
    own: list[float]
    other: list[float]
    matches: int
    alone: bool = False


class Trial(msgspec.Struct, frozen=True):
    """What a trial has shown.

    Attributes:
        suite: The suite.
        rounds: Rounds that are complete.
        reason: "decided", "all rounds", "out of time" or "interrupted".
        verdict: Of the test of the first agent against the baseline: better, worse, equal or open.
        pairings: Every agent with every opponent in every game.
        verdicts: What the test says of all matches of each agent and opponent.
        faults: Cells of which no match came to a regular end, and why.
        vain: So it is with all of them.
    """

    suite: str
    rounds: int
    reason: str
    verdict: str
    pairings: list[Pairing]
    verdicts: dict[str, str] = {}
    faults: dict[str, str] = {}
    vain: bool = False


def run_trial(
    plan: Plan,
    suite: Suite,
    path: Path,
    *,
    backend: Backend,
    workers: int = 1,
    seconds: float | None = None,
    progress: Callable[[], Progress] | None = None,
    play: bool = True,
    signature: Callable[[Cell], str] = behaviour_in,
) -> Trial:
    """Run a suite's plan into a store, round by round.

    Args:
        plan: Made by `suite_plan`.
        suite: Its suite: rounds and test.
        path: File of the store.
        backend: Where matches are played.
        workers: Matches at a time.
        seconds: Stop cleanly after so long.
        progress: Makes what shows how far a round is.
        play: False: look at the store as it is.
        signature: Tells what identifies the behaviour that a cell depends on.
    """
    cells = expand(plan, file=plan.name)
    agent, baseline = _sides(plan, suite)
    left, rounds, reason, word = seconds, 0, "all rounds", "open"
    runs: list[RunResult] = []
    for number in range(1, suite.rounds + 1):
        if play:
            began = time.monotonic()
            with Store(path, write=True) as store:
                runs = _play_round(plan, cells, number, store, backend, workers, left, progress, signature)
            reason = runs[-1].reason
            if reason != "finished":
                break
            reason = "all rounds"
            if left is not None:
                left = max(0.0, left - (time.monotonic() - began))
        with Store(path, verify=False) as store:
            if not _complete(store, cells, number):
                reason = "out of time" if play else "interrupted"
                break
            rounds = number
            found = pairings(store, cells, rounds=number)
        word = suite_verdict((p for p in found if (p.agent, p.opponent) == (agent, baseline)), suite)
        if number >= suite.least and word != "open":
            reason = "decided"
            break
    with Store(path) as store:
        found = pairings(store, cells, rounds=None)
    together: dict[str, list[Pairing]] = {}
    for each in found:
        together.setdefault(f"{each.agent} - {each.opponent}", []).append(each)
    verdicts = {pair: suite_verdict(own, suite) for pair, own in together.items()}
    faults = {cell: why for run in runs for cell, why in run.faults.items()}
    vain = bool(runs) and all(run.vain for run in runs)
    return Trial(suite.name, rounds, reason, word, found, verdicts, faults, vain)


def _play_round(
    plan: Plan,
    cells: list[Cell],
    number: int,
    store: Store,
    backend: Backend,
    workers: int,
    left: float | None,
    progress: Callable[[], Progress] | None,
    signature: Callable[[Cell], str],
) -> list[RunResult]:
    """All matches of the first rounds that the store lacks; a cell with more seats has more matches in a round."""
    runs: list[RunResult] = []
    groups: dict[int, list[Cell]] = {}
    for cell in cells:
        groups.setdefault(len(cell.seats), []).append(cell)
    for seats, own in groups.items():
        run = run_plan(
            msgspec.structs.replace(plan, matches=number * seats),
            store,
            backend=backend,
            cells=own,
            file=plan.name,
            workers=workers,
            seconds=left,
            signature=signature,
            progress=progress() if progress is not None else None,
        )
        runs.append(run)
        if run.reason != "finished":
            break
    return runs


def _sides(plan: Plan, suite: Suite) -> tuple[str, str]:
    """The agent of the test and its baseline."""
    names = [entry if isinstance(entry, str) else entry.name or entry.id for entry in [*plan.agents, *plan.opponents]]
    baseline = next((name for name in suite.opponents if name in names and name != names[0]), names[-1])
    return names[0], baseline


def _complete(store: Store, cells: Iterable[Cell], rounds: int) -> bool:
    """Whether all cells have all matches of the first rounds."""
    for cell in cells:
        places = {(pair, seat) for pair, seat, _ in _done(store, cell) if pair < rounds}
        if len(places) < rounds * len(cell.seats):
            return False
    return True


def _done(store: Store, cell: Cell) -> list[tuple[int, int, float | None]]:
    found = store.db.execute("SELECT id FROM cell WHERE key = ?", (cell.key,)).fetchone()
    return list(store.done(int(found[0]))) if found else []


def pairings(store: Store, cells: list[Cell], *, rounds: int | None) -> list[Pairing]:
    """What a store says of every agent and opponent in every game, of its first rounds or of all."""
    alone: dict[tuple[str, str | None], dict[str, dict[int, float]]] = {}
    found: dict[tuple[str, str, str], Pairing] = {}
    for cell in cells:
        points: dict[int, list[float]] = {}
        for pair, _, value in _done(store, cell):
            if value is not None and (rounds is None or pair < rounds):
                points.setdefault(pair, []).append(value)
        means = {pair: sum(own) / len(own) for pair, own in points.items() if len(own) == len(cell.seats)}
        names = [contender.name for contender in cell.contenders]
        if len(names) == 1:
            alone.setdefault((cell.label, cell.level), {})[names[0]] = means
        else:
            values = list(means.values())
            key = (cell.label, names[0], names[1])
            found[key] = Pairing(*key, values, values, [1.0 - x for x in values], len(values) * len(cell.seats))
    for (game, _), agents in alone.items():
        for agent, own in agents.items():
            for other, theirs in agents.items():
                if agent != other:
                    both = sorted(own.keys() & theirs.keys())
                    a, b = [own[pair] for pair in both], [theirs[pair] for pair in both]
                    key = (game, agent, other)
                    new = Pairing(*key, [(1.0 + x - y) / 2.0 for x, y in zip(a, b, strict=True)], a, b, len(both), alone=True)
                    found[key] = _joined(found[key], new) if key in found else new
    return [each for each in found.values() if each.pairs]


def _joined(a: Pairing, b: Pairing) -> Pairing:
    """Levels of one game."""
    return msgspec.structs.replace(
        a, pairs=a.pairs + b.pairs, own=a.own + b.own, other=a.other + b.other, matches=a.matches + b.matches
    )


def observations(found: Iterable[Pairing]) -> list[float]:
    """All observations of some pairings."""
    return [x for pairing in found for x in pairing.pairs]


def suite_verdict(found: Iterable[Pairing], suite: Suite) -> str:
    """What the sequential test says: better, worse, equal or open."""
    values = observations(found)
    if not values:
        raise BadInput("nothing has been played: there is nothing to test")
    effect = suite.effect / 2.0 if suite.alone else suite.effect
    total, squares = sum(values), sum(x * x for x in values)
    return verdict(len(values), total, squares, alpha=suite.alpha, beta=suite.beta, effect=effect) or "open"
