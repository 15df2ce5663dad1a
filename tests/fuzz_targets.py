"""What is fuzzed: every place where text or bytes of others come in. A target takes bytes; whatever they are, it ends in time,
with a result or with a `PaidiaError`. Anything else is a find.
"""

from __future__ import annotations

import atexit
import contextlib
import io
import os
import re
import shlex
import shutil
import sqlite3
import sys
import tempfile
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

import paidia
from fuzzing import plain_words
from oracles.gdl_sheets import SHEETS
from paidia.cli.main import main
from paidia.connect.analysis import _analyse
from paidia.connect.engine import Engine
from paidia.connect.engine_player import EnginePlayer, engine_agent
from paidia.connect.ggp.messages import read_message
from paidia.connect.ggp.remote import RemotePlayer
from paidia.connect.ggp.replayed import read_ggp_record
from paidia.core.errors import PaidiaError
from paidia.core.game import Game, State
from paidia.core.model import Rules
from paidia.experiment.expand import expand
from paidia.experiment.gauntlet.suite import PARTS, load_suite, suite_plan
from paidia.experiment.plan import AgentEntry, parse_plan
from paidia.experiment.run.local import LocalBackend
from paidia.experiment.run.runner import run_plan
from paidia.experiment.store import Store
from paidia.experiment.store.ledger import read_ledger, write_ledger
from paidia.experiment.tuning.plan import parse_plan as parse_tuning
from paidia.games import load, load_as
from paidia.games.gdl.interpreter.interpreter import load as interpret
from paidia.games.gdl.language.check import check_text
from paidia.games.gdl.language.format import format_text
from paidia.games.gdl.language.rules import parse_sheet
from paidia.games.gdl.load import load_game
from paidia.games.vgdl.compile.loading import game_from_text
from paidia.match.record import MatchRecord, replay
from paidia.players.definition import AgentDefinition
from paidia.players.registry import load_agent, make_player
from paidia.report.papers.claims import load_claims
from paidia.report.papers.explained import load_explained
from paidia.report.papers.printed import read_printed
from paidia.report.summary import group_cells, summarise

PACKAGE = Path(paidia.__file__).parent
ROOT = Path(__file__).resolve().parent.parent
LEVEL_MARK = "\n=== level ===\n"

MEADOW = """BasicGame
    SpriteSet
        grass > Immovable img=grass
        gate > Immovable img=gate
        player > MovingAvatar img=player
        cow > RandomNPC img=cow cooldown=2
        fence > Immovable img=fence
    LevelMapping
        . > grass
        g > grass gate
        A > grass player
        c > grass cow
        w > fence
    InteractionSet
        player fence EOS > stepBack
        cow fence EOS cow > stepBack
        cow player > killSprite scoreChange=1
        player gate > killSprite
    TerminationSet
        SpriteCounter stype=player limit=0 win=False
        SpriteCounter stype=cow limit=0 win=True
"""


def _text(data: bytes) -> str:
    return data.decode("utf-8", errors="replace")


def sheet(data: bytes) -> str:
    """A rule sheet: checked and formatted; what is formatted reads as before. What the check says is its outcome."""
    text = _text(data)
    findings = {plain_words(str(finding)) for finding in check_text(text)}
    shown = format_text(text)
    assert format_text(shown) == shown
    return "; ".join(sorted(findings)[:3]) or "fine"


def gdl(data: bytes) -> None:
    """A rule sheet as a game, played a little: by the interpreter, and now and then by its net, which a child process grounds."""
    rules = parse_sheet(_text(data))
    net = rules.hidden or not rules.roles or zlib.crc32(data) % 16 == 0
    state = (load_game(rules, "fuzzed") if net else interpret(rules, "fuzzed")).initial_state()
    state.random_playout(1, 30)
    state.draw()


def vgdl(data: bytes) -> None:
    """A description and a level: compiled, and run for some ticks."""
    rules, _, level = _text(data).partition(LEVEL_MARK)
    state = game_from_text(rules, level).initial_state(1)
    state.random_run(3, 40)


