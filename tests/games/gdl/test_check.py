"""The checker finds every broken restriction of GDL at its place, and nothing in sheets that are right."""

from __future__ import annotations

import pytest

from paidia.cli.main import main
from paidia.core.errors import RuleError
from paidia.games.gdl.language.check import Advice, check_file, check_text
from paidia.games.gdl.library import LIBRARY

RIGHT = """
(role white)
(role black)
(init (pile 3))
(init (control white))
(less 3 2) (less 2 1) (less 1 0)
(other white black) (other black white)
(<= (legal ?p take) (true (control ?p)))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (pile ?m)) (true (pile ?n)) (less ?n ?m))
(<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
(<= terminal (true (pile 0)))
(<= (goal ?p 100) (true (control ?q)) (other ?p ?q))
(<= (goal ?p 0) (true (control ?p)))
"""


def findings(extra: str, *, without: str = "") -> list[RuleError]:
    text = RIGHT.replace(without, "") if without else RIGHT
    assert not without or text != RIGHT
    return check_text(text + extra, file="game.kif")


def test_a_right_sheet_has_no_findings():
    assert findings("") == []


LINE = RIGHT.count("\n") + 1

WRONG = [
    ("(<= (next (pile ?z)) (true (control white)))", 1 + len("(<= (next (pile "), "bound by no condition"),
    ("(<= (free ?x) (not (true (pile ?x))))", 1 + len("(<= (free "), "bound by no condition"),
    ("(<= (free ?x) (true (pile ?x)) (distinct ?x ?y))", 45, "bound by no condition"),
    ("(<= (free ?x) (or (true (pile ?x)) (true (control white))))", 11, "bound by no condition"),
    ("(pair ?x b)", 7, "stands in a fact"),
    ("(<= p (not q)) (<= q p)", 12, "depends on its own denial"),
    ("(<= (p ?x) (true (pile ?x)) (not (p ?x)))", 34, "depends on its own denial"),
    ("(<= (grow (s ?x)) (grow ?x)) (grow z)", 25, "limited by nothing"),
    ("(<= (less 5 6 7) terminal)", 5, "use two names"),
    ("(true (pile 1))", 1, "did you mean `next`"),
    ("(<= (does white take) terminal)", 5, "did you mean `legal`"),
    ("(<= (init (pile ?x)) (true (pile ?x)))", 22, "`init` cannot depend on `true`"),
    ("(<= (init (pile 1)) (tired)) (<= tired (does white take))", 21, "`init` cannot depend on `does` through `tired`"),
    ("(<= (legal ?p wait) (does ?p take))", 21, "`legal` cannot depend on `does`"),
    ("(<= (goal ?p 1) (does ?p take))", 17, "`goal` cannot depend on `does`"),
    ("(<= terminal (moved)) (<= moved (does ?p take))", 14, "`terminal` cannot depend on `does` through `moved`"),
    ("(<= big (next (pile 3)))", 9, "`next` is for heads only"),
    ("(<= big (init (pile 3)))", 9, "`init` is for heads only"),
    ("(<= (role ?r) (other ?r white))", 5, "roles are facts"),
    ("(role (team 1))", 1, "a role is a name"),
    ("(<= (goal white 200) terminal)", 17, "from 0 to 100"),
    ("(<= (goal white win) terminal)", 17, "from 0 to 100"),
    ("(<= (next (true (pile 1))) terminal)", 11, "cannot stand inside a term"),
    ("(<= (legal ?p) (role ?p))", 5, "takes 2 arguments"),
    ("(<= p (not terminal terminal))", 7, "`not` takes one"),
    ("(<= p (distinct a))", 7, "`distinct` takes two"),
    ("(<= p ())", 7, "is empty"),
    ("(<= p (?x a))", 8, "starts with its name"),
    ("(<= )", 1, "needs a head"),
    ("(<= p ?x)", 7, "the variable `?x` stands"),
    ("(<= p (true (pile 1))", 1, "never closed"),
    ("(p))", 4, "no opening one"),
]


@pytest.mark.parametrize(("extra", "column", "message"), WRONG, ids=[text for text, _, _ in WRONG])
def test_an_error_names_its_place(extra, column, message):
    found = [error for error in findings(extra) if not isinstance(error, Advice)]
    assert any(
        message in error.message and error.line == LINE and error.column == column and error.file == "game.kif" for error in found
    ), [str(error) for error in found]


