"""The gauntlet: fixed suites of games that an agent plays to show how strong it is (`paidia gauntlet`).

A suite is one TOML file in `suites/`; `suite` reads it and makes it a plan, `trial` runs the plan round by round with the usual
runner and store until a sequential test over the whole suite is decided, and says what the store holds of it.
"""