def level(data: bytes) -> None:
    """A level of a game that is right, and small: what is fuzzed is the level."""
    game_from_text(MEADOW, _text(data)).initial_state(1).random_run(3, 40)


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
    """The claims, the explanations and the printed numbers of a paper."""
    folder = _folder()
    for name in ("claims.toml", "explained.toml"):
        (folder / name).write_bytes(data)
    with contextlib.suppress(PaidiaError):
        load_claims(folder)
    with contextlib.suppress(PaidiaError):
        load_explained(folder, ["s001-t5.12"])
    read_printed(folder / "claims.toml")


def ledger(data: bytes) -> None:
    """Kept matches; what can be read can be written, and is the same then."""
    with _file(data, ".csv") as file:
        lines = read_ledger(file)
        write_ledger(file, lines)
        again = read_ledger(file)
    before, after = (sorted((*line.names, len(line.matches)) for line in each) for each in (lines, again))
    assert before == after


def position(data: bytes) -> None:
    """A position as text, of a board, of a rule sheet by its net and by the interpreter, and of a video game."""
    kind, _, text = _text(data).partition(":")
    state = _positions().get(kind, _board()).from_text(text)
    assert state.game.from_text(state.to_text()).to_text() == state.to_text()
    if not state.terminal:
        state.legal(0)
        state.random_playout(1, 20) if isinstance(state, State) else state.random_run(1, 20)


def query(data: bytes) -> None:
    """A line for the engine: what it asks is searched for, a little."""
    answers: list[dict[str, Any]] = []
    engine = Engine(answers.append)
    engine._take(_text(data))
    for asked in engine._waiting:
        if asked.game.startswith(("/", "~")) or ".." in asked.game:
            continue
        few = msgspec.structs.replace(asked, sims=min(asked.sims, 20), time=0.0, positions=asked.positions[:3])
        _analyse(few if few.sims > 0 else msgspec.structs.replace(few, sims=1), _Pipe())  # type: ignore[arg-type]
    msgspec.json.encode(answers)


def suite(data: bytes) -> None:
    """The TOML file of a gauntlet's suite."""
    with _file(data, ".toml") as file:
        wanted = load_suite(str(file))
        for part in PARTS:
            suite_plan(wanted, [AgentEntry(id="uct")], part)


def answer(data: bytes) -> None:
    """What an engine says on its standard output, and what a GGP player replies."""
    state = _board().initial_state()
    engine = EnginePlayer("engine", engine_agent("engine"))
    engine._process = _Said(_text(data))  # type: ignore[assignment]
    engine._game, engine._level, engine._role, engine._seed = state.game.id, None, 0, 1
    with contextlib.suppress(PaidiaError):
        engine.act(state, step=0, budget=None)
    engine._process = None
    player = RemotePlayer("ggp", AgentDefinition(summary="", world="gdl", kind="", planner={"address": "localhost:9"}))
    player._ask = lambda message, seconds: _text(data)  # type: ignore[method-assign]
    player._role = 0
    player.act(_sheet().initial_state(), step=0, budget=None)


class _Said:
    """A process that has said something, and ended."""

    pid = 2**22 + 1  # no process has this number

    def __init__(self, text: str) -> None:
        self.stdin, self.stdout = io.StringIO(), io.StringIO(text)

    def kill(self) -> None:
        pass


class _Pipe:
    """Takes answers, and has no questions."""

    def poll(self) -> bool:
        return False

    def send(self, answer: dict[str, Any]) -> None:
        msgspec.json.encode(answer)


def command(data: bytes) -> str:
    """A command line in a scratch folder with some files; nothing that serves, or that takes long because it was told to.

    Its exit code and what it says are its outcome.
    """
    try:
        words = shlex.split(_text(data).replace("\x00", " "))
    except ValueError:
        words = _text(data).replace("\x00", " ").split()
    if not words or words[0] not in QUICK:
        words = ["play", *words]
    words = [_short(word) for word in words if not re.search(r"(^|=|-o)[/~]|[.][.]", word)]
    if words[0] == "reproduce" and "--no-play" not in words:  # a table of a paper takes days
        words.append("--no-play")
    out, said, code = io.StringIO(), io.StringIO(), 0
    before = Path.cwd()
    with tempfile.TemporaryDirectory(dir=_memory()) as folder, contextlib.redirect_stdout(out), contextlib.redirect_stderr(said):
        os.environ["PAIDIA_CONFIG"] = folder
        for name, contents in _scratch().items():
            (Path(folder) / name).write_bytes(contents)
        os.chdir(folder)
        typed, sys.stdin = sys.stdin, io.StringIO()
        try:
            main(words)
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 0 if stop.code is None else 1
            if code not in (0, 1, 2):
                raise AssertionError(f"exit code {stop.code}") from None
        finally:
            sys.stdin = typed
            os.chdir(before)
    told = said.getvalue().strip().splitlines()
    if code == 2 and not told:
        raise AssertionError("exit code 2 without a reason")
    return f"exit {code} {words[0]} {plain_words(told[-1]) if told else ''}"


