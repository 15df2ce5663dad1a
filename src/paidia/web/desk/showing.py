"""What the page is shown of a table: a step of its time line, or a tick of a video game as it is played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from paidia.core.errors import BadInput
from paidia.core.model import Situation

if TYPE_CHECKING:
    from paidia.web.desk.table import TableDesk

__all__ = ["show", "show_frame"]


def _scene(table: TableDesk, state: Situation) -> dict[str, Any]:
    """The picture; of a video game only the symbols that the page has not seen."""
    scene = state.picture()
    if table.video:
        fresh = {name: shapes for name, shapes in scene.symbols.items() if name not in table.sent_symbols}
        table.sent_symbols |= set(fresh)
        scene = msgspec.structs.replace(scene, symbols=fresh)
    plain: dict[str, Any] = msgspec.to_builtins(scene)
    return plain


def _last(table: TableDesk, step: int) -> list[str]:
    """The spots of the last step."""
    if step == 0 or table.video:
        return []
    before = table.states[step - 1]
    joint = enumerate(table.joints[step - 1])
    return [spot for role, move in joint if move is not None for spot in before.touched(role, move)]


def show(table: TableDesk, step: int) -> None:
    """A step of the time line: the picture, and what people may do if it is the last one."""
    if not 0 <= step < len(table.states):
        raise BadInput(f"the time line has steps 0 to {len(table.states) - 1}")
    state = table.states[step]
    moves: dict[str, Any] = {}
    if not table.video and not state.terminal:
        for role in range(table.game.n_roles):
            legal = state.legal(role)
            if legal and (state.mover in (None, role)):
                moves[str(role)] = [[table.game.move_name(role, m), state.touched(role, m)] for m in legal[:3000]]
    table.post.say(
        position={
            "step": step, "steps": len(table.joints), "scene": _scene(table, state), "moves": moves, "mover": state.mover,
            "terminal": state.terminal, "last": _last(table, step),
            "goals": table.laws.goals(state, "terminal", None) if state.terminal else None,
            "names": table.names_of(table.joints[step - 1]) if step else [], "used": table.used, "clock": table.clock,
            "pending": sorted(table.pending), "live": step == len(table.joints) and table.playing and table.result is None,
            "score": table.laws.score(state),
            "roots": table.opened.roots[step] if table.opened is not None and step < len(table.opened.roots) else None,
        }
    )  # fmt: skip


def show_frame(table: TableDesk, step: int, thoughts: dict[str, Any] | None) -> None:
    """A tick of a video game as it is now."""
    state = table.state
    fresh = len(table.sent_symbols)
    frame = {
        "step": step, "steps": step, "scene": _scene(table, state), "names": table.names_of(table.joints[-1]),
        "terminal": state.terminal, "score": table.laws.score(state), "thoughts": thoughts, "late": table.late,
        "ticks": table.ticks,
    }  # fmt: skip
    # a frame with new symbols must arrive, any other may be replaced by a newer one
    (table.post.say if len(table.sent_symbols) > fresh or state.terminal or thoughts else table.post.show)(frame=frame)
