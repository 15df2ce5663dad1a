"""What an agent is shown: the state observation of the GVGAI competitions, in snake case.

A `StateObservation` wraps a private copy of a state. It can be copied and advanced like the original and
answers the same questions, with the same lists in the same order. Two habits of the original need a memory,
which starts afresh with every copy: a list of sprites stays (empty) after its type has died out, and the
observation grid keeps the order in which sprites came into a cell and shows hidden ones after the first
advance. The grid's memory costs time in every advance, so it is only kept with `grid_memory=True`; without it
the grid is that of a fresh copy.

Where two play, `advance` takes an action for each, and what is asked about an avatar, a score or a winner is asked about a
`player`, 0 or 1.

Search inside paidia does not use this class but the kernel side of `core.arcade`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from paidia.core.arcade import CATEGORIES, action_id
from paidia.games.vgdl.engine.game import VgdlGame, VgdlState

__all__ = ["Event", "Observation", "StateObservation"]

WINNERS = {-1: "NO_WINNER", 0: "PLAYER_LOSES", 1: "PLAYER_WINS"}
Vector = tuple[float, float]


@dataclass(slots=True)
class Observation:
    """One sprite as an agent sees it; the distance is the square of the Euclidean one, to the reference
    position.
    """

    category: int
    itype: int
    id: int
    position: tuple[int, int]
    reference: Vector = (-1.0, -1.0)

    @property
    def square_distance(self) -> float:
        return (self.position[0] - self.reference[0]) ** 2 + (self.position[1] - self.reference[1]) ** 2


class Event(NamedTuple):
    """The avatar, or a sprite it shot (`from_avatar`), met another sprite."""

    tick: int
    active_type: int
    passive_type: int
    from_avatar: bool
    position: tuple[int, int]
    active_id: int
    passive_id: int


class _Placed:
    """A sprite in the observation grid and the cells that show it."""

    __slots__ = ("cells", "seen")

    def __init__(self, seen: Observation, cells: list[tuple[int, int]]) -> None:
        self.seen = seen
        self.cells = cells


class StateObservation:
    """A private copy of a game's state, as agents get it."""

    def __init__(self, state: VgdlState, *, seed: int | None = None, grid_memory: bool = False) -> None:
        """`seed` starts the copy's own generator, so that it cannot foresee what chance does in the game."""
        self._state: VgdlState = state.copy()
        if seed is not None:
            self._state.seed(seed)
        self._game: VgdlGame = self._state.game
        self._hidden = [bool(row) and row["hidden"] for row in self._game.tables.types]
        self._known = [bits if not hidden else 0 for bits, hidden in zip(self._state.categories(), self._hidden, strict=True)]
        self._visible = [bool(bits) for bits in self._known]
        self._grid_memory = grid_memory
        self._placed: dict[int, _Placed] = {}
        self._grid: list[list[list[Observation]]] = []
        if grid_memory:
            self._fresh_grid()

    # ------------------------------------------------------------------ forward model

    def copy(self, *, seed: int | None = None) -> StateObservation:
        """An independent copy; its memory starts afresh."""
        return StateObservation(self._state, seed=seed, grid_memory=self._grid_memory)

    def advance(self, action: str | int | Sequence[str | int]) -> None:
        """Play one tick. Actions are not checked against the avatar's list; nothing happens after the end."""
        if not self._state.terminal:
            actions = [action] if isinstance(action, str | int) else list(action)
            self._state.advance([action_id(one) for one in actions])
            if self._grid_memory:
                self._refresh_grid()

    def set_new_seed(self, seed: int) -> None:
        self._state.seed(seed)

    # ------------------------------------------------------------------ the game

    def get_no_players(self) -> int:
        return self._game.n_roles

    def get_available_actions(self, include_nil: bool = False, *, player: int = 0) -> list[str]:
        if self._state.terminal:
            return []
        actions = self._state.action_list(player)
        return [*actions, "NIL"] if include_nil else actions

    def get_game_score(self, player: int = 0) -> float:
        return self._state.scores[player]

    def get_game_tick(self) -> int:
        return self._state.tick

    def get_game_winner(self) -> str:
        return WINNERS[self._state.winner]

    def get_multi_game_winner(self) -> list[str]:
        return [WINNERS[winner] for winner in self._state.winners]

    def is_game_over(self) -> bool:
        return self._state.winner != -1

    def get_world_dimension(self) -> tuple[int, int]:
        return self._game.width * self._game.block, self._game.height * self._game.block

    def get_block_size(self) -> int:
        return self._game.block

    # ------------------------------------------------------------------ the avatar

    def get_avatar_position(self, player: int = 0) -> Vector:
        avatar = self._state.avatar(player)
        return (-1.0, -1.0) if avatar is None or self._state.terminal else avatar[0]

    def get_avatar_speed(self, player: int = 0) -> float:
        avatar = self._state.avatar(player)
        return 0.0 if avatar is None or self._state.terminal else avatar[2]

    def get_avatar_orientation(self, player: int = 0) -> Vector:
        avatar = self._state.avatar(player)
        return (-1.0, -1.0) if avatar is None or self._state.terminal else avatar[1]

    def get_avatar_type(self, player: int = 0) -> int:
        avatar = self._state.avatar(player)
        return -1 if avatar is None else avatar[3]

    def get_avatar_resources(self, player: int = 0) -> dict[int, int]:
        avatar = self._state.avatar(player)
        return {} if avatar is None else avatar[5]

    def get_avatar_health_points(self, player: int = 0) -> int:
        return self._health(player)[0]

    def get_avatar_max_health_points(self, player: int = 0) -> int:
        return self._health(player)[1]

    def get_avatar_limit_health_points(self, player: int = 0) -> int:
        return self._health(player)[2]

    def _health(self, player: int) -> tuple[int, int, int]:
        avatar = self._state.avatar(player)
        return (0, 0, 0) if avatar is None else avatar[4]

    def get_avatar_last_action(self, player: int = 0) -> str:
        return self._state.last_action_of(player)

    def is_avatar_alive(self, player: int = 0) -> bool:
        return self._state.alive_as(player)

    # ------------------------------------------------------------------ lists of sprites

    def get_npc_positions(self, reference: Vector | None = None) -> list[list[Observation]] | None:
        return self._list("npc", reference)

    def get_immovable_positions(self, reference: Vector | None = None) -> list[list[Observation]] | None:
        return self._list("immovable", reference)

    def get_movable_positions(self, reference: Vector | None = None) -> list[list[Observation]] | None:
        return self._list("movable", reference)

    def get_resources_positions(self, reference: Vector | None = None) -> list[list[Observation]] | None:
        return self._list("resource", reference)

    def get_portals_positions(self, reference: Vector | None = None) -> list[list[Observation]] | None:
        return self._list("portal", reference)

    def get_from_avatar_sprites_positions(self, reference: Vector | None = None) -> list[list[Observation]] | None:
        return self._list("from_avatar", reference)

    def _list(self, category: str, reference: Vector | None) -> list[list[Observation]] | None:
        """One list per type that is known in the category, or None; sorted by distance if a reference is
        given.
        """
        for itype, known in enumerate(self._known):
            if not known:
                sprites = self._state.group(itype)
                if sprites:
                    self._known[itype] = 1 << sprites[0][3]
                    self._visible[itype] = not self._hidden[itype]
        found = [
            itype for itype, known in enumerate(self._known) if known >> CATEGORIES.index(category) & 1 and self._visible[itype]
        ]
        if not found:
            return None
        at = (-1.0, -1.0) if reference is None else reference
        lists = [[Observation(c, itype, id, (x, y), at) for id, x, y, c in self._state.group(itype)] for itype in found]
        if reference is not None:
            for one in lists:
                one.sort(key=lambda seen: seen.square_distance)
        return lists

    # ------------------------------------------------------------------ the observation grid

    def get_observation_grid(self) -> list[list[list[Observation]]]:
        """`grid[column][row]` is the list of what that cell shows."""
        if not self._grid_memory:
            self._fresh_grid()
        return self._grid

    def _fresh_grid(self) -> None:
        self._grid = [[[] for _ in range(self._game.height)] for _ in range(self._game.width)]
        self._placed = {}
        for itype, hidden in enumerate(self._hidden):
            if not hidden:
                self._place(itype, self._state.group(itype))

    def _refresh_grid(self) -> None:
        present = {itype: self._state.group(itype) for itype in range(len(self._hidden))}
        alive = {sprite[0] for group in present.values() for sprite in group}
        for id in [id for id in self._placed if id not in alive]:
            self._take_out(id)
        for itype in reversed(self._game.tables.order):
            self._place(itype, present[itype])

    def _place(self, itype: int, group: Sequence[tuple[int, int, int, int]]) -> None:
        for id, x, y, category in group:
            old = self._placed.get(id)
            if old is not None:
                if old.seen.position == (x, y):
                    continue
                category = old.seen.category
                self._take_out(id)
            seen = Observation(category, itype, id, (x, y))
            self._placed[id] = _Placed(seen, self._cells(x, y))
            for column, row in self._placed[id].cells:
                self._grid[column][row].append(seen)

    def _take_out(self, id: int) -> None:
        placed = self._placed.pop(id)
        for column, row in placed.cells:
            cell = self._grid[column][row]
            del cell[next(i for i, seen in enumerate(cell) if seen is placed.seen)]

    def _cells(self, x: int, y: int) -> list[tuple[int, int]]:
        """The cells that show a sprite; the division truncates, so what sticks out left or above shows in the
        first.
        """
        block, width, height = self._game.block, self._game.width, self._game.height
        column, row = int(x / block), int(y / block)
        if not (0 <= column < width and 0 <= row < height):
            return []
        right = x > 0 and x % block != 0 and column + 1 < width
        below = y > 0 and y % block != 0 and row + 1 < height
        cells = [(column, row)]
        if right:
            cells.append((column + 1, row))
        if below:
            cells.append((column, row + 1))
        if right and below:
            cells.append((column + 1, row + 1))
        return cells

    # ------------------------------------------------------------------ history

    def get_historic_events_history(self) -> list[Event]:
        """Everything the avatar and its shots met, in order."""
        return [
            Event(tick, active, passive, bool(shot), (x, y), active_id, passive_id)
            for tick, active, passive, shot, x, y, active_id, passive_id in self._state.events()
        ]
