"""A table: a game with its time line, who sits at it, and searches from any of its positions.

A match, a record that is looked at and a position that is studied are the same thing here: states one after the other, to which
the players add as long as there are any. Agents have the seeds that `paidia play` gives them, so a match without undo is the
same match there.
"""

from __future__ import annotations

import gc
import signal
import time
from pathlib import Path
from typing import Any

import msgspec

from paidia.core.arcade import ACTIONS, ArcadeGame
from paidia.core.errors import BadInput, IllegalMove, PaidiaError
from paidia.core.model import Rules, Situation
from paidia.core.player import Decision
from paidia.games import load
from paidia.match.details import roots_of
from paidia.match.laws import Laws, laws_of
from paidia.match.record import MatchRecord, RootMove
from paidia.match.seeds import MatchSeeds
from paidia.web.desk.look import principal_line, root_rows
from paidia.web.desk.overlay import thoughts_over
from paidia.web.desk.post import Interrupted, Post
from paidia.web.desk.records import Opened, open_record
from paidia.web.desk.saving import match_record, read_comments, write_over
from paidia.web.desk.seats import Seat, tuner_story
from paidia.web.desk.showing import show, show_frame
from paidia.web.desk.study import LIVE, Study

__all__ = ["TableDesk"]

TICK = 0.04
MOST_STEPS = 20_000


