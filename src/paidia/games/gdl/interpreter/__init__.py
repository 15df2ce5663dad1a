"""The second reasoner: rules are planned once (plans) and evaluated in every position (datalog, interpreter)."""
