"""Rolling-horizon evolution: plans of a few actions, bred anew in every tick."""
