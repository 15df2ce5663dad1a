"""Players that attack the referee: each loses its match at most, and the record is made of plain values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from oracles.small_games import CountdownGame
from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.core.model import Rules, Situation
from paidia.core.player import Decision, Player
from paidia.core.text import printable, told
from paidia.experiment.trajectories import condense
from paidia.games import load
from paidia.match.record import MatchRecord, replay
from paidia.match.referee import play_match


class Own(BaseException):
    """An error outside `Exception`."""


class Mute(Exception):
    def __str__(self) -> str:
        raise Own("no text")

    __repr__ = __str__


class Nameless(type):
    @property
    def __name__(cls) -> str:  # type: ignore[override]
        raise Own("no name")


class Masked(Exception, metaclass=Nameless):
    pass


class Poser(KeyboardInterrupt):
    """No Ctrl-C of anybody."""


class Stubborn(dict[str, Any]):
    """Notes that cannot be read."""

    def get(self, *arguments: Any) -> Any:
        raise Own("no entries")

    __getitem__ = __iter__ = items = keys = values = get  # type: ignore[assignment]


class NoNumber:
    def __index__(self) -> int:
        raise Own("no index")

    def __repr__(self) -> str:
        raise Own("no repr")


class OddInt(int):
    """Equal to everything, and different whenever it is looked at."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        raise Own("no hash")

    def __repr__(self) -> str:
        raise Own("no repr")

    def __index__(self) -> int:
        raise Own("no index")

    def __lt__(self, other: object) -> bool:
        raise Own("no order")

    __str__, __add__, __radd__, __int__ = __repr__, __lt__, __lt__, __index__  # type: ignore[assignment]


class Plain(Player):
    name = "plain"

    def begin(self, game: Rules, role: int, *, state: Situation, seed: int, budget: Budget | None) -> None:
        self.role = role

    def act(self, state: Situation, *, step: int, budget: Budget | None) -> Decision:
        legal = state.legal(self.role)
        return Decision(legal[0] if legal else None)


def raises(error: BaseException) -> Callable[..., Any]:
    def call(*arguments: Any, **options: Any) -> Any:
        raise error

    return call


GAMES = [("tic-tac-toe", "illegal move"), ("vgdl:vine", "illegal action")]


def play(game: str, player: Player, **options: Any) -> MatchRecord:
    rules = load(game)
    record = play_match(rules, [player, *(Plain() for _ in range(rules.n_roles - 1))], max_steps=30, **options).record
    again = MatchRecord.from_json(record.to_json())
    assert again == record
    replay(record, rules)
    for numbers in record.simulations:
        assert all(type(n) is int for n in numbers)
    assert all(type(name) is str for name in record.agents)
    return record


@pytest.mark.parametrize("game", [game for game, _ in GAMES])
@pytest.mark.parametrize("method", ["begin", "act"])
@pytest.mark.parametrize(
    "error", [Own("x"), Mute(), Masked(), GeneratorExit(), type("Stop", (KeyboardInterrupt,), {})(), Own("\x1b[2J\udcff")]
)
def test_whatever_a_player_raises_is_its_own_loss(game: str, method: str, error: BaseException) -> None:
    player = Plain()
    setattr(player, method, raises(error))
    record = play(game, player)
    assert (record.ending, record.fault, record.goals[0]) == ("crash", 0, 0.0)
    assert record.message and record.message.isprintable()


@pytest.mark.parametrize(("game", "illegal"), GAMES)
@pytest.mark.parametrize("make", [NoNumber, lambda: OddInt(7), lambda: 10**400, lambda: -(10**400), lambda: Mute()])
def test_a_move_that_cannot_be_read_loses(game: str, illegal: str, make: Callable[[], Any]) -> None:
    class Strange(Plain):
        def act(self, state: Situation, *, step: int, budget: Budget | None) -> Decision:
            move = make()
            return Decision(move if not isinstance(move, OddInt) else NoNumber())

    record = play(game, Strange())
    assert (record.ending, record.fault) == (illegal, 0)


@pytest.mark.parametrize("game", [game for game, _ in GAMES])
def test_an_odd_kind_of_number_is_recorded_as_a_plain_one(game: str) -> None:
    class Odd(Plain):
        def act(self, state: Situation, *, step: int, budget: Budget | None) -> Decision:
            legal = state.legal(self.role)
            return Decision(OddInt(legal[0]) if legal else None, simulations=OddInt(5), value=OddInt(1), notes={1: OddInt(2)})

    seen: list[Decision] = []
    record = play(game, Odd(), thoughts=lambda role, decision: seen.append(decision))
    assert record.ending in ("terminal", "tick limit") and record.simulations[0][0] == 5
    assert type(seen[0].simulations) is int and seen[0].value is None


