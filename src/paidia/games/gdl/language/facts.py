"""A position as text: the facts that hold, one after the other, as in `(cell 1 1 x) (control white)`."""

from __future__ import annotations

from paidia.core.errors import BadInput, RuleError
from paidia.games.gdl.language.kif import Sexpr, parse, write

__all__ = ["read_facts", "read_terms"]


def read_terms(text: str, game: str) -> list[Sexpr]:
    """The facts of a text."""
    try:
        return parse(text)
    except RuleError as error:
        raise BadInput(f"{game}: not a position: {error}") from None


def read_facts(text: str, game: str) -> dict[str, str]:
    """The facts of a text: each in lower case, as it is compared, -> as it was written."""
    facts = [write(fact) for fact in read_terms(text, game)]
    return {fact.lower(): fact for fact in facts}
