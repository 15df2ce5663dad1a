"""Where the games of a plan are, and what a cell's key is made of."""

from pathlib import Path

import pytest

from paidia.core.errors import RuleError, UnknownName
from paidia.experiment import play
from paidia.experiment.expand import expand
from paidia.experiment.plan import Plan
from paidia.games import find, load
from paidia.games.vgdl.library import LIBRARY
from paidia.games.vgdl.views.looks import looks_of
from paidia.report.papers.printed import tables

PAPERS = Path(__file__).parents[2] / "papers"


def clone(folder: Path, name: str = "camelRace", source: str = "petri") -> Path:
    """A folder of games as a user may have one; its rules are those of a game of ours."""
    folder.mkdir(parents=True)
    (folder / f"{name}.txt").write_bytes((LIBRARY / source / f"{source}.txt").read_bytes())
    for level in range(2):
        (folder / f"{name}_lvl{level}.txt").write_bytes((LIBRARY / source / f"{source}_lvl{level}.txt").read_bytes())
    return folder


def test_ids_files_and_collections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAIDIA_REFERENCE", str(tmp_path / "clone"))
    monkeypatch.setenv("PAIDIA_CONFIG", str(tmp_path / "config"))
    folder = clone(tmp_path / "clone" / "examples" / "gridphysics")
    for name in ("vgdl:petri", "petri"):
        assert (find(name, folder=tmp_path).spec, find(name).path) == ("vgdl:petri", None)
    assert (find("connect4", folder=tmp_path).spec, find("connect4").path) == ("connect4", None)
    found = find("vgdl:camelrace", folder=tmp_path)  # the paper's spelling; the framework's has a capital
    assert (found.spec, found.path) == ("vgdl:camelrace", folder / "camelRace.txt")
    assert find("camelRace").spec == "vgdl:camelRace"
    assert found.levels() == ["0", "1"]
    assert find("clone/examples/gridphysics/camelRace.txt", folder=tmp_path).path == folder / "camelRace.txt"
    assert load("vgdl:camelrace", level="1").initial_state().draw() == load("vgdl:petri", level="1").initial_state().draw()
    assert looks_of(load("vgdl:camelrace")) == looks_of(load(str(folder / "camelRace.txt"))) == looks_of(load("vgdl:petri"))
    for name in ("vgdl:nowhere", "vgdl:../examples/gridphysics/camelRace"):
        with pytest.raises(UnknownName, match=r"paidia games --add DIR.*PAIDIA_REFERENCE"):
            find(name, folder=tmp_path)


def test_a_game_that_is_not_ours_counts_by_its_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAIDIA_CONFIG", str(tmp_path / "config"))

    def keys(folder: Path) -> list[str]:
        monkeypatch.setenv("PAIDIA_REFERENCE", str(folder))
        play._game.cache_clear()
        return [cell.key for cell in expand(Plan(games=["vgdl:camelrace"], agents=["random"]))]

    first = keys(clone(tmp_path / "one"))
    assert len(set(first)) == 2  # both levels, without being asked for
    assert keys(clone(tmp_path / "two")) == first  # another place, the same game
    other = clone(tmp_path / "three")
    (other / "camelRace_lvl1.txt").write_bytes((LIBRARY / "petri" / "petri_lvl2.txt").read_bytes())
    third = keys(other)
    assert third[0] == first[0] and third[1] != first[1]
    (other / "camelRace.txt").write_text((other / "camelRace.txt").read_text() + "# new\n")
    assert keys(other)[0] != first[0]


def test_levels_may_be_files_beside_the_plan(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_bytes((LIBRARY / "petri" / "petri_lvl3.txt").read_bytes())
    plan = Plan(games=["vgdl:petri"], levels=["3", "mine.txt"], agents=["random"])
    three, mine = expand(plan, folder=tmp_path)
    assert (three.level, mine.level) == ("3", str(tmp_path / "mine.txt"))
    with pytest.raises(RuleError, match=r"games: vgdl:petri: .*no level 7"):
        expand(Plan(games=["vgdl:petri"], levels=["7"], agents=["random"]))


def test_a_missing_game_is_named_with_file_and_key() -> None:
    with pytest.raises(RuleError, match=r"^plan.toml: games: vgdl:no-such: .*paidia games --add DIR"):
        expand(Plan(games=["vgdl:no-such"], agents=["random"]), file="plan.toml")


@pytest.mark.parametrize(("paper", "number"), [("s001", 60), ("s003", 20)])
def test_all_games_of_the_papers_are_found(paper: str, number: int, reference: Path) -> None:
    if not (reference / "gvgai" / "games").is_dir():
        pytest.skip("the reference games are not there")
    ids = set()
    for plan in [table.plan for table in tables(PAPERS) if table.file.parent.name == paper]:
        ids |= {game if isinstance(game, str) else game.id for game in plan.games}
        assert not plan.games or plan.levels == ["0", "1", "2", "3", "4"]
    assert len(ids) == number
    for id in sorted(ids):
        rules = find(id, folder=PAPERS)
        assert rules.levels() == ["0", "1", "2", "3", "4"], id
        for level in rules.levels():
            assert rules.load(level).max_ticks == 2000
