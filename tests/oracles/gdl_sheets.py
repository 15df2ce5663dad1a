"""Small rule sheets that the tests of GDL share, and a slow oracle for them."""

from __future__ import annotations

from collections.abc import Iterable

import clingo

from paidia.games.gdl.language.kif import parse
from paidia.games.gdl.language.rules import (
    Atom,
    Distinct,
    FlatRule,
    Function,
    Literal,
    RuleSheet,
    Term,
    Variable,
    build_term,
    parse_sheet,
)

TIC_TAC_TOE = """
(role xPlayer) (role oPlayer)
(index 1) (index 2) (index 3)
(<= (init (cell ?x ?y b)) (index ?x) (index ?y))
(init (control xPlayer))
(<= (legal ?p (mark ?x ?y)) (true (control ?p)) (true (cell ?x ?y b)))
(<= (legal xPlayer noop) (true (control oPlayer)))
(<= (legal oPlayer noop) (true (control xPlayer)))
(<= (next (cell ?x ?y x)) (does xPlayer (mark ?x ?y)))
(<= (next (cell ?x ?y o)) (does oPlayer (mark ?x ?y)))
(<= (next (cell ?x ?y ?w)) (true (cell ?x ?y ?w)) (distinct ?w b))
(<= (next (cell ?x ?y b)) (true (cell ?x ?y b)) (does ?p (mark ?j ?k)) (or (distinct ?x ?j) (distinct ?y ?k)))
(<= (next (control xPlayer)) (true (control oPlayer)))
(<= (next (control oPlayer)) (true (control xPlayer)))
(<= (line ?w) (index ?x) (true (cell ?x 1 ?w)) (true (cell ?x 2 ?w)) (true (cell ?x 3 ?w)))
(<= (line ?w) (index ?y) (true (cell 1 ?y ?w)) (true (cell 2 ?y ?w)) (true (cell 3 ?y ?w)))
(<= (line ?w) (true (cell 1 1 ?w)) (true (cell 2 2 ?w)) (true (cell 3 3 ?w)))
(<= (line ?w) (true (cell 1 3 ?w)) (true (cell 2 2 ?w)) (true (cell 3 1 ?w)))
(<= open (true (cell ?x ?y b)))
(<= terminal (line x)) (<= terminal (line o)) (<= terminal (not open))
(<= (goal xPlayer 100) (line x)) (<= (goal xPlayer 0) (line o))
(<= (goal oPlayer 100) (line o)) (<= (goal oPlayer 0) (line x))
(<= (goal ?p 50) (role ?p) (not (line x)) (not (line o)))
"""

# Both move at once; a constant fluent, a fluent that nothing reads, goals that overlap, a move that is legal under `or`.
PUSH = """
(role left) (role right)
(init (at 3)) (init (ground hard)) (init (turn 0))
(to 1 2) (to 2 3) (to 3 4) (to 4 5)
(after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6)
(<= (legal left ?m) (or (push ?m) (weak ?m)))
(<= (legal right ?m) (push ?m) (true (ground hard)))
(<= (legal right rest) (true (at ?x)) (distinct ?x 3))
(push hold) (push shove) (weak pull)
(<= (next (at ?y)) (true (at ?x)) (to ?x ?y) (does left shove) (not (does right shove)))
(<= (next (at ?y)) (true (at ?x)) (to ?y ?x) (does right shove) (not (does left shove)))
(<= (next (at ?x)) (true (at ?x)) (does left shove) (does right shove))
(<= (next (at ?x)) (true (at ?x)) (not (does left shove)) (not (does right shove)))
(<= (next (ground ?g)) (true (ground ?g)))
(<= (next (seen ?m)) (does left ?m))
(<= (next (turn ?n)) (true (turn ?m)) (after ?m ?n))
(<= terminal (true (at 1))) (<= terminal (true (at 5))) (<= terminal (true (turn 6)))
(<= (goal left 100) (true (at 5))) (<= (goal right 100) (true (at 1)))
(<= (goal left 40) (not (true (at 1)))) (<= (goal right 20) (not (true (at 5))))
"""

# Ends because a role has no legal move; one role; function terms inside function terms.
TOWER = """
(role builder)
(init (top (block ground)))
(<= (legal builder (put (on ?s))) (true (top (block ?s))) (distinct ?s (up (up (up ground)))))
(<= (legal builder (put (under ?s))) (true (top (block ?s))) (distinct ?s (up (up (up ground)))))
(next-of ground (up ground)) (next-of (up ground) (up (up ground))) (next-of (up (up ground)) (up (up (up ground))))
(<= (next (top (block ?t))) (does builder (put (on ?s))) (next-of ?s ?t))
(<= (next (top (block ?s))) (does builder (put (under ?s))) (not (true (tired ?s))))
(<= (next (tired ?s)) (does builder (put (under ?s))))
(<= (next (tired ?s)) (true (tired ?s)))
(<= terminal (not standing))
(<= standing (true (top ?x)))
(<= (goal builder 75) (true (top (block (up (up (up ground)))))))
"""

