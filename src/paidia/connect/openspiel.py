"""OpenSpiel: every game of paidia as a `pyspiel` game, and players of either side at the other's table.

    import pyspiel
    import paidia.connect.openspiel                  # registers the game "paidia"
    game = pyspiel.load_game("paidia(game=gdl:tron)")
    game = paidia.connect.openspiel.spiel_game(my_game)      # a game that was made here

Actions are moves, in rising order. Returns are goals from -1 (0) to 1 (100), at the end; of a video game its score. Whether roles
act together is found out by random games; `dynamics="simultaneous"` or `"sequential"` says so instead. What chance does follows
from the parameter `seed`, so to OpenSpiel these are deterministic games (its games written in Python can only draw at chance
nodes, which the rules of a video game cannot list); a search there foresees what chance will do.

`BotPlayer` seats a bot of OpenSpiel at our table, `AgentBot` one of our agents at theirs. The other direction, games of OpenSpiel
here, is the world `openspiel:` (`paidia.games.openspiel`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel

from paidia.core.arcade import ArcadeGame, ArcadeState
from paidia.core.budget import Budget
from paidia.core.errors import BadInput, PaidiaError
from paidia.core.game import Game
from paidia.core.model import Rules, Situation
from paidia.core.player import Decision, Player
from paidia.games import load, worlds
from paidia.games.openspiel.game import SpielGame, SpielState
from paidia.players.registry import make_player

__all__ = ["AgentBot", "BotPlayer", "PaidiaGame", "PaidiaState", "spiel_game", "spiel_state"]

NAME = "paidia"
#: No game of ours tells how long it may last.
LONGEST = 100_000
#: Scores have no bounds; OpenSpiel wants some.
LARGEST_SCORE = 1e9

#: games that were made in this process, by the id that stands for them in parameters
_OWN: dict[str, Rules] = {}


def _game_type(game: Rules, together: bool) -> Any:
    video = isinstance(game, ArcadeGame)
    kinds = pyspiel.GameType
    return kinds(
        short_name=NAME,
        long_name=f"paidia: {game.id}",
        dynamics=kinds.Dynamics.SIMULTANEOUS if together else kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if _sums_to_nothing(game) else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.REWARDS if video else kinds.RewardModel.TERMINAL,
        max_num_players=game.n_roles,
        min_num_players=game.n_roles,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=game.observation_shape is not None,
        parameter_specification={"game": "", "level": "", "seed": 0, "dynamics": ""},
    )


def _sums_to_nothing(game: Rules) -> bool:
    """Boards have one winner and one loser, or a draw; of other games we do not know."""
    return game.n_roles == 2 and isinstance(game, Game) and worlds()["board"].accepts(game.id) and game not in _OWN.values()


def _acts_together(game: Rules) -> bool:
    """Whether roles act at the same time anywhere in some random games."""
    if game.n_roles == 1:
        return False
    chance = np.random.default_rng(0)
    for _ in range(10):
        state = game.initial_state()
        for _ in range(200):
            if state.terminal:
                break
            if state.mover is None:
                return True
            state.play(int(chance.choice(state.legal(state.mover))))
    return False


class PaidiaGame(pyspiel.Game):  # type: ignore[misc]
    """A game of paidia in OpenSpiel; `rules` is the game here."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {"game": "tic-tac-toe", "level": "", "seed": 0, "dynamics": "", **(params or {})}
        name = str(given["game"]) or "tic-tac-toe"
        self.rules: Rules = _OWN[name] if name in _OWN else load(name, level=str(given["level"]) or None)
        self.seed = int(given["seed"])
        if given["dynamics"] not in ("", "simultaneous", "sequential"):
            raise BadInput(f"dynamics is simultaneous or sequential, not {given['dynamics']!r}")
        together = given["dynamics"] == "simultaneous" or (not given["dynamics"] and _acts_together(self.rules))
        video = isinstance(self.rules, ArcadeGame)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.rules.n_moves,
            max_chance_outcomes=0,
            num_players=self.rules.n_roles,
            min_utility=-LARGEST_SCORE if video else -1.0,
            max_utility=LARGEST_SCORE if video else 1.0,
            utility_sum=0.0 if _sums_to_nothing(self.rules) else None,
            max_game_length=self.rules.max_ticks + 1 if isinstance(self.rules, ArcadeGame) else LONGEST,
        )
        super().__init__(_game_type(self.rules, together), info, {key: value for key, value in given.items() if value})

    def new_initial_state(self, state: Any = None) -> PaidiaState:
        """A state at the start."""
        return PaidiaState(self)

    def action_to_string(self, player: int, action: int) -> str:
        """The name of a move."""
        return self.rules.move_name(max(player, 0), action)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:
        """What is seen: the planes, fluents or cells of `Situation.observe`."""
        if params:
            raise BadInput(f"observers of paidia take no parameters, not {params}")
        return _Observer(self.rules)