class TableDesk:
    """See the module."""

    def __init__(self, post: Post, home: Path, folders: list[Path]) -> None:
        self.post, self._home, self._folders = post, home, folders
        self.study = Study(post)

    # ------------------------------------------------------------------------------------------------ opening

    def work(self, letter: dict[str, Any]) -> None:
        """See `Desk`."""
        self._open(letter)
        while True:
            try:
                if not self._go_on():
                    return
            except Interrupted:
                self.straight = False
                continue
            except PaidiaError as error:
                self.post.say(error=str(error))
                self.playing = False

    def _open(self, letter: dict[str, Any]) -> None:
        opened = open_record(letter, self._folders, self._home) if "record" in letter or "file" in letter else None
        self.opened: Opened | None = opened
        if opened is not None:
            spec, level, seed = opened.game, opened.level, opened.seed
        else:
            spec, level, seed = self._spec(letter), letter.get("level"), int(letter.get("seed") or 0)
        self.game: Rules = load(spec, level=None if level in (None, "") else str(level))
        self.laws: Laws = laws_of(self.game)
        self.video = isinstance(self.game, ArcadeGame)
        self.seed = seed
        self.seeds = MatchSeeds(self.game, seed)
        self.states = [self.seeds.start()]
        self.joints: list[list[int | None]] = []
        self.simulations: list[list[int]] = []
        self.roots: list[dict[int, list[RootMove] | None]] = []  # what agents knew of their moves, step by step
        self.straight = True  # nothing was taken back, so that the same agents would play the same match
        self.found: dict[int, list[RootMove] | None] = {}
        self.values: list[dict[str, Any]] = []
        self.pending: dict[int, int] = {}
        self.thought: dict[int, int] = {}
        self.asked: set[int] = set()
        self.result: dict[str, Any] | None = None
        self.tick = float(letter.get("tick") or TICK)
        self.held, self.pressed = "NIL", ""
        self.late = self.ticks = 0
        self.clock = float(letter.get("clock") or 0.0)
        self.used = [0.0] * self.game.n_roles
        self.overlay = bool(letter.get("overlay"))
        self.sent_symbols: set[str] = set()
        moves = opened.moves if opened is not None else letter.get("moves") or []
        self._replay(moves)
        plain = letter.get("seats") or []
        if plain and len(plain) != self.game.n_roles:
            raise BadInput(f"{self.game.id} has {self.game.n_roles} roles ({', '.join(self.game.roles)}): give as many seats")
        self.seats = [Seat(one) for one in plain]
        self.straight = not self.joints
        self.playing = bool(self.seats)
        self._sit()
        if self.video:  # as the referee does: tidying up the heap must not happen in the middle of a tick
            gc.collect()
            gc.freeze()
        self.post.say(
            table={
                "game": spec if opened is not None else str(letter.get("game") or "edited rules"),
                "level": self.laws.level, "roles": self.game.roles, "video": self.video, "seed": seed,
                "seats": [seat.name for seat in self.seats] or (opened.agents if opened else []), "bounded": self.game.bounded,
                "steps": len(self.joints), "record": None if opened is None else opened.about,
                "spec": spec, "simultaneous": self.states[0].mover is None and self.game.n_roles > 1,
            }
        )  # fmt: skip
        show(self, len(self.joints))

    def _spec(self, letter: dict[str, Any]) -> str:
        """The game by id, or the page's own rules, which are written where only this child looks."""
        rules = letter.get("rules")
        if not isinstance(rules, str):
            spec = str(letter.get("game", ""))
            if "/" in spec or "\\" in spec or spec.endswith((".kif", ".gdl", ".txt")):
                raise BadInput("the page plays games of the library, or rules that are typed into it")
            return spec
        if letter.get("language") == "vgdl":
            path = self._home / "edited.txt"
            (self._home / "edited_lvl0.txt").write_text(str(letter.get("level_text", "")), encoding="utf-8")
        else:
            path = self._home / "edited.kif"
        path.write_text(rules, encoding="utf-8")
        return str(path)

    def _replay(self, moves: list[Any]) -> None:
        for names in moves[:MOST_STEPS]:
            joint = [names] if isinstance(names, str) else list(names)
            state = self.states[-1].clone()
            if state.terminal:
                raise BadInput("the moves go on after the end of the game")
            if self.game.n_roles > 1 and len(joint) == 1 and state.mover is not None:
                joint = [joint[0] if role == state.mover else None for role in range(self.game.n_roles)]
            if len(joint) != self.game.n_roles:
                raise BadInput(f"a step has {self.game.n_roles} moves, not {len(joint)}")
            ids = [None if name is None else self.game.move_id(role, name) for role, name in enumerate(joint)]
            try:
                state.play(ids)
            except IllegalMove as error:
                raise BadInput(f"step {len(self.joints) + 1} does not fit the rules: {error}") from None
            self._append(state, ids, [0] * self.game.n_roles)

    def _append(self, state: Situation, joint: list[int | None], simulations: list[int]) -> None:
        self.states.append(state)
        self.joints.append(joint)
        self.simulations.append(simulations)
        self.roots.append(self.found)
        self.found = {}

    def _sit(self) -> None:
        ponders = [seat.ponders for seat in self.seats]
        for role, seat in enumerate(self.seats):
            seat.sit(self.game, role, self.states[-1], self.seeds.seat(role), first=not self.joints, ponders=ponders)

    # ------------------------------------------------------------------------------------------------ playing

    @property
    def state(self) -> Situation:
        return self.states[-1]

    def _go_on(self) -> bool:
        """One step of the match, or one letter; False at the end of all."""
        if not self.playing or self.result is not None:
            return self._take(self.post.next())
        if self.state.terminal or len(self.joints) >= MOST_STEPS:
            self._end("terminal" if self.state.terminal else "step limit")
            return True
        if self.video:
            return self._tick()
        for role, seat in enumerate(self.seats):  # as the referee does: also those who have nothing to choose, some think anyway
            if not seat.human and role not in self.asked:
                self._ask(role)
        waiting = [role for role in self._choosers() if self.seats[role].human and role not in self.pending]
        if waiting:
            return self._wait(waiting)
        joint = [self.pending.get(role, self._forced(role)) for role in range(self.game.n_roles)]
        self._play(joint)
        return True

    def _choosers(self) -> list[int]:
        """The roles that have something to choose; a role with a single move is not asked where all move at once."""
        if self.state.mover is not None:
            return [self.state.mover]
        return [role for role in range(self.game.n_roles) if len(self.state.legal(role)) > 1]

    def _forget(self) -> None:
        """What was chosen for this step."""
        self.pending.clear()
        self.thought.clear()
        self.asked.clear()
        self.found = {}

    def _forced(self, role: int) -> int | None:
        legal = self.state.legal(role)
        return legal[0] if legal else None

    def _ask(self, role: int) -> None:
        """An agent thinks; the page sees it at work."""
        seat, step = self.seats[role], len(self.joints)
        view = self.seeds.view(self.state, step + 1)
        search = seat.search
        chooses = role in self._choosers()
        if chooses:
            self.post.say(thinking={"role": role, "step": step})

        def look(number: int, frame: object) -> None:
            rows = root_rows(search, view, role)
            if rows:
                self.post.show(live={"role": role, "step": step, "rows": rows[:30], "simulations": search.so_far().simulations})

        began = time.monotonic()
        with self.post:
            if search is not None and hasattr(search, "tree"):
                signal.signal(signal.SIGALRM, look)
                signal.setitimer(signal.ITIMER_REAL, LIVE, LIVE)
            try:
                decision = seat.act(view, step)
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
        self.used[role] += time.monotonic() - began
        move = self.laws.answer(self.state, role, decision.move)
        self.asked.add(role)
        self.thought[role] = decision.simulations
        self.found[role] = roots_of(decision)
        if move is not None:
            self.pending[role] = move
        if chooses:
            self._tell(role, seat, decision, view, step)

    def _tell(self, role: int, seat: Seat, decision: Decision, view: Situation, step: int) -> None:
        """What the agent found, for the tables and curves of the page."""
        name = None if decision.move is None else self.game.move_name(role, decision.move)
        told: dict[str, Any] = {
            "role": role, "step": step, "move": name, "value": decision.value, "simulations": decision.simulations,
            "tuner": tuner_story(seat, role), "forced": len(view.legal(role)) <= 1,
        }  # fmt: skip
        if seat.search is not None and decision.notes:  # nobody searches where there is no choice
            told["rows"] = root_rows(seat.search, view, role)
            told["line"] = principal_line(seat.search, view)
        if decision.value is not None:
            self.values.append({"step": step, "role": role, "value": decision.value})
        if seat.fixed is not None:
            other = seat.fixed.act(view, step=step, budget=seat.budget)
            told["fixed"] = {
                "move": None if other.move is None else self.game.move_name(role, other.move),
                "value": other.value,
                "same": other.move == decision.move,
            }
        self.post.say(decision=told)

    def _wait(self, waiting: list[int]) -> bool:
        """Until a person has moved, or their time is up."""
        role = waiting[0]
        left = self.clock - self.used[role] if self.clock else None
        if left is not None and left <= 0:
            self._end("time", loser=role)
            return True
        began = time.monotonic()
        letter = self.post.next(left)
        self.used[role] += time.monotonic() - began
        return self._take(letter)

    def _play(self, joint: list[int | None]) -> None:
        state = self.state.clone()
        state.play(joint)
        self._append(state, joint, [self.thought.get(role, 0) for role in range(self.game.n_roles)])
        self._forget()
        show(self, len(self.joints))

    def _tick(self) -> bool:
        """One tick of a video game: the world waits for nobody."""
        seat, step = self.seats[0], len(self.joints)
        due = time.monotonic() + self.tick
        thoughts: dict[str, Any] | None = None
        decision = Decision(move=0)
        if seat.human:
            name = self.pressed or self.held
            self.pressed = ""
            move = ACTIONS.index(name) if name in ACTIONS else 0
        else:
            view = self.seeds.view(self.state, step + 1)
            began = time.monotonic()
            with self.post:
                decision = seat.act(view, step)
            self.ticks += 1
            took = time.monotonic() - began
            self.late += took > TICK and seat.budget is not None and 0 < seat.budget.seconds <= TICK
            move = decision.move or 0
            self.found[0] = roots_of(decision)
            if self.overlay or step % 5 == 0:
                thoughts = thoughts_over(self.state, seat, decision, danger=self.overlay)
        state = self.state.clone()
        state.play([self.laws.answer(self.state, 0, move)])
        self._append(state, [move], [0 if seat.human else decision.simulations])
        show_frame(self, step + 1, thoughts)
        while True:
            letter = self.post.next(due - time.monotonic())
            if letter == {}:
                return True
            if not self._take(letter):
                return False
            if self.result is not None or not self.playing:
                return True

    def _end(self, how: str, *, loser: int | None = None) -> None:
        ending = how if how in ("terminal", "step limit") else "terminal"
        goals = self.laws.goals(self.state, ending, loser)
        self.result = {
            "goals": goals, "how": how, "loser": loser, "score": self.laws.score(self.state), "late": self.late,
            "ticks": self.ticks, "steps": len(self.joints),
        }  # fmt: skip
        if loser is None:
            score = self.laws.score(self.state)
            for role, seat in enumerate(self.seats):
                if seat.player is not None:
                    seat.player.end(list(goals), score=score[role] if isinstance(score, list) else score)
        self.post.say(over=self.result)

    def names_of(self, joint: list[int | None]) -> list[str | None]:
        return [None if move is None else self.game.move_name(role, move) for role, move in enumerate(joint)]

    def names(self) -> list[list[str | None]]:
        """All moves by name."""
        return [self.names_of(joint) for joint in self.joints]

    # ------------------------------------------------------------------------------------------------ letters

    def _take(self, letter: dict[str, Any] | None) -> bool:
        if letter is None:
            return False
        what = letter.get("do")
        if what is None:
            return True
        known = isinstance(what, str) and what.isidentifier()
        act = getattr(self, f"_on_{what}", None) or getattr(self.study, f"on_{what}", None) if known else None
        if act is None:
            self.post.say(error=f"a table does not know what {what!r} is")
            return True
        try:
            act(letter)
        except PaidiaError as error:
            self.post.say(error=str(error))
        except (ValueError, TypeError, KeyError) as error:
            self.post.say(error=f"not understood: {error}")
        return True

    def _on_move(self, letter: dict[str, Any]) -> None:
        role = int(letter["role"])
        if not self.playing or self.result is not None or self.video:
            raise BadInput("no move is expected now")
        if not 0 <= role < self.game.n_roles or not self.seats[role].human or role not in self._choosers():
            raise BadInput("it is not your turn")
        if letter.get("step") not in (None, len(self.joints)):
            return  # a click that came twice
        move = self.game.move_id(role, str(letter["move"]))
        if move not in self.state.legal(role):
            raise IllegalMove(f"{letter['move']} is not legal here")
        self.pending[role] = move
        self.post.say(chosen={"role": role, "move": letter["move"]})

    def _on_key(self, letter: dict[str, Any]) -> None:
        name = str(letter.get("action"))
        if name in ACTIONS:
            self.held = name
            if name != "NIL":
                self.pressed = name

    def _on_undo(self, letter: dict[str, Any]) -> None:
        """Back to where a person last chose."""
        if self.video:
            raise BadInput("the time of a video game does not run backwards; start it again")
        keep = len(self.joints)
        while keep > 0:
            keep -= 1
            before = self.states[keep]
            mover = before.mover
            if mover is None or not self.seats or self.seats[mover].human or not any(seat.human for seat in self.seats):
                break
        self._cut(keep)

    def _cut(self, keep: int) -> None:
        del self.states[keep + 1 :], self.joints[keep:], self.simulations[keep:], self.roots[keep:]
        self.straight = False
        self.values = [value for value in self.values if value["step"] < keep]
        self._forget()
        self.result = None
        self._sit()
        show(self, keep)

    def _on_from(self, letter: dict[str, Any]) -> None:
        """Go on playing from a step of the time line, with these seats."""
        step = int(letter.get("step", len(self.joints)))
        if not 0 <= step <= len(self.joints):
            raise BadInput(f"the time line has steps 0 to {len(self.joints)}")
        seats = [Seat(one) for one in letter.get("seats") or []]
        if len(seats) != self.game.n_roles:
            raise BadInput(f"give {self.game.n_roles} seats")
        self.seats, self.playing = seats, True
        self.study.looks.clear()
        self.post.say(seats=[seat.name for seat in seats])
        self._cut(step)

    def _on_swap(self, letter: dict[str, Any]) -> None:
        self.seats = [*self.seats[1:], self.seats[0]]
        self.straight = False
        self._forget()
        self._sit()
        self.post.say(seats=[seat.name for seat in self.seats])
        show(self, len(self.joints))

    def _on_resign(self, letter: dict[str, Any]) -> None:
        people = [role for role, seat in enumerate(self.seats) if seat.human]
        if not people or self.result is not None:
            raise BadInput("nobody here can resign")
        mover = self.state.mover
        self._end("resigned", loser=mover if mover in people else people[0])

    def _on_stop(self, letter: dict[str, Any]) -> None:
        self.playing = False
        self.post.say(stopped=True)

    def _on_resume(self, letter: dict[str, Any]) -> None:
        self.playing = bool(self.seats) and self.result is None

    def _on_at(self, letter: dict[str, Any]) -> None:
        show(self, int(letter["step"]))

    def _on_overlay(self, letter: dict[str, Any]) -> None:
        self.overlay = bool(letter.get("on"))

    def _on_search(self, letter: dict[str, Any]) -> None:
        """Search from a step of the time line: a hint, or something to look into."""
        step = int(letter.get("step", len(self.joints)))
        if not 0 <= step < len(self.states) or self.states[step].terminal:
            raise BadInput("there is nothing to search for at this step")
        self.study.search(letter, self.seeds.view(self.states[step], step + 1), step)

    def _on_record(self, letter: dict[str, Any]) -> None:
        """The match as a record, to be saved by the page; `plain`: without what would repeat it, which takes longer."""
        self.post.say(record=self._record(letter).to_json().decode())

    def _on_keep(self, letter: dict[str, Any]) -> None:
        """Comments go into the file of the record that is looked at."""
        if self.opened is None or self.opened.path is None or self.opened.record is None:
            raise BadInput("only a record of your folders can keep comments: save this match as a record")
        write_over(self.opened.path, self._record(letter))
        self.post.say(kept=self.opened.path.name)

    def _record(self, letter: dict[str, Any]) -> MatchRecord:
        comments = read_comments(letter.get("comments"), len(self.joints))
        if self.opened is not None and self.opened.record is not None and not self.seats:
            return msgspec.structs.replace(self.opened.record, comments=comments)
        return match_record(self, comments, plain=bool(letter.get("plain")))
