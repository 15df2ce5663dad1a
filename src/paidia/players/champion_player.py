"""The champion: looks at the game, lets its component agents try it out in the start clock, and plays with the one that suits it.

    several roles   trial matches between the components, quick ones; the first stays unless another is surely enough better.
                    Where random games are long their ends say little of a move: there one plays that cuts them short. Where the
                    rules play many simulations at once, trial matches tell whether these should learn which moves do well
    one role        rehearsals: each component plays the game on copies of the start. Where nothing depends on chance the best
                    line is kept, played move by move, and bettered in the time of the moves; else the component whose
                    rehearsals went best plays, the first one in doubt
    video games     the same, with the share of the second before the game that `rehearsals` of the settings says

Components are agents that also play alone (`players/presets`); which ones, and how much of the clock goes where, says `[player]`
of `champion.toml`. It knows no game: what it has to go by are the numbers of `champion/features.py` and what came of its tries.
Why it plays as it does is in the notes of its decisions (`why`) and, as the choice of a component, in the record's trajectories.
Where a game is small enough a part of every clock goes to the prover (`champion/proofs.py`): what it has proven to be won or
drawn is held. A position whose value it or the component's solver knows is announced (`proven`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from paidia.core.arcade import ArcadeGame
from paidia.core.budget import Budget
from paidia.core.errors import BadInput, OutOfTime, PaidiaError
from paidia.core.loading.settings import read_settings
from paidia.core.machine.alarm import Alarm
from paidia.core.model import Rules, Situation
from paidia.core.player import Decision
from paidia.core.seeds import spawn
from paidia.players.agent_player import AgentPlayer
from paidia.players.champion.features import Features, look
from paidia.players.champion.meter import Meter, Share, Slice
from paidia.players.champion.proofs import Proofs
from paidia.players.champion.rehearsal import Rehearsed, rehearse
from paidia.players.champion.trial import trial_matches
from paidia.players.definition import AgentDefinition
from paidia.players.registry import KINDS, load_agent
from paidia.players.search_player import SearchPlayer
from paidia.search.final_move.proven_mean import ProvenMean
from paidia.search.frame.search import Search
from paidia.search.mcts import Mcts

__all__ = ["ChampionPlayer", "ChampionSettings"]

#: Moves of a trial match or rehearsal at most.
LONGEST = 500
#: Rehearsals of each component without which none takes the place of another.
LEAST_REHEARSALS = 2
#: Trial matches that the effort for a move is made for; few and long ones between components for many simulations at once, since
#: what their playouts learn shows only after thousands of them.
MATCHES, WAVES_MATCHES = 16, 8
#: Share of what is left of the clock for finding out how long a wave takes.
MEASURED = 0.02
#: Trial matches without which none of those is played at all.
FEWEST_MATCHES = 4
#: Simulations and seconds for a move below which a try says nothing; and a trial match between components for many simulations
#: at once, which also needs the time of so many waves.
LEAST, WAVES_LEAST, WAVES = (20, 0.0004), (300, 0.002), 4


class ChampionSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of the champion.

    Attributes:
        several: Components for games of several roles, the incumbent first.
        featured: The incumbent instead where rules tell features of moves, beyond which move it is (`Rules.n_codes`).
        waves: Component for games of several roles whose rules play many simulations at once.
        uniform: Its challenger, whose simulations learn nothing.
        long: Components for games of several roles whose random games are long: the first that can play.
        long_from: Moves from which they are.
        puzzles: Components for games of one role without a score.
        video: Components for video games.
        look: Share of the start clock for random games.
        trials: Share of it for trial matches; 0: the incumbent plays.
        waves_trials: The same between components for many simulations at once, which differ more from each other.
        rehearsals: Share of it for rehearsals of a video game; 0: the first component plays.
        proofs: Share of every clock for proofs, where they may be near; 0: none.
        lines: Where nothing depends on chance, keep the moves of the best rehearsal.
        sure: Probability of being better that a challenger needs.
        waves_sure: The same between components for many simulations at once. Below a half the challenger has the benefit of the
            doubt: a move of a match has many times the simulations of one in a trial match, and the more there are the less it
            helps what is simulated to know which moves did well.
    """

    several: list[str]
    featured: str
    waves: str
    uniform: str
    long: list[str]
    puzzles: list[str]
    video: list[str]
    long_from: float = 80.0
    look: float = 0.05
    trials: float = 0.2
    waves_trials: float = 0.4
    rehearsals: float = 0.6
    proofs: float = 0.15
    lines: bool = True
    sure: float = 0.99
    waves_sure: float = 0.3

    def __post_init__(self) -> None:
        for name in ("look", "trials", "waves_trials", "rehearsals", "proofs"):
            if not 0.0 <= getattr(self, name) <= 0.95:
                raise BadInput(f"{name} is a share of the clock from 0 to 0.95, not {getattr(self, name)}")
        for name, least in (("sure", 0.5), ("waves_sure", 0.01)):
            if not least <= getattr(self, name) < 1.0:
                raise BadInput(f"{name} is a probability from {least:g} up, below 1, not {getattr(self, name)}")
        if not (self.several and self.puzzles and self.video):
            raise BadInput("several, puzzles and video name one agent each at least")


