"""Hostile files: whatever is done to a description or a level, it loads and plays, or a `PaidiaError` says
why not.
"""

from __future__ import annotations

import os
import random
import resource
import time
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import reference_dir
from paidia.core.errors import PaidiaError
from paidia.games.vgdl.compile.loading import game_from_text
from paidia.games.vgdl.language import ontology
from paidia.games.vgdl.language.description import MAX_ERRORS, parse
from paidia.games.vgdl.library import LIBRARY, VgdlWorld, levels_of

CASES = int(os.environ.get("PAIDIA_FUZZ", "60"))  # the long form: PAIDIA_FUZZ=50000 pytest -s tests/games/vgdl/test_fuzz.py
RULES = (LIBRARY / "fireflies" / "fireflies.txt").read_text()
LEVEL = (LIBRARY / "fireflies" / "fireflies_lvl0.txt").read_text()
WORDS = [
    *ontology.SPRITE_CLASSES,
    *ontology.EFFECTS,
    *ontology.TERMINATIONS,
    *ontology.DIRECTIONS,
    "avatar",
    "wall",
    "firefly",
    "owl",
    "net",
    "EOS",
    "TIME",
    ">",
    "limit=0",
    "limit=-1",
    "limit=999999999",
    "speed=1e300",
    "speed=-1",
    "speed=-5",
    "cooldown=-3",
    "value=2147483647",
    "value=-2147483648",
    "timer=0",
    "timer=2147483647",
    "repeating=True",
    "prob=-1",
    "square_size=0",
    "square_size=99999999",
    "stype=avatar",
    "stype=owl",
    "stype=wall,owl",
    "stypeTo=owl",
    "resource=net",
    "total=-1",
    "wMult=100",
    "hMult=0",
    "physicstype=CONT",
    "gravity=5",
    "mass=0",
    "timeToLive=0",
    "healthPoints=-7",
    "singleton=True",
    "repeat=50",
    "killSecond=True",
    "ftype=killSprite",
    "notStype=owl",
    "obs=wall",
    "is_static=True",
    "orientation=NIL",
    "cons=-4",
    "maxDistance=-9",
    "=",
    "==",
]


def play(rules: str, level: str, ticks: int) -> None:
    try:
        state = game_from_text(rules, level).initial_state(1)
    except PaidiaError as error:
        assert str(error)
        return
    start = time.process_time()
    while state.tick < ticks and not state.terminal and time.process_time() - start < 0.5:
        state.random_run(state.tick, 1)
    assert state.check_index()
    state.copy().events()


def mutate(text: str, rng: random.Random, changes: int) -> str:
    """The text with words or lines put in, lost, doubled or replaced."""
    lines = text.split("\n")
    for _ in range(changes):
        at = rng.randrange(len(lines))
        words = lines[at].split(" ")
        kind = rng.randrange(6)
        if kind == 0:
            words.insert(rng.randrange(len(words) + 1), rng.choice(WORDS))
        elif kind == 1:
            words[rng.randrange(len(words))] = rng.choice(WORDS)
        elif kind == 2:
            del words[rng.randrange(len(words))]
        elif kind == 3:
            lines.insert(at, lines[rng.randrange(len(lines))])
        elif kind == 4:
            words.append(rng.choice(WORDS))
        else:
            words.insert(0, "  ")
        lines[at] = " ".join(words)
    return "\n".join(lines)


def mutate_level(text: str, rng: random.Random, changes: int) -> str:
    """The level with characters put in, lost or replaced."""
    for _ in range(changes):
        at = rng.randrange(len(text) + 1)
        text = text[:at] + rng.choice(["", *"wA.g+01 \n\t\u00e9"]) + text[at + rng.randrange(3) :]
    return text


@settings(max_examples=300, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(1, 12))
def test_mutated_descriptions(rng: random.Random, changes: int) -> None:
    play(mutate(RULES, rng, changes), LEVEL, 40)


def all_games() -> list[tuple[Path, list[Path]]]:
    """Our games, and those of the reference collection if it is there, with their levels."""
    rules = [LIBRARY / id / f"{id}.txt" for id in VgdlWorld().ids() if (LIBRARY / id).is_dir()]
    reference = reference_dir()
    if reference is not None:
        rules += [path for path in sorted((reference / "gvgai" / "games").glob("*.txt")) if "_lvl" not in path.name]
    return [(path, levels_of(path)) for path in rules if levels_of(path)]


