"""What is fuzzed: every place where text or bytes of others come in. A target takes bytes; whatever they are, it ends in time,
with a result or with a `PaidiaError`. Anything else is a find.
"""

from __future__ import annotations

import contextlib
import io
import os
import shlex
import sqlite3
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import paidia
from oracles.gdl_sheets import SHEETS
from paidia.cli.main import main
from paidia.connect.ggp.messages import read_message
from paidia.connect.ggp.replayed import read_ggp_record
from paidia.core.errors import PaidiaError
from paidia.core.game import Game
from paidia.experiment.expand import expand
from paidia.experiment.plan import parse_plan
from paidia.experiment.run.local import LocalBackend
from paidia.experiment.run.runner import run_plan
from paidia.experiment.store import Store
from paidia.experiment.tuning.plan import parse_plan as parse_tuning
from paidia.games import load, load_as
from paidia.games.gdl.language.check import check_text
from paidia.games.gdl.language.format import format_text
from paidia.games.gdl.language.rules import parse_sheet
from paidia.games.gdl.load import load_game
from paidia.games.vgdl.compile.loading import game_from_text
from paidia.match.record import MatchRecord, replay
from paidia.players.registry import load_agent, make_player
from paidia.report.claims import load_claims
from paidia.report.papers import read_printed
from paidia.report.summary import group_cells, summarise

PACKAGE = Path(paidia.__file__).parent
ROOT = Path(__file__).resolve().parent.parent
LEVEL_MARK = "\n=== level ===\n"


def _text(data: bytes) -> str:
    return data.decode("utf-8", errors="replace")


def sheet(data: bytes) -> None:
    """A rule sheet: checked and formatted; what is formatted reads as before."""
    text = _text(data)
    check_text(text)
    shown = format_text(text)
    assert format_text(shown) == shown


def gdl(data: bytes) -> None:
    """A rule sheet as a game, played a little."""
    text = _text(data)
    state = load_game(parse_sheet(text), "fuzzed").initial_state()
    state.random_playout(1, 30)
    state.draw()


def vgdl(data: bytes) -> None:
    """A description and a level: compiled, and run for some ticks."""
    rules, _, level = _text(data).partition(LEVEL_MARK)
    state = game_from_text(rules, level).initial_state(1)
    state.random_run(3, 40)


def level(data: bytes) -> None:
    """A level of a game that is right."""
    rules = (PACKAGE / "library" / "vgdl" / "museum" / "museum.txt").read_text()
    game_from_text(rules, _text(data)).initial_state(1).random_run(3, 40)


def agent(data: bytes) -> None:
    """The TOML file of an agent, and a seat for it."""
    with _file(data, ".toml") as file:
        load_agent(str(file))
        make_player(str(file)).cannot_play(_board(), None)


def plan(data: bytes) -> None:
    """The TOML file of an experiment."""
    wanted = parse_plan(_text(data))
    if len(wanted.games) * len(wanted.agents) < 50:
        expand(wanted, folder=ROOT / "papers" / "s002")


def tuning(data: bytes) -> None:
    """The TOML file of a tuning run."""
    parse_tuning(_text(data))


def record(data: bytes) -> None:
    """A recorded match, of ours and of GGP hosts."""
    with contextlib.suppress(PaidiaError):
        read_ggp_record(data, _sheet())
    found = MatchRecord.from_json(data)
    replay(found, _board())
    found.to_json()


def store(data: bytes) -> None:
    """A store of results."""
    with _file(data, ".sqlite") as file, Store(file) as results:
        group_cells(summarise(results))
        results.builds()


def message(data: bytes) -> None:
    """What a GGP host sends."""
    read_message(_text(data))


