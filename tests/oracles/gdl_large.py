"""Rule sheets that are hard to evaluate bottom-up: paths by transitive closure, and chess with its kings in check."""

from __future__ import annotations

__all__ = ["chess", "connection", "stepping"]


def _facts(relation: str, rows: list[tuple[object, ...]]) -> str:
    return " ".join(f"({relation} {' '.join(map(str, row))})" for row in rows)


def connection(side: int, *, doubled: bool = True) -> str:
    """A connection game on a rhombus (as hex): white joins top and bottom, black left and right.

    Groups are the transitive closure of neighbourhood, asked for all pairs; `doubled` joins two paths, not a path and a step.
    """
    cells = [(x, y) for x in range(side) for y in range(side)]
    steps = [(0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)]
    near = [
        (f"c{x}x{y}", f"c{x + a}x{y + b}")
        for x, y in cells
        for a, b in steps
        if 0 <= x + a < side and 0 <= y + b < side
    ]
    longer = "(path ?p ?b ?c)" if doubled else "(near ?b ?c) (true (stone ?p ?c))"
    return f"""
(role white) (role black) (init (control white)) (other white black) (other black white)
{_facts("cell", [(f"c{x}x{y}",) for x, y in cells])} {_facts("near", near)}
{_facts("edge white first", [(f"c{x}x0",) for x in range(side)])}
{_facts("edge white last", [(f"c{x}x{side - 1}",) for x in range(side)])}
{_facts("edge black first", [(f"c0x{y}",) for y in range(side)])}
{_facts("edge black last", [(f"c{side - 1}x{y}",) for y in range(side)])}
(<= (taken ?c) (true (stone ?p ?c)))
(<= (legal ?p (put ?c)) (true (control ?p)) (cell ?c) (not (taken ?c)))
(<= (legal ?p noop) (true (control ?q)) (other ?q ?p))
(<= (next (stone ?p ?c)) (does ?p (put ?c)))
(<= (next (stone ?p ?c)) (true (stone ?p ?c)))
(<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
(<= (path ?p ?a ?b) (near ?a ?b) (true (stone ?p ?a)) (true (stone ?p ?b)))
(<= (path ?p ?a ?c) (path ?p ?a ?b) {longer})
(<= (joined ?p) (edge ?p first ?a) (edge ?p last ?b) (path ?p ?a ?b))
(<= terminal (joined ?p)) (<= (open) (cell ?c) (not (taken ?c))) (<= terminal (not (open)))
(<= (goal ?p 100) (joined ?p)) (<= (goal ?p 0) (joined ?q) (other ?q ?p))
(<= (goal ?p 50) (role ?p) (not (joined white)) (not (joined black)))
"""


def stepping(length: int) -> str:
    """A walker on a line of fields may go as far as it has steps; how far fields lie apart is a relation of three numbers."""
    succ = _facts("succ", [(i, i + 1) for i in range(length)])
    return f"""
(role p) (init (at 0)) (init (step 0)) {succ} (number 0) (<= (number ?b) (succ ?a ?b))
(<= (sum ?a 0 ?a) (number ?a)) (<= (sum ?a ?b ?c) (succ ?b1 ?b) (succ ?c1 ?c) (sum ?a ?b1 ?c1))
(<= (reach ?a ?b ?n) (sum ?a ?n ?b)) (<= (chain ?a ?b ?c) (sum ?a ?b ?c))
(<= (chain ?a ?b ?c) (sum ?x ?b ?y) (succ ?x ?a) (succ ?y ?c))
(<= (legal p (go ?n)) (true (at ?a)) (few ?n) (reach ?a ?b ?n) (chain ?a ?n ?b)) (few 1) (few 2) (few 3)
(<= (legal p stay) (true (at ?a)))
(<= (next (at ?b)) (true (at ?a)) (does p (go ?n)) (reach ?a ?b ?n)) (<= (next (at ?a)) (true (at ?a)) (does p stay))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= terminal (true (step 20))) (<= (goal p 100) (true (at ?a)) (distinct ?a 0)) (<= (goal p 0) (true (at 0)))
"""


