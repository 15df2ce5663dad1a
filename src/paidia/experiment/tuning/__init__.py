"""Off-line tuning: look for good search parameters of an agent by playing matches with them.

A plan (`plan`) names the agent, the games and the space of parameters; a method (`ntbea`, `optuna_method`) proposes
combinations, matches between the agent and an opponent judge them (`evaluate`), every result goes to a log (`log`) from
which a killed run goes on, and `tune` joins them. Self-adapting agents tune themselves while they play: that is `control`.
"""
