"""Rules that compute only what somebody asks for (magic sets: Bancilhon, Maier, Sagiv, Ullman 1986; Beeri, Ramakrishnan 1991).

Evaluated bottom-up, a relation such as "this square is attacked after that move" is worked out for all squares and all moves,
though one king and thirty moves are asked about. Here some relations are made on demand: `p` becomes `p(bf)`, with a letter for
each argument (b: known when it is asked for), and a relation `?p(bf)` that holds what was asked. A rule of `p(bf)` begins with
`?p(bf)`; every condition on a relation on demand, denied or not, gets a rule that asks for it with what the conditions before
it know. A denial has to be settled before the rule that holds it is evaluated, so in a recursive rule a denied condition is asked
for with what the conditions outside the recursion know. Where a question would still wait for its own answer, the relation that
is denied stays as it is.

Legal moves and the end are evaluated before a joint move is known, goals and the next state later, so a question may not be
asked in one part and answered in another: relations on demand exist once for each class of those who ask (those that
`legal` or `terminal` need, those of `goal` only, those of `next` only, those of both).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from paidia.core.machine.alarm import check
from paidia.games.gdl.language.dependence import Node, components, dependence, reachable, split
from paidia.games.gdl.language.rules import Atom, Constant, Distinct, FlatRule, Function, Literal, Term, variables

__all__ = ["on_demand", "plain_name", "plain_signature"]

Signature = tuple[str, int]

_PARTS = {"legal": 2, "terminal": 0, "goal": 2, "next": 1}
_NEVER = {"true", "does", "legal", "terminal", "goal", "next", "init", "role", "base", "input"}

MOST_RULES = 20_000


def plain_name(relation: str) -> str:
    """The relation of the sheet that a relation of these rules comes from."""
    return relation.lstrip("?").partition("(")[0]


def on_demand(rules: Collection[FlatRule], wanted: Iterable[Signature]) -> list[FlatRule]:
    """The same game with some relations on demand; those that cannot be (asking would have to wait for the answer) stay."""
    wanted = {signature for signature in wanted if signature[0] not in _NEVER}
    while True:
        found = _Rewriter(rules, wanted).rules()
        denied, others = _unsettled(found)
        bad = denied & wanted or others & wanted
        if not bad:
            return found if len(found) <= MOST_RULES else list(rules)
        wanted -= bad


def plain_signature(signature: Signature) -> Signature:
    """The same with the number of its arguments."""
    name, arity = signature
    return plain_name(name), len(name.rpartition(" ")[2]) - 1 if "(" in name else arity


def _unsettled(rules: Collection[FlatRule]) -> tuple[set[Signature], set[Signature]]:
    """The relations of the sheet in circles that go through a denial: those that are denied there, and all."""
    node = split(rules)
    groups = components(graph := dependence(rules, node))
    own = {member: number for number, group in enumerate(groups) for member in group}
    wrong = {to for at, edges in graph.items() for to, denied in edges.items() if denied and own[to] == own[at]}
    members = {member for denied in wrong for member in groups[own[denied]]}
    return {plain_signature(to[:2]) for to in wrong}, {plain_signature(member[:2]) for member in members}


class _Rewriter:
    """Rewrites rules, following the questions."""

    def __init__(self, rules: Collection[FlatRule], wanted: set[Signature]) -> None:
        self._rules: dict[Signature, list[FlatRule]] = {}
        for rule in rules:
            self._rules.setdefault(rule.head.signature, []).append(rule)
        self._wanted = {signature for signature in wanted if signature in self._rules}
        self._done: list[FlatRule] = []
        self._asked: dict[tuple[str, int, str, str], None] = {}  # relation, number of arguments, letters, class
        self._pending: list[tuple[str, int, str, str]] = []
        self._class_of = self._classes(rules)
        graph = dependence(rules, _signature_node)
        self._circle = {node[:2]: number for number, group in enumerate(components(graph)) for node in group}

    @staticmethod
    def _classes(rules: Collection[FlatRule]) -> dict[Signature, str]:
        graph = dependence(rules, _signature_node)
        reached = {name: {node[:2] for node in reachable(graph, [(name, arity, ())])} for name, arity in _PARTS.items()}
        first = reached["legal"] | reached["terminal"]
        classes = {}
        for signature in {node[:2] for node in graph}:
            later = ("g" if signature in reached["goal"] else "") + ("n" if signature in reached["next"] else "")
            classes[signature] = "p" if signature in first or not later else later
        return classes

    def rules(self) -> list[FlatRule]:
        """All rules."""
        for signature, own in self._rules.items():
            if signature not in self._wanted:
                for rule in own:
                    self._rewrite(rule, rule.head, (), self._class_of[signature])
        while self._pending:
            relation, arity, letters, who = self._pending.pop()
            for rule in self._rules[relation, arity]:
                known = tuple(arg for arg, letter in zip(rule.head.args, letters, strict=True) if letter == "b")
                head = Atom(_name(relation, letters, who), rule.head.args, rule.head.place)
                ask = (Literal(Atom("?" + head.relation, known, rule.place)),) if "b" in letters else ()
                self._rewrite(rule, head, ask, who)
            if len(self._done) > MOST_RULES:
                break
        return self._done

    def _rewrite(self, rule: FlatRule, head: Atom, ask: tuple[Literal, ...], who: str) -> None:
        before = list(ask)
        outside = list(ask)  # those before that have nothing to do with the recursion
        bound = {v.name for literal in ask for v in variables(literal)}
        rest = list(rule.body)
        circle = self._circle[rule.head.signature]
        while rest:
            check()
            literal = min(rest, key=lambda x: self._rank(x, bound))
            rest.remove(literal)
            atom = literal.atom
            if isinstance(atom, Atom) and atom.signature in self._wanted:
                source = before if literal.positive else outside
                known_here = {v.name for x in source for v in variables(x) if x.positive and isinstance(x.atom, Atom)}
                inside = self._circle.get(atom.signature) == circle  # a term that is made there could grow for ever
                letters = "".join(
                    "b" if _known(arg, known_here) and not (inside and _makes_term(arg)) else "f" for arg in atom.args
                )
                call = Atom(_name(atom.relation, letters, who), atom.args, atom.place)
                if "b" in letters:
                    known = tuple(arg for arg, letter in zip(atom.args, letters, strict=True) if letter == "b")
                    question = Atom("?" + call.relation, known, atom.place)
                    if not (ask and question == ask[0].atom):  # who asks for itself says nothing
                        # A test of what only the recursion knows is left out: more is asked for than need be, nothing is lost.
                        sure = (x for x in source if all(v.name in known_here for v in variables(x)))
                        self._done.append(FlatRule(question, tuple(sure), rule.place))
                key = (*atom.signature, letters, who)
                if key not in self._asked:
                    self._asked[key] = None
                    self._pending.append(key)
                literal = Literal(call, literal.positive)
            before.append(literal)
            if not (isinstance(atom, Atom) and self._circle.get(atom.signature) == circle):
                outside.append(literal)
            bound |= {v.name for v in variables(literal)}
        self._done.append(FlatRule(head, tuple(before), rule.place))

    def _rank(self, literal: Literal, bound: set[str]) -> tuple[int, int]:
        """Which condition comes next: tests; then what leaves the fewest variables open, questions a little later; last what
        knows nothing yet.
        """
        free = len({v.name for v in variables(literal)} - bound)
        atom = literal.atom
        wanted = isinstance(atom, Atom) and atom.signature in self._wanted
        if isinstance(atom, Distinct) or not literal.positive:
            return (3, 0) if free else (0, wanted)
        if any(_has_known(arg, bound) for arg in atom.args):
            return (1, free + wanted) if free else (0, wanted)
        return 2, free + (100 if wanted else 0)


def _signature_node(atom: Atom) -> Node:
    return *atom.signature, ()


def _name(relation: str, letters: str, who: str) -> str:
    return f"{relation}({who} {letters})"  # no word of a sheet has a parenthesis


def _known(term: Term, bound: set[str]) -> bool:
    return all(name in bound for name in _names(term))


def _makes_term(term: Term) -> bool:
    return isinstance(term, Function) and any(True for _ in _names(term))


def _has_known(term: Term, bound: set[str]) -> bool:
    if isinstance(term, Constant):
        return True
    if isinstance(term, Function):
        return any(_has_known(arg, bound) for arg in term.args)
    return term.name in bound


def _names(term: Term) -> Iterable[str]:
    if isinstance(term, Function):
        for arg in term.args:
            yield from _names(arg)
    elif not isinstance(term, Constant):
        yield term.name
