"""The settings of the search `mcts`: parameters, and a switch for each enhancement."""

from __future__ import annotations

from typing import Literal

import msgspec

from paidia.core.errors import BadInput

__all__ = ["MctsSettings"]


class MctsSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All off is the plain search of the thesis.

    Attributes:
        bfti: Breadth-first tree initialisation and safety prepruning.
        la: Loss avoidance.
        nbp: Novelty-based pruning.
        ph: Progressive history.
        nst: N-gram selection in play-outs.
        tr: Tree reuse.
        kbe: Knowledge-based evaluations, or their "earlier" form.
        dgd: Deterministic game detection.
        td: Temporal-difference backups and which rewards they see.
        C: Exploration constant.
        W: Weight of progressive history.
        epsilon: Probability of a random action in play-outs with `nst`.
        n: Longest sequence of actions that `nst` looks at.
        k: How often a sequence of two or more must have been seen.
        depth: Longest play-out in ticks.
        gamma: What is left of the tree's statistics in the next tick with `tr`.
        decay: What is left of the statistics of actions after each tick with `ph` or `nst`.
        td_lambda: How far temporal-difference errors are passed on.
        td_local: Values on the scale of what has passed the node.
        bfti_states: How often `bfti` tries each action; once in a deterministic game.
        tr_bfti: With `tr`: `bfti` also where all children of the new root exist.
        kbe_always: Knowledge also where the value changed.
        kbe_reward: By what a collision is judged: the score, X, or the score with 1 for the end.
        kbe_resources: What a unit of a resource is worth.
        kbe_danger: What dying in a cell costs.
        kbe_traversable: Whether ways go around what blocks them.
        kbe_rare: With the earlier form: what was met rarely attracts.
        nbp_ended: What an ended situation is to novelty.
        nbp_parents: Which nodes may be marked because all their children are.
        mixmax: Share of the highest result in a deterministic game.
    """

    bfti: bool = False
    la: bool = False
    nbp: bool = False
    ph: bool = False
    nst: bool = False
    tr: bool = False
    kbe: bool | Literal["earlier"] = False
    dgd: bool = False
    td: Literal["off", "td", "tdir", "tdms", "tdkbe"] = "off"
    C: float = 0.6
    W: float = 1.0
    epsilon: float = 0.5
    n: int = 3
    k: int = 7
    depth: int = 10
    gamma: float = 0.6
    decay: float = 0.6
    td_lambda: float = 0.8
    td_local: bool = False
    bfti_states: int = 3
    tr_bfti: bool = True
    kbe_always: bool = False
    kbe_reward: Literal["score", "value", "ends"] = "ends"
    kbe_resources: float = 0.0
    kbe_danger: float = 0.0
    kbe_traversable: bool = False
    kbe_rare: bool = False
    nbp_ended: Literal["never-novel", "tested", "novel"] = "never-novel"
    nbp_parents: Literal["all", "unchanged"] = "all"
    mixmax: float = 0.25

    def __post_init__(self) -> None:
        for name in ("C", "W"):
            if not 0 <= getattr(self, name) < float("inf"):
                raise BadInput(f"{name} must be 0 or larger, not {getattr(self, name):g}")
        for name in ("epsilon", "gamma", "decay", "td_lambda", "mixmax"):
            if not 0 <= getattr(self, name) <= 1:
                raise BadInput(f"{name} must be between 0 and 1, not {getattr(self, name):g}")
        for name, last in (("n", 4), ("k", 1_000_000), ("depth", 1024), ("bfti_states", 16)):
            if not 1 <= getattr(self, name) <= last:
                raise BadInput(f"{name} is a number from 1 to {last}, not {getattr(self, name)}")
        if self.td == "tdkbe" and not self.kbe:
            raise BadInput("td = 'tdkbe' rewards what knowledge says: it needs kbe = true")
