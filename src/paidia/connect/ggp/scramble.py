"""Other names for the same rules, so that no player can know a game by its words."""

from __future__ import annotations

import random
from collections.abc import Iterable

from paidia.games.gdl.language.kif import Expr, Sexpr, Word
from paidia.games.gdl.language.rules import ARITY

__all__ = ["Scrambler"]

_KEPT = {*ARITY, "<=", "not", "or", "and", "distinct", "nil"}
_SYLLABLES = ("ba", "do", "fi", "gu", "ke", "lo", "mi", "na", "po", "ra", "su", "te", "va", "wo", "xi", "zu")


class Scrambler:
    """A word for every word of some rules; words of the language, numbers and variables stay.

    Numbers keep their names because goals are numbers.
    """

    def __init__(self, rules: Iterable[Sexpr], seed: int) -> None:
        names = sorted({name for rule in rules for name in _names(rule)})
        chance = random.Random(seed)
        taken: set[str] = set(names) | _KEPT
        self._there: dict[str, str] = {}
        for name in names:
            word = ""
            while not word or word in taken:
                word += "".join(chance.choices(_SYLLABLES, k=2))
            taken.add(word)
            self._there[name] = word
        self._back = {word: name for name, word in self._there.items()}

    def scramble(self, sexpr: Sexpr) -> Sexpr:
        """The same with the other names."""
        return _rename(sexpr, self._there)

    def unscramble(self, sexpr: Sexpr) -> Sexpr:
        """The same with the names of the rules; words that are none of ours stay as they are."""
        return _rename(sexpr, self._back)

    def word(self, name: str) -> str:
        """The other name of one word."""
        return self._there.get(name.lower(), name)


def _names(sexpr: Sexpr) -> Iterable[str]:
    if isinstance(sexpr, Word):
        if sexpr.name not in _KEPT and sexpr.name[0] != "?" and not sexpr.name.isdecimal():
            yield sexpr.name
    else:
        for item in sexpr:
            yield from _names(item)


def _rename(sexpr: Sexpr, words: dict[str, str]) -> Sexpr:
    if isinstance(sexpr, Word):
        return Word(words.get(sexpr.name, sexpr.text), sexpr.place)
    return Expr(tuple(_rename(item, words) for item in sexpr), sexpr.place)