class _Rule(msgspec.Struct, frozen=True):
    """How trial matches are played: with a share of the clock, so sure must a challenger be, so many are planned for, and so many
    simulations or seconds a move needs at least.
    """

    share: float
    sure: float
    matches: float
    least: tuple[int, float]


class _Line(msgspec.Struct):
    """Moves to be played, with the states in which they are meant to be."""

    first: int  # step of the first of them
    told: Rehearsed


@KINDS.register("champion")
class ChampionPlayer(AgentPlayer):
    """Chooses among component agents."""

    searches = True

    def __init__(self, name: str, definition: AgentDefinition) -> None:
        super().__init__(name, definition)
        try:
            self.settings = read_settings(ChampionSettings, definition.player, where="[player]")
            own = self.settings
            ids = dict.fromkeys([*own.several, own.featured, own.waves, own.uniform, *own.long, *own.puzzles, *own.video])
            self._made = {id: SearchPlayer(id, load_agent(id)) for id in ids}
        except PaidiaError as error:
            raise BadInput(f"agent {name}: {error}") from None
        self.why = ""
        self.features: Features | None = None
        self._seated: list[SearchPlayer] = []
        self._chosen: SearchPlayer | None = None
        self._line: _Line | None = None
        self._meter: Meter | None = None
        self._proofs: Proofs | None = None
        self._turns: list[tuple[int, int, int]] = []

    def _components(self, game: Rules) -> list[SearchPlayer]:
        own = self.settings
        if game.n_roles == 1:
            ids = own.video if isinstance(game, ArcadeGame) else own.puzzles
        else:
            first = [own.featured] if game.n_codes > game.n_places * game.n_moves else []
            ids = [*dict.fromkeys([*first, *own.several, own.waves, own.uniform, *own.long])]
        return [self._made[id] for id in ids]

    def cannot_play(self, game: Rules, budget: Budget | None) -> str | None:
        """See `Player`."""
        reason = super().cannot_play(game, budget)
        if reason is not None:
            return reason
        wanted = self._components(game)
        reasons = [component.cannot_play(game, budget) for component in wanted]
        self._seated = [component for component, why in zip(wanted, reasons, strict=True) if why is None]
        return None if self._seated else f"has no component for {game.id}: {reasons[0]}"

    def begin(self, game: Rules, role: int, *, state: Situation, seed: int, budget: Budget | None) -> None:
        """See `Player`."""
        usable = [each for each in self._seated if each.search is not None and each.search.game is game]
        if not usable:
            reason = self.cannot_play(game, budget or Budget(simulations=1))
            if reason is not None:
                raise BadInput(f"{self.name} {reason}")
            usable = self._seated
        self._usable, self._role, self._seed = usable, role, seed
        self._chosen, self._line, self.features = (self._in_waves() or usable)[0], None, None
        self._turns = []
        self._proofs = Proofs(game, role, spawn(seed, 6)) if self.settings.proofs and game.n_roles == 2 else None
        self.why = f"{self._chosen.name}: no time before the first move to try anything"
        left = budget
        if budget is not None and not state.terminal:
            meter = self._meter = Meter(budget)
            try:
                with Alarm(seconds=0.0 if meter.counted else meter.left):  # ends what is too slow in the middle of a game
                    self._choose(state, meter, budget)
            except OutOfTime:
                self.why = f"{self._chosen.name}: the start clock ran out"
            left = None if self._proofs is not None and self._proofs.value else meter.rest()
        self._chosen.begin(game, role, state=state, seed=spawn(seed, 1), budget=left)

    # ---------------------------------------------------------------- the start clock

    def _choose(self, state: Situation, meter: Meter, budget: Budget) -> None:
        share = Meter(budget, share=self.settings.look)
        self.features = found = look(state, share, spawn(self._seed, 2))
        meter.count(int(share.used) if share.counted else 0)
        if self._proofs is not None and self._proofs.near(found, 0):
            whole = meter.budget(meter.left)
            _, rest = self._proofs.look(state, 0, whole, self._proofs.first_share(found, self.settings.proofs))
            meter.count(whole.simulations - rest.simulations)
        if self._proofs is not None and self._proofs.value:
            assert self._chosen is not None
            self.why = f"{self._chosen.name}: {self._proofs.words()} before the first move, and only to be held"
        elif found.roles > 1:
            own = self.settings
            if waves := self._in_waves():
                self._try_matches(waves, state, meter, found, self._rule_of_waves(waves, state, meter, found))
                self.why += ", and these rules play many simulations at once"
            elif not self._takes_long(found):
                several = [each for each in self._usable if each.name in own.several] or self._usable
                self._try_matches(several, state, meter, found, _Rule(own.trials, own.sure, MATCHES, LEAST))
        elif found.video:
            self._rehearse_video(state, meter, found)
        else:
            self._solve(state, meter, found, step=0)
        self.why += f" ({found.words()})"

    def _in_waves(self) -> list[SearchPlayer]:
        """The components for rules that play many simulations at once, if these do; no match has to tell that they are better."""
        known = {each.name: each for each in self._usable if isinstance(each.search, Mcts) and each.search.in_waves}
        names = (self.settings.waves, self.settings.uniform)
        return [known[name] for name in names if name in known] if names[0] in known else []

    def _rule_of_waves(self, waves: list[SearchPlayer], state: Situation, meter: Meter, found: Features) -> _Rule:
        """Trial matches between components for many simulations at once: fewer of them where a wave takes long."""
        own, least, matches = self.settings, WAVES_LEAST, float(WAVES_MATCHES)
        search = _search(waves[0])
        if not meter.counted and len(waves) > 1 and own.waves_trials and isinstance(search, Mcts):
            search.begin_game(spawn(self._seed, 7))
            search.search(state.clone(), meter.budget(MEASURED * meter.left), role=self._role, step=0)
            least = (least[0], max(least[1], WAVES * search.wave_seconds))
            possible = own.waves_trials * meter.left / (least[1] * max(1.0, min(found.length, LONGEST)))
            matches = max(FEWEST_MATCHES, min(matches, possible))
        return _Rule(own.waves_trials, own.waves_sure, matches, least)

    def _takes_long(self, found: Features) -> bool:
        """Whether a component for long games plays."""
        known = {each.name: each for each in self._usable}
        name = next((name for name in self.settings.long if name in known), None)
        if name is None or found.length < self.settings.long_from:
            return False
        self._chosen = known[name]
        self.why = f"{name}: random games take {self.settings.long_from:g} moves or more"
        return True

    def _try_matches(self, usable: list[SearchPlayer], state: Situation, meter: Meter, found: Features, rule: _Rule) -> None:
        """Choose by trial matches with a share of what is left of the clock."""
        names = [each.name for each in usable]
        self._chosen = usable[0]
        allowed = Share(meter, rule.share)
        effort = allowed.left / (rule.matches * max(1.0, min(found.length, LONGEST)))
        if len(names) < 2 or not rule.share or effort < rule.least[0 if meter.counted else 1]:
            self.why = (
                f"{names[0]}: the start clock is too short for trial matches" if rule.share else f"{names[0]}: no trial matches"
            )
            return
        told = trial_matches(
            [_search(each) for each in usable],
            state,
            allowed,
            effort=effort,
            longest=LONGEST,
            seed=spawn(self._seed, 3),
            sure=rule.sure,
        )
        self._chosen = usable[told.chosen]
        results = ", ".join(
            f"{name} {sum(own):g} of {len(own)}" for name, own in zip(names[1:], told.points[1:], strict=True) if own
        )
        verdict = "stays" if told.chosen == 0 else "takes over"
        self.why = f"{self._chosen.name} {verdict} after trial matches against {names[0]}: {results or 'none was finished'}"

    def _rehearse_video(self, state: Situation, meter: Meter, found: Features) -> None:
        names = [each.name for each in self._usable]
        if len(names) < 2 or not self.settings.rehearsals:
            self.why = f"{names[0]}: no rehearsals"
            return
        allowed = Share(meter, self.settings.rehearsals)
        longest = LONGEST
        effort = allowed.left / (len(names) * 2 * longest)
        effort = max(effort, LEAST[0 if meter.counted else 1])
        told: list[list[Rehearsed]] = [[] for _ in names]
        number = 0
        while not allowed.empty:
            which = number % len(names)
            got = rehearse(
                _search(self._usable[which]), state, allowed, effort=effort, longest=longest, seed=spawn(self._seed, 4, number)
            )
            number += 1
            if got.over or len(got.moves) == longest:
                told[which].append(got)
            if got.result == 1.0 and found.deterministic and self.settings.lines:
                self._chosen, self._line = self._usable[which], _Line(0, got)
                self.why = f"{names[which]}: a rehearsal has won, and its {len(got.moves)} moves can be played again"
                return
        best = preferred(told)
        self._chosen = self._usable[best]
        results = "; ".join(f"{name} {_told(own)}" for name, own in zip(names, told, strict=True))
        self.why = f"{names[best]} after rehearsals: {results}"

    def _solve(self, state: Situation, meter: Meter, found: Features, *, step: int) -> None:
        """Rehearse a puzzle with more and more effort, until a line reaches everything or the time is up."""
        best = self._line.told.value if self._line is not None else 0.0
        searches = [_search(each) for each in self._usable]
        share = meter.left / (5.0 * len(searches))  # one for a first round, two for a second, the rest for the last of all
        number = 0
        self.why = self.why if step else f"{self._usable[0].name}: no line was found"
        while not meter.empty and best < 1.0:
            which = number % len(searches)
            late = number >= len(searches)
            allowed = Slice(meter, meter.left if late and which == len(searches) - 1 else 2.0 * share if late else share)
            moves = max(1.0, min(found.length, LONGEST))
            got = rehearse(
                searches[which],
                state,
                allowed,
                effort=0.25 * allowed.left / moves,
                longest=LONGEST,
                seed=spawn(self._seed, 5, step, number),
                ahead=0.75 * allowed.left,
            )
            number += 1
            if got.over and got.value > best:
                best = got.value
                self._chosen = self._usable[which]
                if self.settings.lines and found.deterministic:
                    self._line = _Line(step, got)
                self.why = f"{self._chosen.name}: a line of {len(got.moves)} moves reaches {100 * got.value:g} of 100"

    # ---------------------------------------------------------------- moves

    def act(self, state: Situation, *, step: int, budget: Budget | None) -> Decision:
        """See `Player`."""
        assert self._chosen is not None, "begin() comes first"
        line = self._on_line(state, step)
        if line is None:
            return self._play(state, step, budget)
        found = self.features
        simulations = 0
        if budget is not None and found is not None and not found.video and line.told.value < 1.0:
            meter = self._meter = Meter(budget, share=0.9)
            gone = step - line.first
            rest = msgspec.structs.replace(line.told, moves=line.told.moves[gone:], keys=line.told.keys[gone:])
            self._line = _Line(step, rest)
            self._solve(state, meter, found, step=step)
            simulations = int(meter.used) if meter.counted else 0
            line = self._line or line
        move = line.told.moves[step - line.first]
        value = line.told.value if found is not None and not found.video else None
        left = len(line.told.moves) - (step - line.first)
        notes: dict[str, Any] = {"why": self.why, "component": self._chosen.name, "line": left}
        if value == 1.0:
            notes["proven"] = 1.0
        self._turns.append((step, self._usable.index(self._chosen), max(1, simulations)))
        return Decision(move, simulations=simulations, value=value, notes=notes)

    def _play(self, state: Situation, step: int, budget: Budget | None) -> Decision:
        """What is proven to be best, else what the component plays."""
        assert self._chosen is not None
        proofs = self._proofs
        if budget is None or proofs is None or not proofs.near(self.features, step):
            proofs = None
        else:
            result, budget = proofs.look(state, step, budget, self.settings.proofs)
            if proofs.least and result.move is not None:
                notes = {**result.notes, "why": proofs.words(), "component": "prover"}
                self._turns.append((step, self._usable.index(self._chosen), max(1, result.simulations)))
                return Decision(result.move, simulations=result.simulations, value=proofs.least, notes=notes)
        self._forget_proof()
        decision = self._asked(self._chosen.act(state, step=step, budget=budget), step)
        if proofs is not None and decision.notes is not None:
            if proofs.value is not None:
                decision.notes.setdefault("proven", proofs.value)
            better = proofs.instead(decision.move)
            if better is not None:
                decision.notes["why"] += "; but its move is proven to lose"
                return Decision(better, simulations=decision.simulations, notes=decision.notes)
        return decision

    def _forget_proof(self) -> None:
        """What was proven of another position, in a trial match say, must not be told of this one."""
        assert self._chosen is not None
        search = self._chosen.search
        if isinstance(search, Mcts) and isinstance(search.final_move, ProvenMean):
            search.final_move.proven = None

    def _on_line(self, state: Situation, step: int) -> _Line | None:
        """The line, if the game still follows it."""
        line = self._line
        if line is None:
            return None
        at = step - line.first
        if at < len(line.told.moves) and line.told.keys[at] == state.key:
            return line
        self._line = None
        self.why += "; the game left the line"
        return None

    def _asked(self, decision: Decision, step: int) -> Decision:
        assert self._chosen is not None
        notes = {**(decision.notes or {}), "why": self.why, "component": self._chosen.name}
        search = self._chosen.search
        final = search.final_move if isinstance(search, Mcts) else None
        proven = final.proven if isinstance(final, ProvenMean) else None
        if proven is not None:
            notes["proven"] = proven
        self._turns.append((step, self._usable.index(self._chosen), max(1, decision.simulations)))
        return Decision(
            decision.move,
            simulations=decision.simulations,
            value=decision.value if proven is None else float(proven),
            notes=notes,
        )

    def stop(self) -> None:
        """See `Player`."""
        if self._meter is not None:
            self._meter.total = 0.0
        if self._proofs is not None:
            self._proofs.stop()
        for component in self._seated:
            component.stop()

    def end(self, goals: list[float], *, score: float | None = None) -> None:
        """See `Player`."""
        if self._chosen is not None:
            self._chosen.end(goals, score=score)

    def trajectory(self, *, most_used: int = 20) -> dict[str, Any] | None:
        """Which component played each move, in the form of a controller's choices."""
        if not self._turns:
            return None
        names = [each.name for each in self._usable]
        used = [sum(n for _, which, n in self._turns if which == number) for number in range(len(names))]
        turns = [
            {
                "turn": step,
                "simulations": n,
                "samples": [[n if number == which else 0 for number in range(len(names))]],
                "best": [names[which]],
            }
            for step, which, n in self._turns
        ]
        combinations = [{"values": [name], "samples": n} for name, n in zip(names, used, strict=True) if n]
        return {
            "controller": "champion",
            "parameters": [{"name": "component", "values": names}],
            "roles": [{"role": 0, "turns": turns, "most_used": combinations}],
            "why": self.why,
        }


