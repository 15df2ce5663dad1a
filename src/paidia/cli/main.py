"""Entry point of the command line.

Every module in `cli/commands/` is a command: its name is the file's name, its function `run` does the work. A
`PaidiaError` becomes one line on stderr and exit code 2; results go to stdout, everything else to stderr.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Callable, Sequence

from cyclopts import App

import paidia
from paidia.cli import commands
from paidia.cli.output import note, progress_console, shy_streams
from paidia.core.errors import PaidiaError
from paidia.core.loading.kernels import NotCompiled
from paidia.core.text import printable

__all__ = ["build_app", "main"]

#: Characters of a path that are shown.
LONG = 120


def build_app(*, summaries: bool = True) -> App:
    """The application with all its commands; without `summaries` a command is imported only when it is called."""
    app = App(
        name="paidia",
        help=(
            "General game playing: any rules in, a strong player out.\n\n"
            "A first match: paidia play connect4 --agents grave,uct --sims 2000\n\n"
            "GAME is an id from `paidia games` (a board size may follow: breakthrough@6x5) or the path of a rule file; "
            "agents are ids from `paidia agents`.\n\n"
            "Exit codes: 0 done; 1 done, and the answer is no (a check or a repetition failed, or all matches of a plan did); "
            "2 bad input, with one line that says what and what to do; 130 interrupted."
        ),
        version=paidia.__version__,
        version_flags=["--version", "-V"],
        help_on_error=False,
        error_console=progress_console,
    )
    for module in pkgutil.iter_modules(commands.__path__):
        name = module.name.rstrip("_")
        place = f"{commands.__name__}.{module.name}"
        app.command(_command(place) if summaries else f"{place}:run", name=name)
    return app


def _command(place: str) -> Callable[..., None]:
    """What a command does, or, where a kernel is still missing, a line in the list of commands that says so."""
    try:
        run: Callable[..., None] = importlib.import_module(place).run
    except NotCompiled as error:
        reason = error

        def run() -> None:
            raise reason

        run.__doc__ = str(error)
    return run


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command; `--help` says what its exit codes mean."""
    shy_streams()
    words = sys.argv[1:] if arguments is None else list(arguments)
    app = build_app(summaries=not words or words[0] in ("--help", "-h"))
    try:
        app(words, exit_on_error=False, print_error=False, result_action="return_value")
    except PaidiaError as error:
        note(f"paidia: {error}")
        raise SystemExit(2) from None
    except KeyboardInterrupt:
        note("paidia: interrupted")
        raise SystemExit(130) from None
    except BrokenPipeError:  # the reader of our output (head, less) has gone
        sys.stderr.close()
        raise SystemExit(0) from None
    except OSError as error:  # a path that cannot be one (too long, say), or a disk that does not answer
        if error.filename is None:
            raise
        note(f"paidia: {printable(str(error.filename), most=LONG)}: {error.strerror or error}")
        raise SystemExit(2) from None
    except SystemExit:
        raise
    except Exception as error:
        if isinstance(error.__cause__, NotCompiled):  # a command is imported by cyclopts, which wraps what that raises
            error = error.__cause__
        elif not type(error).__module__.startswith("cyclopts"):
            raise
        note(f"paidia: {error}")
        raise SystemExit(2) from None
