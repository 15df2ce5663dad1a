"""The runner: the same results whatever happens to its workers."""

import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from paidia.core.errors import BadInput, RuleError
from paidia.experiment.plan import AgentEntry, Plan, Stop
from paidia.experiment.run.local import LocalBackend
from paidia.experiment.run.runner import RunResult, run_plan
from paidia.experiment.store import Store

Played = Callable[[Path], list[tuple[object, ...]]]

PLAN = Plan(
    games=["tic-tac-toe", "breakthrough@4x3"],
    agents=["random", AgentEntry(id="uct", settings={"C": 0.6})],
    opponents=[AgentEntry(id="uct", name="base", sims=15)],
    sims=30,
    matches=30,
    seed=5,
)


def run(plan: Plan, path: Path, *, workers: int = 1, backend: LocalBackend | None = None, **options: object) -> RunResult:
    with Store(path, write=True) as store:
        return run_plan(plan, store, backend=backend or LocalBackend(workers), **options)


def test_workers_do_not_change_results(tmp_path: Path, played: Played) -> None:
    result = run(PLAN, tmp_path / "one.sqlite", workers=1)
    assert (result.played, result.done, result.target, result.reason) == (120, 120, 120, "finished")
    run(PLAN, tmp_path / "two.sqlite", workers=2)
    one, two = played(tmp_path / "one.sqlite"), played(tmp_path / "two.sqlite")
    assert one == two
    assert len(one) == 120
    seeds = {(row[0], row[1]): row[3] for row in one}
    assert all(seeds[row[0], row[1]] == row[3] for row in one)  # the seats of a pair share their seed


def test_a_second_run_only_adds_what_is_missing(tmp_path: Path, played: Played) -> None:
    path = tmp_path / "grown.sqlite"
    run(msgspec.structs.replace(PLAN, matches=10), path)
    result = run(PLAN, path)
    assert (result.played, result.done) == (80, 120)
    assert run(PLAN, path).played == 0
    run(PLAN, tmp_path / "whole.sqlite")
    assert played(path) == played(tmp_path / "whole.sqlite")


def test_time_limit_of_the_run(tmp_path: Path) -> None:
    result = run(PLAN, tmp_path / "cut.sqlite", seconds=0.0)
    assert result.reason == "out of time"
    assert result.done < result.target


def test_stopping_rule_does_not_depend_on_workers(tmp_path: Path, played: Played) -> None:
    plan = msgspec.structs.replace(PLAN, matches=400, stop=Stop(effect=0.2), agents=["random"])
    result = run(plan, tmp_path / "one.sqlite", workers=1)
    assert set(result.verdicts.values()) == {"worse"}
    run(plan, tmp_path / "two.sqlite", workers=2)
    one = played(tmp_path / "one.sqlite")
    assert one == played(tmp_path / "two.sqlite")
    assert 40 <= len(one) < 400  # random loses quickly: both cells stopped early
    assert run(plan, tmp_path / "one.sqlite").played == 0


def test_bad_agents_are_found_before_the_first_match(tmp_path: Path) -> None:
    for agent in (
        AgentEntry(id="uct", settings={"playout": "bogus"}),
        AgentEntry(id="uct", settings={"playout.x": 1}),
    ):
        plan = msgspec.structs.replace(PLAN, agents=[agent])
        with pytest.raises(RuleError, match="agent uct"):
            run(plan, tmp_path / "bad.sqlite")
    with pytest.raises(RuleError, match="needs a budget"):
        run(msgspec.structs.replace(PLAN, sims=[], agents=["uct"]), tmp_path / "bad.sqlite")


def test_one_writer(tmp_path: Path) -> None:
    with Store(tmp_path / "s.sqlite", write=True), pytest.raises(BadInput, match="another run"):
        Store(tmp_path / "s.sqlite", write=True)
    Store(tmp_path / "s.sqlite", write=True).close()


FAULTY = """
    import os, time
    from pathlib import Path
    from paidia.experiment.play import play as real

    BAD = (3, 1)        # pair and seat of the match that goes wrong

    def play(cell, pair, seat):
        if (pair, seat) == BAD and not Path({flag!r}).exists():
            {once}
            {fault}
        return real(cell, pair, seat)
"""


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("os._exit(7)", "exit code 7"),
        ("time.sleep(60)", "match_limit"),
        ("raise ValueError('no luck')", "no luck"),
    ],
)
@pytest.mark.parametrize("forever", [False, True])
def test_workers_that_die_hang_or_fail(
    fault: str, reason: str, forever: bool, tmp_path: Path, played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match that goes wrong once is repeated; one that always does is recorded as failed, and no other."""
    flag = tmp_path / "flag"
    once = "pass" if forever else f"Path({str(flag)!r}).touch()"
    name = f"faulty_{abs(hash((fault, forever)))}"
    source = textwrap.dedent(FAULTY).format(flag=str(flag), once=once, fault=fault)
    (tmp_path / f"{name}.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    faulty = __import__(name).play
    plan = msgspec.structs.replace(PLAN, games=["tic-tac-toe"], agents=["random"], match_limit=1.0, retries=1)
    result = run(plan, tmp_path / "faulty.sqlite", backend=LocalBackend(2, play=faulty))
    run(plan, tmp_path / "whole.sqlite")
    whole, rows = played(tmp_path / "whole.sqlite"), played(tmp_path / "faulty.sqlite")
    assert result.done == len(rows) == len(whole) == 30
    if not forever:
        assert rows == whole
        return
    assert result.failed == 1
    assert [row for row in rows if row[1:3] != (3, 1)] == [row for row in whole if row[1:3] != (3, 1)]
    (bad,) = [row for row in rows if row[1:3] == (3, 1)]
    assert bad[5] is None
    assert bad[9] == "failed"
    assert reason in str(bad[11])


def test_a_players_file_beside_the_plan_plays_in_its_own_process(tmp_path: Path, played: Played) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "import os\nfrom paidia import Decision, Player\n"
        "class Gone(Player):\n    name = 'gone'\n    def act(self, state, *, step, budget):\n        os._exit(0)\n"
    )
    plan = Plan(games=["tic-tac-toe"], agents=["mine.py:Gone"], opponents=["random"], matches=2)
    result = run(plan, tmp_path / "s.sqlite", folder=tmp_path)
    assert (result.done, result.failed) == (2, 0)
    rows = played(tmp_path / "s.sqlite")
    assert [row[9] for row in rows] == ["crash", "crash"] and [row[5] for row in rows] == [0.0, 0.0]
    keys = {row[0] for row in rows}
    file.write_text(file.read_text() + "# another version\n")
    run(plan, tmp_path / "s.sqlite", folder=tmp_path)
    assert len({row[0] for row in played(tmp_path / "s.sqlite")} - keys) == 1


def test_a_script_without_a_guard_is_not_run_again_by_the_workers(tmp_path: Path) -> None:
    plan = 'name = "p"\ngames = ["tic-tac-toe"]\nagents = ["uct"]\nopponents = ["random"]\nmatches = 4\nsims = 5\n'
    (tmp_path / "p.toml").write_text(plan)
    (tmp_path / "script.py").write_text(
        "from paidia.cli.main import main\n"
        "open('times', 'a').write('once ')\n"
        "main(['run', 'p.toml', '--workers', '2', '--quiet', '--store', 'p.sqlite'])\n"
        "assert __file__.endswith('script.py')\n"
    )
    done = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "4 of 4 matches" in done.stdout and (tmp_path / "times").read_text() == "once "
