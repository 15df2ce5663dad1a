"""What all searches and their strategies share: budgets and clocks, one simulation, parameters, results."""