@pytest.mark.parametrize("claim", [-1, 2**63, 10**400, "5", 5.0, None, NoNumber()])
def test_claims_that_are_no_number_of_simulations_lose(claim: Any) -> None:
    class Boasts(Plain):
        def act(self, state: Situation, *, step: int, budget: Budget | None) -> Decision:
            return Decision(state.legal(self.role)[0], simulations=claim)

    assert play("tic-tac-toe", Boasts()).ending == "illegal move"


def test_a_decision_of_its_own_making_is_none() -> None:
    class Fake(Decision, frozen=True):
        def __getattribute__(self, name: str) -> Any:
            raise Own(name)

    class Fakes(Plain):
        def act(self, state: Situation, *, step: int, budget: Budget | None) -> Decision:
            return Fake(state.legal(self.role)[0])

    record = play("tic-tac-toe", Fakes())
    assert (record.ending, record.fault) == ("illegal move", 0)


@pytest.mark.parametrize("where", ["none", "raises", "number", "escapes", "changes"])
def test_names_are_plain_text_from_the_start(where: str) -> None:
    class Named(Player):
        def act(self, state: Situation, *, step: int, budget: Budget | None) -> Decision:
            if where == "changes":
                self.name = "somebody else"
            legal = state.legal(0)
            return Decision(legal[0] if legal else None)

    player = Named()
    if where == "raises":
        Named.name = property(raises(Poser("no name")))  # type: ignore[assignment]
    elif where == "number":
        player.name = 7  # type: ignore[assignment]
    elif where == "escapes":
        player.name = "\x1b]0;gone\x07"
    elif where == "changes":
        player.name = "me"
    expected = {"escapes": "\\x1b]0;gone\\x07", "changes": "me"}.get(where, "Named")
    assert play("tic-tac-toe", player).agents == [expected, "plain"]


def test_a_result_cannot_be_rewritten_by_who_is_told() -> None:
    class Forger(Plain):
        def end(self, goals: list[float], *, score: float | None = None) -> None:
            goals[:] = [1.0, 1.0, 1.0]
            goals.clear()

        def trajectory(self, *, most_used: int = 20) -> dict[str, Any] | None:
            self.told = {"a": [1]}
            return self.told

    forger = Forger()
    result = play_match(CountdownGame(3), [forger, Plain(), Plain()])
    honest = play_match(CountdownGame(3), [Plain(), Plain(), Plain()])
    assert result.record.goals == honest.record.goals
    forger.told["a"].append(2)
    assert result.record.trajectories[0] == {"a": [1]}


@pytest.mark.parametrize("notes", [Stubborn(a=1), Stubborn(), {"lost_playouts": OddInt(3)}, {1: NoNumber()}, 7, Poser()])
def test_notes_that_cannot_be_read_are_none(notes: Any) -> None:
    class Noted(Plain):
        def act(self, state: Situation, *, step: int, budget: Budget | None) -> Decision:
            return Decision(super().act(state, step=step, budget=budget).move, notes=notes)

    shown: list[Decision] = []
    result = play_match(
        load("tic-tac-toe"), [Noted(), Plain()], thoughts=lambda role, decision: shown.append(decision) if role == 0 else None
    )
    assert (result.record.ending, result.record.goals) == ("terminal", [1.0, 0.0])
    assert all(asked.lost_playouts is None or type(asked.lost_playouts) is int for asked in result.asked[0])
    assert all(decision.notes is None or type(decision.notes) is dict for decision in shown)


@pytest.mark.parametrize("method", ["end", "trajectory"])
@pytest.mark.parametrize("error", [Own("x"), Mute(), Masked(), Poser()])
def test_nothing_after_the_match_changes_it(method: str, error: BaseException) -> None:
    player = Plain()
    setattr(player, method, raises(error))
    record = play("tic-tac-toe", player)
    assert (record.ending, record.goals) == ("terminal", [1.0, 0.0])
    assert condense(player) is None


def test_an_account_with_odd_numbers_is_kept_as_plain_ones() -> None:
    class Teller(Plain):
        def trajectory(self, *, most_used: int = 20) -> dict[str, Any] | None:
            turn = {"turn": 0, "samples": [[OddInt(3)]]}
            return {"controller": "x", "parameters": [{"name": "C", "values": ["1"]}], "roles": [{"turns": [turn]}]}

    found = condense(Teller())
    assert found is None or (type(found.parts[0][0][0]) is int and msgspec.json.encode(found))


@pytest.mark.parametrize("error", [Own("x"), Mute(), Poser()])
def test_who_cannot_say_whether_it_can_play_is_refused(error: BaseException) -> None:
    player = Plain()
    player.cannot_play = raises(error)  # type: ignore[method-assign]
    with pytest.raises(BadInput, match="plain cannot say whether it can play"):
        play("tic-tac-toe", player)


def test_text_of_strangers() -> None:
    assert printable("a\nb\x1b[31m\u202e\ud800é") == "a\\nb\\x1b[31m\\u202e\\ud800é"
    assert printable("x" * 600) == "x" * 500 + "..."
    assert told(ValueError("a\x07")) == "ValueError: a\\x07"
    assert told(Masked()) == "a Masked that cannot be shown"
