"""The rules of a game as typed, immutable values: what checker, grounder and interpreter read.

    RuleSheet    roles, rules in the order of the text, the spelling of every symbol
      Rule       head Atom, body of Formulas (a fact has none)
        Formula  Atom | Distinct | Not | And | Or
          Term   Constant | Variable | Function

Names are in lower case, variables keep their `?`. Everything knows its place in the text; places do not
count when values are compared. `flatten` turns a rule with `or` into plain rules whose bodies are lists of
literals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from paidia.core.errors import RuleError
from paidia.core.machine.alarm import check
from paidia.games.gdl.language.kif import NOWHERE, Expr, Place, Sexpr, Word, parse, read_text

__all__ = [
    "ARITY",
    "RANDOM",
    "SEES",
    "And",
    "Atom",
    "Constant",
    "Distinct",
    "FlatRule",
    "Formula",
    "Function",
    "Literal",
    "Not",
    "Or",
    "Rule",
    "RuleSheet",
    "Term",
    "Variable",
    "build_sheet",
    "build_term",
    "flatten",
    "parse_sheet",
    "read_sheet",
    "term_variables",
    "variables",
]

# The relations with a meaning of their own and how many arguments they take.
ARITY = {
    "role": 1,
    "init": 1,
    "true": 1,
    "next": 1,
    "does": 2,
    "legal": 2,
    "goal": 2,
    "terminal": 0,
    "base": 1,
    "input": 2,
}
#: GDL-II: the role that moves at random, and the relation of what a role learns of a step.
RANDOM = "random"
SEES = ("sees", 2)
_CONNECTIVES = {"<=", "not", "or", "and", "distinct"}
_NEVER_HEAD = {"true", "does"}

MAX_ALTERNATIVES = 1000  # plain rules that one rule with `or` may stand for
MAX_FLAT = 100_000  # plain rules of a whole sheet
MAX_ARGUMENTS = 1000  # of a relation or function; the widest known ones have about twenty


# ------------------------------------------------------------------------------------------------ terms


@dataclass(frozen=True, slots=True)
class Constant:
    """A symbol; numbers are symbols too."""

    name: str
    place: Place = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Variable:
    """`?x`; the name includes the question mark."""

    name: str
    place: Place = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Function:
    """`(f t1 ... tn)` with at least one argument."""

    name: str
    args: tuple[Term, ...]
    place: Place = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        return f"({self.name} {' '.join(map(str, self.args))})"


Term = Constant | Variable | Function


# ------------------------------------------------------------------------------------------------ formulas


@dataclass(frozen=True, slots=True)
class Atom:
    """A relation applied to terms; `terminal` and other propositions have no arguments."""

    relation: str
    args: tuple[Term, ...] = ()
    place: Place = field(default=NOWHERE, compare=False)

    @property
    def signature(self) -> tuple[str, int]:
        """What tells relations apart: name and number of arguments."""
        return self.relation, len(self.args)

    def __str__(self) -> str:
        return f"({self.relation} {' '.join(map(str, self.args))})" if self.args else self.relation


@dataclass(frozen=True, slots=True)
class Distinct:
    """`(distinct s t)`: the two ground terms differ."""

    left: Term
    right: Term
    place: Place = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        return f"(distinct {self.left} {self.right})"


@dataclass(frozen=True, slots=True)
class Not:
    """`(not f)`."""

    part: Formula
    place: Place = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        return f"(not {self.part})"


@dataclass(frozen=True, slots=True)
class And:
    """`(and f ...)`; rule bodies are conjunctions without it, so it is seen inside `or` only."""

    parts: tuple[Formula, ...]
    place: Place = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        return f"(and {' '.join(map(str, self.parts))})"


@dataclass(frozen=True, slots=True)
class Or:
    """`(or f ...)`."""

    parts: tuple[Formula, ...]
    place: Place = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        return f"(or {' '.join(map(str, self.parts))})"


Formula = Atom | Distinct | Not | And | Or


@dataclass(frozen=True, slots=True)
class Rule:
    """`(<= head body ...)`, or a fact where the body is empty."""

    head: Atom
    body: tuple[Formula, ...] = ()
    place: Place = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        return f"(<= {' '.join(map(str, (self.head, *self.body)))})" if self.body else str(self.head)


@dataclass(frozen=True, slots=True)
class Literal:
    """An atom or a `distinct`, plain or denied."""

    atom: Atom | Distinct
    positive: bool = True

    def __str__(self) -> str:
        return str(self.atom) if self.positive else f"(not {self.atom})"


@dataclass(frozen=True, slots=True)
class FlatRule:
    """A rule whose body is a list of literals: no `or`, no `and`, `not` only before an atom."""

    head: Atom
    body: tuple[Literal, ...] = ()
    place: Place = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        return f"(<= {' '.join(map(str, (self.head, *self.body)))})" if self.body else str(self.head)


def _asks(formulas: Iterable[Formula]) -> bool:
    """Whether some condition asks for `sees`."""
    for formula in formulas:
        if isinstance(formula, Atom) and formula.signature == SEES:
            return True
        if isinstance(formula, Not) and _asks([formula.part]):
            return True
        if isinstance(formula, And | Or) and _asks(formula.parts):
            return True
    return False


@dataclass(frozen=True)
class RuleSheet:
    """All rules of a game."""

    rules: tuple[Rule, ...]
    file: str = ""
    spelling: dict[str, str] = field(default_factory=dict, compare=False)  # lower case -> as first written

    @cached_property
    def roles(self) -> tuple[str, ...]:
        """The roles in the order of their `role` facts."""
        facts = self.by_relation.get(("role", 1), ())
        return tuple(dict.fromkeys(str(rule.head.args[0]) for rule in facts if not rule.body))

    @cached_property
    def hidden(self) -> bool:
        """Whether it is a sheet of GDL-II: something is left to chance, or seen. A plain sheet may have a relation `sees` of its
        own; it asks for it in conditions, which GDL-II does not.
        """
        return RANDOM in self.roles or (SEES in self.by_relation and not any(_asks(rule.body) for rule in self.rules))

    @cached_property
    def by_relation(self) -> dict[tuple[str, int], tuple[Rule, ...]]:
        """The rules by name and number of arguments of their heads."""
        found: dict[tuple[str, int], list[Rule]] = {}
        for rule in self.rules:
            found.setdefault(rule.head.signature, []).append(rule)
        return {signature: tuple(rules) for signature, rules in found.items()}

    @cached_property
    def flat(self) -> tuple[FlatRule, ...]:
        """All rules without `or`."""
        found: list[FlatRule] = []
        for rule in self.rules:
            check()
            found += flatten(rule)
            if len(found) > MAX_FLAT:
                raise rule.place.error(f"up to here there are over {MAX_FLAT} rules without `or`; make relations of their parts")
        return tuple(found)

    def spell(self, term: Term | Atom) -> str:
        """The text of a term as the sheet spells its symbols."""
        if isinstance(term, Atom):
            name, args = term.relation, term.args
        elif isinstance(term, Function):
            name, args = term.name, term.args
        else:
            return self.spelling.get(term.name, term.name)
        name = self.spelling.get(name, name)
        return f"({' '.join((name, *map(self.spell, args)))})" if args else name


# ------------------------------------------------------------------------------------------------ reading


def read_sheet(path: str | Path) -> RuleSheet:
    """The rules in a `.kif` file."""
    return parse_sheet(read_text(path), file=str(path))


def parse_sheet(text: str, *, file: str = "") -> RuleSheet:
    """The rules in a text."""
    return build_sheet(parse(text, file=file), file=file)


def build_sheet(sexprs: Iterable[Sexpr], *, file: str = "") -> RuleSheet:
    """The rules in s-expressions (as a START message carries them).

    Raises:
        RuleError: something is no rule, with its place; what a rule means is not looked at here.
    """
    sexprs = list(sexprs)
    spelling: dict[str, str] = {}
    _note_spelling(sexprs, spelling)
    rules = []
    for sexpr in sexprs:
        check()
        rules.append(_rule(sexpr))
    return RuleSheet(tuple(rules), file, spelling)


def build_term(sexpr: Sexpr) -> Term:
    """The term that an s-expression stands for."""
    if isinstance(sexpr, Word):
        name = sexpr.name
        return Variable(name, sexpr.place) if name[0] == "?" else Constant(name, sexpr.place)
    name = _head_name(sexpr, "a term")
    if len(sexpr) == 1:
        return Constant(name, sexpr.place)
    _count_arguments(name, sexpr)
    return Function(name, tuple(build_term(item) for item in sexpr.items[1:]), sexpr.place)


def _note_spelling(sexprs: Iterable[Sexpr], spelling: dict[str, str]) -> None:
    for sexpr in sexprs:
        if isinstance(sexpr, Word):
            spelling.setdefault(sexpr.name, sexpr.text)
        else:
            _note_spelling(sexpr, spelling)


def _rule(sexpr: Sexpr) -> Rule:
    if isinstance(sexpr, Expr) and sexpr.items[:1] == (Word("<="),):
        if len(sexpr) < 2:
            raise sexpr.place.error("`<=` needs a head: (<= head condition ...)")
        head, *body = sexpr.items[1:]
    else:
        head, body = sexpr, []
    atom = _atom(head)
    if atom.relation in _NEVER_HEAD:
        meant = "next" if atom.relation == "true" else "legal"
        raise atom.place.error(f"`{atom.relation}` cannot be the head of a rule; did you mean `{meant}`?")
    return Rule(atom, tuple(_formula(item) for item in body), sexpr.place)


def _formula(sexpr: Sexpr) -> Formula:
    if isinstance(sexpr, Word) or not sexpr.items or not isinstance(sexpr.items[0], Word):
        return _atom(sexpr)
    name, args, place = sexpr.items[0].name, sexpr.items[1:], sexpr.place
    if name == "not":
        if len(args) != 1:
            raise place.error(f"`not` takes one condition, not {len(args)}")
        return Not(_formula(args[0]), place)
    if name == "distinct":
        if len(args) != 2:
            raise place.error(f"`distinct` takes two terms, not {len(args)}")
        return Distinct(build_term(args[0]), build_term(args[1]), place)
    if name in ("or", "and"):
        if not args:
            raise place.error(f"`{name}` needs at least one condition")
        parts = tuple(_formula(arg) for arg in args)
        return Or(parts, place) if name == "or" else And(parts, place)
    return _atom(sexpr)


def _atom(sexpr: Sexpr) -> Atom:
    args: tuple[Term, ...] = ()
    if isinstance(sexpr, Word):
        name = sexpr.name
    else:
        name = _head_name(sexpr, "a relation")
        _count_arguments(name, sexpr)
        args = tuple(build_term(item) for item in sexpr.items[1:])
    if name[0] == "?":
        raise sexpr.place.error(f"the variable `{name}` stands where a relation is expected")
    if name in _CONNECTIVES:
        raise sexpr.place.error(f"`{name}` cannot stand here; a relation is expected")
    if len(args) != ARITY.get(name, len(args)):
        plural = "s" * (ARITY[name] != 1)
        raise sexpr.place.error(f"`{name}` takes {ARITY[name]} argument{plural}, not {len(args)}")
    return Atom(name, args, sexpr.place)


def _count_arguments(name: str, sexpr: Expr) -> None:
    if len(sexpr) - 1 > MAX_ARGUMENTS:
        raise sexpr.place.error(f"`{name}` has {len(sexpr) - 1:,} arguments; at most {MAX_ARGUMENTS:,} can be played")


def _head_name(sexpr: Expr, expected: str) -> str:
    if not sexpr.items:
        raise sexpr.place.error(f"`()` is empty; {expected} is expected")
    head = sexpr.items[0]
    if isinstance(head, Expr):
        raise head.place.error(f"{expected} starts with its name, not with a parenthesis")
    if head.name[0] == "?":
        raise head.place.error(f"{expected} starts with its name, not with the variable `{head.name}`")
    return head.name


# ------------------------------------------------------------------------------------------------ or


def flatten(rule: Rule) -> list[FlatRule]:
    """The plain rules that a rule stands for; more than one where its body has an `or`.

    Raises:
        RuleError: there would be more than `MAX_ALTERNATIVES`.
    """
    bodies = _conjunction(rule.body, True, rule.place)
    return [FlatRule(rule.head, tuple(dict.fromkeys(body)), rule.place) for body in bodies]


def _conjunction(parts: Iterable[Formula], positive: bool, place: Place) -> list[tuple[Literal, ...]]:
    bodies: list[tuple[Literal, ...]] = [()]
    for part in parts:
        more = _alternatives(part, positive)
        if len(bodies) * len(more) > MAX_ALTERNATIVES:
            raise _too_many(place)
        bodies = [body + other for body in bodies for other in more]
    return bodies


def _too_many(place: Place) -> RuleError:
    return place.error(f"this is over {MAX_ALTERNATIVES} rules without `or`; make relations of its parts")


def _alternatives(formula: Formula, positive: bool) -> list[tuple[Literal, ...]]:
    """Bodies of which one must hold for the formula (or, where not positive, its denial) to hold."""
    if isinstance(formula, Not):
        return _alternatives(formula.part, not positive)
    if isinstance(formula, Or | And):
        if isinstance(formula, And) == positive:
            return _conjunction(formula.parts, positive, formula.place)
        found = [body for part in formula.parts for body in _alternatives(part, positive)]
        if len(found) > MAX_ALTERNATIVES:
            raise _too_many(formula.place)
        return found
    return [(Literal(formula, positive),)]


# ------------------------------------------------------------------------------------------------ variables


def term_variables(term: Term) -> Iterator[Variable]:
    """The variables of a term, as often as they stand in it."""
    if isinstance(term, Variable):
        yield term
    elif isinstance(term, Function):
        for arg in term.args:
            yield from term_variables(arg)


def variables(of: Formula | Literal) -> Iterator[Variable]:
    """The variables of a formula or literal, as often as they stand in it."""
    if isinstance(of, Atom):
        for arg in of.args:
            yield from term_variables(arg)
    elif isinstance(of, Distinct):
        yield from term_variables(of.left)
        yield from term_variables(of.right)
    elif isinstance(of, Not):
        yield from variables(of.part)
    elif isinstance(of, Literal):
        yield from variables(of.atom)
    else:
        for part in of.parts:
            yield from variables(part)