class PaidiaState(pyspiel.State):  # type: ignore[misc]
    """A state of paidia in OpenSpiel; `position` is the state here."""

    def __init__(self, game: PaidiaGame, position: Situation | None = None) -> None:
        super().__init__(game)
        self.rules = game.rules
        self.last_gain = 0.0
        if position is not None:
            self.position = position
            return
        self.position = self.rules.initial_state()
        if self.rules.chance:
            self.position.seed(game.seed)

    def current_player(self) -> int:
        """The role to act."""
        if self.position.terminal:
            return int(pyspiel.PlayerId.TERMINAL)
        mover = self.position.mover
        return int(pyspiel.PlayerId.SIMULTANEOUS) if mover is None else mover

    def _legal_actions(self, player: int) -> list[int]:
        legal = sorted(self.position.legal(player))
        return sorted({0, *legal}) if isinstance(self.rules, ArcadeGame) and not self.position.terminal else legal

    def _apply_action(self, action: int) -> None:
        if isinstance(self.position, ArcadeState):
            self.last_gain = self.position.play_number(action)
        else:
            self.position.play(action)

    def _apply_actions(self, actions: list[int]) -> None:
        self.position.play([int(action) for action in actions])

    def _action_to_string(self, player: int, action: int) -> str:
        return self.rules.move_name(max(player, 0), action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.position.terminal

    def rewards(self) -> list[float]:
        """What the last move brought."""
        return [self.last_gain] if isinstance(self.rules, ArcadeGame) else self.returns()

    def returns(self) -> list[float]:
        """What the game has brought so far."""
        if isinstance(self.position, ArcadeState):
            return [self.position.score]
        return [2.0 * goal - 1.0 for goal in self.position.values] if self.position.terminal else [0.0] * self.rules.n_roles

    def __str__(self) -> str:
        return self.position.draw()


class _Observer:
    def __init__(self, rules: Rules) -> None:
        shape = rules.observation_shape
        if shape is None:
            raise BadInput(f"{rules.id} does not show itself as numbers")
        self._bytes = np.empty(shape, np.uint8)
        self.tensor = np.zeros(self._bytes.size, np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: PaidiaState, player: int) -> None:
        """Fill the tensor."""
        state.position.observe(self._bytes)
        self.tensor[:] = self._bytes.reshape(-1)

    def string_from(self, state: PaidiaState, player: int) -> str:
        """The position as text."""
        return state.position.to_text()


def spiel_game(game: str | Rules, *, seed: int = 0, dynamics: str = "") -> PaidiaGame:
    """A game of paidia as a `pyspiel` game: an id, a path, or a game that was made here."""
    if isinstance(game, str):
        return PaidiaGame({"game": game, "seed": seed, "dynamics": dynamics})
    name = f"own-{game.id}"
    known = _OWN.setdefault(name, game)
    if known is not game:
        name = f"own-{game.id}-{id(game)}"
        _OWN[name] = game
    return PaidiaGame({"game": name, "seed": seed, "dynamics": dynamics})


def spiel_state(state: Situation, game: PaidiaGame | None = None) -> Any:
    """A state for OpenSpiel's algorithms: its own, if it comes from there, else a copy of ours in a `PaidiaState`."""
    if isinstance(state, SpielState):
        return state.spiel.clone()
    return PaidiaState(game or spiel_game(state.game), state.copy())


# ---------------------------------------------------------------------------- players


class BotPlayer(Player):
    """A bot of OpenSpiel in a seat of ours.

    Args:
        make: Makes the bot: `make(game, player, seed)` with a `pyspiel` game.
        name: Its name in records.
    """

    def __init__(self, make: Callable[[Any, int, int], Any], name: str = "bot") -> None:
        self.make, self.name = make, name
        self._bot: Any = None
        self._game: Any = None

    @classmethod
    def mcts(cls, simulations: int = 1000, uct_c: float = 2.0) -> BotPlayer:
        """OpenSpiel's own search with random playouts: in C++ on its games, in Python on ours.

        (Its search in C++ lets go of the interpreter and crashes on every game written in Python, as of 2.0.2.)
        """

        def make(game: Any, player: int, seed: int) -> Any:
            if isinstance(game, PaidiaGame):
                from open_spiel.python.algorithms import mcts

                chance = np.random.RandomState(seed % 2**31)
                return mcts.MCTSBot(game, uct_c, simulations, mcts.RandomRolloutEvaluator(1, chance), random_state=chance)
            evaluator = pyspiel.RandomRolloutEvaluator(1, seed % 2**31)
            return pyspiel.MCTSBot(game, evaluator, uct_c, simulations, 1000, False, seed % 2**31, False)

        return cls(make, f"open_spiel-mcts-{simulations}")

    def begin(self, game: Rules, role: int, *, state: Situation, seed: int, budget: Budget | None) -> None:
        """Make the bot for this game."""
        self._game = game.spiel if isinstance(game, SpielGame) else spiel_game(_named(game))
        self._bot = self.make(self._game, role, seed)
        self._bot.restart()

    def act(self, state: Situation, *, step: int, budget: Budget | None) -> Decision:
        """Ask the bot."""
        there = spiel_state(state, self._game if isinstance(self._game, PaidiaGame) else None)
        return Decision(int(self._bot.step(there)))


def _named(game: Rules) -> str | Rules:
    """The id of a game, if it is got again by it."""
    try:
        return game.id if load(game.id, level=getattr(game, "level", None)) is game else game
    except PaidiaError:
        return game


class AgentBot(pyspiel.Bot):  # type: ignore[misc]
    """One of our agents as a bot of OpenSpiel, in its games and in ours.

    Args:
        game: A `pyspiel` game.
        player: Which player it is.
        agent: An id of `paidia agents`, a path, or a player.
        sims: Simulations for each move.
        seed: Same seed, same moves.
    """

    def __init__(self, game: Any, player: int, agent: str | Player = "uct", *, sims: int = 1000, seed: int = 0) -> None:
        super().__init__()
        self._rules: Rules = game.rules if isinstance(game, PaidiaGame) else SpielGame(f"openspiel:{game}", game)
        self._role, self._seed, self._budget = player, seed, Budget(simulations=sims)
        self._player = make_player(agent) if isinstance(agent, str) else agent
        if (reason := self._player.cannot_play(self._rules, self._budget)) is not None:
            raise BadInput(f"{agent} cannot play {game}: {reason}")
        self._step = 0
        self.restart()

    def restart(self) -> None:
        """A new match begins."""
        self._step = 0
        self._player.begin(self._rules, self._role, state=self._rules.initial_state(), seed=self._seed, budget=None)

    def restart_at(self, state: Any) -> None:
        """A new match begins somewhere."""
        self.restart()

    def inform_action(self, state: Any, player: int, action: int) -> None:
        """Another player has moved: nothing is kept of that."""

    def step(self, state: Any) -> int:
        """The agent's move."""
        if isinstance(state, PaidiaState):
            here: Situation = state.position.copy()
        else:
            here = self._rules.initial_state()
            assert isinstance(here, SpielState)
            here.spiel = state.clone()
        if self._rules.chance:
            here.seed(self._seed + 7919 * self._step)
        decision = self._player.act(here, step=self._step, budget=self._budget)
        self._step += 1
        assert decision.move is not None
        return decision.move


pyspiel.register_game(_game_type(load("tic-tac-toe"), False), PaidiaGame)
