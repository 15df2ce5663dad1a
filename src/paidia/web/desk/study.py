"""Searches from positions of a table, and looking into what they found: a hint, two trees, and how they differ."""

from __future__ import annotations

import signal
from typing import Any

import msgspec

from paidia.core.budget import Budget
from paidia.core.errors import BadInput
from paidia.core.model import Situation
from paidia.players.build import search_for
from paidia.web.desk.differ import compare
from paidia.web.desk.joint import joint_name
from paidia.web.desk.look import SearchLook, root_rows
from paidia.web.desk.post import Interrupted, Post
from paidia.web.desk.seats import read_agent, read_budget

__all__ = ["LIVE", "Study"]

LIVE = 0.15  # seconds between two looks at a search that is going on


class Study:
    """The searches of one table; `looks` holds them by slot, "a", "b" or "h" for a hint."""

    def __init__(self, post: Post) -> None:
        self.post = post
        self.looks: dict[str, SearchLook] = {}

    def search(self, letter: dict[str, Any], state: Situation, step: int) -> None:
        """Search from a position, shown while it goes on."""
        name, definition = read_agent(letter)
        budget = read_budget(letter) or Budget(seconds=1.0)
        role = letter.get("role")
        seat = int(role) if role is not None else state.mover or 0
        seed = int(letter.get("seed") or 0)
        slot = str(letter.get("slot", "a"))[:1]
        search = search_for(definition, state.game, name)
        search.begin_game(seed)
        settings = str(letter.get("settings", "")).strip()
        label = f"{name}{' ' + settings if settings else ''}, {budget}, seed {seed}"

        def look(number: int, frame: object) -> None:
            done = search.so_far().simulations
            self.post.show(searching={"slot": slot, "rows": root_rows(search, state, seat)[:30], "simulations": done})

        with self.post:
            signal.signal(signal.SIGALRM, look)
            signal.setitimer(signal.ITIMER_REAL, LIVE, LIVE)
            try:
                result = search.search(state, budget, role=seat, step=step)
            except Interrupted:
                self.post.say(stopped=True)
                return
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
        self.looks[slot] = SearchLook(search, state, seat, result, label)
        self.post.say(searched={"slot": slot, "step": step, "hint": bool(letter.get("hint")), **self.looks[slot].summary()})

    def _look(self, letter: dict[str, Any]) -> SearchLook:
        found = self.looks.get(str(letter.get("slot", "a"))[:1])
        if found is None:
            raise BadInput("search first: there is no tree to look into")
        return found

    def on_tree(self, letter: dict[str, Any]) -> None:
        """Some rows of a tree's outline."""
        window = self._look(letter).window(letter)
        self.post.say(tree={**window, "ask": letter.get("ask"), "slot": letter.get("slot", "a")})

    def on_node(self, letter: dict[str, Any]) -> None:
        """The position at a node."""
        state, steps = self._look(letter).position(int(letter["node"]))
        names = [joint_name(state, step) for step in steps]
        self.post.say(node={"node": letter["node"], "scene": msgspec.to_builtins(state.picture()), "moves": names})

    def on_differ(self, letter: dict[str, Any]) -> None:
        """Where the two searches differ."""
        one, other = (self._look({"slot": slot}) for slot in "ab")
        if one.state.key != other.state.key:
            raise BadInput("the two searches started from different positions: search both again here")
        self.post.say(differ=compare(one, other, [str(name) for name in letter.get("path", [])][:100]))