@pytest.mark.parametrize("line", [line for line in RIGHT.splitlines() if "legal" in line or "goal" in line])
def test_dropping_half_of_a_relation_is_no_error(line):
    assert [e for e in findings("", without=line) if not isinstance(e, Advice)] == []


@pytest.mark.parametrize("word", ["role", "legal", "terminal", "goal"])
def test_a_missing_relation_is_an_error(word):
    lines = [line for line in RIGHT.splitlines() if f"({word} " not in line.split(")")[0] and f"<= {word}" not in line]
    assert any(f"`{word}`" in e.message or "no role" in e.message for e in check_text("\n".join(lines)))


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        ("(<= p (contrl ?x))", "nothing defines `contrl`"),
        ("(<= p (othr white ?x))", "did you mean 'other'"),
        ("(<= (legal whit take) terminal)", "did you mean 'white'"),
        ("(<= (next (pile 1 2)) terminal)", "use two names"),
    ],
)
def test_advice_is_no_error(extra, message):
    found = findings(extra)
    assert [error for error in found if not isinstance(error, Advice)] == []
    assert any(message in error.message for error in found)


def test_a_role_without_goal_is_advice():
    found = findings("(role grey)", without="(<= (goal ?p 100) (true (control ?q)) (other ?p ?q))\n")
    assert found == []  # the other goal rule has a variable, so every role may have a goal
    text = RIGHT.replace("(goal ?p", "(goal white").replace("(other ?p ?q))\n(<= (goal", "(other white ?q))\n(<= (goal")
    assert any("role `black` has no `goal`" in error.message for error in check_text(text))


def test_denial_between_constants_is_stratified():
    assert findings("(<= (level 0) (not (level 1))) (<= (level 1) terminal)") == []


def test_several_errors_are_all_reported_in_order():
    found = findings("(<= p ())\n(<= (next (pile ?z)) terminal)\n(true x)")
    assert [error.line for error in found] == [LINE, LINE + 1, LINE + 2]


def test_the_library_has_no_findings():
    ids = list(LIBRARY.ids())
    assert ids
    for id in ids:
        assert check_text(LIBRARY.text(id), file=id) == [], id


def test_the_reference_sheets_have_no_errors(reference):
    files = sorted((reference / "gdl" / "base").glob("*/*.kif"))
    assert len(files) == 64
    for file in files:
        assert [str(e) for e in check_file(file) if not isinstance(e, Advice)] == []


# ------------------------------------------------------------------------------------------------ the command


def run(*arguments: object) -> int:
    try:
        main([str(argument) for argument in arguments])
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def test_the_command_prints_places_and_exits_with_2(tmp_path, capsys):
    right, wrong = tmp_path / "right.kif", tmp_path / "wrong.kif"
    right.write_text(RIGHT)
    wrong.write_text(RIGHT + "(<= p (not q))\n(<= q p)\n")
    assert run("check", right) == 0
    assert capsys.readouterr().out == f"{right}: ok\n"
    assert run("check", right, wrong) == 2
    assert capsys.readouterr().err.startswith(f"{wrong}:{LINE}:12: `p` depends on its own denial")


@pytest.mark.parametrize("name", ["missing.kif", "picture.png", "folder.kif", "binary.kif"])
def test_the_command_survives_what_is_no_rule_file(tmp_path, capsys, name):
    file = tmp_path / name
    if name.startswith("folder"):
        file.mkdir()
    elif name.startswith("binary"):
        file.write_bytes(b"\xff\xfe(role")
    assert run("check", file) == 2
    assert str(file) in capsys.readouterr().err


def test_the_command_formats(tmp_path, capsys):
    file = tmp_path / "game.kif"
    file.write_text("(role a)(role b) ; two\n(<= p (q) (r))")
    assert run("check", "--format", file) == 0
    expected = "(role a) (role b)  ; two\n\n(<= p\n    (q)\n    (r))\n"
    assert capsys.readouterr().out == expected
    assert run("check", "--format", "--write", file) == 0
    assert file.read_text() == expected
    assert run("check", "--write", file) == 2
