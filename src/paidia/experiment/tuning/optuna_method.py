"""Optuna's tree-structured Parzen estimator behind the same two calls. Needs the extra `tune`.

A parameter that is silenced by its switch (GRAVE's `ref` while K is 0) is not suggested, so that every combination is
legal. The study lives in memory: a run that goes on asks again and tells what its log has, and comes to the same state.
"""

from __future__ import annotations

from typing import Any

from paidia.control.combinations import Combinations
from paidia.core.errors import BadInput
from paidia.experiment.tuning.landscape import Genes
from paidia.experiment.tuning.plan import OptunaSettings

__all__ = ["Optuna"]


class Optuna:
    """A study with ask and tell."""

    def __init__(self, combinations: Combinations, settings: OptunaSettings, *, seed: int) -> None:
        try:
            import optuna
        except ImportError:
            raise BadInput(
                "method = \"optuna\" needs the library 'optuna': pip install 'paidia[tune]', or take method = \"ntbea\""
            ) from None
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        sampler = optuna.samplers.TPESampler(seed=seed % 2**32, n_startup_trials=settings.startup)
        self._study = optuna.create_study(direction="maximize", sampler=sampler)
        self._space = combinations.space
        self._sizes = combinations.sizes()
        self._open: list[tuple[Genes, Any]] = []

    def ask(self, number: int) -> list[Genes]:
        """The next combinations to be judged."""
        for _ in range(number):
            trial = self._study.ask()
            self._open.append((self._suggest(trial), trial))
        return [genes for genes, _ in self._open]

    def _suggest(self, trial: Any) -> Genes:
        names = self._space.names
        switches = {switch.silences: switch for switch in self._space.active_switches}
        genes: dict[str, int] = {}
        for name in sorted(names, key=lambda name: name in switches):  # a switch before what it silences
            size = self._sizes[names.index(name)]
            if name not in switches:
                genes[name] = trial.suggest_int(name, 0, size - 1)
            elif genes[switches[name].parameter] == 0:
                genes[name] = 0
            else:
                genes[name] = trial.suggest_int(name, 1, size - 1)
        return tuple(genes[name] for name in names)

    def tell(self, genes: Genes, value: float) -> None:
        """The result of the combination that was asked for first among those still open."""
        asked, trial = self._open.pop(0)
        assert asked == genes, "results come in the order of the questions"
        self._study.tell(trial, value)