#: Commands that are fuzzed, and numbers in their lines that would only make them slow.
QUICK = ("agents", "check", "completion", "conform", "describe", "export", "games", "merge", "new", "perft", "play", "report",
         "reproduce", "run", "tree", "tune")  # fmt: skip


def _short(word: str) -> str:
    """Large numbers are refused or take long; those that take long are made small."""
    name, sign, number = word.rpartition("=")
    try:
        value = float(number)
    except ValueError:
        return word
    return word if not 40 < abs(value) < 1e18 else f"{name}{sign}{int(value) % 40}"


@cache
def _scratch() -> dict[str, bytes]:
    """What lies in the folder of a command."""
    plan = b'games = ["tic-tac-toe"]\nagents = ["random"]\nopponents = ["mast"]\nsims = 5\nmatches = 2\n'
    sheet = next(iter(SHEETS.values())).encode()
    return {"a.kif": sheet, "r.json": _recorded(), "p.toml": plan, "s.sqlite": _stored(), "l.txt": MEADOW.encode()}


@cache
def _board() -> Game:
    return load_as(Game, "tic-tac-toe")


@cache
def _positions() -> dict[str, Rules]:
    rules = parse_sheet(next(iter(SHEETS.values())))
    vgdl = game_from_text(MEADOW, LEVELS[0].decode())
    return {"board": load("breakthrough@4x3"), "gdl": _sheet(), "rules": interpret(rules, "fuzzed"), "vgdl": vgdl}


@cache
def _sheet() -> Game:
    return load_as(Game, "gdl:tic-tac-toe")


@contextlib.contextmanager
def _file(data: bytes, suffix: str):  # type: ignore[no-untyped-def]
    with tempfile.NamedTemporaryFile(suffix=suffix, dir=_memory()) as file:
        file.write(data)
        file.flush()
        yield Path(file.name)


