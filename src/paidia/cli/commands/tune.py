"""`paidia tune`: look for good search parameters."""

from __future__ import annotations

import os
import time
from contextlib import ExitStack
from pathlib import Path

from paidia.cli.output import Steps, note, print_json, progress_console, say, steps, table
from paidia.core.errors import BadInput
from paidia.experiment.tuning.plan import load_plan
from paidia.experiment.tuning.tune import TuneResult, run_tuning
from paidia.report.drawing.landscape import PICTURES, draw_landscape, tuning_document, validated

LINE_EVERY = 10.0  # seconds between lines where there is no terminal


def run(
    plan: Path,
    *,
    workers: int | None = None,
    store: Path | None = None,
    picture: Path | None = None,
    quiet: bool = False,
    json: bool = False,
) -> None:
    """Tune an agent off-line by matches, or go on with a run that was interrupted.

    Shows the recommended combination with the result of validation matches (fresh seeds, 95 % interval), the best
    combinations, and draws the landscape that was learned. The result does not depend on the number of workers.

    Args:
        plan: TOML file: agent, games, space of parameters, method, evaluations (docs/tuning.md shows how to write one).
        workers: Matches at a time; the number of cores if left out.
        store: File for the results of all matches; PLAN with the ending .tune.jsonl if left out.
        picture: Where to draw the landscape (.svg, .png, .pdf); PLAN with the ending .tune.svg if left out.
        quiet: Show no progress.
        json: Print one JSON document.
    """
    if workers is not None and not 1 <= workers <= 1_000:
        raise BadInput(f"--workers must be from 1 to 1,000, not {workers}")
    if picture is not None and picture.suffix not in PICTURES:
        raise BadInput(f"the landscape is drawn as {', '.join(PICTURES)}, not as {picture.name!r}")
    wanted = load_plan(plan)
    log = store or plan.with_suffix(".tune.jsonl")
    try:
        with _Shown(wanted.name, quiet=quiet) as shown:
            result = run_tuning(
                wanted,
                log,
                folder=plan.parent,
                file=str(plan),
                workers=workers or os.cpu_count() or 1,
                watch=shown.show,
            )
    except KeyboardInterrupt:
        note(f"interrupted; the same command goes on with {log}")
        raise SystemExit(130) from None
    drawn = _draw(result, picture, plan)
    if json:
        print_json({**tuning_document(result), "store": str(log), "picture": drawn})
    else:
        _show(result, drawn)


def _draw(result: TuneResult, picture: Path | None, plan: Path) -> str | None:
    """Draw the landscape; without matplotlib only if a picture was asked for is that an error."""
    path = picture or plan.with_suffix(".tune.svg")
    try:
        draw_landscape(result, path)
    except BadInput:
        if picture is not None:
            raise
        return None
    return str(path)


def _show(result: TuneResult, drawn: str | None) -> None:
    landscape = result.landscape
    names = result.space.names
    rows = []
    for genes in landscape.best(10):
        entry = landscape.points[genes]
        values = result.values(genes)
        rows.append([*(values[name] for name in names), str(entry.n), f"{entry.mean:.3f}", f"{landscape.mean(genes):.3f}"])
    evaluations = f"{landscape.results:,} evaluations by {result.plan.method}"
    table(f"{result.plan.name}: {evaluations}", [*(f">{name}" for name in names), ">evaluations", ">mean", ">landscape"], rows)
    words = ", ".join(f"{name} = {value}" for name, value in result.values(result.recommended).items())
    say(f"recommended: {words}")
    interval = validated(result)
    tuned = landscape.points[result.recommended].mean
    if interval is None:
        note = "no validation: this mean is too good, being the best of many (validation = N in the plan plays fresh matches)"
        say(f"mean while tuning {100 * tuned:.1f} %; {note}")
    else:
        n = sum(game.matches for game in result.validation)
        bounds = f"{100 * interval.low:.1f} to {100 * interval.high:.1f} %, 95 % interval"
        say(
            f"validation: {100 * interval.mean:.1f} % of the points in {n:,} fresh matches ({bounds}); "
            f"while tuning it had {100 * tuned:.1f} %, which is too good, being the best of many",
        )
    if drawn is not None:
        say(f"landscape drawn to {drawn}")


class _Shown:
    """How far it is: a bar on a terminal, a line every few seconds elsewhere; always on stderr."""

    def __init__(self, name: str, *, quiet: bool) -> None:
        self._name, self._quiet = name, quiet
        self._bar: Steps | None = None
        self._stack = ExitStack()
        self._began: tuple[float, int] | None = None
        self._next = time.monotonic() + LINE_EVERY

    def __enter__(self) -> _Shown:
        if not self._quiet and progress_console.is_terminal:
            self._bar = self._stack.enter_context(steps(self._name, unit="matches,"))
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def show(self, done: int, planned: int) -> None:
        """Some matches are done."""
        now = time.monotonic()
        if self._began is None:  # what the log already had says nothing about the speed
            self._began = now, done
        if self._bar is not None:
            self._bar.show(done, planned)
        elif not self._quiet and now >= self._next:
            self._next = now + LINE_EVERY
            speed = (done - self._began[1]) / max(1e-9, now - self._began[0])
            left = f", about {(planned - done) / speed / 60:.0f} min left" if speed > 0 else ""
            note(f"{done:,} of {planned:,} matches{left}")