def preferred(told: Sequence[Sequence[Rehearsed]]) -> int:
    """Which of several components has rehearsed best; the first unless another is clearly better.

    One rehearsal says little: it takes two at least of each. Clearly better: its mean result (1 won, -1 lost, 0 not over) is
    higher by half a point at least; or results do not tell them apart, and of two rehearsals, one of each, its own has the
    higher score with a frequency of four fifths.
    """
    best = 0
    for number in range(1, len(told)):
        own, other = told[number], told[best]
        if len(own) < LEAST_REHEARSALS or len(other) < LEAST_REHEARSALS:
            continue
        gap = _mean([each.result for each in own]) - _mean([each.result for each in other])
        higher = _mean([(a.value > b.value) + 0.5 * (a.value == b.value) for a in own for b in other])
        if gap >= 0.5 or (gap >= -0.25 and higher >= 0.8 and not any(each.result == 1.0 for each in [*own, *other])):
            best = number
    return best


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def _told(own: Sequence[Rehearsed]) -> str:
    if not own:
        return "finished none"
    won, lost = sum(each.result == 1.0 for each in own), sum(each.result == -1.0 for each in own)
    return f"won {won} and lost {lost} of {len(own)}, mean score {_mean([each.value for each in own]):.3g}"


def _search(component: SearchPlayer) -> Search:
    assert component.search is not None
    return component.search
