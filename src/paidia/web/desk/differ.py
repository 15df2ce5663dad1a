"""Where two searches of the same position differ: move by move, and as deep as both trees reach."""

from __future__ import annotations

from typing import Any

from paidia.web.desk.look import SearchLook

__all__ = ["compare"]


def compare(one: SearchLook, other: SearchLook, path: list[str]) -> dict[str, Any]:
    """The moves after `path` in both trees: visits as shares of all of the role, means, and the difference of shares."""
    sides = [one.below(path), other.below(path)]
    totals = [_totals(side or []) for side in sides]
    rows: dict[tuple[int, str], dict[str, Any]] = {}
    for number, side in enumerate(sides):
        for row in side or []:
            entry = rows.setdefault((row["role"], row["move"]), {"move": row["move"], "role": row["role"]})
            entry["ab"[number]] = {
                "visits": row["visits"],
                "share": row["visits"] / totals[number][row["role"]],
                "mean": row["mean"],
            }
    for entry in rows.values():
        entry["gap"] = entry.get("a", {}).get("share", 0.0) - entry.get("b", {}).get("share", 0.0)
    found = sorted(rows.values(), key=lambda row: -abs(row["gap"]))
    lines = [_line(one), _line(other)]
    parting = next((i for i, (x, y) in enumerate(zip(*lines, strict=False)) if x != y), min(map(len, lines)))
    roles = {row["role"] for row in found if row["role"] >= 0} or {-1}
    distance = sum(abs(row["gap"]) for row in found if row["role"] in roles) / 2 / len(roles)
    return {
        "path": path, "rows": found[:200], "reached": [side is not None for side in sides],
        "joint": any(row["role"] == -1 for row in found),
        "labels": [one.label, other.label], "lines": lines, "parting": parting, "distance": distance,
    }  # fmt: skip


def _totals(rows: list[dict[str, Any]]) -> dict[int, int]:
    """The visits of each role's moves, -1 for joint moves; where all move at once, each has its own."""
    return {role: sum(row["visits"] for row in rows if row["role"] == role) or 1 for role in {row["role"] for row in rows}}


def _line(look: SearchLook) -> list[str]:
    return [step["move"] for step in look.summary()["line"]]