def test_mutants_of_all_descriptions_and_levels() -> None:
    games = all_games()
    for seed in range(CASES):
        rng = random.Random(seed)
        rules, levels = rng.choice(games)
        description, level = (file.read_text(errors="replace") for file in (rules, rng.choice(levels)))
        play(mutate(description, rng, rng.randint(0, 6)), mutate_level(level, rng, rng.randint(0, 6)), 20)
    print(f"{CASES} mutants of {len(games)} games, at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")


def test_ticks_of_all_levels() -> None:
    """Of as many as there are cases, drawn from all."""
    places = [(rules, level) for rules, levels in all_games() for level in levels]
    games = []
    for rules, level in random.Random(1).sample(places, min(CASES, len(places))):
        try:
            games.append(game_from_text(rules.read_text(errors="replace"), level.read_text(errors="replace")))
        except PaidiaError:  # one of the reference games names an effect that nobody knows
            continue
    total, seed = 0, 0
    while total < 200 * CASES:
        for game in games:
            seed += 1
            state = game.initial_state(seed)
            total += state.random_run(seed, 500)
            assert state.check_index()
    print(f"{total} ticks of {len(games)} levels, at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.sampled_from(list(ontology.EFFECTS)), min_size=1, max_size=6),
    st.randoms(use_true_random=False),
)
def test_any_effects_between_any_sprites(effects: list[str], rng: random.Random) -> None:
    """Every effect with plausible parameters on every kind of sprite, fixtures included."""
    names = ["avatar", "wall", "firefly", "owl", "net", "pond", "grass", "alive"]
    lines = []
    for effect in effects:
        given_ = []
        for key, (kind, _) in ontology.EFFECTS[effect].parameters.items():
            if kind in ("type", "types", "resource"):
                given_.append(f"{key}={rng.choice(names[:-1])}")
            elif key == "ftype":
                given_.append(f"ftype={rng.choice([name for name in ontology.EFFECTS if name != 'addTimer'])}")
            elif rng.random() < 0.5:
                given_.append(f"{key}={ {'int': rng.randrange(-2, 4), 'real': 0.5, 'chance': 0.5, 'bool': True}.get(kind, 'x') }")
        given_.append(f"timer={rng.randrange(0, 4)}")
        pair = rng.choice([(rng.choice(names), rng.choice(names)), (rng.choice(names), "EOS"), (rng.choice(names), "TIME")])
        lines.append(f"        {' '.join(pair)} > {effect} {' '.join(given_)}")
    play(RULES.replace("    InteractionSet\n", "    InteractionSet\n" + "\n".join(lines) + "\n"), LEVEL, 30)


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(list(ontology.SPRITE_CLASSES)),
    st.sampled_from(list(ontology.SPRITE_CLASSES)),
    st.integers(0, 3),
)
def test_any_classes(first: str, second: str, style: int) -> None:
    extra = ["", " physicstype=CONT gravity=1", " speed=0.3 orientation=LEFT", " wMult=2 hMult=0.5"][style]
    rules = RULES.replace("RandomNPC speed=0.5 cons=2", f"{first} stype=owl stype1=owl stypes=owl,net{extra}")
    play(rules.replace("Chaser stype=avatar cooldown=4", f"{second} stype=net{extra}"), LEVEL, 40)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=300), st.text(max_size=100))
def test_any_text(rules: str, level: str) -> None:
    play(rules, LEVEL, 5)
    play(RULES, level, 5)
    play(RULES + rules, LEVEL, 5)


def test_large_files_are_refused_quickly() -> None:
    start = time.process_time()
    for text in (
        "BasicGame\n" + "  x\n" * 100_000,
        "BasicGame\n  SpriteSet\n" + "".join(f"    s{i} > Passive\n" for i in range(5_000)),
        "BasicGame\n" + "".join(" " * i + "x\n" for i in range(1_000)),
        "BasicGame\n  InteractionSet\n" + "    wall avatar > killSprit\n" * 15_000,
        "BasicGame\n  InteractionSet\n" + "    wall avatar > killSprite\n" * 15_000,
        "x" * 2_000_000,
    ):
        try:
            found = parse(text)
            assert found.errors and len(found.errors) <= MAX_ERRORS
        except PaidiaError:
            pass
    assert time.process_time() - start < 10
