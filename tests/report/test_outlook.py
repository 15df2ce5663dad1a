"""What would decide a claim, in words: from measured numbers and kept matches alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from paidia.report.papers.claims import Told, decide, errors, load_claims
from paidia.report.papers.pages import Paper, read_papers
from paidia.report.papers.printed import tables

PLAN = """
name = "s9-t1"
games = ["tic-tac-toe", "hex@3"]
agents = [{ id = "uct", name = "UCT" }, { id = "mast", name = "MAST" }]
opponents = [{ id = "random", name = "RANDOM" }]
sims = 4
matches = 500
seed = 1

[paper]
table = "s9-t1"
title = "two small games"
paper = "nobody's"
settings = "4 simulations"
"""

CLAIM = '[[claim]]\ntable = "s9-t1"\ntext = "{text}"\nleft = "{left} v RANDOM"\nis = ">"\nright = {right}\ngame = "{game}"\n'

#: Two matches of 30 and 42 seconds, one of each seat.
LEDGER = """\
game,level,agent,opponent,cell,version,signature,matches
hex@3,,UCT,RANDOM,00000000000000000000000000000001,0.2.0,board:1,1/0:9:30:40 0/1:9:42:40
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "papers" / "s9"
    folder.mkdir(parents=True)
    (folder / "t1.toml").write_text(PLAN)
    printed, measured = "table,metric,game,agent,opponent,value,interval,runs\n", ""
    for agent, value, ours in (("UCT", 80.0, 60.0), ("MAST", 76.0, 59.9)):
        for game in ("tic-tac-toe", "hex@3", "average"):
            printed += f"s9-t1,win_pct,{game},{agent},RANDOM,{value},,500\n"
            n = 80 if game == "average" else 40
            measured += f"s9-t1,win_pct,{game},{agent},RANDOM,{ours},,{n},{2 * n if game == 'average' else ''},\n"
    (folder / "printed.csv").write_text(printed)
    (folder / "measured.csv").write_text("table,metric,game,agent,opponent,ours,half,matches,worth,note\n" + measured)
    return folder


def paper_with(folder: Path, *claims: str) -> Paper:
    (folder / "claims.toml").write_text("".join(claims))
    (paper,) = read_papers(tables(folder.parent))
    return paper


def least(folder: Path, told: Told, right: Told, *, games: int = 1, claims: int = 1, stated: float = 0.0) -> int:
    """Matches of each side that decide the first claim, tried one by one."""
    claim = load_claims(folder)[0]

    def grown(side: Told, n: int) -> Told:
        return Told(side.mean, n if side.n else 0, gain=side.gain)

    error = errors(claims, games)
    return next(n for n in range(1, 9_999) if decide(claim, grown(told, n), grown(right, n), error, stated) != "undecided")


def test_matches_and_time_that_decide(folder: Path) -> None:
    one = CLAIM.format(text="a", left="UCT", right=50.0, game="hex@3")
    (without,) = paper_with(folder, one).outlooks
    more = least(folder, Told(60.0, 40), Told(50.0, 0)) - 40
    assert without == f"it takes about {more} more matches"
    (folder / "matches.csv").write_text(LEDGER)
    (paced,) = paper_with(folder, one).outlooks
    assert paced == f"it takes about {more} more matches, {more * 36 / 60:.0f} minutes of one core"


def test_an_average_needs_what_its_matches_are_worth(folder: Path) -> None:
    (told,) = paper_with(folder, CLAIM.format(text="a", left="UCT", right=57.0, game="average")).outlooks
    more = least(folder, Told(60.0, 80, gain=2.0), Told(57.0, 0)) - 80
    assert told == f"it takes about {round(more, 2 - len(str(more)))} more matches"


def test_what_would_take_too_long_is_compared_with_the_paper(folder: Path) -> None:
    two = CLAIM.format(text="a", left="UCT", right='"MAST v RANDOM"', game="average")
    (told,) = paper_with(folder, two).outlooks
    more = 2 * (least(folder, Told(80.0, 80, gain=2.0), Told(76.0, 80, gain=2.0)) - 80)
    close = "ours are 0.1 points apart, which takes more than 100,000 matches of a side or 100 hours of one core"
    assert told == f"{close}; the paper's 4.0 would take about {round(more, 2 - len(str(more)))} more matches"
    printed = folder / "printed.csv"
    printed.write_text(printed.read_text().replace(",76.0,", ",40.0,"))
    assert paper_with(folder, two + "margin = 50.0\n").outlooks == [f"{close}; the paper's 40.0 would show by now"]


def test_matches_that_show_that_a_difference_of_the_paper_is_none(folder: Path) -> None:
    """40 points in the paper, 0.1 here: what decides is that they are certainly less than the 4 that matter."""
    two = CLAIM.format(text="a", left="UCT", right='"MAST v RANDOM"', game="average")
    printed = folder / "printed.csv"
    printed.write_text(printed.read_text().replace(",76.0,", ",40.0,"))
    (told,) = paper_with(folder, two).outlooks
    sides = (Told(60.0, 80, gain=2.0), Told(59.9, 80, gain=2.0))
    more = 2 * (least(folder, *sides, stated=40.0) - 80)
    assert told == f"it takes about {round(more, 2 - len(str(more)))} more matches"


def test_each_game_and_what_is_decided(folder: Path) -> None:
    each = CLAIM.format(text="a", left="UCT", right=50.0, game="each")
    sure = CLAIM.format(text="b", left="UCT", right=20.0, game="average")
    paper = paper_with(folder, each, sure)
    assert [ours.verdict for ours, _ in paper.claims] == ["undecided", "holds"]
    more = 2 * (least(folder, Told(60.0, 40), Told(50.0, 0), games=2) - 40)
    assert paper.outlooks == [f"it takes about {round(more, 2 - len(str(more)))} more matches", ""]


def test_an_average_without_some_games_has_no_outlook(folder: Path) -> None:
    rows = (folder / "measured.csv").read_text().splitlines()
    partial = [row + "partial" if ",average,UCT" in row else row for row in rows]
    (folder / "measured.csv").write_text("\n".join(partial) + "\n")
    paper = paper_with(folder, CLAIM.format(text="a", left="UCT", right=55.0, game="average"))
    assert paper.claims[0][0].reason.startswith("not all games") and paper.outlooks == [""]
