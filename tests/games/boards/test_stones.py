"""The go family against an oracle of lists and flood fill."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paidia.core.errors import BadInput, IllegalMove
from paidia.games import load
from paidia.games.boards.go import Go


@dataclass
class Oracle:
    """Slow and obvious: a list of cells, strings found by flood fill, every earlier board kept."""

    game: str
    rows: int
    columns: int
    komi: float = 7.5
    mover: int = 0
    passes: int = 0
    winner: int | None = None
    board: list[int | None] = field(default_factory=list)
    earlier: list[list[int | None]] = field(default_factory=list)
    ply: int = 0

    def __post_init__(self) -> None:
        self.board = [None] * (self.rows * self.columns)
        self.earlier = [list(self.board)]
        self.settle()

    def neighbours(self, cell: int) -> list[int | None]:
        """Below, left, right, above; None off the board."""
        row, column = divmod(cell, self.columns)
        around = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
        return [r * self.columns + c if 0 <= r < self.rows and 0 <= c < self.columns else None for r, c in around]

    def string(self, board: list[int | None], cell: int) -> tuple[set[int], set[int]]:
        """The region of equal content around a cell, and the cells next to that region."""
        region, border, todo = {cell}, set(), [cell]
        while todo:
            for beside in self.neighbours(todo.pop()):
                if beside is None or beside in region:
                    continue
                if board[beside] == board[cell]:
                    region.add(beside)
                    todo.append(beside)
                else:
                    border.add(beside)
        return region, border

    def dead(self, board: list[int | None], cell: int) -> bool:
        return all(board[beside] is not None for beside in self.string(board, cell)[1])

    def after(self, cell: int) -> tuple[list[int | None], bool, bool]:
        """The board after a stone of the mover, whether it captures, whether it is suicide."""
        board = list(self.board)
        board[cell] = self.mover
        taken: set[int] = set()
        for beside in self.neighbours(cell):
            if beside is not None and board[beside] == 1 - self.mover and self.dead(board, beside):
                taken |= self.string(board, beside)[0]
        for stone in taken:
            board[stone] = None
        return board, bool(taken), self.dead(board, cell)

    def allowed(self, cell: int) -> bool:
        if self.board[cell] is not None:
            return False
        board, captures, suicide = self.after(cell)
        match self.game:
            case "atarigo-suicide":
                return True
            case "atarigo":
                return not suicide
            case "nogo" | "misere-nogo":
                return not suicide and not captures
            case _:
                return not suicide and board not in self.earlier

    def legal(self) -> list[int]:
        cells = [cell for cell in range(len(self.board)) if self.allowed(cell)]
        return [*cells, len(self.board)] if self.game == "go" else cells

    def settle(self) -> None:
        """Who cannot move has lost (misere: won); in go one can always pass."""
        if self.winner is None and self.game != "go" and not self.legal():
            self.winner = self.mover if self.game == "misere-nogo" else 1 - self.mover

    def play(self, move: int) -> None:
        self.ply += 1
        if move == len(self.board):
            self.passes += 1
        else:
            self.passes = 0
            self.board, captures, suicide = self.after(move)
            self.earlier.append(list(self.board))
            if self.game.startswith("atarigo") and (captures or suicide):
                self.winner = self.mover if captures else 1 - self.mover
        self.mover = 1 - self.mover
        self.settle()

    @property
    def terminal(self) -> bool:
        if self.game == "go":
            return self.passes == 2 or self.ply == 2 * len(self.board)
        return self.winner is not None

    def lead(self) -> float:
        area = [self.board.count(0), self.board.count(1)]
        for cell in range(len(self.board)):
            if self.board[cell] is None:
                owners = {self.board[beside] for beside in self.string(self.board, cell)[1]}
                if len(owners) == 1:
                    area[owners.pop()] += 1
        return area[0] - area[1] - self.komi

    def goals(self) -> list[float]:
        if self.game == "go":
            lead = self.lead()
            return [1.0, 0.0] if lead > 0 else [0.0, 1.0] if lead < 0 else [0.5, 0.5]
        if self.winner is None:
            return [0.5, 0.5]
        return [1.0, 0.0] if self.winner == 0 else [0.0, 1.0]

    def code(self, move: int) -> int:
        if move == len(self.board):
            return 256 * move
        digits = 0
        for k, beside in enumerate(self.neighbours(move)):
            digit = 3 if beside is None else 0 if self.board[beside] is None else self.board[beside] + 1
            digits += digit * 4**k
        return 256 * move + digits

    def picture(self) -> list[str]:
        """The rows from the top, as `draw` shows them without the edge."""
        cells = ["." if stone is None else "xo"[stone] for stone in self.board]
        return [" ".join(cells[row * self.columns : (row + 1) * self.columns]) for row in reversed(range(self.rows))]


GAMES = ["atarigo", "atarigo-suicide", "nogo", "misere-nogo", "go"]


def walk(game: str, rows: int, columns: int, seed: int, *, pass_rarely: bool = True) -> None:
    oracle = Oracle(game, rows, columns)
    state = load(f"{game}@{rows}x{columns}").initial_state()
    chance = random.Random(seed)
    for _ in range(4 * rows * columns):
        assert state.terminal == oracle.terminal
        assert state.goals == oracle.goals()
        assert [line.split(maxsplit=1)[1] for line in state.draw().splitlines()[:rows]] == oracle.picture()
        if oracle.terminal:
            return
        legal = oracle.legal()
        assert state.mover == oracle.mover
        assert state.legal(oracle.mover) == legal
        assert state.legal(1 - oracle.mover) == []
        assert state.codes(oracle.mover) == [oracle.code(move) for move in legal]
        stones = [move for move in legal if move < rows * columns]
        pool = stones if stones and pass_rarely and chance.random() < 0.97 else legal
        move = chance.choice(pool)
        state.play(move)
        oracle.play(move)
    raise AssertionError("the game did not end")


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=60, deadline=None)
@given(rows=st.integers(2, 5), columns=st.integers(2, 5), seed=st.integers(0, 2**32))
def test_small_boards_follow_the_oracle(game: str, rows: int, columns: int, seed: int) -> None:
    walk(game, rows, columns, seed)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("rows", "columns"), [(8, 8), (9, 9), (5, 13), (3, 19)])
def test_larger_boards_follow_the_oracle(game: str, rows: int, columns: int) -> None:
    for seed in range(2):
        walk(game, rows, columns, seed)


def test_a_board_of_six_words_follows_the_oracle() -> None:
    walk("nogo", 19, 19, 1)


@pytest.mark.parametrize(("game", "low", "high"), [("atarigo", 38.5, 40.2), ("nogo", 57.7, 59.2)])
def test_mean_length_of_random_games(game: str, low: float, high: float) -> None:
    start = load(game).initial_state()
    state = start.clone()
    lengths = []
    for seed in range(4000):
        state.copy_from(start)
        lengths.append(state.random_playout(seed))
    assert low < sum(lengths) / len(lengths) < high


@pytest.mark.parametrize("game", ["atarigo", "atarigo@9", "atarigo-suicide", "nogo", "nogo@3x19", "misere-nogo", "nogo@19"])
def test_own_playout_equals_the_generic_one_move_for_move(game: str) -> None:
    start = load(game).initial_state()
    own, generic = start.clone(), start.clone()
    for seed in range(200):
        own.copy_from(start)
        generic.copy_from(start)
        assert own.random_playout(seed) == generic.generic_playout(seed)
        assert own.key == generic.key
        assert own.goals == generic.goals


def first_moves(state, playout, games: int) -> list[int]:  # type: ignore[no-untyped-def]
    """How often each move comes first in playouts cut after one move, told by the key after it."""
    at: dict[int, int] = {}
    for i, move in enumerate(state.legal(state.mover)):
        child = state.clone()
        child.play(move)
        at[child.key] = i
    counts = [0] * len(at)
    scratch = state.clone()
    for seed in range(games):
        scratch.copy_from(state)
        playout(scratch, seed)
        counts[at[scratch.key]] += 1
    return counts


def test_go_playout_is_uniform_where_superko_forbids_a_cell() -> None:
    state = play(load("go@5").initial_state(), "b1 c1 a2 d2 b3 c3 c2 b2")  # white has taken the ko at c2
    ko = state.game.move_id(0, "c2")
    assert ko not in state.legal(0)
    n, games = len(state.legal(0)), 20_000
    for playout in (lambda s, seed: s.random_playout(seed, 1), lambda s, seed: s.generic_playout(seed, 1)):
        counts = first_moves(state, playout, games)
        chi_square = sum((count - games / n) ** 2 / (games / n) for count in counts)
        # mean n - 1, deviation sqrt(2 (n - 1)); five deviations
        assert abs(chi_square - (n - 1)) < 5 * (2 * (n - 1)) ** 0.5


@pytest.mark.parametrize("game", ["go@3", "go@5", "go@9"])
def test_go_playouts_agree_in_length_and_result(game: str) -> None:
    games = 3000
    start = load(game).initial_state()
    state = start.clone()
    samples = {}
    for name, playout, first in (
        ("own", lambda s, seed: s.random_playout(seed), 0),
        ("generic", lambda s, seed: s.generic_playout(seed), 10**6),
    ):
        lengths, wins = [], []
        for seed in range(first, first + games):
            state.copy_from(start)
            lengths.append(playout(state, seed))
            wins.append(state.goals[0])
        samples[name] = (lengths, wins)
    for own, generic in zip(samples["own"], samples["generic"], strict=True):
        means = [sum(x) / games for x in (own, generic)]
        variance = sum(sum((v - m) ** 2 for v in x) / games**2 for x, m in zip((own, generic), means, strict=True))
        assert abs(means[0] - means[1]) < 4.5 * variance**0.5 + 1e-9


def play(state, moves: str):  # type: ignore[no-untyped-def]
    for name in moves.split():
        state.play(state.game.move_id(state.mover, name))
    return state


def test_atarigo_ends_with_the_first_capture() -> None:
    state = play(load("atarigo@5").initial_state(), "a1 b1 e5")
    assert not state.terminal
    play(state, "a2")
    assert state.terminal
    assert state.goals == [0.0, 1.0]
    assert state.mover is None and state.legal(0) == []


def test_atarigo_suicide_is_illegal_or_loses() -> None:
    moves = "c3 a2 d3 b1"
    strict = play(load("atarigo@5").initial_state(), moves)
    with pytest.raises(IllegalMove):
        play(strict, "a1")
    loose = play(load("atarigo-suicide@5").initial_state(), moves + " a1")
    assert loose.terminal and loose.goals == [0.0, 1.0]


def test_a_capturing_stone_without_own_liberties_wins_even_where_suicide_loses() -> None:
    # White's corner stones at a2 and b1 surround a1; black has taken away their other liberties.
    for game in ("atarigo@5", "atarigo-suicide@5"):
        state = play(load(game).initial_state(), "b2 a2 a3 e5 e1 b1 c1 e4")
        play(state, "a1")
        assert state.terminal and state.goals == [1.0, 0.0]


def test_nogo_forbids_capture_and_suicide() -> None:
    state = play(load("nogo@5").initial_state(), "a1 b1 c3")
    assert state.game.move_id(1, "a2") not in state.legal(1)  # would capture a1
    eye = play(load("nogo@5").initial_state(), "a2 c3 b1 d3 e5")
    assert eye.game.move_id(1, "a1") not in eye.legal(1)  # would be suicide
    play(eye, "e1")
    assert eye.game.move_id(0, "a1") in eye.legal(0)  # black may fill it


def test_misere_nogo_turns_the_result_round() -> None:
    for seed in range(20):
        plain, misere = load("nogo@5").initial_state(), load("misere-nogo@5").initial_state()
        assert plain.random_playout(seed) == misere.random_playout(seed)
        assert plain.goals == list(reversed(misere.goals))


def test_go_captures_and_scores() -> None:
    state = play(load("go@5").initial_state(), "a2 a1 b1")  # black takes a1
    assert state.draw().splitlines()[4] == "1 . x . . ."
    play(state, "pass pass")
    assert state.terminal
    assert state.goals == [1.0, 0.0]  # all 25 points against komi 7.5
    assert "black leads by 17.5" in state.draw()


def test_go_counts_shared_regions_for_nobody() -> None:
    state = play(load("go@5").initial_state(), "b1 d1 b2 d2 b3 d3 b4 d4 b5 d5 pass pass")
    assert "white leads by 7.5" in state.draw()  # ten points each, the middle is neutral
    assert state.goals == [0.0, 1.0]


def test_go_empty_board_belongs_to_nobody() -> None:
    state = play(load("go@5").initial_state(), "pass pass")
    assert state.terminal and "white leads by 7.5" in state.draw()


def test_go_draw_where_komi_allows_it() -> None:
    state = play(Go("even", 3, 3, komi=0.0).initial_state(), "pass pass")
    assert state.goals == [0.5, 0.5]
    assert "equal areas" in state.draw()


def test_go_passes_must_follow_each_other() -> None:
    state = play(load("go@5").initial_state(), "pass a1 pass b2")
    assert not state.terminal
    play(state, "pass pass")
    assert state.terminal
    with pytest.raises(IllegalMove):
        state.play(0)


def test_go_suicide_is_illegal() -> None:
    state = play(load("go@5").initial_state(), "a2 e5 b1 e4 c3")
    assert state.game.move_id(1, "a1") not in state.legal(1)
    several = play(load("go@5").initial_state(), "a3 a2 b2 e5 c1 b1 e1")  # a1 would join two stones, dead
    assert several.game.move_id(1, "a1") not in several.legal(1)


def test_go_ko_has_to_wait() -> None:
    state = play(load("go@5").initial_state(), "b1 c1 a2 d2 b3 c3 c2 b2")
    ko = state.game.move_id(0, "c2")
    assert ko not in state.legal(0)
    with pytest.raises(IllegalMove):
        state.play(ko)
    play(state, "e5 a5")  # a threat and its answer
    assert ko in state.legal(0)
    play(state, "c2")
    assert state.game.move_id(1, "b2") not in state.legal(1)


@pytest.mark.parametrize(
    ("moves", "forbidden", "first"),
    [
        # White takes a1 a2, black throws in at a1, white takes it from a2; retaking all three stones would
        # leave black a1 alone, the board after the first move.
        ("a1 b1 a2 b2 a1 a2", "a1", "a1"),
        # White's throw-in at a1 takes three stones; black a2 would capture nothing and yet bring back the
        # board after the second move.
        ("a2 a1 b2 pass b1 a1", "a2", "a2 a1"),
    ],
)
def test_go_superko_forbids_longer_cycles(moves: str, forbidden: str, first: str) -> None:
    before = play(load("go@2x2").initial_state(), first).draw().splitlines()[:2]
    state = play(load("go@2x2").initial_state(), moves)
    cell = state.game.move_id(state.mover, forbidden)
    assert cell not in state.legal(state.mover)
    scratch = state.clone()
    for seed in range(200):  # the game's own playout does not play it either
        scratch.copy_from(state)
        scratch.random_playout(seed, limit=1)
        assert scratch.draw().splitlines()[:2] != before


def test_go_ends_at_its_bound() -> None:
    for seed in range(50):
        state = load("go@4").initial_state()
        assert state.random_playout(seed) <= 32
        assert state.terminal


def test_passing_is_the_last_move_and_has_its_own_code() -> None:
    game = load("go@5")
    state = game.initial_state()
    assert state.legal(0) == [*range(25), 25]
    assert game.move_name(0, 25) == "pass"
    assert state.codes(0)[-1] == 25 * 256 == game.n_codes - 1


@pytest.mark.parametrize("game", GAMES)
def test_copies_are_independent(game: str) -> None:
    state = load(f"{game}@5").initial_state()
    for seed in range(30):
        original = load(f"{game}@5").initial_state()
        original.random_playout(seed, limit=8)
        before = (original.key, original.draw(), original.legal(0), original.legal(1))
        state.copy_from(original)
        assert (state.key, state.draw(), state.legal(0), state.legal(1)) == before
        state.random_playout(seed)
        assert (original.key, original.draw(), original.legal(0), original.legal(1)) == before


@pytest.mark.parametrize("game", GAMES)
def test_move_orders_that_meet_share_a_key(game: str) -> None:
    one = play(load(f"{game}@5").initial_state(), "a1 c3 e5 d2")
    other = play(load(f"{game}@5").initial_state(), "e5 d2 a1 c3")
    assert one.key == other.key
    assert play(one, "b4").key != play(other, "b5").key


def test_go_keys_tell_ko_and_passes_apart() -> None:
    start = load("go@5").initial_state()
    assert play(start.clone(), "pass").key != start.key
    ko = play(start.clone(), "b1 c1 a2 d2 b3 c3 c2 b2")
    quiet = play(start.clone(), "b1 c1 a2 d2 b3 c3 pass b2")  # the same stones, and nothing to retake
    assert ko.draw() == quiet.draw() and ko.legal(0) != quiet.legal(0)
    assert ko.key != quiet.key


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_states_with_one_key_have_the_same_legal_moves(seed: int) -> None:
    met: dict[int, tuple[list[int], bool]] = {}
    chance = random.Random(seed)
    for _ in range(20):
        state = load("go@2x2").initial_state()
        while not state.terminal:
            seen = (state.legal(state.mover), state.terminal)
            assert met.setdefault(state.key, seen) == seen
            state.play(chance.choice(seen[0][:-1] or seen[0]))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("size", ["1", "20", "3x20"])
def test_sizes_that_do_not_fit_are_refused(game: str, size: str) -> None:
    with pytest.raises(BadInput, match="2x2 to 19x19"):
        load(f"{game}@{size}")
