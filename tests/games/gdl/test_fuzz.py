"""Mutated rule sheets and messages: whatever comes in, only a PaidiaError comes out, and soon.

The number of cases is small here; `PAIDIA_FUZZ=6000 pytest -s tests/games/gdl/test_fuzz.py` runs the long version, in which
mutants are played further and more often, and the states are counted.
"""

from __future__ import annotations

import os
import random
import time

import pytest

from paidia.connect.ggp.messages import read_message
from paidia.connect.ggp.player import GgpPlayer
from paidia.core.errors import PaidiaError
from paidia.games.gdl.interpreter import interpreter
from paidia.games.gdl.interpreter.plans import Limits
from paidia.games.gdl.language.check import check_text
from paidia.games.gdl.language.format import format_text
from paidia.games.gdl.language.kif import parse, write
from paidia.games.gdl.language.rules import parse_sheet
from paidia.games.gdl.library import LIBRARY
from paidia.games.gdl.load import load_game
from paidia.games.gdl.net.ground import NetLimits
from paidia.games.gdl.net.kernel import legal_names

CASES = int(os.environ.get("PAIDIA_FUZZ", "0"))
STEPS = 40 if CASES else 4
GAMES = 10 if CASES else 1
SMALL = Limits(cells=100_000, terms=20_000, work=2_000_000)
SMALL_NET = NetLimits(seconds=2, memory=1 << 30, output=1 << 24, gates=50_000)
SLOWEST = 20.0  # seconds for one case on a busy machine

WORDS = [
    "(",
    ")",
    "((",
    "))",
    "()",
    "?x",
    "?",
    ";",
    "\n",
    "<=",
    "not",
    "or",
    "and",
    "distinct",
    "true",
    "does",
    "next",
    "legal",
    "goal",
    "terminal",
    "init",
    "role",
    "base",
    "input",
    "(<= p (not p))",
    "(<= (p (f ?x)) (p ?x))",
    "(p a)",
    "NIL",
    "(role x)",
    "(or)",
    "(not)",
    "(distinct ?x ?y)",
    "\u00e9",
    "\x00",
    "-1",
    "101",
    "(" * 120,
    "%",
    "{",
    "?x?y",
    "#const",
    ":-",
]
SHEETS = ["tic-tac-toe", "tron", "eight-puzzle", "sheep-and-wolf"]


def mutate(text: str, chance: random.Random) -> str:
    """The text with a few words lost, doubled, moved or replaced."""
    for _ in range(chance.randint(1, 4)):
        kind = chance.randrange(6)
        at = chance.randrange(len(text) + 1)
        end = min(len(text), at + chance.randint(1, 60))
        if kind == 0:
            text = text[:at] + text[end:]
        elif kind == 1:
            text = text[:at] + " " + chance.choice(WORDS) + " " + text[at:]
        elif kind == 2:
            text = text[:at] + text[at:end] + text[at:]
        elif kind == 3:
            to = chance.randrange(len(text) + 1)
            text = text[:to] + text[at:end] + text[to:]
        else:  # one word for another keeps the parentheses, so these get farther
            words = text.split(" ")
            words[chance.randrange(len(words))] = chance.choice(words) if kind == 4 else chance.choice(WORDS)
            text = " ".join(words)
    return text


def play(game, chance: random.Random, *, steps: int = STEPS) -> int:
    """Play a mutant at random; returns the number of states."""
    states = 0
    for _ in range(GAMES):
        state = game.initial_state()
        states += 1
        for _ in range(steps):
            if state.terminal:
                break
            for role in range(game.n_roles):
                assert legal_names(state, role)
            state.random_playout(chance.getrandbits(32), 1)
            state.check()
            states += 1
        assert all(0 <= goal <= 1 for goal in state.goals)
        state.fluents()
    return states


def one_sheet(seed: int, *, net: bool) -> int:
    """The number of states that the mutated sheet was played for."""
    chance = random.Random(seed)
    text = mutate(LIBRARY.text(chance.choice(SHEETS)), chance)
    began = time.monotonic()
    findings = check_text(text)
    assert all(isinstance(finding, PaidiaError) and str(finding) for finding in findings)
    states = 0
    try:
        assert parse(format_text(text)) == parse(text)
        sheet = parse_sheet(text)
        states += play(interpreter.load(sheet, "mutant", limits=SMALL), chance)
        if net:
            states += play(load_game(sheet, "mutant", net_limits=SMALL_NET), chance)
    except PaidiaError as error:
        assert str(error)
    assert time.monotonic() - began < SLOWEST, f"seed {seed}"
    return states


