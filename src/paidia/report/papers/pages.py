"""The pages about the papers, in Markdown: one for each paper, and one that counts them all.

Everything follows from files beside the papers' plans: printed numbers, what was measured (`measured.py`), claims and what would
decide them (`outlook.py`), facts, figures (`figures.py`), and `NOTES.md`, where people say what differs and why.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from paidia.core.errors import BadInput
from paidia.core.files import write_text
from paidia.report.estimates import MINIMUM, from_to
from paidia.report.papers.claims import Judged, column_of
from paidia.report.papers.compare import MOST_USED, RATES, Comparison
from paidia.report.papers.explained import Told, load_explained, told_of
from paidia.report.papers.facts import Fact, facts_of
from paidia.report.papers.figures import Drawn, draw_figures
from paidia.report.papers.measured import Run, measured_claims, measured_numbers, measured_runs
from paidia.report.papers.outlook import outlooks
from paidia.report.papers.printed import Table, table_order
from paidia.report.papers.verdicts import FEWEST

__all__ = ["Paper", "count_numbers", "read_papers", "summary_lines", "verdict_kind", "write_pages"]

#: Between ours and the paper's number, by verdict.
SIGNS = {"agree": "=", "same": "=", "disagree": "≠", "other": "≠", "partial": "~", "other budget": "·"}

#: What is counted, in this order.
KINDS = ("agree", "disagree", "undecided", "not run", "rate", "fact")
CLAIM_KINDS = ("holds", "does not hold", "undecided", "not run")

#: Numbers of a table that are named one by one.
FEW = 12

_READING = f"""\
A cell reads "ours **=** the paper's": ours with its 95 % interval from-to (Wilson's, of scores Student's; none below
{MINIMUM} matches), the paper's as it prints it, **±**. The sign between them is a verdict about the table as a whole
(`report/papers/verdicts.py`): **=** the difference lies inside the margin, which is 10 points for a game, 4 for an average over
games and a fifth of a mean score (two one-sided tests of 5 %); **≠** there is a difference, by a test with a chance of 5 %
of any false alarm in the whole table (Holm); **?** undecided. Nothing is said about fewer than {FEWEST} matches. An average
over games that have not all been played is **~** partial and counts as undecided; cells with another budget than the paper's get
no verdict (**·**). A rate depends on the machine and gets no verdict. The papers' sentences are tested in the same way, with a
chance of 5 % of a false word for all sentences of a paper (Holm again); "no proof" stands where the paper's own numbers do not
decide a sentence by this test. That one wins more does not hold where it certainly wins less, nor where the paper's difference
is more than the margin and ours certainly less. A sentence that is undecided says how many more matches it takes, if our shares
stay as they are (below {FEWEST} matches: if they are the paper's), and how long these take at the pace of those that were kept.
Facts (sets of values, weights, kinds of games) are the **same** in paidia or **other**.

In an average every game counts alike, one with few matches as much as one with many, and so does every level and assignment of
roles of a game. The interval has the spread inside of these alone (inside games, where that tells more: with a match or two of
each): that games, levels and seats differ from each other is no error of an average over just these. The papers take all matches
for one sample, which is wider; it is one reason why a sentence may be "no proof" on their numbers. How many matches were played
was at times chosen after a look at what there was so far (`--until-decided` does so by its nature), which the tests do not
correct for.

The tables have 5,938 places for a number: 22 of table 10 of 004 repeat others, 6 cannot be read in our copies, and the 12 of
table 4.2 of 001, which is about programs of others, are counted here beside them."""

_WRITING = """\
`paidia reproduce TABLE --save` measures a table and keeps it in `papers/*/measured.csv`; `make docs` writes these pages and their
figures from such files, `paidia reproduce --pages DIR` writes them anywhere. How to go on with a table, or with one cell of it,
stands below it."""


class Paper(msgspec.Struct, frozen=True):
    """What is known about one paper.

    Attributes:
        id: Name of its folder.
        tables: Its tables.
        numbers: By table, all printed numbers with ours.
        runs: By table, how it was measured.
        claims: Its sentences on our numbers, and on its own.
        outlooks: For each of these what would decide it, if it is undecided.
        facts: What it states without playing.
        told: Its numbers that disagree with ours, and which of them an experiment explains.
    """

    id: str
    tables: list[Table]
    numbers: dict[str, list[Comparison]]
    runs: dict[str, Run]
    claims: list[tuple[Judged, Judged]]
    outlooks: list[str]
    facts: list[Fact]
    told: Told

    @property
    def name(self) -> str:
        """Authors, year and title."""
        return re.sub(r", (table|figure|section|chapter) [\w.]+$", "", self.tables[0].paper.paper)

    @property
    def folder(self) -> Path:
        """Where its files are."""
        return self.tables[0].file.parent

    def counts(self) -> Counter[str]:
        """How many of its numbers have which kind of verdict."""
        return count_numbers([each for own in self.numbers.values() for each in own], self.facts)

    def claim_counts(self) -> Counter[str]:
        """How many of its claims have which verdict."""
        return Counter(ours.verdict for ours, _ in self.claims)


def read_papers(tables: Sequence[Table]) -> list[Paper]:
    """All papers of a folder, with what has been measured."""
    folders: dict[Path, list[Table]] = {}
    for table in tables:
        folders.setdefault(table.file.parent, []).append(table)
    found = []
    for folder, own in folders.items():
        numbers = measured_numbers(own)
        claims = measured_claims(own, numbers)
        needs = outlooks(own, numbers, [ours for ours, _ in claims])
        differing = [each for table in numbers.values() for each in table if verdict_kind(each) == "disagree"]
        told = told_of(load_explained(folder, [table.id for table in own]), differing)
        found.append(Paper(folder.name, own, numbers, measured_runs(folder), claims, needs, facts_of(folder), told))
    return found


def verdict_kind(each: Comparison) -> str:
    """One of the kinds that are counted."""
    if each.printed.metric in RATES:
        return "rate"
    same = {"same": "agree", "other": "disagree", "partial": "undecided", "other budget": "not run"}
    return same.get(each.verdict, each.verdict)


def count_numbers(comparisons: Iterable[Comparison], facts: Sequence[Fact] = ()) -> Counter[str]:
    """How many numbers have which kind of verdict."""
    return Counter(map(verdict_kind, comparisons)) + Counter(fact=len(facts))


def summary_lines(papers: Sequence[Paper]) -> str:
    """The counts over all papers, in a few sentences."""
    counts = sum((paper.counts() for paper in papers), Counter[str]())
    claims = sum((paper.claim_counts() for paper in papers), Counter[str]())
    facts = Counter(fact.verdict for paper in papers for fact in paper.facts)
    tables = [own for paper in papers for own in paper.numbers.values() if any(verdict_kind(each) != "rate" for each in own)]
    played = sum(any(verdict_kind(each) in ("agree", "disagree", "undecided") for each in own) for own in tables)
    explained = sum(paper.told.explained for paper in papers)
    return (
        f"The {len(papers)} papers print {counts.total():,} numbers. Ours agree with {counts['agree']:,} of them and disagree"
        f" with {counts['disagree']:,}{f', {explained:,} of which an experiment explains' if explained else ''};"
        f" {counts['undecided']:,} are undecided, {counts['not run']:,} not run;"
        f" {counts['rate']:,} are speeds of other machines and {counts['fact']:,} facts, of which {facts['same']} are the same in"
        f" paidia, {facts['other']} other and {facts['not compared']} not compared. {played} of the {len(tables)} tables with"
        f" results have been played. Of {claims.total()} claims {claims['holds']} hold, {claims['does not hold']} do not hold,"
        f" {claims['undecided']} are undecided and {claims['not run']} not run."
    )


def write_pages(tables: Sequence[Table], folder: Path) -> list[Paper]:
    """Write `results.md`, a page for each paper in `results/` and their figures in `images/results/`.

    Args:
        tables: The tables of the papers.
        folder: Where to; made if it is not there.
    """
    papers = read_papers(tables)
    try:
        (folder / "results").mkdir(parents=True, exist_ok=True)
        for paper in papers:
            figures = draw_figures(paper.folder, folder / "images" / "results")
            write_text(folder / "results" / f"{paper.id}.md", _page(paper, figures))
        write_text(folder / "results.md", _index(papers))
    except OSError as error:
        raise BadInput(f"cannot write the pages: {error}") from None
    return papers


def _index(papers: Sequence[Paper]) -> str:
    head = _rows(["paper", *KINDS, *(f"claims: {kind}" for kind in CLAIM_KINDS)])
    lines = []
    for paper in papers:
        counts, claims = paper.counts(), paper.claim_counts()
        told = [*(counts[kind] for kind in KINDS), *(claims[kind] for kind in CLAIM_KINDS)]
        lines.append(_line([f"[{paper.name}](results/{paper.id}.md)", *map(str, told)]))
    tables = [_line(["table", "what", "budget of a move", "numbers"]), "| --- | --- | --- | --- |"]
    for paper in papers:
        for table in paper.tables:
            run = paper.runs.get(table.id)
            tables.append(_line([_link(paper, table), table.paper.title, run.budget if run else "", _counted(paper, table)]))
    parts = [
        "# Results: the papers' tables, and ours beside them",
        summary_lines(papers),
        "\n".join([*head, *lines]),
        "## How to read them",
        _READING,
        _WRITING,
        "## All tables",
        "\n".join(tables),
    ]
    return "\n\n".join(parts) + "\n"


def _link(paper: Paper, table: Table) -> str:
    return f"[{table.id}](results/{paper.id}.md#{_anchor(table)})"


def _anchor(table: Table) -> str:
    return table.id.replace(".", "-")


def _counted(paper: Paper, table: Table) -> str:
    """The kinds of verdicts of a table, in words."""
    counts = count_numbers(paper.numbers[table.id], [fact for fact in paper.facts if fact.table == table.id])
    if not counts:
        return "a figure"
    return ", ".join(f"{kind}: {counts[kind]}" for kind in KINDS if counts[kind])


def _page(paper: Paper, figures: Sequence[Drawn]) -> str:
    """The page of a paper: claims, tables, figures, what differs."""
    counts = paper.counts()
    told = ", ".join(f"{kind}: {counts[kind]:,}" for kind in KINDS if counts[kind])
    contents = "[Claims](#claims) · [tables](#tables) · [figures](#figures) · [what differs, and why](#what-differs-and-why)"
    parts = [
        f"# {paper.name}",
        f"Printed numbers: {counts.total():,} ({told}). {contents} · [how to read this](../results.md#how-to-read-them)",
        "## Claims",
        *_claims(paper),
        "## Tables",
    ]
    for table in sorted(paper.tables, key=lambda table: (not _numbers(paper, table), table_order(table.id))):
        parts += _section(paper, table)
    parts += ["## Figures", *(_figure(figure) for figure in figures)]
    if not figures:
        parts.append("The paper has no figure that shows data.")
    parts += ["## What differs, and why", *_differing(paper), _notes(paper.folder)]
    return "\n\n".join(parts) + "\n"


def _numbers(paper: Paper, table: Table) -> bool:
    """Whether a table has any, and is not a figure alone."""
    return bool(paper.numbers[table.id]) or any(fact.table == table.id for fact in paper.facts)


def _figure(figure: Drawn) -> str:
    if not figure.files:
        return f"**{figure.title}** Not yet run: `{figure.command}`."
    shown = "\n".join(f"![{figure.title}](../images/results/{name})" for name in figure.files)
    return f"**{figure.title}** {figure.note}\n\n{shown}\n\nMade by `{figure.command}`, then `make docs`."


def _differing(paper: Paper) -> list[str]:
    """The numbers that disagree: how many of them each explanation speaks of, and the others one by one."""
    told = paper.told
    if not told.by and not told.others:
        return []
    lines = [_line(["numbers", "where", "why, by experiment", "experiment"]), "| ---: | --- | --- | --- |"]
    for entry, own in told.by:
        tables = ", ".join(dict.fromkeys(each.printed.table for each in own))
        games = ", ".join(dict.fromkeys(_plain(each.printed.game) for each in own)) if entry.games else ""
        lines.append(_line([str(len(own)), f"{tables}{f': {games}' if games else ''}", entry.why, f"`{entry.experiment}`"]))
    others: dict[str, list[Comparison]] = {}
    for each in told.others:
        others.setdefault(each.printed.table, []).append(each)
    left = "; ".join(_unexplained(table, own) for table, own in others.items())
    total = told.explained + len(told.others)
    head = f"{total} of these numbers disagree; an experiment explains {told.explained} of them."
    rest = [f"No experiment explains the other {len(told.others)}: {left}."] if told.others else []
    return [head, *(["\n".join(lines)] if told.by else []), *rest]


def _unexplained(table: str, own: Sequence[Comparison]) -> str:
    """Numbers of a table, by name if they are few."""
    if len(own) > FEW:
        return f"{len(own)} of {table}"
    games: dict[str, list[str]] = {}
    for each in own:
        games.setdefault(_plain(each.printed.game), []).append(
            " v ".join(filter(None, (each.printed.agent, each.printed.opponent)))
        )
    return f"{table}: " + ", ".join(f"{game} ({', '.join(agents)})" for game, agents in games.items())


def _plain(game: str) -> str:
    """A game without where it comes from."""
    return game.partition(":")[2] or game


def _notes(folder: Path) -> str:
    """What people wrote, its headings below ours."""
    file = folder / "NOTES.md"
    if not file.exists():
        return "Nothing has been looked into yet."
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"cannot read {file}: {error}") from None
    if lines and lines[0].startswith("# "):
        lines = lines[1:]
    text = "\n".join(f"##{line}" if re.match(r"#+ ", line) else line for line in lines).strip()
    return text.replace("](../../docs/", "](../")


def _claims(paper: Paper) -> list[str]:
    """The claims of a paper as a table, with a line that counts them."""
    if not paper.claims:
        return ["None have been written down."]
    lines = [_line(["table", "the paper says", "its numbers", "ours", "verdict"]), "| --- | --- | --- | --- | --- |"]
    known = {table.id: table for table in paper.tables}
    for (ours, theirs), outlook in zip(paper.claims, paper.outlooks, strict=True):
        doubt = "" if theirs.verdict == "holds" else " (no proof)"
        table = known.get(ours.claim.table)
        place = f"[{table.id}](#{_anchor(table)})" if table else ours.claim.table
        reason = ": ".join(filter(None, (_reason(ours, table), outlook)))
        word = f"**{ours.verdict}**{f' ({reason})' if reason else ''}"
        lines.append(_line([place, ours.claim.text, theirs.numbers + doubt, ours.numbers, word]))
    counts = paper.claim_counts()
    told = ", ".join(f"{kind}: {counts[kind]}" for kind in CLAIM_KINDS if counts[kind])
    return [f"{len(paper.claims)} claims: {told}.", "\n".join(lines)]


def _reason(ours: Judged, table: Table | None) -> str:
    """Why a claim has no verdict."""
    sides = [side for side in (ours.claim.left, ours.claim.right) if isinstance(side, str)]
    absent = [agent for side in sides for agent in column_of(side) if table is not None and agent in table.unavailable]
    return f"{absent[0]} is a program of others" if absent and ours.verdict == "not run" else ours.reason


def _section(paper: Paper, table: Table) -> list[str]:
    """One table: where it comes from, then for each metric its cells, games by agents, and how to go on with it."""
    run = paper.runs.get(table.id)
    head = [f'<a id="{_anchor(table)}"></a>\n\n### {table.id}: {table.paper.title}']
    about = [f"In the paper: {table.paper.settings}."] if table.paper.settings not in ("", "-") else []
    if run is not None:
        about.append(f"Made by `{run.command}` with paidia {run.version} {run.signature}; {run.budget} per move.")
    counted = _counted(paper, table)
    about.append(f"Numbers: {counted}." if counted != "a figure" else "Its figure is below.")
    own = [each for each in paper.numbers[table.id] if each.ours is not None]
    metrics = list(dict.fromkeys(each.printed.metric for each in own))
    grids = [
        _grid(metric if len(metrics) > 1 else "game", [each for each in own if each.printed.metric == metric])
        for metric in metrics
    ]
    facts = [fact for fact in paper.facts if fact.table == table.id]
    return [*head, "\n".join(about), *grids, *([_facts(facts)] if facts else []), *_again(table, own)]


def _again(table: Table, own: Sequence[Comparison]) -> list[str]:
    """How to go on with a table, and with one cell of it."""
    if table.paper.metric == "facts":
        return []
    cell = next((each.printed for each in own if each.printed.game != "average"), None)
    cell = cell or next((row for row in table.printed() if row.game != "average"), None)
    more = f"More matches: `paidia reproduce {table.id} --store {table.id}.sqlite`"
    if cell is None:
        return [more + "."]
    agent = next(iter(table.paper.best.get(cell.agent, [cell.agent])))
    words = [f"--game {_quoted(cell.game)}", f"--agent {_quoted(agent)}"]
    if cell.opponent and cell.opponent != "all-others":
        words.append(f"--opponent {_quoted(cell.opponent)}")
    return [f"{more}; one cell: `paidia reproduce {table.id} --store {table.id}.sqlite {' '.join(words)}`."]


def _quoted(name: str) -> str:
    return name if re.fullmatch(r"[\w:.=@+-]+", name) else f'"{name}"'


def _facts(facts: Sequence[Fact]) -> str:
    """Facts, those of one kind about one thing in a line."""
    lines = [_line(["what", "of", "in the paper", "in paidia", ""]), "| --- | --- | --- | --- | --- |"]
    groups: dict[tuple[str, str], list[Fact]] = {}
    for fact in facts:
        groups.setdefault((fact.what, fact.subject), []).append(fact)
    for (what, subject), own in groups.items():
        words = dict.fromkeys(fact.verdict for fact in own)
        ours = dict.fromkeys(fact.ours for fact in own if fact.ours)
        lines.append(_line([what, subject, ", ".join(f.value for f in own), ", ".join(ours), " / ".join(words)]))
    return "\n".join(lines)


def _grid(corner: str, own: Sequence[Comparison]) -> str:
    """Games down, agents (and opponents) across."""
    cells: Mapping[tuple[str, str, str], Comparison] = {
        (each.printed.game, each.printed.agent, each.printed.opponent): each for each in own
    }
    games = list(dict.fromkeys(game for game, _, _ in cells))
    columns = list(dict.fromkeys((agent, opponent) for _, agent, opponent in cells))
    names = [f"{agent} v {opponent}" if opponent else agent for agent, opponent in columns]
    lines = _rows([corner, *names, "matches"])
    for game in games:
        there = [cells.get((game, *column)) for column in columns]
        matches = dict.fromkeys(str(each.ours.n) for each in there if each is not None and each.ours is not None)
        shown = " / ".join(matches) if len(matches) < 4 else _range([int(n) for n in matches])
        lines.append(_line([game, *("" if each is None else _cell(each) for each in there), shown]))
    return "\n".join(lines)


def _range(numbers: list[int]) -> str:
    return f"{min(numbers)} to {max(numbers)}"


def _cell(each: Comparison) -> str:
    sign = "\\|" if each.verdict == "rate" else SIGNS.get(each.verdict, "?")
    printed, ours = each.printed, each.ours
    assert ours is not None
    paper = f"{printed.value:.1f} ± {each.paper.half:.1f}" if each.paper.half else f"{printed.value:g}"
    plain = each.verdict == "rate" or printed.metric.startswith(MOST_USED)
    return f"{f'{ours.mean:g}' if plain else from_to(ours)} **{sign}** {paper}"


def _rows(names: Sequence[str]) -> list[str]:
    """The head of a table, the first column to the left and the others to the right."""
    return [_line(names), f"| --- |{' ---: |' * (len(names) - 1)}"]


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
