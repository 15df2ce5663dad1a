"""A small fuzzer: changes good inputs, and keeps those that lead to an outcome nobody has seen, as seeds of further changes.

An outcome is the kind of the error and its words without numbers and names, or what the target says itself; in targets written
in Python also the lines of our own code that were reached (`Reached`), which leads into corners that words alone do not. A case
has a few seconds; longer is a find, like any error that is not a `PaidiaError`, and like the death of the process, which a
parent sees.
"""

from __future__ import annotations

import random
import re
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from types import FrameType
from typing import NamedTuple

from paidia.core.errors import PaidiaError

SECONDS = 10
MOST_BYTES = 60_000
WORDS = [
    b"", b"0", b"-1", b"9" * 20, b"1e999", b"nan", b"inf", b"''", b'"', b"(", b")", b"((", b"[", b"]", b"{", b"}", b"\\", b"\x00",
    b"\xff", b"\n", b"\t", b" ", b"=", b".", b",", b":", b";", b"?x", b"not", b"<=", b"or", b"distinct", b"role", b"true",
    b"next", b"false", b"null", b"%s", b"{b}", b"[/x]", b"\x1b[31m", "é".encode(), b"avatar", b"wall", b">", b"--", b"@",
]  # fmt: skip


#: Takes an input; may say what came of it.
Target = Callable[[bytes], str | None]


class Find(NamedTuple):
    """Something that should not happen."""

    data: bytes
    what: str


class TooLong(BaseException):
    """A case that took more than its time."""


def mutate(data: bytes, pool: Sequence[bytes], dice: random.Random) -> bytes:
    """A changed input: bytes, words, lines or pieces of another input."""
    found = bytearray(data)
    for _ in range(dice.choice((1, 1, 1, 2, 3, 8))):
        kind = dice.randrange(8)
        at = dice.randrange(len(found) + 1)
        if kind == 0 and found:
            found[at % len(found)] = dice.randrange(256)
        elif kind == 1:
            found[at:at] = dice.choice(WORDS)
        elif kind == 2:
            del found[at : at + dice.choice((1, 2, 8, 40))]
        elif kind == 3:
            piece = bytes(found[at : at + dice.choice((1, 8, 60, 400))])
            found[at:at] = piece * dice.choice((1, 1, 2, 30))
        elif kind == 4:
            other = dice.choice(pool)
            start = dice.randrange(len(other) + 1)
            found[at : at + dice.choice((0, 8, 60))] = other[start : start + dice.choice((8, 60, 400))]
        elif kind == 5:
            found[:] = _words(bytes(found), dice)
        elif kind == 6:
            lines = bytes(found).split(b"\n")
            place = dice.randrange(len(lines))
            change = dice.randrange(3)
            if change == 0:
                del lines[place]
            elif change == 1:
                lines.insert(dice.randrange(len(lines) + 1), lines[place])
            else:
                dice.shuffle(lines)
            found[:] = b"\n".join(lines)
        elif found:
            found[at % len(found)] ^= 1 << dice.randrange(8)
    return bytes(found[:MOST_BYTES])


def _words(data: bytes, dice: random.Random) -> bytes:
    """One word in the place of another, or a wild one."""
    spans = [match.span() for match in re.finditer(rb"[A-Za-z0-9_.?-]+", data)]
    if not spans:
        return data
    (a, b), (c, d) = dice.choice(spans), dice.choice(spans)
    return data[:a] + (data[c:d] if dice.random() < 0.7 else dice.choice(WORDS)) + data[b:]


def outcome(error: BaseException | None) -> str:
    """An outcome without what is special to one input."""
    if error is None:
        return "fine"
    if not isinstance(error, PaidiaError):  # where it comes from says more than its words
        last = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__} in {last.filename}:{last.name}"
    return plain_words(str(error))


def plain_words(text: str) -> str:
    """A message without numbers and names."""
    words = re.sub(r"'[^']*'|\"[^\"]*\"", "*", text)
    return " ".join(word for word in words.split()[:40] if re.fullmatch(r"[a-z]+[.,;:]?", word))[:120]


def run_case(target: Target, data: bytes, expected: tuple[type[Exception], ...] = ()) -> tuple[str, Find | None]:
    """One case: its outcome (what the target says, or how it ended), and what is wrong with it."""

    def ring(signum: int, frame: FrameType | None) -> None:
        raise TooLong

    before = signal.signal(signal.SIGPROF, ring)  # of processor time: a busy machine is no find
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        return target(data) or "fine", None
    except (PaidiaError, *expected) as error:
        return outcome(error), None
    except TooLong:
        return "too long", Find(data, f"took more than {SECONDS} s")
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:
        return outcome(error), Find(data, "".join(traceback.format_exception(error))[-3000:])
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


class Reached:
    """The lines of our own Python code that a case reached, hashed together, as feedback."""

    def __init__(self) -> None:
        self.known: set[tuple[str, int]] = set()
        self.fresh = False

    def __enter__(self) -> Reached:
        self.fresh = False
        sys.settrace(self._call)
        return self

    def __exit__(self, *error: object) -> None:
        sys.settrace(None)

    def _call(self, frame: FrameType, event: str, argument: object):  # type: ignore[no-untyped-def]
        return self._line if "paidia" in frame.f_code.co_filename else None

    def _line(self, frame: FrameType, event: str, argument: object):  # type: ignore[no-untyped-def]
        place = (frame.f_code.co_filename, frame.f_lineno)
        if place not in self.known:
            self.known.add(place)
            self.fresh = True
        return self._line


def fuzz(
    target: Target, seeds: Sequence[bytes], *, cases: int, seed: int, expected: tuple[type[Exception], ...] = (),
    traced: float = 0.0, before: Callable[[bytes], None] | None = None, until: Callable[[], bool] | None = None,
) -> tuple[int, int, list[Find]]:  # fmt: skip
    """Run cases; returns their number, the number of outcomes, and the finds (one for each outcome).

    Args:
        target: What is fuzzed.
        seeds: Inputs to start from.
        cases: How many at most.
        seed: Same seed, same cases.
        expected: Errors that are no finds.
        traced: Share of the cases whose lines are looked at; that is slow.
        before: Told about every input before it is tried.
        until: Whether to stop.
    """
    dice = random.Random(seed)
    pool, seen, finds = list(seeds), dict[str, int](), dict[str, Find]()
    reached = Reached()
    number = 0
    while number < cases and not (until is not None and until()):
        data = pool[number] if number < len(seeds) else mutate(dice.choice(pool[-200:] + pool[: len(seeds)]), pool, dice)
        number += 1
        if before is not None:
            before(data)
        fresh = False
        if dice.random() < traced:
            with reached:
                word, find = run_case(target, data, expected)
            fresh = reached.fresh
        else:
            word, find = run_case(target, data, expected)
        if find is not None:
            finds.setdefault(word, find)
        fresh = (fresh or word not in seen) and find is None  # what grows from a find only finds it again
        seen[word] = seen.get(word, 0) + 1
        if fresh and number > len(seeds) and len(pool) < 5000:
            pool.append(data)
    return number, len(seen), list(finds.values())
