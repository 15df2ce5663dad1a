"""Games, strategies, tuners and players that are no part of paidia: in files, and in installed packages."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import paidia
from paidia.cli.main import main
from paidia.core.errors import BadInput, PaidiaError
from paidia.core.loading.plugins import absolute, is_place, load_place

EXAMPLES = Path(__file__).parents[2] / "examples"

STRATEGY = """
import paidia

class Forward(paidia.PythonPlayout):
    def pick(self, state, role, moves, random):
        return len(moves) - 1
"""

GAME = """
import paidia

class Take(paidia.PythonGame):
    \"\"\"Take one or two of seven.\"\"\"
    def __init__(self):
        super().__init__("take", ["a", "b"], 2)
    def initial_state(self):
        return TakeState(self)

class TakeState(paidia.PythonState):
    def __init__(self, game):
        self.left, self.turn = 7, 0
    def to_move(self):
        return self.turn
    def legal_moves(self, role):
        return list(range(min(2, self.left))) if role == self.turn else []
    def apply(self, joint):
        self.left -= joint[self.turn] + 1
        self.turn = 1 - self.turn
    def is_terminal(self):
        return self.left <= 0
    def goal_values(self):
        return [0.5, 0.5] if self.left > 0 else [float(self.turn == 1), float(self.turn == 0)]
    def assign(self, other):
        self.left, self.turn = other.left, other.turn
    def hash_key(self):
        return self.left, self.turn
"""

PLAYER = """
from paidia.core.player import Decision
from paidia.players.agent_player import AgentPlayer

class Last(AgentPlayer):
    def begin(self, game, role, *, state, seed, budget):
        self.role = role
    def act(self, state, *, step, budget):
        moves = state.legal(self.role)
        return Decision(moves[-1] if moves else None)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "my_file.py").write_text(STRATEGY)
    (tmp_path / "my_game.py").write_text(GAME)
    (tmp_path / "my_player.py").write_text(PLAYER)
    (tmp_path / "my_agent.toml").write_text('summary = "mine"\nbase = "uct"\n[search]\nplayout = "my_file.py:Forward"\n')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_command_line_plays_a_game_from_a_file_with_an_agent_from_a_file(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["play", "my_game.py", "--agents", "grave,my_agent.toml", "--sims", "30"])
    main(["play", "my_game.py:Take", "--agents", "my_player.py:Last,uct", "--sims", "30"])
    main(["play", "my_game.py", "--agents", "uct,uct", "--sims", "30", "--set", "1:playout=my_file.py:Forward"])
    assert "Last" in capsys.readouterr().out


def test_a_path_in_an_agent_is_meant_from_its_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")
    agent = paidia.agent(str(folder / "my_agent.toml"))
    assert agent.definition.search.playout == f"{folder}/my_file.py:Forward"
    assert sum(paidia.play(str(folder / "my_game.py"), [agent, "random"], sims=20).goals) == 1


@pytest.mark.parametrize("workers", [1, 2])
def test_workers_of_a_plan_find_files(folder: Path, workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "plan.toml").write_text(
        'games = ["my_game.py", "breakthrough@5x4"]\nagents = ["my_agent.toml"]\nmatches = 4\nsims = 10\nseed = 1\n'
        'opponents = [{ id = "uct", name = "mine", settings = { playout = "my_file.py:Forward" } }]\n'
    )
    monkeypatch.chdir("/")
    rows = paidia.report(paidia.run(folder / "plan.toml", workers=workers))
    assert len(rows) == 2 and all(row["n"] == 4 for row in rows)


def test_a_game_from_a_file_is_known_by_its_path_and_pickled_by_it(folder: Path) -> None:
    game = paidia.load("my_game.py")
    assert game.id == "my_game.py"
    state = game.initial_state()
    state.play(1)
    code = "import pickle, sys; print(repr(pickle.loads(sys.stdin.buffer.read())))"
    told = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(state), capture_output=True, cwd="/", check=True)
    assert b"{'left': 5, 'turn': 1}" in told.stdout


def test_examples_are_found_as_well() -> None:
    assert sum(paidia.play(str(EXAMPLES / "own_game.py"), ["uct", "random"], sims=30).goals) == 1
    game = paidia.load(str(EXAMPLES / "own_video_game.py"))
    assert paidia.play(game, "one-step", sims=10, max_steps=20).goals


def test_places() -> None:
    assert is_place("a/b.py") and is_place("my.module:Thing") and not is_place("gdl:tron") and not is_place("uct")
    assert absolute("uct", Path("/")) == "uct"
    assert load_place("paidia.core.budget:Budget") is paidia.Budget