def test_mutated_sheets():
    counts = [one_sheet(seed, net=False) for seed in range(max(CASES, 250))]
    print(f"{len(counts)} sheets, {sum(counts)} states")
    assert sum(count > 0 for count in counts) > 10  # some mutants are still games


def test_mutated_sheets_as_nets():
    counts = [one_sheet(seed, net=True) for seed in range(max(CASES // 20, 25))]
    print(f"{len(counts)} sheets as nets, {sum(counts)} states")


def one_message(seed: int, player: GgpPlayer) -> None:
    chance = random.Random(seed)
    rules = " ".join(write(rule) for rule in parse(LIBRARY.text("tic-tac-toe")))
    text = chance.choice(
        [
            "(INFO)",
            f"(START m1 x ({rules}) 0 0)",
            "(PLAY m1 NIL)",
            "(PLAY m1 ((mark 1 1) noop))",
            "(STOP m1 ((mark 1 1) noop))",
            "(ABORT m1)",
            f"(PREVIEW ({rules}) 1)",
        ]
    )
    if chance.random() < 0.7:
        text = mutate(text, chance)
    try:
        reply = player.answer(read_message(text), time.monotonic())
        assert isinstance(reply, str) and reply
    except PaidiaError as error:
        assert str(error)


def test_mutated_messages():
    player = GgpPlayer("random")
    for seed in range(max(CASES, 300)):
        one_message(seed, player)


def test_a_large_sheet_is_checked_in_time():
    """Long chains, many names that nobody defines, and wide groups of relations that depend on each other."""
    n = 1500
    chain = "".join(f"(<= (p{i} ?x) (p{i + 1} ?x))" for i in range(n))
    ring = "".join(f"(<= (q{i} ?x) (q{(i + 1) % n} ?x) (r{i} ?x))" for i in range(n))
    legal = "".join(f"(<= (legal w m{i}) (p{i} w) (u{i}))" for i in range(n))
    began = time.monotonic()
    findings = check_text("(role w)" + chain + ring + legal)
    assert len(findings) > n
    assert time.monotonic() - began < SLOWEST


@pytest.mark.parametrize(
    "text",
    [
        "(role x) (<= (legal x ?a) "
        + " ".join(f"(n ?v{i})" for i in range(30))
        + " (n ?a)) "
        + " ".join(f"(n {i})" for i in range(9)),
        "(role x) "
        + " ".join(f"(<= (p{i} ?x ?y) (p{i - 1} ?x ?z) (p{i - 1} ?z ?y))" for i in range(1, 12))
        + " ".join(f"(p0 {i} {j})" for i in range(20) for j in range(20))
        + "(<= (legal x (m ?x ?y)) (p11 ?x ?y))",
        "(role x) (n z) (<= (n (s ?x ?y)) (n ?x) (n ?y)) (<= (legal x ?n) (n ?n))",
        "(role x) (<= (legal x a) " + " ".join(f"(or (q{i}) (r{i}))" for i in range(20)) + ")",
        "(role x) (<= (legal x (" + "f (" * 45 + "a" + ")" * 47 + " (role x))",
        "".join(f"(role r{i})" for i in range(50)) + "(<= (legal ?r a) (role ?r))",
        "(role x) (legal x " + "a" * 100_000 + ")",
        "(role x) (<= (legal x (f "
        + " ".join(f"?v{i}" for i in range(200))
        + ")) "
        + " ".join(f"(n ?v{i})" for i in range(200))
        + ") (n 1)",
        "(role x)" + "".join(f"(<= (legal x {i}) " + " ".join(f"(or (q{k}) (r{k}))" for k in range(9)) + ")" for i in range(400)),
        "(role x) (<= (legal x (f " + "a " * 400 + ")) (role x))",
        "(role x) (p " + "a " * 400 + ") (<= (legal x ?a) (p ?a " + "a " * 399 + "))",
        "(role x) (init (n z)) (<= (next (n (s ?x))) (true (n ?x))) (<= (legal x ?m) (true (n ?m)))",
    ],
    ids=[
        "thirty free variables",
        "squares of squares",
        "ever larger terms",
        "a million alternatives",
        "deep terms",
        "fifty roles",
        "a long word",
        "two hundred columns",
        "too many rules",
        "a wide term",
        "a wide relation",
        "a term that grows",
    ],
)
def test_sheets_made_to_hurt(text):
    began = time.monotonic()
    try:
        play(interpreter.load(parse_sheet(text), "hurt", limits=SMALL), random.Random(1), steps=300)
    except PaidiaError as error:
        assert str(error)
    except AssertionError:
        pytest.fail("a state that is not over has a role without a move")
    assert time.monotonic() - began < SLOWEST