def claims(data: bytes) -> None:
    """The claims and the printed numbers of a paper."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "claims.toml").write_bytes(data)
        with contextlib.suppress(PaidiaError):
            load_claims(Path(folder))
        read_printed(Path(folder) / "claims.toml")


def command(data: bytes) -> None:
    """A command line; nothing that writes beyond a scratch folder, serves, or takes long."""
    try:
        words = shlex.split(_text(data).replace("\x00", " "))
    except ValueError:
        words = _text(data).replace("\x00", " ").split()
    if not words or words[0] not in QUICK:
        words = ["play", *words]
    words = [word for word in words if not word.startswith(("/", "~")) and ".." not in word]
    out = io.StringIO()
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        os.chdir(folder)
        try:
            main(words)
        except SystemExit as stop:
            if stop.code not in (None, 0, 1, 2):
                raise AssertionError(f"exit code {stop.code}") from None
        finally:
            os.chdir(before)


QUICK = ("play", "check", "perft", "games", "tree", "report", "export", "merge", "reproduce", "conform")


@cache
def _board() -> Game:
    return load_as(Game, "tic-tac-toe")


@cache
def _sheet() -> Game:
    return load_as(Game, "gdl:tic-tac-toe")


@contextlib.contextmanager
def _file(data: bytes, suffix: str):  # type: ignore[no-untyped-def]
    with tempfile.NamedTemporaryFile(suffix=suffix) as file:
        file.write(data)
        file.flush()
        yield Path(file.name)


TARGETS: dict[str, Callable[[bytes], None]] = {
    each.__name__: each for each in (sheet, gdl, vgdl, level, agent, plan, tuning, record, store, message, claims, command)
}

#: Errors of the database that a damaged file may cause; the store's own door turns most of them into a `PaidiaError`.
EXPECTED: dict[str, tuple[type[Exception], ...]] = {"store": (sqlite3.DatabaseError,)}


@cache
def seeds(name: str) -> list[bytes]:
    """Good inputs to start from, the smallest first; what was ever found (`tests/fuzz/corpus`) is among them."""
    own = [file.read_bytes() for file in sorted((ROOT / "tests" / "fuzz" / "corpus" / name).glob("*"))]
    return sorted([*own, *_good(name)], key=len)


def _good(name: str) -> list[bytes]:
    library = PACKAGE / "library"
    if name == "sheet":
        return [file.read_bytes() for file in sorted((library / "gdl").glob("*.kif"))]
    if name == "gdl":  # small ones: a case should take milliseconds
        return [text.encode() for text in SHEETS.values()]
    if name == "vgdl":
        games = [file for file in sorted((library / "vgdl").glob("*/*.txt")) if "_lvl" not in file.name]
        return [f"{g.read_text()}{LEVEL_MARK}{g.with_name(g.stem + '_lvl0.txt').read_text()}".encode() for g in games]
    if name == "level":
        return [file.read_bytes() for file in sorted((library / "vgdl").glob("museum/museum_lvl*.txt"))]
    if name == "agent":
        return [file.read_bytes() for file in sorted((PACKAGE / "players" / "presets").glob("*.toml"))]
    if name == "plan":
        return [file.read_bytes() for file in sorted((ROOT / "papers").glob("s00[02]/t*.toml"))]
    if name == "tuning":
        return [b'agent = "p-base"\ngames = ["connect4", { id = "breakthrough@6x6", sims = 500 }]\nsims = 1000\n'
                b'evaluations = 200\nmatches = 4\n[space]\nparameters = ["K", "ref", "C", "epsilon"]\n']  # fmt: skip
    if name == "record":
        return [_recorded(), _hosted()]
    if name == "store":
        return [_stored()]
    if name == "message":
        return [b"(INFO)", b"(START m.1 white ((role white) (role black) (<= terminal (true x))) 30 10)", b"(PLAY m.1 nil)",
                b"(PLAY m.1 ((mark 1 1) noop))", b"(STOP m.1 (noop (mark 2 2)))", b"(ABORT m.1)"]  # fmt: skip
    if name == "claims":
        files = [*(ROOT / "papers").glob("*/claims.toml"), *(ROOT / "papers").glob("s002/printed.csv")]
        return [file.read_bytes() for file in sorted(files)]
    return [line.encode() for line in COMMANDS]


COMMANDS = (
    "play tic-tac-toe --agents random,random --seed 3 --json",
    "play tic-tac-toe --agents uct,grave --sims 5 --set C=0.4 --set 2:playout=mast",
    "play vgdl:museum --agents random --sims 2 --level 1",
    "play connect4@4x4 --agents random,random --time 0.01 --start-time 0",
    "play breakthrough@4x3 --record r.json --agents random,random --watch",
    "play gdl:tic-tac-toe --repeat r.json",
    "check a.kif --format",
    "perft tic-tac-toe 2 --memory 10",
    "games --json",
    "tree tic-tac-toe --agent uct --sims 5 --turns 2 -o t.csv",
    "report no.sqlite -o out --json",
    "export no.sqlite x.csv",
    "merge a.sqlite b.sqlite",
    "reproduce s002-t1 --no-play --scale 0.1 --json",
    "conform gdl a b",
)


def _recorded() -> bytes:
    from paidia.core.budget import Budget
    from paidia.match.referee import play_match

    players = [make_player("uct"), make_player("random")]
    return play_match(load("tic-tac-toe"), players, seed=1, budget=Budget(simulations=5)).record.to_json()


def _hosted() -> bytes:
    return (b'{"matchId": "m", "moves": [["( mark 1 1 )", "noop"], ["noop", "( mark 2 2 )"]], "goalValues": [], "startClock": 1,'
            b'"playClock": 1, "playerNamesFromHost": ["a", null]}')  # fmt: skip


def _stored() -> bytes:
    small = parse_plan('games = ["tic-tac-toe"]\nagents = ["random"]\nopponents = ["mast"]\nsims = 5\nmatches = 2\n')
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "s.sqlite"
        with Store(file, write=True) as results:
            run_plan(small, results, backend=LocalBackend(1))
        return file.read_bytes()