@pytest.mark.parametrize(
    ("text", "place", "told"),
    [
        ("x = (", "broken.py:X", r"broken\.py:1"),
        ("\n\n1 / 0\n", "broken.py:X", r"broken\.py:3: ZeroDivisionError"),
        ("Forwart = 1", "broken.py:Forward", "did you mean 'Forwart'"),
        (None, "missing.py:X", "cannot read"),
        ("X = 3", "paidia.nothing:X", "No module"),
    ],
)
def test_mistakes_name_file_and_line(folder: Path, text: str | None, place: str, told: str) -> None:
    if text is not None:
        (folder / "broken.py").write_text(text)
    with pytest.raises(BadInput, match=told):
        load_place(place)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: paidia.load("my_file.py"), "no game in it"),
        (lambda: paidia.load("my_file.py:Forward"), "is no game|without arguments"),
        (lambda: paidia.load("my_game.py", level=1), "no levels"),
        (lambda: paidia.agent("uct", playout="my_game.py:Take").player(), "is no playout strategy"),
        (lambda: paidia.play("tic-tac-toe", ["my_game.py:Take", "random"]), "no subclass of paidia.Player"),
        (lambda: paidia.agent("uct", **{"control.kind": "my_game.py:Take"}).player(), "is no controller"),
    ],
)
def test_a_thing_of_another_kind_is_refused(folder: Path, call: object, told: str) -> None:
    with pytest.raises(PaidiaError, match=told):
        call()  # type: ignore[operator]


def test_installed_packages_announce_theirs(folder: Path) -> None:
    """A package with entry points of all five groups, in a process that has it on its path."""
    package = folder / "site" / "their_package"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "games.py").write_text(GAME)
    (package / "strategies.py").write_text(STRATEGY + "\npaidia.PLAYOUTS.register('theirs')(Forward)\n")
    (package / "players.py").write_text(PLAYER + "\nfrom paidia.players.registry import KINDS\nKINDS.register('last')(Last)\n")
    (package / "tuners.py").write_text("raise RuntimeError('broken on purpose')\n")
    (package / "worlds.py").write_text(
        "from paidia.games.python.world import PythonWorld\nclass Theirs(PythonWorld):\n    name = 'theirs'\nWORLD = Theirs()\n"
    )
    info = folder / "site" / "their_package-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: their-package\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[paidia.games]\ntake = their_package.games:Take\n[paidia.strategies]\nforward = their_package.strategies\n"
        "[paidia.players]\nlast = their_package.players\n[paidia.tuners]\nbroken = their_package.tuners\n"
        "[paidia.worlds]\ntheirs = their_package.worlds:WORLD\n"
    )
    (folder / "last.toml").write_text('summary = "last"\nkind = "last"\n')
    code = (
        "import sys; sys.path.insert(0, 'site')\n"
        "import paidia, pickle\n"
        "from paidia.games import catalogue, worlds\n"
        "from paidia.control import CONTROLLERS\n"
        "print(sum(paidia.play('python:take', [paidia.agent('uct', playout='theirs'), 'last.toml'], sims=20).goals))\n"
        "print([g.id for g in catalogue() if g.world == 'python'], 'theirs' in worlds(), 'ntbea' in CONTROLLERS)\n"
        "state = paidia.load('python:take').initial_state()\n"
        "print(pickle.loads(pickle.dumps(state)) == state)\n"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=folder)
    assert told.returncode == 0, told.stderr
    assert told.stdout.split("\n")[:3] == ["1.0", "['python:take'] True True", "True"]
    assert "plug-in broken of package their-package does not load: RuntimeError" in told.stderr


@pytest.mark.parametrize("kind", ["game", "strategy", "tuner", "agent"])
def test_what_new_writes_passes_its_own_test(kind: str, tmp_path: Path) -> None:
    main(["new", kind, "my-own", "--folder", str(tmp_path)])
    with pytest.raises(SystemExit, match="2"):
        main(["new", kind, "my-own", "--folder", str(tmp_path)])
    run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), str(tmp_path)]
    told = subprocess.run(run, capture_output=True, text=True, cwd=tmp_path)
    assert told.returncode == 0, told.stdout
    for style in (["check", "--line-length", "130"], ["format", "--check", "--line-length", "130"]):
        told = subprocess.run([sys.executable, "-m", "ruff", *style, str(tmp_path)], capture_output=True, text=True, cwd=tmp_path)
        assert told.returncode == 0, told.stdout


@pytest.mark.parametrize("name", ["Caps", "../up", "class", ""])
def test_new_refuses_names_that_are_none(name: str, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["new", "game", name, "--folder", str(tmp_path)])
    assert list(tmp_path.iterdir()) == []


def test_a_changed_strategy_is_another_agent_in_the_store(tmp_path: Path) -> None:
    from paidia.experiment.expand import expand
    from paidia.experiment.plan import load_plan
    from paidia.experiment.store.store import Store

    (tmp_path / "mine.py").write_text(STRATEGY)
    (tmp_path / "mine.toml").write_text('summary = "x"\nbase = "uct"\n[search]\nplayout = "mine.py:Forward"\n')
    (tmp_path / "plan.toml").write_text(
        'games = ["tic-tac-toe"]\nagents = ["mine.toml"]\nopponents = ["uct"]\nsims = 5\nmatches = 2\n'
    )

    def keys() -> list[str]:
        with Store(tmp_path / "plan.sqlite", write=True) as store:
            cells = expand(load_plan(tmp_path / "plan.toml"), folder=tmp_path, file="plan.toml")
            for cell in cells:
                store.open_cell(cell, plan="plan")
            store.db.commit()
        return [cell.key for cell in cells]

    first, again = keys(), keys()
    (tmp_path / "mine.py").write_text(STRATEGY.replace("len(moves) - 1", "0"))
    other = keys()
    assert first == again != other
    with Store(tmp_path / "plan.sqlite") as store:
        assert store.db.execute("SELECT COUNT(*) FROM agent").fetchone() == (3,)  # uct, and mine twice
