"""Which variable to eliminate next from the body of a rule, worked out from scratch every time."""

from __future__ import annotations

from collections.abc import Iterable

from paidia.games.gdl.language.rules import Atom, Literal, variables

__all__ = ["smallest_bucket"]


def names(literals: Iterable[Literal]) -> set[str]:
    return {v.name for literal in literals for v in variables(literal)}


def bound(literals: Iterable[Literal]) -> set[str]:
    return names(x for x in literals if x.positive and isinstance(x.atom, Atom))


def smallest_bucket(body: list[Literal], kept: set[str]) -> list[Literal] | None:
    """The bucket with the fewest variables, then the fewest literals, then the first name, that leaves something behind."""
    everything = names(body) | kept
    best: tuple[int, int, list[Literal]] | None = None
    for name in sorted(names(body) - kept):
        bucket = [x for x in body if name in names((x,))]
        if len(bucket) == len(body):
            continue
        own = names(bucket)
        missing = own - bound(bucket)
        if missing:
            lent = [x for x in body if x not in bucket and bound((x,)) & missing and names((x,)) <= own]
            if missing - bound(lent):
                continue
            bucket = [*bucket, *lent]
        if len(own) < len(everything) and (best is None or (len(own), len(bucket)) < best[:2]):
            best = (len(own), len(bucket), bucket)
    return best[2] if best else None
