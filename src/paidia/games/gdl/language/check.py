"""Checks rule sheets against the restrictions of GDL; every finding names its place and what to do.

The restrictions are those of the language's definition (Love, Hinrichs, Haley, Schkufza, Genesereth 2008): variables
are bound by positive conditions, no relation depends on its own denial, recursion cannot build ever larger
terms, and the relations with a meaning of their own stand only where they have one. `sees` and the role `random` are those of
GDL-II (Thielscher 2010). An `Advice` does not keep a
sheet from being played, but what it points at is seldom what its author meant.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from paidia.core.errors import RuleError, did_you_mean
from paidia.core.machine import alarm
from paidia.core.text import printable
from paidia.games.gdl.language.decompose import unsafe_variables
from paidia.games.gdl.language.dependence import Node, components, dependence, leading_to, split
from paidia.games.gdl.language.kif import Place, Sexpr, parse, read_text
from paidia.games.gdl.language.rules import (
    ARITY,
    RANDOM,
    SEES,
    And,
    Atom,
    Constant,
    Distinct,
    FlatRule,
    Formula,
    Function,
    Not,
    Or,
    Rule,
    RuleSheet,
    Term,
    Variable,
    build_sheet,
    term_variables,
)

__all__ = ["Advice", "accept", "check_file", "check_sheet", "check_text"]

_NEEDED = {
    "legal": "say what moves there are: (<= (legal ROLE MOVE) condition ...)",
    "terminal": "say when the game is over: (<= terminal condition ...)",
    "goal": "say what each role gets: (<= (goal ROLE 100) condition ...)",
}
_USUAL = {
    "init": "without facts such as (init (cell 1 1 blank)) every game starts with nothing",
    "next": "without rules such as (<= (next (control ?other)) condition ...) no fact outlasts a move",
}
# What may not be reached from the rules of a relation, and why.
_CLOSED = {
    "init": ({"true", "does", "next", "legal", "goal", "terminal"}, "the first state is fixed before anything is played"),
    "base": ({"true", "does"}, "it lists what can ever be true, whatever the state"),
    "input": ({"true", "does"}, "it lists what can ever be done, whatever the state"),
    "legal": ({"does"}, "moves are legal or not before anyone has chosen"),
    "goal": ({"does"}, "goals belong to a state, not to a move"),
    "terminal": ({"does"}, "a state is final or not before anyone has chosen"),
}
_HEAD_ONLY = {"init": "true", "next": "true", "base": "true", "input": "legal"}
_RESERVED = {*ARITY, "not", "or", "and", "distinct", "<="} - {"role", "base", "input", "goal", "terminal"}

_LOG = logging.getLogger("paidia")

#: Remarks on a sheet that are told before it is played.
MOST_REMARKS = 5

_GOALS = {str(value) for value in range(101)}

_Graph = dict[Node, dict[Node, bool]]


class Advice(RuleError):
    """Something that is allowed and probably wrong."""


def check_file(path: str | Path) -> list[RuleError]:
    """All findings in a `.kif` file, in the order of their places."""
    return check_text(read_text(path), file=str(path))


def check_text(text: str, *, file: str = "") -> list[RuleError]:
    """All findings in the text of a rule sheet."""
    try:
        sexprs = parse(text, file=file)
    except RuleError as error:
        return [error]
    findings: list[RuleError] = []
    rules: list[Sexpr] = []
    for sexpr in sexprs:
        try:
            build_sheet([sexpr], file=file)
            rules.append(sexpr)
        except RuleError as error:
            findings.append(error)
    sheet = build_sheet(rules, file=file)
    if findings:  # what a broken rule would have defined is missing, so only its own faults are sure
        return _sorted([*findings, *_sure(sheet)])
    return check_sheet(sheet)


def accept(sheet: RuleSheet) -> None:
    """Refuse rules with errors before they are played, and tell what is remarkable about others.

    Raises:
        RuleError: the first error, with its place and the number of others.
    """
    findings = check_sheet(sheet)
    errors = [finding for finding in findings if not isinstance(finding, Advice)]
    if errors:
        first = errors[0]
        others = f" (and {len(errors) - 1} more; `paidia check` lists them all)" if len(errors) > 1 else ""
        raise RuleError(first.message + others, file=first.file, line=first.line, column=first.column)
    for finding in findings[:MOST_REMARKS]:
        _LOG.warning("%s", printable(str(finding)))
    if len(findings) > MOST_REMARKS:
        _LOG.warning(
            "%s: %d more remarks; `paidia check` lists them all", sheet.file or "the rules", len(findings) - MOST_REMARKS
        )


def check_sheet(sheet: RuleSheet) -> list[RuleError]:
    """All findings in rules that were read without an error."""
    return _sorted([*_sure(sheet), *_whole(sheet)])


def _sorted(findings: Iterable[RuleError]) -> list[RuleError]:
    unique = {str(finding): finding for finding in findings}
    return sorted(unique.values(), key=lambda finding: (finding.line, finding.column))


def _sure(sheet: RuleSheet) -> Iterator[RuleError]:
    """What is wrong in a rule whatever the others say."""
    for rule in sheet.rules:
        alarm.check()
        yield from _terms(rule)
        yield from _places(rule)
        try:
            yield from _unsafe(sheet, [rule])
        except RuleError as error:  # too many alternatives
            yield error


def _whole(sheet: RuleSheet) -> Iterator[RuleError]:
    """What is wrong with all rules taken together."""
    try:
        flat = sheet.flat
    except RuleError:  # reported with its rule
        return
    yield from _missing(sheet)
    yield from _arities(sheet)
    node = split(flat)
    graph = dependence(flat, node)
    yield from _closed(sheet, graph, node)
    yield from _recursion(flat, graph, node)
    yield from _undefined(sheet)
    yield from _roles(sheet)
    yield from _hidden(sheet)


# ------------------------------------------------------------------------------------------------ one rule


def _atoms(formula: Formula) -> Iterator[Atom]:
    if isinstance(formula, Atom):
        yield formula
    elif isinstance(formula, Not):
        yield from _atoms(formula.part)
    elif isinstance(formula, And | Or):
        for part in formula.parts:
            yield from _atoms(part)


def _all_atoms(rule: Rule) -> Iterator[Atom]:
    yield rule.head
    for formula in rule.body:
        yield from _atoms(formula)


def _subterms(term: Term) -> Iterator[Term]:
    yield term
    if isinstance(term, Function):
        for arg in term.args:
            yield from _subterms(arg)


def _all_terms(rule: Rule) -> Iterator[Term]:
    pending: list[Formula] = [rule.head, *rule.body]
    while pending:
        formula = pending.pop()
        if isinstance(formula, Not):
            pending.append(formula.part)
        elif isinstance(formula, And | Or):
            pending.extend(formula.parts)
        else:
            args = (formula.left, formula.right) if isinstance(formula, Distinct) else formula.args
            for arg in args:
                yield from _subterms(arg)


def _terms(rule: Rule) -> Iterator[RuleError]:
    for term in _all_terms(rule):
        if isinstance(term, Function) and term.name in _RESERVED:
            yield term.place.error(f"`{term.name}` is a word of the language and cannot stand inside a term; take it out")


def _places(rule: Rule) -> Iterator[RuleError]:
    """Relations that stand where they have no meaning."""
    head = rule.head
    if head.relation == "role":
        if rule.body:
            yield head.place.error("roles are facts; write (role NAME) without conditions")
        elif not isinstance(head.args[0], Constant):
            yield head.place.error("a role is a name; write (role NAME)")
    if head.relation == "goal" and isinstance(value := head.args[1], Constant) and value.name not in _GOALS:
        yield value.place.error(f"a goal is a number from 0 to 100, not `{value}`")
    for formula in rule.body:
        for atom in _atoms(formula):
            meant = _HEAD_ONLY.get(atom.relation)
            if meant and not (atom.relation in ("base", "input", "init") and head.relation in ("base", "input", "init")):
                yield atom.place.error(
                    f"`{atom.relation}` is for heads only; a condition on the present state or move uses `{meant}`"
                )


def _unsafe(sheet: RuleSheet, rules: Iterable[Rule]) -> Iterator[RuleError]:
    for flat in RuleSheet(tuple(rules), sheet.file).flat:
        for variable in unsafe_variables(flat):
            place = variable.place if variable.place.line else flat.place
            if not flat.body:
                yield place.error(f"the variable `{variable}` stands in a fact; give it conditions or a value")
            else:
                yield place.error(
                    f"the variable `{variable}` is bound by no condition; a condition that is not under `not` or "
                    "`distinct` has to name it"
                )


# ------------------------------------------------------------------------------------------------ all rules


def _missing(sheet: RuleSheet) -> Iterator[RuleError]:
    start = Place(sheet.file, 1, 1)
    if not sheet.roles:
        yield start.error("the rules name no role; add facts such as (role white)")
    for relation, remedy in _NEEDED.items():
        if (relation, ARITY[relation]) not in sheet.by_relation:
            yield start.error(f"no rule for `{relation}`; {remedy}")
    for relation, consequence in _USUAL.items():
        if (relation, ARITY[relation]) not in sheet.by_relation:
            yield _advice(start, f"no rule for `{relation}`: {consequence}")


def _advice(place: Place, message: str) -> Advice:
    return Advice(f"{message} (advice)", file=place.file, line=place.line, column=place.column)


def _arities(sheet: RuleSheet) -> Iterator[RuleError]:
    """A name with two numbers of arguments is two relations, which is hardly ever meant."""
    relations: dict[str, Atom] = {}
    functions: dict[str, Function] = {}
    for rule in sheet.rules:
        for atom in _all_atoms(rule):
            first = relations.setdefault(atom.relation, atom)
            if len(first.args) != len(atom.args):
                yield atom.place.error(_clash("relation", atom.relation, len(atom.args), len(first.args), first.place))
        for term in _all_terms(rule):
            if isinstance(term, Function):
                before = functions.setdefault(term.name, term)
                if len(before.args) != len(term.args):
                    yield _advice(term.place, _clash("function", term.name, len(term.args), len(before.args), before.place))


def _clash(kind: str, name: str, here: int, there: int, first: Place) -> str:
    plural = "s" * (here != 1)
    return f"the {kind} `{name}` has {here} argument{plural} here and {there} in line {first.line}; use two names"


def _closed(sheet: RuleSheet, graph: _Graph, node: Callable[[Atom], Node]) -> Iterator[RuleError]:
    """`init` before play, `legal`, `goal` and `terminal` before the joint move."""
    leading = leading_to(graph, set().union(*(forbidden for forbidden, _ in _CLOSED.values())))
    for relation, (forbidden, reason) in _CLOSED.items():
        signature = (relation, ARITY[relation])
        for rule in sheet.by_relation.get(signature, ()):
            alarm.check()
            for atom in (atom for formula in rule.body for atom in _atoms(formula)):
                found = sorted(name for name in forbidden if node(atom) in leading[name])
                if not found or (found == [relation] and atom.relation == relation):
                    continue
                through = "" if atom.relation == found[0] else f" through `{atom.relation}`"
                yield atom.place.error(f"`{relation}` cannot depend on `{found[0]}`{through}: {reason}")


def _recursion(flat: Iterable[FlatRule], graph: _Graph, node: Callable[[Atom], Node]) -> Iterator[RuleError]:
    """Denial must be stratified, and a recursive condition may not carry terms that nothing else limits."""
    flat = list(flat)
    group_of = {member: number for number, group in enumerate(components(graph)) for member in group}
    # Where no rule of a group makes terms, there are only so many: what the definition forbids cannot run away there.
    building = {group_of[node(rule.head)] for rule in flat if any(_makes_terms(arg) for arg in rule.head.args)}
    for rule in flat:
        alarm.check()
        own = group_of[node(rule.head)]
        inside = [x for x in rule.body if isinstance(x.atom, Atom) and group_of[node(x.atom)] == own]
        outside = [x.atom for x in rule.body if x.positive and isinstance(x.atom, Atom) and group_of[node(x.atom)] != own]
        for literal in inside:
            atom = literal.atom
            assert isinstance(atom, Atom)
            if not literal.positive:
                yield atom.place.error(
                    f"`{rule.head.relation}` depends on its own denial through `{atom.relation}`; a relation must be "
                    "settled before `not` can ask for it"
                )
                continue
            for arg in atom.args:
                if not _limited(arg, rule, outside):
                    message = (
                        f"`{arg}` in the recursive condition `{atom.relation}` is limited by nothing; it must be ground, an "
                        "argument of the head, or an argument of a condition outside the recursion"
                    )
                    yield arg.place.error(message) if own in building else _advice(arg.place, message)


def _makes_terms(term: Term) -> bool:
    return isinstance(term, Function) and any(True for _ in term_variables(term))


def _limited(arg: Term, rule: FlatRule, outside: list[Atom]) -> bool:
    if not any(True for _ in term_variables(arg)) or arg in rule.head.args:
        return True
    return any(arg in _deep(atom) for atom in outside)


def _deep(atom: Atom) -> Iterator[Term]:
    for arg in atom.args:
        yield from _subterms(arg)


def _undefined(sheet: RuleSheet) -> Iterator[RuleError]:
    names = {name for name, _ in sheet.by_relation}
    hints: dict[str, str] = {}
    for rule in sheet.rules:
        alarm.check()
        for formula in rule.body:
            for atom in _atoms(formula):
                if atom.relation not in names and atom.relation not in ARITY:
                    if atom.relation not in hints:
                        hints[atom.relation] = did_you_mean(atom.relation, names, otherwise="it never holds", most=1)
                    yield _advice(atom.place, f"nothing defines `{atom.relation}`; {hints[atom.relation]}")


def _roles(sheet: RuleSheet) -> Iterator[RuleError]:
    """Roles that cannot move or win, and names that are no roles."""
    for relation in ("legal", "goal"):
        needed = [role for role in sheet.roles if relation == "legal" or role != RANDOM]
        heads = [rule.head.args[0] for rule in sheet.by_relation.get((relation, 2), ())]
        if heads and not any(isinstance(head, Variable) for head in heads):
            named = {str(head) for head in heads}
            for role in needed:
                if role not in named:
                    yield _advice(_role_place(sheet, role), f"role `{role}` has no `{relation}`")
    for rule in sheet.rules:
        for atom in _all_atoms(rule):
            of_roles = ("legal", "does", "goal", "input", *(["sees"] if sheet.hidden else []))
            if atom.relation not in of_roles or not sheet.roles:
                continue
            if isinstance(who := atom.args[0], Constant) and who.name not in sheet.roles:
                hint = did_you_mean(who.name, sheet.roles, otherwise=f"the roles are {', '.join(sheet.roles)}", most=1)
                yield _advice(who.place, f"`{who}` is no role; {hint}")


def _hidden(sheet: RuleSheet) -> Iterator[RuleError]:
    """GDL-II: who sees nothing, and chance alone."""
    if not sheet.hidden:
        return
    players = [role for role in sheet.roles if role != RANDOM]
    if sheet.roles and not players:
        yield _role_place(sheet, RANDOM).error("`random` is chance, and nobody plays; add facts such as (role white)")
    for rule in sheet.rules:
        if rule.head.relation == "sees" and rule.head.signature != SEES:
            yield rule.head.place.error(f"`sees` takes 2 arguments, a role and what it sees, not {len(rule.head.args)}")
        for atom in (atom for formula in rule.body for atom in _atoms(formula) if atom.signature == SEES):
            yield atom.place.error("`sees` is for heads only: what was seen is no condition; use what makes a role see it")
    heads = [rule.head.args[0] for rule in sheet.by_relation.get(SEES, ())]
    if not any(isinstance(head, Variable) for head in heads):
        for role in players:
            if role not in {str(head) for head in heads}:
                yield _advice(_role_place(sheet, role), f"role `{role}` never sees anything")


def _role_place(sheet: RuleSheet, role: str) -> Place:
    for rule in sheet.by_relation.get(("role", 1), ()):
        if str(rule.head.args[0]) == role:
            return rule.head.place
    return Place(sheet.file, 1, 1)