# Relations that depend on themselves: is there a way through the open cells?
MAZE = """
(role digger)
(cell 1) (cell 2) (cell 3) (cell 4) (cell 5) (cell 6)
(door 1 2) (door 2 3) (door 3 6) (door 1 4) (door 4 5) (door 5 6) (door 2 5)
(<= (joined ?x ?y) (door ?x ?y)) (<= (joined ?x ?y) (door ?y ?x))
(init (closed 2)) (init (closed 4)) (init (closed 6)) (init (fuel 4))
(<= (open ?x) (cell ?x) (not (true (closed ?x))))
(<= (reach 1) (open 1))
(<= (reach ?y) (reach ?x) (joined ?x ?y) (open ?y))
(<= (legal digger (dig ?x)) (true (closed ?x)))
(<= (legal digger (wall ?x)) (open ?x) (reach ?x) (distinct ?x 1))
(<= (next (closed ?x)) (true (closed ?x)) (not (does digger (dig ?x))))
(<= (next (closed ?x)) (does digger (wall ?x)))
(less 4 3) (less 3 2) (less 2 1) (less 1 0)
(<= (next (fuel ?m)) (true (fuel ?n)) (less ?n ?m))
(<= terminal (reach 6)) (<= terminal (true (fuel 0)))
(<= (goal digger 100) (reach 6)) (<= (goal digger 10) (not (reach 6)) (reach 5)) (<= (goal digger 0) (not (reach 5)))
"""

SHEETS = {"tic-tac-toe": TIC_TAC_TOE, "push": PUSH, "tower": TOWER, "maze": MAZE}


class Oracle:
    """A game by the letter: clingo solves all rules anew, as they stand in the sheet, for every question.

    It shares the parser with what it checks, and nothing else: relations and functions are tuples of strings here.
    """

    def __init__(self, sheet: RuleSheet) -> None:
        self.sheet = sheet
        self.rules = "\n".join(rule_text(rule) for rule in sheet.flat)

    def _solve(self, facts: Iterable[str]) -> list[clingo.Symbol]:
        control = clingo.Control(["--warn=none"])
        control.add("base", [], self.rules + "\n" + "\n".join(facts))
        control.ground([("base", [])])
        found: list[clingo.Symbol] = []
        control.solve(on_model=lambda model: found.extend(model.symbols(atoms=True)))
        return [symbol.arguments[0] for symbol in found]

    def holding(self, relation: str, fluents: Iterable[str], moves: Iterable[str] = ()) -> list[list[str]]:
        """The arguments, as KIF text, of all facts of a relation in a state with a joint move."""
        facts = [f'h(("true",{_text(fluent)})).' for fluent in fluents]
        facts += [
            f'h(("does",{_text(role)},{_text(move)})).' for role, move in zip(self.sheet.roles, moves, strict=False)
        ]
        return sorted(
            [_kif(argument, self.sheet) for argument in symbol.arguments[1:]]
            for symbol in self._solve(facts)
            if symbol.arguments[0].string == relation
        )

    def initial(self) -> list[str]:
        return [fluent for [fluent] in self.holding("init", ())]


def _text(kif: str) -> str:
    [sexpr] = parse(kif)
    return _term(build_term(sexpr))


def _term(term: Term) -> str:
    if isinstance(term, Variable):
        return "V" + term.name.encode().hex()
    if isinstance(term, Function):
        return f'("{term.name}",{",".join(map(_term, term.args))})'
    return f'"{term.name}"'


def _atom(atom: Atom) -> str:
    return f'h(("{atom.relation}",{",".join(map(_term, atom.args))}))'


def _literal(literal: Literal) -> str:
    if isinstance(literal.atom, Distinct):
        return f"{_term(literal.atom.left)} {'!=' if literal.positive else '='} {_term(literal.atom.right)}"
    return ("" if literal.positive else "not ") + _atom(literal.atom)


def rule_text(rule: FlatRule) -> str:
    """A rule in clingo's language."""
    body = ", ".join(map(_literal, rule.body))
    return f"{_atom(rule.head)}{' :- ' if body else ''}{body}."


def _kif(symbol: clingo.Symbol, sheet: RuleSheet) -> str:
    if symbol.type is clingo.SymbolType.String:
        return sheet.spelling.get(symbol.string, symbol.string)
    return f"({' '.join(_kif(argument, sheet) for argument in symbol.arguments)})"


def sheet_of(name: str) -> RuleSheet:
    """One of the small sheets."""
    return parse_sheet(SHEETS[name], file=f"{name}.kif")