def chess() -> str:
    """Chess without castling, promotion choice and en passant, in which no move may leave the own king attacked.

    Whether a square is attacked after a move is a relation over six coordinates: in full it has 262,144 rows a piece.
    """
    lines = []
    for name, steps in {
        "rook": [(0, 1), (1, 0), (0, -1), (-1, 0)],
        "bishop": [(1, 1), (1, -1), (-1, 1), (-1, -1)],
    }.items():
        for kind in (name, "queen"):
            lines += [f"(slides {kind} d{a + 1}{b + 1})" for a, b in steps]
    shifts = []
    for a in (-1, 0, 1):
        for b in (-1, 0, 1):
            if a or b:
                shifts += [
                    (f"d{a + 1}{b + 1}", x, y, x + a, y + b)
                    for x in range(1, 9)
                    for y in range(1, 9)
                    if 1 <= x + a <= 8 and 1 <= y + b <= 8
                ]
    leaps = [
        (kind, x, y, x + a, y + b)
        for kind, moves in {
            "knight": [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)],
            "king": [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b],
        }.items()
        for x in range(1, 9)
        for y in range(1, 9)
        for a, b in moves
        if 1 <= x + a <= 8 and 1 <= y + b <= 8
    ]
    pawns = [
        (who, x, y, x + a, y + (1 if who == "white" else -1))
        for who in ("white", "black")
        for x in range(1, 9)
        for y in range(2, 8)
        for a in (-1, 1)
        if 1 <= x + a <= 8
    ]
    ahead = [
        (who, x, y, x, y + (1 if who == "white" else -1)) for who in ("white", "black") for x in range(1, 9) for y in range(2, 8)
    ]
    back = ["rook", "knight", "bishop", "queen", "king", "bishop", "knight", "rook"]
    start = [(x, 1, "white", back[x - 1]) for x in range(1, 9)] + [(x, 2, "white", "pawn") for x in range(1, 9)]
    start += [(x, 8, "black", back[x - 1]) for x in range(1, 9)] + [(x, 7, "black", "pawn") for x in range(1, 9)]
    return f"""
(role white) (role black) (other white black) (other black white) (init (control white)) (init (ply 0))
{" ".join(lines)} {_facts("shift", shifts)} {_facts("leap", leaps)} {_facts("strikes", pawns)} {_facts("ahead", ahead)}
{" ".join(f"(init (at {x} {y} {who} {kind}))" for x, y, who, kind in start)}
{_facts("succ", [(i, i + 1) for i in range(200)])} {_facts("index", [(i,) for i in range(1, 9)])}
(<= (square ?x ?y) (index ?x) (index ?y))
(<= (held ?x ?y) (true (at ?x ?y ?p ?k)))
(<= (slide ?x ?y ?u ?v ?d) (shift ?d ?x ?y ?u ?v))
(<= (slide ?x ?y ?u ?v ?d) (slide ?x ?y ?s ?t ?d) (not (held ?s ?t)) (shift ?d ?s ?t ?u ?v))
(<= (reaches ?p ?x ?y ?u ?v) (true (at ?x ?y ?p ?k)) (slides ?k ?d) (slide ?x ?y ?u ?v ?d))
(<= (reaches ?p ?x ?y ?u ?v) (true (at ?x ?y ?p ?k)) (leap ?k ?x ?y ?u ?v))
(<= (own ?p ?x ?y) (true (at ?x ?y ?p ?k)))
(<= (goes ?p ?x ?y ?u ?v) (reaches ?p ?x ?y ?u ?v) (not (own ?p ?u ?v)))
(<= (goes ?p ?x ?y ?u ?v) (true (at ?x ?y ?p pawn)) (ahead ?p ?x ?y ?u ?v) (not (held ?u ?v)))
(<= (goes ?p ?x ?y ?u ?v) (true (at ?x ?y ?p pawn)) (strikes ?p ?x ?y ?u ?v) (other ?p ?q) (own ?q ?u ?v))
(<= (after ?x ?y ?u ?v ?a ?b ?p ?k) (square ?x ?y) (square ?u ?v) (true (at ?a ?b ?p ?k))
  (not (same ?a ?b ?x ?y)) (not (same ?a ?b ?u ?v)))
(<= (after ?x ?y ?u ?v ?u ?v ?p ?k) (square ?u ?v) (true (at ?x ?y ?p ?k)))
(<= (same ?x ?y ?x ?y) (square ?x ?y))
(<= (held_after ?x ?y ?u ?v ?a ?b) (after ?x ?y ?u ?v ?a ?b ?p ?k))
(<= (line_after ?x ?y ?u ?v ?a ?b ?c ?d ?w) (square ?x ?y) (square ?u ?v) (shift ?w ?a ?b ?c ?d))
(<= (line_after ?x ?y ?u ?v ?a ?b ?c ?d ?w) (line_after ?x ?y ?u ?v ?a ?b ?e ?f ?w)
  (not (held_after ?x ?y ?u ?v ?e ?f)) (shift ?w ?e ?f ?c ?d))
(<= (attacked_after ?x ?y ?u ?v ?c ?d ?q) (after ?x ?y ?u ?v ?a ?b ?q ?k) (slides ?k ?w) (line_after ?x ?y ?u ?v ?a ?b ?c ?d ?w))
(<= (attacked_after ?x ?y ?u ?v ?c ?d ?q) (after ?x ?y ?u ?v ?a ?b ?q ?k) (leap ?k ?a ?b ?c ?d))
(<= (attacked_after ?x ?y ?u ?v ?c ?d ?q) (after ?x ?y ?u ?v ?a ?b ?q pawn) (strikes ?q ?a ?b ?c ?d))
(<= (exposed ?p ?x ?y ?u ?v) (after ?x ?y ?u ?v ?c ?d ?p king) (other ?p ?q) (attacked_after ?x ?y ?u ?v ?c ?d ?q))
(<= (can ?p ?x ?y ?u ?v) (goes ?p ?x ?y ?u ?v) (not (exposed ?p ?x ?y ?u ?v)))
(<= (some ?p) (can ?p ?x ?y ?u ?v))
(<= (legal ?p (move ?x ?y ?u ?v)) (true (control ?p)) (can ?p ?x ?y ?u ?v))
(<= (legal ?p pass) (true (control ?p)) (not (some ?p)))
(<= (legal ?p noop) (true (control ?q)) (other ?q ?p))
(<= (next (at ?u ?v ?p ?k)) (does ?p (move ?x ?y ?u ?v)) (true (at ?x ?y ?p ?k)))
(<= (next (at ?a ?b ?q ?k)) (does ?p (move ?x ?y ?u ?v)) (true (at ?a ?b ?q ?k))
  (not (same ?a ?b ?x ?y)) (not (same ?a ?b ?u ?v)))
(<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
(<= (next (ply ?n)) (true (ply ?m)) (succ ?m ?n))
(<= (mated ?p) (true (control ?p)) (not (some ?p)))
(<= terminal (mated ?p)) (<= terminal (true (ply 200)))
(<= (goal ?p 0) (mated ?p)) (<= (goal ?q 100) (mated ?p) (other ?p ?q))
(<= (goal ?p 50) (role ?p) (not (mated white)) (not (mated black)))
"""
