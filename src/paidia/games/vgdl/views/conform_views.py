"""Compare recorded observations: what an agent saw, the history of events, the forward model, games of doing
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from paidia.core.errors import PaidiaError
from paidia.games.vgdl.engine.game import VgdlGame, VgdlState
from paidia.games.vgdl.views.conform import Outcome, Record, load_recorded, read_lines, shown
from paidia.games.vgdl.views.observation import WINNERS, Observation, StateObservation

__all__ = ["conform_views", "view_as_record"]

WORD = 2**32
LISTS = {
    "npc": StateObservation.get_npc_positions,
    "imm": StateObservation.get_immovable_positions,
    "mov": StateObservation.get_movable_positions,
    "rsc": StateObservation.get_resources_positions,
    "por": StateObservation.get_portals_positions,
    "fav": StateObservation.get_from_avatar_sprites_positions,
}


def conform_views(rules: Path, path: Path, records: list[Record]) -> Iterator[Outcome]:
    """Compare the records of one game; the actions are in the trace of the same game beside this folder."""
    name = path.name.removesuffix(".jsonl.gz")
    try:
        head = next(record for record in records if record["kind"] == "head")
        game = load_recorded(rules, name, int(head["level"]))
        actions = recorded_actions(path.parent.parent / "golden" / path.name, int(head["level"]))
        run = _Run(game, head, actions, records)
    except (PaidiaError, KeyError, TypeError, ValueError, IndexError) as error:
        yield name, False, f"{type(error).__name__}: {error}"
        return
    for record in records:
        kind = str(record.get("kind"))
        id = f"{name} level {head['level']} {kind}" + (f" at {record['at']}" if "at" in record else "")
        compare: Callable[[Record], str] | None = getattr(run, "compare_" + kind, None)
        try:
            problem = compare(record) if compare else f"unknown kind of record {kind!r}"
        except (PaidiaError, KeyError, TypeError, ValueError, IndexError) as error:
            problem = f"{type(error).__name__}: {error}"
        yield id, not problem, problem


def recorded_actions(path: Path, level: int) -> list[str]:
    """The actions of the first trace of a level."""
    for record in read_lines(path):
        if record["level"] == level and record["kind"] in ("trace", "seeded_trace") and "extra" not in record:
            return [str(tick["a"]) for tick in record["ticks"]]
    raise ValueError(f"{path} has no trace of level {level}")


class _Run:
    """One replayed game and one advanced forward model, seen at the recorded moments."""

    def __init__(self, game: VgdlGame, head: Record, actions: list[str], records: list[Record]) -> None:
        self.game, self.head = game, head
        seed = int(head["engine_seed"])
        wanted = {record["at"] for record in records if record["kind"] in ("obs", "last")}
        stepped = {record["at"] for record in records if record["kind"] == "fm"}
        state: VgdlState = game.initial_state(seed)
        model = StateObservation(state, seed=seed, grid_memory=True)
        self.seen: dict[int, Record] = {}
        self.model: dict[int, Record] = {}
        for at in range(len(actions) + 1):
            if at in wanted:
                self.seen[at] = view_as_record(StateObservation(state), state)
            if at in stepped:
                self.model[at] = view_as_record(model, model._state)
            if at == len(actions):
                break
            if model.get_game_tick() == at and stepped:
                model.advance(actions[at] if actions[at] in model.get_available_actions() else "NIL")
            state.play(actions[at])
        self.last = state

    def compare_head(self, record: Record) -> str:
        game = self.game
        ours = {
            "block": game.block,
            "w": game.width,
            "h": game.height,
            "types": list(game.types),
            "world": [game.width * game.block, game.height * game.block],
            "executed": self.last.tick,
            "ended": self.last.terminal,
        }
        return first_difference(record, ours)

    def compare_obs(self, record: Record) -> str:
        return first_difference(record, self.seen[record["at"]])

    def compare_last(self, record: Record) -> str:
        ours = dict(self.seen[record["at"]])
        if self.last.terminal:
            ours["tick"] -= 1  # the game's own last observation is made before its clock moves on
        return first_difference(record, ours)

    def compare_events(self, record: Record) -> str:
        ours = [list(event) for event in self.last.events()]
        for index, (a, b) in enumerate(zip(record["list"], ours, strict=False)):
            if a != b:
                return f"event {index}: expected {a}, got {b}"
        return "" if len(ours) == len(record["list"]) else f"expected {len(record['list'])} events, got {len(ours)}"

    def compare_fm(self, record: Record) -> str:
        return first_difference(record, self.model[record["at"]])

    def compare_nil_end(self, record: Record) -> str:
        for one in (record, *record.get("other_seeds", ())):
            state: VgdlState = self.game.initial_state(int(one["seed"]))
            while not state.terminal:
                state.play("NIL")
            ours = {
                "tick": state.tick - 1,
                "score": state.score,
                "winner": WINNERS[state.winner],
                "alive": state.alive,
                "h": state.checksum(),
            }
            problem = first_difference(one, ours)
            if problem:
                return f"seed {one['seed']}: {problem}"
        return ""


def first_difference(record: Record, ours: Record) -> str:
    """The first key of ours that the record has with another value."""
    for key, value in ours.items():
        if key in record and record[key] != value:
            return f"{key}: expected {shown(record[key], value)}"
    return ""


def view_as_record(view: StateObservation, state: VgdlState) -> Record:
    """Everything that an observation answers, in the form of the golden records."""
    grid = view.get_observation_grid() if view._grid_memory else None
    lists = {key: as_entries(ask(view)) for key, ask in LISTS.items()}
    grid = grid if grid is not None else view.get_observation_grid()
    health = (
        view.get_avatar_health_points(),
        view.get_avatar_max_health_points(),
        view.get_avatar_limit_health_points(),
    )
    return {
        "tick": view.get_game_tick(),
        "score": view.get_game_score(),
        "winner": view.get_game_winner(),
        "over": view.is_game_over(),
        "alive": view.is_avatar_alive(),
        "act": view.get_available_actions(),
        "actnil": view.get_available_actions(True),
        "lastact": view.get_avatar_last_action(),
        "pos": list(view.get_avatar_position()),
        "speed": view.get_avatar_speed(),
        "ori": [round(part, 4) for part in view.get_avatar_orientation()],
        "atype": view.get_avatar_type(),
        "res": {str(key): n for key, n in view.get_avatar_resources().items()},
        "hp": list(health),
        **lists,
        "gn": sum(len(cell) for column in grid for cell in column),
        "gh": grid_hash(grid),
        "go": order_hash(grid),
        "grid": [[sorted([seen.category, seen.itype] for seen in cell) for cell in column] for column in grid],
        "ne": len(view.get_historic_events_history()),
        "h": state.checksum(),
    }


def as_entries(lists: list[list[Observation]] | None) -> list[Any] | None:
    """A category list in the form of the golden records."""
    if lists is None:
        return None
    entries: list[Any] = []
    for seen in lists:
        if not seen:
            entries.append([])
            continue
        places = ids = 0
        for one in seen:
            places = (places * 31 + (one.position[0] + 10000) * 7919 + one.position[1] + 10000) % WORD
            ids = (ids * 31 + one.id) % WORD
        entries.append(
            {
                "i": seen[0].itype,
                "c": sorted({one.category for one in seen}),
                "n": len(seen),
                "p": sorted(list(one.position) for one in seen),
                "oh": places,
                "ih": ids,
            }
        )
    return entries


def grid_hash(grid: list[list[list[Observation]]]) -> int:
    """A sum over all entries that does not depend on their order."""
    total = 0
    for x, column in enumerate(grid):
        for y, cell in enumerate(column):
            place = ((x + 10000) * 19349663 % WORD) ^ ((y + 10000) * 83492791 % WORD)
            for seen in cell:
                total += ((seen.itype + 1) * 73856093 % WORD) ^ place ^ ((seen.category + 1) * 2654435761 % WORD)
    return total % WORD


def order_hash(grid: list[list[list[Observation]]]) -> int:
    """A sum over all cells that depends on the order in each and on the ids."""
    total = 0
    for x, column in enumerate(grid):
        for y, cell in enumerate(column):
            value = 0
            for seen in cell:
                value = (value * 31 + (seen.category * 1000 + seen.itype + 1) * 1009 + seen.id) % WORD
            total += value * (x * 131 + y + 1)
    return total % WORD