@cache
def _memory() -> str | None:
    """A folder in memory, where there is one: cases would wait for the disk most of their time."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


@cache
def _folder() -> Path:
    """One folder for all cases of a process that need one."""
    folder = tempfile.mkdtemp(dir=_memory())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


TARGETS: dict[str, Callable[[bytes], str | None]] = {
    each.__name__: each
    for each in (
        sheet,
        gdl,
        vgdl,
        level,
        agent,
        plan,
        tuning,
        record,
        store,
        message,
        claims,
        ledger,
        position,
        query,
        suite,
        answer,
        command,
    )
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
    if name == "sheet":  # not the largest: a case should take milliseconds
        files = sorted((library / "gdl").glob("*.kif"))
        return [text.encode() for text in SHEETS.values()] + [file.read_bytes() for file in files if file.stat().st_size < 2_100]
    if name == "gdl":  # small ones: a case should take milliseconds
        return [text.encode() for text in SHEETS.values()]
    if name == "vgdl":
        games = [file for file in sorted((library / "vgdl").glob("*/*.txt")) if "_lvl" not in file.name]
        return [f"{g.read_text()}{LEVEL_MARK}{g.with_name(g.stem + '_lvl0.txt').read_text()}".encode() for g in games]
    if name == "level":
        return list(LEVELS)
    if name == "position":
        found = [f"{kind}:{rules.initial_state().to_text()}".encode() for kind, rules in _positions().items()]
        return [*found, f"ttt:{_board().initial_state().to_text()}".encode()]
    if name == "query":
        return [line.encode() for line in QUERIES]
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
    if name == "suite":
        return [file.read_bytes() for file in sorted((PACKAGE / "experiment" / "gauntlet" / "suites").glob("*.toml"))]
    if name == "answer":
        rows = b'{"id": "move1", "best": "a1", "simulations": 5, "moves": [{"move": "a1", "mean": 0.5}]}'
        return [b'{"id": "move1", "running": true}\n' + rows, b'{"id": "move1", "error": "no"}', b"(mark 1 1)", b"noop"]
    if name == "ledger":
        head = "game,level,agent,opponent,cell,version,signature,matches\n"
        words = "1/0:76:2.98:330144 0.5/0.5:9:0.1 @7.1 0/1:3:12!crash", "0:2000:11.4:91000s-3.5l52!tick-limit 1:7:0.5:80s4l0"
        lines = (f"g,{i},a,{'b' * (1 - i)},{'0f' * 16},1,board:1,{text}\n" for i, text in enumerate(words))
        return [(head + line).encode() for line in lines]
    if name == "claims":
        files = [
            *(ROOT / "papers").glob("*/claims.toml"),
            *(ROOT / "papers").glob("*/explained.toml"),
            *(ROOT / "papers").glob("s002/printed.csv"),
        ]
        return [file.read_bytes() for file in sorted(files)]
    return [line.encode() for line in COMMANDS]


LEVELS = (b"wwwwww\nwA..cw\nw.cg.w\nwwwwww\n", b"Ac", b"...\nA.c\ng..", b"w" * 30 + b"\nA" + b"c" * 29)

QUERIES = (
    '{"id": "a", "game": "tic-tac-toe", "moves": ["a1"], "agent": "uct", "sims": 5, "every": 0.5, "line": 3}',
    '{"id": "b", "game": "breakthrough@4x3", "agent": "grave", "sims": 4, "role": 0, "settings": {"C": 0.4, "playout": "mast"}}',
    '{"action": "stop", "id": "a"}',
    '{"action": "version", "id": 7}',
    '{"id": "c", "game": "vgdl:museum", "level": "1", "agent": "random", "sims": 3, "seed": 2}',
    '{"id": "d", "game": "tic-tac-toe", "positions": ["", "x"], "sims": 2, "time": 0.1, "moves": [["a1", "b1"]]}',
)

COMMANDS = (
    "play tic-tac-toe --agents random,random --seed 3 --json",
    "play tic-tac-toe --agents uct,grave --sims 5 --set C=0.4 --set 2:playout=mast",
    "play vgdl:museum --agents random --sims 2 --level 1",
    "play connect4@4x4 --agents random,random --time 0.01 --start-time 0",
    "play breakthrough@4x3 --record r.json --agents random,random --watch",
    "play gdl:tic-tac-toe --repeat r.json",
    "check a.kif --format",
    "perft tic-tac-toe 2 --memory 10",
    "games --add nowhere",
    "agents --json",
    "play tic-tac-toe --agents human,random",
    "run no.toml --workers 1 --quiet --json",
    "tune no.toml --workers 1 --quiet",
    "report s.sqlite",
    "export s.sqlite x.csv",
    "export --salvage s.sqlite y.sqlite",
    "merge m.sqlite s.sqlite",
    "describe a.kif",
    "new agent mine",
    "check p.toml l.txt",
    "tree tic-tac-toe --agent uct --sims 5 --turns 2 -o t.csv",
    "report no.sqlite -o out --json",
    "export no.sqlite x.csv",
    "merge a.sqlite b.sqlite",
    "reproduce s002-t1 --no-play --scale 0.1 --json",
    "conform gdl a b",
)


@cache
def _recorded() -> bytes:
    from paidia.core.budget import Budget
    from paidia.match.referee import play_match

    players = [make_player("uct"), make_player("random")]
    return play_match(load("tic-tac-toe"), players, seed=1, budget=Budget(simulations=5)).record.to_json()


def _hosted() -> bytes:
    return (b'{"matchId": "m", "moves": [["( mark 1 1 )", "noop"], ["noop", "( mark 2 2 )"]], "goalValues": [], "startClock": 1,'
            b'"playClock": 1, "playerNamesFromHost": ["a", null]}')  # fmt: skip


@cache
def _stored() -> bytes:
    small = parse_plan('games = ["tic-tac-toe"]\nagents = ["random"]\nopponents = ["mast"]\nsims = 5\nmatches = 2\n')
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "s.sqlite"
        with Store(file, write=True) as results:
            run_plan(small, results, backend=LocalBackend(1))
        return file.read_bytes()
